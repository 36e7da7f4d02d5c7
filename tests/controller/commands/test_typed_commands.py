"""What people type is what they could have written in events.jsonl."""

from dataclasses import replace

import pytest

from controller.commands.people_commands import CommandError, parse_command
from controller.commands.typed_commands import parse_typed_command
from controller.referee import HalfTurn, Question, RefereeState, TurnCorrected
from controller.referee.inference.histories import History
from controller.rules import MODERN, Dice, Player, Position, Step, after_steps, rules_of
from controller.rules.entering.entering_laws import RUSSIAN_CADY
from controller.rules.notation.gnubg_id import match_id, position_id
from controller.rules.notation.situation import Situation
from controller.rules.notation.xgid import xgid
from tests.controller.referee.table import Table, board
from tests.controller.referee.test_referee import AFTER_31, AFTER_31_64


def half_turn(steps: tuple[Step, ...]) -> HalfTurn:
    return HalfTurn(
        t_ms=1000,
        player=Player.WHITE,
        dice=Dice(3, 1),
        steps=steps,
        legal=True,
        position=after_steps(Position.START, Player.WHITE, steps),
    )


POINT_MADE = half_turn((Step(8, 5), Step(6, 5)))
RUN = half_turn((Step(24, 21), Step(21, 20)))
QUESTION = Question(t_ms=2000, index=0, candidates=(POINT_MADE, RUN))
BEGUN = History.starting_from(rules_of(MODERN).start(Player.WHITE), rules_of(MODERN))
SHUT_OUT = board({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {6: 2, 5: 2, 4: 2, 3: 3, 2: 2, 1: 4})
"""White is on the bar and cannot enter."""
PLAYED = RefereeState(histories=(BEGUN.after_told_turn(POINT_MADE),))


@pytest.mark.parametrize(
    ("line", "data"),
    [
        ("done", {"command": "done"}),
        (" double white\n", {"command": "double", "player": "white"}),
        ("resign black gammon", {"command": "resign", "player": "black", "win": "gammon"}),
        ("accept white", {"command": "accept", "player": "white"}),
        ("start", {"command": "start"}),
        ("right number black", {"command": "require right number", "player": "black"}),
        ("alter", {"command": "agree to alter"}),
        ("null throw white off board", {"command": "null throw", "player": "white", "fault": "off board"}),
        ("up white 2", {"command": "put back up", "player": "white", "count": 2}),
        (
            f"set up {Position.START} black",
            {"command": "set up", "position": str(Position.START), "on_roll": "black"},
        ),
    ],
)
def test_the_words_are_those_of_a_recording(line, data):
    assert parse_typed_command(line, RefereeState(), None) == data
    parse_command({**data, "t_ms": 0})


NAMES = {Player.WHITE: "Ada Lovelace", Player.BLACK: "Bert"}


@pytest.mark.parametrize(
    ("line", "data"),
    [
        ("double bert", {"command": "double", "player": "black"}),
        ("Take ADA lovelace", {"command": "take", "player": "white"}),
        ("resign Bert backgammon", {"command": "resign", "player": "black", "win": "backgammon"}),
        ("resign gammon", {"command": "resign", "player": "black", "win": "gammon"}),
        ("double", {"command": "double", "player": "black"}),
        ("take back", {"command": "take back"}),
        ("undo", {"command": "undo"}),
        ("cocked", {"command": "null throw", "player": "black", "fault": "tilted"}),
    ],
)
def test_a_player_is_meant_by_name_or_by_being_on_roll(line, data):
    assert parse_typed_command(line, PLAYED, None, NAMES) == data


@pytest.mark.parametrize(
    ("before", "roll", "after", "doubler"),
    [
        (str(Position.START), (3, 1), str(Position.START), "white"),
        (str(Position.START), (3, 1), AFTER_31, "black"),
        (SHUT_OUT, (6, 5), SHUT_OUT, "black"),
    ],
    ids=["not played yet", "played", "nothing to play"],
)
def test_once_the_play_lies_there_it_is_the_opponent_who_doubles(before, roll, after, doubler):
    table = Table(Position.parse(before), Player.WHITE)
    table.show(before)
    table.roll(*roll)
    table.show(after)
    said = parse_typed_command("double", table.state, None)
    assert said["player"] == doubler
    table.tell(parse_command({**said, "t_ms": table.t_ms}))
    assert bool(table.state.refusal) is (doubler == "white")


def say(table, line):
    said = parse_typed_command(line, table.state, None)
    table.tell(parse_command({**said, "t_ms": table.t_ms}))
    assert not table.state.refusal
    return said


def test_who_doubles_is_on_roll_and_who_was_asked_answers():
    table = Table()
    table.play(3, 1, AFTER_31)
    assert [say(table, line)["player"] for line in ("double", "take")] == ["black", "white"]


def test_a_half_turn_before_a_board_that_was_set_up_is_corrected_on_its_own_board():
    table = Table()
    table.play(3, 1, AFTER_31)
    say(table, f"set up {AFTER_31_64} white")
    assert parse_typed_command("correct 1 24/20", table.state, None)["position"] == str(RUN.position)


def test_a_name_is_meant_as_a_whole():
    names = {Player.WHITE: "Ann", Player.BLACK: "Ann Lee"}
    assert parse_typed_command("double ann lee", PLAYED, None, names)["player"] == "black"
    with pytest.raises(CommandError, match="'joann' is none of the players"):
        parse_typed_command("double Joann", PLAYED, None, names)


@pytest.mark.parametrize("on_roll", Player)
def test_a_board_is_set_up_by_the_id_of_another_program(on_roll):
    position = RUN.position
    situation = Situation(position=position, on_roll=on_roll)
    board = position_id(position, on_roll)
    expected = {"command": "set up", "position": str(position), "on_roll": on_roll.value}
    for text in (
        f"{board} {on_roll.value}",
        f"{board}:{match_id(situation)} {on_roll.value}",
        xgid(situation),
        xgid(situation).removeprefix("XGID="),
        f"{xgid(replace(situation, on_roll=on_roll.opponent))} {on_roll.value}",
    ):
        assert parse_typed_command(f"set up {text}", PLAYED, None) == expected


def test_a_number_answers_the_question():
    answer = parse_command({**parse_typed_command("2", PLAYED, QUESTION), "t_ms": 3000})
    assert answer == TurnCorrected(t_ms=3000, index=0, position=RUN.position)


def test_a_half_turn_of_a_russian_game_is_corrected_in_the_words_of_that_game():
    rules = rules_of(RUSSIAN_CADY)
    begun = History.starting_from(rules.start(Player.WHITE), rules)
    entered, meant = (begun.plays(Dice(3, 1)).parse(play) for play in ("off/22 off/24", "off/22 22/21"))
    turn = HalfTurn(
        t_ms=1000,
        player=Player.WHITE,
        dice=Dice(3, 1),
        steps=entered.steps,
        legal=True,
        position=entered.result,
        turn_state=entered.turn_state,
    )
    state = RefereeState(other_rules=rules, histories=(begun.after_turn(turn, 0.0, 0.0),))
    answer = parse_command({**parse_typed_command("correct 1 off/22 22/21", state, None), "t_ms": 3000})
    assert answer == TurnCorrected(t_ms=3000, index=0, position=meant.result)


def test_a_half_turn_is_corrected_by_the_play_that_was_made():
    answer = parse_command({**parse_typed_command("correct 1 24/20", PLAYED, None), "t_ms": 3000})
    assert answer == TurnCorrected(t_ms=3000, index=0, position=RUN.position)


@pytest.mark.parametrize("given", ["correct 1 64 24/18 13/9", "correct 1 64: 24/18 13/9"])
def test_a_half_turn_is_corrected_with_another_roll(given):
    found = parse_command({**parse_typed_command(given, PLAYED, None), "t_ms": 3000})
    meant = after_steps(Position.START, Player.WHITE, (Step(24, 18), Step(13, 9)))
    assert found == TurnCorrected(t_ms=3000, index=0, position=meant, dice=Dice(6, 4))


def test_a_half_turn_whose_roll_nobody_saw_is_corrected_with_its_roll():
    state = RefereeState(histories=(BEGUN.after_told_turn(replace(RUN, dice=None)),))
    with pytest.raises(CommandError, match="the roll of half-turn 1 is not known"):
        parse_typed_command("correct 1 8/5 6/5", state, None)
    found = parse_typed_command("correct 1 31 8/5 6/5", state, None)
    assert found["position"] == str(POINT_MADE.position)


def test_a_roll_alone_leaves_the_board_as_it_is_recorded():
    found = parse_command({**parse_typed_command("correct 1 64", PLAYED, None), "t_ms": 3000})
    assert found == TurnCorrected(t_ms=3000, index=0, position=POINT_MADE.position, dice=Dice(6, 4))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("hello", "'hello' is no command; did you mean help"),
        ("xyzzy", "'xyzzy' is no command; type help"),
        ("duoble", "did you mean double"),
        ("tke white", "did you mean take"),
        ("double Cleo", "'cleo' is none of the players; say white, black"),
        ("correct 1", "not complete; write it like correct 12 8/5 6/5"),
        ("set up hello white", "'hello' is no position"),
        ("set up white", "'white' is no position"),
        ("double white black", "'double white black' is no command"),
        ("correct game 0 1 24/20", "no game 0"),
        ("3", "the answers 1 to 2"),
        ("correct 2 24/20", "there is no half-turn 2: 1 have been played"),
        ("correct 1 7/4", "7"),
        ("resign white black gammon", "write it like resign white gammon"),
        ("", "is no command"),
    ],
)
def test_what_nobody_can_obey_is_said(line, problem):
    with pytest.raises(CommandError, match=problem):
        parse_typed_command(line, PLAYED, QUESTION)


def test_without_a_question_a_number_says_that_none_was_asked():
    with pytest.raises(CommandError, match="no question was asked that 1 could answer"):
        parse_typed_command("1", PLAYED, None)
