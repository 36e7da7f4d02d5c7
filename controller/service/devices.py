"""The devices of a board, opened as the settings say."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace

from controller.service.clock import Clock
from controller.service.display import DeviceState, Display
from controller.service.keyboard import Keyboard
from controller.service.settings import ServiceSettings, StripSettings
from hardware.apa102 import StripLights, load_gpio
from hardware.camera import Camera
from hardware.device_errors import LightsUnavailable
from hardware.dice_events import DiceSensor
from hardware.dice_log import DiceLogWriter
from hardware.dice_port import SerialDice, find_dice_port
from hardware.light_port import Lights
from hardware.live_camera import LiveCamera, PicameraSource, PictureSource, open_camera
from sentences import Key, said_of, say


@dataclass(frozen=True, kw_only=True)
class Devices:
    """The devices of a board, and the keyboard.

    lines: returns the lines typed since the last call. problems: returns every problem of the devices since
    the start, except the camera's. expects_lights: whether the settings ask for a strip. ended: returns
    whether nothing more will happen. lens_dioptres: returns the fixed focus of the camera's lens, None if it
    has none. help: what may be typed besides the commands of the game, and what it means.
    """

    camera: Camera
    dice: DiceSensor
    lights: tuple[Lights, ...]
    lines: Callable[[], list[str]]
    problems: Callable[[], list[str]] = list
    expects_lights: bool = False
    ended: Callable[[], bool] = lambda: False
    lens_dioptres: Callable[[], float | None] = lambda: None
    help: tuple[tuple[str, Key], ...] = ()


CAMERA_GONE_MS = 3000
"""Time without a picture after which the camera is gone. Guess: one second more than the driver waits."""


class DeviceWatch:
    """Keeps whether camera, dice tray and lights are there, and since when. A tray counts once found."""

    def __init__(self, t_ms: int, *, has_lights: bool, expects_lights: bool) -> None:
        self._frame_ms: int | None = None
        self._were_here: set[str] = set()
        self._states = {
            name: DeviceState(name=name, is_here=is_here, since_ms=t_ms, is_set_up=is_set_up)
            for name, is_here, is_set_up in (
                ("camera", False, True),
                ("dice", False, False),
                ("lights", has_lights, has_lights or expects_lights),
            )
        }

    @property
    def has_seen(self) -> bool:
        """Whether any picture has come."""
        return self._frame_ms is not None

    def note_frame(self, t_ms: int) -> bool:
        """Note that a picture has come. Returns whether the camera was gone and is back."""
        self._look_for_camera(t_ms)
        self._frame_ms = t_ms
        return self._set("camera", True, t_ms)

    def note_dice(self, is_here: bool, t_ms: int) -> bool:
        """Note that the dice sensor was found or lost. Returns whether it was gone and is back."""
        return self._set("dice", is_here, t_ms)

    def note_pace(self, a_second: int | None) -> None:
        """Note how many pictures a second are read; None when as many as are wanted."""
        self._states["camera"] = replace(self._states["camera"], slow_a_second=a_second)

    def states(self, t_ms: int) -> tuple[DeviceState, ...]:
        """Every device as it is now."""
        self._look_for_camera(t_ms)
        return tuple(self._states.values())

    def _look_for_camera(self, t_ms: int) -> None:
        if self._frame_ms is not None and t_ms - self._frame_ms > CAMERA_GONE_MS:
            self._set("camera", False, self._frame_ms)

    def _set(self, name: str, is_here: bool, t_ms: int) -> bool:
        """Returns whether the device was here before, then gone, and is back."""
        if self._states[name].is_here is is_here:
            return False
        self._states[name] = replace(self._states[name], is_here=is_here, since_ms=t_ms, is_set_up=True)
        is_back = is_here and name in self._were_here
        if is_here:
            self._were_here.add(name)
        return is_back


def real_devices(
    settings: ServiceSettings,
    clock: Clock,
    display: Display,
    log: DiceLogWriter | None,
    keyboard: Keyboard | None,
    cleaning: ExitStack,
) -> Devices:
    """The devices of a real board. Camera and tray are used whenever they are there."""
    camera_settings = settings.camera
    source: PictureSource | None = None

    def lens_dioptres() -> float | None:
        """The focus to open the camera with. A reopened camera keeps it: a hand may be over the board."""
        return source.lens_dioptres if isinstance(source, PicameraSource) else camera_settings.lens_dioptres

    def open_source() -> PictureSource:
        nonlocal source
        source = open_camera(camera_settings.device, camera_settings.size_wh, lens_dioptres())
        return source

    camera = cleaning.enter_context(
        closing(LiveCamera(open_source, clock, every_ms=camera_settings.every_ms))
    )
    dice = cleaning.enter_context(
        closing(SerialDice(lambda: find_dice_port(settings.dice_port), clock, log=log))
    )
    strip = open_strip(settings.lights, clock, lambda sentence: display.say(clock(), sentence))
    if strip is not None:
        cleaning.enter_context(closing(strip))

    def problems() -> list[str]:
        found = [dice.last_error and say("tray_reports", problem=dice.last_error)]
        found += [dice.log_problem, strip.problem if strip else None]
        return [problem for problem in found if problem]

    return Devices(
        camera=camera,
        dice=dice,
        lights=(strip,) if strip else (),
        expects_lights=settings.lights.strip and settings.lights.is_set_up,
        lines=keyboard.lines if keyboard else list,
        problems=problems,
        lens_dioptres=lens_dioptres,
    )


def strip_lights(settings: StripSettings, clock_ms: Callable[[], int]) -> StripLights:
    """The strip of the settings. Raises LightsUnavailable when its pins cannot be driven."""
    return StripLights(
        load_gpio(),
        clock_ms,
        data_bcm=settings.data_bcm,
        clock_bcm=settings.clock_bcm,
        order=settings.order,
        max_brightness=settings.max_brightness,
        max_ma=settings.max_ma,
    )


def open_strip(settings: StripSettings, clock: Clock, tell: Callable[[str], None]) -> StripLights | None:
    """The LED strip. None when it cannot be driven; `tell` gets the reason."""
    if not settings.strip:
        return None
    try:
        return strip_lights(settings, clock)
    except LightsUnavailable as problem:
        tell(said_of(problem))
        return None
