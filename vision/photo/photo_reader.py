"""Reads one photograph of a board that was never calibrated."""

from dataclasses import replace

import numpy as np

from sentences import say
from vision.board_reading import BoardReading, refused_reading
from vision.dice.dice_reader import beside_checkers, detect_dice, readable_faces
from vision.geometry import BoardGeometry, GeometryError, Image
from vision.locate.board_finder import BoardNotFound, find_board, has_points
from vision.networks.place_reader import PlaceReading, Reference, most_likely
from vision.networks.strips import StripView
from vision.picture_faults import picture_fault
from vision.read.calibration import NETWORK
from vision.read.loose_checkers import has_loose_checker
from vision.read.place_likelihoods import HAND_FROM, reading_of
from vision.read.side_colours import with_mean_sides, with_sides_by_colour
from vision.read.totals import with_usual_totals

BAR_WIDTHS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15)
"""Widths of the bar that are tried where it is not known, in field widths; guesses."""
LEAST_CONFIDENCE = 0.5
"""A picture is read if the probability of the likeliest count, averaged over the 24 places, is at least this;
guess."""
MOST_HIDDEN = 6
"""A picture is read if at most so many places are hidden; guess."""
RIM = 0.01
"""How far the field is enlarged on each side to check for a hand again, in field widths and heights. Chosen
on photographs, and tried on rendered boards."""
FEWEST_WITHOUT_POINTS = 4
"""With fewer checkers than this, the points themselves must be visible; guess."""


def read_photo(
    image_bgr: Image,
    geometry: BoardGeometry | None = None,
    *,
    bar_known: bool = True,
    not_found: BoardNotFound | None = None,
    any_totals: bool = False,
) -> BoardReading:
    """The reading of one picture (h, w, 3); `refused` is set when it cannot be read.

    Without a geometry the board is searched for. If the geometry's bar is only a guess (`bar_known` False),
    the bar under which the places are read most surely is used. not_found: the result of an earlier search
    that found no board. any_totals: do not use the prior over the totals of checkers.
    """
    fault = picture_fault(image_bgr)
    if fault:
        return refused_reading(fault)
    if not_found is not None:
        return refused_reading(str(not_found))
    if geometry is None:
        try:
            geometry = find_board(image_bgr, surely=True).geometry
        except BoardNotFound as problem:
            return refused_reading(str(problem))
    if geometry.is_cut:
        return refused_reading(say("field_cut"))
    if not bar_known:
        geometry = with_bar(image_bgr, geometry)
    reading = _read_at(image_bgr, geometry)
    if reading.refused:
        return reading
    if not any_totals:
        reading = with_usual_totals(reading)
    if sum(abs(count) for count in reading.counts()) < FEWEST_WITHOUT_POINTS and not has_points(
        image_bgr, geometry
    ):
        return refused_reading(say("no_points_between"))
    dice = beside_checkers(detect_dice(image_bgr, geometry), reading, geometry)
    return replace(reading, dice=readable_faces(dice))


def with_bar(image_bgr: Image, geometry: BoardGeometry) -> BoardGeometry:
    """The geometry with the bar under which the places are read most surely."""
    tried = [replace(geometry, bar=(0.5 - width / 2, 0.5 + width / 2)) for width in BAR_WIDTHS]
    return max(tried, key=lambda one: _sureness_at(image_bgr, one))


def _sureness_at(image_bgr: Image, geometry: BoardGeometry) -> float:
    strips = StripView(geometry)
    return NETWORK.read_alone(strips.cut(image_bgr), strips.leans).sureness


def _read_at(image_bgr: Image, geometry: BoardGeometry) -> BoardReading:
    said, reference = _said_at(image_bgr, geometry)
    reading = reading_of(said)
    if reading.hand:
        if _is_hand_seen_with_rim(image_bgr, geometry):
            return refused_reading(say("hand_over_board"), hand=True)
        reading = replace(reading, hand=False)
    if len(reading.unseen) > MOST_HIDDEN:
        return refused_reading(say("too_much_covered"))
    if np.mean(reading.confidences()) < LEAST_CONFIDENCE:
        return refused_reading(say("no_board_between"))
    if has_loose_checker(image_bgr, geometry, said, reference):
        return refused_reading(say("loose_checker"))
    return reading


def _said_at(image_bgr: Image, geometry: BoardGeometry) -> tuple[PlaceReading, Reference]:
    """The networks' second answer, and its reference: the board as their first answer has it."""
    strips = StripView(geometry)
    cut = strips.cut(image_bgr)
    alone = NETWORK.read_alone(cut, strips.leans)
    first = with_sides_by_colour(alone, image_bgr, geometry)
    reference = NETWORK.reference(cut, most_likely(first), strips.leans)
    return with_mean_sides(NETWORK.read(cut, reference), first), reference


def _is_hand_seen_with_rim(image_bgr: Image, geometry: BoardGeometry) -> bool:
    """Whether a hand is also seen with more of the rim. A narrow strip of a wooden rim looks like skin."""
    try:
        larger = geometry.with_corners(geometry.corners_farther_out(RIM))
    except GeometryError:
        return True
    return bool(_said_at(image_bgr, larger)[0].hand >= HAND_FROM)
