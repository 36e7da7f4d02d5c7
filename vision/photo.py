"""Reads one photograph of a board that was never calibrated: colours and checkers from the picture itself."""

import numpy as np
import numpy.typing as npt

from vision.checkers import SeenChecker, seen_checkers, view_board
from vision.colours import SideColours, learn_sides
from vision.geometry import BoardGeometry
from vision.placing import SURE, place_checkers
from vision.reading import MAX_COUNT, BoardReading

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]

FLOOR = 2e-4
"""The least probability of any count of a place that was seen."""


def read_photo(image_bgr: Image, geometry: BoardGeometry) -> BoardReading:
    """What lies on the board in one picture (h, w, 3); `refused` says why when it cannot be read."""
    view = view_board(image_bgr, geometry)
    checkers = seen_checkers(view)
    sides = _sides(checkers)
    placed = place_checkers(checkers, view)
    return BoardReading(
        points=np.stack([place_row(stack, sides) for stack in placed.places]),
        bar=_bar_rows(placed.bar, sides),
    )


def _sides(checkers: tuple[SeenChecker, ...]) -> SideColours | None:
    sure = [c for c in checkers if c.sureness > SURE]
    labs = np.array([c.lab for c in sure]).reshape(-1, 3)
    return learn_sides(labs, np.array([c.sureness for c in sure]))


def place_row(stack: tuple[SeenChecker, ...], sides: SideColours | None) -> FloatArray:
    """(31,) log-likelihoods of a place from the checkers seen there, the one nearest the edge first."""
    counts = count_probabilities([c.sureness for c in stack])
    light = _light_probability(stack, sides)
    row = np.full(2 * MAX_COUNT + 1, FLOOR)
    for count, probability in enumerate(counts[: MAX_COUNT + 1]):
        if count == 0:
            row[MAX_COUNT] += probability
        else:
            row[MAX_COUNT + count] += probability * light
            row[MAX_COUNT - count] += probability * (1 - light)
    return np.asarray(np.log(row / row.sum()))


def count_probabilities(surenesses: list[float]) -> FloatArray:
    """(N + 1,): how many of N independent sightings are checkers."""
    counts = np.ones(1)
    for sureness in surenesses:
        counts = np.convolve(counts, [1 - sureness, sureness])
    return counts


def _light_probability(stack: tuple[SeenChecker, ...], sides: SideColours | None) -> float:
    if sides is None or not stack:
        return 0.5
    logit = sum(c.sureness * sides.light_logit(c.lab) for c in stack)
    return float(1 / (1 + np.exp(-np.clip(logit, -12, 12))))


def _bar_rows(bar: tuple[SeenChecker, ...], sides: SideColours | None) -> FloatArray:
    rows = np.full((2, MAX_COUNT + 1), FLOOR)
    for row, sign in ((0, 1), (1, -1)):
        chances = [c.sureness / (1 + np.exp(-sign * sides.light_logit(c.lab))) for c in bar] if sides else []
        counts = count_probabilities([float(p) for p in chances])[: MAX_COUNT + 1]
        rows[row, : len(counts)] += counts
    return np.asarray(np.log(rows / rows.sum(axis=1, keepdims=True)))
