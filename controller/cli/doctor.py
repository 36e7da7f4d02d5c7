"""The command `blotlight doctor`: check each device, and say what to do about those that fail."""

import argparse
import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from controller.errors import InputError
from controller.perception.board_check import check_board
from controller.service.clock import real_ms
from controller.service.devices import strip_lights
from controller.service.settings import StripSettings, find_lights, find_settings
from controller.service.setup.settings_writer import toml_text
from controller.service.shutdown import interrupted
from hardware.apa102 import STRIP_ORDER
from hardware.device_checks import Finding, Setup, all_well, check_devices
from hardware.plans.build_steps import STEPS, check_step
from hardware.plans.camera_stand import ENOUGH_PX, LENSES, Board, Lens, lowest_height_mm, view
from hardware.strip_walk import StripWalk
from sentences import begun, say


def add_doctor(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    doctor = commands.add_parser("doctor", help="check each device, and say what to do about those that fail")
    doctor.add_argument("--json", action="store_true", help="print one JSON object a device")
    doctor.add_argument(
        "--dice-port", metavar="PATH", help="the serial port of the dice tray; default: looked for"
    )
    doctor.add_argument(
        "--camera",
        metavar="DEVICE",
        help='a V4L2 device, part of a USB camera\'s name, or "picamera"; default: as in the settings',
    )
    doctor.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="a file of settings; default: the one that blotlight play reads",
    )
    doctor.add_argument(
        "--picture", type=Path, metavar="FILE", help="check this picture instead of one from the camera"
    )
    doctor.set_defaults(run=_run_checks)
    parts = doctor.add_subparsers(metavar="[PART]")
    stand = parts.add_parser("camera", help="compute how high the camera must stand over a board")
    stand.add_argument(
        "--board",
        required=True,
        type=_two_lengths_mm,
        metavar="WxD",
        help="size of the open board in mm, such as 620x540",
    )
    stand.add_argument("--checker", required=True, type=float, metavar="MM", help="diameter of a checker")
    stand.add_argument(
        "--lens",
        type=float,
        default=66.0,
        metavar="DEGREES",
        help="the lens's angle of view across the picture",
    )
    stand.add_argument(
        "--height",
        type=float,
        metavar="MM",
        help="height of the lens over the board; default: the lowest possible",
    )
    stand.add_argument(
        "--beside",
        type=float,
        default=0.0,
        metavar="MM",
        help="distance of the lens from the board's middle, sideways",
    )
    stand.set_defaults(run=_run_camera_stand)
    lights = parts.add_parser("lights", help="light each LED in turn, to find out their order")
    lights.add_argument("--off", action="store_true", help="only switch all LEDs off, after a crash")
    lights.set_defaults(run=_run_lights)


def _two_lengths_mm(text: str) -> tuple[float, float]:
    try:
        width, depth = (float(length) for length in text.split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(say("board_size_not_read")) from None
    return width, depth


def _run_checks(options: argparse.Namespace) -> int:
    """Returns 0 when every device passes, 1 otherwise."""
    findings = []
    for finding in _findings(_setup(options)):
        findings.append(finding)
        print(_as_json(finding) if options.json else _as_text(finding), flush=True)
    return 0 if all_well(findings) else 1


def _findings(setup: Setup) -> Iterator[Finding]:
    """Each device as it is checked, then each step of building."""
    by_part = {}
    for finding in check_devices(setup, real_ms):
        by_part[finding.part] = finding
        yield finding
    for step in STEPS:
        yield check_step(step, by_part)


def _setup(options: argparse.Namespace) -> Setup:
    """What to check: the settings that `blotlight play` finds. An option overrides them."""
    settings = find_settings(options.settings, None, os.environ)
    return Setup(
        dice_port=options.dice_port or settings.dice_port,
        camera=options.camera or settings.camera.device,
        size_wh=settings.camera.size_wh,
        picture=options.picture,
        judge_board=partial(check_board, board=settings.board),
        record_folder=_nearest_folder(settings.folder),
        led_max_ma=settings.lights.max_ma,
    )


def _nearest_folder(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists: a folder for matches is made when needed."""
    return next((path for path in (folder, *folder.absolute().parents) if path.is_dir()), folder)


def _as_text(finding: Finding) -> str:
    return f"{finding.part:<13} {finding.state.value:<10} {finding.words}"


def _as_json(finding: Finding) -> str:
    return json.dumps({"part": finding.part, "state": finding.state.value, "words": finding.words})


def _run_camera_stand(options: argparse.Namespace) -> int:
    """Returns 0 when every point is seen large enough, 1 otherwise."""
    width_mm, depth_mm = options.board
    measures_mm = [width_mm, depth_mm, options.checker]
    if options.height is not None:
        measures_mm.append(options.height)
    are_possible = all(0 < length < math.inf for length in measures_mm) and math.isfinite(options.beside)
    if not are_possible or not 0 < options.lens < 180:
        raise InputError(say("measures_impossible"))
    board = Board(name="yours", width_mm=width_mm, depth_mm=depth_mm, checker_mm=options.checker)
    lens = Lens(name="yours", across_deg=options.lens)
    height_mm = options.height or lowest_height_mm(board, lens) + 1
    seen = view(board, lens, height_mm=height_mm, beside_mm=options.beside)
    print(say("seen_from", height_mm=height_mm, beside_mm=options.beside))
    print(say("whole_board_seen") if seen.fits else say("board_cut_off"))
    print(say("checker_across", least_px=seen.least_px, most_px=seen.most_px, enough_px=ENOUGH_PX))
    print(say("points_large_enough") if seen.enough else say("points_too_small"))
    names = ", ".join(f"{lens.name} {lens.across_deg:g}" for lens in LENSES)
    print(say("lenses", names=names))
    return 0 if seen.enough else 1


def _run_lights(options: argparse.Namespace) -> int:
    try:
        strip = find_lights(options.settings, os.environ)
    except InputError as problem:
        if not options.off:
            raise
        strip = StripSettings()
        pins = say("usual_pins_taken", problem=problem, data_bcm=strip.data_bcm, clock_bcm=strip.clock_bcm)
        print(f"blotlight: {pins}", file=sys.stderr)
    strip = replace(strip, order=STRIP_ORDER)  # the usual order: the walk finds out the true one
    with interrupted(), closing(strip_lights(strip, real_ms)) as lights:
        if options.off:
            return 0
        print(say("places_of_the_strip"))
        walking = StripWalk(lights, STRIP_ORDER)
        while (place := walking.place) is not None:
            try:
                walking.see(_ask(place))
            except ValueError as error:
                print(f"{begun(str(error))}.")
    order = walking.seen
    print(say("strip_order_default") if order == STRIP_ORDER else f"order = {toml_text(order)}")
    return 0


def _ask(place: int) -> int:
    while True:
        try:
            answer = input(f"{say('which_place_is_lit', place=place)} ")
        except EOFError:
            raise KeyboardInterrupt from None  # Ctrl-D stops the walk as Ctrl-C does
        if answer.strip() == "":
            return place
        if answer.strip().isdecimal():
            return int(answer)
