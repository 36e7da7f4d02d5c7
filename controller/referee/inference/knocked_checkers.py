"""Checkers that are knocked off their places after a play, and put back."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from controller.referee import priors
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import ROW_INDICES, BoardLayout
from controller.referee.inference.board_memory import columns
from controller.referee.inference.histories import History, likeliest_history
from controller.rules import BAR, OFF, Player, Position


def knocked_boards(position: Position) -> frozenset[Position]:
    """Every board with one checker knocked to the floor, or to a next point without opponent's checkers."""
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


@lru_cache(maxsize=256)
def _knocked_layout(position: Position) -> BoardLayout:
    """The same boards, laid out to be weighed all at once."""
    return BoardLayout.of(sorted(knocked_boards(position), key=lambda board: board.packed))


def with_checker_knocked(histories: Iterable[History], evidence: BoardEvidence) -> Iterator[History]:
    """Those of `histories` that explain the last full view better if one checker was knocked off its place.

    Each gets the board that fits best. Those too unlikely to be kept are left out.
    """
    whole, histories = evidence.of_full_view(), tuple(histories)
    if not whole.now.fully_visible or not histories:
        return
    least = likeliest_history(histories).weight - priors.KEEP_WITHIN_NATS
    for history in histories:
        if history.lying_board is not None:
            continue
        rows = whole.rows(history.place_states)
        lying = rows[ROW_INDICES, columns(history.position)]
        gains = np.sort(rows.max(axis=1) - lying)[-priors.PLACES_OF_A_CHECKER :].sum()
        hope = history.weight_before(evidence.now.t_ms) + lying.sum() + gains + math.log(priors.KNOCKED)
        if gains < priors.DOUBTFUL_COUNT_NATS or hope < least:
            continue
        ways = _knocked_layout(history.position)
        if not ways.boards:
            continue
        nats = rows[ROW_INDICES, ways.columns].sum(axis=1)
        best, prior = int(nats.argmax()), math.log(priors.KNOCKED / len(nats))
        if prior + nats[best] > lying.sum():
            knocked = replace(history.with_prior(prior), lying_board=ways.boards[best])
            yield knocked.weighed(evidence)


def with_checker_put_back(histories: Iterable[History]) -> Iterator[History]:
    """Those of `histories` in which a checker was knocked off its place, with it put back."""
    for history in histories:
        if history.lying_board is not None:
            yield replace(history, lying_board=None)
