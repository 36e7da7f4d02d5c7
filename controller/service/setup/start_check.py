"""Checks whether a picture shows the board set up for a game, and which points are wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.perception.orientation import Orientation
from controller.rules import Position
from hardware.camera import Image
from vision.geometry import BoardGeometry
from vision.photo.photo_reader import read_photo
from vision.read.calibration import LEAST_AGREEING


@dataclass(frozen=True, kw_only=True)
class WrongPlace:
    """A point that is not as it should be. point: White's number. place: 0 to 23, as in the picture.

    due, seen: light checkers positive, dark ones negative; seen is None where something hides the point.
    """

    place: int
    point: int
    due: int
    seen: int | None


@dataclass(frozen=True, kw_only=True)
class StartCheck:
    """What a picture says of the start position.

    orientation: the one under which most points are right; the first one given if the picture was refused.
    problem: why the picture was refused, None if it was not.
    """

    orientation: Orientation
    wrong: tuple[WrongPlace, ...] = ()
    problem: str | None = None

    @property
    def is_well(self) -> bool:
        """Whether every point is as it should be."""
        return self.problem is None and not self.wrong

    @property
    def shows_start(self) -> bool:
        """Whether enough points are right for the board to be learnt."""
        return self.problem is None and 24 - len(self.wrong) >= LEAST_AGREEING


def check_start(
    image_bgr: Image, geometry: BoardGeometry, start: Position, orientations: Sequence[Orientation]
) -> StartCheck:
    """Compare a picture (h, w, 3) with the position `start`, under each orientation that is possible.

    A checker may have been forgotten: the reading does not assume that all of them lie there.
    """
    reading = read_photo(image_bgr, geometry, any_totals=True)
    if reading.refused:
        return StartCheck(orientation=orientations[0], problem=reading.refused)
    checks = [
        StartCheck(orientation=one, wrong=_wrong(reading.counts(), reading.unseen, start, one))
        for one in orientations
    ]
    return min(checks, key=lambda check: len(check.wrong))


def _wrong(
    counts: Sequence[int], unseen: frozenset[int], start: Position, orientation: Orientation
) -> tuple[WrongPlace, ...]:
    due = orientation.counts(start)
    return tuple(
        WrongPlace(place=place, point=point, due=due[place], seen=None if place in unseen else counts[place])
        for point, place in enumerate(orientation.places, start=1)
        if place in unseen or counts[place] != due[place]
    )
