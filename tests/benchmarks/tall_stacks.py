"""Measures how the reader reads tall stacks, for `simulated_reader`.

    python -m tests.benchmarks.tall_stacks OUT --numbers FIRST LAST

Needs Blender as a module, like `vision.training.scenes`. Each number gives OUT/NUMBER: a board of a kind that
no training saw, at the start position and then with stacks that grow and shrink checker by checker. On even
numbers checkers are piled straight upwards, on odd ones they bridge the layer below. The readings of all
stacks are written to tall_stacks.json.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from controller.rules import BAR, N_CHECKERS, OFF, Player, Position
from tests.benchmarks.rendered_games import NoRoomError, RenderedTable
from tests.benchmarks.simulated_reader import FULL_ROW, MEASURED, SURE_NATS
from vision.board_reading import MAX_COUNT, BoardReading
from vision.read.board_reader import BoardReader
from vision.read.calibration import Calibrator, signed_counts
from vision.training.measure_reader import Shown, board_pictures
from vision.training.scenes.__main__ import numbers_parser, session_rendered
from vision.training.scenes.objects.piling import Checker
from vision.training.scenes.plan import Shot, first_of

WAYS = {"piled": "direct", "bridging": "bridge"}
"""The ways to lay a checker on a full row, and their names in `piling`."""
PICTURES = 14
"""Pictures of each board after the one of the start position."""
FIRST_COUNTS = (5, 4, 3, 2, 1)
"""Checkers on each point of a side at first."""
TURNING = (6, 12)
"""Range of the picture from which on stacks shrink, its end excluded."""
MOST_MOVED, MOSTLY, BORNE_OFF = 2, 0.6, 0.5
"""Most checkers that a side moves between two pictures; share of them that go to the first point while it
grows, or leave it while it shrinks; share of them that are borne off while it shrinks."""
COUNTS = range(FULL_ROW, 12)
"""Heights of the stacks for which `miscounted` and `recounted` are measured."""
ALIKE, UNLIKE = 0.1, 0.3
"""Total variation between two readings of a stack: below the first they are the same, above the second they
differ."""

Said = tuple[int, bool, list[float]]
"""Of a stack: its count, whether it was counted rightly, and the nats of FULL_ROW to MAX_COUNT checkers."""


def way_of(number: int) -> str:
    """The way in which the checkers of this number are piled."""
    return list(WAYS)[number % len(WAYS)]


def render(number: int, folder: Path) -> None:
    """Render a board whose stacks grow and shrink. Raises NoRoomError if it has no room for them."""
    table = RenderedTable(number)
    table.habit = replace(table.habit, way=WAYS[way_of(number)])
    table.lay(Position.START)
    shots = [table.shot("start", ())]
    asked = list(positions(table.rng))
    table.lay(with_most(asked))
    full = table.laid
    shots += [_photographed(table, full, position) for position in asked]
    session_rendered(table.planner.session(table.rng, shots), folder, threads=1)


def with_most(asked: list[Position]) -> Position:
    """The greatest number of checkers that each place ever holds, as a position."""
    sides = ([position.side(player) for position in asked] for player in Player)
    return Position(*(tuple(map(max, *side)) for side in sides))


def _photographed(table: RenderedTable, full: list[Checker], position: Position) -> Shot:
    """A picture of the checkers of `full` that were laid first, so that unmoved ones stay where they lie."""
    table.laid = first_of(full, table.counts_of(position))
    return table.shot("play", ())


def positions(rng: np.random.Generator) -> Iterator[Position]:
    """Positions with stacks as in a game: they grow from rows, checker by checker, and later shrink again."""
    points = [int(point) for point in rng.permutation(np.arange(1, BAR))]
    turning, n_points = int(rng.integers(*TURNING)), len(FIRST_COUNTS)
    held = [np.array(FIRST_COUNTS) for _ in Player]
    for picture in range(PICTURES):
        sides = []
        for side, counts in enumerate(held):
            own = [0] * (BAR + 1)
            for point, many in zip(points[side * n_points :], counts, strict=False):
                own[BAR - point if side else point] = int(many)
            own[OFF] = N_CHECKERS - sum(own)
            sides.append(tuple(own))
            for _ in range(int(rng.integers(MOST_MOVED + 1))):
                _move(rng, counts, grows=picture < turning)
        yield Position(*sides)


def _move(rng: np.random.Generator, counts: npt.NDArray[np.int64], *, grows: bool) -> None:
    """Move a checker: mostly to the first point while it grows, later mostly from it and half of them off."""
    last = len(counts) - 1
    likely = np.array([MOSTLY, *[(1 - MOSTLY) / last] * last])
    seldom = np.array([1 - MOSTLY, *[MOSTLY / last] * last])
    leaving = (seldom if grows else likely) * (counts > 0)
    source = int(rng.choice(len(counts), p=leaving / leaving.sum()))
    counts[source] -= 1
    if grows or rng.random() >= BORNE_OFF:
        counts[int(rng.choice(len(counts), p=likely if grows else seldom))] += 1


def said_of(folder: Path, *, known: bool) -> Iterator[dict[int, Said]]:
    """What `said_in` gives for each picture; nothing if the start position gives no calibration.

    known: after each picture the reader is told what it shows.
    """
    start, *pictures = board_pictures(folder)
    learnt = Calibrator(geometry=start.view).learn_from(start.image_bgr, [signed_counts(start.counts)])
    if learnt is None:
        return
    reader = BoardReader(calibration=learnt[1])
    for number, shown in enumerate(pictures):
        reading = reader.read_picture(shown.image_bgr, 1000 * number)
        if not reading.refused and not reading.hand:
            yield said_in(reading, shown)
            if known:
                reader.know(signed_counts(shown.counts))


def said_in(reading: BoardReading, shown: Shown) -> dict[int, Said]:
    """The reading of each place where a tall stack is seen."""
    said = {}
    for place, count in enumerate(signed_counts(shown.counts)):
        if abs(count) < FULL_ROW or place in reading.unseen or not shown.asked[place]:
            continue
        numbers = np.arange(FULL_ROW, MAX_COUNT + 1) * (1 if count > 0 else -1)
        nats = np.maximum(reading.points[place, numbers + MAX_COUNT], SURE_NATS).round(1)
        said[place] = (abs(count), reading.counts()[place] == count, nats.tolist())
    return said


def measured(folders: list[Path], *, known: bool) -> dict[str, object]:
    """The fields of `simulated_reader.Piles`, from boards piled in one way. known: as for `said_of`."""
    said = []
    after = {(before, count): [0, 0] for before in (True, False) for count in COUNTS}
    alike, left_alone = {True: [0, 0], False: [0, 0]}, [0, 0]
    for folder in folders:
        pictures = list(said_of(folder, known=known))
        said += [one for picture in pictures for one in picture.values()]
        for then, now in pairwise(pictures):
            for place in then.keys() & now.keys():
                (height, before, was_said), (count, rightly, nats) = then[place], now[place]
                apart = _apart(was_said, nats)
                if height == count:
                    left_alone[apart > UNLIKE] += 1
                elif count in COUNTS:
                    after[before, count][rightly] += 1
                    alike[before][apart < ALIKE] += 1
    print(f"{len(folders)} boards, {'known' if known else 'unknown'} before each change:")
    print(f"{len(said)} stacks, {sum(one[1] for one in said)} told rightly")
    n_changed, n_alike = sum(map(sum, alike.values())), sum(one[True] for one in alike.values())
    print(f"of {n_changed} to which some came or from which some went {n_alike} look as before")
    print(f"of {sum(left_alone)} that were left alone {left_alone[True]} look otherwise")
    return {
        "miscounted": [_share(after[True, count], False) for count in COUNTS],
        "recounted": [_share(after[False, count], True) for count in COUNTS],
        "alike": [_share(alike[before], True) for before in (False, True)],
        "said": said,
    }


def _apart(one: list[float], other: list[float]) -> float:
    """Total variation between two readings, 0 to 1."""
    shares = np.exp([one, other])
    return float(np.abs(np.subtract(*(shares / shares.sum(axis=1, keepdims=True)))).sum() / 2)


def _share(counted: list[int], rightly: bool) -> float:
    """The share counted `rightly`, or wrongly, by Laplace's rule of succession."""
    return round((counted[rightly] + 1) / (sum(counted) + 2), 3)


def main() -> None:
    chosen = numbers_parser(__doc__).parse_args()
    ways: dict[str, list[Path]] = {way: [] for way in WAYS}
    for number in range(*chosen.numbers):
        folder = chosen.out / str(number)
        try:
            if not folder.exists():
                render(number, folder)
        except NoRoomError as problem:
            print(problem, flush=True)
            continue
        ways[way_of(number)].append(folder)
    told = {
        way: {name: measured(folders, known=known) for name, known in (("unknown", False), ("known", True))}
        for way, folders in ways.items()
    }
    MEASURED.write_text(json.dumps(told).replace("[[", "[\n[").replace("]], ", "]],\n") + "\n")


if __name__ == "__main__":
    main()
