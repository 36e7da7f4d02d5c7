"""A game that is watched and recorded, with a line for everything that was shown as recorded.

The live service runs it; only camera and board reader are replaced by what they would report.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path

from controller.perception.orientation import Orientation
from controller.record.keeper import MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.referee import GameStarted, RefereePhase, RefereeState
from controller.rules import Position
from controller.service.devices import Devices
from controller.service.live import MatchStart, Service
from controller.service.restore import restore_match
from hardware.dice_events import DiceEvent
from tests.benchmarks.simulated_games import simulated_events

MATCH = MatchSettings(white="Ada", black="Bert")
EVERY_MS = 500
"""The time between two boards that are read."""


class NoCamera:
    """A camera whose pictures nobody needs."""

    problems: list[str] = []  # noqa: RUF012 - the port asks for it
    ended = False

    def next_frame(self):
        return None


class Tray:
    """A dice sensor that reports what it is told to."""

    def __init__(self) -> None:
        self.waiting = []

    def events_until(self, t_ms):
        found, self.waiting = self.waiting, []
        return found


class ReadBoard:
    """A board that is read."""

    calibrated = True
    reading = None
    exchangeable = False
    known = start = began_with = Position.START
    orientation = Orientation()


class Silence:
    """A display that nobody looks at."""

    lamps = ()
    orientation = Orientation()

    def say(self, t_ms, sentence): ...
    def note(self, effect): ...
    def draw(self, *what): ...


def summary(state: RefereeState) -> list:
    """What is shown as recorded: where the game stands, who is on roll, the roll, the half-turns.

    A half-turn that is believed but not yet recorded still counts as being played, and its roll as to come if
    no dice were heard. A half-turn that was recorded and is doubted is played until the record changes.
    """
    turns = [[turn.player.value, str(turn.dice), str(turn.play)] for turn in state.recorded]
    n_recorded = len(state.recorded)
    if len(state.record) < n_recorded:
        return [RefereePhase.BEFORE_ROLL.value, state.recorded[-1].player.opponent.value, [], turns]
    unsure = state.record[n_recorded:]
    if unsure and unsure[0].dice_inferred:
        return [RefereePhase.BEFORE_ROLL.value, unsure[0].player.value, [], turns]
    if unsure:
        return [RefereePhase.ROLLED.value, unsure[0].player.value, [str(unsure[0].dice)], turns]
    return [state.phase.value, state.on_roll.value, sorted(map(str, state.rolls)), turns]


def evening_events(seed: int) -> list:
    """Everything that happens at the table in one game."""
    return simulated_events(seed, interval_ms=EVERY_MS)


def evening(events: list, log: Path, since: int = 0, *, careless: bool = False) -> Iterator[tuple[int, list]]:
    """Play the game from event number `since` on, with what the log holds of it.

    Gives what is shown after each event, with the number of the next. careless: nothing waits for the disk.
    """
    yield from played(events[:since], iter(events[since:]), log, careless=careless)


def played(
    before: list, events: Iterator, log: Path, *, careless: bool = False
) -> Iterator[tuple[int, list]]:
    """The same, with the events to come one by one."""
    first, since = next(events), len(before)
    tray, now_ms = Tray(), [first.t_ms]
    with closing(MatchKeeper(log, MATCH, print)) as keeper:
        service = Service(
            start=MatchStart(fresh=MATCH.state(), resumed=restore_match(keeper.earlier, MATCH.state())),
            devices=Devices(camera=NoCamera(), dice=tray, lights=(), lines=list),
            watcher=ReadBoard(),
            keeper=keeper,
            display=Silence(),
            clock_ms=lambda: now_ms[0],
        )
        if careless:
            keeper._store._db.execute("PRAGMA synchronous=OFF")
        yield since, summary(service.state)
        for event in lying_dice(before, now_ms[0]):
            tray.waiting.append(event)
            service.run_once()
            yield since, summary(service.state)
        for number, event in enumerate(chain([first], events), since):
            now_ms[0] = event.t_ms
            if isinstance(event, GameStarted):
                continue
            if hasattr(event, "rows"):
                service.loop.handle_event(event)
            else:
                tray.waiting.append(event)
            service.run_once()
            yield number + 1, summary(service.state)


def lying_dice(events: list, t_ms: int) -> list:
    """What a tray reports to a program that has just started, after these events."""
    last = {getattr(event, "die", None): event for event in events if isinstance(event, DiceEvent)}
    return [replace(event, t_ms=t_ms) for event in last.values()]


def show_evening(
    events: list, log: Path, shown: Path, since: int = 0, most: int = sys.maxsize, *, careless: bool = False
) -> None:
    """Play the game, and write a line into `shown` whenever what is shown changes, `most` lines at most."""
    line = os.open(shown, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    n_lines, last = 0, None
    for number, now in evening(events, log, since, careless=careless):
        if now != last:
            os.write(line, f"{json.dumps([number, now])}\n".encode())
            n_lines += 1
        last = now
        if n_lines == most:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("log", type=Path)
    parser.add_argument("shown", type=Path)
    parser.add_argument("--most", type=int, default=sys.maxsize, help="lines after which the game ends")
    parser.add_argument("--careless", action="store_true", help="nothing waits for the disk")
    options = parser.parse_args()
    events = evening_events(options.seed)
    show_evening(events, options.log, options.shown, most=options.most, careless=options.careless)


if __name__ == "__main__":
    main()
