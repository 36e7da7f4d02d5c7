"""Finds what hides the board in one picture, and whether the picture can be read at all."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_reading import N_POINTS
from vision.photo.checker_finder import PHOTO_MARGIN_PITCHES, BoardView, SeenChecker
from vision.photo.placing import PlacedCheckers, column_middles
from vision.photo.side_colours import SideColours

COVER_THRESHOLD = 0.5
"""From this answer of the network on, something covers the board; guess."""
COVER_REACH_PITCHES = 0.4
"""Half the side of the square round a place's first checker that is examined, in pitches; guess."""
SMALLEST_HAND_SQUARE_PITCHES = 1.2
"""A hand that covers a smaller area of the field hides nothing, in square pitches; guess."""
SURELY_LOOSE_SURENESS = 0.85
"""Probability of a checker off the points from which its place alone refuses the picture; guess."""
LOOSE_FACE_REACH_PITCHES, LEAST_FACE_SHARE = 0.3, 0.6
"""Half the side of a square on a checker's centre in pitches, and the share of it that must be a face;
guesses."""
MOST_STRANGENESS = 5.0
"""Squared distance, in spreads, from both sides' colours beyond which something is no checker; guess."""
USUAL_STRANGENESS = 2.0
"""Squared distance, in spreads, within which most of a side's own checkers lie; guess."""
FEWEST_IN_PILE = 3
"""Loose checkers that make a pile; guess."""


def covered_places(view: BoardView) -> frozenset[int]:
    """Places (0 to 23) whose first checker would lie under a hand or another thing."""
    cover = np.maximum(view.maps.hands, view.maps.things)
    hidden = set()
    for place in range(N_POINTS):
        x = float(column_middles(view)[place % 12])
        y = 0.5 if place < N_POINTS // 2 else view.height - 0.5
        if _mean_around(cover, view, x, y) > COVER_THRESHOLD:
            hidden.add(place)
    return frozenset(hidden)


def why_unreadable(
    view: BoardView, placed: PlacedCheckers, sides: SideColours | None, lacking: tuple[int, int]
) -> tuple[str | None, bool]:
    """The reason to refuse the picture, or None; and whether a hand is over the field.

    lacking: how many light and dark checkers of a full set were not read on places.
    """
    hand = _largest_hand(view) > SMALLEST_HAND_SQUARE_PITCHES
    if hand:
        return "a hand is over the board; take the picture again without it", True
    loose = sum(_is_loose(checker, view, sides, lacking) for checker in placed.loose)
    if loose >= FEWEST_IN_PILE:
        return "checkers lie in a pile or beside the points; put them on their points", False
    if loose:
        return "a loose checker lies on no point; put it where it belongs", False
    return None, False


def _is_loose(
    checker: SeenChecker, view: BoardView, sides: SideColours | None, lacking: tuple[int, int]
) -> bool:
    """Whether a checker clearly lies off the points, or has the colour of a side that lacks one."""
    if checker.sureness > SURELY_LOOSE_SURENESS:
        return _is_a_checker(checker, view, sides)
    if sides is None or sides.strangeness(checker.lab) > USUAL_STRANGENESS:
        return False
    return lacking[0 if sides.light_logit(checker.lab) > 0 else 1] > 0


def _is_a_checker(checker: SeenChecker, view: BoardView, sides: SideColours | None) -> bool:
    """Whether what lies off the points has a checker's size and colour, so it is no die and no emblem."""
    size = _mean_around(view.maps.faces, view, checker.x, checker.y, reach=LOOSE_FACE_REACH_PITCHES)
    return size > LEAST_FACE_SHARE and sides is not None and sides.strangeness(checker.lab) < MOST_STRANGENESS


def _largest_hand(view: BoardView) -> float:
    """Square pitches of the field under the largest hand-like body that reaches in from outside."""
    margin = round(PHOTO_MARGIN_PITCHES * view.map_scale)
    seen = cv2.dilate((view.maps.hands > COVER_THRESHOLD).astype(np.uint8), np.ones((3, 3), np.uint8))
    _, bodies = cv2.connectedComponents(seen)
    field = bodies[margin:-margin, margin:-margin].copy()
    bodies[margin:-margin, margin:-margin] = 0
    reaching = set(np.unique(bodies)) - {0}
    areas = [float((field == body).sum()) for body in reaching]
    return max(areas, default=0.0) / view.map_scale**2


def _mean_around(
    cover: npt.NDArray[np.float32], view: BoardView, x: float, y: float, reach: float = COVER_REACH_PITCHES
) -> float:
    scale = view.map_scale
    column, row = (x + PHOTO_MARGIN_PITCHES) * scale, (y + PHOTO_MARGIN_PITCHES) * scale
    reach *= scale
    top, left = max(0, round(row - reach)), max(0, round(column - reach))
    patch = cover[top : round(row + reach), left : round(column + reach)]
    return float(patch.mean()) if patch.size else 0.0
