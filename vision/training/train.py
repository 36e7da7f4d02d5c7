"""Teaches the small network `checkers` of `vision`, on drawn boards only.

It finds checkers, dice, hands and things on a rectified board. Needs PyTorch (only here; reading needs
numpy alone):

    python -m vision.training.train checkers --samples 4000 --minutes 20
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.training.boards import DrawnBoard, draw_board

Pictures = npt.NDArray[np.uint8]

BOARD_WH = (224, 208)
CENTRE_SIGMA_PX = 2.0
BATCH_PIXELS = 8 * 224 * 208


class Net(nn.Module):
    """A U-net whose answer has half the picture's resolution; `widths` are the channels of each level."""

    def __init__(self, widths: tuple[int, ...], answers: int) -> None:
        super().__init__()
        self.depth = len(widths) - 1
        self.fine = nn.Conv2d(3, widths[0], 3, padding=1)
        for level in range(1, self.depth + 1):
            self.add_module(
                f"down{level}", nn.Conv2d(widths[level - 1], widths[level], 3, stride=2, padding=1)
            )
            self.add_module(f"same{level}", nn.Conv2d(widths[level], widths[level], 3, padding=1))
        for level in range(1, self.depth):
            self.add_module(
                f"up{level}", nn.Conv2d(widths[level + 1] + widths[level], widths[level], 3, padding=1)
            )
        self.out = nn.Conv2d(widths[1], answers, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        levels = [torch.relu(self.fine(x))]
        for level in range(1, self.depth + 1):
            down, same = self.get_submodule(f"down{level}"), self.get_submodule(f"same{level}")
            levels.append(torch.relu(same(torch.relu(down(levels[-1])))))
        seen = levels[-1]
        for level in range(self.depth - 1, 0, -1):
            grown = seen.repeat_interleave(2, 2).repeat_interleave(2, 3)
            grown = grown[:, :, : levels[level].shape[2], : levels[level].shape[3]]
            seen = torch.relu(self.get_submodule(f"up{level}")(torch.cat([grown, levels[level]], 1)))
        return self.out(seen)


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """What a network is taught: how samples are drawn, its size, each answer's weight, and which answers
    change places when the picture is mirrored left to right and top to bottom."""

    draw: Callable[[np.random.Generator], list[tuple[Pictures, Pictures]]]
    widths: tuple[int, ...]
    weights: tuple[float, ...]
    mirrored: tuple[int, ...]  # empty: never mirrored
    upturned: tuple[int, ...]


def board_samples(rng: np.random.Generator) -> list[tuple[Pictures, Pictures]]:
    """A rectified board (208, 224, 3) and what is where on it (104, 112, 5)."""
    width, height = BOARD_WH
    board = draw_board(rng)
    x = 2 * int(rng.integers(0, (board.image_bgr.shape[1] - width) // 2 + 1))
    answers = board_answers(board)[: height // 2, x // 2 : (x + width) // 2]
    return [(board.image_bgr[:height, x : x + width], answers)]


def board_answers(board: DrawnBoard) -> Pictures:
    """(h / 2, w / 2, 5): checker centres, checker faces, things, hands, dice; 0 to 255."""
    height, width = board.image_bgr.shape[:2]
    faces = np.zeros((height, width), np.uint8)
    for d in board.discs:
        axes = (round(d.rx * 8), round(d.ry * 8))
        cv2.ellipse(faces, (round(d.x * 8), round(d.y * 8)), axes, 0, 0, 360, 255, -1, cv2.LINE_AA, 3)
    centres = bumps([(d.x, d.y) for d in board.discs], (width, height), CENTRE_SIGMA_PX)
    small = (centres.shape[1], centres.shape[0])
    areas = (faces.astype(np.float32), board.things * 255, board.hands * 255, board.dice * 255)
    maps = [centres * 255] + [cv2.resize(m, small, interpolation=cv2.INTER_AREA) for m in areas]
    return np.stack(maps, -1).astype(np.uint8)


def bumps(
    points: list[tuple[float, float]], size_wh: tuple[int, int], sigma_px: float
) -> npt.NDArray[np.float32]:
    """Bell-shaped peaks at points of a picture, on a map of half its resolution."""
    ys, xs = np.mgrid[0 : size_wh[1] : 2, 0 : size_wh[0] : 2].astype(np.float32) + 0.5
    heat = np.zeros(xs.shape, np.float32)
    for x, y in points:
        np.maximum(heat, np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * sigma_px**2)), out=heat)
    return heat


LESSONS = {
    "checkers": Lesson(
        draw=board_samples,
        widths=(12, 24, 48, 64),
        weights=(4.0, 1.0, 1.0, 1.0, 2.0),
        mirrored=(0, 1, 2, 3, 4),
        upturned=(0, 1, 2, 3, 4),
    ),
}


def draw_samples(lesson: Lesson, count: int, seed: int) -> tuple[Pictures, Pictures]:
    """(N, h, w, 3) pictures and (N, h / 2, w / 2, answers) answers."""
    rng = np.random.default_rng(seed)
    drawn: list[tuple[Pictures, Pictures]] = []
    while len(drawn) < count:
        drawn += lesson.draw(rng)
    return np.stack([picture for picture, _ in drawn]), np.stack([answer for _, answer in drawn])


def normalise(pictures: torch.Tensor) -> torch.Tensor:
    """As vision/networks/small_networks.py does: each picture without its own mean and spread."""
    mean = pictures.mean(dim=(1, 2, 3), keepdim=True)
    spread = pictures.std(dim=(1, 2, 3), keepdim=True)
    return (pictures - mean) / (spread + 5)


def batch(
    lesson: Lesson, pictures: Pictures, answers: Pictures, rng: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Pictures, some of them mirrored, ready for the network."""
    x = torch.from_numpy(pictures.astype(np.float32)).permute(0, 3, 1, 2)
    y = torch.from_numpy(answers.astype(np.float32) / 255).permute(0, 3, 1, 2)
    for axis, exchanged in ((3, lesson.mirrored), (2, lesson.upturned)):
        if exchanged and rng.random() < 0.5:
            x, y = x.flip(axis), y.flip(axis)[:, list(exchanged)]
    return normalise(x).contiguous(memory_format=torch.channels_last), y.contiguous()


def loss_of(lesson: Lesson, logits: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    weight = torch.tensor(lesson.weights).view(1, -1, 1, 1)
    each = nn.functional.binary_cross_entropy_with_logits(logits, y, reduction="none")
    return (each * weight).mean()


def teach(
    lesson: Lesson, pictures: Pictures, answers: Pictures, seconds: float, out: Path, first: Path | None
) -> None:
    """Descend for so many seconds of computing, from the weights in `first` where given.

    The first twentieth of the samples is held back and only watched.
    """
    rng = np.random.default_rng(0)
    held = max(16, len(pictures) // 20)
    network = Net(lesson.widths, len(lesson.weights)).to(memory_format=torch.channels_last)
    if first:
        with np.load(first) as known:
            network.load_state_dict({n: torch.from_numpy(known[n].astype(np.float32)) for n in known.files})
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    started, step, running = time.process_time(), 0, 0.0
    while (spent := time.process_time() - started) < seconds:
        for group in optimiser.param_groups:
            group["lr"] = (
                2e-3 * min(1.0, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * spent / seconds)) + 1e-5
            )
        chosen = rng.integers(held, len(pictures), BATCH_PIXELS // pictures[0, ..., 0].size)
        x, y = batch(lesson, pictures[chosen], answers[chosen], rng)
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(x)
        loss = loss_of(lesson, logits.float(), y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        running += float(loss.detach())
        if step % 200 == 0:
            with torch.no_grad():
                x, y = batch(lesson, pictures[:held], answers[:held], np.random.default_rng(0))
                other = float(loss_of(lesson, network(x), y))
            print(f"{spent:6.0f} s  step {step}  taught {running / 200:.4f}  held {other:.4f}", flush=True)
            running = 0.0
            save(network, out)
    save(network, out)


def save(network: nn.Module, path: Path) -> None:
    weights = {
        name: value.detach().numpy().astype(np.float16) for name, value in network.state_dict().items()
    }
    np.savez(path, **weights)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lesson", choices=LESSONS)
    parser.add_argument("--samples", type=int, default=4000)
    parser.add_argument("--minutes", type=float, default=20, help="of computing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=Path, help="file that keeps the drawn samples for the next time")
    parser.add_argument("--first", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, help="where the weights go; default: into vision/")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(chosen.seed)
    lesson = LESSONS[chosen.lesson]
    if chosen.kept and chosen.kept.exists():
        with np.load(chosen.kept) as kept:
            pictures, answers = kept["pictures"], kept["answers"]
    else:
        pictures, answers = draw_samples(lesson, chosen.samples, chosen.seed)
        if chosen.kept:
            np.savez(chosen.kept, pictures=pictures, answers=answers)
    out = chosen.out or Path(__file__).parents[1] / "networks" / f"{chosen.lesson}.npz"
    teach(lesson, pictures, answers, chosen.minutes * 60, out, chosen.first)


if __name__ == "__main__":
    main()
