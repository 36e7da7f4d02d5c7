"""Decides when a board that has not been learnt is looked for, and how thoroughly."""

from collections import deque

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera import Frame, Image

WAIT_SHARE = 0.8
"""Time between two searches, as a share of the time since the first one. Guess: it gives nine searches in a
film of four minutes, and each may take two seconds."""
THOROUGH_EVERY = 4
"""One search of so many is thorough, first of all the first one. Guess: it takes three times as long."""
SKETCH_WH = (32, 24)
"""Cells of a sketch of a picture, across and down; guess: a checker covers one or two."""
SURROUNDINGS_CELLS = 2.5
"""Spread of the surroundings with which a cell is compared; guess. So a change of light changes little."""
DARK_LEVEL = 8
"""Grey levels added before logarithms, so that noise in the dark counts little; guess."""
UNLIKE_NATS = 0.2
"""Logarithm of the factor by which a cell is brighter or darker that shows something else; guess."""
STILL_SHARE, OTHER_SHARE = 0.05, 0.25
"""Share of unlike cells up to which nothing moves between two pictures, and from which on a picture shows
something else than the pictures searched before; guesses: four checkers that were played, and a board that is
put on the table."""
REMEMBERED = 8
"""Most searched pictures that are remembered; guess."""

Sketch = npt.NDArray[np.float32]


class SearchPace:
    """When to search pictures for the board: more and more rarely, until something else lies there still.

    Each search that is due is made.
    """

    def __init__(self) -> None:
        self._searched: deque[Sketch] = deque(maxlen=REMEMBERED)
        self._seen: Sketch | None = None
        """The last picture."""
        self._n_searches = 0
        """Searches since something else came to lie there."""
        self._first_ms = self._last_ms = 0
        """The times of the first and the last of them."""

    @property
    def is_thorough(self) -> bool:
        """Whether the search that is due now is a thorough one."""
        return self._n_searches % THOROUGH_EVERY == 1

    def is_due(self, frame: Frame) -> bool:
        """Whether to search this frame. Called once for each frame."""
        before, now = self._seen, _sketch(frame.image_bgr)
        self._seen = now
        is_still = before is not None and _unlike(before, now) <= STILL_SHARE
        if not self._searched or (
            is_still and all(_unlike(one, now) >= OTHER_SHARE for one in self._searched)
        ):
            self._n_searches, self._first_ms = 0, frame.t_ms
        elif frame.t_ms - self._last_ms < WAIT_SHARE * (self._last_ms - self._first_ms):
            return False
        self._searched.append(now)
        self._n_searches, self._last_ms = self._n_searches + 1, frame.t_ms
        return True


def _sketch(image_bgr: Image) -> Sketch:
    """(24, 32): how bright each cell of the picture is, compared with its surroundings, in nats."""
    small = cv2.resize(image_bgr, SKETCH_WH, interpolation=cv2.INTER_AREA)
    nats = np.log(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY) + np.float32(DARK_LEVEL))
    return np.asarray(nats - cv2.GaussianBlur(nats, (0, 0), SURROUNDINGS_CELLS), np.float32)


def _unlike(one: Sketch, other: Sketch) -> float:
    """Share of the cells that differ."""
    return float((abs(one - other) > UNLIKE_NATS).mean())
