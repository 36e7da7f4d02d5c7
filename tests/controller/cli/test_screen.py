"""The terminal view of a game: whose turn it is, what was said, a line to type in that stays untouched."""

import io
import re

import pytest

from controller.cli.screen import Screen
from controller.perception.orientation import Orientation
from controller.referee import (
    ActionDeclared,
    CommandRefused,
    GameStarted,
    LampsChanged,
    RefereeState,
    RollCalled,
    step,
)
from controller.referee.words.sentences import effect_sentence
from controller.rules import Action, Doubled, Match, Player, Position, Took
from controller.service.devices import DeviceWatch
from controller.service.display import NOTHING_ASKED, Asked, DeviceState, device_text, turn_text
from hardware.dice_events import DiceSettled
from tests.controller.referee.table import Table
from tests.controller.referee.test_referee import AFTER_31, AFTER_31_64

NAMES = {Player.WHITE: "Ada", Player.BLACK: "Bert"}


def played(length: int = 0) -> RefereeState:
    """Ada is on roll in a game joined at the start position."""
    state, _ = step(RefereeState(match=Match.new(length)), GameStarted(t_ms=0, on_roll=Player.WHITE))
    return state


def with_roll(state: RefereeState, *faces: int) -> RefereeState:
    for die, face in enumerate(faces, start=1):
        state, _ = step(state, DiceSettled(t_ms=1000, die=die, face=face))
    return state


HERE = (
    DeviceState(name="camera", is_here=True, since_ms=1000),
    DeviceState(name="dice", is_here=False, since_ms=62_000),
)


def drawn(state: RefereeState, columns: int = 80, rows: int = 24) -> list[str]:
    screen = Screen(io.StringIO(), Orientation(), NAMES, live=False)
    return screen.lines(state, 61_000, HERE, size=(columns, rows), colour=False)


def said(state: RefereeState, action: Action) -> RefereeState:
    state, _ = step(state, ActionDeclared(t_ms=2000, action=action))
    assert not state.refusal
    return state


def test_the_first_lines_say_who_plays_and_whose_turn_it_is():
    assert drawn(played())[:2] == [
        "Ada (White, O) v. Bert (Black, X)   0-0 points",
        "01:01  game 1, half-turn 1: Ada to roll",
    ]
    assert drawn(with_roll(played(), 3, 1))[1] == "01:01  game 1, half-turn 1: Ada plays 31"


def test_in_a_match_they_say_the_score():
    assert drawn(played(7))[0].endswith("   0-0 of 7")


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_the_cube_is_seen_with_its_owner_and_who_has_to_answer(size):
    doubled = said(played(), Doubled(player=Player.WHITE))
    text = "\n".join(drawn(doubled, *size))
    assert "Bert to take or pass" in text.splitlines()[1]
    assert "Cube 1 in the middle, Bert to take or pass 2" in text
    assert "Cube 2 Bert's" in "\n".join(drawn(said(doubled, Took(player=Player.BLACK)), *size))


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (100, 40), (40, 12)])
def test_everything_fits_into_the_terminal(size):
    lines = drawn(said(played(7), Doubled(player=Player.WHITE)), *size)
    assert len(lines) <= size[1]
    assert max(map(len, lines)) <= size[0]
    text = " ".join(lines)
    for part in ("Pips Ada 167, Bert 167", "camera here since 00:01", "dice gone since 01:02", "0-0 of 7"):
        assert part in text


def test_the_crawford_game_is_named():
    match = Match.new(3).with_score(2, 0)
    state, _ = step(RefereeState(match=match), GameStarted(t_ms=0, on_roll=Player.WHITE))
    text = "\n".join(drawn(state))
    assert "2-0 of 3   Crawford" in text
    assert "Crawford game: no cube" in text


def test_the_sheet_shows_its_newest_half_turns_with_their_numbers():
    table = Table()
    shown = [(3, 1, AFTER_31), (6, 4, AFTER_31_64)]
    for high, low, board in shown:
        table.play(high, low, board)
    assert drawn(table.state)[-1].split() == ["1", "31:", "8/5", "6/5", "2", "64:", "24/18", "13/9"]
    screen = Screen(io.StringIO(), Orientation(), NAMES, live=False)
    for minute in range(30):
        screen.say(minute * 60_000, "A sentence that is longer than the line of a narrow terminal by far.")
    lines = screen.lines(table.state, 0, HERE, size=(60, 20), colour=False)
    assert lines[-1].split()[0] == "1"
    assert lines[-2].startswith("       ")  # the sentence goes on here
    assert lines[-3].startswith("29:00  ")


def test_a_long_help_is_read_page_by_page(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "20")
    screen = Screen(io.StringIO(), Orientation(), NAMES, live=True)
    screen.show_pages([f"word {number}   what it means" for number in range(40)])
    seen: list[str] = []
    for _ in range(5):
        lines = screen.lines(played(), 0, size=(60, 20), colour=False)
        assert len(lines) <= 20
        seen += [line for line in lines if line.startswith("word")]
        screen.turn_page()
    assert [line.split()[1] for line in seen] == [str(number) for number in range(40)]


def test_behind_a_help_that_fills_more_than_the_screen_comes_the_next_one():
    screen = Screen(io.StringIO(), Orientation(), NAMES, live=True)
    screen.show_pages(["a word that means a lot   " + "very " * 200, "last   what it means"])
    assert not any("last" in line for line in screen.lines(played(), 0, size=(40, 10), colour=False))
    screen.turn_page()
    assert any("last" in line for line in screen.lines(played(), 0, size=(40, 10), colour=False))


def test_a_game_that_is_paused_says_so():
    out = io.StringIO()
    screen = Screen(out, Orientation(), NAMES, live=True)
    screen.draw(played(), 61_000, HERE, Asked(is_paused=True))
    assert turn_text(played(), NAMES, is_paused=True) in out.getvalue()
    assert turn_text(played(), NAMES, is_paused=False) not in out.getvalue()


def test_a_terminal_that_becomes_wider_is_drawn_anew(monkeypatch):
    monkeypatch.setenv("LINES", "24")
    out = io.StringIO()
    screen = Screen(out, Orientation(), NAMES, live=True)
    drawings = []
    for columns in ("100", "120", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        drawn_before = len(out.getvalue())
        screen.draw(played(), 1000, HERE, NOTHING_ASKED)
        drawings.append(out.getvalue()[drawn_before:])
    assert ["Ada (White) v. Bert (Black)" in drawing for drawing in drawings] == [True, True, False]


def test_below_fewer_lines_than_before_the_screen_is_cleared():
    out = io.StringIO()
    screen = Screen(out, Orientation(), NAMES, live=True)
    screen.draw(played(), 1000, HERE, NOTHING_ASKED)
    drawn_before = len(out.getvalue())
    screen.show_pages(["done   the play is over"])
    screen.draw(played(), 1000, HERE, NOTHING_ASKED)
    assert out.getvalue()[drawn_before:].endswith("\x1b[J")


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colour_is_left_out_where_it_is_not_wanted(monkeypatch, environment, coloured):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = io.StringIO()
    Screen(out, Orientation(), NAMES, live=True).draw(played(), 0, (), NOTHING_ASKED)
    assert ("\x1b[38;2;" in out.getvalue()) is coloured
    assert ("(White, O)" in out.getvalue()) is not coloured


def test_without_a_screen_what_is_said_is_printed_line_by_line():
    out = io.StringIO()
    screen = Screen(out, Orientation(), NAMES, live=False, typing=True)
    screen.say(61_000, "There is no camera.")
    screen.note(CommandRefused(t_ms=62_000, why="That cannot be."))
    screen.note(LampsChanged(t_ms=63_000, lamps=()))
    screen.draw(played(), 64_000, (), NOTHING_ASKED)
    assert out.getvalue() == "01:01  There is no camera.\n01:02  That cannot be.\n"


def test_drawing_leaves_the_line_in_which_people_type_as_it_is():
    out = io.StringIO()
    screen = Screen(out, Orientation(), NAMES, live=True, typing=True)
    assert out.getvalue().endswith("> ")
    out.truncate(0)
    screen.draw(played(), 1000, (), NOTHING_ASKED)
    drawn_text = out.getvalue().lstrip("\0")
    lines = re.findall(r"\x1b7\x1b\[(\d+);1H(.*?)\x1b8", drawn_text, flags=re.DOTALL)
    rows = [int(row) for row, _ in lines]
    assert rows[0] == 2
    assert rows == list(range(2, 2 + len(rows)))
    assert played().shown == Position.START


def test_lights_that_nobody_set_up_are_not_called_gone():
    watch = DeviceWatch(0, has_lights=False, expects_lights=False)
    screen = Screen(io.StringIO(), Orientation(), NAMES, live=False)
    shown = "\n".join(screen.lines(played(), 1000, watch.states(1000), colour=False))
    assert "no lights set up" in shown
    assert "lights gone" not in shown


def test_dice_are_gone_only_where_a_tray_was_found():
    watch = DeviceWatch(0, has_lights=False, expects_lights=False)
    watch.note_dice(False, 1000)
    assert device_text(watch.states(1000)[1]) == "dice read from the picture"
    watch.note_dice(True, 61_000)
    watch.note_dice(False, 3_661_000)
    assert device_text(watch.states(3_661_000)[1]) == "dice gone since 1:01:01"


def test_who_won_the_opening_throw_is_said_once_it_is_known():
    table = Table()
    for die, face in ((1, 1), (2, 3)):
        table.tell(DiceSettled(t_ms=0, die=die, face=face, thrower_known=False))
    assert drawn(table.state)[1].endswith("half-turn 1: opening roll")
    called = [effect_sentence(one, NAMES) for one in table.effects if isinstance(one, RollCalled)]
    assert called == ["The opening roll is 3-1."]


def test_lights_that_the_settings_name_are_gone_when_they_cannot_be_driven():
    watch = DeviceWatch(0, has_lights=False, expects_lights=True)
    screen = Screen(io.StringIO(), Orientation(), NAMES, live=False)
    assert "lights gone since 00:00" in "\n".join(
        screen.lines(played(), 1000, watch.states(1000), colour=False)
    )
