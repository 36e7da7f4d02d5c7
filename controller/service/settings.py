"""The settings of the service: one TOML file. Every option is checked; an unknown one is refused by name.

docs/service.md lists them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from controller.options import OptionError, OptionTable, TableError, naming_lines, why_unknown
from controller.perception.board_settings import BoardSettings, parse_board_settings
from controller.record.match_settings import MatchSettings, parse_match_settings
from controller.referee import RefereeSettings
from controller.referee.effects import Mode
from controller.referee.words.sentences import Speech
from controller.service.matches.match_folder import matches_folder
from controller.service.recordings.pruning import PictureLimits
from controller.service.recordings.recording import MOST_SETTLE_MS, load_toml
from hardware.apa102 import CLOCK_BCM, DATA_BCM, MAX_BRIGHTNESS, MAX_MA, STRIP_ORDER
from hardware.light_port import N_LIGHTS
from hardware.live_camera import ANY_CAMERA, SIZE_WH
from sentences import Key, say

SETTINGS_NAME = "blotlight.toml"

Table = Mapping[str, Any]
T = TypeVar("T")
E = TypeVar("E", bound=Enum)

OPTIONS: dict[str, tuple[str, ...]] = {
    "board": ("corners_px", "bar", "white_home", "light", "checker_mm", "field_mm"),
    "match": ("white", "black", "length", "laws", "position", "on_roll", "chouette"),
    "referee": ("mode", "settle_ms", "book", "words"),
    "camera": ("device", "size", "every_ms", "lens_dioptres"),
    "dice": ("port",),
    "lights": ("strip", "data_bcm", "clock_bcm", "order", "max_brightness", "max_ma"),
    "page": ("delay_s", "metrics"),
    "club": ("link",),
    "record": ("folder", "pictures", "pictures_days", "pictures_mb"),
}
"""Every table and its options."""


@dataclass(frozen=True, kw_only=True)
class CameraSettings:
    """The camera.

    device: as hardware.live_camera.open_camera takes it. every_ms: the time between two frames
    that are read; 200 is a guess. lens_dioptres: fixed focus of the lens; None to focus once at the start.
    """

    device: str = ANY_CAMERA
    size_wh: tuple[int, int] = SIZE_WH
    every_ms: int = 200
    lens_dioptres: float | None = None


@dataclass(frozen=True, kw_only=True)
class StripSettings:
    """The LED strip, as hardware.apa102.StripLights takes it.

    strip: whether to use one that is there. is_set_up: whether the settings have a table for it.
    """

    strip: bool = True
    is_set_up: bool = False
    data_bcm: int = DATA_BCM
    clock_bcm: int = CLOCK_BCM
    order: tuple[int, ...] = STRIP_ORDER
    max_brightness: float = MAX_BRIGHTNESS
    max_ma: float = MAX_MA


@dataclass(frozen=True, kw_only=True)
class ServiceSettings:
    """All settings of the service.

    settle_ms: how long the board must lie still before it is judged. book: show the advice of the old books
    at a first roll. words: how throws and plays are worded. dice_port: None to look for it. delay_s: how much
    later spectators of the page see the game. metrics: let Prometheus read the counters from the page.
    club_link: the file by which the board is published to a club.
    folder: where records are kept. pictures: keep recordings there too, within picture_limits.
    """

    board: BoardSettings
    match: MatchSettings
    mode: Mode = Mode.COACH
    settle_ms: int = 750
    book: bool = False
    words: Speech = Speech.PLAIN
    camera: CameraSettings = CameraSettings()
    dice_port: str | None = None
    lights: StripSettings = StripSettings()
    delay_s: float = 0.0
    metrics: bool = False
    club_link: Path | None = None
    pictures: bool = False
    picture_limits: PictureLimits = field(default_factory=PictureLimits)
    folder: Path

    @property
    def unfocused(self) -> "ServiceSettings":
        """These settings with a lens that is still to be focused, for setting the board up."""
        return replace(self, camera=replace(self.camera, lens_dioptres=None))

    @property
    def referee(self) -> RefereeSettings:
        return RefereeSettings(mode=self.mode, settle_ms=self.settle_ms)


def settings_file(given: Path | None, environment: Mapping[str, str]) -> Path:
    """The file of the settings: as given, else blotlight.toml in systemd's folder or the current one."""
    return given or Path(environment.get("CONFIGURATION_DIRECTORY", ".")) / SETTINGS_NAME


def find_settings(
    given: Path | None, matches: Path | None, environment: Mapping[str, str]
) -> ServiceSettings:
    """The settings of the service, which every command finds in the same place.

    given: the file to read; None for blotlight.toml in systemd's folder or the current one, if it exists.
    matches: the folder of the matches; None for that of the settings, of systemd, or of the user's data.
    Raises InputError that names the wrong option, or the file that is not there.
    """
    data, file = _read_settings(given, environment)
    record = data.get("record")
    has_folder = isinstance(record, dict) and bool(record.get("folder"))
    folder = file.parent if has_folder and matches is None else matches_folder(matches, environment)
    settings = parse_settings(data, file, folder)
    return settings if matches is None else replace(settings, folder=folder)


def load_settings(path: Path, records: Path) -> ServiceSettings:
    """The settings in a file. Raises InputError that names the wrong option.

    records: the folder of records, unless the file names one. A relative name starts from the file's folder.
    """
    missing = say("no_settings", file=path)
    return parse_settings(load_toml(path, missing), path, records)


def find_lights(given: Path | None, environment: Mapping[str, str]) -> StripSettings:
    """The wiring of the LEDs in the settings. Unlike `find_settings` it bears mistakes in other tables."""
    data, file = _read_settings(given, environment)
    lights = {name: table for name, table in data.items() if name == "lights"}
    return parse_settings(lights, file, file.parent).lights


def _read_settings(given: Path | None, environment: Mapping[str, str]) -> tuple[Table, Path]:
    """The tables of the settings, and their file; no table where there is no file."""
    file = settings_file(given, environment)
    has_file = given is not None or file.exists()
    return load_toml(file, say("no_settings", file=file)) if has_file else {}, file


def parse_settings(data: Table, path: Path, records: Path) -> ServiceSettings:
    """The settings in the tables of a file. Without [board] the board is looked for in the pictures."""
    with naming_lines(path):
        _refuse_unknown(data, path.name)
        table = _OptionReader(data, path.name)
        return ServiceSettings(
            board=parse_board_settings(data.get("board", {}), path.name),
            match=parse_match_settings(data.get("match", {}), path.name),
            mode=table.one_of("referee", "mode", Mode.COACH),
            settle_ms=table.number("referee", "settle_ms", 750, least=0, most=MOST_SETTLE_MS),
            book=table.get("referee", "book", False),
            words=table.one_of("referee", "words", Speech.PLAIN),
            camera=_parse_camera(table),
            dice_port=table.get("dice", "port", "") or None,
            lights=_parse_strip(table),
            delay_s=table.number("page", "delay_s", 0.0, least=0.0, most=3600.0),
            metrics=table.get("page", "metrics", False),
            club_link=path.parent / link if (link := table.get("club", "link", "")) else None,
            pictures=table.get("record", "pictures", False),
            picture_limits=PictureLimits(
                most_days=table.number("record", "pictures_days", 30.0, least=0.0, most=36_500.0),
                most_bytes=table.number("record", "pictures_mb", 4000, least=0, most=10_000_000) * 1_000_000,
            ),
            folder=path.parent / folder if (folder := table.get("record", "folder", "")) else records,
        )


def _refuse_unknown(data: Table, file: str) -> None:
    for name, table in data.items():
        if name not in OPTIONS:
            raise TableError(name, file, why_unknown(name, tuple(OPTIONS), OPTIONS))
        if not isinstance(table, dict):
            raise TableError(name, file, say("must_be_table", name=name))
        for option in table:
            if option not in OPTIONS[name]:
                elsewhere = {other: options for other, options in OPTIONS.items() if other != name}
                raise OptionError(name, option, file, why_unknown(option, OPTIONS[name], elsewhere))


_KINDS = {str: Key("text_in_quotes"), bool: Key("true_or_false"), list: Key("a_list")}


@dataclass(frozen=True)
class _OptionReader:
    """Gets options from the tables and checks them."""

    data: Table
    file: str

    def get(self, table: str, option: str, default: T) -> T:
        value = self.data.get(table, {}).get(option, default)
        if not isinstance(value, type(default)):
            raise self.wrong(table, option, say("must_be_kind", kind=say(_KINDS[type(default)])))
        return value

    def number(self, table: str, option: str, default: T, *, least: float, most: float) -> T:
        value = self.data.get(table, {}).get(option, default)
        kind = int if isinstance(default, int) else (int, float)
        if not isinstance(value, kind) or isinstance(value, bool) or not least <= value <= most:
            whole = say("must_be_whole_number", least=least, most=most)
            number = say("must_be_number", least=least, most=most)
            raise self.wrong(table, option, whole if kind is int else number)
        return type(default)(value)  # type: ignore[call-arg]

    def one_of(self, table: str, option: str, default: E) -> E:
        name = self.get(table, option, str(default.value))
        known = {choice.value: choice for choice in type(default)}
        if name not in known:
            raise self.wrong(table, option, say("must_be_known", known=", ".join(known)))
        return known[name]

    def wrong(self, table: str, option: str, what: str) -> OptionError:
        return OptionError(table, option, self.file, what)


def _parse_camera(table: _OptionReader) -> CameraSettings:
    size = table.get("camera", "size", list(SIZE_WH))
    if len(size) != 2 or not all(isinstance(px, int) and 160 <= px <= 8000 for px in size):
        raise table.wrong("camera", "size", say("must_be_size"))
    return CameraSettings(
        device=table.get("camera", "device", CameraSettings.device),
        size_wh=(size[0], size[1]),
        every_ms=table.number("camera", "every_ms", CameraSettings.every_ms, least=20, most=2000),
        lens_dioptres=OptionTable("camera", table.data.get("camera", {}), table.file).number(
            "lens_dioptres", least=0.0, most=32.0
        ),
    )


def _parse_strip(table: _OptionReader) -> StripSettings:
    order = tuple(table.get("lights", "order", list(STRIP_ORDER)))
    if not all(isinstance(place, int) for place in order) or sorted(order) != list(range(N_LIGHTS)):
        raise table.wrong("lights", "order", say("must_name_places", last=N_LIGHTS - 1))
    data_bcm = table.number("lights", "data_bcm", DATA_BCM, least=0, most=27)
    clock_bcm = table.number("lights", "clock_bcm", CLOCK_BCM, least=0, most=27)
    if data_bcm == clock_bcm:
        raise table.wrong("lights", "clock_bcm", say("must_be_other_pin"))
    return StripSettings(
        is_set_up="lights" in table.data,
        strip=table.get("lights", "strip", True),
        data_bcm=data_bcm,
        clock_bcm=clock_bcm,
        order=order,
        max_brightness=table.number("lights", "max_brightness", MAX_BRIGHTNESS, least=0.0, most=1.0),
        max_ma=table.number("lights", "max_ma", MAX_MA, least=0.0, most=60_000.0),
    )
