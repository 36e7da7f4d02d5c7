"""When a board is called illegal, and which lamps say so."""

from dataclasses import replace

import pytest

from controller.referee import Meaning, Mode, OffenceShown, RefereePhase
from controller.referee.decisions.judging import judge_offence, recorded_offences
from controller.referee.decisions.lamps import lamps_to_light
from controller.referee.inference.histories import likeliest_history
from controller.rules import OffenceKind, Player, Position, Step, after_steps
from tests.controller.referee.inference.boards import AFTER_31, AFTER_32, DANCING, HALF_31
from tests.controller.referee.table import Table


def state_with(board, *, for_ms: int = 1000, hand: bool = False, mode: Mode = Mode.COACH):
    """White has thrown a 3-1, and the board then lay as `board`. No offence has been noted yet."""
    table = Table(on_roll=Player.WHITE, mode=mode)
    table.show(str(table.state.shown))
    table.roll(3, 1)
    table.show(str(board), for_ms=for_ms, hand=hand)
    return replace(table.state, offence=None, lamps=())


def test_a_wrong_distance_is_an_offence_once_the_board_is_settled():
    state = state_with(AFTER_32)
    judged = judge_offence(state, state.memory.t_ms)
    assert isinstance(judged.offence, OffenceShown)
    assert (judged.offence.player, judged.offence.index) == (Player.WHITE, 0)
    assert judged.offences_shown == {0}


@pytest.mark.parametrize("board", [HALF_31, AFTER_31])
def test_a_play_on_its_way_or_complete_is_none(board):
    assert judge_offence(state_with(board), 9000).offence is None


def test_nothing_is_judged_before_the_board_is_settled_or_under_a_hand():
    assert judge_offence(state_with(AFTER_32, for_ms=100), 9000).offence is None
    assert judge_offence(state_with(AFTER_32, hand=True), 9000).offence is None


@pytest.mark.parametrize(("n_legal", "is_shown"), [(1, True), (10, False)])
def test_a_play_that_is_over_is_told_when_all_legal_courses_together_are_behind(n_legal, is_shown):
    """Each legal course is two nats behind: alone one in eight, ten of them more likely than not."""
    table = Table(on_roll=Player.WHITE)
    table.show(str(table.state.shown))
    table.play(3, 1, str(AFTER_32))
    illegal = likeliest_history(table.state.histories)
    (legal, *_) = (one for one in table.state.histories if one.turn.legal)
    behind = legal.with_prior(illegal.weight - 2 - legal.weight)
    state = replace(table.state, histories=(illegal, *[behind] * n_legal), offence=None)
    assert (judge_offence(state, 9000).offence is not None) == is_shown


def test_without_a_dice_sensor_a_play_of_some_roll_is_no_offence():
    assert judge_offence(replace(state_with(AFTER_32), sensor=False), 9000).offence is None


@pytest.mark.parametrize(("behind_nats", "is_shown"), [(2.0, True), (0.5, False)])
def test_without_a_dice_sensor_too_it_is_told_only_when_all_else_is_far_behind(behind_nats, is_shown):
    table = Table(on_roll=Player.WHITE)
    table.show(str(Position.START))
    (lawful,) = table.state.histories
    backwards = replace(lawful, lying_board=after_steps(Position.START, Player.WHITE, [Step(6, 7)]))
    state = replace(table.state, sensor=False, histories=(backwards, lawful.with_prior(-behind_nats)))
    assert (judge_offence(state, 9000).offence is not None) == is_shown


def test_an_offence_is_dropped_when_the_board_is_put_right():
    wrong = judge_offence(state_with(AFTER_32), 9000)
    right = replace(state_with(AFTER_31), offence=wrong.offence)
    assert judge_offence(right, 9000).offence is None


def test_the_lamps_of_an_offence_are_the_places_it_names():
    judged = judge_offence(state_with(AFTER_32), 9000)
    lamps = lamps_to_light(judged)
    assert {lamp.meaning for lamp in lamps} == {Meaning.OFFENCE}
    assert {lamp.place for lamp in lamps} == {
        place for offence in judged.offence.offences for place in offence.places
    }


def test_in_a_tournament_no_lamp_is_lit():
    assert lamps_to_light(judge_offence(state_with(AFTER_32, mode=Mode.TOURNAMENT), 9000)) == ()


def test_a_hand_puts_the_lamps_out_and_between_games_none_is_lit():
    judged = judge_offence(state_with(AFTER_32), 9000)
    judged = replace(judged, lamps=lamps_to_light(judged))
    assert lamps_to_light(replace(judged, memory=replace(judged.memory, hand=True))) == ()
    assert lamps_to_light(replace(judged, phase=RefereePhase.BETWEEN)) == ()


@pytest.mark.parametrize(
    ("dice", "played"),
    [
        ((3, 1), [(13, 7)]),
        ((3, 1), [(8, 5), (6, 4)]),
        ((2, 1), [(13, 8)]),
        ((6, 2), [(13, 7), (7, 6)]),
        ((4, 2), [(13, 9), (9, 6)]),
        ((6, 4), [(24, 18), (18, 15)]),
        ((4, 3), [(6, 2), (13, 8)]),
    ],
)
def test_a_play_of_another_roll_is_an_offence_because_a_tray_seldom_misreads_a_die(dice, played):
    wrong = after_steps(Position.START, Player.WHITE, [Step(*places) for places in played])
    table = Table()
    table.show(str(Position.START))
    table.roll(*dice)
    table.show(str(wrong))
    assert [offence.kind for offence in table.state.offence.offences] == [OffenceKind.WRONG_DISTANCE]


def test_the_same_play_is_none_while_pictures_show_the_other_roll():
    wrong = after_steps(Position.START, Player.WHITE, [Step(8, 5), Step(6, 4)])
    table = Table()
    table.show(str(Position.START))
    table.roll(3, 1)
    table.show(str(Position.START), dice=(3, 2))
    table.show(str(wrong), dice=(3, 2))
    assert table.state.offence is None


def test_a_board_that_takes_three_offences_to_explain_was_rather_upset():
    moved = [Step(13, 11), Step(8, 3), Step(6, 4), Step(24, 20)]
    upset = after_steps(Position.START, Player.WHITE, moved)
    assert judge_offence(state_with(upset), 9000).offence is None


def test_a_recorded_play_is_illegal_by_its_known_dice_or_only_brings_the_record_back():
    """White's 8/5 6/4 with 3-1 is an illegal play. Another board, or unknown dice, mend the record."""
    table = Table(on_roll=Player.WHITE)
    table.show(str(table.state.shown))
    table.play(3, 1, str(AFTER_32))
    (found,) = recorded_offences(table.state)
    assert (found.index, found.t_ms) == (0, table.t_ms)
    assert [offence.kind for offence in found.offences] == [OffenceKind.WRONG_DISTANCE]
    top = likeliest_history(table.state.histories)
    unknown = replace(top, turn=replace(top.turn, dice=None))
    far_away = top.turn_state.on_board(DANCING)
    for course in (unknown, replace(top, turn_state=far_away)):
        assert recorded_offences(replace(table.state, histories=(course,))) == ()
