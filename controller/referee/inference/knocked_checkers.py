"""Checkers that are knocked off their places after a play, and put back."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from controller.referee import priors
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import BOARD_BYTES, BoardLayout
from controller.referee.inference.board_memory import of_board
from controller.referee.inference.histories import History, likeliest_history
from controller.rules import BAR, OFF, Player, Position
from controller.rules.board.position import N_PLACES


def knocked_boards(position: Position) -> BoardLayout:
    """Every board with one checker knocked to the floor, or to a next point without opponent's checkers."""
    found = []
    for first, player in ((0, Player.WHITE), (N_PLACES, Player.BLACK)):
        own, others = position.side(player), position.side(player.opponent)
        for place in (place for place in range(1, BAR) if own[place]):
            for target in {OFF, place - 1, place + 1}:
                if target == OFF or (target < BAR and not others[BAR - target]):
                    move = (1 << 8 * (first + target)) - (1 << 8 * (first + place))
                    found.append((position.packed + move).to_bytes(BOARD_BYTES, "little"))
    return BoardLayout(b"".join(found))


def with_checker_knocked(
    histories: Iterable[History], evidence: BoardEvidence, top: float = -math.inf
) -> Iterator[History]:
    """Those of `histories` that explain the last full view better if one checker was knocked off its place.

    Each gets the board that fits best. Those too unlikely to be kept are left out. top: the weight of the
    likeliest other history.
    """
    whole, histories = evidence.of_full_view(), tuple(histories)
    if not whole.now.fully_visible or not histories:
        return
    least = max(top, likeliest_history(histories).weight) - priors.KEEP_WITHIN_NATS
    for history in histories:
        if history.lying_board is not None:
            continue
        rows = whole.rows(history.place_states)
        lying = of_board(rows, history.position)
        # A checker that was knocked off changes two places at most. It may have lain on any held point.
        gain = np.sort(rows.max(axis=1) - lying)[-2:].sum()
        most_nats = math.log(priors.KNOCKED / _n_held(history.position))
        hope = history.weight_before(evidence.now.t_ms) + lying.sum() + gain + most_nats
        if gain < priors.DOUBTFUL_COUNT_NATS or hope < least:
            continue
        if boards := knocked_boards(history.position):
            nats, prior = boards.log_likelihoods(rows), math.log(priors.KNOCKED / len(boards))
            if prior + nats.max() > lying.sum():
                knocked = replace(history.with_prior(prior), lying_board=boards[int(nats.argmax())])
                yield knocked.weighed(evidence)


def _n_held(position: Position) -> int:
    """How often a player holds a point; at least 1."""
    return max(1, sum(1 for side in (position.white, position.black) for count in side[1:BAR] if count))


def with_checker_put_back(histories: Iterable[History]) -> Iterator[History]:
    """Those of `histories` in which a checker was knocked off its place, with it put back."""
    for history in histories:
        if history.lying_board is not None:
            yield replace(history, lying_board=None)
