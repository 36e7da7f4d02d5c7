"""How likely plays are that the laws do not allow."""

import math

import pytest

from controller.referee.inference.continuing import unplayable_roll
from controller.referee.inference.irregular_plays import irregular_prior, n_strays
from controller.referee.priors import (
    IRREGULAR_PLAY_NATS,
    N_PLAYS_OF_ROLL,
    STRAY_CHECKER_NATS,
    UNRELATED_BOARD_NATS,
)
from controller.rules import Dice, Player, Position
from tests.controller.referee.inference.boards import AFTER_31, DANCING, history
from tests.controller.referee.table import board


def test_a_missing_checker_is_a_stray_and_a_moved_one_is_not():
    white = list(AFTER_31.white)
    white[6] -= 1
    assert n_strays(history(), AFTER_31, 2) == 0
    assert n_strays(history(), Position(tuple(white), AFTER_31.black), 2) > 0


def test_both_players_on_one_point_are_no_strays():
    white = list(Position.START.white)
    white[13], white[12] = 4, 1
    assert n_strays(history(), Position(tuple(white), Position.START.black), 2) == 0


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
    dice, _ = unplayable_roll(dancing)
    own, others = list(DANCING.white), DANCING.black
    source = max(place for place, n in enumerate(own[:25]) if n)
    own[source], own[source - 1] = own[source] - 1, own[source - 1] + 1
    moved = irregular_prior(dancing, Position(tuple(own), others), dice)
    assert moved <= IRREGULAR_PLAY_NATS - math.log(N_PLAYS_OF_ROLL)
