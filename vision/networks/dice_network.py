"""The network that finds dice on the field and reads them."""

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.geometry import Image
from vision.networks.runner import Network

Answers = npt.NDArray[np.float32]

VIEW_WH = (768, 672)
"""Width and height in pixels of a view. The network takes it in two halves, so that it needs less memory."""
OVERLAP_PX = 32
"""So many rows of the other half are seen with each: no cell sees farther. From the network's layers."""
HALF_WH = (VIEW_WH[0], VIEW_WH[1] // 2 + OVERLAP_PX)
"""Width and height in pixels of the picture that the network takes."""
CELL_PX = 8
"""Pixels for each cell of its answer; from the network's layers."""
N_DICE_CLASSES = 9
"""Nothing, the faces 1 to 6, a cocked die, a doubling cube."""
NOTHING, COCKED, CUBE = 0, 7, 8
N_DICE_ANSWERS = N_DICE_CLASSES + 3
"""A logit for each class; how far right and down of a cell's middle the body's middle lies, in cells; the
natural logarithm of its size in cells."""


@cache
def _network() -> Network:
    return Network(
        path=Path(__file__).parent / "dice.onnx",
        takes={"picture": (1, 3, HALF_WH[1], HALF_WH[0])},
        gives=("out",),
    )


def dice_blob(pictures_bgr: npt.NDArray[np.uint8]) -> Answers:
    """(N, H, W, 3) pictures as the network takes them: (N, 3, H, W), values from -1 to 1."""
    blob = np.ascontiguousarray(pictures_bgr.transpose(0, 3, 1, 2), dtype=np.float32)
    blob /= 127.5
    blob -= 1
    return blob


def see_dice(view_bgr: Image) -> tuple[Answers, Answers]:
    """What the network says of each cell of a view (672, 768, 3).

    Returns the probability of each class (84, 96, 9), and (84, 96, 3) x, y of the body's middle and its size,
    in pixels of the view.
    """
    (upper,) = _network().run(picture=dice_blob(view_bgr[None, : HALF_WH[1]]))
    (lower,) = _network().run(picture=dice_blob(view_bgr[None, -HALF_WH[1] :]))
    half = VIEW_WH[1] // CELL_PX // 2
    answers = np.concatenate([upper[0, :, :half], lower[0, :, -half:]], axis=1).transpose(1, 2, 0)
    logits = answers[..., :N_DICE_CLASSES]
    odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
    rows, columns = np.indices(answers.shape[:2])
    bodies = np.stack(
        [
            (columns + 0.5 + answers[..., N_DICE_CLASSES]) * CELL_PX - 0.5,
            (rows + 0.5 + answers[..., N_DICE_CLASSES + 1]) * CELL_PX - 0.5,
            np.exp(answers[..., N_DICE_CLASSES + 2]) * CELL_PX,
        ],
        axis=-1,
    )
    return odds / odds.sum(axis=-1, keepdims=True), bodies.astype(np.float32)
