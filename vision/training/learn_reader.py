"""Trains the reader: folders of labelled boards in, `reader_*.onnx` out.

    python -m vision.training.learn_reader DATA [DATA ...] --out vision/networks --minutes 60

It learns from rendered boards and from drawn ones (see `drawn_boards`). Boards are first flattened into a
cache (see `flat_boards`). One board in 25 is held back, to measure progress and to find the temperature that
calibrates the probabilities. Where there is a GPU, it paints the pictures and trains the networks.
"""

import argparse
import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader

from vision.networks.place_reader import N_CLASSES
from vision.training.calibrate_reader import best_temperature, hear
from vision.training.drawn_boards import draw_all
from vision.training.flat_boards import FlatBoard, keep_all, load
from vision.training.lessons import Lesson, Lessons, moved
from vision.training.painting import painted_strips
from vision.training.precision import fast
from vision.training.reader_model import Asked, Reader, cooled, export, write_check
from vision.training.recorded_boards import keep_recordings
from vision.training.taken_back import take_back, weights_in

RATE, LAST_RATE, WARM_STEPS = 2.5e-3, 2e-5, 200
WEIGHT_DECAY = 0.02
AVERAGED = 0.998
"""Share of the running average of the weights that a step leaves as it is."""
HIDDEN_WEIGHT, FLAG_WEIGHT, FACE_WEIGHT = 0.3, 0.3, 3.0
CALIBRATING = 40
"""Lessons of held back boards from which the temperature is found."""
EXAMINED = 5
"""Lessons of held back boards by which progress is measured."""
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
FACES_STEPS, FACES_RATE = 150, 0.01
"""Steps and rate of training `Reader.faces`, which is not in the ONNX files."""
PLACES = 16
"""Places of a picture that a lesson uses."""
GROUP = 16
"""Boards in a lesson. With few the weights jump; many need a GPU."""
SAY_EVERY_S = 60
HELD_EVERY = 25
"""One board in so many is held back."""


def levelled(strips: Tensor) -> Tensor:
    """Normalise (R, 26, 3, H, W) strips by their picture's brightness and contrast; see `place_reader`."""
    grey = strips[..., ::4, ::4].mean(dim=2).flatten(1)
    levels = torch.quantile(grey, grey.new_tensor([0.1, 0.5, 0.9]), dim=1)
    low, usual, high = levels.reshape(3, -1, 1, 1, 1, 1)
    return (strips - usual) * (2 / (high - low + 16))


def asked(lesson: Lesson) -> Asked:
    """Paint a lesson's pictures and cut their strips for the networks."""
    level = levelled(painted_strips(lesson.disturbances))
    references = torch.cat([level, torch.zeros_like(level[:1])])[lesson.reference]  # the last: no reference
    strips = torch.take_along_dim(level[lesson.read], lesson.places[..., None, None, None], dim=2)
    for seen in (references, strips):
        seen[lesson.mirrored] = seen[lesson.mirrored].flip(-1)
    return Asked(
        references=references,
        shown=lesson.shown,
        known=lesson.known,
        strips=strips,
        facts=lesson.facts,
        places=lesson.places,
        weights=lesson.weights,
    )


def losses(answers: Tensor, lesson: Lesson) -> tuple[Tensor, Tensor, Tensor]:
    """Losses of the places' classes, of what is hidden, and of the flags."""
    classes = lesson.classes.flatten()
    weights = (lesson.weights * lesson.common).flatten() * (classes >= 0)
    each = functional.cross_entropy(
        answers[..., :N_CLASSES].flatten(0, 2), classes, ignore_index=-1, reduction="none"
    )
    place = (each * weights).sum() / weights.sum()
    return (
        place,
        _sigmoid_loss(answers[..., N_CLASSES], lesson.hidden),
        _sigmoid_loss(answers[..., N_CLASSES + 1 :].mean(dim=2), lesson.flags),
    )


def _sigmoid_loss(logits: Tensor, right: Tensor) -> Tensor:
    told = ~right.isnan()
    each = functional.binary_cross_entropy_with_logits(logits, right.nan_to_num(), reduction="none")
    return (each * told).sum() / told.sum().clamp_min(1)


def groups(reader: nn.Module) -> list[dict[str, object]]:
    """Parameter groups: matrices with weight decay and vectors without; frozen parameters are left out."""
    learnt = [p for p in reader.parameters() if p.requires_grad]
    return [
        {"params": [p for p in learnt if p.ndim >= 2], "weight_decay": WEIGHT_DECAY},
        {"params": [p for p in learnt if p.ndim < 2], "weight_decay": 0.0},
    ]


class Average:
    """The running average of a network's weights."""

    def __init__(self, reader: Reader) -> None:
        self.reader = copy.deepcopy(reader)
        self.steps = 0

    def add(self, reader: Reader) -> None:
        """Add the weights after one more step."""
        self.steps += 1
        share = min(AVERAGED, self.steps / (self.steps + 10))
        with torch.no_grad():
            for mean, value in zip(
                self.reader.state_dict().values(), reader.state_dict().values(), strict=True
            ):
                if mean.dtype.is_floating_point:
                    mean.lerp_(value.detach(), 1 - share)
                else:
                    mean.copy_(value)


def held_score(reader: Reader, lessons: Sequence[Lesson]) -> str:
    """Score on held back boards, as text: with and without a reference."""
    right: dict[bool, list[np.ndarray]] = {True: [], False: []}
    reader.eval()
    for lesson in lessons:
        question = asked(lesson)
        with torch.no_grad(), fast(DEVICE.type):
            answers = reader(question)[..., :N_CLASSES]
        good = (answers.argmax(dim=-1) == lesson.classes) | (lesson.classes < 0)
        for board, known in zip(good.cpu().numpy(), lesson.known.flatten(1).any(dim=1).tolist(), strict=True):
            right[known].append(board)
    said = []
    for known, name in ((True, "known"), (False, "photo")):
        if right[known]:
            good = np.stack(right[known])
            said.append(
                f"{name} {100 * good.mean():.2f} % places {100 * good.all(axis=-1).mean():.1f} % boards"
            )
    return ", ".join(said)


@dataclass(frozen=True, kw_only=True)
class Course:
    """Settings of a training. weights: file to which the averaged weights are written during it.

    group: boards in a lesson. workers: processes that make lessons. keep_features: whether the features,
    which `changes.onnx` uses as well, stay as they are. after: share of the new weights in the final ones;
    the rest are the weights before.
    """

    minutes: float
    rate: float
    seed: int
    group: int
    workers: int
    weights: Path
    keep_features: bool = False
    after: float = 1.0


def teach(
    boards: Sequence[FlatBoard], held: Sequence[FlatBoard], course: Course, first: Path | None
) -> Reader:
    """Train, from the weights in `first` where given. Returns the networks with averaged weights.

    The same seed and number of workers give the same lessons.
    """
    torch.manual_seed(course.seed)
    reader = begun(first, boards) if first else Reader()
    before = copy.deepcopy(reader)
    reader.to(DEVICE, memory_format=torch.channels_last)
    if course.keep_features:
        reader.features.requires_grad_(False)
    return mixed(before, descend(reader, boards, held, course).cpu(), course.after)


def begun(first: Path, boards: Sequence[FlatBoard]) -> Reader:
    """Load the networks from a `.pt` file, or from the `reader_*.onnx` in a folder."""
    reader = Reader()
    if first.is_file():
        reader.load_state_dict(torch.load(first), strict=False)
        return reader
    files = {"features": "features", "join": "reference", "places": "places", "judge": "judge"}
    weights = {
        name: value
        for part, file in files.items()
        for name, value in weights_in(first / f"reader_{file}.onnx", f"{part}.").items()
    }
    shown = asked(next(iter(Lessons(boards, 5, group=16, pictures=3))))
    take_back(reader, weights, lambda: reader(shown))
    fit_faces(reader, boards)
    return reader


def fit_faces(reader: Reader, boards: Sequence[FlatBoard]) -> None:
    """Train only `Reader.faces`, which finds the checkers' faces and is not in the ONNX files."""
    optimiser = torch.optim.Adam(reader.faces.parameters(), lr=FACES_RATE)
    reader.eval()
    for _, lesson in zip(range(FACES_STEPS), Lessons(boards, 6, places=PLACES), strict=False):
        _, faces = reader.answers_and_faces(asked(lesson))
        loss = _sigmoid_loss(faces, lesson.faces)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    reader.train()


def mixed(before: Reader, after: Reader, share: float) -> Reader:
    """The networks with weights between `before` and `after`; share: that of `after`."""
    mean = copy.deepcopy(after)
    pairs = zip(before.state_dict().values(), after.state_dict().items(), strict=True)
    mean.load_state_dict(
        {name: torch.lerp(a, b, share) if b.is_floating_point() else b for a, (name, b) in pairs}
    )
    return mean


def descend(reader: Reader, boards: Sequence[FlatBoard], held: Sequence[FlatBoard], course: Course) -> Reader:
    """Train for the time of the course. Returns the averaged networks, and prints progress."""
    average = Average(reader)
    optimiser = torch.optim.AdamW(groups(reader), lr=course.rate, betas=(0.9, 0.99))
    examined = (
        [_there(one) for one, _ in zip(Lessons(held, 99, pictures=2), range(EXAMINED), strict=False)]
        if held
        else []
    )
    lessons = DataLoader(
        Lessons(boards, course.seed, course.group, places=PLACES),
        batch_size=None,
        num_workers=course.workers,
        pin_memory=DEVICE.type == "cuda",
    )
    started, step, since, sums, said = time.monotonic(), 0, 0, np.zeros(4), time.monotonic()
    for lesson in lessons:
        done = (time.monotonic() - started) / (60 * course.minutes)
        if done >= 1:
            break
        warm = min(1.0, (step + 1) / WARM_STEPS)
        for group in optimiser.param_groups:
            group["lr"] = LAST_RATE + warm * (course.rate - LAST_RATE) * 0.5 * (1 + np.cos(np.pi * done))
        sums += learn(reader, optimiser, _there(lesson))
        average.add(reader)
        step += 1
        if time.monotonic() - said > SAY_EVERY_S:
            score = held_score(average.reader, examined)
            usual = np.round(sums / (step - since), 4)
            print(f"{60 * course.minutes * done:6.0f} s  step {step}  {usual}  held {score}", flush=True)
            torch.save(average.reader.state_dict(), course.weights)
            since, sums, said = step, np.zeros(4), time.monotonic()
    torch.save(average.reader.state_dict(), course.weights)
    print(f"{step} steps, held {held_score(average.reader, examined)}", flush=True)
    return average.reader


def _there(lesson: Lesson) -> Lesson:
    """The lesson on the networks' device."""
    return moved(lesson, lambda part: part.to(DEVICE, non_blocking=True))


def learn(reader: Reader, optimiser: torch.optim.Optimizer, lesson: Lesson) -> np.ndarray:
    """Take one step. Returns the losses of places, hidden shares, flags and faces."""
    reader.train()
    reader.features.train(next(reader.features.parameters()).requires_grad)
    question = asked(lesson)
    with fast(DEVICE.type):
        answers, faces = reader.answers_and_faces(question)
    place, hidden, flag = losses(answers.float(), lesson)
    face = _sigmoid_loss(faces.float(), lesson.faces)
    optimiser.zero_grad(set_to_none=True)
    (place + HIDDEN_WEIGHT * hidden + FLAG_WEIGHT * flag + FACE_WEIGHT * face).backward()
    nn.utils.clip_grad_norm_(reader.parameters(), 2.0)
    optimiser.step()
    return np.array(torch.stack([place, hidden, flag, face]).tolist())


def calibrated(reader: Reader, held: Sequence[FlatBoard]) -> Reader:
    """The networks with their class logits divided by the temperature that held back boards need.

    It is the higher one of those found with and without a reference.
    """
    lessons = [lesson for lesson, _ in zip(Lessons(held, 7), range(CALIBRATING), strict=False)]
    heard = hear(reader, ((lesson, asked(lesson)) for lesson in lessons))
    temperature = max(best_temperature(heard.of(known)) for known in (True, False))
    for known, name in ((True, "known"), (False, "photo")):
        part = heard.of(known)
        print(
            f"{name}: best temperature {best_temperature(part):.2f}, at {temperature:.2f} sure of "
            f"{part.sure(temperature)[0]} of {len(part.classes)} places, {part.sure(temperature)[1]} wrongly"
        )
    return cooled(reader, temperature)


def split(
    boards: Sequence[FlatBoard], held_families: Sequence[str]
) -> tuple[list[FlatBoard], list[FlatBoard]]:
    """Boards to learn from, and those held back."""
    held = [b for n, b in enumerate(boards) if b.family in held_families or n % HELD_EVERY == HELD_EVERY - 1]
    names = {board.name for board in held}
    return [board for board in boards if board.name not in names], held


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, nargs="*", help="folders of rendered boards")
    parser.add_argument("--recordings", type=Path, help="a folder of labelled recordings to learn from too")
    parser.add_argument(
        "--recorded-times", type=int, default=12, help="how often a recording comes for a drawn board"
    )
    parser.add_argument("--drawn", type=int, default=600, help="boards to draw beside them")
    parser.add_argument(
        "--rendered-times", type=int, default=3, help="how often a rendered one comes for a drawn one"
    )
    parser.add_argument("--cache", type=Path, default=Path("flat"), help="where flattened boards are kept")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "networks")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--first", type=Path, help="weights (.pt), or a folder of ONNX files, to go on from")
    parser.add_argument("--after", type=float, default=1.0, help="share of the new weights that is kept")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--held-family", action="append", default=[], help="a family not learnt from")
    parser.add_argument("--group", type=int, default=GROUP, help="boards in a lesson")
    parser.add_argument("--workers", type=int, default=2, help="processes that put lessons together")
    parser.add_argument(
        "--keep-features",
        action="store_true",
        help="leave reader_features.onnx as it is: changes.onnx needs it, too",
    )
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.after < 1 and not given.first:
        parser.error("--after mixes the weights after with those of --first: name these, too")
    cv2.setNumThreads(1)  # a pool of threads does not survive the fork
    boards = [load(kept) for data in given.data for kept in keep_all(data, given.cache)]
    learnt, held = split(boards, given.held_family)
    if given.drawn:
        drawn = [load(kept) for kept in draw_all(given.cache, given.drawn)]
        more, aside = split(drawn, [])
        learnt, held = learnt * given.rendered_times + more, held + aside[: len(held) + 4]
    if given.recordings:
        learnt += [
            load(kept) for kept in keep_recordings(given.recordings, given.cache)
        ] * given.recorded_times
    pictures = sum(len(board.labels) for board in learnt)
    print(f"{len(learnt)} boards with {pictures} pictures, {len(held)} boards held back", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    course = Course(
        minutes=given.minutes,
        rate=given.rate,
        seed=given.seed,
        group=given.group,
        workers=given.workers,
        keep_features=given.keep_features,
        weights=given.out / "reader.pt",
        after=given.after,
    )
    reader = teach(learnt, held, course, given.first)
    if held:
        reader = calibrated(reader, held)
    export(reader, given.out)
    write_check(reader, given.out)


if __name__ == "__main__":
    main()
