"""The network of `vision.networks.field_network` in PyTorch, and how it becomes an ONNX file."""

from itertools import pairwise
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.networks.field_network import N_KINDS, N_SPOTS, SEEN_WH
from vision.training.reader_model import layer, write_onnx

FINDER_CHANNELS = (12, 24, 48, 64, 96)
"""Channels at 1/2, 1/4, 1/8, 1/16 and 1/32 of the picture's size."""


class FieldNet(nn.Module):
    """(N, 3, H, W) levelled pictures to (N, spots, H / 4, W / 4) logits and (N, kinds, 1, 1) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = layer(3, FINDER_CHANNELS[0], 2)
        self.down = nn.ModuleList(
            nn.Sequential(layer(a, b, 2), layer(b, b) if b > FINDER_CHANNELS[1] else nn.Identity())
            for a, b in pairwise(FINDER_CHANNELS)
        )
        self.deep = layer(FINDER_CHANNELS[-1], FINDER_CHANNELS[-1])
        pairs = list(zip(FINDER_CHANNELS[-1:1:-1], FINDER_CHANNELS[-2:0:-1], strict=True))
        self.narrow = nn.ModuleList(nn.Conv2d(a, b, 1) for a, b in pairs)
        self.up = nn.ModuleList(layer(b, b) for _, b in pairs)
        self.maps = nn.Conv2d(FINDER_CHANNELS[1], N_SPOTS, 1)
        cells = (SEEN_WH[1] // 32, SEEN_WH[0] // 32)
        self.kinds = nn.Sequential(
            nn.Conv2d(FINDER_CHANNELS[-1], 64, 1),
            nn.ReLU(inplace=True),
            nn.AvgPool2d(cells),
            nn.Conv2d(64, N_KINDS, 1),
        )

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        levels = [self.stem(pictures)]
        for down in self.down:
            levels.append(down(levels[-1]))
        seen = deep = self.deep(levels[-1])
        for narrow, up, skip in zip(self.narrow, self.up, levels[-2:0:-1], strict=True):
            grown = functional.interpolate(narrow(seen), scale_factor=2.0, mode="nearest")
            seen = up(grown + skip)
        return self.maps(seen), self.kinds(deep)


def export(network: FieldNet, path: Path) -> None:
    """Write the network as an ONNX file."""
    picture = torch.zeros(1, 3, SEEN_WH[1], SEEN_WH[0])
    write_onnx(network, {"picture": picture}, ["maps", "kinds"], path)
