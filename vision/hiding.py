"""What hides the board in one picture, and whether it can be read at all."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.checkers import MARGIN_PITCHES, BoardView
from vision.placing import Placed, column_middles
from vision.reading import N_PLACES

COVERED = 0.5
"""A map above this says that something is there."""
HAND_PITCHES_SQUARE = 1.2
"""A hand smaller than this on the field hides nothing."""
SURELY_LOOSE = 0.85
PILE = 3
"""So many checkers on no point are a pile."""


def hidden_places(view: BoardView) -> frozenset[int]:
    """Places (0 to 23) whose first checker would lie under a hand or another thing."""
    cover = np.maximum(view.sights.hands, view.sights.things)
    hidden = set()
    for place in range(N_PLACES):
        x = float(column_middles(view)[place % 12])
        y = 0.5 if place < N_PLACES // 2 else view.height - 0.5
        if _mean_around(cover, view, x, y) > COVERED:
            hidden.add(place)
    return frozenset(hidden)


def why_unreadable(view: BoardView, placed: Placed) -> tuple[str | None, bool]:
    """The reason to refuse the picture, or None; and whether a hand is over the field."""
    hand = _largest_hand(view) > HAND_PITCHES_SQUARE
    if hand:
        return "a hand is over the board; take the picture again without it", True
    loose = sum(c.sureness > SURELY_LOOSE for c in placed.loose)
    if loose >= PILE:
        return "checkers lie in a pile or beside the points; put them on their points", False
    if loose:
        return "a loose checker lies on no point; put it where it belongs", False
    return None, False


def _largest_hand(view: BoardView) -> float:
    """Square pitches of the field under the largest body that looks like a hand."""
    margin = round(MARGIN_PITCHES * view.map_scale)
    field = view.sights.hands[margin : -margin or None, margin : -margin or None]
    seen = (field > COVERED).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(seen)
    areas = stats[1:, cv2.CC_STAT_AREA]
    return float(areas.max() / view.map_scale**2) if count > 1 else 0.0


def _mean_around(cover: npt.NDArray[np.float32], view: BoardView, x: float, y: float) -> float:
    scale = view.map_scale
    column, row = (x + MARGIN_PITCHES) * scale, (y + MARGIN_PITCHES) * scale
    reach = 0.4 * scale
    top, left = max(0, round(row - reach)), max(0, round(column - reach))
    patch = cover[top : round(row + reach), left : round(column + reach)]
    return float(patch.mean()) if patch.size else 0.0
