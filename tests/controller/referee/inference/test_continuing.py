"""A history continued by every play of a roll."""

import math

import numpy as np
import pytest

from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import (
    candidate_plays,
    likeliest_continuations,
    partial_play_fit,
)
from controller.referee.inference.histories import likeliest_history
from controller.referee.inference.roll_evidence import any_roll
from controller.referee.priors import PLACE_FLOOR_NATS
from controller.rules import Position
from tests.controller.referee.inference.boards import (
    AFTER_31,
    AFTER_32,
    DANCING,
    HALF_31,
    NO_PICTURES,
    ROLL,
    THROWN,
    evidence,
    history,
    watched,
)

SEEN_NOTHING = BoardEvidence(now=BoardMemory())


def test_before_anything_is_seen_the_plays_of_a_roll_share_one_chance():
    (plays,) = candidate_plays(history(), THROWN, SEEN_NOTHING, 0)
    assert np.exp(plays.past_weight).sum() == pytest.approx(1)
    assert len(plays.past_weight) == len(plays.results)


def test_the_play_that_the_board_shows_is_the_likeliest():
    found = likeliest_continuations(
        candidate_plays(watched(), THROWN, evidence(Position.START, AFTER_31), 2000), 2000
    )
    top = likeliest_history(found)
    assert (top.position, str(top.turn.dice), top.turn.legal) == (AFTER_31, "31", True)


def test_after_a_picture_older_than_a_play_other_plays_stay_possible():
    evidence_of_start = evidence(Position.START)
    fresh, stale = (
        likeliest_continuations(candidate_plays(watched(), THROWN, evidence_of_start, t_ms), t_ms)
        for t_ms in (1000, 60_000)
    )
    assert len(stale) > 10
    assert stale[0].weight > fresh[0].weight


@pytest.mark.parametrize("shown", [Position.START, HALF_31, AFTER_31, AFTER_32, DANCING])
def test_no_play_loses_weight_that_it_needs_to_be_kept(shown):
    parent, view = watched(), evidence(Position.START, shown)
    (every,) = candidate_plays(parent, THROWN, view, 2000)
    for least in (0.0, *every.weights):
        (found,) = candidate_plays(parent, THROWN, view, 2000, least)
        assert (found.weights <= every.weights).all()
        assert found.weights[every.weights >= least] == pytest.approx(every.weights[every.weights >= least])


def test_a_play_that_can_weigh_too_little_is_not_taken_for_one_under_way():
    parent, view = watched(), evidence(Position.START)
    (every,), (found,) = (candidate_plays(parent, THROWN, view, 2000, least) for least in (-100.0, 0.0))
    assert (found.weights < every.weights).all()


def test_plays_far_behind_the_likeliest_are_left_out():
    candidates = candidate_plays(watched(), THROWN, evidence(Position.START, AFTER_31), 2000)
    found = likeliest_continuations(candidates, 2000)
    assert len(found) < len(candidates[0].results)
    assert likeliest_continuations(candidates, 2000, least=1.0) == []


def test_a_board_that_several_rolls_lead_to_is_as_likely_as_all_of_them():
    throws = any_roll(NO_PICTURES)
    parent = history(DANCING)
    found = likeliest_continuations(candidate_plays(parent, throws, SEEN_NOTHING, 0), 0)
    (danced,) = [each for each in found if each.position == DANCING]
    assert math.exp(danced.past_weight) == pytest.approx(25 / 36)


@pytest.mark.parametrize(
    ("board", "fits"), [(Position.START, True), (HALF_31, True), (AFTER_31, True), (AFTER_32, False)]
)
def test_a_play_fits_before_it_half_way_and_when_it_is_complete(board, fits):
    """After 8/5 6/4 no less than the 4-point is wrong for 3-1."""
    best = partial_play_fit(watched(), (ROLL,), evidence(Position.START, Position.START))
    fit = partial_play_fit(watched(), (ROLL,), evidence(Position.START, board))
    assert (fit > best + PLACE_FLOOR_NATS) is fits
