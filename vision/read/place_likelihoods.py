"""What the reader's networks say of a picture, as likelihoods of what lies on each place."""

import numpy as np

from vision.board_reading import BAR_PLACE, MAX_COUNT, N_POINTS, BoardReading, flat_log_likelihoods
from vision.geometry import FloatArray
from vision.networks.place_reader import MIXED, PlaceReading

LEAST_PROBABILITY = 1e-6
"""Least probability of any count of a place that is seen: no picture excludes anything. Guess."""
HIDDEN_FROM, HAND_FROM, COVERING_HAND_FROM = 0.5, 0.5, 0.05
"""Probability from which on a place counts as hidden, and a hand as being over the field; the last where some
place is hidden. Tried on rendered boards, recordings and photographs."""


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
    return BoardReading(
        points=points,
        bar=bar,
        unseen=frozenset(unseen),
        mixed=frozenset(mixed - unseen),
        hand=_hand_over(said),
    )


def _hand_over(said: PlaceReading) -> bool:
    """Whether a hand is over the field."""
    covered = bool((said.hidden >= HIDDEN_FROM).any())
    return said.hand >= (COVERING_HAND_FROM if covered else HAND_FROM)


def _point_rows(probabilities: FloatArray) -> FloatArray:
    """(24, N_CLASSES) to (24, 31) log-likelihoods, from 15 dark to 15 light."""
    dark, light = probabilities[:, MIXED - 1 : MAX_COUNT : -1], probabilities[:, : MAX_COUNT + 1]
    return _logarithms(np.concatenate([dark, light], axis=1))


def _bar_rows(halves: FloatArray) -> FloatArray:
    """(2, N_CLASSES) of the bar's halves to (2, 16) of its light and its dark checkers."""
    sides = []
    for first in (1, MAX_COUNT + 1):
        counts = halves[:, first : first + MAX_COUNT]
        one = counts[:, :1] + halves[:, MIXED:]  # of both sides at least one
        counts = np.concatenate([one, counts[:, 1:]], axis=1)
        none = 1 - counts.sum(axis=1, keepdims=True)
        top, bottom = np.concatenate([np.maximum(none, 0), counts], axis=1)
        sides.append(np.convolve(top, bottom)[: MAX_COUNT + 1])
    return _logarithms(np.stack(sides))


def _logarithms(rows: FloatArray) -> FloatArray:
    """Logarithms of rows made to add up to one, nothing below LEAST_PROBABILITY."""
    shares = rows / np.maximum(rows.sum(axis=1, keepdims=True), LEAST_PROBABILITY) + LEAST_PROBABILITY
    return np.asarray(np.log(shares / shares.sum(axis=1, keepdims=True)))
