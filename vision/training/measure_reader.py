"""Measures the reader on boards that it was not trained on.

    python -m vision.training.measure_reader --boards TEST --recordings RECORDINGS --photos PHOTOS

The corners are those of the labels, so only the reading is measured. Boards and recordings are read twice:
with their first picture of the start position as reference ("known"), and without ("photo"). Photographs are
read without. Results are listed by family of boards, and by recording.
"""

import argparse
import json
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry
from vision.networks.place_reader import (
    MIXED,
    PlaceReading,
    ReaderNetwork,
    Reference,
    class_of,
    counts_of,
)
from vision.networks.strips import N_PLACES, N_POINTS, STRIP_WH, Strips, StripView
from vision.training.flat_boards import LEAST_HAND, START, labels_of, view_of

Image = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]

TALL = 6
MOST_IN_A_ROW = 5
SURE = 0.999
DOUBTED = 0.9
"""A place whose likeliest class has a lower probability counts as doubted."""
SEEN = 0.35
"""A place of which at least this share is covered is not scored."""
UNREADABLE = ("defocus", "ambiguous_placement")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A picture and what it shows.

    counts: (26, 2) light and dark; recordings and photographs have all of the bar's in its top half. asked:
    (24,) points that are scored. whole: whether the whole board is. hand: whether a hand or a pad is over it;
    None where either answer is right. covered: (26,) covered shares. in_rows: whether checkers are piled only
    on points with more than five, as in play.
    """

    image_bgr: Image
    view: BoardGeometry
    counts: Counts
    kind: str
    asked: npt.NDArray[np.bool_]
    whole: bool
    hand: bool | None
    covered: npt.NDArray[np.float32] | None = None
    in_rows: bool = True


@dataclass
class Score:
    """How well pictures were read."""

    places: int = 0
    right: int = 0
    boards: int = 0
    boards_right: int = 0
    tall: int = 0
    tall_right: int = 0
    tall_doubted: int = 0
    in_rows: int = 0
    in_rows_right: int = 0
    row_boards: int = 0
    row_boards_right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    hands: list[float] = field(default_factory=list)
    clear: list[float] = field(default_factory=list)
    hidden: list[float] = field(default_factory=list)
    open: list[float] = field(default_factory=list)
    worst: list[str] = field(default_factory=list)
    misread: list[tuple[float, str, Strips]] = field(default_factory=list)
    """Of each misread place: probability of the wrong class, description, and strip."""

    def add(self, shown: Shown, reading: PlaceReading, name: str, strips: Strips) -> None:
        """Count one picture."""
        truth = np.array([class_of(int(a), int(b)) for a, b in shown.counts])
        read = reading.probabilities.argmax(axis=1)
        good = (read == truth)[:N_POINTS]
        asked = shown.asked
        tall = asked & (shown.counts[:N_POINTS].max(axis=1) >= TALL)
        likeliest = reading.probabilities[:N_POINTS].max(axis=1)
        sure = asked & (likeliest >= SURE)
        self.places += int(asked.sum())
        self.right += int(good[asked].sum())
        self.tall += int(tall.sum())
        self.tall_right += int(good[tall].sum())
        self.tall_doubted += int((tall & ~good & (likeliest < DOUBTED)).sum())
        self.sure += int(sure.sum())
        self.sure_wrong += int((~good[sure]).sum())
        if shown.whole:
            bar = np.sum([counts_of(int(n)) for n in read[N_POINTS:]], axis=0)
            whole = bool(good.all() and (bar == shown.counts[N_POINTS:].sum(axis=0)).all())
            self.boards += 1
            self.boards_right += whole
            self.row_boards += shown.in_rows
            self.row_boards_right += whole and shown.in_rows
        if shown.in_rows:
            self.in_rows += int(asked.sum())
            self.in_rows_right += int(good[asked].sum())
        if shown.hand is not None:
            (self.hands if shown.hand else self.clear).append(max(reading.hand, reading.pad))
        if shown.covered is not None:
            self.hidden += reading.hidden[shown.covered > SEEN].tolist()
            self.open += reading.hidden[shown.covered < 0.1].tolist()
        wrong = []
        for p in np.flatnonzero(asked & ~good):
            likely = float(reading.probabilities[p, read[p]])
            wrong.append(f"{p}:{truth[p]}>{read[p]}({likely:.3f})")
            told = f"{name} {told_class(int(truth[p]))} > {told_class(int(read[p]))}"
            self.misread.append((likely, told, strips[p]))
        if wrong:
            self.worst.append(f"{name} {' '.join(wrong)}")

    def __add__(self, other: "Score") -> "Score":
        return Score(**{name: getattr(self, name) + getattr(other, name) for name in vars(self)})

    def __str__(self) -> str:
        said = [
            f"places {_per_cent(self.right, self.places)} of {self.places}",
            f"boards {_per_cent(self.boards_right, self.boards)} of {self.boards}",
            f"laid in rows: places {_per_cent(self.in_rows_right, self.in_rows)} of {self.in_rows}, "
            f"boards {_per_cent(self.row_boards_right, self.row_boards)} of {self.row_boards}",
            f"tall {_per_cent(self.tall_right, self.tall)} of {self.tall}, "
            f"right or doubted {_per_cent(self.tall_right + self.tall_doubted, self.tall)}",
            f"sure {_per_cent(self.sure, self.places)}, of these wrong {self.sure_wrong}",
        ]
        for name, flags in (
            ("hands", self.hands),
            ("clear", self.clear),
            ("hidden", self.hidden),
            ("open", self.open),
        ):
            if flags:
                said.append(f"{name} flagged {100 * np.mean(np.array(flags) > 0.5):.1f} % of {len(flags)}")
        return ", ".join(said)


def told_class(number: int) -> str:
    """A class in a few letters: `0`, `5L`, `2D`, or `mixed`."""
    if number == MIXED:
        return "mixed"
    light, dark = counts_of(number)
    return f"{light}L" if light else f"{dark}D" if dark else "0"


def worst_picture(misread: list[tuple[float, str, Strips]], most: int = 20) -> Image:
    """A picture of the places misread with the highest probability, with the true and the read class.

    It has ten places a row; it is white where there are no more.
    """
    blank = np.full((STRIP_WH[1] * 3 + 40, STRIP_WH[0] * 3 + 60, 3), 255, np.uint8)
    tiles = []
    for sure, told, strip in sorted(misread, key=lambda one: -one[0])[:most]:
        tile = blank.copy()
        large = cv2.resize(strip, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
        tile[: large.shape[0], 30 : 30 + large.shape[1]] = large
        for line, text in enumerate(
            (told.rsplit(" ", 3)[0][-24:], f"{' '.join(told.split()[-3:])} {sure:.2f}")
        ):
            at = (2, large.shape[0] + 15 + 18 * line)
            cv2.putText(tile, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.38, (0, 0, 0), 1, cv2.LINE_AA)
        tiles.append(tile)
    tiles += [blank] * (-len(tiles) % 10)
    rows = [np.hstack(tiles[start : start + 10]) for start in range(0, len(tiles), 10)]
    return np.vstack(rows) if rows else blank


def _per_cent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def _picture(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), dtype=np.uint8)


def board_pictures(folder: Path) -> Iterator[Shown]:
    """The pictures of a labelled board."""
    described = json.loads((folder / "board.json").read_text())
    bar = tuple(described.get("bar") or (0.46, 0.54))
    for row in map(json.loads, (folder / "labels.jsonl").read_text().splitlines()):
        image = _picture(folder / row["file"])
        view = view_of(row, (bar[0], bar[1]), (image.shape[1], image.shape[0]))
        bar, labels = view.bar, labels_of(row, view)
        yield Shown(
            image_bgr=image,
            view=view,
            counts=labels.counts,
            kind=labels.kind,
            asked=labels.hidden[:N_POINTS] < SEEN,
            whole=bool(labels.hidden.max() < SEEN),
            hand=None if np.isnan(labels.hand) and not labels.pad else labels.hand == 1 or bool(labels.pad),
            covered=labels.hidden,
            in_rows=all(
                layers <= 1 or sum(sides) > MOST_IN_A_ROW
                for layers, sides in zip(row["piles"], row["places"], strict=True)
            ),
        )


def recording_pictures(folder: Path) -> Iterator[Shown]:
    """The frames of a recording."""
    described = tomllib.loads((folder / "recording.toml").read_text())
    board = described["board"]
    video = cv2.VideoCapture(str(folder / "video.mp4")) if (folder / "video.mp4").exists() else None
    for row in map(json.loads, (folder / "labels.jsonl").read_text().splitlines()):
        frame = folder / "frames" / f"{row['t_ms']:010d}.jpg"
        image = np.asarray(video.read()[1], dtype=np.uint8) if video else _picture(frame)
        view = view_of(row | {"bar": board["bar"]}, (0.46, 0.54), (image.shape[1], image.shape[0]))
        counts = _laid_out(row["position"], board["white_home"], board["light"])
        share = max(
            (hand["field_share"] for hand in row.get("hands", [])), default=None if row["hand"] else 0.0
        )
        either = row["hand"] and share is not None and share < LEAST_HAND
        fair = not row["hand"] and not row.get("in_hand") and row["fault"] not in UNREADABLE
        fair = fair and not (counts[:N_POINTS].min(axis=1) > 0).any()
        yield Shown(
            image_bgr=image,
            view=view,
            counts=counts,
            kind="bare" if row["kind"] == "empty" else row["kind"],
            asked=np.full(N_POINTS, fair),
            whole=fair,
            hand=None if either or (row.get("in_hand") and not row["hand"]) else bool(row["hand"]),
        )


def _laid_out(position: str, home: str, light: str) -> Counts:
    """(26, 2): light and dark checkers of a position `WHITE:BLACK`. home: corner of White's 1-point."""
    white, black = ([int(digit, 16) for digit in side] for side in position.split(":"))
    sides = [(white[p], black[25 - p]) for p in range(26)]
    near, far = sides[1:13], sides[13:25]
    row1 = near if home.endswith("left") else near[::-1]
    row2 = far[::-1] if home.endswith("left") else far
    rows = [*row1, *row2] if home.startswith("top") else [*row2, *row1]
    counts = np.array([*rows, (white[25], black[25]), (0, 0)], dtype=np.int64)
    return counts if light == "white" else np.ascontiguousarray(counts[:, ::-1])


def photographs(folder: Path) -> Iterator[tuple[str, Shown]]:
    """The names and contents of labelled photographs."""
    for row in json.loads((folder / "labels.json").read_text()):
        image = _picture(folder / row["file"])
        view = view_of(
            {"corners_px": row["corners"], "bar": row["bar_frac"] or (0.5, 0.5)},
            (0.5, 0.5),
            (image.shape[1], image.shape[0]),
        )
        places = [_told(told) for told in (*row["top"], *row["bottom"])]
        counts = np.array([*places, (row["bar_light"], row["bar_dark"]), (0, 0)], dtype=np.int64)
        yield (
            row["file"],
            Shown(
                image_bgr=image,
                view=view,
                counts=counts,
                kind="photo",
                asked=np.ones(N_POINTS, dtype=np.bool_),
                whole=True,
                hand=None,
            ),
        )


def _told(told: str) -> tuple[int, int]:
    if told == "0":
        return 0, 0
    return (int(told[:-1]), 0) if told.endswith("L") else (0, int(told[:-1]))


def measured(
    network: ReaderNetwork, pictures: Iterator[Shown], name: str, known: bool, every: int = 1
) -> Score:
    """Score every so many of a board's pictures.

    known: with the first clear start position as reference, and only the pictures after it.
    """
    score = Score()
    reference: Reference | None = None
    for number, shown in enumerate(pictures):
        if shown.kind == "bare" or (number % every and (reference is not None or not known)):
            continue
        strips = StripView(shown.view)
        cut = strips.cut(shown.image_bgr)
        if reference is None or not known:
            if known:
                if shown.kind == START and shown.hand is False and shown.whole:
                    reference = network.reference(cut, shown.counts, strips.leans)
                continue
            reference = network.no_reference(strips.leans)
        score.add(shown, network.read(cut, reference), f"{name} {number}", cut)
    return score


def measured_photos(network: ReaderNetwork, folder: Path) -> Score:
    """Score photographs, each without a reference."""
    score = Score()
    for name, shown in photographs(folder):
        strips = StripView(shown.view)
        cut = strips.cut(shown.image_bgr)
        score.add(shown, network.read(cut, network.no_reference(strips.leans)), name, cut)
    return score


def read_ms(network: ReaderNetwork) -> float:
    """Median processor time of reading one picture's strips, in ms."""
    strips = np.random.default_rng(1).integers(0, 255, (N_PLACES, 128, 40, 3)).astype(np.uint8)
    reference = network.no_reference(np.zeros((N_PLACES, 2), dtype=np.float32))
    times = []
    for _ in range(15):
        started = time.process_time()
        network.read(strips, reference)
        times.append(time.process_time() - started)
    return 1000 * float(np.median(times))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--network", type=Path, default=Path(__file__).parents[1] / "networks")
    parser.add_argument("--boards", type=Path, help="a folder of labelled boards")
    parser.add_argument("--recordings", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--every", type=int, default=1, help="read only every so many frames of recordings")
    parser.add_argument("--worst", type=Path, help="a picture file for the twenty misread most surely")
    parser.add_argument("-v", action="store_true", help="also what was read wrongly")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    network = ReaderNetwork(given.network)
    print(f"reading 26 strips: {read_ms(network):.1f} ms with OpenCV {cv2.__version__}")
    scores: list[tuple[str, Score]] = []
    if given.boards:
        for known in (True, False):
            mode = "known" if known else "photo"
            families: dict[str, Score] = {}
            for path in sorted(given.boards.glob("*/labels.jsonl")):
                family = json.loads((path.parent / "board.json").read_text())["family"]
                score = measured(network, board_pictures(path.parent), path.parent.name, known)
                families[family] = families.get(family, Score()) + score
            scores += [(f"{mode} {family}", score) for family, score in sorted(families.items())]
            scores.append((f"{mode} ALL BOARDS", sum(families.values(), Score())))
    if given.recordings:
        total = {True: Score(), False: Score()}
        for path in sorted(given.recordings.glob("*/labels.jsonl")):
            for known in (True, False):
                score = measured(
                    network, recording_pictures(path.parent), path.parent.name, known, given.every
                )
                total[known] += score
                scores.append((f"{'known' if known else 'photo'} {path.parent.name}", score))
        scores += [("known ALL RECORDINGS", total[True]), ("photo ALL RECORDINGS", total[False])]
    if given.photos:
        scores.append(("PHOTOGRAPHS", measured_photos(network, given.photos)))
    if given.worst:
        misread = [one for name, score in scores if "ALL" not in name for one in score.misread]
        cv2.imwrite(str(given.worst), worst_picture(misread))
    for name, score in scores:
        print(f"{name}: {score}")
        if given.v:
            print(*(f"    {line}" for line in score.worst), sep="\n")


if __name__ == "__main__":
    main()
