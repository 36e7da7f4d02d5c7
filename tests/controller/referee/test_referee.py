"""What the referee makes of a game that is seen and heard."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee import (
    GameWon,
    InputEnded,
    Lamp,
    Meaning,
    OffenceEnded,
    PlayTakenBack,
    RollCalled,
    TurnRecorded,
)
from controller.referee.effects import Mode
from controller.referee.referee import TRANSITIONS
from controller.referee.state import RefereePhase
from controller.rules import Dice, OffenceKind, Place, Player, Position
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorLost
from tests.controller.referee.table import Table, board, seen

START = str(Position.START)
START_SIDE = {6: 5, 8: 3, 13: 5, 24: 2}
AFTER_31 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)
AFTER_31_64 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})
BLACK_31 = board(START_SIDE, {5: 2, 6: 4, 8: 2, 13: 5, 24: 2})
HALF_31 = board({5: 1, 6: 5, 8: 2, 13: 5, 24: 2}, START_SIDE)
WRONG_31 = board({5: 1, 4: 1, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)
"""8/5 6/4 with a three and a one."""
WRONG_31_64 = board({5: 1, 4: 1, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})


def test_the_opening_roll_decides_who_begins_with_those_dice():
    table = Table()
    table.show(START)
    table.roll(3, 1)
    assert (table.state.on_roll, table.state.phase) == (Player.WHITE, RefereePhase.ROLLED)


def test_black_begins_when_his_die_is_higher():
    table = Table()
    table.play(1, 3, BLACK_31)
    assert table.plays == ["black 31 8/5 6/5"]


@pytest.mark.parametrize(("board", "play"), [(AFTER_31, "white 31 8/5 6/5"), (BLACK_31, "black 31 8/5 6/5")])
def test_where_nobody_knows_who_threw_which_die_the_play_shows_who_begins(board, play):
    table = Table()
    table.show(START)
    for die, face in ((1, 1), (2, 3)):
        table.tell(DiceSettled(t_ms=table.t_ms, die=die, face=face, thrower_known=False))
    called = [effect for effect in table.effects if isinstance(effect, RollCalled)]
    assert [(effect.player, effect.dice) for effect in called] == [(None, Dice(3, 1))]
    table.show(board)
    table.lift()
    assert table.plays == [play]


def test_a_tie_in_the_opening_is_thrown_again():
    table = Table()
    table.roll(4, 4)
    table.lift()
    table.play(3, 1, AFTER_31)
    assert table.plays == ["white 31 8/5 6/5"]


def test_plays_are_recorded_when_the_dice_are_lifted():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31)
    assert table.plays == []
    table.lift()
    assert table.plays == ["white 31 8/5 6/5"]


def test_a_still_board_alone_ends_no_turn():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31, for_ms=60_000)
    assert table.plays == []


def test_a_cocked_throw_does_not_count():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.roll(6, None)
    table.lift()
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_a_dance_is_recorded_as_no_move():
    closed = board({6: 5, 8: 3, 13: 6, 25: 1}, {**dict.fromkeys(range(1, 7), 2), 8: 3})
    table = Table(Position.parse(closed), on_roll=Player.WHITE)
    table.play(6, 6, closed)
    assert table.plays == ["white 66 no move"]
    assert table.state.record[0].legal


def test_two_half_turns_between_two_readings_are_both_found():
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.t_ms += 5000
    table.lift()
    table.play(6, 4, AFTER_31_64)
    assert table.plays[0] == "white 31 8/5 6/5"
    assert str(table.state.record[1].position) == AFTER_31_64


def test_a_wrong_distance_is_shown_with_its_places_and_goes_out_when_put_right():
    table = Table()
    table.roll(3, 1)
    table.show(WRONG_31)
    (shown,) = table.offences
    (offence,) = shown.offences
    assert (offence.kind, offence.places) == (OffenceKind.WRONG_DISTANCE, (Place(6), Place(4)))
    assert str(table.state.shown) == WRONG_31
    table.show(AFTER_31)
    assert table.state.offence is None
    assert [effect.stands for effect in table.effects if isinstance(effect, OffenceEnded)] == [False]
    table.lift()
    assert table.plays == ["white 31 8/5 6/5"]


def test_an_illegal_play_put_right_as_the_dice_are_lifted_does_not_stand():
    table = Table()
    table.roll(3, 1)
    table.show(WRONG_31)
    table.show(AFTER_31, for_ms=100)
    table.lift()
    table.show(AFTER_31)
    assert [effect.stands for effect in table.effects if isinstance(effect, OffenceEnded)] == [False]


def test_a_play_half_made_is_no_offence():
    table = Table()
    table.roll(3, 1)
    table.show(board({5: 1, 6: 5, 8: 2, 13: 5, 24: 2}, START_SIDE), for_ms=20_000)
    assert table.offences == []


def test_nothing_is_said_while_a_hand_is_over_the_board():
    table = Table()
    table.roll(3, 1)
    table.show(WRONG_31, for_ms=5000, hand=True)
    assert table.offences == []


def test_an_illegal_play_stands_once_the_opponent_has_thrown_and_the_game_goes_on_from_there():
    table = Table()
    table.show(START)
    table.play(3, 1, WRONG_31)
    table.play(6, 4, WRONG_31_64)
    first, second = table.state.record
    assert (first.legal, first.play, str(first.position)) == (False, "8/5 6/4", WRONG_31)
    assert (second.legal, second.play) == (True, "24/18 13/9")
    assert [effect.stands for effect in table.effects if isinstance(effect, OffenceEnded)] == [True]


def test_half_a_play_that_the_next_throw_lets_stand_is_told_all_the_same():
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.show(HALF_31, for_ms=300)
    table.roll(6, 4)
    table.show(HALF_31, for_ms=300)
    (shown,) = table.offences
    assert [offence.kind for offence in shown.offences] == [OffenceKind.WHOLE_ROLL_NOT_PLAYED]
    assert [effect.stands for effect in table.effects if isinstance(effect, OffenceEnded)] == [True]


def test_half_a_play_is_told_also_where_another_was_told_and_taken_back():
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.show(WRONG_31)
    table.lift()
    table.tell(PlayTakenBack(t_ms=table.t_ms))
    table.show(HALF_31, for_ms=300)
    table.roll(6, 4)
    table.show(HALF_31, for_ms=300)
    kinds = [[offence.kind for offence in shown.offences] for shown in table.offences]
    assert kinds == [[OffenceKind.WRONG_DISTANCE], [OffenceKind.WHOLE_ROLL_NOT_PLAYED]]


def test_a_misread_place_makes_no_irregular_play():
    table = Table()
    table.roll(3, 1)
    table.show(board({5: 2, 6: 4, 8: 2, 13: 4, 24: 2}, START_SIDE))
    table.lift()
    assert table.plays == ["white 31 8/5 6/5"]


def test_a_later_reading_mends_the_record():
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.show(START, hidden=frozenset(range(26)), hand=True)
    table.lift()
    table.show(AFTER_31)
    table.roll(6, 4)
    recorded = [effect for effect in table.effects if isinstance(effect, TurnRecorded)]
    assert recorded[-1].turn.play == "8/5 6/5"


def test_bearing_off_the_last_checker_wins_a_gammon_when_the_loser_has_none_off():
    table = Table(Position.parse(board({0: 14, 1: 1}, {6: 10, 8: 5})), on_roll=Player.WHITE)
    table.play(6, 1, board({0: 15}, {6: 10, 8: 5}))
    won = [effect for effect in table.effects if isinstance(effect, GameWon)]
    assert [(effect.winner, effect.points, effect.score) for effect in won] == [(Player.WHITE, 2, (2, 0))]


def test_the_last_play_of_a_recording_counts_when_it_lies_complete():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == ["white 31 8/5 6/5"]


def test_half_a_play_is_not_recorded_when_a_recording_ends():
    table = Table()
    table.roll(3, 1)
    table.show(HALF_31)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == []


def test_an_illegal_part_of_a_play_counts_when_a_recording_ends():
    table = Table()
    table.roll(3, 1)
    table.show(board({4: 1, 6: 4, 8: 3, 13: 5, 24: 2}, START_SIDE))
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == ["white 31 6/4"]


def test_a_last_roll_that_cannot_be_played_counts_when_a_recording_ends():
    closed = board({6: 5, 8: 3, 13: 6, 25: 1}, {**dict.fromkeys(range(1, 7), 2), 8: 3})
    table = Table(Position.parse(closed), on_roll=Player.WHITE)
    table.show(closed)
    table.roll(6, 6)
    table.show(closed)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == ["white 66 no move"]


def test_a_roll_not_played_is_not_recorded_when_a_recording_ends():
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.show(START)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == []


@pytest.mark.parametrize("mode", Mode)
def test_an_offence_is_lit_in_every_mode_but_tournament(mode):
    table = Table(mode=mode)
    table.roll(3, 1)
    table.show(WRONG_31)
    red = [lamp for lamp in table.state.lamps if lamp.meaning is Meaning.OFFENCE]
    assert [lamp.place for lamp in red] == ([] if mode is Mode.TOURNAMENT else [Place(6), Place(4)])


def test_the_bar_is_lit_for_a_checker_that_must_enter():
    position = Position.parse(board({6: 5, 8: 3, 13: 5, 24: 1, 25: 1}, START_SIDE))
    table = Table(position, on_roll=Player.WHITE)
    table.roll(3, 1)
    table.show(str(position))
    assert Lamp(place=Place(25, Player.WHITE), meaning=Meaning.MUST_ENTER) in table.state.lamps


def test_a_player_who_cannot_enter_is_not_told_to():
    closed = board({6: 5, 8: 3, 13: 6, 25: 1}, {**dict.fromkeys(range(1, 7), 2), 8: 3})
    table = Table(Position.parse(closed), on_roll=Player.WHITE)
    table.roll(6, 6)
    table.show(closed)
    assert table.state.lamps == ()


def test_a_complete_play_is_lit_where_checkers_have_come_to():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31)
    assert table.state.lamps == (Lamp(place=Place(5), meaning=Meaning.COMPLETE),)


def test_a_blot_is_lit_as_brightly_as_rolls_hit_it_while_the_player_is_still_moving():
    # Five away with the points two to four away held: eleven fives, and 4-1 by way of the one.
    black = {23: 1, 1: 14}
    table = Table(Position.parse(board({4: 4, 5: 5, 6: 5, 10: 1}, black)), on_roll=Player.WHITE)
    table.roll(2, 1)
    table.show(board({4: 4, 5: 5, 6: 5, 7: 1}, black))
    risk = [lamp for lamp in table.state.lamps if lamp.meaning is Meaning.BLOT_AT_RISK]
    assert risk == [Lamp(place=Place(7), meaning=Meaning.BLOT_AT_RISK, strength=13 / 36)]


EVENTS = st.one_of(
    st.builds(DiceMoving, t_ms=st.just(0), die=st.integers(1, 2)),
    st.builds(DiceSettled, t_ms=st.just(0), die=st.integers(1, 2), face=st.none() | st.integers(1, 6)),
    st.builds(DiceLifted, t_ms=st.just(0), die=st.integers(1, 2)),
    st.sampled_from([START, AFTER_31, AFTER_31_64]).map(lambda text: seen(Position.parse(text), 0)),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(EVENTS, max_size=25))
def test_whatever_is_heard_and_seen_checkers_are_conserved_and_replay_gives_the_same_record(events):
    first, second = Table(), Table()
    for event in events:
        first.tell(event)
    for event in events:
        second.tell(event)
    assert first.state.record == second.state.record
    for history in first.state.histories:
        assert [defect for defect in history.position.problems() if history.turn and history.turn.legal] == []


def test_a_roll_that_nobody_heard_is_inferred_from_the_play_and_the_game_goes_on():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.show(AFTER_31_64)
    table.play(
        5, 2, board({5: 2, 6: 4, 8: 1, 13: 5, 24: 2, 3: 1, 1: 0}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})
    )
    any_roll = table.state.record[1]
    assert (any_roll.player, str(any_roll.position)) == (Player.BLACK, AFTER_31_64)
    assert any_roll.dice_inferred
    assert str(table.state.record[2].dice) == "52"


def test_a_closed_out_player_need_not_throw():
    black = {**dict.fromkeys(range(1, 7), 2), 8: 3}
    closed = board({6: 5, 8: 3, 13: 6, 25: 1}, black)
    table = Table(Position.parse(closed), on_roll=Player.WHITE)
    table.show(closed)
    moved = {**dict.fromkeys(range(1, 7), 2), 8: 1, 3: 3, 2: 3}
    table.play(6, 5, board({6: 5, 8: 3, 13: 6, 25: 1}, moved))
    table.show(board({6: 5, 8: 3, 13: 6, 25: 1}, moved))
    assert [turn.player for turn in table.state.record] == [Player.WHITE, Player.BLACK]
    assert (table.state.record[0].dice, table.plays[1]) == (None, "black 65 8/2 8/3")


def test_a_die_that_was_not_heard_is_inferred_from_the_play():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.t_ms += 500
    for die in (1, 2):
        table.tell(DiceMoving(t_ms=table.t_ms, die=die))
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=6))
    table.show(AFTER_31_64)
    table.lift()
    assert table.plays[1] == "black 64 24/18 13/9"


def test_a_roll_thrown_before_the_other_lifted_his_dice_ends_the_turn():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31)
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_without_a_dice_sensor_plays_are_inferred_from_settled_boards():
    table = Table()
    table.tell(SensorLost(t_ms=0, reason="unplugged"))
    table.show(START)
    table.show(AFTER_31)
    table.show(AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5"], "nobody knows yet that black's play is over"
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert all(turn.dice_inferred for turn in table.state.record)


def test_places_that_are_not_furnished_yet_are_lit():
    table = Table()
    table.show(board({6: 4, 8: 3, 13: 5, 24: 2}, START_SIDE))
    assert table.state.lamps == (Lamp(place=Place(6), meaning=Meaning.MUST_ENTER),)
    table.show(START)
    assert table.state.lamps == ()


def test_every_transition_leads_where_the_table_says_and_every_phase_has_one():
    assert set(TRANSITIONS) == set(RefereePhase)
    reachable = {RefereePhase.IDLE}
    for _ in RefereePhase:
        reachable |= {to for phase in reachable for row in TRANSITIONS[phase].values() for to in row.to}
    assert reachable == set(RefereePhase)


def test_the_board_is_known_from_the_next_roll_on_until_it_is_touched():
    table = Table()
    table.show(START)
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    assert table.state.known_board is None
    table.roll(6, 4)
    table.show(AFTER_31)
    assert table.state.known_board == Position.parse(AFTER_31)
    table.show(AFTER_31_64)
    assert table.state.known_board is None


def test_a_board_in_doubt_is_not_known():
    """White has played a 3-1, and every point reads as one man more or less."""
    table, doubtful = Table(on_roll=Player.WHITE), frozenset(range(24))
    table.show(START)
    table.roll(3, 1)
    table.show(AFTER_31, blurred=doubtful)
    table.lift()
    table.roll(6, 4)
    table.show(AFTER_31, blurred=doubtful)
    assert table.state.phase is RefereePhase.ROLLED
    assert table.state.known_board is None
