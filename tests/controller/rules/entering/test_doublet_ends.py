"""The fast way to the ends of doublets gives what stepping from state to state gives."""

import random

import pytest

from controller.rules import ENTERING_LAWS, Dice, Player, Step, rules_of
from controller.rules.entering import entering_throws
from controller.rules.entering.throw_plays import throw_plays


@pytest.mark.parametrize("name", ENTERING_LAWS)
def test_doublets_found_by_runs_are_those_found_step_by_step(name, monkeypatch):
    laws, n_compared = ENTERING_LAWS[name], 0
    for seed in range(5):
        rng = random.Random(seed)
        state = rules_of(laws).start(Player.WHITE)
        for _ in range(120):
            if state.winner:
                break
            throws = rules_of(laws).throws(state)
            plays = throw_plays(state, rng.choice(throws), laws)
            if plays.dice.is_double and len(plays) < 15000:
                with monkeypatch.context() as patched:
                    patched.setattr(entering_throws, "doublet_ends", lambda *_: None)
                    stepped = {play.turn_state for play in throw_plays(state, plays.dice, laws)}
                assert {play.turn_state for play in plays} == stepped
                n_compared += 1
            state = plays[rng.randrange(len(plays))].turn_state
    assert n_compared > 20


def test_the_way_of_a_play_found_by_runs_is_lawful_and_leads_there():
    laws, rng = ENTERING_LAWS["russian-britannica"], random.Random(4)
    state = rules_of(laws).start(Player.WHITE)
    n_tried = 0
    while n_tried < 30 and not state.winner:
        plays = throw_plays(state, rng.choice([*rules_of(laws).throws(state), Dice(2, 2)]), laws)
        play = plays[rng.randrange(len(plays))]
        if plays.dice.is_double:
            steps = [Step(*move.step) for move in plays.moves_to(play._end, play._link)]
            assert plays.made_by(steps).turn_state == play.turn_state
            n_tried += 1
        state = play.turn_state
    assert n_tried


def test_the_plays_of_several_throws_are_found_ahead_one_after_the_other():
    rules = rules_of(ENTERING_LAWS["russian-cady"])
    state, throws = rules.start(Player.WHITE), (Dice(6, 6), Dice(5, 5))
    for n_found in range(3):
        assert [rules.plays(state, dice).is_found for dice in throws] == [n_found > 0, n_found > 1]
        rules.find_ahead(state, throws)
