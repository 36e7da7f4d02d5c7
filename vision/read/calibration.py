"""Calibration: how this board looks, learnt from a picture of a known position."""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from sentences import say
from vision.board_reading import MAX_COUNT, N_POINTS
from vision.geometry import ROW_LENGTH, BoardGeometry, Image
from vision.networks.place_reader import ReaderNetwork, Reference
from vision.networks.strips import N_PLACES, STRIP_WH, Strips, StripView
from vision.read.place_likelihoods import reading_of
from vision.read.side_colours import with_sides_by_colour
from vision.read.totals import USUAL_IN_GAMES, USUAL_IN_PHOTOGRAPHS, TotalShares

LEAST_AGREEING = 20
"""A picture shows a position if at least so many of the 24 places are read as in it; guess."""
MOST_DOUBT_NATS = 3.6
"""The picture of a learnt position, read by what was learnt from it, shows that position at most so much less
likely than the likeliest one. Guess, with little to spare: up to 2.2 in 30 photographs and 3.4 in drawn
pictures; from 3.9 on after a play, but also 1.1 on one board.
"""
REFERENCE_WIDTH_PX = 640
"""Width in pixels to which the whole picture is reduced, to follow shifts in it; guess."""
NETWORK = ReaderNetwork()
"""The reader; its files are loaded at first use."""
PlaceCounts = tuple[int, ...]
"""Checkers on each of the 24 places, light positive and dark negative."""
Whole = npt.NDArray[np.int64]


_UNREADABLE = (
    *(OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError),
    *(ValueError, TypeError, LookupError, ArithmeticError),
)
"""What is raised by files that are torn, and by those that hold something else."""


class CalibrationError(ValueError):
    """A calibration cannot be used."""


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """How a board looks.

    strips: (26, H, W, 3) of the calibration picture. counts: (26, 2) light and dark checkers on its places.
    reference_bgr: the whole picture, reduced to `REFERENCE_WIDTH_PX`.
    """

    geometry: BoardGeometry
    strips: Strips
    counts: Whole
    reference_bgr: Image

    def reference(self) -> Reference:
        """What the networks keep of this board."""
        return NETWORK.reference(self.strips, self.counts, StripView(self.geometry).leans)

    @property
    def usual_totals(self) -> TotalShares:
        """The prior of totals in a game on this board; strong if all checkers lay on its points at first."""
        has_all = (self.counts[:N_POINTS].sum(axis=0) == MAX_COUNT).all()
        return USUAL_IN_GAMES if has_all else USUAL_IN_PHOTOGRAPHS

    def save(self, path: Path) -> None:
        """Write to an .npz file."""
        geometry = self.geometry
        np.savez_compressed(
            path,
            corners_px=np.array(geometry.corners_px),
            image_wh=np.array(geometry.image_wh),
            bar=np.array(geometry.bar),
            lens=np.array([geometry.distortion, geometry.checker_height]),
            measures=np.array([geometry.checker or np.nan, geometry.aspect or np.nan]),
            strips=self.strips,
            counts=self.counts,
            reference_bgr=self.reference_bgr,
        )

    @staticmethod
    def load(path: Path) -> "Calibration":
        """Read what `save` wrote. Raises CalibrationError when the file is something else."""
        try:
            with path.open("rb") as file, np.load(file) as data:
                return _from_arrays({name: data[name] for name in data.files})
        except _UNREADABLE as problem:
            raise CalibrationError(say("no_calibration", path=path, problem=problem)) from problem


def _from_arrays(data: dict[str, npt.NDArray[np.float64]]) -> Calibration:
    one, two, three, four = ((float(x), float(y)) for x, y in data["corners_px"])
    checker, aspect = (None if np.isnan(value) else float(value) for value in data["measures"])
    strips, counts = data["strips"].astype(np.uint8), data["counts"].astype(np.int64)
    if strips.shape != (N_PLACES, STRIP_WH[1], STRIP_WH[0], 3) or counts.shape != (N_PLACES, 2):
        raise ValueError(say("strips_of_other_size"))
    return Calibration(
        geometry=BoardGeometry(
            corners_px=(one, two, three, four),
            image_wh=(int(data["image_wh"][0]), int(data["image_wh"][1])),
            bar=(float(data["bar"][0]), float(data["bar"][1])),
            checker=checker,
            aspect=aspect,
            distortion=float(data["lens"][0]),
            checker_height=float(data["lens"][1]),
        ),
        strips=strips,
        counts=counts,
        reference_bgr=data["reference_bgr"].astype(np.uint8),
    )


@dataclass(kw_only=True)
class Calibrator:
    """Learns how the board at one place of the picture looks, from a picture of a known position.

    covered: whether the last picture shows a candidate at every place although a hand seems to be over the
        field or a place seems to be covered.
    """

    geometry: BoardGeometry
    covered: bool = field(default=False, init=False)
    _strips: StripView = field(init=False)

    def __post_init__(self) -> None:
        self._strips = StripView(self.geometry)

    def learn_from(
        self,
        image_bgr: Image,
        candidates: Sequence[PlaceCounts],
        *,
        covers_stay: bool = False,
        strictly: bool = False,
    ) -> tuple[int, Calibration] | None:
        """The number of the candidate that the picture shows, and the calibration from it; None without one.

        Nothing is learnt from a picture in which something seems to cover the field. The exception is a
        picture that shows a candidate at every place, with `covers_stay`: then the covers are part of how
        this board looks.

        A candidate is the checkers on each of the 24 places, light positive and dark negative. The candidates
        say which side is called light; the picture only shows which one is brighter. strictly: whether only
        tall stacks may be read otherwise than in the candidate.
        """
        strips = self._strips.cut(image_bgr)
        said = with_sides_by_colour(NETWORK.read_alone(strips, self._strips.leans), image_bgr, self.geometry)
        seen, both = reading_of(said), either_way(candidates)
        covers = bool(seen.hand or seen.unseen)
        if covers:
            seen = reading_of(said.uncovered)
        self.covered = covers and seen.counts() in both
        if covers and not (self.covered and covers_stay):
            return None
        shown = [
            (seen.log_likelihood(due), number % len(candidates))
            for number, due in enumerate(both)
            if _is_shown(seen.counts(), due, strictly)
        ]
        if not shown:
            return None
        _, number = max(shown, key=lambda one: one[0])
        learnt = self._learnt(image_bgr, strips, candidates[number])
        return (number, learnt) if learnt else None

    def _learnt(self, image_bgr: Image, strips: Strips, counts: PlaceCounts) -> Calibration | None:
        if not min(counts) < 0 < max(counts):
            return None
        learnt = Calibration(
            geometry=self.geometry,
            strips=strips,
            counts=whole_board(counts),
            reference_bgr=reduced(image_bgr),
        )
        again = reading_of(NETWORK.read(strips, learnt.reference()))
        doubt_nats = again.log_likelihood(again.counts()) - again.log_likelihood(counts)
        return learnt if doubt_nats <= MOST_DOUBT_NATS else None


def either_way(positions: Sequence[PlaceCounts]) -> list[PlaceCounts]:
    """The positions, followed by each of them with the sides exchanged."""
    return [*positions, *(tuple(-count for count in counts) for counts in positions)]


def agreeing(seen: PlaceCounts, due: PlaceCounts) -> int:
    """How many of the 24 places have the same count."""
    return sum(one == other for one, other in zip(seen, due, strict=True))


def _is_shown(seen: PlaceCounts, due: PlaceCounts, strictly: bool) -> bool:
    """Whether counts that were seen show a position; strictly: whether they differ on tall stacks only."""
    if strictly:
        return _up_to_a_row(seen) == _up_to_a_row(due)
    return agreeing(seen, due) >= LEAST_AGREEING


def _up_to_a_row(counts: PlaceCounts) -> PlaceCounts:
    """The counts, with taller stacks cut to a full row."""
    return tuple(max(-ROW_LENGTH, min(count, ROW_LENGTH)) for count in counts)


def whole_board(counts: PlaceCounts) -> Whole:
    """(26, 2) light and dark checkers of 24 signed counts.

    A side with fewer than 15 may have some on the bar, so each half of the bar gets one of its checkers.
    """
    points = [(max(count, 0), max(-count, 0)) for count in counts]
    aside = [min(MAX_COUNT - sum(side), 1) for side in zip(*points, strict=True)]
    return np.array([*points, aside, aside], dtype=np.int64)


def signed_counts(whole: Whole) -> PlaceCounts:
    """The 24 signed counts of (26, 2) light and dark checkers."""
    return tuple(int(light - dark) for light, dark in whole[:N_POINTS])


def reduced(image_bgr: Image) -> Image:
    """The whole picture, `REFERENCE_WIDTH_PX` wide."""
    height, width = image_bgr.shape[:2]
    size = (REFERENCE_WIDTH_PX, round(height * REFERENCE_WIDTH_PX / width))
    whole = width % REFERENCE_WIDTH_PX == 0 or width > 2 * REFERENCE_WIDTH_PX
    means = cv2.INTER_AREA if whole else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image_bgr, size, interpolation=means), dtype=np.uint8)
