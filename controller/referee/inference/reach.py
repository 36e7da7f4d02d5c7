"""Upper bounds on what one more play can explain, found without generating plays."""

import numpy as np

from controller.referee.events import MAX_COUNT, N_ROWS
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import ROW_INDICES, Table, columns
from controller.referee.inference.histories import History
from controller.rules import BAR, Player


def bound_after_play(history: History, evidence: BoardEvidence) -> float:
    """An upper bound on the weight of `history` after one more play."""
    return history.weight_before(evidence.now.t_ms) + best_fit(history, evidence)


def best_fit(history: History, evidence: BoardEvidence) -> float:
    """Upper bound on the log-likelihood of the view after any play of the player on roll."""
    reach = reachable_log_likelihoods(evidence.rows(history.place_states), history.on_roll.opponent)
    boards = np.array([columns(history.position), columns(history.expected_board)])
    return float(reach[ROW_INDICES, boards].sum(axis=1).max())


def reachable_log_likelihoods(row_nats: Table, player: Player) -> Table:
    """The best log-likelihood of each row that a play of `player`'s opponent can reach from each content.

    He may put checkers anywhere except on points that `player` holds, and hit blots, also in passing.
    """
    sign = 1 if player is Player.WHITE else -1
    free = [MAX_COUNT - sign * n for n in range(MAX_COUNT + 1)]
    blot = MAX_COUNT + sign
    reach = row_nats.copy()
    points = slice(0, BAR - 1)
    left = row_nats[points, free].max(axis=1)
    reach[points, blot] = np.maximum(row_nats[points, blot], left)
    reach[points, free] = left[:, None]
    own_bar, their_bar = (N_ROWS - 2, N_ROWS - 1)[::sign]
    reach[own_bar] = np.maximum.accumulate(row_nats[own_bar][::-1])[::-1]
    reach[their_bar] = np.maximum.accumulate(row_nats[their_bar])
    return reach
