"""Counts the checkers that lie on a full row, from where their faces are seen.

A checker on another one is seen a checker's height farther from the camera's foot. A checker that bridges two
others shows its whole face between them and hides part of theirs.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import hypot, pi, sqrt

import numpy as np
import numpy.typing as npt

from vision.appearance.checker_faces import FACE_SEARCH_DIAMETERS, STRIP_CHECKER_PX, FaceStrip
from vision.board_reading import MAX_COUNT
from vision.geometry import FloatArray, Map

FACE_STEP_DIAMETERS, LEAST_FACE_STEP_DIAMETERS = 1.03, 0.93
"""Usual and least distance of neighbours in a row, in diameters; guesses."""
BRIDGE_APART_DIAMETERS = 0.22
"""A bridging face lies at least this far from the centres of both neighbours, in diameters; guess."""
LEAST_CLEAR_SCORE = 0.35
"""The ring score of an uncovered face is never taken to be lower; guess."""
CLEAR_FACE_PERCENT = 75
"""Percentile of a row's ring scores that stands for an uncovered face; guess."""
CLEAR_SCORE_SPREAD, NO_FACE_SCORE, COVERED_FACE_SCORE = 0.08, (0.1, 0.12), (0.3, 0.15)
"""Ring scores: spread at uncovered faces; mean and spread where no face is, and at a partly covered face;
guesses."""
IMPOSSIBLE_NATS = -100.0
"""Log-odds, in nats, of numbers of checkers that were not looked for."""
MOST_FACE_NATS = 6.0
"""Greatest log-odds that one face may give, in nats; guess."""
LIES_SPREAD, PILED_SPREAD = 0.05, 0.05
"""Spread of checkers' places in a row, and on one another, in diameters; guesses."""
ROW_ASKEW_SPREAD, ROW_SLANT_SPREAD = 0.08, 0.02
"""Spread of a whole row's place across the point, and its growth with each checker, in diameters; guesses."""
FIRST_FACE_DIAMETERS, FIRST_FACE_SPREAD = 0.53, 0.08
"""Distance of the first checker's centre from the base, and its spread, in diameters; guesses."""
TOUCHING_SPREADS = (0.025, 0.06)
"""Spreads of the distance of two neighbours on one layer, below and above the usual one, in diameters. It is
seldom less than usual, because checkers are rigid; guesses."""
LOOSE_SHARES, LOOSE_REACH_DIAMETERS = (0.03, 0.15), 0.5
"""Shares of neighbours that seem much closer and that lie much farther, anywhere within so many diameters;
guesses."""
EACH_LAYER_NATS = 1.8
"""Prior log-odds against each further layer on a full row, in nats; guess."""
EACH_MORE_NATS = 0.4
"""Further prior log-odds against each checker on these layers, in nats; guess."""
FULL_ROW = 5
"""Checkers in a row before players begin a second layer; from common practice."""
ASIDE_PENALTY = 0.1
"""Taken from the ring score of a face that lies `FACE_SEARCH_DIAMETERS` from where the row has the checker,
because the foot of a checker is a ring too; guess."""


@dataclass(frozen=True, kw_only=True)
class RowFaces:
    """The faces found along one row, nearest the base first, in diameters.

    xy: (n, 2) across the point and along it. scores: (n,) their ring scores. between: (n - 1,) the best
    score of a face between each two.
    """

    xy: FloatArray
    scores: FloatArray
    between: FloatArray

    @property
    def clear(self) -> float:
        """The ring score of an uncovered face in this row."""
        return float(np.percentile(self.scores, CLEAR_FACE_PERCENT))

    @staticmethod
    def from_scores(strip: FaceStrip, scores: Map, expected_along: FloatArray) -> "RowFaces":
        """From the ring scores of a strip and where along it (n,) the row's checkers are expected."""
        faces = RowFaces._near(strip, scores, expected_along)
        if np.diff(faces.xy[:, 1]).min() < LEAST_FACE_STEP_DIAMETERS:
            return RowFaces._near(strip, scores, _neat(faces.xy[:, 1]))
        return faces

    @staticmethod
    def _near(strip: FaceStrip, scores: Map, expected_along: FloatArray) -> "RowFaces":
        best_across, best = scores.argmax(axis=1), scores.max(axis=1)
        at = np.array([_best_near(best, strip.along, along) for along in expected_along])
        xy = np.array([_refined(scores, row, int(best_across[row])) for row in at]) / STRIP_CHECKER_PX
        xy += np.array([strip.across[0], strip.along[0]])
        between = []
        for first, second in pairwise(xy[:, 1]):
            inside = (strip.along > first + BRIDGE_APART_DIAMETERS) & (
                strip.along < second - BRIDGE_APART_DIAMETERS
            )
            between.append(float(best[inside].max()) if inside.any() else -1.0)
        return RowFaces(xy=xy, scores=best[at].astype(np.float64), between=np.array(between))

    @cached_property
    def bridging(self) -> FloatArray:
        """(MAX_COUNT - n + 1,) log-odds of further checkers that lie between those of the row."""
        clear = max(float(np.median(self.scores)), LEAST_CLEAR_SCORE)
        face = _normal(self.between, clear, CLEAR_SCORE_SPREAD) - _normal(
            np.maximum(self.between, NO_FACE_SCORE[0]), *NO_FACE_SCORE
        )
        hidden = _normal(self.scores, *COVERED_FACE_SCORE) - _normal(
            np.minimum(self.scores, clear), clear, CLEAR_SCORE_SPREAD
        )
        face, hidden = (np.clip(odds, -MOST_FACE_NATS, MOST_FACE_NATS) for odds in (face, hidden))
        odds = np.full(MAX_COUNT - len(self.scores) + 1, IMPOSSIBLE_NATS)
        odds[0] = 0.0
        for more in range(1, len(face) + 1):
            for gaps in combinations(range(len(face)), more):
                covered = sorted({*gaps, *(gap + 1 for gap in gaps)})
                odds[more] = max(odds[more], float(face[list(gaps)].sum() + hidden[covered].sum()))
        return odds


def _neat(along: FloatArray) -> FloatArray:
    """(n,) where a row's checkers must lie, if some of the faces found are bridging checkers."""
    order = np.arange(len(along))
    return np.asarray(np.percentile(along - FACE_STEP_DIAMETERS * order, 25) + FACE_STEP_DIAMETERS * order)


def _best_near(best: Map, along: FloatArray, expected: float) -> int:
    away = np.abs(along - expected) / FACE_SEARCH_DIAMETERS
    return int(np.where(away <= 1, best - ASIDE_PENALTY * away**2, -away).argmax())


def _refined(scores: Map, row: int, column: int) -> tuple[float, float]:
    """(column, row) of a peak to a fraction of a pixel."""
    return column + _vertex(scores[row], column), row + _vertex(scores[:, column], row)


def _vertex(values: Map, at: int) -> float:
    """Offset of a parabola's vertex from the highest of three points, -0.5 to 0.5."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(value) for value in values[at - 1 : at + 2])
    bend = before - 2 * here + after
    return float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) if bend < 0 else 0.0


def log_odds_against_more(more: npt.NDArray[np.int64]) -> FloatArray:
    """Prior log-odds, in nats, against so many further checkers on a full row."""
    return np.asarray(EACH_LAYER_NATS * np.ceil(more / FULL_ROW) + EACH_MORE_NATS * more)


def log_odds_of_more(faces: RowFaces, rise_xy: FloatArray, by_size: FloatArray | float = 0.0) -> FloatArray:
    """(MAX_COUNT - n + 1,) log-odds of 0, 1, ... further checkers that lie on a row of n.

    rise_xy: (n, 2) how far across and along a face moves in the picture when its checker lies one higher.
    by_size: log densities of the faces' sizes for each number.
    """
    if faces.bridging.max() > 0:
        return faces.bridging
    piled = _lying(faces.xy, rise_xy, layers_if_piled(len(faces.xy))) + by_size
    return np.asarray(np.maximum(piled - piled[0], faces.bridging))


def layers_if_piled(count: int) -> FloatArray:
    """(k, count): the layers on each checker of a row when 0, 1, ... are piled on it from the base inward."""
    more = np.arange(MAX_COUNT - count + 1)
    return np.asarray((more[:, None] + count - 1 - np.arange(count)) // count, dtype=np.float64)


def _lying(xy: FloatArray, rise_xy: FloatArray, layers: FloatArray) -> FloatArray:
    """(k,) log density of where the faces are seen if they lie (k, n) checkers higher."""
    count = len(xy)
    order = np.arange(count)
    askew = ROW_ASKEW_SPREAD**2 + ROW_SLANT_SPREAD**2 * np.outer(order, order)
    gaps = np.diff(xy[:, 1])
    usual = float(np.median(gaps))
    total = np.zeros(len(layers))
    for case, upper in enumerate(layers):
        spread = askew + np.diag(LIES_SPREAD**2 + PILED_SPREAD**2 * upper)
        rest = xy[:, 0] - rise_xy[:, 0] * upper
        total[case] = -0.5 * (rest @ np.linalg.solve(spread, rest) + np.linalg.slogdet(spread)[1])
        total[case] += _normal(xy[0, 1], FIRST_FACE_DIAMETERS + rise_xy[0, 1] * upper[0], FIRST_FACE_SPREAD)
        for step in np.flatnonzero(np.diff(upper)):
            gap = float(gaps[step])
            total[case] += _normal(gap, usual - rise_xy[step, 1], hypot(LIES_SPREAD, PILED_SPREAD))
            total[case] -= _touching(gap, usual)
    return total


def _touching(gap: float, usual: float) -> float:
    """Log density of the distance of two neighbours on one layer: seldom much less than the usual one."""
    spread, loose = (TOUCHING_SPREADS[gap > usual], LOOSE_SHARES[gap > usual])
    close = 2 / sum(TOUCHING_SPREADS) * np.exp(-0.5 * ((gap - usual) / spread) ** 2)
    return float(np.log((1 - loose) * close + loose * sqrt(2 * pi) / LOOSE_REACH_DIAMETERS))


def _normal(value: float | FloatArray, mean: float | FloatArray, spread: float) -> FloatArray:
    """Log of the normal density, but for a factor that is the same for all."""
    return np.asarray(-0.5 * ((value - mean) / spread) ** 2 - np.log(spread))
