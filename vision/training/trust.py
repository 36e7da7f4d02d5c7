"""Measures how far a peak of the network can be trusted, on drawn boards that it was not taught with.

Prints the slope and the offset that vision/photo/checker_finder.py turns heights of peaks into
probabilities with: python -m vision.training.trust --boards 200
"""

import argparse

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry
from vision.networks.small_networks import NETWORK_PITCH_PX
from vision.photo.checker_finder import PHOTO_MARGIN_PITCHES, centre_peaks, rectify_board
from vision.training.boards import DrawnBoard, draw_board

NEAR_PITCHES = 0.4
"""A peak this near to a checker's middle is that checker."""
SEED = 77_000


def geometry_of(board: DrawnBoard) -> BoardGeometry:
    """The geometry of a drawn board in its own picture."""
    x, y, width, height = board.field_px
    left, right = ((edge - x) / width for edge in board.bar_px)
    return BoardGeometry(
        corners_px=((x, y), (x + width, y), (x + width, y + height), (x, y + height)),
        image_wh=(board.image_bgr.shape[1], board.image_bgr.shape[0]),
        bar=(left, right),
        aspect=width / height,
    )


def judged_peaks(board: DrawnBoard) -> list[tuple[float, bool]]:
    """The height of each peak on a board, and whether a checker is there."""
    view = rectify_board(board.image_bgr, geometry_of(board), thorough=True)
    left = [
        (d.x / NETWORK_PITCH_PX - PHOTO_MARGIN_PITCHES, d.y / NETWORK_PITCH_PX - PHOTO_MARGIN_PITCHES)
        for d in board.discs
    ]
    judged = []
    for x, y, height in centre_peaks(view):
        away = [np.hypot(x - a, y - b) for a, b in left]
        right = bool(away) and min(away) < NEAR_PITCHES
        if right:
            left.pop(int(np.argmin(away)))
        judged.append((height, right))
    return judged


def fitted_line(heights: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Logistic regression (Newton's method) of being right on the log odds of the height."""
    odds = np.log(heights / (1 - heights))
    columns = np.stack([odds, np.ones_like(odds)], axis=1)
    line = np.zeros(2)
    for _ in range(50):
        said = 1 / (1 + np.exp(-columns @ line))
        curvature = (columns * (said * (1 - said))[:, None]).T @ columns + 1e-3 * np.eye(2)
        line += np.linalg.solve(curvature, columns.T @ (right - said))
    return float(line[0]), float(line[1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=200)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(SEED)
    judged = [peak for _ in range(chosen.boards) for peak in judged_peaks(draw_board(rng))]
    heights, right = (np.array(column, dtype=np.float64) for column in zip(*judged, strict=True))
    slope, offset = fitted_line(np.clip(heights, 1e-6, 1 - 1e-6), right)
    print(f"{len(judged)} peaks, {right.mean():.3f} of them checkers; slope {slope:.2f}, offset {offset:.2f}")


if __name__ == "__main__":
    main()
