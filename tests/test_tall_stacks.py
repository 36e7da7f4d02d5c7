"""What is said of tall stacks: how it is measured, and what was."""

from itertools import pairwise

import numpy as np
import pytest

from controller.rules import BAR, N_CHECKERS, OFF, Player
from tests.benchmarks.late_positions import TALL, late_position
from tests.benchmarks.simulated_reader import FULL_ROW, SURE_NATS, measured_piles
from tests.benchmarks.tall_stacks import (
    COUNTS,
    MOST_MOVED,
    PICTURES,
    TURNING,
    positions,
    said_in,
    with_most,
)
from vision.board_reading import MAX_COUNT, N_POINTS, BoardReading
from vision.geometry import BoardGeometry
from vision.training.measure_reader import Shown


def test_stacks_grow_from_rows_by_a_checker_or_two_and_shrink_again():
    tallest = set()
    for seed in range(20):
        laid = list(positions(np.random.default_rng(seed)))
        assert len(laid) == PICTURES
        assert max(laid[0].white[1:]) == max(laid[0].black[1:]) == FULL_ROW
        for before, after in pairwise(laid):
            for own, then in ((after.white, before.white), (after.black, before.black)):
                assert sum(own) == sum(then) == N_CHECKERS
                assert own[OFF] >= then[OFF]
                assert sum(abs(now - was) for now, was in zip(own, then, strict=True)) <= 2 * MOST_MOVED
            assert before.white[OFF] == 0 or after in laid[TURNING[0] :]
        tallest.add(max(max(position.white[1:]) for position in laid))
    assert max(tallest) >= 8


def test_a_board_is_laid_once_with_all_checkers_that_its_stacks_ever_hold():
    laid = list(positions(np.random.default_rng(1)))
    most = with_most(laid)
    for side in ("white", "black"):
        held = [getattr(position, side) for position in laid]
        assert getattr(most, side) == tuple(max(counts) for counts in zip(*held, strict=True))


def test_of_each_stack_is_kept_what_was_said_of_every_number():
    points = np.full((N_POINTS, 2 * MAX_COUNT + 1), -20.0)
    points[:, MAX_COUNT] = 0.0
    points[3, MAX_COUNT - 6 : MAX_COUNT - 4] = -2.0, -0.1
    points[8, MAX_COUNT + 7] = 0.0
    counts = np.zeros((N_POINTS + 2, 2), int)
    counts[3, 1], counts[8, 0], counts[9, 0] = 6, 7, 4
    shown = Shown(
        image_bgr=np.zeros((1, 1, 3), np.uint8),
        view=BoardGeometry(corners_px=((0, 0), (100, 0), (100, 80), (0, 80)), image_wh=(101, 81)),
        counts=counts,
        kind="play",
        asked=np.arange(N_POINTS) != 8,
        whole=True,
        hand=False,
    )
    reading = BoardReading(points=points, bar=np.zeros((2, MAX_COUNT + 1)))
    nats = [-0.1, -2.0, *[SURE_NATS] * (MAX_COUNT - FULL_ROW - 1)]
    assert said_in(reading, shown) == {3: (6, False, nats)}


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("way", ["piled", "bridging"])
def test_what_was_measured_covers_every_height_in_play(way: str, known: bool):
    said = measured_piles(way, known=known).said
    assert {count for count, _, _ in said} >= set(COUNTS)
    assert all(len(nats) == MAX_COUNT - FULL_ROW + 1 for _, _, nats in said)


@pytest.mark.parametrize("number", range(5))
def test_a_game_that_begins_late_has_tall_stacks_and_goes_on(number):
    start = late_position(number)
    assert late_position(number) == start
    assert start.winner is None
    for side in (start.side(player) for player in Player):
        assert sum(side) == N_CHECKERS
        assert side[BAR] == 0
    assert sum(count >= TALL for player in Player for count in start.side(player)[1:BAR]) >= 2
