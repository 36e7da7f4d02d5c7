"""A recording on disk: recording.toml and what lies beside it.

The form is described in docs/recording.md.
"""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controller.errors import InputError
from controller.perception.orientation import CORNERS, Seating
from controller.referee import Event, Settings, State
from controller.referee.words.people_commands import read_commands
from controller.rules import ALL_LAWS, EnteringLaws, Match, Player, Position, PositionError, Rules, rules_of
from hardware.camera import FolderCamera, VideoCamera
from hardware.device_errors import CameraUnavailable
from hardware.dice_log import DiceLog
from vision.geometry import BoardGeometry, Corners

AS_USUAL = Settings()


@dataclass(frozen=True, kw_only=True)
class MatchSettings:
    """Who plays what. position and on_roll are given for a game joined in progress."""

    white: str = "White"
    black: str = "Black"
    length: int = 0
    laws: str = "modern"
    position: Position = Position.START
    on_roll: Player | None = None

    @property
    def names(self) -> dict[Player, str]:
        return {Player.WHITE: self.white, Player.BLACK: self.black}

    @property
    def rules(self) -> Rules:
        """The game that is played."""
        return rules_of(ALL_LAWS[self.laws])

    @property
    def is_entering(self) -> bool:
        """Whether the checkers are entered by throws, and not set up before the first."""
        return isinstance(self.rules.laws, EnteringLaws)

    @property
    def start(self) -> Position:
        """The board before the first throw of a game."""
        return self.rules.start(Player.WHITE).position

    @property
    def furnished(self) -> Position:
        """The board that is shown for the checkers to be learnt: the ordinary start where ours is bare."""
        return Position.START if self.is_entering else self.start

    def state(self, settings: Settings = AS_USUAL) -> State:
        """What the referee knows before the match; a game whose checkers are entered is a match by itself."""
        laws = self.rules.laws
        if isinstance(laws, EnteringLaws):
            return State(settings=settings, match=Match.new(0), other_rules=self.rules)
        return State(settings=settings, match=Match.new(self.length, laws))


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Where the board lies in the picture and who sits where; lengths in millimetres, corners in pixels.

    corners_px: None when the board is to be found. home_known: `seating` tells where White's home is, else
    the furnished board must.
    """

    corners_px: Corners | None
    bar: tuple[float, float]
    seating: Seating
    checker_mm: float | None = None
    field_mm: tuple[float, float] | None = None
    home_known: bool = True

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """Every seating that may be the board's."""
        if self.home_known:
            return (self.seating,)
        return tuple(replace(self.seating, white_home=corner) for corner in CORNERS)

    def geometry(self, image_wh: tuple[int, int]) -> BoardGeometry | None:
        """The field in a picture of this size; None when it is to be found.

        Raises GeometryError when it does not lie there.
        """
        if self.corners_px is None:
            return None
        width_mm, height_mm = self.field_mm or (None, None)
        return BoardGeometry(
            corners_px=self.corners_px,
            image_wh=image_wh,
            bar=self.bar,
            checker=self.checker_mm / width_mm if self.checker_mm and width_mm else None,
            aspect=width_mm / height_mm if width_mm and height_mm else None,
        )


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A recording opened for playing back. problems: what is missing or damaged, one sentence each."""

    name: str
    board: BoardSettings
    match: MatchSettings
    camera: FolderCamera | VideoCamera
    dice: DiceLog | None
    commands: tuple[Event, ...] = ()
    problems: tuple[str, ...] = ()


def open_recording(folder: Path) -> Recording:
    """Open the recording in `folder`. Raises InputError when it is none."""
    if not folder.is_dir():
        raise InputError(
            f"{folder} is no folder; give the folder of a recording, which holds recording.toml."
        )
    data = read_toml(
        folder / "recording.toml", missing=f"{folder} is no recording: it holds no recording.toml."
    )
    problems: list[str] = []
    return Recording(
        name=folder.name,
        board=read_board(_table(data, "board"), "recording.toml"),
        match=read_match(data.get("match", {}), "recording.toml"),
        camera=_camera(folder, data),
        dice=_dice(folder / "dice.log", problems),
        commands=_commands(folder / "events.jsonl", problems),
        problems=tuple(problems),
    )


def read_toml(path: Path, missing: str) -> dict[str, Any]:
    """What a TOML file says. Raises InputError, with the sentence `missing` when the file is not there."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(missing) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}; mend the file.") from None


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name)
    if not isinstance(table, dict):
        raise InputError(f"recording.toml has no [{name}] table; add it.")
    return table


def read_board(table: dict[str, Any], file: str) -> BoardSettings:
    """The table [board] of `file`. Raises InputError that names the file when something in it is wrong."""
    try:
        corners = [(float(x), float(y)) for x, y in table["corners_px"]] if "corners_px" in table else None
        if corners is not None and len(corners) != 4:
            raise ValueError("corners_px must be four pairs of pixels")
        left, right = (float(edge) for edge in table.get("bar", (0.46, 0.54)))
        seating = Seating(
            white_home=table.get("white_home", CORNERS[0]), light=Player(table.get("light", "white"))
        )
        field_mm = tuple(float(mm) for mm in table["field_mm"]) if "field_mm" in table else None
        checker_mm = float(table["checker_mm"]) if "checker_mm" in table else None
        if field_mm is not None and len(field_mm) != 2:
            raise ValueError("field_mm must be the field's width and height")
    except (TypeError, ValueError) as error:
        raise InputError(f"[board] in {file} is wrong: {error}; mend it.") from None
    return BoardSettings(
        corners_px=None if corners is None else (corners[0], corners[1], corners[2], corners[3]),
        bar=(left, right),
        seating=seating,
        home_known="white_home" in table,
        checker_mm=checker_mm,
        field_mm=None if field_mm is None else (field_mm[0], field_mm[1]),
    )


def read_match(table: dict[str, Any], file: str) -> MatchSettings:
    """The table [match] of `file`. Raises InputError that names the file when something in it is wrong."""
    try:
        laws = str(table.get("laws", "modern"))
        if laws not in ALL_LAWS:
            raise InputError(f"The laws {laws!r} are not known; there are: {', '.join(ALL_LAWS)}.")
        start = MatchSettings(laws=laws).start
        settings = MatchSettings(
            white=str(table.get("white", "White")),
            black=str(table.get("black", "Black")),
            length=int(table.get("length", 0)),
            laws=laws,
            position=Position.parse(table["position"]) if "position" in table else start,
            on_roll=Player(table["on_roll"]) if "on_roll" in table else None,
        )
    except (AttributeError, TypeError, ValueError, PositionError) as error:
        raise InputError(f"[match] in {file} is wrong: {error}; mend it.") from None
    if settings.position != settings.start and settings.position.problems():
        raise InputError(f"The position in {file} is wrong: {settings.position.problems()[0]}; mend it.")
    return settings


def _commands(path: Path, problems: list[str]) -> tuple[Event, ...]:
    try:
        return tuple(read_commands(path.read_text(encoding="utf-8").splitlines(), problems))
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"events.jsonl cannot be read ({error}): what people said is left out.")
        return ()


def _camera(folder: Path, data: dict[str, Any]) -> FolderCamera | VideoCamera:
    film = folder / "video.mp4"
    if not film.exists():
        films = sorted(path for path in folder.glob("video.*") if path.is_file())
        film = films[0] if films else film
    try:
        if film.exists():
            return VideoCamera(film, fps=_video_fps(data))
        return FolderCamera(folder / "frames")
    except CameraUnavailable as error:
        raise InputError(str(error)) from None


def _video_fps(data: dict[str, Any]) -> float:
    fps = data.get("video_fps")
    if not isinstance(fps, int | float) or not 0 < fps <= 1000:
        raise InputError("recording.toml must give video_fps, the film's frames a second, above 0.")
    return float(fps)


def _dice(path: Path, problems: list[str]) -> DiceLog | None:
    try:
        return DiceLog.read(path)
    except FileNotFoundError:
        problems.append(
            "There is no dice.log: the dice are read from the pictures, or inferred from the plays."
        )
    except OSError as error:
        problems.append(
            f"dice.log cannot be read ({error.strerror}): "
            "the dice are read from the pictures, or inferred from the plays."
        )
    return None
