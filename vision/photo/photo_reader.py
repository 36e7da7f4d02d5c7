"""Reads one photograph of a board that was never calibrated.

The colours of the checkers are learnt from the picture itself.
"""

from dataclasses import replace

import numpy as np

from vision.board_reading import MAX_COUNT, BoardReading, flat_log_likelihoods, refused_reading
from vision.dice.dice_reader import detect_dice, readable_faces
from vision.geometry import BoardGeometry, FloatArray, Image
from vision.locate.board_finder import BoardNotFound, find_board, has_points
from vision.photo.bar_finder import fit_bar
from vision.photo.checker_finder import SURE_CHECKER, BoardView, SeenChecker, detect_checkers, rectify_board
from vision.photo.hiding import covered_places, why_unreadable
from vision.photo.placing import PlacedCheckers, place_checkers
from vision.photo.side_colours import SideColours, learn_sides
from vision.photo.totals import with_usual_totals
from vision.picture_faults import picture_fault

FEWEST_WITHOUT_POINTS = 4
"""With fewer checkers than this, the points themselves must be seen; guess."""
LEAST_COUNT_PROBABILITY = 2e-4
"""Least probability of any count of a place that was seen; guess."""


def read_photo(
    image_bgr: Image,
    geometry: BoardGeometry | None = None,
    *,
    bar_known: bool = True,
    not_found: BoardNotFound | None = None,
) -> BoardReading:
    """The reading of one picture (h, w, 3); `refused` is set when it cannot be read.

    Without a geometry the board is looked for. Where the geometry's bar is only a guess (`bar_known` False),
    the columns are found from the checkers. not_found: the board was looked for already, in vain.
    """
    fault = picture_fault(image_bgr)
    if fault:
        return refused_reading(fault)
    if not_found is not None:
        return _why_not_found(image_bgr, not_found)
    if geometry is None:
        try:
            geometry = find_board(image_bgr).geometry
        except BoardNotFound as problem:
            return _why_not_found(image_bgr, problem)
        bar_known = False
    if not bar_known:
        geometry = _with_bar(image_bgr, geometry)
    reading = _read_at(image_bgr, geometry)
    if reading.refused:
        return reading
    if sum(abs(count) for count in reading.counts()) < FEWEST_WITHOUT_POINTS and not has_points(
        image_bgr, geometry
    ):
        return refused_reading("no points can be made out between the corners; is there a board?")
    return replace(reading, dice=readable_faces(detect_dice(image_bgr, geometry)))


def _with_bar(image_bgr: Image, geometry: BoardGeometry) -> BoardGeometry:
    """The geometry with its bar fitted to the checkers."""
    view = rectify_board(image_bgr, geometry, thorough=True)
    return replace(geometry, bar=fit_bar(detect_checkers(view), view, guess=geometry.bar))


def _read_at(image_bgr: Image, geometry: BoardGeometry) -> BoardReading:
    view = rectify_board(image_bgr, geometry, thorough=True)
    return read_rectified(view, detect_checkers(view))


def _why_not_found(image_bgr: Image, problem: BoardNotFound) -> BoardReading:
    """Why no board was found: a hand, say, over where it might lie."""
    if problem.tentative:
        reading = _read_at(image_bgr, _with_bar(image_bgr, problem.tentative))
        if reading.hand:
            return refused_reading(reading.refused or str(problem), hand=True)
    return refused_reading(str(problem))


def read_rectified(view: BoardView, checkers: tuple[SeenChecker, ...]) -> BoardReading:
    """The reading of a rectified board on which the checkers have been seen."""
    placed = place_checkers(checkers, view)
    sides = _sides(placed)
    hidden = covered_places(view)
    flat = flat_log_likelihoods(2 * MAX_COUNT + 1)
    rows = [flat if i in hidden else place_row(stack, sides) for i, stack in enumerate(placed.places)]
    points, bar = np.stack(rows), bar_rows(placed.bar, sides)
    if not hidden:
        points, bar = with_usual_totals(points, bar)
    reading = BoardReading(points=points, bar=bar, unseen=hidden)
    reason, hand = why_unreadable(view, placed, sides, _lacking(reading))
    return replace(reading, hand=hand, refused=reason)


def _lacking(reading: BoardReading) -> tuple[int, int]:
    """How many light and dark checkers of a full set were not read."""
    light, dark = reading.bar_counts()
    light += sum(max(count, 0) for count in reading.counts())
    dark += sum(max(-count, 0) for count in reading.counts())
    return max(0, MAX_COUNT - light), max(0, MAX_COUNT - dark)


def _sides(placed: PlacedCheckers) -> SideColours | None:
    stacks = [*placed.places, *((checker,) for checker in (*placed.bar, *placed.loose))]
    sure = [np.array([c.lab for c in stack if c.sureness > SURE_CHECKER]) for stack in stacks]
    return learn_sides([labs for labs in sure if len(labs)])


def place_row(stack: tuple[SeenChecker, ...], sides: SideColours | None) -> FloatArray:
    """(31,) log-likelihoods of a place from the checkers seen there, the one nearest the edge first."""
    counts = count_probabilities([c.sureness for c in stack])
    light = _light_probability([c for c in stack if c.sureness > SURE_CHECKER] or list(stack), sides)
    row = np.full(2 * MAX_COUNT + 1, LEAST_COUNT_PROBABILITY)
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


def _light_probability(stack: list[SeenChecker], sides: SideColours | None) -> float:
    if sides is None or not stack:
        return 0.5
    return float(1 / (1 + np.exp(-sides.light_logit(np.array([c.lab for c in stack])))))


def bar_rows(bar: tuple[SeenChecker, ...], sides: SideColours | None) -> FloatArray:
    """(2, 16) log-likelihoods of the light and the dark checkers on the bar."""
    rows = np.full((2, MAX_COUNT + 1), LEAST_COUNT_PROBABILITY)
    light = [_light_probability([c], sides) for c in bar]
    for row, chances in enumerate((light, [1 - p for p in light])):
        seen = [c.sureness * chance for c, chance in zip(bar, chances, strict=True)]
        counts = count_probabilities(seen)[: MAX_COUNT + 1]
        rows[row, : len(counts)] += counts
    return np.asarray(np.log(rows / rows.sum(axis=1, keepdims=True)))
