"""The command `blotlight report`: the last minutes at the board as one file, for whoever can fix a fault."""

import argparse
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.cli.matches.kept_match_commands import add_matches_options, log_of
from controller.errors import InputError
from controller.installed_version import installed_version
from controller.service.health.counters import processor_celsius
from controller.service.matches.match_folder import matches_folder
from controller.service.recordings.recorder import RECORDINGS
from controller.service.recordings.recording import load_toml
from controller.service.recordings.report_file import newest_recording, pack_report
from controller.service.settings import find_settings, settings_file
from sentences import say
from vision.geometry import GeometryError

PACK_NAME = Path("blotlight-report.zip")
MOST_MINUTES = 60.0
PERSONAL = {
    "match": ("white", "black", "chouette"),
    "record": ("folder",),
    "club": ("link",),
    "camera": ("device",),
    "dice": ("port",),
}
"""Settings that may identify people, folders or a single device. They are left out of the report."""
MODEL = Path("/proc/device-tree/model")
"""The file in which a Raspberry Pi names its model."""


def add_report(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    report = commands.add_parser("report", help="pack the last minutes into a file, to show a wrong play")
    report.add_argument(
        "file", nargs="?", type=Path, default=PACK_NAME, metavar="FILE", help=f"default: {PACK_NAME}"
    )
    report.add_argument(
        "--minutes", type=float, default=5.0, metavar="N", help="how many minutes; default: 5"
    )
    report.add_argument(
        "--recording", type=Path, metavar="FOLDER", help="the recording; default: the newest that is kept"
    )
    add_matches_options(report)
    report.set_defaults(run=_run_report)


def _run_report(options: argparse.Namespace) -> None:
    if not 0 < options.minutes <= MOST_MINUTES:
        raise InputError(say("minutes_out_of_range", most=MOST_MINUTES))
    if options.file.exists():
        raise InputError(say("path_exists", path=options.file))
    wrong = _wrong_in_settings(os.environ)
    if wrong and options.matches is None:
        options.matches = matches_folder(None, os.environ)
    log = log_of(options)
    recording = options.recording or newest_recording(log.parent / RECORDINGS)
    packed = pack_report(recording, log, 60 * options.minutes, _about(os.environ, wrong), options.file)
    if wrong:
        print(f"blotlight: {say('report_without_settings', problem=wrong)}", file=sys.stderr)
    print(
        say("report_packed", file=options.file, seconds=round(packed.seconds), n_pictures=packed.n_pictures)
    )


def _wrong_in_settings(environment: Mapping[str, str]) -> str:
    """Why the settings cannot be used, as a sentence; "" when they can."""
    try:
        find_settings(None, None, environment)
    except (InputError, GeometryError) as error:
        return str(error)
    return ""


def _about(environment: Mapping[str, str], wrong: str) -> dict[str, Any]:
    """The program, the machine and the settings, without anything that names people, places or networks.

    wrong: what is wrong in the settings, which are then left out: what is misspelt there may be a name.
    """
    file = settings_file(None, environment)
    data = load_toml(file, "") if file.exists() and not wrong else {}
    return {
        "blotlight": installed_version() or "",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "opencv": cv2.__version__,
        "machine": platform.machine(),
        "model": MODEL.read_text(errors="replace").strip("\0\n") if MODEL.exists() else "",
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", ""),
        "kernel": platform.release(),
        "temperature_celsius": processor_celsius(),
        "settings_usable": not wrong,
        "settings": {
            table: {name: value for name, value in options.items() if name not in PERSONAL.get(table, ())}
            for table, options in data.items()
        },
    }
