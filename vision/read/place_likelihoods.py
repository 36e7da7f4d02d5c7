"""Turns the answer of the reader's networks into log-likelihoods of what lies on each place."""

import numpy as np

from vision.board_reading import BAR_PLACE, MAX_COUNT, N_POINTS, BoardReading, flat_log_likelihoods
from vision.geometry import FloatArray
from vision.networks.place_reader import MIXED, PlaceReading

LEAST_PROBABILITY = 1e-6
"""Least probability of any count on a visible place: no picture excludes anything; guess."""
HIDDEN_FROM, HAND_FROM, COVERING_HAND_FROM = 0.5, 0.5, 0.05
"""Probabilities from which a place counts as hidden, and from which a hand counts as over the field: the last
applies where some place is hidden. Tried on rendered boards, recordings and photographs."""
SURELY_MIXED_FROM = 0.9
"""Probability from which both colours surely lie on a point. Of 41,376 points on rendered and photoreal
boards, 20 held both and had 0.985 or more; ten others were likeliest to, with 0.889 or less."""


def reading_of(said: PlaceReading) -> BoardReading:
    """The networks' answer as a reading. Side A of the answer is the light one."""
    hidden = said.hidden >= HIDDEN_FROM
    unseen = {int(place) for place in np.flatnonzero(hidden[:N_POINTS])}
    if hidden[N_POINTS:].any():
        unseen.add(BAR_PLACE)
    probabilities = said.probabilities.astype(np.float64)
    points, bar = _point_rows(probabilities[:N_POINTS]), _bar_rows(probabilities[N_POINTS:])
    for place in unseen - {BAR_PLACE}:
        points[place] = flat_log_likelihoods(2 * MAX_COUNT + 1)
    if BAR_PLACE in unseen:
        bar[:] = flat_log_likelihoods(MAX_COUNT + 1)
    mixed = {int(place) for place in np.flatnonzero(probabilities[:N_POINTS].argmax(axis=1) == MIXED)}
    surely = {place for place in mixed if probabilities[place, MIXED] >= SURELY_MIXED_FROM}
    return BoardReading(
        points=points,
        bar=bar,
        unseen=frozenset(unseen),
        mixed=frozenset(mixed - unseen),
        surely_mixed=frozenset(surely - unseen),
        hand=_hand_over(said),
    )


def _hand_over(said: PlaceReading) -> bool:
    """Whether a hand is over the field."""
    covered = bool((said.hidden >= HIDDEN_FROM).any())
    return said.hand >= (COVERING_HAND_FROM if covered else HAND_FROM)


def _point_rows(probabilities: FloatArray) -> FloatArray:
    """(24, N_CLASSES) probabilities to (24, 31) log-likelihoods, from 15 dark to 15 light."""
    dark, light = probabilities[:, MIXED - 1 : MAX_COUNT : -1], probabilities[:, : MAX_COUNT + 1]
    return _logarithms(np.concatenate([dark, light], axis=1))


def _bar_rows(halves: FloatArray) -> FloatArray:
    """(2, N_CLASSES) probabilities of the bar's halves to (2, 16) log-likelihoods: light row, dark row."""
    sides = []
    for first in (1, MAX_COUNT + 1):
        counts = halves[:, first : first + MAX_COUNT]
        one = counts[:, :1] + halves[:, MIXED:]  # a mixed half counts as one checker of each side
        counts = np.concatenate([one, counts[:, 1:]], axis=1)
        none = 1 - counts.sum(axis=1, keepdims=True)
        top, bottom = np.concatenate([np.maximum(none, 0), counts], axis=1)
        sides.append(np.convolve(top, bottom)[: MAX_COUNT + 1])
    return _logarithms(np.stack(sides))


def _logarithms(rows: FloatArray) -> FloatArray:
    """Logarithms of the rows, normalised, with LEAST_PROBABILITY added to each entry."""
    shares = rows / np.maximum(rows.sum(axis=1, keepdims=True), LEAST_PROBABILITY) + LEAST_PROBABILITY
    return np.asarray(np.log(shares / shares.sum(axis=1, keepdims=True)))
