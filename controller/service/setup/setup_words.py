"""What people say while a board is set up, and its form in JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from controller.errors import InputError
from controller.options import OptionTable
from controller.perception.board_settings import parse_board_settings
from controller.perception.orientation import HOME_CORNERS
from controller.record.match_settings import MatchSettings, parse_match_settings
from controller.referee.effects import Mode
from controller.rules import Player
from hardware.light_port import N_LIGHTS
from sentences import say
from vision.geometry import Corners


class SetupStep(Enum):
    """The steps of setting a board up, in their order."""

    BOARD = "board"
    SIDES = "sides"
    START = "start"
    DICE = "dice"
    LIGHTS = "lights"
    MATCH = "match"


@dataclass(frozen=True, kw_only=True)
class SetupBegun:
    """The set-up begins; the game waits."""


@dataclass(frozen=True, kw_only=True)
class StepShown:
    """People go to this step."""

    step: SetupStep


@dataclass(frozen=True, kw_only=True)
class BoardSought:
    """The board is to be looked for in the picture."""


@dataclass(frozen=True, kw_only=True)
class BoardPlaced:
    """The board lies here. corners_px, bar: as in the settings."""

    corners_px: Corners
    bar: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class SidesChosen:
    """Who has the light checkers; where White's home lies, None to take it from the start position."""

    light: Player
    white_home: str | None


@dataclass(frozen=True, kw_only=True)
class WalkBegun:
    """The LEDs are to be lit one after the other."""


@dataclass(frozen=True, kw_only=True)
class LampSeen:
    """The LED that is lit now lights this place; None takes the last answer back."""

    place: int | None


@dataclass(frozen=True, kw_only=True)
class WalkLeft:
    """The walk is given up. The LEDs keep the order of the settings."""


@dataclass(frozen=True, kw_only=True)
class MatchNamed:
    """Who plays, how long, under which laws, and what the lamps show. Outside a set-up it begins at once."""

    match: MatchSettings
    mode: Mode


@dataclass(frozen=True, kw_only=True)
class SetupEnded:
    """The set-up ends. is_kept: whether the settings are written; else everything stays as it was."""

    is_kept: bool


SetupWord = (
    SetupBegun
    | StepShown
    | BoardSought
    | BoardPlaced
    | SidesChosen
    | WalkBegun
    | LampSeen
    | WalkLeft
    | MatchNamed
    | SetupEnded
)


def parse_setup_word(data: Mapping[str, Any]) -> SetupWord:
    """The word in a JSON object; its key `word` says which. Raises InputError that says what is wrong."""
    options = OptionTable("setup", data, "JSON")
    match data.get("word"):
        case "begin":
            return SetupBegun()
        case "step":
            return StepShown(step=SetupStep(_one_of(options, "step", [step.value for step in SetupStep])))
        case "seek":
            return BoardSought()
        case "place":
            board = parse_board_settings({name: data.get(name) for name in ("corners_px", "bar")}, "JSON")
            assert board.corners_px is not None  # without corners the line above raises
            return BoardPlaced(corners_px=board.corners_px, bar=board.bar)
        case "sides":
            home = None if data.get("white_home") is None else _one_of(options, "white_home", HOME_CORNERS)
            light = Player(_one_of(options, "light", [player.value for player in Player]))
            return SidesChosen(light=light, white_home=home)
        case "walk":
            return WalkBegun()
        case "lamp" if "place" in data:
            return LampSeen(place=options.whole_number("place", 0, least=0, most=N_LIGHTS - 1))
        case "lamp back":
            return LampSeen(place=None)
        case "leave walk":
            return WalkLeft()
        case "match":
            names = {name: data.get(name) for name in ("white", "black", "length", "laws")}
            named = parse_match_settings(names, "JSON")
            mode = Mode(_one_of(options, "mode", [mode.value for mode in Mode]))
            return MatchNamed(
                match=replace(named, white=named.white.strip(), black=named.black.strip()), mode=mode
            )
        case "keep":
            return SetupEnded(is_kept=True)
        case "leave":
            return SetupEnded(is_kept=False)
    raise InputError(say("setup_word_unknown"))


def _one_of(options: OptionTable, option: str, known: "list[str] | tuple[str, ...]") -> str:
    found = options.one_of(option, known)
    if found is None:
        raise InputError(say("setup_word_unknown"))
    return found
