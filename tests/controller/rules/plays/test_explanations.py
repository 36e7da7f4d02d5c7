"""What is wrong with a board that no legal play gives, and which places to light."""

import random

import pytest

from controller.rules import (
    Dice,
    OffenceKind,
    Place,
    Player,
    Position,
    after_steps,
    explain,
    legal_plays,
    parse_steps,
    steps_between,
    unfurnished,
)
from tests.controller.rules.boards import board

W, B = Player.WHITE, Player.BLACK
Kind = OffenceKind


def offences(position, roll, play, player=W):
    """The offences of playing so, as (kind, own places)."""
    seen = after_steps(position, player, parse_steps(play))
    return [
        (offence.kind, tuple(place.seen_by(player) for place in offence.places))
        for offence in explain(position, player, Dice.parse(roll), seen)
    ]


START = Position.START


@pytest.mark.parametrize("player", Player)
@pytest.mark.parametrize(
    ("roll", "play", "kind", "places"),
    [
        ("31", "8/5 6/4", Kind.WRONG_DISTANCE, (6, 4)),
        ("54", "13/11 13/8", Kind.WRONG_DISTANCE, (13, 11)),
        ("33", "8/5 8/5 6/5 6/3", Kind.WRONG_DISTANCE, (6, 5)),
        ("53", "13/8 24/19", Kind.ONTO_HELD_POINT, (24, 19)),
        ("54", "24/20 24/19", Kind.ONTO_HELD_POINT, (24, 19)),
        ("31", "8/9 6/5", Kind.MOVED_BACKWARDS, (8, 9)),
        ("31", "6/off 8/7", Kind.WRONG_DISTANCE, (6, 0)),
        ("31", "13/off 8/7", Kind.CHECKER_MISSING, (13,)),
        ("65", "24/13 8/2", Kind.WRONG_DISTANCE, None),
    ],
)
def test_from_the_start_position(player, roll, play, kind, places):
    found = offences(START, roll, play, player)
    assert found[0][0] is kind
    assert len(found) == 1
    if places is not None:
        assert found[0][1] == places


def test_a_legal_board_has_no_offence():
    for play in legal_plays(START, W, Dice(4, 2)):
        assert explain(START, W, Dice(4, 2), play.result) == ()


def test_a_single_checker_went_through_a_point_held():
    position = board({24: 1, 6: 2}, {6: 2, 1: 2, 2: 2})
    assert offences(position, "55", "24/14 6/1") == [(Kind.THROUGH_BLOCKED_POINT, (24, 19, 14))]


def test_moved_with_a_checker_on_the_bar():
    position = board({25: 1, 13: 3, 6: 5}, {6: 2, 5: 2})
    assert offences(position, "65", "13/7") == [(Kind.MOVED_WITH_CHECKER_ON_BAR, (13, 7))]
    assert offences(position, "61", "13/7") == [(Kind.MOVED_WITH_CHECKER_ON_BAR, (13, 7))]


def test_a_checker_that_enters_moves_no_further_while_another_is_on_the_bar():
    position = board({25: 2, 6: 5}, {13: 2})
    assert offences(position, "21", "bar/22") == [(Kind.MOVED_WITH_CHECKER_ON_BAR, (25, 22))]


@pytest.mark.parametrize("opponents_off", [0, 1])
def test_a_checker_that_comes_to_its_own_bar_was_moved_backwards(opponents_off):
    theirs = {6: 15 - opponents_off}
    before = board({13: 2, 8: 2}, theirs)
    after = board({25: 1, 13: 1, 8: 1, 5: 1}, theirs)
    offences = explain(before, W, Dice(4, 3), after)
    assert [offence.kind for offence in offences] == [Kind.MOVED_BACKWARDS]


def test_entered_on_a_point_held():
    position = board({25: 1, 6: 5}, {6: 2})
    assert offences(position, "61", "bar/19 6/5") == [(Kind.ONTO_HELD_POINT, (25, 19))]


def test_the_whole_roll_could_have_been_played():
    assert offences(START, "31", "8/5") == [(Kind.WHOLE_ROLL_NOT_PLAYED, (24, 8, 6, 5))]
    nothing_done = explain(START, W, Dice(6, 1), START)
    assert [offence.kind for offence in nothing_done] == [Kind.WHOLE_ROLL_NOT_PLAYED]


def test_the_higher_number_must_be_played():
    position = board({10: 1}, {22: 2})
    assert offences(position, "61", "10/9") == [(Kind.HIGHER_NUMBER_NOT_PLAYED, (10, 9))]


def test_bore_off_too_early_or_from_a_lower_point():
    outside = board({8: 1, 6: 2, 1: 2}, {1: 2})
    assert offences(outside, "61", "6/off 1/off") == [
        (Kind.BORE_OFF_TOO_EARLY, (6, 0)),
        (Kind.BORE_OFF_TOO_EARLY, (1, 0)),
    ]
    higher = board({5: 2, 2: 2}, {1: 2})
    assert offences(higher, "41", "2/off 5/4") == [(Kind.BORE_OFF_FROM_LOWER_POINT, (2, 0))]


@pytest.mark.parametrize("player", Player)
def test_bearing_off_by_one_number_only_is_no_bearing_off_from_a_lower_point(player):
    # With the 4 alone, not 4/1 with the 3 and then off with the 4.
    white = board({6: 4, 5: 3, 4: 2, 3: 1, 2: 2, 1: 2}, {18: 2})
    position = white if player is W else white.mirrored()
    assert offences(position, "43", "4/off", player) == [(Kind.WHOLE_ROLL_NOT_PLAYED, (6, 5, 4, 3))]


def test_bearing_off_by_one_number_only_went_through_no_point():
    position = board({5: 1, 3: 1}, {24: 2})
    assert offences(position, "64", "5/off") == [(Kind.WHOLE_ROLL_NOT_PLAYED, (3,))]


def test_the_last_checker_moved_up_must_still_be_borne_with_the_other_number():
    assert offences(board({2: 1}, {1: 2}), "31", "2/1") == [(Kind.WHOLE_ROLL_NOT_PLAYED, (1,))]


def test_the_hit_checker_was_not_put_on_the_bar():
    position = board({8: 2, 6: 2}, {20: 1, 1: 2})
    taken_away = board({8: 1, 6: 1, 5: 2}, {1: 2})
    found = explain(position, W, Dice(3, 1), taken_away)
    assert [(offence.kind, offence.places) for offence in found] == [
        (Kind.HIT_CHECKER_NOT_ON_BAR, (Place(5), Place(25, B)))
    ]
    left_there = board({8: 1, 6: 1, 5: 2}, {20: 1, 1: 2})
    assert [offence.kind for offence in explain(position, W, Dice(3, 1), left_there)] == [
        Kind.HIT_CHECKER_NOT_ON_BAR
    ]


def test_a_checker_of_the_opponent_was_moved():
    white = after_steps(START, W, parse_steps("8/5 6/5")).white
    black = list(START.black)
    black[13], black[12] = 4, 1
    found = explain(START, W, Dice(3, 1), Position(white, tuple(black)))
    assert [(offence.kind, offence.places) for offence in found] == [
        (Kind.MOVED_OPPONENTS_CHECKER, (Place(12), Place(13)))
    ]


def test_a_miscounted_checker_that_hit_on_its_way_is_miscounted():
    position = board({13: 2, 6: 2}, {17: 1, 1: 2})
    # 13/8* with the 5, and then one point instead of six.
    assert offences(position, "65", "13/8* 8/7") == [(Kind.WRONG_DISTANCE, (13, 7))]


def test_a_checker_is_missing_or_there_is_one_too_many():
    white = list(after_steps(START, W, parse_steps("8/5 6/5")).white)
    white[24] = 1
    found = explain(START, W, Dice(3, 1), Position(tuple(white), START.black))
    assert [(offence.kind, offence.places) for offence in found] == [(Kind.CHECKER_MISSING, (Place(24),))]
    white[24] = 3
    found = explain(START, W, Dice(3, 1), Position(tuple(white), START.black))
    assert [(offence.kind, offence.places) for offence in found] == [(Kind.CHECKER_EXTRA, (Place(24),))]


def test_places_are_whites_points_whoever_plays():
    assert Place.of(W, 24) == Place.of(B, 1) == Place(24)
    assert str(Place.of(B, 25)) == "black bar"
    assert str(Place.of(B, 8)) == "point 17"


def test_a_board_not_furnished_as_the_game_begins():
    assert unfurnished(START) == ()
    crooked = list(START.white)
    crooked[8], crooked[7] = 2, 1
    (offence,) = unfurnished(Position(tuple(crooked), START.black))
    assert offence.kind is Kind.BOARD_NOT_FURNISHED
    assert offence.places == (Place(7), Place(8))


def test_every_board_that_is_not_legal_has_an_explanation():
    chance = random.Random(3)
    position, player = START, W
    for _ in range(300):
        dice = Dice(chance.randint(1, 6), chance.randint(1, 6))
        legal = legal_plays(position, player, dice)
        seen = carelessly_played(position, player, chance)
        found = explain(position, player, dice, seen)
        assert (found == ()) == (seen in legal)
        assert all(offence.places for offence in found)
        position = chance.choice(list(legal)).result
        player = player.opponent
        if position.winner:
            position = START


def carelessly_played(position, player, chance):
    """One to four checkers of the player, and at times one of the opponent, put anywhere."""
    own, opposing = list(position.side(player)), list(position.side(player.opponent))
    for side in [own] * chance.randint(1, 4) + [opposing] * (chance.random() < 0.2):
        side[chance.choice([place for place in range(26) if side[place]])] -= 1
        if chance.random() < 0.9:
            side[chance.randrange(26)] += 1
    return Position.of(player, own, opposing)


def test_steps_between_two_boards_are_told_without_the_dice():
    after = after_steps(START, B, parse_steps("13/11 13/8"))
    assert [str(step) for step in steps_between(START, B, after)] == ["13/11", "13/8"]
    assert steps_between(START, W, after) == ()
