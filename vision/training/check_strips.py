"""Fixed strips, to check that the networks answer on every machine as they did where they were trained."""

import numpy as np

from vision.networks.place_reader import Counts
from vision.networks.strips import N_PLACES, STRIP_WH, Strips

CHECK_LEAN = 1.5


def check_strips() -> tuple[Strips, Strips, Counts]:
    """Strips of a reference and of a picture, (26, H, W, 3) each, and the (26, 2) counts of the reference."""
    width, height = STRIP_WH
    place, y, x, colour = np.meshgrid(
        np.arange(N_PLACES), np.arange(height), np.arange(width), np.arange(3), indexing="ij"
    )
    waves = np.sin(x / (3 + place % 5) + colour) + np.sin(y / (4 + place % 7) - 0.5 * place)
    reference = np.round(127 + 60 * waves).astype(np.uint8)
    shown = np.round(120 + 45 * waves + 40 * np.sin(y / 6 + x / 9 + place)).astype(np.uint8)
    counts = np.zeros((N_PLACES, 2), dtype=np.int64)
    counts[[0, 7, 11, 16]] = (5, 0), (0, 5), (0, 3), (2, 0)
    return reference, shown, counts
