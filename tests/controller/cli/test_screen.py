"""The terminal view of a game: whose turn it is, what was said, a line to type in that stays untouched."""

import io
import re

from controller.cli.screen import Screen
from controller.perception.orientation import Orientation
from controller.referee import CommandRefused, GameStarted, LampsChanged, RefereeState, step
from controller.rules import Match, Player, Position
from hardware.dice_events import DiceSettled

NAMES = {Player.WHITE: "Ada", Player.BLACK: "Bert"}


def played(length: int = 0) -> RefereeState:
    """Ada is on roll in a game joined at the start position."""
    state, _ = step(RefereeState(match=Match.new(length)), GameStarted(t_ms=0, on_roll=Player.WHITE))
    return state


def with_roll(state: RefereeState, *faces: int) -> RefereeState:
    for die, face in enumerate(faces, start=1):
        state, _ = step(state, DiceSettled(t_ms=1000, die=die, face=face))
    return state


def first_line(state: RefereeState) -> str:
    screen = Screen(io.StringIO(), Orientation(), NAMES, live=False)
    return screen.text(state, 61_000, colour=False).splitlines()[0]


def test_the_first_line_says_whose_turn_it_is():
    assert first_line(played()) == "Ada (White) v. Bert (Black)   01:01   Ada is to roll"
    assert first_line(with_roll(played(), 3, 1)) == "Ada (White) v. Bert (Black)   01:01   Ada plays 31"


def test_in_a_match_it_says_the_score():
    assert first_line(played(7)) == "Ada (White) v. Bert (Black)   0-0 of 7   01:01   Ada is to roll"


def test_without_a_screen_what_is_said_is_printed_line_by_line():
    out = io.StringIO()
    screen = Screen(out, Orientation(), NAMES, live=False, typing=True)
    screen.say(61_000, "There is no camera.")
    screen.note(CommandRefused(t_ms=62_000, why="That cannot be."))
    screen.note(LampsChanged(t_ms=63_000, lamps=()))
    screen.draw(played(), 64_000)
    assert out.getvalue() == "01:01  There is no camera.\n01:02  That cannot be.\n"


def test_drawing_leaves_the_line_in_which_people_type_as_it_is():
    out = io.StringIO()
    screen = Screen(out, Orientation(), NAMES, live=True, typing=True)
    assert out.getvalue().endswith("> ")
    out.truncate(0)
    screen.draw(played(), 1000)
    drawn = out.getvalue().lstrip("\0")
    assert drawn.startswith("\x1b7")  # the cursor is kept
    assert drawn.endswith("\x1b8")  # and put back
    rows = [int(row) for row in re.findall(r"\x1b\[(\d+);1H", drawn)]
    assert rows == list(range(2, 2 + len(rows)))
    assert played().shown == Position.START
