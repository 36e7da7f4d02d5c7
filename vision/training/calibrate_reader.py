"""Finds the temperature that calibrates the reader's probabilities, on boards held back from training.

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
    """The reader's answers for N places that are not hidden.

    logits: (N, N_CLASSES). classes: (N,) the true classes. known: (N,) whether the board had a reference.
    """

    logits: npt.NDArray[np.float32]
    classes: npt.NDArray[np.int64]
    known: npt.NDArray[np.bool_]

    def loss(self, temperature: float) -> float:
        """Mean cross-entropy in nats."""
        scores = torch.from_numpy(self.logits / np.float32(temperature))
        return float(functional.cross_entropy(scores, torch.from_numpy(self.classes)))

    def sure(self, temperature: float) -> tuple[int, int]:
        """Count the places read with probability SURE or more, and those of them that are misread."""
        shares = torch.from_numpy(self.logits / np.float32(temperature)).softmax(dim=1).numpy()
        called = shares.max(axis=1) >= SURE
        return int(called.sum()), int((shares.argmax(axis=1) != self.classes)[called].sum())

    def of(self, known: bool) -> "Heard":
        """Only the places with a reference, or only those without one."""
        own = self.known == known
        return Heard(logits=self.logits[own], classes=self.classes[own], known=self.known[own])


def hear(reader: Reader, lessons: Iterable[tuple[Lesson, Asked]]) -> Heard:
    """The networks' answers to lessons."""
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
    """Find the temperature with the lowest loss at which at most one sure reading in a thousand is wrong.

    Returns the highest temperature where none qualifies.
    """
    for temperature in sorted(TEMPERATURES, key=heard.loss):
        called, wrong = heard.sure(temperature)
        if wrong <= called / 1000:
            return float(temperature)
    return float(TEMPERATURES[-1])
