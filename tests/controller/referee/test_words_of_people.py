"""Every word of people is answered, can be undone, and breaks nothing in silence."""

from dataclasses import replace

import pytest

from controller.referee import (
    ActionDeclared,
    CommandRefused,
    DonePressed,
    GameWon,
    PlayTakenBack,
    RefereePhase,
    TurnCorrected,
    TurnRecorded,
    UndoPressed,
)
from controller.referee.half_turn import game_played
from controller.referee.inference.corrections import preview_correction
from controller.rules import (
    AcceptedResignation,
    Action,
    Beavered,
    Dice,
    Doubled,
    EditedBoard,
    Game,
    OfferedResignation,
    Passed,
    Player,
    Position,
    RequiredRightNumber,
    Took,
    Win,
)
from hardware.dice_events import SensorLost
from tests.controller.referee.table import Table, board
from tests.controller.referee.test_referee import AFTER_31, AFTER_31_64, START, START_SIDE

OTHER_PLAY = board({5: 1, 6: 5, 8: 2, 13: 5, 23: 1, 24: 1}, START_SIDE)
ILLEGAL_PLAY = board({4: 1, 6: 5, 8: 2, 13: 5, 23: 1, 24: 1}, START_SIDE)
WHITE, BLACK = Player.WHITE, Player.BLACK


def say(table: Table, action: Action) -> str:
    """Declare something. Returns why it was refused, "" when it counts."""
    n_before = len(table.effects)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=action))
    refused = [effect.why for effect in table.effects[n_before:] if isinstance(effect, CommandRefused)]
    return refused[0] if refused else ""


def undo(table: Table) -> str:
    n_before = len(table.effects)
    table.tell(UndoPressed(t_ms=table.t_ms))
    refused = [effect.why for effect in table.effects[n_before:] if isinstance(effect, CommandRefused)]
    return refused[0] if refused else ""


def after_one_play() -> Table:
    table = Table()
    table.play(3, 1, AFTER_31)
    return table


@pytest.mark.parametrize(
    ("said", "action", "why"),
    [
        ((), Took(player=BLACK), "Nobody has doubled: there is nothing to take or to pass."),
        ((), Doubled(player=WHITE), "Black is to roll: White may double before his own roll."),
        ((), AcceptedResignation(player=WHITE), "Nobody has offered to resign: there is nothing to accept"),
        ((Doubled(player=BLACK),), Doubled(player=WHITE), "Black has just doubled: White takes or passes."),
        ((Doubled(player=BLACK),), Took(player=BLACK), "Black has just doubled: White takes or passes."),
        (
            (OfferedResignation(player=BLACK, win=Win.GAMMON),),
            Doubled(player=BLACK),
            "Black has offered to resign: White accepts or refuses.",
        ),
        (
            (Doubled(player=BLACK), Took(player=WHITE)),
            Doubled(player=BLACK),
            "The cube is White's: only White",
        ),
        ((), EditedBoard(position=Position.parse("0" * 26 + ":" + "0" * 26), on_roll=WHITE), "cannot lie so"),
    ],
)
def test_a_declaration_that_changes_nothing_says_why(said, action, why):
    table = after_one_play()
    for word in said:
        assert say(table, word) == ""
    before = table.state.declared
    assert why in say(table, action)
    assert table.state.declared == before


def test_a_player_who_has_rolled_may_not_double():
    table = after_one_play()
    table.roll(6, 4)
    assert say(table, Doubled(player=BLACK)) == "Black has rolled 64: a double comes before the roll."


def test_done_and_take_back_say_why_when_nothing_was_played():
    table = Table()
    for event in (DonePressed(t_ms=0), PlayTakenBack(t_ms=0), UndoPressed(t_ms=0)):
        n_before = len(table.effects)
        table.tell(event)
        (refused,) = table.effects[n_before:]
        assert isinstance(refused, CommandRefused)


def test_a_double_and_its_pass_can_be_undone():
    table = after_one_play()
    say(table, Doubled(player=BLACK))
    say(table, Passed(player=WHITE))
    assert table.state.phase is RefereePhase.BETWEEN
    assert undo(table) == ""
    assert table.state.phase is RefereePhase.BEFORE_ROLL
    assert table.state.match.score == (0, 0)
    assert table.state.game_by_rules.asked is WHITE
    assert undo(table) == ""
    assert table.state.declared == ()
    assert "nothing to undo" in undo(table)


def test_undoing_a_word_brings_no_lost_sensor_back():
    table = after_one_play()
    say(table, Doubled(player=BLACK))
    table.tell(SensorLost(t_ms=table.t_ms, reason="unplugged"))
    assert undo(table) == ""
    assert not table.state.sensor


def test_a_double_is_not_undone_once_a_half_turn_was_played_on_it():
    table = after_one_play()
    say(table, Doubled(player=BLACK))
    say(table, Took(player=WHITE))
    table.play(6, 4, AFTER_31_64)
    assert "A half-turn has been played since" in undo(table)
    assert table.state.game_by_rules.cube.value == 2


def test_a_correction_is_undone_with_what_was_played_since():
    table = after_one_play()
    table.tell(TurnCorrected(t_ms=table.t_ms, index=0, position=Position.parse(ILLEGAL_PLAY)))
    table.play(6, 4, AFTER_31_64)
    assert [turn.legal for turn in table.state.record] == [False, False]
    assert undo(table) == ""
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert all(turn.legal for turn in table.state.record)


def test_a_lawful_play_of_an_unheard_roll_is_not_wrong_by_the_dice_heard_before_it():
    table = after_one_play()
    table.show(AFTER_31)
    table.show(AFTER_31_64)
    assert "no wrong play" in say(table, RequiredRightNumber(player=WHITE))
    assert len(table.plays) == 2


def test_a_play_that_is_taken_back_is_played_again():
    table = after_one_play()
    table.tell(PlayTakenBack(t_ms=table.t_ms))
    assert (table.state.phase, table.state.on_roll, table.plays) == (RefereePhase.ROLLED, WHITE, [])
    table.show(OTHER_PLAY)
    table.tell(DonePressed(t_ms=table.t_ms))
    table.play(6, 4, board({5: 1, 6: 5, 8: 2, 13: 5, 23: 1, 24: 1}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}))
    assert table.plays == ["white 31 8/5 24/23", "black 64 24/18 13/9"]


def test_a_correction_tells_which_later_play_it_makes_impossible():
    table = after_one_play()
    table.play(6, 4, AFTER_31_64)
    preview = preview_correction(table.state.histories, 0, Position.parse(OTHER_PLAY), None)
    assert preview is not None
    assert preview.corrected.legal
    ((index, broken),) = preview.broken
    assert (index, broken.legal) == (1, False)
    assert not preview.is_harmless


def test_a_correction_tells_that_the_camera_sees_another_board():
    table = after_one_play()
    table.show(AFTER_31)
    preview = preview_correction(table.state.histories, 0, Position.parse(OTHER_PLAY), table.state.memory)
    assert preview is not None
    assert preview.unlike_board
    same = preview_correction(table.state.histories, 0, Position.parse(AFTER_31), table.state.memory)
    assert same is not None
    assert same.is_harmless


def test_a_correction_of_an_earlier_half_turn_is_not_compared_with_the_board_of_now():
    table = after_one_play()
    table.play(6, 4, AFTER_31_64)
    table.show(AFTER_31_64)
    preview = preview_correction(table.state.histories, 0, Position.parse(AFTER_31), table.state.memory)
    assert preview is not None
    assert not preview.unlike_board


def test_a_double_counts_only_after_the_half_turns_that_came_before_it():
    table = after_one_play()
    declared = ((2, Doubled(player=BLACK)),)
    assert game_played(Game.new(), table.state.record, declared).asked is None


def test_dice_are_put_right_and_what_follows_stays_until_that_is_undone():
    table = after_one_play()
    table.play(6, 4, AFTER_31_64)
    n_before = len(table.effects)
    correction = TurnCorrected(t_ms=table.t_ms, index=0, position=Position.parse(AFTER_31), dice=Dice(2, 1))
    table.tell(correction)
    recorded = [effect for effect in table.effects[n_before:] if isinstance(effect, TurnRecorded)]
    assert [(effect.index, effect.turn.dice, effect.turn.legal) for effect in recorded] == [
        (0, Dice(2, 1), False)
    ]
    assert table.plays == ["white 21 8/5 6/5", "black 64 24/18 13/9"]
    table.tell(replace(correction, position=Position.parse(OTHER_PLAY), dice=Dice(3, 1)))
    assert table.plays[0] == "white 31 8/5 24/23"
    assert [undo(table), undo(table)] == ["", ""]
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_a_double_is_no_opening_throw_in_a_correction_either():
    table = after_one_play()
    table.tell(TurnCorrected(t_ms=table.t_ms, index=0, position=Position.START, dice=Dice(3, 3)))
    assert table.effects[-1] == CommandRefused(
        t_ms=table.t_ms, why="That cannot be: 33 is no opening throw: a tie is thrown again."
    )
    assert table.plays == ["white 31 8/5 6/5"]


def test_a_half_turn_of_an_earlier_game_is_corrected():
    table = after_one_play()
    say(table, Doubled(player=BLACK))
    say(table, Passed(player=WHITE))
    table.show(START)
    table.play(3, 1, AFTER_31)
    n_before = len(table.effects)
    table.tell(TurnCorrected(t_ms=table.t_ms, game=0, index=0, position=Position.parse(OTHER_PLAY)))
    (recorded,) = [effect for effect in table.effects[n_before:] if isinstance(effect, TurnRecorded)]
    assert (recorded.game, recorded.index, recorded.turn.play, recorded.mended) == (0, 0, "8/5 24/23", True)
    assert table.state.match.score == (0, 1)
    assert undo(table) == ""
    assert table.state.finished[0].course.turns[0].play == "8/5 6/5"
    table.tell(TurnCorrected(t_ms=table.t_ms, game=4, index=0, position=Position.START))
    assert table.effects[-1] == CommandRefused(
        t_ms=table.t_ms, why="There is no game 5 to correct: 1 games are over."
    )


def test_a_correction_after_which_a_won_game_would_go_on_is_refused():
    before = board({0: 14, 1: 1}, {6: 10, 8: 5})
    table = Table(Position.parse(before), on_roll=WHITE)
    table.play(6, 1, board({0: 15}, {6: 10, 8: 5}))
    table.tell(TurnCorrected(t_ms=table.t_ms, game=0, index=0, position=Position.parse(before)))
    assert isinstance(table.effects[-1], CommandRefused)
    assert table.state.match.score == (2, 0)


def test_a_beaver_that_was_not_agreed_on_says_so():
    table = after_one_play()
    say(table, Doubled(player=BLACK))
    why = say(table, Beavered(player=WHITE))
    agreed = table.state.match.stakes.beavers
    assert (why == "") is agreed
    assert agreed or why == "Beavers are not agreed on: White takes or passes."
    assert not [effect for effect in table.effects if isinstance(effect, GameWon)]


def test_a_word_that_the_board_belies_makes_the_next_half_turn_wrong_and_no_other():
    black = {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}
    boards = (
        board({5: 2, 6: 4, 8: 3, 13: 4, 22: 1, 24: 1}, black),
        board({5: 2, 6: 4, 8: 3, 13: 4, 22: 1, 24: 1}, {6: 5, 8: 4, 13: 4, 14: 1, 24: 1}),
    )
    table = after_one_play()
    table.play(6, 4, AFTER_31_64)
    table.show(AFTER_31_64)
    told = Position.parse(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 4, 9: 1, 13: 3, 24: 2}))
    table.tell(TurnCorrected(t_ms=table.t_ms, index=1, position=told, dice=Dice(5, 4)))
    for dice, lying in zip(((5, 2), (4, 1)), boards, strict=True):
        table.t_ms += 3000
        table.show(AFTER_31_64 if lying == boards[0] else boards[0])
        table.play(*dice, lying)
        table.show(lying)
    assert [turn.legal for turn in table.state.record] == [True, True, False, True]
    assert str(table.state.record[-1].position) == boards[-1]
