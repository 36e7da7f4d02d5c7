"""Trains the network that looks closely at one die, and writes `vision/networks/face.onnx`.

    python -m vision.training.learn_faces PIECES DICE --rendered RENDERED --steps 8000

PIECES is the file that `learn_dice --kept` wrote. DICE is the file of weights (`.pt` or `.onnx`) of the
network that finds dice. That network measures photographed dice, and finds what is most easily taken for a
die: on the pieces, and on the whole boards of RENDERED, a folder of rendered sessions.
"""

import argparse
import pickle
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.networks.dice_network import CELL_PX, COCKED, CUBE, N_DICE_CLASSES, NO_BODY, dice_blob
from vision.networks.face_network import (
    DIE_PX,
    FACE_PIECE_PX,
    N_FACE_CLASSES,
    levelled_piece,
    onto_piece,
    piece_at,
)
from vision.training.dice_lessons import (
    Floats,
    Pictures,
    Rng,
    cut_piece,
    is_held_back,
    relit,
    rendered,
    sessions_of,
)
from vision.training.drawn_dice import PIECE_PX, Piece
from vision.training.learn_dice import DiceNetwork, boards_without_dice, drawn_pieces
from vision.training.learn_finder import Descent
from vision.training.precision import fast
from vision.training.reader_model import layer, write_onnx
from vision.training.taken_back import add_mixing_options, go_on_from, mix_with, weights_before

CROP_PX = 64
"""Width and height of the crop around a body."""
NO_DIE = N_FACE_CLASSES - 1
DIE_FACE_BATCH, DIE_FACE_RATE = 64, 3e-3
DIE_FACE_SHARES = (0.3, 0.35, 0.08, 0.08, 0.13, 0.06)
"""Shares of drawn, rendered and photographed dice, and of other things: on pieces, on rendered boards, and on
drawn ones."""
BOARDS_WITHOUT_DICE = 1800
"""Boards drawn for the checkers on them that the detector takes for dice."""
SIZE_SPREAD, TURN_SPREAD, STRETCH_SPREAD, SHIFT_PX = 0.2, 0.15, 0.06, 1.8
"""Standard deviations of a piece's scale (natural logarithm), turn (radians), stretch (natural logarithm)
and shift."""
TAKEN_FOR_A_DIE = 0.08
"""A place without a die at which the detector gives a die a greater probability is kept."""
MISTAKES_OF_A_VIEW = 8
"""Most places of a whole board that are kept because the detector takes them for dice."""
KEPT_OTHERS = 0.25
"""Share of the other pieces of which a random place without a die is kept."""
FAR_PX = 22.0
"""A place at least this far from every die counts as one without a die."""
FAR_CELLS = round(FAR_PX / CELL_PX)
SIZES_PX = (12.0, 40.0)
SMOOTHING = 0.02
"""Share of a class that is spread over all classes. It limits how sure the network can get of a plain die."""


@dataclass(frozen=True, kw_only=True)
class Crops:
    """pictures (N, 64, 64, 3) around bodies, the bodies' sizes (N,) in pixels, and classes (N,) from 0."""

    pictures: Pictures
    sizes_px: npt.NDArray[np.float64]
    classes: npt.NDArray[np.int64]

    @staticmethod
    def of(pictures: list[Pictures], sizes_px: list[float], classes: list[int]) -> "Crops":
        return Crops(pictures=np.array(pictures), sizes_px=np.array(sizes_px), classes=np.array(classes))


class FaceNet(nn.Module):
    """(N, 3, 40, 40) levelled pieces to (N, N_FACE_CLASSES) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            layer(3, 16),
            layer(16, 24),
            layer(24, 40, 2),
            layer(40, 40),
            layer(40, 64, 2),
            layer(64, 64),
            layer(64, 64, 2),
        )
        cells = -(-FACE_PIECE_PX // 8)
        self.out = nn.Sequential(
            nn.Flatten(),
            nn.Linear(64 * cells**2, 64, bias=False),
            nn.BatchNorm1d(64),
            nn.ReLU(inplace=True),
            nn.Linear(64, N_FACE_CLASSES),
        )

    def forward(self, pieces: Tensor) -> Tensor:
        return self.out(self.layers(pieces))


def crop(piece: Piece, x: float, y: float) -> Pictures:
    """(64, 64, 3): the surroundings of a place of a piece."""
    edge = CROP_PX // 2
    edged = cv2.copyMakeBorder(piece.image_bgr, edge, edge, edge, edge, cv2.BORDER_REFLECT_101)
    return np.asarray(cv2.getRectSubPix(edged, (CROP_PX, CROP_PX), (x + edge, y + edge)), np.uint8)


def dice_of(pieces: Sequence[Piece], detector: nn.Module) -> Crops:
    """Crops of the dice on pieces. The detector measures those of unknown size."""
    pictures, sizes, classes = list[Pictures](), list[float](), list[int]()
    for piece in pieces:
        said: npt.NDArray[np.float32] | None = None
        for x, y, size, answer in piece.objects:
            inside = min(x, y) > CELL_PX and max(x, y) < PIECE_PX - CELL_PX
            if not inside or not NO_BODY < answer <= COCKED:
                continue
            if np.isnan(size):
                said = answers_to(detector, piece.image_bgr) if said is None else said
                size = np.exp(said[-1, int(y / CELL_PX), int(x / CELL_PX)]) * CELL_PX
            pictures.append(crop(piece, x, y))
            sizes.append(float(size))
            classes.append(int(answer) - 1)
    return Crops.of(pictures, sizes, classes)


def others_of(pieces: Sequence[Piece], detector: nn.Module, rng: Rng) -> Crops:
    """Crops without a die, at most one a piece: what the detector takes for one, and random places."""
    pictures, sizes = list[Pictures](), list[float]()
    for piece in pieces:
        said = answers_to(detector, piece.image_bgr)
        left = mistaken_for_dice(said, piece.objects)
        left[[0, -1]] = left[:, [0, -1]] = 0.0
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        if left[row, column] > TAKEN_FOR_A_DIE:
            off_x, off_y, size = said[-3:, row, column]
            size_px = float(np.clip(np.exp(size) * CELL_PX, *SIZES_PX))
        elif rng.random() < KEPT_OTHERS and left.any():
            row, column = rng.choice(np.argwhere(left > 0))
            off_x, off_y, size_px = 0.0, 0.0, float(rng.uniform(*SIZES_PX))
        else:
            continue
        middle = (np.array([column + off_x, row + off_y]) + 0.5) * CELL_PX - 0.5
        pictures.append(crop(piece, *np.clip(middle, 0, PIECE_PX - 1)))
        sizes.append(size_px)
    return Crops.of(pictures, sizes, [NO_DIE] * len(pictures))


def mistaken_pieces(views: Iterable[tuple[Pictures, Floats]], detector: nn.Module) -> list[Piece]:
    """Pieces around places of whole boards, given with their objects, that the detector takes for dice."""
    pieces = list[Piece]()
    for view, objects in views:
        left = mistaken_for_dice(answers_to(detector, view), objects)
        for _ in range(MISTAKES_OF_A_VIEW):
            row, column = np.unravel_index(int(left.argmax()), left.shape)
            if left[row, column] < TAKEN_FOR_A_DIE:
                break
            pieces.append(cut_piece(view, objects, (np.array([column, row]) + 0.5) * CELL_PX))
            near = (slice(max(0, at - FAR_CELLS), at + FAR_CELLS + 1) for at in (row, column))
            left[*near] = 0.0
    return pieces


def mistaken_for_dice(said: npt.NDArray[np.float32], objects: Floats) -> npt.NDArray[np.float32]:
    """(rows, columns): the detector's probability that each cell shows a die; 0 near true dice."""
    odds = np.exp(said[:N_DICE_CLASSES] - said[:N_DICE_CLASSES].max(axis=0))
    left: npt.NDArray[np.float32] = odds[NO_BODY + 1 : CUBE].sum(axis=0) / odds.sum(axis=0)
    rows, columns = np.indices(left.shape)
    for x, y, _, answer in objects:
        if answer not in (NO_BODY, CUBE):
            away = np.hypot(columns * CELL_PX + CELL_PX / 2 - x, rows * CELL_PX + CELL_PX / 2 - y)
            left[away < FAR_PX] = 0.0
    return left


def answers_to(detector: nn.Module, picture: Pictures) -> npt.NDArray[np.float32]:
    """(12, h / 8, w / 8): the detector's answers for a picture (h, w, 3)."""
    with torch.no_grad():
        return np.asarray(detector(torch.from_numpy(dice_blob(picture[None])))[0].numpy())


def shown(crops: Crops, number: int, rng: Rng | None) -> npt.NDArray[np.float32]:
    """(3, 40, 40): a crop as the network sees it, varied where a generator is given."""
    scale = DIE_PX / crops.sizes_px[number]
    middle, turn = np.full(2, (CROP_PX - 1) / 2), np.eye(2) * scale
    if rng is None:
        return levelled_piece(piece_at(crops.pictures[number], onto_piece(turn, middle)))
    angle, flip = rng.normal(0, TURN_SPREAD), -1.0 if rng.random() < 0.5 else 1.0
    turn = np.array([[np.cos(angle) * flip, -np.sin(angle)], [np.sin(angle) * flip, np.cos(angle)]])
    stretch = np.exp(rng.normal(0, STRETCH_SPREAD) * np.array([1, -1]))
    turn = np.diag(stretch) @ turn * scale * np.exp(rng.normal(0, SIZE_SPREAD))
    onto = onto_piece(turn, middle)
    onto[:, 2] += rng.normal(0, SHIFT_PX, 2)
    return levelled_piece(relit(piece_at(crops.pictures[number], onto), rng))


def batch_by_chance(sources: Sequence[Crops], rng: Rng) -> tuple[Tensor, Tensor]:
    """DIE_FACE_BATCH random crops, varied, and their classes."""
    pieces, classes = list[npt.NDArray[np.float32]](), list[int]()
    for source in rng.choice(len(sources), DIE_FACE_BATCH, p=np.array(DIE_FACE_SHARES)):
        number = int(rng.integers(len(sources[source].classes)))
        pieces.append(shown(sources[source], number, rng))
        classes.append(int(sources[source].classes[number]))
    return torch.from_numpy(np.stack(pieces)).to(memory_format=torch.channels_last), torch.tensor(classes)


def measured(network: nn.Module, held: dict[str, Crops]) -> str:
    """Score on held back dice, as text: per cent that are read correctly."""
    network.eval()
    said = []
    for name, crops in held.items():
        pieces = torch.from_numpy(np.stack([shown(crops, n, None) for n in range(len(crops.classes))]))
        with torch.no_grad():
            told = network(pieces).argmax(dim=1).numpy()
        said.append(f"{name} {100 * (told == crops.classes).mean():.1f} %")
    return ", ".join(said)


def teach(
    sources: Sequence[Crops], held: dict[str, Crops], steps: int, seed: int, out: Path, first: Path | None
) -> None:
    """Train for so many steps, and write the running mean of the weights to `out` and beside it."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = FaceNet()
    if first:
        watched, _ = batch_by_chance(sources, rng)
        go_on_from(network, first, lambda: network(watched))
    descent = Descent(network.to(memory_format=torch.channels_last), steps, DIE_FACE_RATE)
    began = time.process_time()
    for step in range(1, steps + 1):
        pieces, classes = batch_by_chance(sources, rng)
        with fast():
            answers = network(pieces)
        descent.step(functional.cross_entropy(answers.float(), classes, label_smoothing=SMOOTHING))
        if step % 500 == 0 or step == steps:
            spent = time.process_time() - began
            said = measured(descent.mean, held)
            print(f"{spent:5.0f} s  step {step}  loss {descent.loss_since():.3f}  {said}", flush=True)
            torch.save(descent.mean.state_dict(), out.with_suffix(".pt"))
    export(descent.mean, out)


def export(network: nn.Module, path: Path) -> None:
    """Write the network as an ONNX file."""
    piece = torch.zeros(1, 3, FACE_PIECE_PX, FACE_PIECE_PX)
    write_onnx(network, {"piece": piece}, ["out"], path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pieces", type=Path)
    parser.add_argument("dice", type=Path)
    parser.add_argument(
        "--rendered", type=Path, required=True, help="sessions whose whole boards are looked at"
    )
    parser.add_argument("--drawn", type=int, default=25000, help="pieces to draw beside those kept")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    add_mixing_options(parser)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "networks" / "face.onnx")
    chosen = parser.parse_args()
    first = weights_before(parser, chosen)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    (drawn, on_boards, photographed), held = pickle.loads(chosen.pieces.read_bytes())
    detector = DiceNetwork()
    shown_first = torch.from_numpy(dice_blob(np.stack([piece.image_bgr for piece in drawn[:DIE_FACE_BATCH]])))
    go_on_from(detector, chosen.dice, lambda: detector(shown_first))
    detector.eval()
    rng = np.random.default_rng(chosen.seed)
    grounds = [piece.image_bgr for piece in on_boards if not len(piece.objects)]
    drawn = drawn + drawn_pieces(rng, chosen.drawn, grounds)
    sources = [dice_of(pieces, detector) for pieces in (drawn, on_boards, photographed)]
    sources.append(others_of([*on_boards, *drawn], detector, rng))
    taught = (session for session in sessions_of(chosen.rendered) if not is_held_back(session))
    on_rendered = (view for session in taught for view in rendered(session))
    for views in (on_rendered, boards_without_dice(rng, BOARDS_WITHOUT_DICE)):
        sources.append(others_of(mistaken_pieces(views, detector), detector, rng))
    print("crops:", [len(source.classes) for source in sources], flush=True)
    kept_back = {name: dice_of(pieces, detector) for name, pieces in held.items()}
    teach(sources, kept_back, chosen.steps, chosen.seed, chosen.out, chosen.first)
    if first:
        mix_with(first, chosen.out, chosen.after)


if __name__ == "__main__":
    main()
