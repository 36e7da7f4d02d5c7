"""Tells the two sides apart by the colours of the checkers' faces in one picture.

The networks take the brighter checkers for the light side, place by place. Red and green may be equally
bright: then only the whole board shows that there are two colours. The networks are least sure of the side on
the bar; there a checker has the colour of one of the sides on the points.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_reading import N_POINTS
from vision.geometry import BoardGeometry, FloatArray, Image
from vision.networks.place_reader import MOST, Counts, PlaceReading, held_by, most_likely, sides_of
from vision.networks.strips import BEYOND_BASE, Strips, px_in_bar_strip

LIGHT_CLASSES, DARK_CLASSES = slice(1, MOST + 1), slice(MOST + 1, 2 * MOST + 1)
FACES_LOOKED_AT = 3
"""Most checkers of a stack whose faces are sampled, from the base inwards; guess."""
FACE_SHARE = 0.25
"""Half the width of the patch that is sampled about a face's middle, in diameters; guess."""
FACE_DEVIATIONS = (24.0, 12.0, 12.0)
"""Standard deviations of a face's colour from its side's colour in CIE L*, a* and b*: lightness varies most;
guesses."""
SIDE_KNOWN_FROM = 0.9
"""Probability of one side above which a place's checkers show that side's colour; guess."""
ON_BAR_FROM = 0.1
"""Probability that a half of the bar is not bare above which its colour is examined; guess."""
NEITHER_SHARE = 0.05
"""Likelihood of a colour that is neither side's, such as that of a lamp or a reflection; guess."""
ASIDE_OF_BAR = 0.1
"""Largest distance of a checker on a narrow bar from its middle, in diameters; guess. Those farther off lie
on the neighbouring points."""
PATCH_SHARE = 0.5
"""Width and height of a patch that is sampled on the bar, in diameters; guess."""
CHANGED_MOST = 0.9
"""Patches are used that changed at least by this share of the greatest change. Chosen on rendered games: a
lamp may change the bar more than a checker."""
LEAST_SIDE = 0.002
"""Least probability of either side on an occupied place: the networks may be sure and wrong; guess."""
EQUALLY_BRIGHT = 8.0
"""Two sides count as equally bright while their L* differ by less; guess."""
NEARLY_AS_BRIGHT = 20.0
"""Two sides are nearly equally bright while their L* differ by less; guess."""
LEAST_CHROMA = 20.0
"""Chroma in CIE L*a*b* from which a colour has a hue; guess."""
UNIQUE_HUES = (90.0, 164.0, 24.0, 246.0)
"""Hue angles of yellow, green, red and blue in CIE L*a*b*, in degrees, the brightest pure colour first;
guesses."""
HUE_REACH = 45.0
"""A hue farther than this from each of them, in degrees, is none of them, as violet; guess."""
SETTLING_ROUNDS = 4
"""Iterations in which each place joins its likelier side; guess."""


def with_sides_by_colour(said: PlaceReading, image_bgr: Image, geometry: BoardGeometry) -> PlaceReading:
    """The reading with each point's side decided by the networks and its faces' colours; counts unchanged.

    The lighter colour is the light side; of two equally bright ones, yellow comes before green, green before
    red, and red before blue; violet is none of these. On the bar and on places of both sides the networks
    alone decide.
    """
    places = _held_by_one_side(most_likely(said))
    if not places:
        return said
    sides = sides_of(said)
    sides[places] = _sides(*_sorted_faces(said, places, image_bgr, geometry))
    return _with_sides(said, sides)


def with_doubtful_sides_by_colour(
    said: PlaceReading, image_bgr: Image, geometry: BoardGeometry
) -> PlaceReading:
    """The reading of a learnt board with the side on each doubtful point decided by the networks and colours.

    All points together say which colour each side has. Counts and points with a sure side are unchanged.
    """
    places = _held_by_one_side(most_likely(said))
    sides = sides_of(said)
    doubtful = sides[places].max(axis=1) < SIDE_KNOWN_FROM
    if not doubtful.any():
        return said
    faces, held, costs = _sorted_faces(said, places, image_bgr, geometry)
    light = costs[:, 0] <= costs[:, 1]
    if light.all() or not light.any():
        return said
    fit = likeness(faces[doubtful], _means(faces, held, light)) + NEITHER_SHARE
    changed = np.array(places)[doubtful].tolist()
    weighed = sides[changed] * fit
    sides[changed] = weighed / weighed.sum(axis=1, keepdims=True)
    return _with_sides(said, sides, changed)


def with_bar_sides_by_colour(
    said: PlaceReading, image_bgr: Image, geometry: BoardGeometry, strips: Strips, bare: Strips
) -> PlaceReading:
    """The reading with the side on each half of the bar decided by the networks and by colour.

    strips, bare: (2, H, W, 3) the halves of the bar in this picture, and in one in which they were bare.
    """
    halves = [half for half in (0, 1) if said.probabilities[N_POINTS + half, 0] < 1 - ON_BAR_FROM]
    colours = colours_of_sides(said, image_bgr, geometry) if halves else None
    if colours is None:
        return said
    sides = sides_of(said)
    for half in halves:
        patches = _newcomers_lab(strips[half], bare[half], geometry)
        fit = likeness(patches, colours).max(axis=0)
        sides[N_POINTS + half] = np.maximum(sides[N_POINTS + half], LEAST_SIDE) * (fit + NEITHER_SHARE)
    places = [N_POINTS + half for half in halves]
    return _with_sides(said, sides / sides.sum(axis=1, keepdims=True), places)


def colours_of_sides(said: PlaceReading, image_bgr: Image, geometry: BoardGeometry) -> FloatArray | None:
    """(2, 3) L*a*b* of the light and the dark side's checkers on the points; None unless both are seen.

    How many lie on a point need not be known.
    """
    counts = most_likely(said)
    sureness = held_by(said).max(axis=1)
    places = [place for place in _held_by_one_side(counts) if sureness[place] > SIDE_KNOWN_FROM]
    is_light = counts[places, 0] > 0
    if is_light.all() or not is_light.any():
        return None
    faces = _faces_lab(places, counts, image_bgr, geometry)
    return np.stack([np.median(faces[group], axis=0) for group in (is_light, ~is_light)])


def are_nearly_equally_bright(counts: Counts, image_bgr: Image, geometry: BoardGeometry) -> bool:
    """Whether people may call the other side the light one. counts: (26, 2) checkers of the sides."""
    places = _held_by_one_side(counts)
    lightness = _faces_lab(places, counts, image_bgr, geometry)[:, 0]
    is_light = counts[places, 0] > 0
    return bool(abs(np.median(lightness[is_light]) - np.median(lightness[~is_light])) < NEARLY_AS_BRIGHT)


def likeness(faces: FloatArray, colours: FloatArray) -> FloatArray:
    """(N, 2) likeness of N colours (N, 3) to those of both sides (2, 3), all L*a*b*; 1 for equal colours."""
    unlike = (((faces[:, None] - colours) / FACE_DEVIATIONS) ** 2).sum(axis=2)
    return np.asarray(np.exp(-unlike / 2), dtype=np.float64)


def _newcomers_lab(strip: Image, bare: Image, geometry: BoardGeometry) -> FloatArray:
    """(N, 3): mean L*a*b* of the patches near the bar's middle that differ most from the bare strip."""
    now, then = (cv2.cvtColor(one.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) for one in (strip, bare))
    change = now - then
    apart = np.linalg.norm(change - np.median(change, axis=(0, 1)), axis=2)
    height, width = apart.shape
    across, along = px_in_bar_strip(geometry.diameter, geometry.diameter / geometry.height, geometry)
    patch = max(1, round(PATCH_SHARE * across)), max(1, round(PATCH_SHARE * along))
    bar, half = px_in_bar_strip(geometry.bar[1] - geometry.bar[0], BEYOND_BASE + 0.5, geometry)
    aside = round(min(width / 4, max(ASIDE_OF_BAR * across, (bar - across) / 2)))
    middle = slice(width // 2 - aside, width // 2 + aside + 1)
    changed, faces = (cv2.blur(one, patch)[:, middle] for one in (apart, now))
    # The far end of a strip shows the other half of the bar and its checkers.
    changed[: max(0, height - round(half))] = 0
    return np.asarray(faces[changed >= CHANGED_MOST * changed.max()], dtype=np.float64)


def with_mean_sides(said: PlaceReading, other: PlaceReading) -> PlaceReading:
    """The first reading with the sides by the geometric mean of both readings; counts unchanged."""
    one, two = (np.maximum(sides_of(reading), LEAST_SIDE) for reading in (said, other))
    mean = np.sqrt(one * two)
    return _with_sides(said, mean / mean.sum(axis=1, keepdims=True))


def _with_sides(
    said: PlaceReading, sides: npt.NDArray[np.floating], places: list[int] | slice = slice(None)
) -> PlaceReading:
    """The reading with other probabilities (26, 2) of the sides on these places; counts unchanged."""
    probabilities = said.probabilities.copy()
    rows = probabilities[places]
    by_count = rows[:, LIGHT_CLASSES] + rows[:, DARK_CLASSES]
    rows[:, LIGHT_CLASSES], rows[:, DARK_CLASSES] = sides[places, :1] * by_count, sides[places, 1:] * by_count
    probabilities[places] = rows
    return replace(said, probabilities=probabilities)


def first_is_light(one: FloatArray, other: FloatArray) -> bool:
    """Whether the first of two sides' colours, L*a*b*, is that of the light side."""
    coloured = np.linalg.norm([one[1:], other[1:]], axis=1).min() >= LEAST_CHROMA
    if coloured and abs(one[0] - other[0]) < EQUALLY_BRIGHT:
        first, second = _hue_rank(one), _hue_rank(other)
        if first is not None and second is not None and first != second:
            return first < second
    return bool(one[0] > other[0])


def _held_by_one_side(counts: Counts) -> list[int]:
    """The points with checkers of one side only, from (26, 2) counts of the sides."""
    return [place for place in range(N_POINTS) if (counts[place] > 0).sum() == 1]


def _faces_lab(places: list[int], counts: Counts, image_bgr: Image, geometry: BoardGeometry) -> FloatArray:
    """(N, 3): median L*a*b* of the faces on each of these places, taken as a neat stack."""
    middles = [
        np.array([geometry.checker_xy(place, index) for index in range(min(count, FACES_LOOKED_AT))])
        for place, count in zip(places, counts[places].sum(axis=1).tolist(), strict=True)
    ]
    return medians_lab(middles, image_bgr, geometry)


def medians_lab(middles: Sequence[FloatArray], image_bgr: Image, geometry: BoardGeometry) -> FloatArray:
    """(N, 3): median L*a*b* of N groups of faces.

    middles: the field coordinates of the checkers of each group, N times (K, 2).
    """
    height, width = image_bgr.shape[:2]
    steps = np.linspace(-FACE_SHARE, FACE_SHARE, 5) * geometry.diameter
    around = np.stack(np.meshgrid(steps, steps / geometry.height), axis=-1).reshape(-1, 2)
    spots = geometry.to_px((np.concatenate(middles)[:, None] + around).reshape(-1, 2), geometry.top_height)
    columns, rows = np.rint(spots).astype(int).clip(0, (width - 1, height - 1)).T
    patch = image_bgr[rows, columns].reshape(1, -1, 3).astype(np.float32) / 255
    ends = np.cumsum([len(one) * len(around) for one in middles])
    faces = np.split(cv2.cvtColor(patch, cv2.COLOR_BGR2LAB)[0], ends[:-1])
    return np.array([np.median(face, axis=0) for face in faces], dtype=np.float64)


def _sorted_faces(
    said: PlaceReading, places: list[int], image_bgr: Image, geometry: BoardGeometry
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The faces on N places that one side holds, sorted into two sides.

    Gives (N, 3) the faces' L*a*b*, (N,) the probability that each place is not bare, and (N, 2) the costs of
    joining the light and the dark side; see `_costs`.
    """
    faces = _faces_lab(places, most_likely(said), image_bgr, geometry)
    held = 1 - said.probabilities[places, 0].astype(np.float64)
    return faces, held, _costs(faces, held, np.log(np.maximum(sides_of(said)[places], LEAST_SIDE)))


def _sides(faces: FloatArray, weights: FloatArray, costs: FloatArray) -> FloatArray:
    """(N, 2) probabilities that places hold the light and the dark side's checkers; see `_sorted_faces`."""
    light = costs[:, 0] <= costs[:, 1]
    if light.any() and not light.all() and not first_is_light(*_means(faces, weights, light)):
        costs = costs[:, ::-1]
    sides = np.maximum(np.exp(costs.min(axis=1, keepdims=True) - costs), LEAST_SIDE)
    return np.asarray(sides / sides.sum(axis=1, keepdims=True))


def _costs(faces: FloatArray, weights: FloatArray, said: FloatArray) -> FloatArray:
    """(N, 2) costs in nats of places that join the light and the dark side.

    Clusters the colours into two sides from several starts, and takes the result with the least cost. faces:
    (N, 3) L*a*b*. weights: (N,) of the places. said: (N, 2) logarithms of the sides' probabilities.
    """
    pairs = np.array([*permutations(range(len(faces)), 2)], dtype=np.int64).reshape(-1, 2)
    alike = np.tile(np.average(faces, axis=0, weights=weights), (1, 2, 1))
    means = np.concatenate([alike, faces[pairs]])
    for _ in range(SETTLING_ROUNDS):
        costs = (((faces[:, None] - means[:, None]) / FACE_DEVIATIONS) ** 2).sum(axis=3) / 2 - said
        first = costs[..., 0] <= costs[..., 1]
        of_one_side = first.all(axis=1) | ~first.any(axis=1)
        means = np.where(of_one_side[:, None, None], means, _means(faces, weights, first))
    totals = (weights * costs.min(axis=2)).sum(axis=1)
    return np.asarray(costs[totals.argmin()])


def _means(faces: FloatArray, weights: FloatArray, first: npt.NDArray[np.bool_]) -> FloatArray:
    """(..., 2, 3) mean colours of both sides' faces; black for a side without any.

    first: (..., N) whether each face is of the first side.
    """
    shares = weights * np.stack([first, ~first], axis=-2)
    return np.asarray(shares @ faces / np.maximum(shares.sum(axis=-1, keepdims=True), 1e-12))


def _hue_rank(lab: FloatArray) -> int | None:
    """Index of the nearest hue in UNIQUE_HUES; None where none is near."""
    angle = np.degrees(np.arctan2(lab[2], lab[1]))
    apart = [abs((angle - hue + 180) % 360 - 180) for hue in UNIQUE_HUES]
    return int(np.argmin(apart)) if min(apart) < HUE_REACH else None
