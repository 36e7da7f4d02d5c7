"""Trains the network that sees how many checkers a stack gained or lost, and writes `changes.onnx`.

    python -m vision.training.learn_changes GROWING --kept KEPT --steps 6000

GROWING is a folder of sessions that `scenes --growing` rendered. The strips of their stacks are kept in KEPT.
One session in twelve is held back, to measure progress. `--first` starts from earlier weights.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.networks.change_network import MOST_CHANGED, N_CHANGES
from vision.networks.place_reader import CELLS, FEATURES, ReaderNetwork, level_of
from vision.networks.strips import N_POINTS, StripView
from vision.training.dice_lessons import is_held_back, sessions_of
from vision.training.disturb import Rng, tint_by_chance
from vision.training.flat_boards import pictures_of
from vision.training.learn_finder import Descent, add_descent_options
from vision.training.reader_model import write_onnx
from vision.training.taken_back import go_on_from

CHANGE_BATCH = 64
LEAST_STACK, LEAST_TALLER = 3, 5
"""Least checkers of the lower and of the taller of two compared stacks."""
FAR_APART = 0.3
"""Share of the comparisons between pictures that do not follow one another."""
MISPLACED_PX, SCALED = 0.9, 0.015
"""Standard deviations of a strip's shift (pixels) and scale, as errors of the found field cause them."""
LIT, OFFSET, SHADED, NOISE = 0.1, 0.1, 0.15, 0.06
"""Standard deviations of a picture's log gain, of the offset that both pictures share (of each one's own:
half), and of the shading along and across a strip; greatest standard deviation of the noise."""
HELD_COMPARISONS = 1500
"""Comparisons of held back sessions by which progress is measured."""
CHANGE_SMOOTHING = 0.01

READER = ReaderNetwork()

Pictures = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Stacks:
    """The stacks of one session.

    strips: (pictures, places, H, W, 3). counts: (pictures, places) of one side. levels: (pictures, 2), see
    `level_of`.
    """

    strips: Pictures
    counts: npt.NDArray[np.int64]
    levels: Floats


@dataclass(frozen=True)
class Pair:
    """A comparison: numbers of a session, of a place in it, and of two of its pictures."""

    session: int
    place: int
    before: int
    now: int


def _separable(taken: int, given: int, stride: int = 1) -> nn.Sequential:
    """A depthwise separable convolution: 3x3 within each channel, then 1x1 over all; few weights."""
    return nn.Sequential(
        nn.Conv2d(taken, taken, 3, stride, 1, groups=taken, bias=False),
        nn.BatchNorm2d(taken),
        nn.Conv2d(taken, given, 1, bias=False),
        nn.BatchNorm2d(given),
        nn.ReLU(inplace=True),
    )


class ChangeNet(nn.Module):
    """Features of a place in two pictures, (N, FEATURES, *CELLS) each, to (N, N_CHANGES) logits."""

    def __init__(self) -> None:
        super().__init__()
        self.joined = nn.Sequential(
            nn.Conv2d(3 * FEATURES, 64, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)
        )
        self.compare = nn.Sequential(
            _separable(64, 72), _separable(72, 88, 2), _separable(88, 96), _separable(96, 104, 2)
        )
        self.across = nn.AvgPool2d((1, CELLS[1] // 4))
        self.out = nn.Sequential(nn.Flatten(), nn.Linear(104 * (CELLS[0] // 4), N_CHANGES))

    def forward(self, before: Tensor, now: Tensor) -> Tensor:
        seen = self.joined(torch.cat([before, now, now - before], dim=1))
        return self.out(self.across(self.compare(seen)))


def keep(session: Path, kept: Path) -> Path | None:
    """Cut the stacks of a session out of its pictures, unless that is done.

    Returns the file that keeps them, or None where fewer than two pictures can be used.
    """
    file = kept / f"{session.name}.npz"
    if file.exists():
        return file
    strips, counts, levels = [], [], []
    for row, image, view in pictures_of(session):
        if row["kind"] != "stacks":
            continue
        whole = StripView(view).cut(image)
        strips.append(whole[:N_POINTS])
        levels.append(level_of(whole))
        counts.append(row["places"])
    if len(strips) < 2:
        return None
    sides = np.array(counts, dtype=np.int64)
    own = np.where(sides[..., 0].max(axis=0) > 0, sides[..., 0], sides[..., 1])
    tall = own.max(axis=0) >= LEAST_TALLER
    kept.mkdir(parents=True, exist_ok=True)
    np.savez(file, strips=np.stack(strips)[:, tall], counts=own[:, tall], levels=np.array(levels, np.float32))
    return file


def load(file: Path) -> Stacks:
    """What `keep` wrote."""
    with np.load(file) as data:
        return Stacks(strips=data["strips"], counts=data["counts"], levels=data["levels"])


def pairs_of(sessions: Sequence[Stacks], *, far: bool) -> list[list[Pair]]:
    """All comparisons, listed by change: from MOST_CHANGED or more checkers lost to as many gained.

    far: only pictures that do not follow one another; otherwise only those that do.
    """
    found: list[list[Pair]] = [[] for _ in range(N_CHANGES)]
    for number, stacks in enumerate(sessions):
        for pair in _comparable(number, stacks):
            change = int(stacks.counts[pair.now, pair.place] - stacks.counts[pair.before, pair.place])
            if far != (abs(pair.now - pair.before) == 1):
                found[int(np.clip(change, -MOST_CHANGED, MOST_CHANGED)) + MOST_CHANGED].append(pair)
    return found


def _comparable(number: int, stacks: Stacks) -> Iterator[Pair]:
    pictures, places = stacks.counts.shape
    for place in range(places):
        for before in range(pictures):
            for now in range(pictures):
                low, high = sorted(stacks.counts[[before, now], place])
                if before != now and low >= LEAST_STACK and high >= LEAST_TALLER:
                    yield Pair(number, place, before, now)


def shown(stacks: Stacks, picture: int, place: int) -> Floats:
    """(H, W, 3): a strip, normalised by its picture's brightness and contrast."""
    usual, stretch = stacks.levels[picture]
    return np.asarray((stacks.strips[picture, place].astype(np.float32) - usual) * stretch)


def varied(rng: Rng, strips: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Vary two strips: both in the same other colours, each in its own light and place."""
    mixing, contrast = tint_by_chance(rng), np.exp(rng.normal(0, 0.15))
    offset, mirrored = rng.normal(0, OFFSET), rng.random() < 0.5
    soft = rng.uniform(0.4, 1.3) if rng.random() < 0.3 else 0.0
    noise = rng.uniform(0, NOISE)
    before, now = (
        _taken(rng, cv2.transform(one, mixing) * np.float32(contrast) + np.float32(offset), soft, noise)
        for one in strips
    )
    return (before[:, ::-1], now[:, ::-1]) if mirrored else (before, now)


def _taken(rng: Rng, strip: Floats, soft: float, noise: float) -> Floats:
    """Vary one strip: shift, scale, light, blur and noise."""
    height, width = strip.shape[:2]
    scale = 1 + rng.normal(0, SCALED, 2)
    shift = rng.normal(0, MISPLACED_PX, 2)
    onto = np.array(
        [
            [scale[0], 0, shift[0] + (1 - scale[0]) * width / 2],
            [0, scale[1], shift[1] + (1 - scale[1]) * height / 2],
        ]
    )
    seen = cv2.warpAffine(
        strip, onto, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    down, right = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)[None]
    light = np.exp(rng.normal(0, LIT) + rng.normal(0, SHADED) * down + rng.normal(0, SHADED) * right)
    seen = seen * light[..., None].astype(np.float32) + np.float32(rng.normal(0, OFFSET / 2))
    if soft:
        seen = cv2.GaussianBlur(seen, (0, 0), soft * rng.uniform(0.8, 1.2))
    return np.asarray(seen + rng.normal(0, 1, seen.shape).astype(np.float32) * np.float32(noise), np.float32)


def as_batch(strips: Sequence[tuple[Floats, Floats]]) -> tuple[Tensor, Tensor]:
    """The reader's features of the strips before and of those now."""
    before, now = (
        torch.from_numpy(READER.features(np.stack([one[n] for one in strips]).transpose(0, 3, 1, 2)))
        for n in (0, 1)
    )
    return before, now


def batch_by_chance(
    rng: Rng, sessions: Sequence[Stacks], near: list[list[Pair]], far: list[list[Pair]]
) -> tuple[tuple[Tensor, Tensor], Tensor]:
    """CHANGE_BATCH random comparisons, all changes equally likely, and their changes."""
    strips, changes = [], rng.integers(N_CHANGES, size=CHANGE_BATCH)
    for change in changes:
        source = far[change] if rng.random() < FAR_APART or not near[change] else near[change]
        strips.append(varied(rng, _strips(sessions, source[int(rng.integers(len(source)))])))
    return as_batch(strips), torch.from_numpy(changes)


def _strips(sessions: Sequence[Stacks], pair: Pair) -> tuple[Floats, Floats]:
    stacks = sessions[pair.session]
    return shown(stacks, pair.before, pair.place), shown(stacks, pair.now, pair.place)


def measured(network: nn.Module, sessions: Sequence[Stacks], pairs: list[list[Pair]]) -> str:
    """Score on held back sessions, as text: per cent right for each change, and mean log-likelihood."""
    network.eval()
    rng, said = np.random.default_rng(0), []
    nats = 0.0
    for change, some in enumerate(pairs):
        chosen = [some[int(n)] for n in rng.permutation(len(some))[: HELD_COMPARISONS // N_CHANGES]]
        if not chosen:
            continue
        with torch.no_grad():
            told = network(*as_batch([_strips(sessions, pair) for pair in chosen])).log_softmax(dim=1)
        right = (told.argmax(dim=1) == change).float().mean()
        nats += float(told[:, change].mean()) / N_CHANGES
        said.append(f"{change - MOST_CHANGED:+d} {100 * right:.0f} %")
    return ", ".join(said) + f", {nats:.3f} nats"


def teach(
    files: Sequence[Path],
    held: Sequence[Path],
    steps: int,
    seed: int,
    rate: float,
    out: Path,
    first: Path | None,
) -> None:
    """Train for so many steps, and write the running mean of the weights."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    sessions, watched = [load(file) for file in files], [load(file) for file in held]
    near, far = (pairs_of(sessions, far=apart) for apart in (False, True))
    asked = pairs_of(watched, far=False)
    network = ChangeNet()
    if first:
        shown_once, _ = batch_by_chance(np.random.default_rng(seed), sessions, near, far)
        go_on_from(network, first, lambda: network(*shown_once))
        print(f"before: {measured(network, watched, asked)}", flush=True)
    network.train()
    descent = Descent(network, steps, rate)
    for step in range(1, steps + 1):
        strips, changes = batch_by_chance(rng, sessions, near, far)
        loss = functional.cross_entropy(descent.network(*strips), changes, label_smoothing=CHANGE_SMOOTHING)
        descent.step(loss)
        if step % 250 == 0 or step == steps:
            descent.report(measured(descent.mean, watched, asked))
            torch.save(descent.mean.state_dict(), out.with_suffix(".pt"))
    export(descent.mean, out)


def export(network: nn.Module, path: Path) -> None:
    """Write the network as an ONNX file."""
    seen = torch.zeros(2, FEATURES, *CELLS)
    write_onnx(network, {"before": seen, "now": seen.clone()}, ["out"], path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("growing", type=Path)
    parser.add_argument("--kept", type=Path, required=True)
    add_descent_options(parser, "changes.onnx", steps=6000, rate=2e-3)
    chosen = parser.parse_args()
    files: list[Path] = []
    held: list[Path] = []
    for session in sessions_of(chosen.growing):
        file = keep(session, chosen.kept)
        if file:
            (held if is_held_back(session) else files).append(file)
    print(f"{len(files)} sessions, {len(held)} held back", flush=True)
    teach(files, held, chosen.steps, chosen.seed, chosen.rate, chosen.out, chosen.first)


if __name__ == "__main__":
    main()
