"""The network that looks closely at one die and reads its upper face."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import FloatArray, Image
from vision.networks.runner import Network, softmax

FACE_PIECE_PX, DIE_PX = 40, 24
"""Width and height in pixels of the crop that the network sees (the piece), and of the die's body in it."""
N_FACE_CLASSES = 8
"""The faces 1 to 6, a die that leans, something that is no die."""
LEAST_DEVIATION = 8.0
"""Added to the standard deviation of a piece's levels, so that noise alone is not amplified. From the
training."""
WIDTHS_TRIED = (0.9, 1.1)
"""A look is the mean of two, with the die taken as so many times as wide. Chosen among eight ways on 716
pictures of six boards, and on recordings."""


@cache
def _network() -> Network:
    return Network(
        path=Path(__file__).parent / "face.onnx",
        takes={"piece": (None, 3, FACE_PIECE_PX, FACE_PIECE_PX)},
        gives=("out",),
    )


def onto_piece(turn: FloatArray, middle_px: FloatArray) -> FloatArray:
    """(2, 3): the affine map that applies `turn` (2, 2) and moves `middle_px` to the piece's middle."""
    onto: FloatArray = np.c_[turn, (FACE_PIECE_PX - 1) / 2 - turn @ middle_px]
    return onto


def piece_at(picture_bgr: Image, onto: FloatArray) -> Image:
    """(40, 40, 3): the piece of a picture that an affine map (2, 3) gives."""
    size = (FACE_PIECE_PX, FACE_PIECE_PX)
    seen = cv2.warpAffine(picture_bgr, onto, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.uint8)


def levelled_piece(piece_bgr: Image) -> npt.NDArray[np.float32]:
    """(3, 40, 40): a piece with its brightness and contrast normalised."""
    level = piece_bgr.astype(np.float32)
    return np.ascontiguousarray(((level - level.mean()) / (level.std() + LEAST_DEVIATION)).transpose(2, 0, 1))


def see_face(view_bgr: Image, middle_px: FloatArray, size_px: float, mirrored: bool = False) -> FloatArray:
    """(8,) probabilities of what lies at `middle_px` in a view. size_px: the width of its body.

    mirrored: look at the mirror image, in which a die shows the same face.
    """
    sides = np.array([-1.0 if mirrored else 1.0, 1.0])
    pieces = [
        levelled_piece(piece_at(view_bgr, onto_piece(np.diag(sides) * DIE_PX / (size_px * wider), middle_px)))
        for wider in WIDTHS_TRIED
    ]
    (answers,) = _network().run(piece=np.stack(pieces))
    return np.asarray(softmax(answers).mean(axis=0), dtype=np.float64)
