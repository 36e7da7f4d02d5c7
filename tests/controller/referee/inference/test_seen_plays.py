"""A history continued by what was plainly seen, and how likely plays are that the laws do not allow."""

import math
from dataclasses import replace

import numpy as np
import pytest

from controller.referee.events import MAX_COUNT
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import updated_memory
from controller.referee.inference.histories import likeliest_history
from controller.referee.inference.roll_evidence import sensor_rolls
from controller.referee.inference.seen_plays import irregular_prior, n_strays, plays_as_seen, prior_of_part
from controller.referee.priors import (
    IRREGULAR_PLAY_NATS,
    N_PLAYS_OF_ROLL,
    STRAY_CHECKER_NATS,
    UNRELATED_BOARD_NATS,
)
from controller.rules import N_CHECKERS, Dice, Player, Position
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
    memory,
    watched,
)
from tests.controller.referee.table import board, seen


def test_an_irregular_play_that_was_seen_is_followed_and_costs_its_prior():
    parent = watched()
    found = list(plays_as_seen(parent, (), THROWN[0], evidence(Position.START, AFTER_32), 2000))
    (turned,) = [each for each in found if each.position == AFTER_32]
    assert not turned.turn.legal
    assert turned.weight < IRREGULAR_PLAY_NATS


def test_it_is_followed_though_a_place_of_the_opponent_seems_to_have_the_mover_s_colour():
    aces, sight = 0, seen(AFTER_32, 2000)
    row = np.array(sight.rows[aces])
    row[MAX_COUNT - 2], row[MAX_COUNT + 2] = -0.3, 0.0
    mistaken = updated_memory(memory(Position.START), replace(sight, rows=(tuple(row), *sight.rows[1:])))
    view = BoardEvidence(now=mistaken, full_view=mistaken)
    found = [each.position for each in plays_as_seen(watched(), (), THROWN[0], view, 2000)]
    assert AFTER_32 in found


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


@pytest.mark.parametrize("shown", [HALF_31, AFTER_31, AFTER_32, DANCING])
def test_plays_that_can_weigh_so_little_alone_are_left_out(shown):
    view = evidence(Position.START, shown)
    every = {each.position: each.weight for each in plays_as_seen(watched(), (), THROWN[0], view, 2000)}
    for least in (0.0, *every.values()):
        found = plays_as_seen(watched(), (), THROWN[0], view, 2000, least=least)
        kept = {each.position: each.weight for each in found}
        assert kept.items() <= every.items()
        assert all(position in kept for position, weight in every.items() if weight >= least)


def test_an_irregular_play_that_can_weigh_too_little_is_left_out():
    view = evidence(Position.START, AFTER_32)
    found = plays_as_seen(watched(), (), THROWN[0], view, 2000, least=0.0)
    assert all(each.position != AFTER_32 for each in found)


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


def test_a_missing_checker_is_a_stray_and_a_moved_one_is_not():
    white = list(AFTER_31.white)
    white[6] -= 1
    assert n_strays(history(), AFTER_31, ROLL) == 0
    assert n_strays(history(), Position(tuple(white), AFTER_31.black), ROLL) > 0


def test_both_players_on_one_point_are_no_strays():
    white = list(Position.START.white)
    white[13], white[12] = 4, 1
    assert n_strays(history(), Position(tuple(white), Position.START.black), ROLL) == 0


def test_a_checker_gone_from_afar_is_a_stray_though_all_others_are_at_home():
    at_home = {6: 5, 5: 5, 4: 4}
    before = Position.parse(board({**at_home, 9: 1}, {6: 15}))
    gone = Position.parse(board({**at_home, 0: 1}, {6: 15}))
    of_missing = irregular_prior(history(before), gone, Dice(2, 1))
    n_plays = len(history(before).plays(Dice(2, 1)))
    assert of_missing == pytest.approx(IRREGULAR_PLAY_NATS - math.log(n_plays) + STRAY_CHECKER_NATS)


def test_a_board_that_has_nothing_to_do_with_the_record_has_nobody_bear_off_from_afar():
    """Black moved everywhere; one of his checkers is off besides, though others are not at home."""
    before = Position.START
    elsewhere = {1: 5, 3: 4, 9: 3, 10: 3}
    all_there = Position(before.white, Position.parse(board({}, elsewhere)).black)
    one_off = Position(before.white, Position.parse(board({}, {**elsewhere, 1: 4, 0: 1})).black)
    course, dice = history(before, on_roll=Player.BLACK), Dice(2, 1)
    assert irregular_prior(course, all_there, dice) == UNRELATED_BOARD_NATS
    assert irregular_prior(course, one_off, dice) == UNRELATED_BOARD_NATS + STRAY_CHECKER_NATS


def test_who_cannot_play_goes_wrong_in_as_many_ways_as_another():
    dancing = history(DANCING)
    own, others = list(DANCING.white), DANCING.black
    source = max(place for place, n in enumerate(own[:25]) if n)
    own[source], own[source - 1] = own[source] - 1, own[source - 1] + 1
    moved = irregular_prior(dancing, Position(tuple(own), others), ROLL)
    assert moved <= IRREGULAR_PLAY_NATS - math.log(N_PLAYS_OF_ROLL)
