"""Learns how both sides' checkers look, from one scene whose position is known."""

from dataclasses import replace

import cv2
import numpy as np

from vision.appearance.checker_looks import (
    FACE_MASK,
    CheckerLook,
    CheckerShape,
    SceneEvidence,
    draw_discs,
    edges_of,
    face_at,
    face_evidence,
    mean_face,
    pixel_evidence,
    weigh_scene,
)
from vision.appearance.light_change import LightChange
from vision.appearance.pixel_evidence import ColourModel, EmptyBoard
from vision.appearance.scene import SceneImage, SceneView
from vision.appearance.stack_rows import CheckerRows, PlaceCounts, RowFinder, log_likelihoods
from vision.appearance.upper_layers import FULL_ROW
from vision.board_reading import MAX_COUNT, N_POINTS
from vision.geometry import FloatArray, Mask

LEAST_AGREEING = 23
"""Places (of 24) that must read as furnished before a picture counts as showing the position; guess."""
MOST_STRAYS = 3
"""Checkers that may look unlike the others of their side (glare, shadow, a finger); guess."""
OUTLIER_FACTOR = 3.0
"""A checker is a stray when it differs this many times as much as the median of its side; guess."""
STRAY_SHARE = 0.4
"""A checker is a stray only when it differs by this share of the sides' distance; guess."""
FIRST_COLOUR_DIAMETERS, COLOUR_DIAMETERS = 0.34, 0.45
"""Radius of the discs from which colours are learnt, first at the neat places and then at the faces found, in
diameters; guesses."""
CENTRE_DIAMETERS = 0.25
"""Pixels within this distance of a checker's centre are not "everything else", in diameters; guess."""
LOOK_ROUNDS = 2
"""Rounds in which places and colours are learnt in turn; guess."""
LOG_OFFSET_LEVELS = 10.0
"""Grey levels added before the logarithm of brightness is taken, so that black is finite; guess."""
USUAL_UNEVENNESS = 0.1
"""Spread of the log brightness of one side's checkers in even light; guess."""
EVENING_ROUNDS = 5
"""Rounds of the robust fit of the light over the board; guess."""
MOST_FALLOFF = 0.4
"""Bound on the fitted light fall-off, in log brightness (a factor of two thirds to one and a half); guess."""
LEAST_APART_LEVELS = 40.0
"""The sides' colours are never taken to be closer than this, in levels; guess."""
WANTED_NATS, MOST_ALLOWANCE_NATS = 5.0, 8.0
"""Nats that each furnished checker should have in its favour, and the most that is added to get there;
guesses."""
MOST_DARKER_LEVELS = 25.0
"""Light checkers darker than the dark ones by more levels than this belong to the other side; guess."""


def read_counts(rows: CheckerRows) -> PlaceCounts:
    """The likeliest count of each place, light positive."""
    return tuple(int(n) - MAX_COUNT for n in log_likelihoods(rows.scores).argmax(axis=1))


def learn_looks(
    view: SceneView, scene: SceneImage, empty: EmptyBoard, counts: PlaceCounts
) -> tuple[EmptyBoard, tuple[CheckerLook, CheckerLook]] | None:
    """The board with its light, and how both sides look, from a scene furnished as `counts` says.

    None when the scene does not read back as these counts.
    """
    finder = RowFinder(view=view)
    light = neat_discs(view, tuple(max(count, 0) for count in counts), FIRST_COLOUR_DIAMETERS)
    dark = neat_discs(view, tuple(min(count, 0) for count in counts), FIRST_COLOUR_DIAMETERS)
    colours = (ColourModel.from_pixels(scene[light]), ColourModel.from_pixels(scene[dark]))
    for _ in range(LOOK_ROUNDS):
        pixels, _fits = pixel_evidence(scene, empty, colours)
        centres = _centres(finder.find(face_evidence(pixels)), counts)
        empty = replace(empty, evening=_evening(scene, centres))
        even = empty.evenly_lit(scene)
        colours = (_colour(even, centres[0]), _colour(even, centres[1]))
    if _strays(even, centres) > MOST_STRAYS:
        return None
    looks = _looks(scene, colours, centres)
    if float(looks[0].face.mean() - looks[1].face.mean()) < -MOST_DARKER_LEVELS:
        return None
    seen = weigh_scene(scene, empty, looks, LightChange.unchanged(scene))
    looks = _with_allowances(looks, seen, finder.find_in(seen), centres, counts)
    rows = finder.find_in(weigh_scene(scene, empty, looks, LightChange.unchanged(scene)))
    return (empty, looks) if _reads_as(read_counts(rows), counts) else None


def _reads_as(seen: PlaceCounts, counts: PlaceCounts) -> bool:
    """Whether a board reads as it is furnished.

    Where checkers look like the board, full rows may seem to have one more if all else is right: no play adds
    a checker and moves none.
    """
    agreeing = sum(one == other for one, other in zip(seen, counts, strict=True))
    longer = (
        abs(other) == FULL_ROW and one == other + np.sign(other)
        for one, other in zip(seen, counts, strict=True)
    )
    return agreeing >= LEAST_AGREEING or agreeing + sum(longer) == N_POINTS


def _with_allowances(
    looks: tuple[CheckerLook, CheckerLook],
    seen: SceneEvidence,
    rows: CheckerRows,
    centres: tuple[FloatArray, FloatArray],
    counts: PlaceCounts,
) -> tuple[CheckerLook, CheckerLook]:
    """The looks with allowances for a side that hardly differs from the board, as far as bare places
    allow."""
    bare = [place for place, count in enumerate(counts) if count == 0]
    learnt = []
    for colour, look in enumerate(looks):
        x, y = np.rint(centres[colour]).astype(int).T
        weakest = float(cv2.dilate(seen.centres[colour], np.ones((3, 3), np.uint8))[y, x].min())
        room = -float(rows.scores[colour, bare, 1].max()) - WANTED_NATS
        allowance = float(np.clip(WANTED_NATS - weakest, 0, np.clip(room, 0, MOST_ALLOWANCE_NATS)))
        learnt.append(replace(look, allowance=allowance))
    return learnt[0], learnt[1]


def _centres(rows: CheckerRows, counts: PlaceCounts) -> tuple[FloatArray, FloatArray]:
    """(N, 2) centres of the light and of the dark checkers of a known position."""
    found: tuple[list[FloatArray], list[FloatArray]] = ([], [])
    for place, count in enumerate(counts):
        if count:
            found[int(count < 0)].append(rows.centres(place, count))
    return np.concatenate(found[0]), np.concatenate(found[1])


def _strays(even: SceneImage, centres: tuple[FloatArray, FloatArray]) -> int:
    """How many of the (N, 2) centres of light and of dark checkers do not show their side's colour."""
    sides = [_faces(even, side) for side in centres]
    usual = [np.median(side, axis=0) for side in sides]
    apart = max(float(np.linalg.norm(usual[0] - usual[1])), LEAST_APART_LEVELS)
    strays = 0
    for side, own, other in zip(sides, usual, usual[::-1], strict=True):
        distance = np.linalg.norm(side - own, axis=1)
        unlike = distance > max(STRAY_SHARE * apart, OUTLIER_FACTOR * float(np.median(distance)))
        strays += int((unlike | (np.linalg.norm(side - other, axis=1) < distance)).sum())
    return strays


def _faces(scene: SceneImage, centres: FloatArray) -> FloatArray:
    """(N, 3): the usual colour of each face at (N, 2) centres."""
    return np.array([np.median(face_at(scene, centre)[FACE_MASK], axis=0) for centre in centres])


def _evening(scene: SceneImage, centres: tuple[FloatArray, FloatArray]) -> SceneImage:
    """(H, W, 1): the factor that evens out the light on the board, from the checkers of both sides.

    A robust fit of a quadratic surface to the checkers' log brightness.
    """
    height, width = scene.shape[:2]
    is_light = np.arange(sum(map(len, centres))) < len(centres[0])
    faces, middles = _faces(scene, np.concatenate(centres)), np.concatenate(centres) / width
    levels = faces.mean(axis=1) + LOG_OFFSET_LEVELS
    brightness = np.log(levels)
    middle = middles.mean(axis=0)
    design = np.column_stack([is_light, ~is_light, _light_terms(*(middles - middle).T)]).astype(np.float64)
    # A sheen adds as much to dark checkers as to light ones, so dark ones say less about the light.
    trust = levels / levels.max()
    weight = trust
    for _ in range(EVENING_ROUNDS):
        slopes = np.linalg.lstsq(design * weight[:, None], brightness * weight, rcond=None)[0]
        weight = trust / np.hypot(1, trust * (brightness - design @ slopes) / USUAL_UNEVENNESS)
    y, x = np.mgrid[:height, :width] / width - middle[::-1, None, None]
    falloff = _light_terms(x, y) @ slopes[2:]
    even = np.exp(-np.clip(falloff, -MOST_FALLOFF, MOST_FALLOFF))
    return np.asarray(even[..., None], dtype=np.float32)


def _light_terms(x: FloatArray, y: FloatArray) -> FloatArray:
    """(..., 5) linear and quadratic terms of the light over the board."""
    return np.stack([x, y, x * x, x * y, y * y], axis=-1)


def _colour(scene: SceneImage, centres: FloatArray) -> ColourModel:
    mask = np.zeros(scene.shape[:2], dtype=np.uint8)
    draw_discs(mask, centres, COLOUR_DIAMETERS)
    return ColourModel.from_pixels(scene[mask > 0])


def _looks(
    scene: SceneImage, colours: tuple[ColourModel, ColourModel], centres: tuple[FloatArray, FloatArray]
) -> tuple[CheckerLook, CheckerLook]:
    edges = edges_of(scene)
    near = np.zeros(scene.shape[:2], dtype=np.uint8)
    draw_discs(near, np.concatenate(centres), CENTRE_DIAMETERS)
    light, dark = (
        CheckerLook(
            colour=colour,
            face=mean_face(scene, where),
            shape=CheckerShape.from_edges(edges, where, near == 0),
        )
        for colour, where in zip(colours, centres, strict=True)
    )
    return light, dark


def neat_discs(view: SceneView, counts: PlaceCounts, radius: float) -> Mask:
    """Where the checkers lie if the position is neatly furnished."""
    mask = np.zeros(view.size_wh[::-1], dtype=np.uint8)
    for place, count in enumerate(counts):
        if count:
            neat = [view.geometry.checker_xy(place, index) for index in range(abs(int(count)))]
            draw_discs(mask, view.scene_xy(neat), radius)
    return mask > 0
