"""Weights taken back out of ONNX files (needs PyTorch and onnx)."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from vision.networks import corner_network  # noqa: E402
from vision.training.learn_corners import CornerNet  # noqa: E402
from vision.training.taken_back import go_on_from  # noqa: E402

SHIPPED = Path(corner_network.__file__).with_name("corner.onnx")


def test_a_network_taken_back_from_its_file_answers_as_the_file_does():
    rng = np.random.default_rng(1)
    pieces = rng.normal(0, 1, (8, 3, 128, 128)).astype(np.float32)
    network = CornerNet()
    go_on_from(network, SHIPPED, lambda: network(torch.from_numpy(pieces)))
    with torch.no_grad():
        answers = network.eval()(torch.from_numpy(pieces)).numpy()
    (wanted,) = corner_network._network().run(pieces=pieces)
    np.testing.assert_allclose(answers, wanted, atol=1e-3 * np.abs(wanted).max())
