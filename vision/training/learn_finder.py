"""Trains the network that finds the board, on rendered and on drawn boards.

    python -m vision.training.learn_finder CACHE --rendered FOLDER ... --steps 2000

Needs PyTorch. Decoded pictures and labels are kept in CACHE. Writes vision/networks/field.onnx.
"""

import argparse
import copy
import time
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.networks.field_network import N_KINDS, N_SPOTS, SEEN_WH, STEP_PX, levelled, spots_of
from vision.training.finder_lessons import EITHER, Rng, View, mirrored, view_by_chance
from vision.training.finder_pictures import BoardPictures, picked, sources_in
from vision.training.precision import fast
from vision.training.reader_model import layer, write_onnx
from vision.training.taken_back import go_on_from

FINDER_CHANNELS = (12, 24, 48, 64, 96)
"""Channels at 1/2, 1/4, 1/8, 1/16 and 1/32 of the picture's size."""
FINDER_BATCH, FRESH = 16, 6
"""Views of a step, and how many of them are new; the others are mirror images of earlier ones."""
MOST_REMEMBERED = 1200
RENDERED_VIEWS = 0.6
"""Share of the views that show rendered boards."""
DESCENT_WARM_STEPS = 60
MEAN_KEPT = 0.996
"""Share of the running mean of the weights that a step leaves as it is."""
MIRRORINGS = ((True, False), (False, True), (True, True))
SIGMA = 0.8
"""Standard deviation of a spot's distribution on the maps, in map pixels."""
KIND_WEIGHT = 0.4


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
        deep = self.deep(levels[-1])
        return self.maps(grown(self.narrow, self.up, deep, levels)), self.kinds(deep)


def grown(narrow: nn.ModuleList, up: nn.ModuleList, seen: Tensor, levels: list[Tensor]) -> Tensor:
    """The deepest features `seen`, enlarged step by step and added to those of `levels`, but the first."""
    for narrowed, layers, skip in zip(narrow, up, levels[-2:0:-1], strict=True):
        seen = layers(functional.interpolate(narrowed(seen), scale_factor=2.0, mode="nearest") + skip)
    return seen


def spread_about(spots_px: npt.NDArray[np.float64], size_wh: tuple[int, int], step_px: int) -> npt.NDArray:
    """(..., rows, columns): bumps of height 1 about the spots (..., 2) of a picture, on maps of its size.

    step_px: pixels of the picture in one of the maps.
    """
    columns, rows = (np.arange(size // step_px) for size in size_wh)
    spots = (spots_px + 0.5) / step_px - 0.5
    x = np.exp(-((columns - spots[..., :1]) ** 2) / (2 * SIGMA**2))
    y = np.exp(-((rows - spots[..., 1:]) ** 2) / (2 * SIGMA**2))
    return y[..., :, None] * x[..., None, :]


def taught_batch(views: list[View]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Levelled pictures, the distribution of each spot on its map, which maps count, and kinds."""
    pictures = torch.from_numpy(np.stack([levelled(view.picture) for view in views]))
    maps = spread_about(np.stack([view.spots_px for view in views]), SEEN_WH, STEP_PX)
    maps /= maps.sum(axis=(2, 3), keepdims=True) + 1e-9
    known = torch.from_numpy(np.stack([view.known for view in views]))
    kinds = torch.tensor([view.kind for view in views])
    return (
        pictures.contiguous(memory_format=torch.channels_last),
        torch.from_numpy(maps.astype(np.float32)),
        known.float(),
        kinds,
    )


def loss_of(answer: tuple[Tensor, Tensor], maps: Tensor, known: Tensor, kinds: Tensor) -> Tensor:
    logits, said = answer[0].float(), answer[1].float().flatten(1)
    each = -(functional.log_softmax(logits.flatten(2), dim=2) * maps.flatten(2)).sum(dim=2)
    spots = (each * known).sum() / known.sum().clamp(min=1)
    return spots + KIND_WEIGHT * functional.cross_entropy(said, kinds, ignore_index=EITHER)


def pick(rng: Rng, sources: list[BoardPictures], held: bool) -> View:
    """A random view of the boards to learn from, or of those held back."""
    return view_by_chance(rng, *picked(rng, sources, held, RENDERED_VIEWS))


def batch_by_chance(rng: Rng, sources: list[BoardPictures], remembered: list[View]) -> list[View]:
    """New views, and mirror images of remembered ones."""
    fresh = [pick(rng, sources, held=False) for _ in range(FRESH)]
    again = [
        mirrored(
            remembered.pop(int(rng.integers(len(remembered)))),
            *MIRRORINGS[int(rng.integers(len(MIRRORINGS)))],
        )
        for _ in range(min(FINDER_BATCH - FRESH, len(remembered) // 4))
    ]
    remembered += fresh
    del remembered[: max(0, len(remembered) - MOST_REMEMBERED)]
    return fresh + again


def measured(network: nn.Module, views: list[View]) -> str:
    """Score on views, as text: errors of corners and bar ends in per cent of the view's width, and kinds."""
    network.eval()
    off: list[list[float]] = [[], []]
    right, asked = 0, 0
    for view in views:
        with torch.no_grad():
            maps, said = network(torch.from_numpy(levelled(view.picture))[None])
        spots, _ = spots_of(maps[0].float().numpy())
        away = np.hypot(*(spots - view.spots_px).T) / SEEN_WH[0] * 100
        for part in (0, 1):
            off[part] += away[4 * part : 4 * part + 4][view.known[4 * part : 4 * part + 4]].tolist()
        if view.kind != EITHER:
            asked += 1
            right += int(said.flatten().argmax()) == view.kind
    network.train()
    shown = [f"{np.median(part):.2f} / {np.percentile(part, 90):.2f}" for part in off]
    return f"corners {shown[0]}, bar {shown[1]} (median / 90 %), kinds {right}/{asked}"


class Descent:
    """Gradient descent at a rate that warms up and then falls. mean: the running mean of the weights."""

    def __init__(self, network: nn.Module, steps: int, rate: float) -> None:
        self.network, self.mean, self.done = network, copy.deepcopy(network), 0
        self._steps, self._rate = steps, rate
        self._losses: list[float] = []
        self._began = time.monotonic()
        self._optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)

    def step(self, loss: Tensor) -> None:
        """Take a step by a loss of the network."""
        slow = 0.5 * (1 + np.cos(np.pi * self.done / self._steps)) + 0.002
        for group in self._optimiser.param_groups:
            group["lr"] = self._rate * min(1.0, (self.done + 1) / DESCENT_WARM_STEPS) * slow
        self._optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._optimiser.step()
        share = min(MEAN_KEPT, (self.done + 1) / (self.done + 20))
        with torch.no_grad():
            for kept, new in zip(
                self.mean.state_dict().values(), self.network.state_dict().values(), strict=True
            ):
                kept.copy_(kept * share + new * (1 - share) if kept.is_floating_point() else new)
        self.done += 1
        self._losses.append(float(loss.detach()))

    def loss_since(self) -> float:
        """The mean loss of the steps since this was last asked for."""
        mean = float(np.mean(self._losses))
        self._losses.clear()
        return mean

    def report(self, said: str) -> None:
        """Print the time, the step, the loss since the last report, and a score."""
        spent = time.monotonic() - self._began
        print(f"{spent:5.0f} s  step {self.done}  loss {self.loss_since():.3f}  {said}", flush=True)


def teach(
    sources: list[BoardPictures], steps: int, seed: int, rate: float, out: Path, first: Path | None
) -> None:
    """Train for so many steps, and write the running mean of the weights."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    watched = [pick(np.random.default_rng(n), sources, held=True) for n in range(80)]
    network = FieldNet()
    if first:
        go_on_from(network, first, lambda: network(taught_batch(watched)[0]))
    network = network.to(memory_format=torch.channels_last)
    descent = Descent(network, steps, rate)
    remembered: list[View] = []
    for step in range(1, steps + 1):
        pictures, maps, known, kinds = taught_batch(batch_by_chance(rng, sources, remembered))
        with fast():
            answer = network(pictures)
        descent.step(loss_of(answer, maps, known, kinds))
        is_kept = step % 300 == 0 or step == steps
        if step % 100 == 0 or is_kept:
            descent.report(measured(descent.mean, watched) if is_kept else "")
        if is_kept:
            torch.save(descent.mean.state_dict(), out.with_suffix(".pt.part"))
            out.with_suffix(".pt.part").rename(out.with_suffix(".pt"))
    export(descent.mean, out)


def export(network: FieldNet, path: Path) -> None:
    """Write the network as an ONNX file."""
    picture = torch.zeros(1, 3, SEEN_WH[1], SEEN_WH[0])
    write_onnx(network, {"picture": picture}, ["maps", "kinds"], path)


def add_descent_options(parser: argparse.ArgumentParser, network: str, steps: int, rate: float) -> None:
    """Add the options of a training. network: the file that it writes. steps, rate: defaults."""
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=rate, help="of learning, at its highest")
    parser.add_argument("--first", type=Path, help="weights (.pt or .onnx) to go on from")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "networks" / network)


def finder_parser(told: str | None, network: str, drawn: int, steps: int) -> argparse.ArgumentParser:
    """The options of a command that trains a network. told: what it does. drawn, steps: defaults."""
    parser = argparse.ArgumentParser(description=told, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--rendered", type=Path, nargs="+", default=[])
    parser.add_argument("--drawn", type=int, default=drawn, help="boards that are drawn, two views each")
    add_descent_options(parser, network, steps, rate=2.5e-3)
    return parser


def main() -> None:
    parser = finder_parser(__doc__, "field.onnx", drawn=1000, steps=2000)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    sources = sources_in(asked.cache, asked.rendered, asked.drawn, asked.seed)
    teach(sources, asked.steps, asked.seed, asked.rate, asked.out, asked.first)


if __name__ == "__main__":
    main()
