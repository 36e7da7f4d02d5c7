"""Teaches the network that reads the faces of dice, on drawn pieces of boards only.

python -m vision.training.dice_faces --samples 40000 --minutes 15
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.training.dice import ANSWERS, Pictures, dice_samples
from vision.training.train import Lesson, Net, batch, draw_samples, save

LESSON = Lesson(
    draw=dice_samples,
    widths=(8, 24, 40, 56),
    weights=(1.0,) * ANSWERS,
    mirrored=tuple(range(ANSWERS)),
    upturned=(),
)


BATCH = 32
RATE = 2e-3
DICE_WEIGHT = 25.0
"""How much more a pixel counts where a die lies: they are few, and which face it is matters most."""


def teach(pictures: Pictures, answers: Pictures, seconds: float, out: Path, first: Path | None) -> None:
    """Descend for so many seconds of computing; the first 1,000 samples are held back and only watched."""
    rng, held = np.random.default_rng(0), 1000
    network = Net(LESSON.widths, ANSWERS).to(memory_format=torch.channels_last)
    if first:
        with np.load(first) as known:
            network.load_state_dict({n: torch.from_numpy(known[n].astype(np.float32)) for n in known.files})
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    started, step, running = time.process_time(), 0, 0.0
    while (spent := time.process_time() - started) < seconds:
        for group in optimiser.param_groups:
            falling = 0.5 * (1 + np.cos(np.pi * spent / seconds))
            group["lr"] = RATE * min(1.0, (step + 1) / 200) * falling + 1e-5
        chosen = rng.integers(held, len(pictures), BATCH)
        x, y = batch(LESSON, pictures[chosen], answers[chosen], rng)
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(x)
        loss = loss_of(logits.float(), y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        running += float(loss.detach())
        if step % 500 == 0:
            with torch.no_grad():
                x, y = batch(LESSON, pictures[:held], answers[:held], np.random.default_rng(0))
                guess = network(x)
            share, other = share_right(guess, y), float(loss_of(guess, y))
            print(
                f"{spent:5.0f} s  step {step}  taught {running / 500:.4f}  held {other:.4f}  "
                f"faces right {share:.3f}",
                flush=True,
            )
            running = 0.0
            save(network, out)
    save(network, out)


def loss_of(logits: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    each = torch.nn.functional.binary_cross_entropy_with_logits(logits, y, reduction="none")
    return (each * (1 + DICE_WEIGHT * y.amax(dim=1, keepdim=True))).mean()


def share_right(logits: torch.Tensor, y: torch.Tensor) -> float:
    """The share of dice whose middle gets the right answer."""
    middle = y.amax(dim=1) > 0.9
    return float((logits.argmax(dim=1) == y.argmax(dim=1))[middle].float().mean())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=40000)
    parser.add_argument("--minutes", type=float, default=30, help="of computing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=Path, help="file that keeps the drawn samples for the next time")
    parser.add_argument("--first", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "networks" / "dice.npz")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(chosen.seed)
    if chosen.kept and chosen.kept.exists():
        with np.load(chosen.kept) as kept:
            pictures, answers = kept["pictures"], kept["answers"]
    else:
        pictures, answers = draw_samples(LESSON, chosen.samples, chosen.seed)
        if chosen.kept:
            np.savez(chosen.kept, pictures=pictures, answers=answers)
    teach(pictures, answers, chosen.minutes * 60, chosen.out, chosen.first)


if __name__ == "__main__":
    main()
