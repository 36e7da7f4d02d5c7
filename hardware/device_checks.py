"""Checks of each device, with what to do about those that fail."""

import grp
import os
import pwd
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import serial

from hardware.apa102 import MA_IDLE, MA_PER_CHANNEL, MAX_MA, load_gpio
from hardware.camera import Image, load_picture
from hardware.device_errors import CameraUnavailable, DicePortNotFound, LightsUnavailable, PictureUnreadable
from hardware.dice_port import BAUD, UNPLUGGED, find_dice_port
from hardware.light_port import N_LIGHTS
from hardware.live_camera import ANY_CAMERA, SIZE_WH, camera_that_is_there, open_camera
from hardware.wire import PROTOCOL_VERSION, Error, Hello, Line, LineParser, encode
from sentences import say

Levels = npt.NDArray[np.float32]

TOO_DARK, TOO_BRIGHT = 30, 200
"""Mean grey levels (0 to 255) below and above which checkers are hard to tell apart. Guesses."""
SHARP = 0.3
"""The least `sharpness` of a picture in focus. Sharp pictures have 0.5 to 1; blurred by 1.5 pixels they have
0.3 or less."""
NEEDED_PARTS = ("camera", "light", "focus", "geometry", "disk")
"""Parts that must be there. Any computer will do, LEDs are optional, and dice can be read in the picture."""
LEAST_FREE_BYTES = 500_000_000
"""Least free disk space for records. Guess."""
EARLIEST_YEAR = 2026
"""A clock that shows an earlier one is wrong: this program is younger."""


class CheckStatus(Enum):
    """The result of a check."""

    OK = "ok"
    WRONG = "not ok"
    MISSING = "not there"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """The result for one part. words: one sentence with what was found and what to do next."""

    part: str
    state: CheckStatus
    words: str


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What to check: the settings with which the service would run.

    camera: as hardware.live_camera.open_camera takes it. picture: a file to check instead of the camera's
    picture. judge_board: checks how the board lies in a picture. led_max_ma: largest current of the LEDs in
    mA. led_supply_ma: current that their supply gives.
    """

    dice_port: str | None = None
    camera: str = ANY_CAMERA
    size_wh: tuple[int, int] = SIZE_WH
    picture: Path | None = None
    judge_board: Callable[[Image], Finding] | None = None
    record_folder: Path = Path()
    led_max_ma: float = MAX_MA
    led_supply_ma: float = 2000.0


def check_devices(setup: Setup, clock_ms: Callable[[], int]) -> Iterator[Finding]:
    """Check every part in turn. A dice tray has 3 s to answer; a camera may need longer to focus."""
    yield check_computer()
    yield check_supply()
    yield check_gpio_library()
    yield check_led_current(setup)
    yield check_dice_tray(setup, clock_ms)
    yield from check_camera(setup)
    yield check_permissions(setup)
    yield check_disk(setup)
    yield check_clock()


def all_well(findings: Sequence[Finding]) -> bool:
    """Whether no part is wrong, and none of NEEDED_PARTS is missing."""
    return all(
        finding.state is CheckStatus.OK
        or (finding.state is CheckStatus.MISSING and finding.part not in NEEDED_PARTS)
        for finding in findings
    )


def _ok(part: str, words: str) -> Finding:
    return Finding(part=part, state=CheckStatus.OK, words=words)


def _wrong(part: str, words: str) -> Finding:
    return Finding(part=part, state=CheckStatus.WRONG, words=words)


def _missing(part: str, words: str) -> Finding:
    return Finding(part=part, state=CheckStatus.MISSING, words=words)


def check_computer(model_file: Path = Path("/proc/device-tree/model")) -> Finding:
    """The model of the Raspberry Pi, as the kernel names it."""
    try:
        model = model_file.read_text(errors="replace").strip("\0\n ")
    except OSError:
        return _missing("computer", say("no_pi"))
    if "Raspberry Pi" not in model:
        return _missing("computer", say("other_computer", model=model))
    return _ok("computer", f"{model}.")


def check_supply(monitors: Path = Path("/sys/class/hwmon")) -> Finding:
    """Whether the Pi has had enough voltage since it started, according to its own monitor."""
    for name in sorted(monitors.glob("*/name")):
        if name.read_text().strip() != "rpi_volt":
            continue
        if (name.parent / "in0_lcrit_alarm").read_text().strip() != "0":
            return _wrong("supply", say("too_little_voltage"))
        return _ok("supply", say("enough_voltage"))
    return _missing("supply", say("voltage_not_told"))


def check_gpio_library() -> Finding:
    """Whether the GPIO library for the LEDs is installed."""
    try:
        gpio = load_gpio()
    except LightsUnavailable as problem:
        return _missing("GPIO library", str(problem))
    return _ok(
        "GPIO library", say("gpio_installed", version=getattr(gpio, "VERSION", say("of_unknown_version")))
    )


def check_led_current(setup: Setup) -> Finding:
    """The current that the LEDs may draw, compared with their supply."""
    most_ma = N_LIGHTS * (MA_IDLE + 3 * MA_PER_CHANNEL)
    cap = say("leds_held_to", n_leds=N_LIGHTS, held_ma=setup.led_max_ma, most_ma=most_ma)
    if setup.led_max_ma > setup.led_supply_ma:
        return _wrong("LED current", say("led_supply_too_small", cap=cap, supply_ma=setup.led_supply_ma))
    return _ok("LED current", say("led_supply_enough", cap=cap, supply_ma=setup.led_supply_ma))


def check_dice_tray(setup: Setup, clock_ms: Callable[[], int]) -> Finding:
    """The tray's answer to HELLO. It has 3 s, because a Nano resets when its port is opened."""
    part = "dice tray"
    try:
        port = find_dice_port(setup.dice_port)
    except DicePortNotFound as problem:
        return _missing(part, str(problem))
    try:
        hello, error = _ask_hello(port, clock_ms)
    except UNPLUGGED as problem:
        is_there = Path(port).exists()
        return _wrong(
            part, say("port_not_opened", port=port, problem=problem) if is_there else say("no_tray")
        )
    if hello is None:
        return _wrong(part, say("tray_silent_at", port=port))
    if hello.protocol != PROTOCOL_VERSION:
        return _wrong(
            part,
            say(
                "firmware_of_other_protocol",
                firmware=hello.firmware,
                port=port,
                protocol=hello.protocol,
                ours=PROTOCOL_VERSION,
            ),
        )
    found = say("firmware_reads", firmware=hello.firmware, port=port, n_dice=hello.dice)
    return _ok(part, say("firmware_reported", found=found, error=error) if error else found)


def _ask_hello(port: str, clock_ms: Callable[[], int]) -> tuple[Hello | None, str | None]:
    """The answer to HELLO, and the last fault reported before it, within 3 s."""
    parser, error = LineParser(), None
    give_up_ms = clock_ms() + 3000
    with serial.Serial(port, BAUD, timeout=0.3, write_timeout=1.0, exclusive=True) as line:
        while clock_ms() < give_up_ms:
            line.write(encode(0, "HELLO"))
            for found in parser.feed(line.read(64)):
                match found:
                    case Line(message=Hello() as hello):
                        return hello, error
                    case Line(message=Error(code=code)):
                        error = code
    return None, error


def check_camera(setup: Setup) -> Iterator[Finding]:
    """The camera, then the light, the focus and the board in its picture."""
    image = None
    try:
        if setup.camera == ANY_CAMERA and not setup.picture:
            setup = replace(setup, camera=camera_that_is_there())
        image = load_picture(setup.picture) if setup.picture else _picture(setup)
    except (CameraUnavailable, PictureUnreadable) as problem:
        yield _missing("camera", str(problem))
    else:
        yield _camera_finding(setup, image)
    judges: list[tuple[str, Callable[[Image], Finding]]] = [("light", check_light), ("focus", check_focus)]
    if setup.judge_board is not None:
        judges.append(("geometry", setup.judge_board))
    for part, judge in judges:
        missing = _missing(part, say("no_picture_to_judge"))
        yield missing if image is None else judge(image)


def _picture(setup: Setup) -> Image | None:
    """A picture of the camera, None when it gives none. Raises CameraUnavailable when it cannot be opened."""
    with closing(open_camera(setup.camera, setup.size_wh)) as source:
        image = None
        for _ in range(10):  # the first pictures after opening are dark
            if not source.wait():
                return None
            image = source.picture()
        if image is not None:
            source.lock_exposure()  # as the service does; it also focuses a lens that is moved by software
            image = source.picture() if source.wait() else None
        return image


def _camera_finding(setup: Setup, image: Image | None) -> Finding:
    if image is None:
        return _wrong("camera", say("camera_without_pictures", camera=setup.camera))
    height, width = image.shape[:2]
    return _ok(
        "camera", say("gives_pictures", camera=setup.picture or setup.camera, width=width, height=height)
    )


def check_light(image_bgr: Image) -> Finding:
    """Whether the picture is neither too dark nor too bright."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    level = float(grey.mean())
    glare = float((grey >= 250).mean())
    if level < TOO_DARK:
        return _wrong("light", say("too_dark", level=level))
    if level > TOO_BRIGHT or glare > 0.1:
        return _wrong("light", say("blinding", glare=glare, level=level))
    return _ok("light", say("lit_well", level=level))


def check_focus(image_bgr: Image) -> Finding:
    """Whether the picture is sharp."""
    sharp = sharpness(image_bgr)
    if sharp < SHARP:
        return _wrong("focus", say("blurred", sharp=sharp, needed=SHARP))
    return _ok("focus", say("is_sharp", sharp=sharp))


def sharpness(image_bgr: Image) -> float:
    """The strength of the finest detail of a picture relative to coarser detail: 0.5 and more in focus.

    Both are measured in the same picture, so the ratio depends little on the light and on the scene.
    """
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = _blurred(grey, 1)
    coarse = _detail(smooth, _blurred(grey, 3))
    fine = _detail(grey, smooth)
    return fine / coarse if coarse >= 1 else 0.0


def _blurred(grey: Levels, sigma_px: float) -> Levels:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma_px), dtype=np.float32)


def _detail(grey: Levels, smooth: Levels) -> float:
    """The 99th percentile of the absolute difference that smoothing makes."""
    return float(np.percentile(cv2.absdiff(grey, smooth), 99, overwrite_input=True))


def check_permissions(setup: Setup) -> Finding:
    """Whether this user may read and write the devices that exist."""
    devices = [
        ("gpio", Path("/dev/gpiochip0")),
        ("dialout", Path(setup.dice_port or "/dev/ttyUSB0")),
        ("video", Path(setup.camera)),
    ]
    barred = [
        (group, path) for group, path in devices if path.exists() and not os.access(path, os.R_OK | os.W_OK)
    ]
    if barred:
        groups = ",".join(group for group, _ in barred)
        paths = ", ".join(str(path) for _, path in barred)
        user = pwd.getpwuid(os.geteuid()).pw_name
        return _wrong("permissions", say("groups_missing", paths=paths, groups=groups, user=user))
    names = ", ".join(sorted(_group_names()))
    return _ok("permissions", say("groups_enough", groups=names or say("no_groups")))


def _group_names() -> Iterator[str]:
    for group in os.getgroups():
        with suppress(KeyError):  # a group may have no name
            yield grp.getgrgid(group).gr_name


def check_disk(setup: Setup) -> Finding:
    """Whether records can be written, and there is room for them."""
    try:
        is_read_only = os.statvfs(setup.record_folder).f_flag & os.ST_RDONLY
        free = shutil.disk_usage(setup.record_folder).free
    except OSError as error:
        return _missing(
            "disk", say("record_folder_unusable", record_folder=setup.record_folder, reason=error.strerror)
        )
    if is_read_only:
        return _wrong("disk", say("disk_read_only", folder=setup.record_folder))
    if free < LEAST_FREE_BYTES:
        return _wrong("disk", say("little_room", free_mb=free / 1000000.0, folder=setup.record_folder))
    return _ok("disk", say("room_enough", free_gb=free / 1000000000.0))


def check_clock(
    now: datetime | None = None, synchronised: Path = Path("/run/systemd/timesync/synchronized")
) -> Finding:
    """Whether the date is plausible. A Pi has no battery-backed clock, and records carry the date."""
    now = now or datetime.now(UTC)
    if now.year < EARLIEST_YEAR:
        return _wrong("clock", say("clock_wrong", now=now))
    how = say("set_by_network") if synchronised.exists() else say("not_set_by_network")
    return _ok("clock", say("clock_says", now=now, how=how))
