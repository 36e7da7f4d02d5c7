"""A history continued by what was plainly seen."""

import pytest

from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.histories import likeliest_history
from controller.referee.inference.irregular_plays import prior_of_part
from controller.referee.inference.roll_evidence import sensor_rolls
from controller.referee.inference.seen_plays import plays_as_seen
from controller.referee.priors import IRREGULAR_PLAY_NATS
from controller.rules import N_CHECKERS, Dice, Position
from tests.controller.referee.inference.boards import (
    AFTER_32,
    HALF_31,
    NO_PICTURES,
    ROLL,
    THROWN,
    evidence,
    history,
    memory,
    watched,
)
from tests.controller.referee.table import board


def test_an_irregular_play_that_was_seen_is_followed_and_costs_its_prior():
    parent = watched()
    found = list(plays_as_seen(parent, (), THROWN[0], evidence(Position.START, AFTER_32), 2000))
    (turned,) = [each for each in found if each.position == AFTER_32]
    assert not turned.turn.legal
    assert turned.weight < IRREGULAR_PLAY_NATS


def test_half_a_play_that_was_seen_costs_less_than_another_irregular_one():
    seen_half, seen_wrong = (
        next(
            each
            for each in plays_as_seen(watched(), (), THROWN[0], evidence(Position.START, board), 2000)
            if each.position == board
        )
        for board in (HALF_31, AFTER_32)
    )
    assert seen_half.weight == pytest.approx(prior_of_part(history(), ROLL), abs=0.05)
    assert seen_half.weight > seen_wrong.weight


def test_an_irregular_play_leaves_the_opponents_checkers_where_they_lay():
    """One of Black's is not seen: his place was misread."""
    fewer = list(AFTER_32.black)
    fewer[13] -= 1
    misread = Position(AFTER_32.white, tuple(fewer))
    found = list(plays_as_seen(watched(), (), THROWN[0], evidence(Position.START, misread), 2000))
    assert likeliest_history(found).position == AFTER_32


def test_an_irregular_play_that_hits_leaves_the_opponents_other_checkers_where_they_lay():
    lay = Position.parse(board({6: 2, 8: 2}, {13: 2, 20: 1}))
    hit = Position.parse(board({5: 1, 6: 1, 8: 2}, {13: 2, 25: 1}))
    misread = Position.parse(board({5: 1, 6: 1, 8: 2}, {13: 1, 25: 1}))
    throw = sensor_rolls((Dice(6, 5),), NO_PICTURES)[0]
    found = plays_as_seen(watched(lay), (), throw, evidence(lay, misread), 2000)
    assert hit in {each.position for each in found}


def test_no_play_brings_a_man_that_nobody_has():
    white = list(AFTER_32.white)
    white[8] += 1
    crowded = Position(tuple(white), AFTER_32.black)
    found = plays_as_seen(watched(), (), THROWN[0], evidence(Position.START, crowded), 2000)
    assert all(sum(each.position.white) <= N_CHECKERS for each in found)


def test_without_a_clear_view_nothing_is_followed_as_seen():
    now = BoardEvidence(now=memory(AFTER_32))
    assert list(plays_as_seen(history(), (), THROWN[0], now, 2000)) == []


def test_an_illegal_board_seen_long_before_the_turn_ended_counts_for_less():
    at_once, late = (
        next(
            each.weight
            for each in plays_as_seen(watched(), (), THROWN[0], evidence(Position.START, AFTER_32), t_ms)
            if each.position == AFTER_32
        )
        for t_ms in (2000, 8000)
    )
    assert late < at_once - 2


def test_a_turn_in_which_nothing_moved_is_seen_as_well_before_it_ended():
    at_once, late = (
        next(
            each.weight
            for each in plays_as_seen(
                watched(), (), THROWN[0], evidence(Position.START, Position.START), t_ms
            )
            if each.position == Position.START
        )
        for t_ms in (2000, 8000)
    )
    assert late == at_once
