"""Runs ONNX files with OpenCV. The only module that does."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from sentences import say

Blob = npt.NDArray[np.float32]
MOST_LOADED = 7
"""Most networks that are kept loaded: as many as read a picture and its dice. Each takes four to nine
megabytes, and a few milliseconds to load. `find_board` lets go of all before and after its search."""


def softmax(logits: Blob) -> Blob:
    """Probabilities from logits; they add up to one along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float32)


class NetworkError(ValueError):
    """A network cannot be loaded, or was given an input that it does not take."""


@dataclass(frozen=True, kw_only=True)
class Network:
    """One ONNX file.

    takes: name and shape of each input; None for a side of any length. gives: names of the outputs, in the
    order in which `run` returns them.
    """

    path: Path
    takes: Mapping[str, tuple[int | None, ...]]
    gives: tuple[str, ...]

    def run(self, **blobs: npt.NDArray[np.float32]) -> tuple[Blob, ...]:
        """The outputs for these inputs. Raises NetworkError for a missing one or one of another shape."""
        loaded = _loaded(self.path)
        for name, shape in self.takes.items():
            if name not in blobs:
                raise NetworkError(say("network_also_needs", path=self.path.name, name=name, shape=shape))
            given = blobs[name].shape
            if len(given) != len(shape) or any(
                wanted not in (None, has) for has, wanted in zip(given, shape, strict=True)
            ):
                raise NetworkError(
                    say(
                        "network_value_shape",
                        path=self.path.name,
                        name=name,
                        shape=given,
                        wanted=shape,
                    )
                )
            loaded.setInput(np.ascontiguousarray(blobs[name], dtype=np.float32), name)
        return tuple(np.array(blob, dtype=np.float32) for blob in loaded.forward(list(self.gives)))


def let_go() -> None:
    """Let go of all loaded networks. Each is loaded again when it is next run."""
    _loaded.cache_clear()


@lru_cache(maxsize=MOST_LOADED)
def _loaded(path: Path) -> cv2.dnn.Net:
    try:
        return cv2.dnn.readNetFromONNX(str(path))
    except cv2.error as problem:
        raise NetworkError(say("no_network", path=path)) from problem
