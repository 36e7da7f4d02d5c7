"""Whole matches under every set of laws, played at random, replayed and sent through match files."""

import random

import pytest

from controller.record.match_record import MatchRecord
from controller.rules import LAWS, GamePhase, Match, OfferedResignation, Player, Rolled
from tests.controller.record.match_forms import MAT, SGF, match_of_actions

NAMES = [name for name in LAWS if name != "modern"]


def match_at_random(laws, seed):
    """A match of three points; nobody resigns, and of all throws one in a few is looked at."""
    rng = random.Random(seed)
    match = Match.new(3, laws)
    while match.winner is None:
        choices = [a for a in match.legal_actions() if not isinstance(a, OfferedResignation)]
        rolls = [a for a in choices if isinstance(a, Rolled)]
        others = [a for a in choices if not isinstance(a, Rolled)]
        dull = match.game.phase is not GamePhase.TO_MOVE and rolls and rng.random() < 0.9
        match = match.push(rng.choice(rolls if dull else others or rolls))
        men = [sum(match.game.position.side(player)) for player in Player]
        assert men == [15, 15]
    return match


@pytest.mark.parametrize("name", NAMES)
def test_a_match_ends_replays_and_goes_through_both_forms(name):
    laws = LAWS[name]
    match = match_at_random(laws, seed=name)
    actions = [action for game in match.games for action in game.actions]
    assert Match.replay(3, actions, laws).score == match.score
    record = match_of_actions(actions, MatchRecord.under(laws, 3, "Ada", "Bert"))
    for form in (MAT, SGF):
        read = form.parse(form.format(record))
        assert read.problems == ()
        assert read.record.laws is laws
        ends = [(game.first, game.played().position, game.played().outcome) for game in read.record.games]
        assert ends == [(game.first, game.position, game.outcome) for game in match.games]
    for earlier, later in zip(match.games, match.games[1:], strict=False):
        hit = earlier.outcome.win.value == 1
        assert (later.first is earlier.outcome.winner) == (hit and laws.winner_of_single_begins)
