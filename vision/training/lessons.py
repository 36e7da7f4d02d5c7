"""Makes the reader's lessons: pictures of boards, the references for them, and the right answers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from vision.networks.place_reader import MOST, NONE, Chosen, choose, class_of, facts_of
from vision.networks.strips import (
    ACROSS_COLUMNS,
    BEYOND_BASE,
    INWARD,
    LEAST_REACH,
    MOST_REACH,
    N_PLACES,
    N_POINTS,
    STRIP_WH,
    column_middles,
    is_top,
    reaches,
)
from vision.training.disturb import Disturbance, Rng, covered, tint_by_chance
from vision.training.flat_boards import FlatBoard, Labels, field_xy
from vision.training.painting import Disturbances

Floats = npt.NDArray[np.float32]
Tensors = TypeVar("Tensors", Tensor, Disturbances, "Lesson")

PHOTOGRAPHS, OTHER_POSITIONS = 0.35, 0.2
"""Share of boards read without a reference; share of the others whose reference is a later position."""
SECOND_LOOKS = 0.5
"""Share of the boards without a reference that are read a second time: then the picture is its own reference,
with a guessed position."""
FLIPPED, MISCOUNTED, IMAGINED = 0.02, 0.06, 0.015
"""Shares of held places that are guessed to be the other side's, or one checker off, and of bare places that
are guessed to be held; guesses."""
FORGOTTEN = 0.04
"""Share of the references (bare, A or B) of places that are left out."""
COVERED = 0.18
"""Share of pictures over which an arm or a flat thing is drawn."""
HIDDEN_SHARE, SURELY_SEEN = 0.35, 0.25
"""Covered shares from which a place counts as hidden, and below which as seen; between them either answer is
right."""
NO_COVER, SURE_COVER = 0.002, 0.012
"""Share of the field up to which what is drawn over it is no cover, and above which it is one."""
LEAST_BARE = 4
"""Bare places that are read of every picture, where it has so many."""
LEAN_ERROR_PX = 0.3
FACE_CELLS = (STRIP_WH[1] // 8, STRIP_WH[0] // 8)
FACE_KINDS = 4
"""Maps of a strip's faces: those of side A, of side B, on the second layer, and on higher layers."""
FACE_SPREAD = 0.6
"""Standard deviation of a face's likelihood around its middle, in cells."""
LEAST_IN_A_ROW, RARE_WEIGHT = 4, 0.1
"""In play a new layer begins after at least so many checkers. Where one begins sooner, the place has this
weight, because the lessons have more such places than play. Guesses."""
FACES_CLEAR = 0.05
"""The networks learn the faces of places of which at most this share is covered."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """K boards with M pictures each. Of each picture P places are read.

    disturbances: of all pictures. read: (K, M) numbers of the pictures that are read. reference: (K,) number
    of the picture that is each board's reference, or NONE. mirrored: (K,) whether the strips are mirrored.
    shown, known: (K, 3, 26) the place that each place's references are taken from, and 1 where there is one.
    facts: (K, 26, FACTS). places: (K, M, P) the places that are read. weights: (K, M, P) for how many places
    of its picture each stands. classes: (K, M, P), -1 where hidden. common: (K, M, P) weight of each place's
    class, RARE_WEIGHT or 1. hidden: (K, M, P) and flags: (K, M, 2): 1, 0, or nan where either answer is
    right. faces: see `face_maps`; nan where they are not learnt.
    """

    disturbances: Disturbances
    read: Tensor
    reference: Tensor
    mirrored: Tensor
    shown: Tensor
    known: Tensor
    facts: Tensor
    places: Tensor
    weights: Tensor
    classes: Tensor
    common: Tensor
    hidden: Tensor
    flags: Tensor
    faces: Tensor

    def pin_memory(self) -> "Lesson":
        """Pin the tensors, for a faster copy to a GPU. A DataLoader calls this."""
        return moved(self, Tensor.pin_memory)


def moved(tensors: Tensors, to: Callable[[Tensor], Tensor]) -> Tensors:
    """Apply `to` to a tensor, or to every tensor of a dataclass."""
    if isinstance(tensors, Tensor):
        return to(tensors)
    return replace(tensors, **{one.name: moved(getattr(tensors, one.name), to) for one in fields(tensors)})


@dataclass(frozen=True, kw_only=True)
class _Pupil:
    """One board's part of a lesson: its pictures, and fields of Lesson with numbers of these pictures."""

    pictures: list[Disturbance]
    part: dict[str, npt.NDArray[np.generic]]


@lru_cache(maxsize=20000)
def _chosen(position: bytes) -> Chosen:
    return choose(np.frombuffer(position, dtype=np.int64).reshape(N_PLACES, 2))


def _known_picture(rng: Rng, board: FlatBoard) -> int | None:
    """Choose the picture that is the board's reference; None to read without one."""
    if rng.random() < PHOTOGRAPHS:
        return None
    usable = board.starts()
    if not usable or rng.random() < OTHER_POSITIONS:
        others = [
            n
            for n, shown in enumerate(board.labels)
            if shown.hidden.max() < 0.1 and (shown.counts[:24].max(axis=0) > 1).all()
        ]
        usable = others or usable
    return int(rng.choice(usable)) if usable else None


def _pupil(rng: Rng, board: FlatBoard, pictures: int, wanted: int) -> _Pupil:
    """Make one board's part of a lesson."""
    tint, reach = tint_by_chance(rng), float(np.exp(rng.uniform(*np.log([LEAST_REACH, MOST_REACH]))))
    number = _known_picture(rng, board)
    again = number is None and rng.random() < SECOND_LOOKS
    swapped, mirrored = (number is not None or again) and rng.random() < 0.5, rng.random() < 0.5
    shown, known = np.zeros((3, N_PLACES), np.int64), np.zeros((3, N_PLACES), np.float32)
    read_once = 1 if again else pictures
    numbers = rng.choice(len(board.labels), read_once, replace=len(board.labels) < read_once)
    both = [_picture(rng, board, int(n), tint, reach, swapped) for n in numbers]
    looked_at, rows = [picture for picture, _ in both], [row for _, row in both]
    read, reference, chosen = np.arange(len(rows)), NONE, None
    if again:
        chosen = _chosen(_guessed(rng, _sides(board.labels[numbers[0]].counts, swapped)).tobytes())
        reference, read, rows = 0, np.zeros(pictures, np.int64), rows * pictures
    elif number is not None:
        reference = len(looked_at)
        flat = np.asarray(board.pictures[number])
        looked_at.append(Disturbance.by_chance(rng, flat, tint, board.bar, reach))
        chosen = _partly(rng, _chosen(_sides(board.labels[number].counts, swapped).tobytes()))
    if chosen is not None:
        shown = np.stack([chosen.bare, chosen.a, chosen.b])
        known = (shown != NONE).astype(np.float32)
    rows = [_some_of(rng, row, wanted) for row in rows]
    part = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    lean = board.labels[numbers[0]].lean * rng.uniform(0.9, 1.1)
    lean[:, 1] /= reaches(reach)
    lean = lean + rng.normal(0, LEAN_ERROR_PX, 2)
    part["facts"] = facts_of(lean.astype(np.float32), chosen)
    if mirrored:
        part["facts"][..., 0] *= -1
        part["faces"] = part["faces"][..., ::-1]
    part |= {
        "read": read,
        "reference": np.array(reference),
        "mirrored": np.array(mirrored),
        "shown": np.maximum(shown, 0),
        "known": known,
    }
    return _Pupil(pictures=looked_at, part=part)


def _guessed(rng: Rng, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """(26, 2): counts as a first reading without a reference may give them."""
    held, chance = counts.any(axis=1), rng.random(N_PLACES)
    told = counts.copy()
    told[held & (chance < FLIPPED)] = counts[held & (chance < FLIPPED)][:, ::-1]
    wrong = held & (chance > 1 - MISCOUNTED)
    told[wrong] = np.where(
        counts[wrong] > 0, np.clip(counts[wrong] + rng.choice([-1, 1], (wrong.sum(), 1)), 0, MOST), 0
    )
    told[~held & (chance < IMAGINED), int(rng.integers(2))] = 1
    return told


def _sides(counts: npt.NDArray[np.int64], swapped: bool) -> npt.NDArray[np.int64]:
    return np.ascontiguousarray(counts[:, ::-1] if swapped else counts)


def _partly(rng: Rng, chosen: Chosen) -> Chosen:
    """Leave out a few of the references."""
    bare, a, b = (
        np.where(rng.random(N_PLACES) < FORGOTTEN, NONE, places)
        for places in (chosen.bare, chosen.a, chosen.b)
    )
    return Chosen(
        bare=bare,
        a=a,
        b=b,
        a_count=np.where(a == NONE, 0, chosen.a_count),
        b_count=np.where(b == NONE, 0, chosen.b_count),
    )


def _some(rng: Rng, counts: npt.NDArray[np.generic], wanted: int) -> tuple[npt.NDArray[np.int64], Floats]:
    """(P,) random places to read, those with checkers first, and for how many of its kind each stands."""
    if wanted >= N_PLACES:
        return np.arange(N_PLACES), np.ones(N_PLACES, np.float32)
    furnished = counts.any(axis=1)
    full, bare = rng.permutation(np.flatnonzero(furnished)), rng.permutation(np.flatnonzero(~furnished))
    most = min(len(full), max(wanted - LEAST_BARE, wanted - len(bare)))
    full, kept = full[:most], bare[: wanted - most]
    weights = [
        np.full(most, furnished.sum() / max(most, 1)),
        np.full(len(kept), len(bare) / max(len(kept), 1)),
    ]
    return np.concatenate([full, kept]), np.concatenate(weights).astype(np.float32)


def _some_of(
    rng: Rng, row: dict[str, npt.NDArray[np.generic]], wanted: int
) -> dict[str, npt.NDArray[np.generic]]:
    """A picture's part of a lesson, for `wanted` of its places."""
    places, weights = _some(rng, row["counts"], wanted)
    part = {name: row[name] if name == "flags" else row[name][places] for name in row if name != "counts"}
    return {**part, "places": places, "weights": weights}


def _picture(
    rng: Rng, board: FlatBoard, number: int, tint: Floats, reach: float, swapped: bool
) -> tuple[Disturbance, dict[str, npt.NDArray[np.generic]]]:
    """A disturbed picture, and the right answers for it and for all its places."""
    labels = board.labels[number]
    flat, hidden, flags = np.asarray(board.pictures[number]), labels.hidden, [labels.hand, labels.pad]
    if rng.random() < COVERED:
        flat, more, field, arm = covered(rng, flat, board.bar)
        hidden = np.maximum(hidden, more)
        if field > NO_COVER:
            flags[0 if arm else 1] = 1.0 if field > SURE_COVER else float("nan")
    seen = Disturbance.by_chance(rng, flat, tint, board.bar, reach)
    counts = _sides(labels.counts, swapped)
    classes = np.array([class_of(int(a), int(b)) for a, b in counts])
    classes = np.where(hidden < HIDDEN_SHARE, classes, -1)
    covered_places = np.where(
        hidden >= HIDDEN_SHARE, 1.0, np.where(hidden < SURELY_SEEN, 0.0, np.nan)
    ).astype(np.float32)
    return seen, {
        "counts": counts,
        "classes": classes,
        "common": _common(labels, board.bar),
        "hidden": covered_places,
        "flags": np.array(flags, dtype=np.float32),
        "faces": np.where(
            (hidden <= FACES_CLEAR)[:, None, None, None],
            face_maps(labels.faces, board.bar, swapped, reach),
            np.float32(np.nan),
        ),
    }


def _common(labels: Labels, bar: tuple[float, float]) -> Floats:
    """(26,) weights of the places: RARE_WEIGHT where a layer began sooner than in play, otherwise 1."""
    usual = np.maximum(labels.counts.sum(axis=1) - 1, 0) // LEAST_IN_A_ROW
    return np.where(top_layers(labels.faces, bar) > usual, RARE_WEIGHT, 1.0).astype(np.float32)


def top_layers(faces: Floats, bar: tuple[float, float]) -> npt.NDArray[np.int64]:
    """(26,) highest layer with a visible face on each point, from 0; always 0 on the bar."""
    there = faces[~np.isnan(faces[:, 0])]
    layers = np.zeros(N_PLACES, np.int64)
    if len(there):
        x, y = field_xy(there[:, :2]).T
        middles, widths = column_middles(bar)
        beside = np.abs(x[:, None] - middles[:N_POINTS]) < widths[:N_POINTS] / 2
        on_point = beside & ((y < 0.5)[:, None] == is_top()[:N_POINTS])
        layers[:N_POINTS] = np.where(on_point, there[:, 2, None], 0).max(axis=0)
    return layers


def face_maps(faces: Floats, bar: tuple[float, float], swapped: bool, reach: float) -> Floats:
    """(26, FACE_KINDS, *FACE_CELLS): maps, 0 to 1, of the faces in `flat_boards.Labels`."""
    there = faces[~np.isnan(faces[:, 0])]
    rows, columns = FACE_CELLS
    maps = np.zeros((N_PLACES, FACE_KINDS, rows, columns), dtype=np.float32)
    if not len(there):
        return maps
    x, y = field_xy(there[:, :2]).T
    layer, side = there[:, 2], there[:, 3] if not swapped else 1 - there[:, 3]
    middles, widths = column_middles(bar)
    top = is_top()[:, None]
    turn = np.where(top, -1.0, 1.0)
    across = (turn * (x - middles[:, None]) / widths[:, None] / ACROSS_COLUMNS + 0.5) * columns
    down = (INWARD - np.where(top, y, 1 - y) / reaches(reach)[:, None]) / (INWARD + BEYOND_BASE) * rows
    off_x = np.exp(-(((np.arange(columns) + 0.5 - across[..., None]) / FACE_SPREAD) ** 2) / 2)
    off_y = np.exp(-(((np.arange(rows) + 0.5 - down[..., None]) / FACE_SPREAD) ** 2) / 2)
    for kind, chosen in enumerate((side == 0, side == 1, layer == 1, layer > 1)):
        if chosen.any():
            each = off_y[:, chosen, :, None] * off_x[:, chosen, None, :]
            maps[:, kind] = each.max(axis=1)
    return maps


class Lessons(IterableDataset[Lesson]):
    """Endless lessons. Each process of a loader makes different ones."""

    def __init__(
        self,
        boards: Sequence[FlatBoard],
        seed: int,
        group: int = 4,
        pictures: int = 4,
        places: int = N_PLACES,
    ) -> None:
        super().__init__()
        self.boards, self.seed, self.group, self.pictures, self.places = boards, seed, group, pictures, places

    def __iter__(self) -> Iterator[Lesson]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            numbers = rng.choice(len(self.boards), self.group)
            yield _together([_pupil(rng, self.boards[n], self.pictures, self.places) for n in numbers])


def _together(pupils: Sequence[_Pupil]) -> Lesson:
    firsts = np.cumsum([0] + [len(pupil.pictures) for pupil in pupils])
    for first, pupil in zip(firsts, pupils, strict=False):
        pupil.part["read"] = pupil.part["read"] + first
        if pupil.part["reference"] != NONE:
            pupil.part["reference"] = pupil.part["reference"] + first
    stacked = {name: np.stack([pupil.part[name] for pupil in pupils]) for name in pupils[0].part}
    return Lesson(
        disturbances=Disturbances.of([picture for pupil in pupils for picture in pupil.pictures]),
        **{name: torch.from_numpy(np.ascontiguousarray(part)) for name, part in stacked.items()},
    )
