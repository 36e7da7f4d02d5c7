"""The network that finds dice on the field and reads them."""

from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Image
from vision.networks.runner import Network, softmax

Answers = npt.NDArray[np.float32]

VIEW_WH = (768, 672)
"""Width and height in pixels of a view."""
OVERLAP_PX = 32
"""How far around a cell the network sees at most, in pixels; from its layers."""
CELL_PX = 8
"""Width and height in pixels of a cell of the network's answer; from its layers."""
N_DICE_CLASSES = 9
"""Nothing, the faces 1 to 6, a cocked die, a doubling cube."""
NO_BODY, COCKED, CUBE = 0, 7, 8
N_DICE_ANSWERS = N_DICE_CLASSES + 3
"""Of each cell: a logit for each class; how far the body's middle lies to the right of the cell's middle and
below it, in cells; the natural logarithm of the body's size in cells."""
CELLS_WH = (VIEW_WH[0] // CELL_PX, VIEW_WH[1] // CELL_PX)
REACH_CELLS = OVERLAP_PX // CELL_PX
MOST_CELLS_WH = (48, 21)
"""Most columns and rows of cells for one run of the network: fewer need less memory and more time."""
CHANGED_CELL_LEVELS = 8.0
"""A cell has changed if its mean differs by more levels than this; guess: noise stays below."""
LEAST_BODY = 0.25
"""Probability of a body in a cell above which it is looked at again in each picture; guess."""


@cache
def _network() -> Network:
    return Network(
        path=Path(__file__).parent / "dice.onnx",
        takes={"picture": (1, 3, None, None)},
        gives=("out",),
    )


def dice_blob(pictures_bgr: npt.NDArray[np.uint8]) -> Answers:
    """(N, H, W, 3) pictures as the network's input: (N, 3, H, W), values from -1 to 1."""
    blob = np.ascontiguousarray(pictures_bgr.transpose(0, 3, 1, 2), dtype=np.float32)
    blob /= 127.5
    blob -= 1
    return blob


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenView:
    """The network's answer to a view. means: (84, 96, 3) of the cells. answers: (84, 96, N_DICE_ANSWERS)."""

    means: Answers
    answers: Answers

    @property
    def odds(self) -> Answers:
        """(84, 96, 9): the probability of each class."""
        return softmax(self.answers[..., :N_DICE_CLASSES])

    @property
    def bodies(self) -> Answers:
        """(84, 96, 3): x, y of the body's middle and its size, in pixels of the view."""
        rows, columns = np.indices(self.answers.shape[:2])
        x, y, size = np.moveaxis(self.answers[..., N_DICE_CLASSES:], -1, 0)
        middles = [(columns + 0.5 + x) * CELL_PX - 0.5, (rows + 0.5 + y) * CELL_PX - 0.5]
        return np.stack([*middles, np.exp(size) * CELL_PX], axis=-1).astype(np.float32)


def see_dice(view_bgr: Image, before: SeenView | None = None) -> SeenView:
    """The network's answer to a view (672, 768, 3).

    After `before`, it looks only near cells that have changed or show a body: bodies are judged anew in each
    picture.
    """
    means = cv2.resize(view_bgr, CELLS_WH, interpolation=cv2.INTER_AREA).astype(np.float32)
    if before is None:
        seen = SeenView(means=means, answers=np.empty((*means.shape[:2], N_DICE_ANSWERS), np.float32))
        _look(view_bgr, (0, 0, *CELLS_WH), seen.answers)
        return seen
    changed = np.abs(means - before.means).max(axis=-1) > CHANGED_CELL_LEVELS
    changed |= before.odds[..., NO_BODY] < 1 - LEAST_BODY
    if not changed.any():
        return before
    around = np.ones((2 * REACH_CELLS + 1,) * 2, np.uint8)
    _, _, parts, _ = cv2.connectedComponentsWithStats(cv2.dilate(changed.astype(np.uint8), around))
    seen = SeenView(means=before.means.copy(), answers=before.answers.copy())
    for left, top, width, height, _ in parts[1:]:
        part = np.s_[top : top + height, left : left + width]
        seen.means[part] = means[part]
        _look(view_bgr, (left, top, left + width, top + height), seen.answers)
    return seen


def _look(view_bgr: Image, box: tuple[int, int, int, int], answers: Answers) -> None:
    """Write the network's answers for the cells in a box (left, top, right, bottom) into `answers`."""
    left, top, right, bottom = box
    wide, high = MOST_CELLS_WH
    for row, column in product(range(top, bottom, high), range(left, right, wide)):
        end, last = min(row + high, bottom), min(column + wide, right)
        up, aside = max(row - REACH_CELLS, 0), max(column - REACH_CELLS, 0)
        rows = slice(up * CELL_PX, (end + REACH_CELLS) * CELL_PX)
        columns = slice(aside * CELL_PX, (last + REACH_CELLS) * CELL_PX)
        (said,) = _network().run(picture=dice_blob(view_bgr[None, rows, columns]))
        here = said[0, :, row - up : end - up, column - aside : last - aside]
        answers[row:end, column:last] = here.transpose(1, 2, 0)
