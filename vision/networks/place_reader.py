"""Reads what lies on each place of a board, from its strips and from a reference picture of the same board.

Four small networks: `features` looks at strips; `reference` joins the features of a place's reference strips
into one map; `places` compares a strip with that map; `judge` decides on each place, knowing all of them.
Without a reference (a single photograph) the same networks go by the other places of the board alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentences import say
from vision.networks.runner import Network, NetworkError, softmax
from vision.networks.strips import N_PLACES, N_POINTS, STRIP_WH, Strips

Floats = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int64]

FOLDER = Path(__file__).parent
MOST = 15
"""Checkers of a side."""
N_CLASSES = 2 * MOST + 2
"""Bare, 1 to 15 of side A, 1 to 15 of side B, both sides mixed."""
MIXED = N_CLASSES - 1
N_FLAGS = 2
"""A hand over the field; a pad or telephone on it."""
CELLS = (STRIP_WH[1] // 4, STRIP_WH[0] // 4)
FEATURES, JOINED, SUMMARY = 32, 48, 128
"""Channels of a strip's features, of the joined map, and of a place's summary."""
AT_ONCE = 2
"""Most places in one run of a network: fewer need less memory."""
LOOK_AGAIN_BELOW = 0.97
"""A place whose likeliest class has a lower probability is looked at again as a mirror image: the mean of
both answers errs less. Tried on rendered boards."""
FACTS = 9
"""Plain numbers about a place: see `facts_of`."""
LEAN_UNIT_PX = 4.0
MIRRORED_LEAN = np.array([-1, 1], dtype=np.float32)
"""Factors on a lean to the right and up in the mirror image."""
USUAL_STACK = 5
NONE = -1


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The places of a known position that serve as references for each place; NONE where there is none.

    bare: (26,) a bare place that looks like it. a, b: (26,) a stack of side A and of side B. a_count,
    b_count: (26,) how many checkers these stacks have.
    """

    bare: Indices
    a: Indices
    b: Indices
    a_count: Indices
    b_count: Indices


@dataclass(frozen=True, kw_only=True)
class Reference:
    """What the networks keep of a known board: (26, JOINED, *CELLS) each, plain and as a mirror image."""

    plain: Floats
    mirrored: Floats


@dataclass(frozen=True, kw_only=True)
class PlaceReading:
    """The networks' answer to one picture.

    probabilities: (26, N_CLASSES), each row adds up to 1: bare, 1 to 15 of side A, 1 to 15 of side B, mixed.
        Side A is the first of the reference's counts; without a reference it is the light side.
    hidden: (26,) probability that something foreign covers the place so that it cannot be read.
    hand, pad: probability that a hand, or a pad or telephone, is over the field.
    """

    probabilities: Floats
    hidden: Floats
    hand: float
    pad: float

    @property
    def uncovered(self) -> "PlaceReading":
        """The same as if nothing lay over the field."""
        return replace(self, hidden=np.zeros_like(self.hidden), hand=0.0, pad=0.0)

    @property
    def sureness(self) -> float:
        """Log-probability of the likeliest class of all 24 points together, in nats."""
        return float(np.log(self.probabilities[:N_POINTS].max(axis=1)).sum())


def class_of(n_a: int, n_b: int) -> int:
    """The class of a place with so many checkers of side A and of side B."""
    if n_a and n_b:
        return MIXED
    return min(n_a, MOST) if n_a else MOST + min(n_b, MOST) if n_b else 0


def counts_of(number: int) -> tuple[int, int]:
    """Checkers of side A and of side B in a class; (0, 0) for MIXED, where they are not known."""
    if number in (0, MIXED):
        return 0, 0
    return (number, 0) if number <= MOST else (0, number - MOST)


def most_likely(said: PlaceReading) -> Counts:
    """(26, 2) likeliest numbers of checkers of side A and of side B; a mixed place counts as one of each."""
    classes = said.probabilities.argmax(axis=1)
    return np.array([counts_of(int(number)) if number != MIXED else (1, 1) for number in classes])


def sides_of(said: PlaceReading) -> Floats:
    """(26, 2) probabilities of side A and of side B, given that one side alone holds the place."""
    held = held_by(said)
    return np.asarray(held / np.maximum(held.sum(axis=1, keepdims=True), 1e-12), dtype=np.float32)


def held_by(said: PlaceReading) -> Floats:
    """(26, 2) probabilities that side A, and that side B, holds a place alone."""
    sides = [said.probabilities[:, first : first + MOST].sum(axis=1) for first in (1, MOST + 1)]
    return np.stack(sides, axis=1)


def choose(counts: Counts) -> Chosen:
    """Choose the references in a known position. counts: (26, 2) checkers of side A and side B."""
    places = range(N_PLACES)
    bare = np.array([_like_bare(place, counts) for place in places])
    a, b = (np.array([_stack_for(place, counts, side) for place in places]) for side in (0, 1))
    return Chosen(
        bare=bare,
        a=a,
        b=b,
        a_count=np.where(a == NONE, 0, counts[a, 0]),
        b_count=np.where(b == NONE, 0, counts[b, 1]),
    )


def _row(place: int) -> int:
    return place // 12 if place < N_POINTS else place - N_POINTS


def _like_bare(place: int, counts: Counts) -> int:
    """The bare place that looks most like this one: itself, or the nearest point of its colour and row."""
    if not counts[place].any():
        return place
    if place >= N_POINTS:
        return NONE
    row = range(12 * _row(place), 12 * _row(place) + 12)
    alike = [p for p in row if p % 2 == place % 2 and not counts[p].any()]
    return min(alike, key=lambda p: abs(p - place), default=NONE)


def _stack_for(place: int, counts: Counts, side: int) -> int:
    """The stack that shows best how a side's checkers look at a place.

    Preferred are, in this order, a number near five, the same row, and a near column.
    """

    def unlikeness(p: int) -> tuple[int, int, int]:
        return abs(int(counts[p, side]) - USUAL_STACK), int(_row(p) != _row(place)), abs(p % 12 - place % 12)

    alone = [p for p in range(N_POINTS) if counts[p, side] and not counts[p, 1 - side]]
    return min(alone, key=unlikeness, default=NONE)


def facts_of(lean: Floats, chosen: Chosen | None) -> Floats:
    """(26, FACTS): lean right and up, whether it is the bar, and what the three references hold."""
    facts = np.zeros((N_PLACES, FACTS), dtype=np.float32)
    facts[:, :2] = lean / LEAN_UNIT_PX
    facts[N_POINTS:, 2] = 1
    if chosen is not None:
        facts[:, 3], facts[:, 4] = chosen.bare != NONE, chosen.bare == np.arange(N_PLACES)
        facts[:, 5], facts[:, 6] = chosen.a != NONE, chosen.a_count / USUAL_STACK
        facts[:, 7], facts[:, 8] = chosen.b != NONE, chosen.b_count / USUAL_STACK
    return facts


def level_of(strips_bgr: Strips) -> tuple[float, float]:
    """A picture's median brightness in levels, and the factor that normalises its contrast."""
    grey = strips_bgr[:, ::4, ::4].mean(axis=-1)
    low, usual, high = np.percentile(grey, [10, 50, 90])
    return float(usual), float(2 / (high - low + 16))


def levelled(strips_bgr: Strips, places: Sequence[int] = range(N_PLACES)) -> Floats:
    """(N, 3, H, W): strips of N places, normalised by the brightness and contrast of their picture."""
    usual, stretch = level_of(strips_bgr)
    level = (strips_bgr[np.asarray(places)].astype(np.float32) - np.float32(usual)) * np.float32(stretch)
    return np.ascontiguousarray(level.transpose(0, 3, 1, 2))


@dataclass(frozen=True)
class ReaderNetwork:
    """The networks in a folder.

    second_look: whether places that are read with less than LOOK_AGAIN_BELOW are looked at again.

    >>> network = ReaderNetwork()
    >>> known = network.reference(view.cut(first_bgr), start_counts, view.leans)  # doctest: +SKIP
    >>> network.read(view.cut(image_bgr), known).probabilities.argmax(axis=1)  # doctest: +SKIP
    """

    folder: Path = FOLDER
    second_look: bool = True

    @cached_property
    def _looking(self) -> Network:
        return self._network("features", strips=(None, 3, STRIP_WH[1], STRIP_WH[0]))

    @cached_property
    def _reference(self) -> Network:
        return self._network("reference", seen=(None, 3 * FEATURES + FACTS, *CELLS))

    @cached_property
    def _places(self) -> Network:
        return self._network("places", seen=(None, FEATURES, *CELLS), reference=(None, JOINED, *CELLS))

    @cached_property
    def _judge(self) -> Network:
        return self._network("judge", summaries=(N_PLACES, 3 * SUMMARY))

    def _network(self, name: str, **takes: tuple[int | None, ...]) -> Network:
        return Network(path=self.folder / f"reader_{name}.onnx", takes=takes, gives=("out",))

    def reference(self, strips_bgr: Strips, counts: Counts, lean: Floats) -> Reference:
        """The reference from a picture of a known position.

        strips_bgr: (26, H, W, 3). counts: (26, 2) checkers of side A and side B on each place.
        lean: (26, 2) of the view, see `strips.leans`.
        """
        _check("counts", counts.shape, (N_PLACES, 2))
        _check("lean", lean.shape, (N_PLACES, 2))
        chosen, level = choose(counts), _checked_level(strips_bgr)
        return Reference(
            plain=self._seen(level, chosen, lean),
            mirrored=self._seen(_mirrored(level), chosen, lean * MIRRORED_LEAN),
        )

    def _seen(self, level: Floats, chosen: Chosen, lean: Floats) -> Floats:
        """(26, JOINED, *CELLS): the reference maps from levelled strips."""
        features = self.features(level)
        shown = [
            features[places] * (places != NONE)[:, None, None, None]
            for places in (chosen.bare, chosen.a, chosen.b)
        ]
        return self._joined(shown, facts_of(lean, chosen))

    def no_reference(self, lean: Floats) -> Reference:
        """The empty reference, with which a single photograph is read."""
        _check("lean", lean.shape, (N_PLACES, 2))
        shown = [np.zeros((N_PLACES, FEATURES, *CELLS), dtype=np.float32)] * 3
        return Reference(
            plain=self._joined(shown, facts_of(lean, None)),
            mirrored=self._joined(shown, facts_of(lean * MIRRORED_LEAN, None)),
        )

    def _joined(self, shown: list[Floats], facts: Floats) -> Floats:
        planes = np.broadcast_to(facts[:, :, None, None], (*facts.shape, *CELLS))
        return _in_parts(self._reference, seen=np.concatenate([*shown, planes], axis=1))

    def read(self, strips_bgr: Strips, reference: Reference) -> PlaceReading:
        """Read what lies on each place, from (26, H, W, 3) strips."""
        level = _checked_level(strips_bgr)
        for joined in (reference.plain, reference.mirrored):
            _check("reference", joined.shape, (N_PLACES, JOINED, *CELLS))
        summary = self._summary(level, reference.plain)
        answers = self._judged(summary)
        unsure = softmax(answers[:, :N_CLASSES]).max(axis=1) < LOOK_AGAIN_BELOW
        if self.second_look and unsure.any():
            summary[unsure] = self._summary(_mirrored(level[unsure]), reference.mirrored[unsure])
            answers[unsure] = (answers[unsure] + self._judged(summary)[unsure]) / 2
        return self._reading(answers)

    def features(self, level: Floats) -> Floats:
        """(N, FEATURES, *CELLS): the features of N levelled strips (N, 3, H, W); see `levelled`."""
        return _in_parts(self._looking, strips=level)

    def read_alone(self, strips_bgr: Strips, lean: Floats) -> PlaceReading:
        """Read what lies on each place of an unknown board. See `read` and `reference`."""
        return self.read(strips_bgr, self.no_reference(lean))

    def _summary(self, level: Floats, joined: Floats) -> Floats:
        """(N, SUMMARY) of N levelled strips and the reference maps of their places."""
        return _in_parts(self._places, seen=self.features(level), reference=joined)

    def _judged(self, summary: Floats) -> Floats:
        """(26, N_CLASSES + 1 + N_FLAGS) logits."""
        usual = np.broadcast_to(summary.mean(axis=0), summary.shape)
        most = np.broadcast_to(summary.max(axis=0), summary.shape)
        return self._judge.run(summaries=np.concatenate([summary, usual, most], axis=1))[0]

    def _reading(self, answers: Floats) -> PlaceReading:
        """From (26, N_CLASSES + 1 + N_FLAGS) logits."""
        flags = _sigmoid(answers[:, N_CLASSES + 1 :].mean(axis=0))
        return PlaceReading(
            probabilities=softmax(answers[:, :N_CLASSES]),
            hidden=_sigmoid(answers[:, N_CLASSES]),
            hand=float(flags[0]),
            pad=float(flags[1]),
        )


def _in_parts(network: Network, **blobs: Floats) -> Floats:
    """The network's answer to N places, at most AT_ONCE of them at a time."""
    parts = [
        network.run(**{name: blob[first : first + AT_ONCE] for name, blob in blobs.items()})[0]
        for first in range(0, len(next(iter(blobs.values()))), AT_ONCE)
    ]
    return np.concatenate(parts)


def _checked_level(strips_bgr: Strips) -> Floats:
    _check("strips_bgr", strips_bgr.shape, (N_PLACES, STRIP_WH[1], STRIP_WH[0], 3))
    return levelled(strips_bgr)


def _mirrored(level: Floats) -> Floats:
    """Strips (N, 3, H, W), mirrored from left to right."""
    return np.ascontiguousarray(level[..., ::-1])


def _check(name: str, shape: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    if shape != wanted:
        raise NetworkError(say("network_shape", name=name, shape=shape, wanted=wanted))


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), dtype=np.float32)
