"""What changed on a full row since it was looked at: faces that moved, and became larger or smaller.

A checker laid on another one, or taken off it, changes its column and no other: it lies elsewhere by some
hundredths of its diameter, is seen farther from the camera's foot, and larger or smaller by some thousandths.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.geometry import FloatArray
from vision.read.face_sizes import FaceCut, FaceShift, compare_faces

LOG_SIZE_SPREAD = 0.007
"""How exactly a size is told at best, as a logarithm: a quarter of a pixel of a face forty pixels wide. No
two are turned quite alike."""
FOCUS_SPREAD = 0.01
"""How much larger all faces of a row are seen than before, for the focus or as the camera moved."""
DRIFT_SPREAD = 0.004
"""How much larger each face of a row is seen than the one before for the lens alone."""
ODD_SIZE_SHARE, ODD_SIZE_SPREAD = 0.1, 0.05
"""The share of sizes that are mistaken, for a face gleams or lies in a shadow, and how far off those are."""
STILL_FACE_MIXTURE = ((0.88, 0.012), (0.1, 0.03), (0.02, 0.08))
"""How much the middle of a face that was left alone differs, in diameters: by noise and bumps of the camera;
as another checker's shadow or rim falls on it; or because it was pushed. Shares and spreads."""
DISTURBED_SHARE, DISTURBED_SPREAD = 0.05, 0.15
"""How often a row was pushed about, or the camera, or is seen so badly that faces are found anywhere; and how
far off they are then."""
LAID_SPREAD = 0.06
"""How exactly checkers are laid on one another, in diameters."""
TOUCHED_DIAMETERS = 0.015
"""A face that is seen so much elsewhere, in diameters, was perhaps touched."""


@dataclass(frozen=True, kw_only=True)
class SeenRow:
    """The faces of a row of n, nearest the base first.

    xy: (n, 2) across the point and along it, in diameters. cuts: what they look like. down: 1 where the
    picture's downward is along the point, else -1. rise_xy, growth: (n, 2) and (n,) by how much farther and,
    as a logarithm, larger a face is seen when its checker lies one higher.
    """

    xy: FloatArray
    cuts: tuple[FaceCut, ...]
    down: int
    rise_xy: FloatArray
    growth: FloatArray

    @cached_property
    def _steps(self) -> tuple[FloatArray, FloatArray]:
        """(n - 1,) by how much larger each face is than the one before, and how exactly that is known."""
        pairs = zip(self.cuts[:-1], self.cuts[1:], strict=True)
        return _sizes([compare_faces(one, other) for one, other in pairs])

    def sizes_speak_for(self, higher: FloatArray) -> FloatArray:
        """(k,) log densities of the faces' sizes if they lie (k, n) checkers higher than the first layer."""
        steps, exact = self._steps
        return _sizes_fit(steps - np.diff(self.growth * higher, axis=1), exact, DRIFT_SPREAD)

    def keeping(self, before: "SeenRow") -> "SeenRow":
        """The same, but each face that looks as before just as it was before."""
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
    """(n,) by how much larger faces are seen, as a logarithm, and how exactly that is known."""
    exact = np.hypot([one.spread for one in shifts], LOG_SIZE_SPREAD)
    return np.array([one.log_size for one in shifts]), exact


def _sizes_fit(rest: FloatArray, exact: FloatArray, common_spread: float) -> FloatArray:
    """(...,) log densities of (..., n) deviations of sizes that share one more, and one of which may be odd.

    exact: (n,) their own spreads.
    """
    count = len(exact)
    said = []
    for odd in (None, *range(count)):
        covariance = common_spread**2 + np.diag(exact**2 + ODD_SIZE_SPREAD**2 * (np.arange(count) == odd))
        share = np.log(1 - ODD_SIZE_SHARE) if odd is None else np.log(ODD_SIZE_SHARE / count)
        fit = (rest @ np.linalg.inv(covariance) * rest).sum(axis=-1)
        said.append(share - 0.5 * (fit + np.linalg.slogdet(covariance)[1]))
    return np.asarray(np.logaddexp.reduce(said, axis=0))


def _in_plane(square: FloatArray, spread: float) -> FloatArray:
    """Log density of a place in the plane at a squared distance, but for a common factor."""
    return np.asarray(-0.5 * square / spread**2 - 2 * np.log(spread))
