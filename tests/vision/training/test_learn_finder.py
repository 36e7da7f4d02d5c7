"""Descending to what a network should say (needs PyTorch and onnx)."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from vision.training.learn_finder import Descent  # noqa: E402


def test_the_loss_told_is_the_mean_of_the_steps_since_it_was_told_last():
    network = torch.nn.Linear(1, 1)
    descent = Descent(network, steps=3, rate=0.01)
    for loss in (2.0, 4.0):
        descent.step(0 * network.weight.sum() + loss)
    assert descent.loss_since() == 3.0
    descent.step(0 * network.weight.sum() + 5.0)
    assert descent.loss_since() == 5.0
