"""Takes a network's weights back out of ONNX files, to teach it further or to mix it with another one."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def weights_in(path: Path, prefix: str = "") -> dict[str, Tensor]:
    """The weights that an ONNX file holds, by their names in the network, after a prefix."""
    return {
        prefix + one.name: torch.tensor(numpy_helper.to_array(one))
        for one in onnx.load(path).graph.initializer
    }


def go_on_from(network: nn.Module, path: Path, run: Callable[[], object]) -> None:
    """Fill a network with the weights of its ONNX file, or of the `.pt` file that was left beside it."""
    if path.suffix == ".pt":
        network.load_state_dict(torch.load(path, weights_only=True))
    else:
        take_back(network, weights_in(path), run)


def meet_halfway(first: dict[str, Tensor], path: Path) -> None:
    """Replace the weights in an ONNX file by their means with `first`, weights of the same network."""
    taught = onnx.load(path)
    for one in taught.graph.initializer:
        mean = (numpy_helper.to_array(one) + first[one.name].numpy()) / 2
        one.CopyFrom(numpy_helper.from_array(mean, one.name))
    onnx.save(taught, path)


def take_back(network: nn.Module, weights: dict[str, Tensor], run: Callable[[], object]) -> None:
    """Fill a network with the weights of ONNX files.

    There normalisations are part of the layers before them. They are measured anew while `run` shows the
    network something, so that it answers as the files do.
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
    """Make a normalisation add only `bias` to what comes in."""
    assert isinstance(normalised, nn.BatchNorm1d | nn.BatchNorm2d)
    values = given[0].transpose(0, 1).flatten(1)
    mean, spread = values.mean(dim=1), values.var(dim=1)
    normalised.running_mean, normalised.running_var = mean, spread
    normalised.weight.data = (spread + normalised.eps).sqrt()
    normalised.bias.data = bias + mean
