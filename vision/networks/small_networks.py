"""Small convolutional networks in numpy.

The weights `checkers.npz` and `dice.npz` were trained on drawn boards only (vision/training). A
network's answer has half the resolution of the picture.
"""

from functools import cache
from pathlib import Path

import numpy as np

from vision.geometry import Image, Map

Weights = dict[str, tuple[Map, Map]]

MAP_STEP_PX = 2
"""Pixels of the picture for each pixel of the answer; from the networks' layers."""
NETWORK_PITCH_PX = 16
"""Pixels for the width of a point in the pictures with which the network "checkers" was trained; from
the training."""
DEVIATION_OFFSET = 5
"""Grey levels added to a picture's standard deviation before it is divided by it; from the training."""
MOST_LOGIT = 30
"""Logits are clipped to this far from zero, so that the exponential stays finite; guess."""
WEIGHTS_FOLDER = Path(__file__).parent


def run_network(picture_bgr: Image, network: str) -> Map:
    """(h / 2, w / 2, answers): what "checkers" or "dice" answers, each value from 0 to 1."""
    height, width = picture_bgr.shape[:2]
    weights = _weights(network)
    depth = sum(name.startswith("down") for name in weights)
    picture = picture_bgr.astype(np.float32)
    picture = (picture - picture.mean()) / (picture.std(ddof=1) + DEVIATION_OFFSET)
    whole = 2**depth
    padded = np.pad(picture, ((0, -height % whole), (0, -width % whole), (0, 0)), mode="edge")
    answer = _forward(padded, weights, depth)[: -(-height // MAP_STEP_PX), : -(-width // MAP_STEP_PX)]
    return np.asarray(1 / (1 + np.exp(-np.clip(answer, -MOST_LOGIT, MOST_LOGIT))), dtype=np.float32)


def _forward(picture: Map, weights: Weights, depth: int) -> Map:
    levels = [_layer(weights["fine"], picture)]
    for level in range(1, depth + 1):
        down = _layer(weights[f"down{level}"], levels[-1], stride=2)
        levels.append(_layer(weights[f"same{level}"], down))
    seen = levels[-1]
    for level in range(depth - 1, 0, -1):
        grown = seen.repeat(2, axis=0).repeat(2, axis=1)
        seen = _layer(weights[f"up{level}"], np.concatenate([grown, levels[level]], axis=2))
    weight, bias = weights["out"]
    return np.asarray(seen @ weight[0, 0] + bias, dtype=np.float32)


def _layer(layer: tuple[Map, Map], maps: Map, stride: int = 1) -> Map:
    """A 3x3 convolution and a rectifier, as nine products of matrices."""
    weight, bias = layer
    height, width = maps.shape[0] // stride, maps.shape[1] // stride
    padded = np.pad(maps, ((1, 1), (1, 1), (0, 0)))
    total = np.broadcast_to(bias, (height * width, len(bias))).copy()
    for dy in range(3):
        for dx in range(3):
            seen = padded[dy : dy + height * stride : stride, dx : dx + width * stride : stride]
            total += seen.reshape(height * width, -1) @ weight[dy, dx]
    np.maximum(total, 0, out=total)
    return total.reshape(height, width, -1)


@cache
def _weights(network: str) -> Weights:
    """Each layer's weights (rows, columns, in, out) and biases (out,)."""
    with np.load(WEIGHTS_FOLDER / f"{network}.npz") as stored:
        names = {key.split(".")[0] for key in stored.files}
        return {
            name: (
                stored[f"{name}.weight"].astype(np.float32).transpose(2, 3, 1, 0).copy(),
                stored[f"{name}.bias"].astype(np.float32),
            )
            for name in names
        }
