"""Checkers that were knocked off their places after a play, and that are put back."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from controller.referee import priors
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import ROW_INDICES
from controller.referee.inference.board_memory import columns
from controller.referee.inference.histories import History
from controller.rules import BAR, OFF, Player, Position


@lru_cache(maxsize=256)
def knocked_boards(position: Position) -> frozenset[Position]:
    """Every board after one checker was knocked to the floor, or to the next point if it is free for him."""
    found = set()
    for player in Player:
        own, others = position.side(player), position.side(player.opponent)
        for place in (place for place in range(1, BAR) if own[place]):
            for target in (OFF, place - 1, place + 1):
                if target == OFF or (target < BAR and not others[BAR - target]):
                    counts = list(own)
                    counts[place] -= 1
                    counts[target] += 1
                    found.add(Position.of(player, tuple(counts), others))
    return frozenset(found)


def with_checker_knocked(histories: Iterable[History], evidence: BoardEvidence) -> Iterator[History]:
    """Those of `histories` whose board does not fit what is plainly seen, one checker having been knocked."""
    whole = evidence.of_full_view()
    for history in histories:
        if history.lying_board is not None or not _is_nearly_seen(history, whole):
            continue
        ways = knocked_boards(history.position)
        for seen in {
            whole.likeliest_board(history.place_states, history.position, restore=restore)
            for restore in (True, False)
        }:
            if seen in ways:
                knocked = history.with_prior(math.log(priors.KNOCKED / len(ways)))
                yield replace(knocked, lying_board=seen).weighed(evidence)


def with_checker_put_back(histories: Iterable[History]) -> Iterator[History]:
    """Those of `histories` in which a checker was knocked off, with it in its place again."""
    for history in histories:
        if history.lying_board is not None:
            yield replace(history, lying_board=None)


def _is_nearly_seen(history: History, whole: BoardEvidence) -> bool:
    """Whether the board was seen whole, and no more places look otherwise than one checker's."""
    if not whole.now.fully_visible:
        return False
    rows = whole.rows(history.place_states)
    lost = rows[ROW_INDICES, columns(history.position)] - rows.max(axis=1)
    return 0 < int(np.count_nonzero(lost < -priors.DOUBTFUL_COUNT_NATS)) <= priors.PLACES_OF_A_CHECKER
