"""Upper bounds on what one more play can explain."""

from random import Random

import numpy as np
import pytest

from controller.referee.inference.board_memory import ROW_INDICES, columns
from controller.referee.inference.continuing import candidate_plays, partial_play_fit
from controller.referee.inference.reach import best_fit, bound_after_play, reachable_log_likelihoods
from controller.referee.inference.roll_evidence import ALL_ROLLS, RollEvidence, sensor_rolls
from controller.rules import N_CHECKERS, OFF, Dice, Player, Position, legal_plays
from tests.controller.referee.inference.boards import (
    AFTER_31,
    AFTER_32,
    DANCING,
    HALF_31,
    evidence,
    memory,
    watched,
)


def test_the_opponent_may_have_hit_a_blot_but_not_taken_a_point():
    """Black stands where White had two men: no play of Black's leads there. Where White had one, it does."""
    table = memory(DANCING).table
    reach = reachable_log_likelihoods(table, Player.WHITE)
    rows = np.arange(26)
    assert (reach >= table).all()
    blacks = 12 - 1
    assert DANCING.black[13] == 5
    assert reach[blacks, 15 + 1] == 0
    assert reach[blacks, 15 + 2] < -5
    assert reach[rows, columns(DANCING)].sum() == 0


def test_every_board_that_a_play_leads_to_can_be_reached():
    """Also where blots are hit in passing."""
    chance = Random(1)
    for _ in range(15):
        position, player = Position.START, Player.WHITE
        while position.side(player.opponent)[OFF] < N_CHECKERS:
            results = [play.result for play in legal_plays(position, player, chance.choice(ALL_ROLLS))]
            for plainly_seen in results:
                table = memory(plainly_seen).table
                reach = reachable_log_likelihoods(table, player.opponent)
                assert reach[ROW_INDICES, columns(position)].sum() == 0
            position, player = chance.choice(results), player.opponent


@pytest.mark.parametrize("shown", [Position.START, AFTER_31, AFTER_32, DANCING])
@pytest.mark.parametrize("dice", [Dice(3, 1), Dice(6, 4), Dice(2, 2)])
def test_no_play_is_likelier_than_a_history_may_be_at_most(shown, dice):
    seen, before = evidence(Position.START, shown), watched()
    at_most = bound_after_play(before, seen)
    for born in candidate_plays(before, sensor_rolls((dice,), RollEvidence()), seen, 2000):
        assert born.weights.max() <= at_most


@pytest.mark.parametrize("shown", [Position.START, HALF_31, AFTER_31, AFTER_32, DANCING])
@pytest.mark.parametrize("dice", [Dice(3, 1), Dice(6, 4), Dice(2, 2)])
def test_no_play_under_way_fits_better_than_a_history_may_at_most(shown, dice):
    seen, before = evidence(Position.START, shown), watched()
    assert partial_play_fit(before, (dice,), seen) <= best_fit(before, seen)
