"""The table of transitions in docs/referee.md is the one the referee goes by."""

from controller.referee.referee import IGNORED, TRANSITIONS
from controller.referee.state import RefereePhase
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled
from tests.paths import DOCS

PAGE = DOCS / "referee.md"
ONE_NAME = {DiceMoving: "dice", DiceSettled: "dice", DiceLifted: "dice"}


def table() -> str:
    rows = ["| phase | event | may lead to |", "|---|---|---|"]
    for phase in RefereePhase:
        shown: dict[str, str] = {}
        for event, transition in TRANSITIONS[phase].items():
            name = ONE_NAME.get(event, event.__name__)
            led_to = ", ".join(to.value for to in transition.to) or "-"
            shown[name] = "ignored" if transition is IGNORED else led_to
        rows += [f"| {phase.value} | {name} | {to} |" for name, to in shown.items()]
    return "\n".join(rows)


def test_the_page_shows_the_table_the_referee_goes_by():
    assert table() in PAGE.read_text(encoding="utf-8")
