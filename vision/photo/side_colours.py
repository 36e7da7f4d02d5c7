"""Tells the two sides apart by the colours of the checkers' faces in one photograph.

The networks take the brighter checkers for the light side, place by place. Red and green may be equally
bright: then only the board as a whole shows that there are two colours.
"""

from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_reading import N_POINTS
from vision.geometry import BoardGeometry, FloatArray, Image
from vision.networks.place_reader import Counts

IN_A_ROW = 3
"""Checkers of a stack whose faces are looked at, from the base inwards; guess."""
FACE_SHARE = 0.25
"""Reach of the patch that is looked at from a face's middle, in diameters; guess."""
LEAST_APART = 12.0
"""Two groups of faces are two colours from this distance in CIE L*a*b* on; guess."""
MOST_SPREAD = 0.25
"""Root mean square distance of faces from their group's mean over the distance of the means; guess."""
SETTLING_ROUNDS = 4
"""Rounds in which faces join the group whose mean colour is nearer; guess."""


def with_sides_by_colour(counts: Counts, image_bgr: Image, geometry: BoardGeometry) -> Counts:
    """(26, 2) light and dark checkers with each place's checkers on the side that its colour belongs to.

    The group that is lighter becomes the light side. Where fewer than two colours can be told apart, and on
    places of both sides, the counts stay as they are.
    """
    places = [place for place in range(N_POINTS) if (counts[place] > 0).sum() == 1]
    if len(places) < 2:
        return counts
    faces = np.stack([_face_lab(place, int(counts[place].sum()), image_bgr, geometry) for place in places])
    light = _light_group(faces, counts[places].sum(axis=1))
    if light is None:
        return counts
    told = counts.copy()
    for place, is_light in zip(places, light, strict=True):
        many = counts[place].sum()
        told[place] = (many, 0) if is_light else (0, many)
    return told


def _face_lab(place: int, count: int, image_bgr: Image, geometry: BoardGeometry) -> FloatArray:
    """(3,): median L*a*b* of the faces of a neat stack."""
    height, width = image_bgr.shape[:2]
    middles = np.array([geometry.checker_xy(place, index) for index in range(min(count, IN_A_ROW))])
    steps = np.linspace(-FACE_SHARE, FACE_SHARE, 5) * geometry.diameter
    around = np.stack(np.meshgrid(steps, steps / geometry.height), axis=-1).reshape(-1, 2)
    spots = geometry.to_px((middles[:, None] + around).reshape(-1, 2), geometry.top_height)
    columns, rows = np.rint(spots).astype(int).clip(0, (width - 1, height - 1)).T
    patch = image_bgr[rows, columns].reshape(1, -1, 3).astype(np.float32) / 255
    return np.asarray(np.median(cv2.cvtColor(patch, cv2.COLOR_BGR2LAB)[0], axis=0), dtype=np.float64)


def _light_group(faces: FloatArray, weights: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_] | None:
    """Which of (N, 3) faces belong to the lighter of two colours; None when they are one colour."""
    best, least = None, np.inf
    for pair in combinations(range(len(faces)), 2):
        means = faces[list(pair)]
        for _ in range(SETTLING_ROUNDS):
            apart = np.linalg.norm(faces[:, None] - means, axis=2)
            first = apart[:, 0] <= apart[:, 1]
            if first.all() or not first.any():
                break
            means = np.stack(
                [np.average(faces[group], axis=0, weights=weights[group]) for group in (first, ~first)]
            )
        spread = float((weights * apart.min(axis=1) ** 2).sum())
        if spread < least and first.any() and not first.all():
            best, least = (first, means), spread
    if best is None:
        return None
    between = float(np.linalg.norm(best[1][0] - best[1][1]))
    if between < LEAST_APART or np.sqrt(least / weights.sum()) > MOST_SPREAD * between:
        return None
    first, means = best
    return np.asarray(first if means[0][0] > means[1][0] else ~first)
