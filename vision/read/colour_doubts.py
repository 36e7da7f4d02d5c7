"""Lowers the scores of checkers of which only the colour is seen: a dark shadow shows no rings."""

import numpy as np

from vision.appearance.checker_faces import FaceStrip, ring_scores, scene_to_row
from vision.appearance.scene import SceneView
from vision.appearance.stack_rows import CheckerRows, likeliest_counts, log_likelihoods
from vision.appearance.upper_layers import FULL_ROW
from vision.geometry import FloatArray, Image

CLOSER_LOOK_BELOW = 0.95
"""Places read with a higher probability are not examined; guess."""
FACE_RING_SCORE, BARE_RING_SCORE, RING_SCORE_SPREAD = 0.45, 0.12, 0.12
"""Mean ring scores of faces and of bare board, and the spread of both; guesses."""
MOST_RING_NATS = 4.0
"""Greatest log-odds that a missing ring gives against a checker, in nats; guess."""
RING_SEARCH_DIAMETERS = 0.2
"""How far from the checker's place its rings are looked for, in diameters; guess."""


def doubt_ringless(view: SceneView, image_bgr: Image, rows: CheckerRows, scores: FloatArray) -> FloatArray:
    """(2, 24, n) scores of rows, less where the innermost checker of a doubtful row shows no rings."""
    chances = np.exp(log_likelihoods(scores).max(axis=1))
    doubted = scores.copy()
    for place, count in enumerate(likeliest_counts(scores)):
        if 0 < abs(count) < FULL_ROW and chances[place] < CLOSER_LOOK_BELOW:
            innermost = scene_to_row(view, place, rows.centres(place, count)[-1:])[0]
            doubted[int(count < 0), place, abs(count) :] += _odds(view, image_bgr, place, innermost)
    return doubted


def _odds(view: SceneView, image_bgr: Image, place: int, row_xy: FloatArray) -> float:
    """Log-odds of a face at a place of the row against none, at most 0."""
    near = FaceStrip.around(view, place, row_xy, RING_SEARCH_DIAMETERS)
    score = max(float(ring_scores(near.grey(image_bgr)).max()), BARE_RING_SCORE)
    odds = ((score - BARE_RING_SCORE) ** 2 - (score - FACE_RING_SCORE) ** 2) / (2 * RING_SCORE_SPREAD**2)
    return float(np.clip(odds, -MOST_RING_NATS, 0.0))
