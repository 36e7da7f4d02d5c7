"""Tall stacks are counted by what came to them since they were known."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board_reading import MAX_COUNT, BoardReading
from vision.networks.change_network import MOST_CHANGED, N_CHANGES
from vision.networks.strips import N_PLACES, STRIP_WH, Strips
from vision.read import followed_stacks
from vision.read.followed_stacks import FollowedStacks

PICTURES = Path(__file__).parents[2] / "data" / "growing_stack.jpg"
"""Strips of three pictures of a rendered board: a seventh checker comes to a stack, and a tenth goes from
another one."""
GROWING, SHRINKING, FIVE = 13, 4, 7
COUNTS = (
    (-14, -6, 0, 0, 10, 0, 0, -5, 0, 0, -8, 9, 7, -6, 0, 0, 0, -15, 0, 0, 0, 0, 10, 0),
    (-12, -4, 0, 0, 9, 0, 0, -4, 0, 0, -7, 8, 6, -7, 0, 0, 0, -14, 0, 0, 0, 0, 7, 0),
    (-12, -4, 0, 0, 9, 0, 0, -6, 0, 0, -7, 11, 6, -7, 0, 0, 0, -14, 0, 0, 0, 0, 7, 0),
)


@pytest.fixture(scope="module")
def strips() -> list[Strips]:
    width, height = STRIP_WH
    pictures = np.asarray(cv2.imread(str(PICTURES)), np.uint8)
    return list(pictures.reshape(3, height, N_PLACES, width, 3).transpose(0, 2, 1, 3, 4))


@pytest.fixture
def known(strips: list[Strips]) -> FollowedStacks:
    """The stacks of the first picture, whose position is known."""
    return FollowedStacks.known(strips[0], COUNTS[0])


def reading(counts: tuple[int, ...], doubted: dict[int, tuple[int, ...]] | None = None) -> BoardReading:
    """A picture that shows these counts, at the doubted places one of several alike."""
    points = np.full((24, 2 * MAX_COUNT + 1), 1e-6)
    for place, count in enumerate(counts):
        for one in (doubted or {}).get(place, (count,)):
            points[place, one + MAX_COUNT] = 1.0
    bar = np.zeros((2, MAX_COUNT + 1))
    return BoardReading(points=np.log(points / points.sum(axis=1, keepdims=True)), bar=bar)


DOUBTS = {GROWING: (-5, -6, -7, -8), SHRINKING: (8, 9, 10, 11)}


def test_a_stack_that_cannot_be_counted_is_known_by_what_came_to_it(known, strips):
    _, read = known.followed(strips[1], reading(COUNTS[1], DOUBTS))
    assert read.counts()[GROWING] == -7
    assert read.confidences()[GROWING] > 0.7


def test_what_went_from_a_stack_is_counted_too(known, strips):
    _, read = known.followed(strips[1], reading(COUNTS[1], DOUBTS))
    assert read.counts()[SHRINKING] == 9


def test_a_stack_that_nobody_touches_is_counted_as_before(known, strips):
    then, _ = known.followed(strips[1], reading(COUNTS[1], DOUBTS))
    _, read = then.followed(strips[2], reading(COUNTS[2], DOUBTS))
    assert (read.counts()[GROWING], read.counts()[SHRINKING]) == (-7, 9)


def test_a_stack_that_the_rules_have_counted_is_known_when_it_changes_and_read_as_before_until_then(strips):
    """It was five to eight; the rules tell that six lay there."""
    doubtful = reading(COUNTS[0], DOUBTS)
    stacks, _ = FollowedStacks().followed(strips[0], doubtful)
    counted = stacks.with_known(COUNTS[0])
    unchanged = [then.followed(strips[0], doubtful)[1].points for then in (stacks, counted)]
    np.testing.assert_array_equal(*unchanged)
    chances = [
        np.exp(then.followed(strips[1], reading(COUNTS[1], DOUBTS))[1].points[GROWING, MAX_COUNT - 7])
        for then in (stacks, counted)
    ]
    assert chances[0] < 0.5 < 0.7 < chances[1]


def test_the_rules_do_not_count_a_stack_that_seems_to_be_of_the_other_side(strips):
    stacks, _ = FollowedStacks().followed(strips[0], reading(COUNTS[0], DOUBTS))
    told = [
        then.followed(strips[1], reading(COUNTS[1], DOUBTS))[1]
        for then in (stacks, stacks.with_known(tuple(-count for count in COUNTS[0])))
    ]
    np.testing.assert_array_equal(told[0].points, told[1].points)


def test_what_is_known_of_a_hidden_stack_is_kept(known, strips):
    hidden = replace(reading(COUNTS[0]), unseen=frozenset({GROWING}))
    then, _ = known.followed(strips[0], hidden)
    _, read = then.followed(strips[1], reading(COUNTS[1], DOUBTS))
    assert read.counts()[GROWING] == -7


def test_nothing_is_learnt_from_a_picture_with_a_hand(known, strips):
    with_hand = replace(reading(COUNTS[1], DOUBTS), hand=True)
    then, read = known.followed(strips[1], with_hand)
    assert then is known
    assert read is with_hand


def test_hardly_more_come_to_a_stack_than_a_half_turn_moves(known, strips, monkeypatch):
    came = np.eye(N_CHANGES)[[-1, -1]]
    monkeypatch.setattr(followed_stacks, "see_changes", lambda before, now: came[: len(now)])
    counts = tuple(-9 if place == FIVE else 0 for place in range(24))
    _, told = known.followed(strips[1], reading(counts, doubted={FIVE: (-9, -15)}))
    assert np.exp(told.points[FIVE, MAX_COUNT - 9]) > 0.9


def test_a_stack_that_nobody_touches_is_compared_with_how_it_looked_last(known, strips, monkeypatch):
    compared = []

    def nothing_came(before, now):
        compared.append((before[: len(before) // 2], now[: len(now) // 2]))
        return np.eye(N_CHANGES)[[MOST_CHANGED] * len(now)]

    monkeypatch.setattr(followed_stacks, "see_changes", nothing_came)
    then, _ = known.followed(strips[1], reading(COUNTS[0]))
    then.followed(strips[2], reading(COUNTS[0]))
    (_, looked_last), (remembered, _) = compared
    np.testing.assert_array_equal(remembered, looked_last)


def test_each_picture_of_an_untouched_stack_counts_the_same(strips, monkeypatch):
    """Five say that seven are a little likelier than eight, and a sixth says the opposite."""
    monkeypatch.setattr(
        followed_stacks, "see_changes", lambda _, now: np.eye(N_CHANGES)[[MOST_CHANGED] * len(now)]
    )
    stacks, seven, eight = FollowedStacks(), MAX_COUNT - 7, MAX_COUNT - 8
    for share in (0.6, 0.6, 0.6, 0.6, 0.6, 0.3):
        shown = reading(COUNTS[1], {GROWING: (-7, -8)})
        shown.points[GROWING, [seven, eight]] += np.log([2 * share, 2 * (1 - share)])
        stacks, read = stacks.followed(strips[1], shown)
    assert read.counts()[GROWING] == -7


def test_a_stack_under_a_checker_of_the_other_side_is_read_as_the_picture_shows_it(known, strips):
    shown = replace(reading(COUNTS[1], DOUBTS), mixed=frozenset({GROWING}))
    _, read = known.followed(strips[1], shown)
    np.testing.assert_array_equal(read.points[GROWING], shown.points[GROWING])


def test_a_picture_that_contradicts_what_came_is_believed(known, strips):
    sure = reading(COUNTS[1], {GROWING: (-12,)})
    _, read = known.followed(strips[1], sure)
    np.testing.assert_array_equal(read.points[GROWING], sure.points[GROWING])


@pytest.mark.parametrize("held", [0, -2, 6])
def test_what_was_known_of_a_stack_is_forgotten_when_something_else_lies_there(known, strips, held):
    then, _ = known.followed(strips[0], reading(COUNTS[0], {GROWING: (held,)}))
    doubtful = reading(COUNTS[1], DOUBTS)
    _, read = then.followed(strips[1], doubtful)
    np.testing.assert_array_equal(read.points[GROWING], doubtful.points[GROWING])


def test_low_places_are_read_as_the_picture_shows_them(known, strips):
    shown = reading(COUNTS[1], DOUBTS)
    _, read = known.followed(strips[1], shown)
    low = [place for place, count in enumerate(COUNTS[1]) if abs(count) < 4 and abs(COUNTS[0][place]) < 4]
    np.testing.assert_array_equal(read.points[low], shown.points[low])


def test_every_row_stays_a_distribution(known, strips):
    _, read = known.followed(strips[1], reading(COUNTS[1], DOUBTS))
    np.testing.assert_allclose(np.exp(read.points).sum(axis=1), 1.0, atol=1e-6)
