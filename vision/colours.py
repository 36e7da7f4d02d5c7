"""Tells the two sides' checkers apart by colours learnt from the picture itself."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

LEAST_SPREAD = 4.0
"""CIE L*a*b* units: checkers of one side are never taken to be more alike than this."""
LEAST_CONTRAST = 14.0
"""Two groups of colours closer than this are one side's checkers."""
MIDDLE_LIGHTNESS = 50.0
"""Where only one side's checkers are to be seen, brighter ones than this are taken to be light."""
ROUNDS = 25


@dataclass(frozen=True, kw_only=True)
class SideColours:
    """The mean L*a*b* colours of both sides, (3,) each, and the checkers' spread about them."""

    light: FloatArray
    dark: FloatArray
    spread: float

    def light_logit(self, lab: FloatArray) -> float:
        """The natural log odds that a checker of this colour is light."""
        to_light, to_dark = (float(np.hypot(*_pull(lab - c))) / self.spread for c in (self.light, self.dark))
        return float(np.clip((to_dark**2 - to_light**2) / 2, -12, 12))


def _pull(difference: FloatArray) -> tuple[float, float]:
    """Lightness and chroma apart; shadows and glare change lightness more than chroma."""
    return 0.7 * float(difference[0]), float(np.hypot(difference[1], difference[2]))


def learn_sides(labs: FloatArray, weights: FloatArray) -> SideColours | None:
    """The two groups in (N, 3) colours of checkers, weighted (N,); None without any checker.

    The brighter group is the light side. When there is one group only, the other side is put far away.
    """
    if len(labs) == 0:
        return None
    scaled = labs * np.array([0.7, 1.0, 1.0])
    best: tuple[float, npt.NDArray[np.bool_]] | None = None
    for axis in range(4):
        along = _axis(scaled, axis)
        apart = along > np.average(along, weights=weights)
        error, apart = _settle(scaled, weights, apart)
        if best is None or error < best[0]:
            best = error, apart
    assert best is not None
    group = best[1]
    if group.all() or not group.any():
        return _one_side(labs, weights)
    means = [np.average(labs[g], axis=0, weights=weights[g]) for g in (group, ~group)]
    if np.hypot(*_pull(means[0] - means[1])) < LEAST_CONTRAST:
        return _one_side(labs, weights)
    light, dark = sorted(means, key=lambda m: -m[0])
    spread = max(LEAST_SPREAD, float(np.sqrt(best[0] / 2)))
    return SideColours(light=light, dark=dark, spread=spread)


def _axis(scaled: FloatArray, axis: int) -> FloatArray:
    """The values along lightness, a*, b*, or the direction of the greatest spread."""
    if axis < 3:
        return np.asarray(scaled[:, axis])
    centred = scaled - scaled.mean(axis=0)
    direction: FloatArray = np.linalg.svd(centred, full_matrices=False)[2][0]
    return np.asarray(centred @ direction)


def _settle(
    scaled: FloatArray, weights: FloatArray, group: npt.NDArray[np.bool_]
) -> tuple[float, npt.NDArray[np.bool_]]:
    """Lloyd's two means from a first division: the mean squared error and the final division."""
    for _ in range(ROUNDS):
        if group.all() or not group.any():
            break
        means = [np.average(scaled[g], axis=0, weights=weights[g]) for g in (group, ~group)]
        errors = np.stack([((scaled - m) ** 2).sum(axis=1) for m in means])
        again = errors[0] < errors[1]
        if (again == group).all():
            return float(np.average(errors.min(axis=0), weights=weights)), group
        group = again
    return float(np.average(((scaled - scaled.mean(axis=0)) ** 2).sum(axis=1), weights=weights)), group


def _one_side(labs: FloatArray, weights: FloatArray) -> SideColours:
    mean = np.average(labs, axis=0, weights=weights)
    opposite = mean.copy()
    opposite[0] = mean[0] - 60 if mean[0] > MIDDLE_LIGHTNESS else mean[0] + 60
    light, dark = sorted([mean, opposite], key=lambda m: -m[0])
    return SideColours(light=light, dark=dark, spread=2 * LEAST_SPREAD)
