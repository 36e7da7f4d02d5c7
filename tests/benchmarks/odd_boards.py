"""Measures whether photographs show that a checker lies on no point, or was forgotten at the start.

    python -m tests.benchmarks.odd_boards OUT --numbers FIRST LAST

Needs Blender as a module, like `vision.training.scenes`. Each number gives OUT/NUMBER: a board of a kind that
no training saw, at the start position, at that position without one checker, at a position from play, and at
that position with one of its checkers in the middle of the field. The corners are given.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from sentences import say
from vision.board_reading import N_POINTS, PLACES_IN_ROW
from vision.geometry import BoardGeometry, Image
from vision.photo.photo_reader import read_photo
from vision.training.flat_boards import view_of
from vision.training.scenes.__main__ import numbers_parser, session_rendered
from vision.training.scenes.looks.families import BY_NAME, HELD_OUT
from vision.training.scenes.objects.piling import Checker, counted
from vision.training.scenes.plan import Session, Shot, planned, stream

ODD = 4
"""Number of a random stream, different from those of `scenes.plan`."""
TRIES = 200
MIDDLE_SHARE = 0.13
"""Greatest distance of a loose checker from the field's middle line, as a share of the field's height."""
LEAST_APART = 1.15
"""Least distance between the middles of a loose checker and of others and dice, in diameters."""
KINDS = ("start", "forgotten", "play", "loose")


def session_of(number: int) -> Session | None:
    """The four pictures of this number; None if no picture fits or a loose checker finds no room."""
    session, rng = planned(number, BY_NAME[HELD_OUT[number % len(HELD_OUT)]]), stream(number, ODD)
    clear = [shot for shot in session.shots if not shot.things and "hand" not in shot.events]
    start = next((shot for shot in clear if shot.kind == "start"), None)
    play = next((shot for shot in clear if shot.kind == "play" and _uppermost(shot)), None)
    if start is None or play is None:
        return None
    spot = _spot(rng, session, play)
    if spot is None:
        return None
    upper = _uppermost(start), _uppermost(play)
    forgotten, moved = (checkers[int(rng.integers(len(checkers)))] for checkers in upper)
    loose = Checker(side=moved.side, foot_mm=spot, place=-1, layer=0)
    shots = (start, _without(start, forgotten), play, _without(play, moved, loose))
    return replace(session, shots=shots)


def _uppermost(shot: Shot) -> list[Checker]:
    """The checkers of the highest layer of each point."""
    _, piles = counted(list(shot.laid))
    return [one for one in shot.laid if 0 <= one.place < N_POINTS and one.layer + 1 == piles[one.place]]


def _without(shot: Shot, gone: Checker, *more: Checker) -> Shot:
    return replace(shot, laid=(*(one for one in shot.laid if one is not gone), *more))


def _spot(rng: np.random.Generator, session: Session, shot: Shot) -> tuple[float, float, float] | None:
    """Where a loose checker may lie on the board, in mm."""
    board = session.board
    taken = [one.foot_mm[:2] for one in shot.laid] + [die.thing.solids[0].at[:2] for die in shot.dice]
    for _ in range(TRIES):
        x = board.column_x(int(rng.integers(PLACES_IN_ROW))) + rng.uniform(-0.5, 0.5) * board.pitch
        y = rng.uniform(-MIDDLE_SHARE, MIDDLE_SHARE) * board.field_wh[1]
        if all(math.dist((x, y), other) > LEAST_APART * board.diameter for other in taken):
            return float(x), float(y), 0.0
    return None


def pictures_of(folder: Path) -> Iterator[tuple[str, Image, BoardGeometry, list[int]]]:
    """For each picture its kind, image and geometry, and the number of checkers on each point."""
    bar = json.loads((folder / "board.json").read_text())["bar"]
    lines = (folder / "labels.jsonl").read_text().splitlines()
    for kind, row in zip(KINDS, map(json.loads, lines), strict=True):
        image = np.asarray(cv2.imread(str(folder / row["file"])), dtype=np.uint8)
        view = view_of(row, (bar[0], bar[1]), (image.shape[1], image.shape[0]))
        yield kind, image, view, [sum(sides) for sides in row["places"]]


def main() -> None:
    chosen = numbers_parser(__doc__).parse_args()
    told = {kind: [0, 0, 0] for kind in KINDS}
    for number in range(*chosen.numbers):
        folder = chosen.out / str(number)
        if not folder.exists():
            session = session_of(number)
            if session is None:
                continue
            session_rendered(session, folder, threads=1)
        for kind, image, view, counts in pictures_of(folder):
            reading = read_photo(image, view, any_totals=True)
            right = not reading.refused and [abs(count) for count in reading.counts()] == counts
            is_loose = reading.refused == say("loose_checker")
            told[kind] = [n + more for n, more in zip(told[kind], (1, right, is_loose), strict=True)]
    for kind, (pictures, read, refused) in told.items():
        print(f"{kind:10s} {pictures} pictures, {read} read rightly, {refused} refused for a loose checker")


if __name__ == "__main__":
    main()
