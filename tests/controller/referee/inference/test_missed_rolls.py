"""Turns that the dice sensor did not report."""

import math
from dataclasses import replace

import pytest

from controller.referee.inference.continuing import candidate_plays, likeliest_continuations
from controller.referee.inference.histories import half_turn_nats, likeliest_history
from controller.referee.inference.missed_rolls import (
    after_missed_unplayable_roll,
    followed_by_any_play,
    missed_plays,
    other_unseen_plays,
    with_any_play,
    with_missed_irregular_plays,
    with_missed_rolls,
    with_throws_not_made,
    with_turn_passed,
)
from controller.referee.inference.roll_evidence import RollEvidence, any_roll, sensor_rolls
from controller.referee.priors import (
    CLOSED_OUT_NOT_THROWN_NATS,
    HALF_TURN_TAKES_MS,
    LEAST_HASTE,
    RECORD_ASTRAY_NATS,
    ROLL_MISSED_NATS,
    ROLL_SEEN_IN_PICTURES_NATS,
)
from controller.rules import Dice, Player, Position
from tests.controller.referee.inference.boards import (
    AFTER_31,
    AFTER_32,
    DANCING,
    NO_PICTURES,
    evidence,
    history,
    watched,
)
from tests.controller.referee.table import board

ROLLS = any_roll(NO_PICTURES)


def weighed(position: Position):
    """The start, weighed by `position` on the board."""
    now = evidence(position, position)
    return (watched().weighed(now),), now


def missed(position: Position, *, thrown: bool = False):
    histories, now = weighed(position)
    return with_missed_rolls(histories, ROLLS, now, 3000, thrown=thrown, ended_ms=0)


def test_a_board_that_fits_makes_nobody_think_of_a_missed_roll():
    histories, now = weighed(Position.START)
    assert with_missed_rolls(histories, ROLLS, now, 3000, thrown=False, ended_ms=0) is histories


def test_a_play_on_the_board_without_a_roll_is_a_missed_roll():
    top = likeliest_history(missed(AFTER_31))
    assert (top.position, top.turn.dice, top.turn.dice_inferred) == (AFTER_31, Dice(3, 1), True)


def test_nobody_plays_on_once_the_game_is_won():
    """Black has borne off all his checkers. Then White's last two are cleared away as well."""
    won, cleared = (Position.parse(board({0: 15 - n, 1: n}, {0: 15})) for n in (2, 0))
    now = evidence(won, cleared)
    histories = (watched(won).weighed(now),)
    followed = with_missed_rolls(histories, ROLLS, now, 3000, thrown=False, ended_ms=0)
    assert [one.position for one in followed] == [won]


def test_a_missed_roll_costs_its_prior_and_one_that_pictures_show_less():
    hidden, shown = (likeliest_history(missed(AFTER_31, thrown=thrown)) for thrown in (False, True))
    assert hidden.past_weight < ROLL_MISSED_NATS
    assert shown.past_weight - hidden.past_weight == pytest.approx(
        ROLL_SEEN_IN_PICTURES_NATS - ROLL_MISSED_NATS
    )


def test_a_half_turn_is_hardly_made_in_no_time_and_surely_in_a_minute():
    assert half_turn_nats(0) == half_turn_nats(-2000) == math.log(LEAST_HASTE)
    pauses_ms = (250, 1000, 2000, round(HALF_TURN_TAKES_MS), 60_000)
    chances = [math.exp(half_turn_nats(pause_ms)) for pause_ms in pauses_ms]
    assert chances == pytest.approx([LEAST_HASTE, 0.023, 0.121, 0.577, 1.0], abs=0.001)


def test_a_missed_roll_costs_more_the_sooner_it_was_played():
    histories, soon = weighed(AFTER_31)
    soon_ms = soon.now.changed_ms
    late = replace(soon, now=replace(soon.now, changed_ms=soon_ms + 5000))
    early, later = (
        likeliest_history(with_missed_rolls(histories, ROLLS, one, 9000, thrown=False, ended_ms=0))
        for one in (soon, late)
    )
    assert early.position == later.position == AFTER_31
    gained = half_turn_nats(soon_ms + 5000) - half_turn_nats(soon_ms)
    assert later.past_weight - early.past_weight == pytest.approx(gained)
    assert gained > 1


def test_a_record_gone_astray_gives_the_turn_to_the_other_player_at_a_price():
    passed = with_turn_passed(history())
    assert (passed.on_roll, passed.position) == (Player.BLACK, Position.START)
    assert passed.weight == RECORD_ASTRAY_NATS


def test_a_player_against_five_points_dances_with_25_of_36_rolls():
    (danced,) = after_missed_unplayable_roll(history(DANCING), 1000, prior=0.0)
    assert 6 not in (danced.turn.dice.high, danced.turn.dice.low)
    assert danced.weight == pytest.approx(math.log(25 / 36))
    assert not list(after_missed_unplayable_roll(history(), 1000, prior=0.0))


def test_after_a_missed_roll_the_opponents_roll_is_played():
    """White's 3-1 was missed, and Black has played his 6-4 (24/18 13/9)."""
    both = Position.parse(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}))
    reported = sensor_rolls((Dice(6, 4),), NO_PICTURES)
    views = evidence(Position.START, both)
    found = followed_by_any_play(missed_plays(watched(), views, 9000, 8000), reported, views, 9000)
    top = max(found, key=lambda plays: plays.weights.max())
    last = top.history_of(int(top.weights.argmax()), 2000)
    assert last.position == both
    assert [turn.player for turn in last.turns] == [Player.WHITE, Player.BLACK]
    assert last.past_weight < ROLL_MISSED_NATS


def test_dice_that_only_pictures_show_explain_an_irregular_play():
    histories, views = weighed(AFTER_32)
    pictures = NO_PICTURES.with_picture((3, 1))
    found = with_missed_irregular_plays(histories, pictures, views, 3000, ended_ms=0)
    added = [each for each in found if each.turn]
    assert any(each.position == AFTER_32 and not each.turn.legal for each in added)
    assert all(each.turn.dice_inferred for each in added)


def test_without_pictures_no_irregular_play_is_thought_of():
    histories, views = weighed(AFTER_32)
    assert with_missed_irregular_plays(histories, NO_PICTURES, views, 3000, ended_ms=0) is histories


def test_a_player_who_can_enter_must_throw():
    histories = (history(),)
    assert with_throws_not_made(histories, 1000) == histories


def test_a_player_who_is_closed_out_may_let_his_throw_be():
    closed = Position.parse(board({25: 1, 6: 5, 8: 4, 13: 5}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 13: 3}))
    thrown, not_thrown = with_throws_not_made((history(closed),), 1000)
    assert (thrown.weight, thrown.on_roll) == (0.0, Player.WHITE)
    assert not_thrown.weight == pytest.approx(CLOSED_OUT_NOT_THROWN_NATS)
    assert (not_thrown.on_roll, not_thrown.turn.dice) == (Player.BLACK, None)


def test_histories_of_which_nothing_may_come_are_left_out_and_no_play_that_would_be_kept():
    seen, throws = evidence(Position.START, AFTER_31), sensor_rolls((Dice(3, 1),), RollEvidence())
    histories = [watched(), watched(DANCING), watched().with_prior(-1.0)]
    born = [one for each in histories for one in candidate_plays(each, throws, seen, 2000)]
    found = with_any_play(histories, throws, seen, 2000)
    assert {id(one.parent) for one in found} == {id(histories[0]), id(histories[2])}
    kept = [[child.weight for child in likeliest_continuations(some, 2000)] for some in (born, found)]
    assert kept[0] == kept[1]


def test_a_play_that_views_contradict_is_as_dear_if_it_was_made_unseen():
    """To say that nobody saw the play is no way out."""
    throws = sensor_rolls((Dice(3, 2),), NO_PICTURES)
    plays = candidate_plays(watched(), throws, evidence(Position.START, AFTER_32), 1000)
    played = next(one for one in likeliest_continuations(plays, 1000) if one.position == AFTER_32)
    contradicted = replace(played, log_likelihood=-20.0).with_upset_counted()
    view = evidence(Position.START, Position.START)
    (hope, _), (other, _) = (
        max(other_unseen_plays(one, NO_PICTURES, view, 3000), key=lambda play: play[0])
        for one in (played, contradicted)
    )
    assert hope - other == pytest.approx(20.0)
