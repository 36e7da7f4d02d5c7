"""Render sessions of boards.

    python -m vision.training.scenes OUT --numbers FIRST LAST [--dice | --stacks | --growing | --still]
        [--train | --held-out]

Each number gives OUT/<number>/ with pictures, labels.jsonl and board.json. Existing folders are skipped.
"""

import argparse
import json
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

from vision.training.scenes.labels import board_line, label
from vision.training.scenes.looks.families import BY_NAME, FAMILIES, HELD_OUT, TAUGHT
from vision.training.scenes.looks.family import Family
from vision.training.scenes.plan import (
    PICTURES_OF_A_SESSION,
    SENSOR_STREAM,
    Session,
    family_of,
    planned,
    planned_in_still_light,
    planned_with_dice,
    planned_with_growth,
    planned_with_stacks,
    pushed,
    stream,
)
from vision.training.scenes.sensor import Sensor


def numbers_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the arguments `out` and `numbers`, for commands that render scenes into a folder."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--numbers", type=int, nargs=2, required=True, metavar=("FIRST", "LAST"))
    return parser


def arguments(given: list[str]) -> argparse.Namespace:
    parser = numbers_parser(__doc__)
    parser.add_argument("--family", nargs="+", choices=sorted(BY_NAME), help="only these, in turn")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--train", action="store_true", help="leave out the held-out families")
    group.add_argument("--held-out", action="store_true", help="only the held-out families, in turn")
    shown = parser.add_mutually_exclusive_group()
    for option, plan, told in (
        ("--dice", planned_with_dice, "many dice and few checkers in each picture"),
        ("--stacks", planned_with_stacks, "tall stacks on many places in each picture"),
        ("--growing", planned_with_growth, "tall stacks that grow and shrink from picture to picture"),
        ("--still", planned_in_still_light, "the same in light that stays as it is"),
    ):
        shown.add_argument(option, dest="plan", action="store_const", const=plan, default=planned, help=told)
    parser.add_argument(
        "--pictures",
        type=int,
        nargs="+",
        choices=range(PICTURES_OF_A_SESSION),
        help="only these of each session",
    )
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(given)


def chosen(number: int, given: argparse.Namespace) -> Family:
    """The family that these arguments give a number."""
    names = given.family or (HELD_OUT if given.held_out else None)
    if names:
        return BY_NAME[names[number % len(names)]]
    return family_of(number, TAUGHT if given.train else tuple(family.name for family in FAMILIES))


def session_rendered(session: Session, folder: Path, threads: int) -> int:
    """Render a session into a folder; returns the number of pictures."""
    from vision.training.scenes.stage import Stage

    work = folder.with_name(folder.name + ".part")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    rng = stream(session.number, SENSOR_STREAM)
    sensor = Sensor.by_chance(rng)
    stage = Stage.of(session, work / "light.hdr", threads)
    lines = []
    for index, shot in enumerate(session.shots):
        light, inner = stage.photographed(shot, sensor.share(shot.camera))
        name = f"{index:02d}.jpg"
        (work / name).write_bytes(sensor.jpeg(rng, light, pushed(shot.camera, shot.push), shot.light, inner))
        lines.append(json.dumps(label(session, shot, name)))
    (work / "light.hdr").unlink()
    (work / "board.json").write_text(json.dumps(board_line(session)))
    (work / "labels.jsonl").write_text("\n".join(lines) + "\n")
    work.rename(folder)
    return len(lines)


def main(given: list[str]) -> None:
    asked = arguments(given)
    for number in range(asked.numbers[0], asked.numbers[1]):
        folder = asked.out / str(number)
        if folder.exists():
            continue
        began = time.monotonic()
        family = chosen(number, asked)
        session = asked.plan(number, family)
        if asked.pictures:
            session = replace(session, shots=tuple(session.shots[n] for n in asked.pictures))
        many = session_rendered(session, folder, asked.threads)
        print(f"{number} {family.name}: {(time.monotonic() - began) / many:.2f} s a picture", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
