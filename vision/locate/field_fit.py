"""The field that fits best to where its corners and the ends of its bar's edges were seen."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.geometry import UNIT_SQUARE, BoardGeometry, Corners, FloatArray

CORNER_SPREAD, END_SPREAD = 0.008, 0.004
"""Standard deviations of where a corner and a bar's end are seen, in field widths; guesses."""
UNEVEN_SPREAD = 0.003
"""Standard deviation of the bar's middle from the field's, in field widths; guess."""
TOLD_SPREAD, FAR_SPREAD, FAR_SHARE = 0.02, 0.06, 0.2
"""Standard deviations of where a spot was told to lie, in field widths: of most, and of those told badly,
with their share. Of three sets of guesses the best on 49 rendered boards and 31 photographs."""
NOT_SEEN = 0.05
"""Probability that a spot is seen at none of its places, because something covers it; guess."""
LEAST_LIKELIHOOD = 1e-6
"""No place is taken to be less likely. Places that together are so much less likely than the likeliest are
not tried. Guess."""
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
    wide, unknown = _first_guess(told, spots_px)
    for _ in range(ROUNDS):
        off, slopes = _linear(told, unknown, spots_px, wide, uneven_spread)
        unknown = unknown - np.linalg.lstsq(slopes, off, rcond=None)[0]
    return _geometry(told, unknown, wide)


def likeliest_spots(
    told: BoardGeometry, spots_px: FloatArray, places_px: FloatArray, likely: FloatArray
) -> FloatArray:
    """(8, 2): of the places at which each spot was seen, those that together make the likeliest field.

    told, spots_px: where the field and its spots were told to lie, as in `fitted`; a place far from there
    is less likely. places_px: (8, K, 2); likely: (8, K) of each. A spot that is seen at none of its places
    is put where the field has it. The field is taken to change in proportion to its spots, which holds
    while they move by little. Raises GeometryError where there is no such field.
    """
    wide, unknown = _first_guess(told, spots_px)
    off, slopes = _linear(told, unknown, spots_px, wide, np.inf)
    spread = np.repeat([CORNER_SPREAD, END_SPREAD], 4)[:, None]
    ways = np.concatenate([spots_px[:, None], places_px], axis=1)
    closer = np.concatenate([spread / TOLD_SPREAD, np.ones_like(likely)], axis=1)
    nats = np.log(np.maximum(np.insert((1 - NOT_SEEN) * likely, 0, NOT_SEEN, axis=1), LEAST_LIKELIHOOD))
    nats += 2 * np.log(closer) + _told_nats(np.linalg.norm(ways - spots_px[:, None], axis=2) / wide)
    tried, spots = _tried(nats), np.arange(len(ways))
    offs = (ways - spots_px[:, None]) / wide / spread[:, None]
    moves, misfits = _fits(off, slopes, offs[spots, tried], closer[spots, tried] ** 2)
    best = int((nats[spots, tried].sum(axis=1) - misfits / 2).argmax())
    left = (off[: 2 * len(ways)] + slopes[: 2 * len(ways)] @ moves[best]).reshape(ways[:, 0].shape)
    unseen = tried[best] == 0
    return np.asarray(np.where(unseen[:, None], spots_px + left * spread * wide, ways[spots, tried[best]]))


def _fits(
    off: FloatArray, slopes: FloatArray, offs: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """(M, 11) how what is unknown changes for each of M fields to fit best, and (M,) what misfit is left.

    off, slopes: as `_linear` gives them for the spots as told. offs: (M, 8, 2) how far each spot lies from
    there instead, in its standard deviations. weights: (M, 8) of each spot.
    """
    n_rows = 2 * offs.shape[1]
    of_spots, of_priors = slopes[:n_rows].reshape(-1, 2, slopes.shape[1]), slopes[n_rows:]
    offs = off[:n_rows].reshape(-1, 2) - offs
    squares = np.einsum("ms,sri,srj->mij", weights, of_spots, of_spots, optimize=True)
    pulls = np.einsum("ms,msr,sri->mi", weights, offs, of_spots, optimize=True) + off[n_rows:] @ of_priors
    moves = -np.linalg.solve(squares + of_priors.T @ of_priors, pulls[..., None])[..., 0]
    misfits = np.einsum("ms,msr->m", weights, offs**2) + (moves * pulls).sum(axis=1)
    return moves, misfits


def _told_nats(away: FloatArray) -> FloatArray:
    """Log-likelihood of a spot lying so far from where it was told, in field widths."""
    shares, spreads = np.array([1 - FAR_SHARE, FAR_SHARE]), np.array([TOLD_SPREAD, FAR_SPREAD])
    peaks = np.log(shares / spreads**2)
    nats = peaks - (away[..., None] / spreads) ** 2 / 2
    return np.asarray(np.logaddexp.reduce(nats, axis=-1) - np.logaddexp.reduce(peaks))


def _tried(nats: FloatArray) -> npt.NDArray[np.int64]:
    """(M, 8) which ways (8, K) of all spots are tried together: all that are not far less likely."""
    tried, total = np.zeros((1, 0), dtype=np.int64), np.zeros(1)
    for of_spot in nats - nats.max(axis=1, keepdims=True):
        both = (total[:, None] + of_spot).ravel()
        kept = np.flatnonzero(both >= np.log(LEAST_LIKELIHOOD))
        before, way = np.divmod(kept, len(of_spot))
        tried, total = np.concatenate([tried[before], way[:, None]], axis=1), both[kept]
    return tried


def _first_guess(told: BoardGeometry, spots_px: FloatArray) -> tuple[float, FloatArray]:
    """The field's width in pixels, and (11,) what is unknown of it: corners, the bar's edges, the lens."""
    wide = float(np.linalg.norm(spots_px[1] - spots_px[0]))
    along = told.with_corners(spots_px[:4]).to_field(spots_px[4:])[:, 0]
    bar = [along[[0, 3]].mean(), along[[1, 2]].mean()]
    return wide, np.concatenate([spots_px[:4].ravel() / wide, bar, [0.0]])


def _linear(
    told: BoardGeometry, unknown: FloatArray, spots_px: FloatArray, wide: float, uneven_spread: float
) -> tuple[FloatArray, FloatArray]:
    """(18,) the misfit, and (18, 11) how it changes with what is unknown."""
    off = _misfit(told, unknown, spots_px, wide, uneven_spread)
    slopes = [
        (_misfit(told, unknown + change, spots_px, wide, uneven_spread) - off) / CHANGE
        for change in CHANGE * np.eye(len(unknown))
    ]
    return off, np.stack(slopes, axis=1)


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
