"""The network that finds dice on the field and reads them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Image
from vision.networks.runner import Network

Answers = npt.NDArray[np.float32]

VIEW_WH = (768, 672)
"""Width and height in pixels of a view. The network takes it in two halves, so that it needs less memory."""
OVERLAP_PX = 32
"""So far round a cell the network looks: no cell sees farther. From its layers."""
HALF_WH = (VIEW_WH[0], VIEW_WH[1] // 2 + OVERLAP_PX)
"""Width and height in pixels of the largest picture that the network is given."""
CELL_PX = 8
"""Pixels for each cell of its answer; from the network's layers."""
N_DICE_CLASSES = 9
"""Nothing, the faces 1 to 6, a cocked die, a doubling cube."""
NOTHING, COCKED, CUBE = 0, 7, 8
N_DICE_ANSWERS = N_DICE_CLASSES + 3
"""A logit for each class; how far right and down of a cell's middle the body's middle lies, in cells; the
natural logarithm of its size in cells."""
PATCH_PX, CHANGED_LEVELS = 4, 4.0
"""A view has changed where the mean of a patch of so many pixels differs by more levels; guesses."""
CELLS_WH = (VIEW_WH[0] // CELL_PX, VIEW_WH[1] // CELL_PX)
REACH_CELLS = OVERLAP_PX // CELL_PX


@cache
def _network() -> Network:
    return Network(
        path=Path(__file__).parent / "dice.onnx",
        takes={"picture": (1, 3, None, None)},
        gives=("out",),
    )


def dice_blob(pictures_bgr: npt.NDArray[np.uint8]) -> Answers:
    """(N, H, W, 3) pictures as the network takes them: (N, 3, H, W), values from -1 to 1."""
    blob = np.ascontiguousarray(pictures_bgr.transpose(0, 3, 1, 2), dtype=np.float32)
    blob /= 127.5
    blob -= 1
    return blob


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenView:
    """What the network says of a view. patches: (168, 192, 3) means. answers: (84, 96, N_DICE_ANSWERS)."""

    patches: Answers
    answers: Answers

    @property
    def odds(self) -> Answers:
        """(84, 96, 9): the probability of each class."""
        logits = self.answers[..., :N_DICE_CLASSES]
        odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=-1, keepdims=True))

    @property
    def bodies(self) -> Answers:
        """(84, 96, 3): x, y of the body's middle and its size, in pixels of the view."""
        rows, columns = np.indices(self.answers.shape[:2])
        x, y, size = np.moveaxis(self.answers[..., N_DICE_CLASSES:], -1, 0)
        middles = [(columns + 0.5 + x) * CELL_PX - 0.5, (rows + 0.5 + y) * CELL_PX - 0.5]
        return np.stack([*middles, np.exp(size) * CELL_PX], axis=-1).astype(np.float32)


def see_dice(view_bgr: Image, before: SeenView | None = None) -> SeenView:
    """What the network says of a view (672, 768, 3). It looks only where that has changed since `before`."""
    size_wh = (VIEW_WH[0] // PATCH_PX, VIEW_WH[1] // PATCH_PX)
    patches = cv2.resize(view_bgr, size_wh, interpolation=cv2.INTER_AREA).astype(np.float32)
    (left, right), (top, bottom) = ((0, side) for side in CELLS_WH)
    answers = np.empty((bottom, right, N_DICE_ANSWERS), np.float32)
    if before is not None:
        changed = np.argwhere(np.abs(patches - before.patches).max(axis=-1) > CHANGED_LEVELS)
        if not len(changed):
            return before
        first, last = (at * PATCH_PX // CELL_PX for at in (changed.min(axis=0), changed.max(axis=0)))
        top, left = np.maximum(first - REACH_CELLS, 0)
        bottom, right = np.minimum(last + 1 + REACH_CELLS, (bottom, right))
        answers = before.answers.copy()
    most_rows = HALF_WH[1] // CELL_PX - REACH_CELLS
    for row in range(top, bottom, most_rows):
        end = min(row + most_rows, bottom)
        up, aside = max(row - REACH_CELLS, 0), max(left - REACH_CELLS, 0)
        rows, columns = (
            slice(first * CELL_PX, (last + REACH_CELLS) * CELL_PX)
            for first, last in ((up, end), (aside, right))
        )
        (said,) = _network().run(picture=dice_blob(view_bgr[None, rows, columns]))
        here = said[0, :, row - up : end - up, left - aside : right - aside]
        answers[row:end, left:right] = here.transpose(1, 2, 0)
    if before is not None:
        scale = CELL_PX // PATCH_PX
        kept, part = before.patches.copy(), np.s_[top * scale : bottom * scale, left * scale : right * scale]
        kept[part] = patches[part]
        patches = kept
    return SeenView(patches=patches, answers=answers)
