"""Trains the network that finds the points of a row and the ends of its halves.

    python -m vision.training.learn_rows CACHE --rendered FOLDER ... --steps 8000

Needs PyTorch. Decoded pictures and labels are kept in CACHE. Writes vision/networks/row.onnx.
"""

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

from vision.geometry import apply_homography
from vision.locate.row_spots import spots_about
from vision.networks.field_network import levelled
from vision.networks.row_network import (
    BASE_MAP,
    N_MAPS,
    ROW_SCALE,
    ROW_STEP_PX,
    ROW_WH,
    SPOT_MAPS,
    TIP_MAP,
    row_moves,
    row_views,
)
from vision.training.finder_lessons import Rng, photographed
from vision.training.finder_pictures import BoardPictures, picked, sources_in
from vision.training.learn_finder import SIGMA, Descent, finder_parser, grown, spread_about
from vision.training.precision import fast
from vision.training.reader_model import layer, write_onnx
from vision.training.taken_back import go_on_from

ROW_BATCH = 16
"""Pictures of a step. Both rows of each are used."""
RENDERED_PICTURES = 0.75
"""Share of the pictures that show rendered boards."""
ERRORS = (0.004, 0.012, 0.03)
"""Standard deviations of the errors of the corners by which a row is cut, in field widths; equally likely."""
PICTURES_ASTRAY, OUT_BY, IN_BY = 0.3, 0.135, 0.07
"""Share of the pictures whose left and right edges are wrong; by how much at most outwards (a tray) and
inwards (a column), in field widths."""
ALOFT, OVER_BY, UNDER_BY = 0.7, 0.08, 0.06
"""Share of the pictures whose top and bottom edges lie too far out or in; how far at most, in field heights.
So the network does not learn that bases lie exactly on these edges."""
ROW_CHANNELS = (16, 32, 64, 64)
"""Channels at 1/2, 1/4, 1/8 and 1/16 of a view's size."""
WATCHED = 100
MIRRORED_SPOTS = np.concatenate([np.arange(11, -1, -1), np.arange(23, 11, -1), [27, 26, 25, 24]])
"""Number of each spot's mirror image."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """view (192, 400, 3) of a row; spots_px (28, 2): its spots in the view."""

    view: npt.NDArray[np.uint8]
    spots_px: npt.NDArray[np.float64]


class RowNet(nn.Module):
    """(N, 3, H, W) levelled views to (N, maps, H / 4, W / 4) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = layer(3, ROW_CHANNELS[0], 2)
        self.down = nn.ModuleList(
            nn.Sequential(layer(a, b, 2), layer(b, b)) for a, b in pairwise(ROW_CHANNELS)
        )
        self.narrow = nn.ModuleList(
            nn.Conv2d(a, b, 1) for a, b in zip(ROW_CHANNELS[:1:-1], ROW_CHANNELS[-2:0:-1], strict=True)
        )
        self.up = nn.ModuleList(layer(b, b) for b in ROW_CHANNELS[-2:0:-1])
        self.maps = nn.Conv2d(ROW_CHANNELS[1], N_MAPS, 1)

    def forward(self, views: Tensor) -> Tensor:
        levels = [self.stem(views)]
        for down in self.down:
            levels.append(down(levels[-1]))
        return self.maps(grown(self.narrow, self.up, levels[-1], levels))


def rows_by_chance(rng: Rng, source: BoardPictures, number: int) -> list[Row]:
    """Both rows of a picture, cut by corners with random errors."""
    width, height = source.sizes_wh[number]
    image = np.asarray(source.pictures[number, :height, :width])
    corners = source.points_px[number, :4]
    wide = np.hypot(*(corners[1] - corners[0]))
    found = corners + rng.normal(0, float(rng.choice(ERRORS)) * wide, (4, 2))
    if rng.random() < PICTURES_ASTRAY:
        for one, other in ((0, 1), (1, 0), (2, 3), (3, 2)):
            found[one] += rng.uniform(-OUT_BY, IN_BY) * (corners[other] - corners[one])
    if rng.random() < ALOFT:
        for (one, other), (third, fourth) in (((0, 3), (1, 2)), ((3, 0), (2, 1))):
            by = rng.uniform(-OVER_BY, UNDER_BY)
            found[one] += by * (corners[other] - corners[one])
            found[third] += by * (corners[fourth] - corners[third])
    moves = row_moves(found)
    rows = []
    for view, move, spots_px in zip(
        row_views(image, moves, (int(width), int(height)), float(wide)),
        moves,
        source.rows_px[number],
        strict=True,
    ):
        spots = apply_homography(move, spots_px)
        seen = photographed(rng, view)
        if rng.random() < 0.5:
            seen = np.ascontiguousarray(seen[:, ::-1])
            spots = spots[MIRRORED_SPOTS] * (-1, 1) + (ROW_WH[0] - 1, 0)
        rows.append(Row(view=seen, spots_px=spots))
    return rows


class Batches(Dataset[tuple[Tensor, Tensor]]):
    """For each step: levelled views (N, 3, H, W), and maps of where each kind of spot lies in them."""

    def __init__(self, sources: list[BoardPictures], steps: int, seed: int) -> None:
        self._sources, self._steps, self._seed = sources, steps, seed

    def __len__(self) -> int:
        return self._steps

    def __getitem__(self, step: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng((self._seed, step))
        rows = batch_by_chance(rng, self._sources, held=False, many=ROW_BATCH)
        wanted = np.stack([maps_of(row.spots_px) for row in rows])
        return as_batch(rows), torch.from_numpy(wanted)


def batch_by_chance(rng: Rng, sources: list[BoardPictures], held: bool, many: int) -> list[Row]:
    """The rows of `many` random pictures of the boards to learn from, or of those held back."""
    rows: list[Row] = []
    for _ in range(many):
        rows += rows_by_chance(rng, *picked(rng, sources, held, RENDERED_PICTURES))
    return rows


def maps_of(spots_px: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """(4, 48, 100): distribution of the spots over the maps; spots outside the view are missing."""
    each = spread_about(spots_px, ROW_WH, ROW_STEP_PX) / (2 * np.pi * SIGMA**2)
    maps = np.stack([each[kind == SPOT_MAPS].sum(axis=0) for kind in range(N_MAPS)])
    return np.asarray(maps / len(SPOT_MAPS), dtype=np.float32)


def loss_of(logits: Tensor, wanted: Tensor) -> Tensor:
    """Mean cross-entropy of the spots. wanted: (N, 4, 48, 100), each map as `maps_of` makes it."""
    likely = functional.log_softmax(logits.float().flatten(2), dim=2)
    return -(likely * wanted.flatten(2)).sum(dim=(1, 2)).mean()


def as_batch(rows: list[Row]) -> Tensor:
    """(N, 3, H, W): the rows' levelled views."""
    levels = torch.from_numpy(np.stack([levelled(row.view) for row in rows]))
    return levels.contiguous(memory_format=torch.channels_last)


def measured(network: nn.Module, rows: list[Row]) -> str:
    """Score on rows, as text: vertical errors of the spots, in per cent of the field's height."""
    network.eval()
    off = []
    with torch.no_grad():
        for row in rows:
            maps = network(as_batch([row]))[0].float()
            likely = functional.softmax(maps.flatten(1), dim=1).reshape(maps.shape).double().numpy()
            away = np.abs(spots_about(likely, row.spots_px).px - row.spots_px)[:, 1] / ROW_SCALE[1]
            inside = ((row.spots_px >= 0) & (row.spots_px < ROW_WH)).all(axis=1)
            off.append(100 * np.where(inside, away, np.nan))
    network.train()
    ends = SPOT_MAPS > TIP_MAP
    named = {"bases": SPOT_MAPS == BASE_MAP, "tips": SPOT_MAPS == TIP_MAP, "ends": ends}
    parts = {name: np.stack(off)[:, which] for name, which in named.items()}
    return ", ".join(
        f"{name} {np.nanmedian(part):.2f} / {np.nanpercentile(part, 90):.2f}" for name, part in parts.items()
    )


def teach(
    sources: list[BoardPictures],
    steps: int,
    seed: int,
    rate: float,
    out: Path,
    first: Path | None,
    helpers: int,
) -> None:
    """Train for so many steps, and write the running mean of the weights.

    helpers: processes that cut rows. Their number changes only the time.
    """
    torch.manual_seed(seed)
    watched = batch_by_chance(np.random.default_rng(99), sources, held=True, many=WATCHED)
    network = RowNet()
    if first:
        go_on_from(network, first, lambda: network(as_batch(watched)))
        print(f"to begin with: {measured(network, watched)}", flush=True)
    network = network.to(memory_format=torch.channels_last)
    descent = Descent(network, steps, rate)
    batches = DataLoader(Batches(sources, steps, seed), batch_size=None, num_workers=helpers)
    for step, (views, wanted) in enumerate(batches, start=1):
        with fast():
            logits = network(views)
        descent.step(loss_of(logits, wanted))
        if step % 250 == 0 or step == steps:
            descent.report(measured(descent.mean, watched))
            torch.save(descent.mean.state_dict(), out.with_suffix(".pt"))
    export(descent.mean, out)


def export(network: RowNet, path: Path) -> None:
    """Write the network as an ONNX file."""
    views = torch.zeros(2, 3, ROW_WH[1], ROW_WH[0])
    write_onnx(network, {"rows": views}, ["maps"], path)


def main() -> None:
    parser = finder_parser(__doc__, "row.onnx", drawn=1500, steps=8000)
    parser.add_argument("--helpers", type=int, default=1, help="processes that cut rows")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    sources = sources_in(asked.cache, asked.rendered, asked.drawn, asked.seed)
    teach(sources, asked.steps, asked.seed, asked.rate, asked.out, asked.first, asked.helpers)


if __name__ == "__main__":
    main()
