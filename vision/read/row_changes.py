"""Compares a full row with how it was seen before: faces that moved, and became larger or smaller.

A checker laid on another one, or taken off it, changes its own column and no other. Its face moves by a few
hundredths of a diameter away from the camera's foot, and its size changes by a few thousandths.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.geometry import FloatArray
from vision.read.face_sizes import FaceCut, FaceShift, compare_faces

LOG_SIZE_SPREAD = 0.007
"""Least spread of a measured log size: a quarter of a pixel of a face forty pixels wide; guess."""
FOCUS_SPREAD = 0.01
"""Spread of the log size that all faces of a row gain at once, by focus or a moved camera; guess."""
DRIFT_SPREAD = 0.004
"""Spread of the log size that each face gains over the one before it, by the lens alone; guess."""
ODD_SIZE_SHARE, ODD_SIZE_SPREAD = 0.1, 0.05
"""Probability that one size is wrong, because a face gleams or lies in shadow, and its spread then;
guesses."""
STILL_FACE_MIXTURE = ((0.88, 0.012), (0.1, 0.03), (0.02, 0.08))
"""Shares, and spreads in diameters, of how far a face that was left alone seems to move: by noise; by another
checker's shadow or rim; because it was pushed; guesses."""
DISTURBED_SHARE, DISTURBED_SPREAD = 0.05, 0.15
"""Probability that a whole row or the camera was pushed, or faces were found wrongly; and the spread of their
places then, in diameters; guesses."""
LAID_SPREAD = 0.06
"""Spread of a checker's place on another one, in diameters; guess."""
TOUCHED_DIAMETERS = 0.015
"""A face that is seen farther away than this, in diameters, may have been touched; guess."""


@dataclass(frozen=True, kw_only=True)
class SeenRow:
    """The faces of a row of n, nearest the base first.

    xy: (n, 2) across the point and along it, in diameters. cuts: what they look like. down: 1 where the
    picture's downward is along the point, else -1. rise_xy, growth: (n, 2) shift and (n,) log
    growth of a face in the picture when its checker lies one higher.
    """

    xy: FloatArray
    cuts: tuple[FaceCut, ...]
    down: int
    rise_xy: FloatArray
    growth: FloatArray

    @cached_property
    def _steps(self) -> tuple[FloatArray, FloatArray]:
        """(n - 1,) log growth of each face over the one before it, and its spread."""
        pairs = zip(self.cuts[:-1], self.cuts[1:], strict=True)
        return _sizes([compare_faces(one, other) for one, other in pairs])

    def size_log_densities(self, higher: FloatArray) -> FloatArray:
        """(k,) log densities of the faces' sizes if they lie (k, n) checkers higher than the first layer."""
        steps, exact = self._steps
        return _sizes_fit(steps - np.diff(self.growth * higher, axis=1), exact, DRIFT_SPREAD)

    def keeping(self, before: "SeenRow") -> "SeenRow":
        """The row with each unchanged face exactly as it was before."""
        same = [one.looks_like(other) for one, other in zip(before.cuts, self.cuts, strict=True)]
        cuts = (old if kept else new for old, new, kept in zip(before.cuts, self.cuts, same, strict=True))
        xy = np.where(np.array(same)[:, None], before.xy, self.xy)
        return replace(self, xy=xy, cuts=tuple(cuts))

    def is_touched(self, before: "SeenRow") -> bool:
        """Whether any of its faces is seen elsewhere than before."""
        away = self._away(before, self._shifts(before))
        return bool((np.linalg.norm(away, axis=1) > TOUCHED_DIAMETERS).any())

    def changes(self, before: "SeenRow", higher: FloatArray) -> FloatArray:
        """(k, k) log densities of how the row differs if its faces lay (k, n) checkers higher and now do."""
        shifts = self._shifts(before)
        size, exact = _sizes(shifts)
        away = self._away(before, shifts)
        raised = higher[None, :, :] - higher[:, None, :]
        far = ((away - raised[..., None] * self.rise_xy) ** 2).sum(axis=-1)
        laid = _in_plane(far, LAID_SPREAD)
        left = np.logaddexp.reduce(
            [np.log(share) + _in_plane(far, spread) for share, spread in STILL_FACE_MIXTURE]
        )
        places = np.where(raised == 0, left, laid).sum(axis=-1)
        orderly = places + _sizes_fit(size - raised * self.growth, exact, FOCUS_SPREAD)
        anywhere = _in_plane((away**2).sum(axis=-1), DISTURBED_SPREAD).sum()
        disturbed = (
            anywhere - 0.5 * ((size / ODD_SIZE_SPREAD) ** 2).sum() - len(size) * np.log(ODD_SIZE_SPREAD)
        )
        return np.asarray(
            np.logaddexp(np.log(1 - DISTURBED_SHARE) + orderly, np.log(DISTURBED_SHARE) + disturbed)
        )

    def _shifts(self, before: "SeenRow") -> list[FaceShift]:
        return [compare_faces(one, other) for one, other in zip(before.cuts, self.cuts, strict=True)]

    def _away(self, before: "SeenRow", shifts: list[FaceShift]) -> FloatArray:
        """(n, 2) how far from where they were the faces are seen, in diameters."""
        off = np.array([one.xy for one in shifts]) * [1, self.down]
        return np.asarray(self.xy - before.xy + off)


def _sizes(shifts: list[FaceShift]) -> tuple[FloatArray, FloatArray]:
    """(n,) log growth of each face, and its spread."""
    exact = np.hypot([one.spread for one in shifts], LOG_SIZE_SPREAD)
    return np.array([one.log_size for one in shifts]), exact


def _sizes_fit(rest: FloatArray, exact: FloatArray, common_spread: float) -> FloatArray:
    """(...,) log densities of (..., n) deviations of sizes: one shared, one each, and perhaps one odd.

    exact: (n,) their own spreads.
    """
    count = len(exact)
    cases = []
    for odd in (None, *range(count)):
        covariance = common_spread**2 + np.diag(exact**2 + ODD_SIZE_SPREAD**2 * (np.arange(count) == odd))
        share = np.log(1 - ODD_SIZE_SHARE) if odd is None else np.log(ODD_SIZE_SHARE / count)
        fit = (rest @ np.linalg.inv(covariance) * rest).sum(axis=-1)
        cases.append(share - 0.5 * (fit + np.linalg.slogdet(covariance)[1]))
    return np.asarray(np.logaddexp.reduce(cases, axis=0))


def _in_plane(square: FloatArray, spread: float) -> FloatArray:
    """Log density of a place in the plane at a squared distance, but for a common factor."""
    return np.asarray(-0.5 * square / spread**2 - 2 * np.log(spread))
