"""Trains the network that finds and reads dice, and writes `vision/networks/dice.onnx`.

python -m vision.training.learn_dice --rendered RENDERED --photographs DICE --minutes 40

RENDERED holds sessions of `vision.training.scenes`; DICE holds photographs of dice and `labels.json`.
"""

import argparse
import copy
import pickle
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.dice.field_view import field_view
from vision.networks.dice_network import (
    CELL_PX,
    N_DICE_ANSWERS,
    N_DICE_CLASSES,
    NO_BODY,
    VIEW_WH,
    dice_blob,
)
from vision.training.boards import draw_board
from vision.training.dice_lessons import (
    EITHER,
    REAL_PIECES,
    Pictures,
    cut_piece,
    is_held_back,
    labels_of,
    photographed_dice,
    pieces_of,
    rendered,
    sessions_of,
    varied,
)
from vision.training.drawn_dice import Piece, draw_piece
from vision.training.drawn_geometry import geometry_of
from vision.training.precision import fast
from vision.training.reader_model import layer, write_onnx
from vision.training.taken_back import add_mixing_options, go_on_from, mix_with, weights_before

Floats = npt.NDArray[np.float32]
Classes = npt.NDArray[np.int64]

SIDE_PX, CELLS_WIDE = 64, 64 // CELL_PX
DICE_BATCH, DICE_RATE = 48, 3e-3
DICE_SHARES = (0.42, 0.46, 0.12)
"""Shares of drawn, rendered and photographed pieces in a batch."""
IN_BODY_PX, NEAR_BODY_PX = 5.8, 13.0
"""A cell whose middle is nearer than this to a body's middle shows the body; up to the second distance either
answer is right. Both grow with bodies larger than 28 pixels."""
BODY_WEIGHT, OFFSET_WEIGHT = 4.0, 0.5
DRAWN_ON_RENDERED = 0.5
HELD_DRAWN = 300
DRAWN_BOARDS, OF_A_BOARD, ENLARGED = 120, 24, 4
"""Boards drawn for pieces without dice, pieces of each that shows none, and factor of enlargement."""
START_COUNTS = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5)
HELD_PHOTOGRAPHS = 5
"""One photograph in so many is held back."""


class DiceNetwork(nn.Module):
    """(N, 3, H, W) pictures to (N, N_DICE_ANSWERS, H / 8, W / 8); see `vision.networks.dice_network`."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            layer(3, 16, 2),
            layer(16, 20),
            layer(20, 40, 2),
            layer(40, 48),
            layer(48, 80, 2),
            layer(80, 80),
            layer(80, 80),
        )
        self.out = nn.Conv2d(80, N_DICE_ANSWERS, 1)

    def forward(self, picture: Tensor) -> Tensor:
        return self.out(self.layers(picture))


def targets(objects: npt.NDArray[np.float64], cells: int) -> tuple[Classes, Floats]:
    """The class of each cell (cells, cells), EITHER where any is right, and its body (cells, cells, 3).

    A body: x and y from the cell's middle in cells, and log of the size in cells; nan where unknown.
    """
    rows, columns = np.indices((cells, cells))
    middles = np.stack([columns, rows], axis=-1) * CELL_PX + (CELL_PX - 1) / 2
    classes = np.zeros((cells, cells), np.int64)
    where = np.full((cells, cells, 3), np.nan, np.float32)
    nearest = np.full((cells, cells), np.inf)
    for x, y, size, answer in objects:
        if answer == NO_BODY:
            continue
        offset = np.array([x, y]) - middles
        away = np.linalg.norm(offset, axis=-1)
        if answer == EITHER:
            classes[away < NEAR_BODY_PX + 6] = EITHER
            continue
        reach = 1.0 if np.isnan(size) else max(1.0, size / 28)
        inner = (away < IN_BODY_PX * reach) & (away < nearest)
        classes[(away < NEAR_BODY_PX * reach) & (nearest == np.inf)] = EITHER
        classes[inner], nearest[inner] = int(answer), away[inner]
        where[inner, :2] = offset[inner] / CELL_PX
        where[inner, 2] = np.log(size / CELL_PX)
    return classes, where


def loss_of(answers: Tensor, classes: Tensor, where: Tensor) -> Tensor:
    logits = answers[:, :N_DICE_CLASSES]
    each = functional.cross_entropy(logits, classes, ignore_index=EITHER, reduction="none")
    body = classes > NO_BODY
    weight = 1 + (BODY_WEIGHT - 1) * body.float()
    known = ~torch.isnan(where) & body[:, None]
    off = functional.smooth_l1_loss(
        answers[:, N_DICE_CLASSES:][known], where[known], reduction="sum", beta=0.3
    )
    return ((each * weight).sum() + OFFSET_WEIGHT * off) / len(answers) / 4


def batch_of(
    sources: list[list[Piece]], rng: np.random.Generator, size: int
) -> tuple[Tensor, Tensor, Tensor]:
    pictures, classes, where = [], [], []
    for source in rng.choice(len(sources), size, p=np.array(DICE_SHARES)):
        piece = varied(sources[source][int(rng.integers(len(sources[source])))], rng, SIDE_PX)
        answers, bodies = targets(piece.objects, CELLS_WIDE)
        pictures.append(piece.image_bgr)
        classes.append(answers)
        where.append(bodies.transpose(2, 0, 1))
    picture = torch.from_numpy(dice_blob(np.stack(pictures))).to(memory_format=torch.channels_last)
    return picture, torch.from_numpy(np.stack(classes)), torch.from_numpy(np.stack(where))


def rendered_pieces(folder: Path, rng: np.random.Generator) -> tuple[list[Piece], list[Piece]]:
    """Pieces of rendered boards: those to learn from, and those held back."""
    taught, held = list[Piece](), list[Piece]()
    for session in sessions_of(folder):
        into = held if is_held_back(session) else taught
        for view, objects in rendered(session):
            into.extend(pieces_of(view, objects, rng))
    return taught, held


def balanced(pieces: list[Piece]) -> list[Piece]:
    shown = [piece for piece in pieces if len(piece.objects)]
    return pieces + shown * max(1, round(len(pieces) / max(len(shown), 1)) - 1)


def drawn_pieces(rng: np.random.Generator, count: int, grounds: list[Pictures]) -> list[Piece]:
    def ground() -> Pictures | None:
        drawn_on = grounds and rng.random() < DRAWN_ON_RENDERED
        return grounds[int(rng.integers(len(grounds)))] if drawn_on else None

    return [draw_piece(rng, ground()) for _ in range(count)]


def checkers_alone(rng: np.random.Generator, boards: int) -> list[Piece]:
    """Draw so many boards at the start of a game, and cut pieces of those that show no dice."""
    return [
        cut_piece(view, nothing, rng.uniform(0, 1, 2) * VIEW_WH)
        for view, nothing in boards_without_dice(rng, boards)
        for _ in range(OF_A_BOARD)
    ]


def boards_without_dice(
    rng: np.random.Generator, boards: int
) -> Iterator[tuple[Pictures, npt.NDArray[np.float64]]]:
    """Draw so many boards at the start of a game. Yields the views of those without dice, and no objects."""
    for _ in range(boards):
        board = draw_board(rng, START_COUNTS)
        if board.dice.any():
            continue
        geometry = geometry_of(board)
        fine = cv2.resize(board.image_bgr, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
        corners = np.array(geometry.corners_px) * ENLARGED
        large = replace(geometry, image_wh=(fine.shape[1], fine.shape[0])).with_corners(corners)
        yield field_view(large).of(np.asarray(fine, dtype=np.uint8)), np.zeros((0, 4))


def check(network: nn.Module, pieces: list[Piece]) -> str:
    """Score on pieces held back, as text: cells of bodies that are right, empty cells that are wrong."""
    right = bodies = nothing = wrong = 0
    network.eval()  # and stays so: only the mean of the weights is checked, which is not trained itself
    for start in range(0, len(pieces), 64):
        some = [varied_none(piece) for piece in pieces[start : start + 64]]
        classes = torch.from_numpy(np.stack([targets(piece.objects, CELLS_WIDE)[0] for piece in some]))
        with torch.no_grad():
            seen = network(torch.from_numpy(dice_blob(np.stack([piece.image_bgr for piece in some]))))
        told = seen[:, :N_DICE_CLASSES].argmax(dim=1)
        body, bare = classes > NO_BODY, classes == NO_BODY
        right += int((told == classes)[body].sum())
        bodies += int(body.sum())
        wrong += int((told != classes)[bare].sum())
        nothing += int(bare.sum())
    return f"bodies {right}/{bodies} = {right / max(bodies, 1):.3f}, cells of nothing wrong {wrong}/{nothing}"


def varied_none(piece: Piece) -> Piece:
    """The middle of a piece, SIDE_PX wide, unchanged."""
    edge = (piece.image_bgr.shape[0] - SIDE_PX) // 2
    moved = piece.objects - np.array([edge, edge, 0, 0])
    return Piece(image_bgr=piece.image_bgr[edge:-edge, edge:-edge], objects=moved)


def teach(
    sources: list[list[Piece]],
    held: dict[str, list[Piece]],
    *,
    seconds: float,
    seed: int,
    out: Path,
    first: Path | None,
) -> None:
    """Train for so many seconds of processor time, from the weights in `first` where given.

    Writes the running mean of the weights: the network to `out`, the weights beside it.
    """
    rng = np.random.default_rng(seed)
    network = DiceNetwork().to(memory_format=torch.channels_last)
    if first:
        watched, _, _ = batch_of(sources, rng, DICE_BATCH)
        go_on_from(network, first, lambda: network(watched))
    mean = copy.deepcopy(network)
    rate = DICE_RATE / 3 if first else DICE_RATE
    optimiser = torch.optim.AdamW(network.parameters(), lr=DICE_RATE, weight_decay=1e-3)
    started, step, running = time.process_time(), 0, 0.0
    while (spent := time.process_time() - started) < seconds:
        for group in optimiser.param_groups:
            falling = 0.5 * (1 + np.cos(np.pi * spent / seconds))
            group["lr"] = rate * min(1.0, (step + 1) / 200) * falling + 1e-5
        picture, classes, where = batch_of(sources, rng, DICE_BATCH)
        with fast():
            answers = network(picture)
        loss = loss_of(answers.float(), classes, where)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        running += float(loss.detach())
        kept = min(0.998, 1 - 1 / step)
        with torch.no_grad():
            for old, new in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
                old.copy_(kept * old + (1 - kept) * new if old.is_floating_point() else new)
        if step % 500 == 0:
            said = "; ".join(f"{name}: {check(mean, pieces)}" for name, pieces in held.items())
            print(f"{spent:5.0f} s  step {step}  taught {running / 500:.4f}  {said}", flush=True)
            running = 0.0
            keep(mean, out)
    keep(mean, out)


def keep(network: nn.Module, out: Path) -> None:
    torch.save(network.state_dict(), out.with_suffix(".pt"))
    export(network, out)


def export(network: nn.Module, path: Path) -> None:
    """Write the network as an ONNX file."""
    picture = torch.zeros(1, 3, VIEW_WH[1], VIEW_WH[0])
    write_onnx(network, {"picture": picture}, ["out"], path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rendered", type=Path, required=True)
    parser.add_argument("--photographs", type=Path, required=True)
    parser.add_argument("--drawn", type=int, default=12000)
    parser.add_argument("--minutes", type=float, default=40, help="of computing, after the pieces are made")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fold", type=int, default=0, help="which fifth of the photographs is held back")
    parser.add_argument("--kept", type=Path, help="file that keeps the pieces for the next time")
    add_mixing_options(parser)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "networks" / "dice.onnx")
    chosen = parser.parse_args()
    first = weights_before(parser, chosen)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(chosen.seed)
    if chosen.kept and chosen.kept.exists():
        sources, held = pickle.loads(chosen.kept.read_bytes())
    else:
        sources, held = material(chosen.rendered, chosen.photographs, chosen.drawn, chosen.fold, chosen.seed)
        if chosen.kept:
            chosen.kept.write_bytes(pickle.dumps((sources, held)))
    sources[0] = sources[0] + checkers_alone(np.random.default_rng([chosen.seed, 1]), DRAWN_BOARDS)
    print("pieces:", [len(source) for source in sources], flush=True)
    sources[1] = balanced(sources[1])
    teach(
        sources,
        held,
        seconds=chosen.minutes * 60,
        seed=chosen.seed,
        out=chosen.out,
        first=chosen.first,
    )
    if first:
        mix_with(first, chosen.out, chosen.after)


def material(
    folder: Path, photographs: Path, drawn: int, fold: int, seed: int
) -> tuple[list[list[Piece]], dict[str, list[Piece]]]:
    """Drawn, rendered and photographed pieces to learn from, and those held back, by kind."""
    rng = np.random.default_rng(seed)
    names = [str(label["file"]) for label in labels_of(photographs)]
    held_names = names[fold::HELD_PHOTOGRAPHS]
    taught_names = [name for name in names if name not in held_names]
    taught, held = rendered_pieces(folder, rng)
    real = list(photographed_dice(photographs, taught_names, rng))
    real_held = list(photographed_dice(photographs, held_names, rng))
    grounds = [piece.image_bgr for piece in taught if not len(piece.objects)]
    pieces = drawn_pieces(rng, drawn, grounds)
    held_of = {"rendered": held, "drawn": pieces[:HELD_DRAWN], "photographed": real_held[:: REAL_PIECES // 3]}
    return [pieces[HELD_DRAWN:], taught, real], held_of


if __name__ == "__main__":
    main()
