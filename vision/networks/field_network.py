"""The network that finds the field's corners and the bar's edges in a picture of a whole board."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks.runner import Network, softmax

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

SEEN_WH = (192, 160)
"""Width and height of the picture that the network takes."""
STEP_PX = 4
"""Pixels of that picture per pixel of the network's maps."""
N_SPOTS = 8
"""The four corners, then the points where the bar's edges meet the field's top and bottom edge; each four
clockwise from the picture's top left. Those of the bar are valid only where the bar is upright."""
NOTHING, CUT, UPRIGHT, ACROSS = range(4)
"""No board; one that is not wholly in the picture; one with its bar upright; one with its bar across it."""
N_KINDS = 4
PEAK_REACH = 2
"""A spot is the mean of the map's likelihood within so many map pixels of its peak."""
LEAST_SHARE = 1e-12
"""Least likelihood near a peak, against division by zero."""
DEVIATION_OFFSET = 5
"""Grey levels added to the standard deviation by which a picture is divided; as in the training."""


@dataclass(frozen=True, kw_only=True)
class FieldSeen:
    """The network's answer to one picture.

    spots_px: (8, 2) pixels of that picture. sureness: (8,) share of each one's likelihood that lies near it.
    kinds: (4,) probabilities of NOTHING, CUT, UPRIGHT and ACROSS.
    """

    spots_px: Points
    sureness: Floats
    kinds: Floats


@cache
def _network() -> Network:
    width, height = SEEN_WH
    return Network(
        path=Path(__file__).parent / "field.onnx",
        takes={"picture": (1, 3, height, width)},
        gives=("maps", "kinds"),
    )


def reduced(image_bgr: Image, size_wh: Points) -> Image:
    """The picture at this size if that is smaller, else unchanged."""
    width, height = (max(1, round(float(side))) for side in size_wh)
    if width >= image_bgr.shape[1]:
        return image_bgr
    return np.asarray(cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def levelled(picture_bgr: Image) -> Floats:
    """(3, H, W): a picture with its brightness and contrast normalised."""
    values = picture_bgr.astype(np.float32)
    levels = (values - values.mean()) / (values.std() + DEVIATION_OFFSET)
    return np.ascontiguousarray(levels.transpose(2, 0, 1))


def see_field(picture_bgr: Image) -> FieldSeen:
    """The network's answer to a picture (160, 192, 3)."""
    maps, kinds = _network().run(picture=levelled(picture_bgr)[None])
    spots, sureness = spots_of(maps[0])
    return FieldSeen(spots_px=spots, sureness=sureness, kinds=softmax(kinds.reshape(N_KINDS)))


def spots_of(maps: Floats) -> tuple[Points, Floats]:
    """(8, 2) pixels and (8,) likelihoods of the spots that the maps (8, H, W) of logits show."""
    columns = maps.shape[2]
    likely = softmax(maps.reshape(len(maps), -1)).reshape(maps.shape)
    steps = np.arange(-PEAK_REACH, PEAK_REACH + 1)
    padded = np.pad(likely, ((0, 0), (PEAK_REACH, PEAK_REACH), (PEAK_REACH, PEAK_REACH)))
    spots, sureness = np.zeros((len(maps), 2)), np.zeros(len(maps), np.float32)
    for n, peak in enumerate(likely.reshape(len(maps), -1).argmax(axis=1)):
        y, x = divmod(int(peak), columns)
        part = padded[n, y : y + len(steps), x : x + len(steps)]
        sureness[n] = part.sum()
        about = np.array([part.sum(axis=0) @ steps, part.sum(axis=1) @ steps])
        spots[n] = np.array([x, y]) + about / max(float(sureness[n]), LEAST_SHARE)
    return (spots + 0.5) * STEP_PX - 0.5, sureness
