"""The field that fits best to where its corners and the ends of its bar's edges were seen."""

from dataclasses import replace

import numpy as np

from vision.geometry import UNIT_SQUARE, BoardGeometry, Corners, FloatArray

CORNER_SPREAD, END_SPREAD = 0.008, 0.004
"""Standard deviations of where a corner and a bar's end are seen, in field widths; guesses."""
UNEVEN_SPREAD = 0.003
"""Standard deviation of the bar's middle from the field's, in field widths; guess."""
LENS_SPREAD = 0.025
"""Standard deviation of the lenses' bend; guess."""
ROUNDS = 5
"""Rounds of Gauss and Newton; guess."""
CHANGE = 1e-5
"""By which a number is changed to see what depends on it."""


def fitted(told: BoardGeometry, spots_px: FloatArray, uneven_spread: float = UNEVEN_SPREAD) -> BoardGeometry:
    """The likeliest field, bar and lens by least squares (Gauss-Newton): all eight spots tell of each corner.

    told: where it lies about. spots_px: (8, 2) of its corners and the bar's ends, each clockwise from the top
    left. uneven_spread: inf where its halves need not be alike. Raises GeometryError where there is no such
    field.
    """
    wide = float(np.linalg.norm(spots_px[1] - spots_px[0]))
    along = told.with_corners(spots_px[:4]).to_field(spots_px[4:])[:, 0]
    unknown = np.concatenate([spots_px[:4].ravel() / wide, [along[[0, 3]].mean(), along[[1, 2]].mean(), 0.0]])
    for _ in range(ROUNDS):
        off = _misfit(told, unknown, spots_px, wide, uneven_spread)
        slopes = [
            (_misfit(told, unknown + change, spots_px, wide, uneven_spread) - off) / CHANGE
            for change in CHANGE * np.eye(len(unknown))
        ]
        unknown = unknown - np.linalg.lstsq(np.stack(slopes, axis=1), off, rcond=None)[0]
    return _geometry(told, unknown, wide)


def _geometry(told: BoardGeometry, unknown: FloatArray, wide: float) -> BoardGeometry:
    one, two, three, four = ((float(x), float(y)) for x, y in unknown[:8].reshape(4, 2) * wide)
    corners: Corners = (one, two, three, four)
    left, right = sorted((float(unknown[8]), float(unknown[9])))
    return replace(told, corners_px=corners, bar=(left, right), distortion=float(unknown[10]))


def _misfit(
    told: BoardGeometry, unknown: FloatArray, spots_px: FloatArray, wide: float, uneven_spread: float
) -> FloatArray:
    """(18,) how far everything is from where it should be, in standard deviations."""
    geometry = _geometry(told, unknown, wide)
    left, right = geometry.bar
    ends = np.array([(left, 0), (right, 0), (right, 1), (left, 1)])
    off = (geometry.to_px(np.concatenate([UNIT_SQUARE, ends])) - spots_px) / wide
    spreads = np.repeat([CORNER_SPREAD, END_SPREAD], 4)[:, None]
    priors = [(left + right - 1) / 2 / uneven_spread, geometry.distortion / LENS_SPREAD]
    return np.concatenate([(off / spreads).ravel(), priors])
