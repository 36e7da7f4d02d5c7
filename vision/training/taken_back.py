"""Loads a network's weights from ONNX files, to train it further or to mix it with another one."""

import argparse
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def weights_in(path: Path, prefix: str = "") -> dict[str, Tensor]:
    """The weights in an ONNX file, by prefix and their names in the network."""
    return {
        prefix + one.name: torch.tensor(numpy_helper.to_array(one))
        for one in onnx.load(path).graph.initializer
    }


def go_on_from(network: nn.Module, path: Path, run: Callable[[], object]) -> None:
    """Load the weights of a `.pt` file, or of an ONNX file. run: see `take_back`."""
    if path.suffix == ".pt":
        network.load_state_dict(torch.load(path, weights_only=True))
    else:
        take_back(network, weights_in(path), run)


def mix_with(first: dict[str, Tensor], path: Path, after: float) -> None:
    """Move each weight in an ONNX file towards that in `first`, of the same network.

    after: the share of the weight in the file; the rest is the one in `first`.
    """
    taught = onnx.load(path)
    for one in taught.graph.initializer:
        mixed = after * numpy_helper.to_array(one) + (1 - after) * first[one.name].numpy()
        one.CopyFrom(numpy_helper.from_array(mixed.astype(np.float32), one.name))
    onnx.save(taught, path)


def add_mixing_options(parser: argparse.ArgumentParser) -> None:
    """Add `--first` and `--after`: the weights to go on from, and the share of the new ones that is kept."""
    parser.add_argument("--first", type=Path, help="weights (.pt or .onnx) to go on from")
    parser.add_argument("--after", type=float, default=1.0, help="share of the new weights that is kept")


def weights_before(parser: argparse.ArgumentParser, chosen: argparse.Namespace) -> dict[str, Tensor]:
    """The weights of `--first` for `mix_with`; none if all new ones are kept. To be read before training."""
    if chosen.after == 1:
        return {}
    if chosen.first is None or chosen.first.suffix != ".onnx":
        parser.error("--after needs --first with an ONNX file.")
    return weights_in(chosen.first)


def take_back(network: nn.Module, weights: dict[str, Tensor], run: Callable[[], object]) -> None:
    """Load the weights of ONNX files into a network.

    In the files, batch normalisations are fused into the layers before them. `run` must run the network on
    some input; meanwhile the statistics of the normalisations are measured and their weights set, so that the
    network answers as the files do.
    """
    rest, hooks = dict(weights), []
    for name, part in network.named_modules():
        for (inner, before), (_, after) in pairwise(part.named_children()):
            if isinstance(before, nn.Conv2d | nn.Linear) and isinstance(
                after, nn.BatchNorm1d | nn.BatchNorm2d
            ):
                bias = rest.pop(f"{name}.{inner}.bias")
                hooks.append(after.register_forward_pre_hook(partial(_only_add, bias)))
    problems = network.load_state_dict(rest, strict=False)
    assert not problems.unexpected_keys, problems.unexpected_keys
    network.eval()
    with torch.no_grad():
        run()
    network.train()
    for hook in hooks:
        hook.remove()


def _only_add(bias: Tensor, normalised: nn.Module, given: tuple[Tensor]) -> None:
    """Measure a normalisation's statistics, and make it only add `bias` to its input."""
    assert isinstance(normalised, nn.BatchNorm1d | nn.BatchNorm2d)
    values = given[0].transpose(0, 1).flatten(1)
    mean, spread = values.mean(dim=1), values.var(dim=1)
    normalised.running_mean, normalised.running_var = mean, spread
    normalised.weight.data = (spread + normalised.eps).sqrt()
    normalised.bias.data = bias + mean
