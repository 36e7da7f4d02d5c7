"""Teaches the network that finds a corner of the field's halves in a piece of a picture.

    python -m vision.training.learn_corners CACHE [CACHE ...] --steps 6000

Each CACHE is one that `learn_finder` made. Needs PyTorch. Writes vision/networks/corner.onnx.
"""

import argparse
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from vision.geometry import UNIT_SQUARE
from vision.networks.corner_network import (
    CORNER_PIECE_PX,
    INWARD_SIDES,
    N_LOOKED_AT,
    REACH,
    piece_move,
    piece_of,
    places_of,
)
from vision.networks.field_network import STEP_PX, levelled, spots_of
from vision.training.finder_lessons import Rng, photographed
from vision.training.finder_pictures import BoardPictures, load
from vision.training.learn_finder import SIGMA, Descent
from vision.training.reader_model import layer, write_onnx
from vision.training.taken_back import go_on_from

CORNER_BATCH, OF_A_PICTURE = 32, 2
"""Pieces of a step, and how many of them are of the same picture."""
RENDERED_PIECES = 0.7
"""Share of the pieces that show rendered boards."""
ERRORS = (0.004, 0.012, 0.03)
"""Spreads of how far the corners are wrong that a piece is cut by, in field widths, as often each."""
PICTURES_ASTRAY, OUT_BY, IN_BY = 0.3, 0.135, 0.07
"""Share of the pictures whose left and right edges are wrong by up to a tray or a column, and by how much."""
ALOFT, OVER_BY = 0.25, 0.12
"""Share of the pictures whose top and bottom edges lie up to a wall too far out, and how far."""
CORNER_CHANNELS = (16, 32, 64, 64)
"""Channels at 1/2, 1/4, 1/8 and 1/16 of a piece's size."""
WATCHED = 400
EDGE_PX = 3
"""A corner nearer to the edge of its piece is not asked for."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """picture (128, 128, 3); spot_px (2,): where the corner lies; end: whether it is one of the bar's."""

    picture: npt.NDArray[np.uint8]
    spot_px: npt.NDArray[np.float64]
    end: bool


class CornerNet(nn.Module):
    """(N, 3, H, W) levelled pieces to (N, 1, H / 4, W / 4) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = layer(3, CORNER_CHANNELS[0], 2)
        self.down = nn.ModuleList(
            nn.Sequential(layer(a, b, 2), layer(b, b)) for a, b in pairwise(CORNER_CHANNELS)
        )
        self.narrow = nn.ModuleList(
            nn.Conv2d(a, b, 1) for a, b in zip(CORNER_CHANNELS[:1:-1], CORNER_CHANNELS[-2:0:-1], strict=True)
        )
        self.up = nn.ModuleList(layer(b, b) for b in CORNER_CHANNELS[-2:0:-1])
        self.maps = nn.Conv2d(CORNER_CHANNELS[1], 1, 1)

    def forward(self, pieces: Tensor) -> Tensor:
        levels = [self.stem(pieces)]
        for down in self.down:
            levels.append(down(levels[-1]))
        seen = levels[-1]
        for narrow, up, skip in zip(self.narrow, self.up, levels[-2:0:-1], strict=True):
            seen = up(functional.interpolate(narrow(seen), scale_factor=2.0, mode="nearest") + skip)
        return self.maps(seen)


def pieces_by_chance(rng: Rng, source: BoardPictures, number: int, many: int) -> list[Piece]:
    """Pieces about so many corners of one of the pictures."""
    width, height = source.sizes_wh[number]
    image = source.pictures[number, :height, :width]
    spots = source.points_px[number]
    corners = spots[:4]
    wide = np.hypot(*(corners[1] - corners[0]))
    error = float(rng.choice(ERRORS))
    found = corners + rng.normal(0, error * wide, (4, 2))
    if rng.random() < PICTURES_ASTRAY:
        for one, other in ((0, 1), (1, 0), (2, 3), (3, 2)):
            found[one] += rng.uniform(-OUT_BY, IN_BY) * (corners[other] - corners[one])
    if rng.random() < ALOFT:
        for one, other in ((0, 3), (3, 0), (1, 2), (2, 1)):
            found[one] -= rng.uniform(0, OVER_BY) * (corners[other] - corners[one])
    to_field = cv2.getPerspectiveTransform(found.astype(np.float32), UNIT_SQUARE.astype(np.float32))
    ends = cv2.perspectiveTransform(spots[None, 4:], to_field)[0, :, 0] + rng.normal(0, error, 4)
    places = places_of((float(ends[[0, 3]].mean()), float(ends[[1, 2]].mean())))
    pieces = []
    for which in rng.permutation(N_LOOKED_AT)[:many]:
        move = piece_move(to_field, places[which], INWARD_SIDES[which])
        spot = cv2.perspectiveTransform(spots[None, which : which + 1], move)[0, 0]
        if spot.min() < EDGE_PX or spot.max() > CORNER_PIECE_PX - 1 - EDGE_PX:
            continue
        picture = photographed(rng, piece_of(image, move))
        if which < 4 and rng.random() < 0.5:
            picture, spot = np.ascontiguousarray(picture.transpose(1, 0, 2)), spot[::-1]
        pieces.append(Piece(picture=picture, spot_px=spot, end=bool(which >= 4)))
    return pieces


class Batches(Dataset[tuple[Tensor, Tensor]]):
    """Levelled pieces (N, 3, H, W) of each step, and where their corners lie in them (N, 2)."""

    def __init__(self, sources: list[BoardPictures], steps: int, seed: int) -> None:
        self._sources, self._steps, self._seed = sources, steps, seed

    def __len__(self) -> int:
        return self._steps

    def __getitem__(self, step: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng((self._seed, step))
        pieces = batch_by_chance(rng, self._sources, held=False, many=CORNER_BATCH)
        return as_batch(pieces), torch.from_numpy(np.stack([piece.spot_px for piece in pieces]))


def batch_by_chance(rng: Rng, sources: list[BoardPictures], held: bool, many: int) -> list[Piece]:
    """So many pieces of the boards that are taught, or of those held back."""
    pieces: list[Piece] = []
    while len(pieces) < many:
        drawn = len(sources) > 1 and rng.random() > RENDERED_PIECES
        source = sources[-1] if drawn else sources[int(rng.integers(max(1, len(sources) - 1)))]
        number = int(rng.choice(np.flatnonzero(source.held_back() == held)))
        pieces += pieces_by_chance(rng, source, number, OF_A_PICTURE)
    return pieces[:many]


def loss_of(logits: Tensor, spots_px: Tensor) -> Tensor:
    """How unlikely the right spots (N, 2) are."""
    spots = (spots_px + 0.5) / STEP_PX - 0.5
    cells = torch.arange(CORNER_PIECE_PX // STEP_PX)
    x = torch.exp(-((cells - spots[:, :1]) ** 2) / (2 * SIGMA**2))
    y = torch.exp(-((cells - spots[:, 1:]) ** 2) / (2 * SIGMA**2))
    maps = (y[:, :, None] * x[:, None, :]).flatten(1)
    wanted = (maps / maps.sum(dim=1, keepdim=True)).float()
    return -(functional.log_softmax(logits.float().flatten(1), dim=1) * wanted).sum(dim=1).mean()


def as_batch(pieces: list[Piece]) -> Tensor:
    """Levelled pieces."""
    levels = torch.from_numpy(np.stack([levelled(piece.picture) for piece in pieces]))
    return levels.contiguous(memory_format=torch.channels_last)


def measured(network: nn.Module, pieces: list[Piece]) -> str:
    """How far off corners are, in hundredths of the field."""
    network.eval()
    with torch.no_grad():
        maps = network(as_batch(pieces))[:, 0].float().numpy()
    network.train()
    spots, _ = spots_of(maps)
    off = np.hypot(*(spots - np.stack([piece.spot_px for piece in pieces])).T) / CORNER_PIECE_PX * 200 * REACH
    ends = np.array([piece.end for piece in pieces])
    said = []
    for name, part in (("corners", off[~ends]), ("bar", off[ends])):
        told = f"{np.median(part):.2f} / {np.percentile(part, 90):.2f} % (median / 90 %)"
        said.append(f"{name} {told}, within 1 %: {100 * (part < 1).mean():.0f} %")
    return "; ".join(said)


def teach(
    sources: list[BoardPictures],
    steps: int,
    seed: int,
    rate: float,
    out: Path,
    first: Path | None,
    helpers: int,
) -> None:
    """Descend so many steps; the running mean of the weights is written.

    helpers: processes that cut pieces. Their number changes nothing but the time.
    """
    torch.manual_seed(seed)
    watched = batch_by_chance(np.random.default_rng(99), sources, held=True, many=WATCHED)
    network = CornerNet()
    if first:
        go_on_from(network, first, lambda: network(as_batch(watched)))
        print(f"to begin with: {measured(network, watched)}", flush=True)
    network = network.to(memory_format=torch.channels_last)
    descent = Descent(network, steps, rate)
    began, running = time.monotonic(), 0.0
    batches = DataLoader(Batches(sources, steps, seed), batch_size=None, num_workers=helpers)
    for step, (pieces, spots_px) in enumerate(batches):
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(pieces)
        running += descent.step(loss_of(logits, spots_px))
        if (step + 1) % 250 == 0 or step + 1 == steps:
            said = measured(descent.mean, watched)
            print(
                f"{time.monotonic() - began:5.0f} s  step {step + 1}  loss {running / 250:.3f}  {said}",
                flush=True,
            )
            torch.save(descent.mean.state_dict(), out.with_suffix(".pt"))
            running = 0.0
    export(descent.mean, out)


def export(network: CornerNet, path: Path) -> None:
    """Write the network as an ONNX file."""
    pieces = torch.zeros(N_LOOKED_AT, 3, CORNER_PIECE_PX, CORNER_PIECE_PX)
    write_onnx(network, {"pieces": pieces}, ["maps"], path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cache", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2.5e-3, help="of learning, at its highest")
    parser.add_argument("--first", type=Path, help="weights (.pt or .onnx) to go on from")
    parser.add_argument("--helpers", type=int, default=1, help="processes that cut pieces")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "networks" / "corner.onnx")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    folders: list[Path] = asked.cache
    rendered = [load(folder / "rendered") for folder in folders if (folder / "rendered.npz").exists()]
    sources = [*rendered, load(folders[0] / "drawn")]
    teach(sources, asked.steps, asked.seed, asked.rate, asked.out, asked.first, asked.helpers)


if __name__ == "__main__":
    main()
