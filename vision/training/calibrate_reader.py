"""How far the reader's probabilities must be flattened or sharpened, on boards held back from training.

One temperature divides the logits of all classes (Guo and others 2017, "On calibration of modern neural
networks").
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from vision.networks.place_reader import N_CLASSES
from vision.training.lessons import Lesson
from vision.training.reader_model import Asked, Reader

TEMPERATURES = np.exp(np.linspace(np.log(0.4), np.log(2.5), 60))
SURE = 0.999


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What was answered for N places that are not hidden.

    logits: (N, N_CLASSES). classes: (N,) what lies there. known: (N,) whether the board was known.
    """

    logits: npt.NDArray[np.float32]
    classes: npt.NDArray[np.int64]
    known: npt.NDArray[np.bool_]

    def loss(self, temperature: float) -> float:
        """Mean surprise in nats."""
        scores = torch.from_numpy(self.logits / np.float32(temperature))
        return float(functional.cross_entropy(scores, torch.from_numpy(self.classes)))

    def sure(self, temperature: float) -> tuple[int, int]:
        """How many places are called with SURE or more, and how many of them wrongly."""
        shares = torch.from_numpy(self.logits / np.float32(temperature)).softmax(dim=1).numpy()
        called = shares.max(axis=1) >= SURE
        return int(called.sum()), int((shares.argmax(axis=1) != self.classes)[called].sum())

    def of(self, known: bool) -> "Heard":
        """Those with, or those without a reference."""
        own = self.known == known
        return Heard(logits=self.logits[own], classes=self.classes[own], known=self.known[own])


def hear(reader: Reader, lessons: Iterable[tuple[Lesson, Asked]]) -> Heard:
    """What the networks answer to lessons."""
    logits, classes, known = [], [], []
    reader.eval()
    for lesson, question in lessons:
        with torch.no_grad():
            answers = reader(question)[..., :N_CLASSES].numpy()
        right = lesson.classes.numpy()
        seen = right >= 0
        logits.append(answers[seen])
        classes.append(right[seen])
        known.append(np.broadcast_to(lesson.known.numpy().any(axis=(1, 2))[:, None, None], seen.shape)[seen])
    return Heard(logits=np.concatenate(logits), classes=np.concatenate(classes), known=np.concatenate(known))


def best_temperature(heard: Heard) -> float:
    """The temperature of the least surprise at which at most one sure call in a thousand is wrong."""
    for temperature in sorted(TEMPERATURES, key=heard.loss):
        called, wrong = heard.sure(temperature)
        if wrong <= called / 1000:
            return float(temperature)
    return float(TEMPERATURES[-1])
