"""What people say, as lines of events.jsonl and of the web page: JSON objects turned into events.

{"t_ms": 61000, "command": "done"}
{"t_ms": 61000, "command": "double", "player": "white"}       also take, pass, beaver
{"t_ms": 61000, "command": "resign", "player": "black", "win": "gammon"}    also accept, refuse
{"t_ms": 61000, "command": "correct", "half_turn": 12, "position": "WHITE:BLACK"}    also "game": 1
{"t_ms": 61000, "command": "correct", "half_turn": 12, "position": "WHITE:BLACK", "dice": "31"}
{"t_ms": 61000, "command": "take back"}       also undo
{"t_ms": 61000, "command": "set up", "position": "WHITE:BLACK", "on_roll": "white"}
{"t_ms": 61000, "command": "start", "position": "WHITE:BLACK", "on_roll": "white"}
{"t_ms": 61000, "command": "require right number", "player": "black"}
{"t_ms": 61000, "command": "agree to alter"}
{"t_ms": 61000, "command": "null throw", "player": "black", "fault": "off board"}
{"t_ms": 61000, "command": "put back up", "player": "white", "count": 1}
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from controller.referee import (
    ActionDeclared,
    DonePressed,
    Event,
    GameStarted,
    PlayTakenBack,
    TurnCorrected,
    UndoPressed,
)
from controller.rules import (
    AcceptedResignation,
    Action,
    AgreedToAlter,
    Beavered,
    Dice,
    Doubled,
    EditedBoard,
    NullThrow,
    OfferedResignation,
    Passed,
    Player,
    Position,
    PutBackUp,
    RefusedResignation,
    RequiredRightNumber,
    ThrowFault,
    Took,
    Win,
)
from sentences import said_of, say

T = TypeVar("T")


class CommandError(ValueError):
    """A command that cannot be carried out. The message is one sentence that says what is wrong."""


SPOKEN: dict[str, Callable[[Player], Action]] = {
    "double": lambda player: Doubled(player=player),
    "take": lambda player: Took(player=player),
    "pass": lambda player: Passed(player=player),
    "beaver": lambda player: Beavered(player=player),
    "accept": lambda player: AcceptedResignation(player=player),
    "refuse": lambda player: RefusedResignation(player=player),
    "require right number": lambda player: RequiredRightNumber(player=player),
}
FAULTS = {fault.name.lower().replace("_", " "): fault for fault in ThrowFault}
"""What can be wrong with a throw, by its words."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """What people said: the JSON object, and the event that it stands for."""

    data: Mapping[str, Any]
    event: Event

    @property
    def t_ms(self) -> int:
        return self.event.t_ms


def parse_commands(lines: Iterable[str], problems: list[str]) -> list[Command]:
    """The commands of an events.jsonl in order of time. Lines that cannot be read are named in `problems`."""
    commands: list[Command] = []
    for number, line in enumerate(lines, start=1):
        try:
            if line.strip():
                data = json.loads(line)
                commands.append(Command(data=data, event=parse_command(data)))
        except ValueError as error:
            problems.append(say("command_left_out", number=number, problem=error))
    return sorted(commands, key=lambda command: command.t_ms)


def parse_command(data: object) -> Event:
    """The event that one JSON object stands for. Raises CommandError when there is none."""
    if not isinstance(data, dict):
        raise CommandError(say("command_is_object"))
    try:
        return _event(data, int(data["t_ms"]))
    except KeyError as error:
        raise CommandError(say("command_lacks", key=error.args[0])) from None
    except CommandError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise CommandError(said_of(error)) from None


def _event(data: Mapping[str, Any], t_ms: int) -> Event:
    name = data["command"]
    if name in SPOKEN:
        return ActionDeclared(t_ms=t_ms, action=SPOKEN[name](_player(data["player"])))
    match name:
        case "done":
            return DonePressed(t_ms=t_ms)
        case "resign":
            win = _one_of({win.name.lower(): win for win in Win}, data.get("win", "single"))
            return ActionDeclared(
                t_ms=t_ms, action=OfferedResignation(player=_player(data["player"]), win=win)
            )
        case "agree to alter":
            return ActionDeclared(t_ms=t_ms, action=AgreedToAlter())
        case "null throw":
            fault = _one_of(FAULTS, data["fault"])
            return ActionDeclared(t_ms=t_ms, action=NullThrow(player=_player(data["player"]), fault=fault))
        case "put back up":
            count = int(data.get("count", 1))
            return ActionDeclared(t_ms=t_ms, action=PutBackUp(player=_player(data["player"]), count=count))
        case "correct":
            position = Position.parse(str(data["position"]))
            game = int(data["game"]) - 1 if "game" in data else None
            dice = Dice.parse(data["dice"]) if "dice" in data else None
            index = int(data["half_turn"]) - 1
            return TurnCorrected(t_ms=t_ms, index=index, position=position, game=game, dice=dice)
        case "take back":
            return PlayTakenBack(t_ms=t_ms)
        case "undo":
            return UndoPressed(t_ms=t_ms)
        case "set up":
            position, on_roll = Position.parse(str(data["position"])), _player(data["on_roll"])
            return ActionDeclared(t_ms=t_ms, action=EditedBoard(position=position, on_roll=on_roll))
        case "start":
            position = Position.parse(str(data["position"])) if "position" in data else Position.START
            return GameStarted(
                t_ms=t_ms, position=position, on_roll=_player(data["on_roll"]) if "on_roll" in data else None
            )
        case _:
            raise CommandError(say("no_command", name=name))


def _player(name: object) -> Player:
    return _one_of({player.value: player for player in Player}, name)


def _one_of(choices: Mapping[str, T], name: object) -> T:
    if not isinstance(name, str) or name not in choices:
        raise CommandError(say("none_of", name=name, choices=", ".join(choices)))
    return choices[name]
