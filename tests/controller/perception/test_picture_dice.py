"""Dice seen in pictures are told as a dice tray would tell them."""

import pytest

from controller.perception.orientation import Orientation
from controller.perception.picture_dice import PictureDice
from controller.rules import Player
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled
from vision.dice.dice_reader import SeenDie

SEATED = Orientation(white_home="bottom-right", light=Player.WHITE)
BRIGHT, DARK = 220.0, 60.0


def die(
    face: int | None,
    x: float,
    y: float = 0.5,
    brightness: float = BRIGHT,
    sureness: float = 0.94,
    presence: float = 0.99,
) -> SeenDie:
    """A die seen with `sureness`, the rest shared by the other answers."""
    odds = [(1 - sureness) / 6] * 7
    odds[6 if face is None else face - 1] = sureness
    return SeenDie(
        face=face,
        presence=presence,
        odds=tuple(odds),
        x=x,
        y=y,
        box_px=(0, 0, 1, 1),
        brightness=brightness,
    )


@pytest.fixture
def dice() -> PictureDice:
    return PictureDice()


def settled(t_ms: int, first: int | None, second: int | None) -> tuple[DiceSettled, ...]:
    return (DiceSettled(t_ms=t_ms, die=1, face=first), DiceSettled(t_ms=t_ms, die=2, face=second))


def lifted(t_ms: int) -> tuple[DiceLifted, ...]:
    return DiceLifted(t_ms=t_ms, die=1), DiceLifted(t_ms=t_ms, die=2)


SIX_ONE = (die(6, 0.2), die(1, 0.3))


def test_a_pair_is_told_at_its_second_sighting_and_once(dice):
    assert dice.dice_events(SIX_ONE, 0) == ()
    assert dice.dice_events(SIX_ONE, 250) == settled(250, 6, 1)
    assert dice.dice_events(SIX_ONE, 500) == ()


def test_until_dice_are_told_or_taken_up_the_next_picture_decides(dice):
    pictures = [(), SIX_ONE, SIX_ONE, (*SIX_ONE, die(5, 0.7), die(2, 0.8)), SIX_ONE, (), (), ()]
    undecided = []
    for number, picture in enumerate(pictures):
        dice.dice_events(picture, 250 * number)
        undecided.append(dice.undecided)
    assert undecided == [False, True, False, True, False, True, False, False]


def test_the_order_in_which_dice_are_found_does_not_matter(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE[::-1], 250)
    assert dice.dice_events(SIX_ONE[::-1], 500) == ()


def test_dice_overlooked_in_one_picture_still_lie_there(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    assert dice.dice_events((), 500) == ()
    assert dice.dice_events(SIX_ONE[:1], 750) == ()
    assert dice.dice_events(SIX_ONE, 1000) == ()


def test_dice_gone_from_two_pictures_were_taken_up(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    dice.dice_events((), 500)
    assert dice.dice_events((), 750) == lifted(750)
    assert dice.dice_events((), 1000) == ()


def test_dice_elsewhere_are_a_new_throw(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    again = (die(6, 0.7), die(1, 0.8))
    assert dice.dice_events(again, 500) == lifted(500)
    assert dice.dice_events(again, 750) == settled(750, 6, 1)


def test_a_second_pair_beside_the_first_is_a_new_throw(dice):
    """Each player has dice of his own, and leaves them lying until he throws again."""
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    second = (die(3, 0.7), die(2, 0.8))
    assert dice.dice_events((*second, *SIX_ONE), 1000) == ()
    assert dice.dice_events((*SIX_ONE, *second), 1250) == (*lifted(1250), *settled(1250, 3, 2))
    assert dice.dice_events(second, 1500) == ()
    third = (die(4, 0.4), die(4, 0.5))
    dice.dice_events((*second, *third), 2000)
    assert dice.dice_events((*second, *third), 2250) == (*lifted(2250), *settled(2250, 4, 4))
    dice.dice_events(second, 2500)
    assert dice.dice_events(second, 2750) == lifted(2750)


def test_something_like_a_die_beside_the_throw_is_no_new_throw(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    assert [dice.dice_events((*SIX_ONE, die(2, 0.9)), t_ms) for t_ms in (500, 750, 1000)] == [(), (), ()]


def test_two_things_beside_the_throw_that_hardly_look_like_dice_are_no_new_throw(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    things = (die(4, 0.9, presence=0.9), die(5, 0.8, presence=0.8))
    assert [dice.dice_events((*SIX_ONE, *things), t_ms) for t_ms in (500, 750, 1000)] == [(), (), ()]


def test_a_second_pair_in_the_shade_is_a_new_throw_where_the_first_is_no_surer(dice):
    for t_ms in (0, 250):
        dice.dice_events((die(6, 0.2, presence=0.8), die(1, 0.3, presence=0.7)), t_ms)
    both = [die(n, x, presence=0.8) for n, x in ((6, 0.2), (1, 0.3), (3, 0.7), (2, 0.8))]
    dice.dice_events(both, 1000)
    assert dice.dice_events(both, 1250) == (*lifted(1250), *settled(1250, 3, 2))


@pytest.mark.parametrize("presences", [(0.96, 0.9), (0.9, 0.8)], ids=["once surely there", "never"])
def test_nobody_throws_a_third_die_alone(dice, presences):
    """The other die of a second pair lies where it is hard to see."""
    for t_ms in (0, 250):
        dice.dice_events(SIX_ONE, t_ms)
    for t_ms, presence in zip((1000, 1250), presences, strict=True):
        told = dice.dice_events((*SIX_ONE, die(3, 0.7), die(2, 0.8, presence=presence)), t_ms)
    assert told == (*lifted(1250), *settled(1250, 3, 2))


def test_an_old_die_whose_other_one_is_overlooked_is_no_die_of_a_new_throw(dice):
    second = (die(3, 0.7), die(2, 0.8))
    for t_ms, there in ((0, ()), (250, ()), (1000, second), (1250, second)):
        dice.dice_events((*SIX_ONE, *there), t_ms)
    like_a_die = die(5, 0.9)
    assert [dice.dice_events((SIX_ONE[0], *second, like_a_die), t_ms) for t_ms in (1500, 1750)] == [(), ()]


def test_a_die_that_came_before_the_dice_were_taken_up_is_not_of_the_next_throw(dice):
    """It is of a throw whose other die was overlooked. The next throw lies partly in the shade."""
    overlooked = die(3, 0.7)
    for t_ms, there in ((0, ()), (250, ()), (1000, (overlooked,)), (1250, (overlooked,))):
        dice.dice_events((*SIX_ONE, *there), t_ms)
    thrown = (die(5, 0.2), die(4, 0.5, presence=0.8), overlooked)
    assert dice.dice_events(thrown, 2000) == lifted(2000)
    assert dice.dice_events(thrown, 2250) == settled(2250, 5, 4)
    third = (die(2, 0.4), die(2, 0.9))
    assert dice.dice_events((*thrown, *third), 3000) == ()
    assert dice.dice_events((*thrown, *third), 3250) == (*lifted(3250), *settled(3250, 2, 2))


def test_a_third_die_is_no_throw_where_one_of_the_first_two_is_gone(dice):
    """It is that one, touched in passing, and something else that hardly looks like a die."""
    for t_ms in (0, 250):
        dice.dice_events(SIX_ONE, t_ms)
    touched = (SIX_ONE[0], die(1, 0.35), die(4, 0.9, presence=0.8))
    assert [dice.dice_events(touched, t_ms) for t_ms in (1000, 1250)] == [(), ()]


def test_what_hardly_looks_like_a_die_gives_way_to_one_that_does(dice):
    """A die in the shade is seen when a hand has gone. A mark on the field had passed for it."""
    first, mark, other = die(6, 0.2), die(4, 0.9, sureness=0.5, presence=0.8), die(1, 0.3)
    dice.dice_events((first, mark), 0)
    (sure, doubtful) = dice.dice_events((first, mark), 250)
    assert (sure.face, type(doubtful)) == (6, DiceMoving)
    dice.dice_events((first, other, mark), 500)
    assert dice.dice_events((first, other, mark), 750) == (DiceSettled(t_ms=750, die=2, face=1),)


def test_a_new_throw_is_told_though_a_thing_that_passes_for_the_second_die_stays(dice):
    thing = die(2, 0.9)
    for t_ms in (0, 250):
        dice.dice_events((die(6, 0.2), thing), t_ms)
    assert dice.dice_events((die(4, 0.5), thing), 1500) == lifted(1500)
    assert dice.dice_events((die(4, 0.5), thing), 1750) == settled(1750, 4, 2)


def test_tumbling_dice_are_not_told(dice):
    for i in range(4):
        assert dice.dice_events((die(i + 1, 0.2 + 0.1 * i), die(6 - i, 0.6 + 0.05 * i)), 250 * i) == ()


def test_a_pair_seen_once_is_told_when_long_afterwards_other_dice_lie_there(dice):
    dice.dice_events(SIX_ONE, 0)
    others = (die(3, 0.7), die(2, 0.8))
    assert dice.dice_events(others, 900) == (*settled(0, 6, 1), *lifted(900))


def test_a_leaning_die_is_cocked(dice):
    cocked = (die(5, 0.2), die(None, 0.3))
    dice.dice_events(cocked, 0)
    assert dice.dice_events(cocked, 250) == settled(250, 5, None)


def test_a_misread_face_is_outvoted(dice):
    dice.dice_events(SIX_ONE, 0)
    assert dice.dice_events((die(5, 0.2, sureness=0.6), die(1, 0.3)), 250) == (
        DiceMoving(t_ms=250, die=1),
        DiceSettled(t_ms=250, die=2, face=1),
    )
    dice.dice_events(SIX_ONE, 500)
    assert dice.dice_events(SIX_ONE, 750) == (DiceSettled(t_ms=750, die=1, face=6),)


def test_a_second_picture_of_a_doubtful_die_is_no_second_witness(dice):
    doubtful = (die(6, 0.2), die(1, 0.3, sureness=0.5))
    dice.dice_events(doubtful, 0)
    assert dice.dice_events(doubtful, 250) == (
        DiceSettled(t_ms=250, die=1, face=6),
        DiceMoving(t_ms=250, die=2),
    )


def test_a_face_that_is_not_sure_stays_so_however_often_it_is_seen(dice):
    unsure = (die(6, 0.2, sureness=0.7), die(1, 0.3))
    told = [dice.dice_events(unsure, t_ms) for t_ms in range(0, 2500, 250)]
    ((first, second),) = filter(None, told)
    assert isinstance(first, DiceMoving)
    assert max(first.odds) < 0.9
    assert isinstance(second, DiceSettled)


def test_a_die_that_nobody_can_read_is_told_as_moving(dice):
    unsure = (die(6, 0.2), die(2, 0.3, sureness=0.4))
    dice.dice_events(unsure, 0)
    assert dice.dice_events(unsure, 250) == (
        DiceSettled(t_ms=250, die=1, face=6),
        DiceMoving(t_ms=250, die=2),
    )


def test_a_die_that_is_not_sure_is_told_with_its_odds(dice):
    unsure = (die(6, 0.2), die(2, 0.3, sureness=0.5))
    dice.dice_events(unsure, 0)
    _, second = dice.dice_events(unsure, 250)
    assert isinstance(second, DiceMoving)
    assert second.odds[1] == max(second.odds)
    assert sum(second.odds) == pytest.approx(1)


def test_what_was_told_is_not_taken_back_by_doubt(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    unsure = (SIX_ONE[0], die(4, 0.3, sureness=0.9))
    assert [dice.dice_events(unsure, t_ms) for t_ms in (500, 750, 1000)] == [(), (), ()]
    assert dice.dice_events(SIX_ONE, 1250) == ()


def test_a_die_touched_in_passing_is_not_thrown_again(dice):
    dice.dice_events(SIX_ONE, 0)
    dice.dice_events(SIX_ONE, 250)
    nudged = (SIX_ONE[0], die(1, 0.4))
    assert [dice.dice_events(nudged, t_ms) for t_ms in (500, 750, 1000)] == [(), (), ()]


@pytest.mark.parametrize(("light", "faces"), [(Player.WHITE, (5, 2)), (Player.BLACK, (2, 5))])
def test_in_the_opening_throw_each_player_has_the_die_of_his_colour(dice, light, faces):
    thrown = (die(2, 0.2, brightness=DARK), die(5, 0.3, brightness=BRIGHT))
    seated = Orientation(white_home="bottom-right", light=light)
    dice.dice_events(thrown, 0, opening=seated)
    assert dice.dice_events(thrown, 250, opening=seated) == settled(250, *faces)


def test_in_the_opening_throw_of_like_dice_each_throws_to_his_right(dice):
    thrown = (die(2, 0.2), die(5, 0.8))
    dice.dice_events(thrown, 0, opening=SEATED)
    assert dice.dice_events(thrown, 250, opening=SEATED) == settled(250, 5, 2), (
        "White sits below, his right is ours"
    )


def test_an_opening_throw_of_which_nothing_shows_who_threw_which_die_is_told_as_such(dice):
    thrown = (die(2, 0.2), die(5, 0.3))
    assert dice.dice_events(thrown, 0, opening=SEATED) == ()
    told = dice.dice_events(thrown, 250, opening=SEATED)
    assert told == settled(250, 2, 5)
    assert [event.thrower_known for event in told] == [False, False]
    assert dice.dice_events(thrown, 500) == ()


def test_how_sure_a_face_is_is_told_with_it(dice):
    dice.dice_events((die(6, 0.2), die(1, 0.3, sureness=0.8)), 0)
    first, second = dice.dice_events((die(6, 0.2), die(1, 0.3, sureness=0.8)), 250)
    assert isinstance(first, DiceSettled)
    assert isinstance(second, DiceSettled)
    assert 0.9 < second.odds[0] < first.odds[5] < 1
    assert sum(second.odds) == pytest.approx(1)


THING = die(2, 0.9, sureness=0.4)
"""An ornament that looks a little like a die."""


def test_what_lay_beside_a_throw_and_stays_is_no_die_of_the_next(dice):
    dice.dice_events((*SIX_ONE, THING), 0)
    dice.dice_events((*SIX_ONE, THING), 250)
    second = (die(3, 0.4), die(4, 0.5))
    events = [dice.dice_events((THING, *second), t_ms) for t_ms in (1000, 1250)]
    assert events == [lifted(1000), settled(1250, 3, 4)]


def test_what_lay_there_before_the_first_throw_is_no_die(dice):
    for t_ms in (0, 250):
        assert dice.dice_events((THING,), t_ms) == ()
    dice.dice_events((THING, *SIX_ONE), 500)
    assert dice.dice_events((THING, *SIX_ONE), 750) == settled(750, 6, 1)


def test_a_lone_die_is_one_though_its_other_one_is_seen_late_beside_something_like_a_die(dice):
    lone = die(5, 0.9)
    for t_ms in (0, 900):
        assert dice.dice_events((lone,), t_ms) == ()
    there = (lone, die(4, 0.25, presence=0.96), die(6, 0.6, presence=0.78))
    assert dice.dice_events(there, 8000) == ()
    assert dice.dice_events(there, 8900) == settled(8900, 5, 4)


def test_a_lone_die_that_is_gone_was_one(dice):
    """Its fellow was overlooked. Two others lie there now."""
    for t_ms in (0, 250):
        dice.dice_events(SIX_ONE[:1], t_ms)
    second = (die(3, 0.6), die(4, 0.7))
    dice.dice_events(second, 1000)
    assert dice.dice_events(second, 1250) == settled(1250, 3, 4)
    third = (die(6, 0.2), die(5, 0.5))
    dice.dice_events(third, 2000)
    assert dice.dice_events(third, 2250) == settled(2250, 6, 5), "it may lie where that one lay"
