"""What is said of boards that no legal throw of Russian or Turkish backgammon leaves."""

from random import Random

import pytest

from controller.rules import Dice, OffenceKind, Position
from controller.rules.entering.entering_faults import explain_throw
from controller.rules.entering.entering_laws import (
    ENTERING_LAWS,
    RUSSIAN_BRITANNICA,
    RUSSIAN_CADY,
    TURKISH_CADY,
)
from controller.rules.entering.throw_plays import throw_plays
from tests.controller.rules.entering.entering_games import a_game
from tests.controller.rules.entering.plain_entering import PlainGame, a_stand, board_of, stand_of

K = OffenceKind
EB9 = RUSSIAN_BRITANNICA


def said(turn_state, dice, laws=EB9, **seen):
    """Kinds and places of what is said of a board with `white` and `black` men so."""
    sides = {side: dict(men) for side, men in seen.items()}
    board = board_of(PlainGame(laws, sides, {}, "white"))
    white, black = ((15 - sum(side[1:]), *side[1:]) for side in (list(board.white), list(board.black)))
    offences = explain_throw(throw_plays(turn_state, Dice.parse(dice), laws), Position(white, black))
    return [(offence.kind, *map(str, offence.places)) for offence in offences]


def test_nothing_is_said_of_a_legal_play():
    bare = a_stand(EB9, white={"waiting": 15}, black={"waiting": 15})
    assert said(bare, "61", white={1: 1, 6: 1}, black={}) == []


def test_a_checker_entered_on_a_point_that_was_not_thrown():
    bare = a_stand(EB9, white={"waiting": 15}, black={"waiting": 15})
    assert said(bare, "61", white={1: 1, 5: 1}, black={}) == [(K.WRONG_DISTANCE, "white tray", "point 20")]


def test_a_checker_entered_onto_a_point_that_is_held():
    turn_state = a_stand(EB9, white={"waiting": 15}, black={6: 2, "waiting": 13})
    board = {"white": {1: 1, 6: 1}, "black": {6: 2}}
    assert said(turn_state, "61", **board)[0][0] is K.ONTO_HELD_POINT


def test_another_checker_moved_while_one_is_up():
    turn_state = a_stand(EB9, white={"up": 1, 3: 1, "waiting": 13}, black={"waiting": 15})
    kinds = [kind for kind, *_ in said(turn_state, "61", white={"up": 1, 9: 1, 1: 1}, black={})]
    assert set(kinds) == {K.MOVED_WITH_CHECKER_ON_BAR}


def test_a_checker_that_enters_moves_no_further_while_another_is_up():
    turn_state = a_stand(EB9, white={"up": 2, "waiting": 13}, black={"waiting": 15})
    assert said(turn_state, "61", white={"up": 1, 7: 1}, black={}) == [
        (K.MOVED_WITH_CHECKER_ON_BAR, "white bar", "point 18")
    ]


def test_a_checker_hit_on_entering_that_is_not_put_on_the_bar():
    turn_state = a_stand(EB9, white={"waiting": 15}, black={6: 1, "waiting": 14})
    assert said(turn_state, "61", white={1: 1, 6: 1}, black={}) == [
        (K.HIT_CHECKER_NOT_ON_BAR, "point 19", "black bar")
    ]


def test_a_throw_that_is_played_by_half():
    bare = a_stand(EB9, white={"waiting": 15}, black={"waiting": 15})
    assert said(bare, "61", white={6: 1}, black={}) == [(K.WHOLE_ROLL_NOT_PLAYED, "point 19")]


def test_doublets_without_their_complement():
    bare = a_stand(EB9, white={"waiting": 15}, black={"waiting": 15})
    assert [kind for kind, *_ in said(bare, "66", white={6: 4}, black={})] == [K.WHOLE_ROLL_NOT_PLAYED]
    first = a_stand(RUSSIAN_CADY, white={"waiting": 15}, black={"waiting": 15})
    assert said(first, "66", RUSSIAN_CADY, white={6: 4}, black={}) == []


def test_a_complement_that_is_not_his():
    first = a_stand(RUSSIAN_CADY, white={"waiting": 15}, black={"waiting": 15})
    assert said(first, "66", RUSSIAN_CADY, white={6: 4, 1: 4}, black={})[0][0] is K.WRONG_DISTANCE


def test_a_checker_moved_back():
    turn_state = a_stand(EB9, white={8: 2}, black={"waiting": 15})
    assert said(turn_state, "61", white={7: 1, 14: 1}, black={})[0][0] is K.MOVED_BACKWARDS


def test_a_checker_borne_before_all_are_entered():
    turn_state = a_stand(EB9, white={22: 3, "waiting": 1}, black={"waiting": 15})
    assert said(turn_state, "31", white={22: 2, 1: 1}, black={}) == [
        (K.BORE_OFF_TOO_EARLY, "point 3", "white tray")
    ]


def test_a_checker_borne_by_a_number_too_high_while_another_stands_further_back():
    turn_state = a_stand(EB9, white={20: 2, 22: 2}, black={"waiting": 15})
    assert said(turn_state, "61", white={20: 1, 21: 1, 22: 1}, black={}) == [
        (K.BORE_OFF_FROM_LOWER_POINT, "point 3", "white tray")
    ]


def test_a_checker_of_the_opponent_that_was_moved():
    turn_state = a_stand(EB9, white={1: 2}, black={12: 2, "waiting": 13})
    moved = {"white": {3: 1, 2: 1}, "black": {12: 1, 13: 1}}
    assert said(turn_state, "21", **moved) == [(K.MOVED_OPPONENTS_CHECKER, "point 13", "point 12")]
    gone = {"white": {3: 1, 2: 1}, "black": {12: 1}}
    assert said(turn_state, "21", **gone) == [(K.CHECKER_MISSING, "point 13")]


def turkish(**white):
    men = {"white": {**white["white"], "borne": 0}, "black": {1: 2, "waiting": 13}}
    return stand_of(PlainGame(TURKISH_CADY, men, {"white": set(), "black": set()}, "white"))


def test_a_placed_checker_that_was_moved_too_soon():
    start = turkish(white={1: 2, "waiting": 13})
    seen = {"white": {1: 1, 7: 1, 6: 1}, "black": {1: 2}}
    assert said(start, "65", TURKISH_CADY, **seen) == [(K.PLACED_CHECKER_MOVED, "point 24", "point 18")]


def test_a_point_that_was_made_too_soon():
    turn_state = turkish(white={1: 2, 7: 1, "waiting": 12})
    seen = {"white": {1: 2, 7: 2, 6: 1}, "black": {1: 2}}
    assert said(turn_state, "65", TURKISH_CADY, **seen) == [(K.POINT_MADE_TOO_SOON, "white tray", "point 18")]


@pytest.mark.parametrize("laws", ENTERING_LAWS.values(), ids=lambda laws: laws.name)
def test_a_checker_one_point_beside_is_explained_in_a_word_or_two(laws):
    """Nearly always: it can come to lie where a play with other hits would have put it."""
    n_offences = []
    stands, throws, texts = a_game(laws, seed=3, most=120)
    rng = Random(1)
    for turn_state, dice, text in zip(stands, throws, texts, strict=False):
        plays = throw_plays(turn_state, dice, laws)
        astray = None if dice.is_double else one_beside(plays.parse(text), rng)
        if astray is not None and astray not in plays:
            offences = explain_throw(plays, astray)
            assert all(offence.places for offence in offences)
            n_offences.append(len(offences))
    assert len(n_offences) > 20
    assert min(n_offences) > 0
    assert sum(n <= 2 for n in n_offences) > 0.95 * len(n_offences)


def one_beside(play, rng):
    """The board of a play with one of the checkers moved lying a point further, where that is free."""
    targets = [step.target for step in play.steps if 1 < step.target < 24]
    if not targets:
        return None
    player = play.stages[0].player
    target = rng.choice(targets)
    own, theirs = list(play.result.side(player)), play.result.side(player.opponent)
    if not own[target] or theirs[25 - target + 1]:
        return None
    own[target] -= 1
    own[target - 1] += 1
    return Position.of(player, own, theirs)
