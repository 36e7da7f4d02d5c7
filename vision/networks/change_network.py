"""The network that tells how many checkers came to a stack or left it between two pictures."""

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.networks.place_reader import CELLS, FEATURES
from vision.networks.runner import Network, softmax

Floats = npt.NDArray[np.float32]

MOST_CHANGED = 4
"""Most checkers that come or go in a half-turn; from the game. More count as this many."""
N_CHANGES = 2 * MOST_CHANGED + 1
"""Classes of change: from four checkers that went to four that came."""


@cache
def _network() -> Network:
    seen = (None, FEATURES, *CELLS)
    return Network(
        path=Path(__file__).parent / "changes.onnx", takes={"before": seen, "now": seen}, gives=("out",)
    )


def see_changes(before: Floats, now: Floats) -> Floats:
    """(N, N_CHANGES): the likelihood of each change; they add up to one.

    before, now: (N, FEATURES, *CELLS) from `ReaderNetwork.features`, of places that hold checkers of the same
    side in both pictures. The network was trained on equally many examples of each change, so its answers are
    likelihoods.
    """
    (answers,) = _network().run(before=before, now=now)
    return softmax(answers)
