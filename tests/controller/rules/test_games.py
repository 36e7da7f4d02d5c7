"""Every game is asked in the same way."""

from random import Random

import pytest

from controller.rules import LAWS, MODERN, Dice, Player, PlayError, Position, explain, legal_plays, shots
from controller.rules.board.cube import Win
from controller.rules.entering.entering_laws import (
    ENTERING_LAWS,
    RUSSIAN_BRITANNICA,
    RUSSIAN_CADY,
    TURKISH_CADY,
)
from controller.rules.games import ALL_LAWS, rules_of
from tests.controller.rules.entering.plain_entering import a_stand

W, B = Player.WHITE, Player.BLACK
EB9 = RUSSIAN_BRITANNICA


@pytest.mark.parametrize("laws", ALL_LAWS.values(), ids=lambda laws: laws.name)
def test_any_game_can_be_begun_and_played_on(laws):
    rules, rng = rules_of(laws), Random(2)
    turn_state = rules.start(B)
    assert turn_state.on_roll is B
    assert rules.win(turn_state) is None
    for _ in range(6):
        dice = rng.choice(
            [dice for dice in rules.throws(turn_state) if not dice.is_double or turn_state.choosing]
        )
        plays = rules.plays(turn_state, dice)
        play = rng.choice(list(plays)[:200])
        assert play.result in plays
        assert play.turn_state in [found.turn_state for found in plays.leading_to(play.result)]
        assert plays.parse(str(play)).result == play.result
        assert rules.explain(turn_state, dice, play.result) == ()
        turn_state = play.turn_state


def test_all_laws_have_names_of_their_own():
    assert {*ALL_LAWS} == {*LAWS, *ENTERING_LAWS}
    assert len(ALL_LAWS) == len(LAWS) + len(ENTERING_LAWS)


def test_the_ordinary_game_is_what_it_was():
    rules, dice = rules_of(MODERN), Dice(3, 1)
    turn_state = rules.start(W)
    made = rules.plays(turn_state, dice).parse("8/5 6/5")
    assert {play.result for play in rules.plays(turn_state, dice)} == {
        play.result for play in legal_plays(Position.START, W, dice)
    }
    assert made.turn_state.on_roll is B
    assert rules.shots(made.turn_state, W) == shots(made.result, W)
    assert rules.explain(turn_state, dice, Position.START) == explain(Position.START, W, dice, Position.START)
    with pytest.raises(PlayError, match="White cannot play 31 so"):
        rules.plays(turn_state, dice).parse("24/18")


def test_a_blot_is_at_risk_from_checkers_that_are_yet_to_be_entered():
    """On the sixth point a six hits, 5-1, 4-2, and all doublets, by their complement if not themselves."""
    turn_state = a_stand(EB9, "black", white={6: 1, "waiting": 14}, black={"waiting": 15})
    rolls = rules_of(EB9).shots(turn_state, W).rolls[19]
    assert {str(dice) for dice in rolls if not dice.is_double} == {"61", "62", "63", "64", "65", "51", "42"}
    assert {str(dice) for dice in rolls if dice.is_double} == {"66", "33", "22", "55", "44", "11"}


def test_a_blot_behind_all_others_is_safe_from_those_that_have_passed_it():
    turn_state = a_stand(EB9, "black", white={3: 1}, black={9: 5})
    assert rules_of(EB9).shots(turn_state, W).rolls == {22: ()}


@pytest.mark.parametrize(
    ("loser", "win"),
    [
        ({20: 3}, Win.SINGLE),
        ({20: 15}, Win.GAMMON),
        ({20: 14, 7: 1}, Win.GAMMON),
        ({20: 14, 6: 1}, Win.BACKGAMMON),
        ({20: 14, "up": 1}, Win.BACKGAMMON),
        ({20: 14, "waiting": 1}, Win.BACKGAMMON),
    ],
)
def test_what_is_won_depends_on_the_losers_last_checker(loser, win):
    for laws in (EB9, RUSSIAN_CADY, TURKISH_CADY):
        assert rules_of(laws).win(a_stand(laws, white={}, black=loser)) is win


def test_doublets_are_never_held_to_miss_a_blot_they_hit():
    """Where one checker can walk to is looked at instead of every play, of which there may be 100,000."""
    rng, rules = Random(8), rules_of(EB9)
    compared = agreed = 0
    for _ in range(60):
        points = rng.sample(range(1, 25), 6)
        turn_state = a_stand(
            EB9, white=dict.fromkeys(points[:3], 1), black=dict.fromkeys(points[3:], rng.choice((1, 2)))
        )
        shots_said = rules.shots(turn_state, B).rolls
        for dice in [Dice(n, n) for n in range(1, 7)]:
            hitting = [play.result.black for play in rules.plays(turn_state, dice) if play.result.black[25]]
            for point, rolls in shots_said.items():
                is_hit = any(after[point] == 0 for after in hitting)
                assert dice in rolls or not is_hit
                compared, agreed = compared + 1, agreed + (is_hit == (dice in rolls))
    assert compared > 300
    assert agreed > 0.85 * compared
