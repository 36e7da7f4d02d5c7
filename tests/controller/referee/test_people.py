"""What people say, and what the referee makes of it."""

import pytest

from controller.commands.people_commands import CommandError, parse_command, parse_commands
from controller.referee import (
    ActionDeclared,
    CommandRefused,
    DonePressed,
    GameStarted,
    GameWon,
    Question,
    TurnCorrected,
    TurnRecorded,
    UndoPressed,
)
from controller.referee.state import RefereePhase
from controller.rules import (
    AcceptedResignation,
    AgreedToAlter,
    Doubled,
    EditedBoard,
    NullThrow,
    OfferedResignation,
    Passed,
    Player,
    Position,
    PutBackUp,
    RequiredRightNumber,
    ThrowFault,
    Took,
    Win,
)
from tests.controller.referee.table import Table, board
from tests.controller.referee.test_referee import AFTER_31, AFTER_31_64, START, START_SIDE


def won(table: Table) -> list[tuple]:
    return [(e.winner, e.win, e.points, e.score) for e in table.effects if isinstance(e, GameWon)]


def test_saying_done_ends_the_turn():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31)
    table.tell(DonePressed(t_ms=table.t_ms))
    assert table.plays == ["white 31 8/5 6/5"]


def test_a_double_that_is_passed_wins_the_game_for_a_point():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=Doubled(player=Player.BLACK)))
    table.tell(ActionDeclared(t_ms=table.t_ms, action=Passed(player=Player.WHITE)))
    assert won(table) == [(Player.BLACK, Win.SINGLE, 1, (0, 1))]


def test_a_double_by_the_opponent_ends_the_turn():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=Doubled(player=Player.BLACK)))
    assert table.plays == ["white 31 8/5 6/5"]
    table.tell(ActionDeclared(t_ms=table.t_ms, action=Took(player=Player.WHITE)))
    table.play(6, 4, AFTER_31_64)
    assert len(table.plays) == 2


def test_a_resignation_accepted_counts_its_size_times_the_cube():
    table = Table()
    table.play(3, 1, AFTER_31)
    for action in (
        Doubled(player=Player.BLACK),
        Took(player=Player.WHITE),
        OfferedResignation(player=Player.WHITE, win=Win.GAMMON),
        AcceptedResignation(player=Player.BLACK),
    ):
        table.tell(ActionDeclared(t_ms=table.t_ms, action=action))
    assert won(table) == [(Player.BLACK, Win.GAMMON, 4, (0, 4))]


def test_what_the_rules_forbid_is_refused_and_changes_nothing():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=Doubled(player=Player.WHITE)))
    refused = [effect for effect in table.effects if isinstance(effect, CommandRefused)]
    assert len(refused) == 1
    assert table.state.declared == ()


def test_the_next_game_begins_when_the_board_is_furnished_for_it():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=Doubled(player=Player.BLACK)))
    table.tell(ActionDeclared(t_ms=table.t_ms, action=Passed(player=Player.WHITE)))
    assert table.state.phase is RefereePhase.BETWEEN
    table.show(START)
    assert table.state.phase is RefereePhase.OPENING
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    again = [effect for effect in table.effects if isinstance(effect, TurnRecorded)][-1]
    assert (again.game, again.index, again.mended) == (1, 0, False)


def test_a_correction_is_final_and_what_follows_is_told_anew():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.play(6, 4, AFTER_31_64)
    before = board({4: 1, 6: 5, 8: 2, 13: 5, 23: 1, 24: 1}, START_SIDE)
    table.tell(TurnCorrected(t_ms=table.t_ms, index=0, position=Position.parse(before)))
    first, second = table.state.record
    assert (str(first.position), first.play) == (before, "24/23 8/4")
    assert (str(second.position), second.legal) == (AFTER_31_64, False)
    told = [effect.index for effect in table.effects if isinstance(effect, TurnRecorded)]
    assert told == [0, 1, 0, 1]


def test_a_correction_of_a_half_turn_that_was_not_played_is_refused():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.tell(TurnCorrected(t_ms=table.t_ms, index=7, position=Position.START))
    assert [e.why for e in table.effects if isinstance(e, CommandRefused)] == [
        "There is no half-turn 8 to correct: 1 have been played."
    ]


def test_a_board_set_up_by_hand_is_where_the_game_goes_on():
    table = Table()
    table.play(3, 1, AFTER_31)
    edited = EditedBoard(position=Position.START, on_roll=Player.WHITE)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=edited))
    table.show(START)
    table.play(3, 1, AFTER_31)
    assert table.plays == ["white 31 8/5 6/5", "white 31 8/5 6/5"]


def test_a_board_set_up_with_all_men_of_a_side_borne_off_ends_the_game():
    table = Table()
    table.play(3, 1, AFTER_31)
    borne_off = Position.parse("f0000000000000000000000000:10000050300005000000000010")
    edited = EditedBoard(position=borne_off, on_roll=Player.BLACK)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=edited))
    assert won(table) == [(Player.WHITE, Win.SINGLE, 1, (1, 0))]
    table.tell(UndoPressed(t_ms=table.t_ms))
    assert table.plays == ["white 31 8/5 6/5"]


def table_with_a_question() -> tuple[Table, Question]:
    """White's opening 3-1 was played, and the board leaves open how."""
    table = Table()
    table.roll(3, 1)
    table.lift()
    for _ in range(3):
        table.show(AFTER_31, blurred=frozenset({2, 4, 5, 7}))
    (question,) = [effect for effect in table.effects if isinstance(effect, Question)]
    return table, question


def test_a_play_that_the_board_leaves_in_doubt_is_asked_about_once_and_the_game_goes_on():
    table, question = table_with_a_question()
    assert question.index == 0
    assert 2 <= len(question.candidates) <= 3
    assert "8/5 6/5" in [turn.play for turn in question.candidates]
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


@pytest.mark.parametrize(
    ("data", "event"),
    [
        ({"t_ms": 5, "command": "done"}, DonePressed(t_ms=5)),
        (
            {"t_ms": 5, "command": "double", "player": "white"},
            ActionDeclared(t_ms=5, action=Doubled(player=Player.WHITE)),
        ),
        (
            {"t_ms": 5, "command": "resign", "player": "black", "win": "gammon"},
            ActionDeclared(t_ms=5, action=OfferedResignation(player=Player.BLACK, win=Win.GAMMON)),
        ),
        (
            {"t_ms": 5, "command": "resign", "player": "black"},
            ActionDeclared(t_ms=5, action=OfferedResignation(player=Player.BLACK, win=Win.SINGLE)),
        ),
        (
            {"t_ms": 5, "command": "correct", "half_turn": 3, "position": START},
            TurnCorrected(t_ms=5, index=2, position=Position.START),
        ),
        ({"t_ms": 5, "command": "start"}, GameStarted(t_ms=5)),
        (
            {"t_ms": 5, "command": "require right number", "player": "black"},
            ActionDeclared(t_ms=5, action=RequiredRightNumber(player=Player.BLACK)),
        ),
        ({"t_ms": 5, "command": "agree to alter"}, ActionDeclared(t_ms=5, action=AgreedToAlter())),
        (
            {"t_ms": 5, "command": "null throw", "player": "black", "fault": "on bar or frame"},
            ActionDeclared(t_ms=5, action=NullThrow(player=Player.BLACK, fault=ThrowFault.ON_BAR_OR_FRAME)),
        ),
        (
            {"t_ms": 5, "command": "put back up", "player": "white", "count": 2},
            ActionDeclared(t_ms=5, action=PutBackUp(player=Player.WHITE, count=2)),
        ),
    ],
)
def test_a_command_is_the_event_it_stands_for(data, event):
    assert parse_command(data) == event


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"t_ms": 1},
        {"t_ms": "x", "command": "done"},
        {"t_ms": 1, "command": "dance"},
        {"t_ms": 1, "command": "double"},
        {"t_ms": 1, "command": "double", "player": "red"},
        {"t_ms": 1, "command": "null throw", "player": "white", "fault": "unlucky"},
        {"t_ms": 1, "command": "correct", "half_turn": 1, "position": "12"},
        {"t_ms": 1, "command": "start", "position": 5},
        {"t_ms": float("inf"), "command": "done"},
    ],
)
def test_a_command_that_nobody_can_obey_is_a_named_error(data):
    with pytest.raises(CommandError):
        parse_command(data)


def test_lines_that_are_no_commands_are_named_and_left_out():
    problems: list[str] = []
    lines = [
        '{"t_ms": 9, "command": "done"}',
        "{torn",
        "",
        '{"t_ms": 3, "command": "done"}',
        '{"t_ms": Infinity, "command": "done"}',
        '{"t_ms": 1, "command": "start", "position": 5}',
    ]
    said = [command.event for command in parse_commands(lines, problems)]
    assert said == [DonePressed(t_ms=3), DonePressed(t_ms=9)]
    assert [problem.split(" is left out")[0] for problem in problems] == [
        f"Line {number} of events.jsonl" for number in (2, 5, 6)
    ]
