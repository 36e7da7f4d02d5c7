"""Finds points that hold both colours: a hit checker that was left there, or a play onto a held point."""

import numpy as np

from vision.appearance.checker_faces import FaceStrip, ring_scores, row_to_scene, scene_to_row
from vision.appearance.checker_looks import SceneEvidence
from vision.appearance.scene import CHECKER_PX, SceneView
from vision.appearance.stack_rows import CheckerRows, PlaceCounts
from vision.appearance.upper_layers import FULL_ROW
from vision.geometry import FloatArray, Image, Map

OTHER_COLOUR_NATS = 20.0
"""Least log-likelihood ratio of a checker of the other colour, in nats; guess."""
OTHER_COLOUR_RING_SCORE = 0.4
"""Least ring score of its face; guess."""
MOST_ASIDE_DIAMETERS = 0.3
"""How far it may lie from the middle of its point, and its rings from its likeliest place, in diameters;
guess."""
APART_FROM_OTHERS_DIAMETERS = 0.85
"""How far its centre must be from those of all other checkers, in diameters; guess."""


def mixed_places(
    view: SceneView, image_bgr: Image, evidence: SceneEvidence, rows: CheckerRows, counts: PlaceCounts
) -> frozenset[int]:
    """The places (0 to 23) where beside the row of `counts` a checker of the other colour surely lies."""
    lying = [(place, rows.centres(place, count)) for place, count in enumerate(counts) if count]
    every = np.concatenate([centres for _, centres in lying]) if lying else np.zeros((0, 2))
    found = set()
    for place, _ in lying:
        other = _likeliest(view, evidence.centres[int(counts[place] > 0)], place, every)
        if other is not None and _has_rings(view, image_bgr, place, other):
            found.add(place)
    return frozenset(found)


def _likeliest(view: SceneView, support: Map, place: int, every: FloatArray) -> FloatArray | None:
    """(2,) scene pixels of the likeliest further checker on a place, or None if none is likely enough.

    support: (H, W) log-likelihood ratio of its being centred there. every: (N, 2) where checkers lie already.
    """
    ends = row_to_scene(
        view, place, np.array([[-MOST_ASIDE_DIAMETERS, 0.5], [MOST_ASIDE_DIAMETERS, FULL_ROW]])
    )
    (left, top), (right, bottom) = np.rint(np.sort(ends, axis=0)).astype(np.int64).clip(0)
    rows, columns = np.nonzero(support[top:bottom, left:right] > OTHER_COLOUR_NATS)
    if not len(rows):
        return None
    there = np.stack([columns + left, rows + top], axis=1).astype(np.float64)
    away = np.linalg.norm(there[:, None] - every, axis=2).min(axis=1)
    nats = np.where(
        away > APART_FROM_OTHERS_DIAMETERS * CHECKER_PX, support[rows + top, columns + left], -np.inf
    )
    return there[nats.argmax()] if nats.max() > OTHER_COLOUR_NATS else None


def _has_rings(view: SceneView, image_bgr: Image, place: int, centre: FloatArray) -> bool:
    """Whether the face of a checker is seen about a scene pixel, not too far aside."""
    near = FaceStrip.around(view, place, scene_to_row(view, place, centre[None])[0], MOST_ASIDE_DIAMETERS)
    scores = ring_scores(near.grey(image_bgr))
    best = near.across[scores.argmax() % len(near.across)]
    return float(scores.max()) > OTHER_COLOUR_RING_SCORE and abs(best) <= MOST_ASIDE_DIAMETERS
