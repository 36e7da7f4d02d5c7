"""Positions: what they say of themselves, and what is wrong with them."""

import copy
import pickle

import pytest

from controller.rules import (
    Defect,
    DefectKind,
    Dice,
    DiceError,
    Player,
    Position,
    PositionError,
    explain,
    legal_plays,
    parse_play,
    shots,
    steps_between,
)

W, B = Player.WHITE, Player.BLACK


def test_the_start_position_has_no_problems_and_167_pips_a_side():
    assert Position.START.problems() == ()
    assert [Position.START.pip_count(player) for player in Player] == [167, 167]
    assert Position.START.mirrored() == Position.START


def test_a_position_is_a_value():
    again = Position.parse(str(Position.START))
    assert again == Position.START
    assert hash(again) == hash(Position.START)
    assert eval(repr(again)) == again
    assert pickle.loads(pickle.dumps(again)) == copy.deepcopy(again) == again
    with pytest.raises(AttributeError, match="immutable"):
        again.white = (0,) * 26


@pytest.mark.parametrize(
    "ask",
    [
        lambda player: Position.START.side(player),
        lambda player: Position.START.pip_count(player),
        lambda player: Position.of(player, Position.START.white, Position.START.black),
        lambda player: legal_plays(Position.START, player, Dice(3, 1)),
        lambda player: parse_play("8/5 6/5", Position.START, player, Dice(3, 1)),
        lambda player: explain(Position.START, player, Dice(3, 1), Position.START),
        lambda player: shots(Position.START, player),
        lambda player: steps_between(Position.START, player, Position.START),
    ],
    ids=["side", "pip_count", "of", "legal_plays", "parse_play", "explain", "shots", "steps_between"],
)
def test_a_text_in_place_of_a_player_is_refused_and_does_not_mean_black(ask):
    ask(B)
    with pytest.raises(TypeError, match=r"'white' is no player; use Player.WHITE or Player.BLACK"):
        ask("white")


def test_text_gives_white_first_and_each_side_in_its_own_numbering():
    position = Position.parse("00000050300005000000000011:d0200000000000000000000000")
    assert position.white[24] == position.white[25] == 1
    assert (position.black[0], position.black[2]) == (13, 2)
    assert position.side(B) == position.mirrored().side(W)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("00000050300005000000000020", "no ':'"),
        ("0000005030000500000000002:00000050300005000000000020", "White must have 26 digits"),
        ("00000050300005000000000020:0000005030000500000000002g", "character 53: 'g'"),
        ("0000005030000500000000002\u0664:00000050300005000000000020", "character 26"),
    ],
)
def test_a_wrong_text_is_refused_with_the_place(text, complaint):
    with pytest.raises(PositionError, match=complaint):
        Position.parse(text)


def test_defects_are_named_with_their_places():
    position = Position.parse("00000050300004000000000020:00000050300005000000000030")
    assert position.problems() == (
        Defect(DefectKind.MISSING_CHECKER, W),
        Defect(DefectKind.EXTRA_CHECKER, B),
    )
    assert [str(defect) for defect in position.problems()] == [
        "White has 1 checker missing",
        "Black has 1 checker too many",
    ]
    position = Position.parse("00000050300005000000000110:00100050300005000000000010")
    assert position.problems() == (Defect(DefectKind.BOTH_ON_ONE_POINT, point=23),)
    over = Position.parse("f0000000000000000000000000:f0000000000000000000000000")
    assert over.problems() == (Defect(DefectKind.BOTH_BORNE_OFF),)


def test_who_has_borne_off_all_has_won():
    assert Position.START.winner is None
    won = Position.parse("00000050300005000000000020:f0000000000000000000000000")
    assert won.winner is B
    assert won.mirrored().winner is W


def test_dice_are_the_same_in_either_order_and_a_double_is_played_four_times():
    assert Dice(1, 3) == Dice(3, 1) == Dice.parse("13")
    assert str(Dice(1, 3)) == "31"
    assert Dice(3, 1).numbers == (3, 1)
    assert Dice(2, 2).numbers == (2, 2, 2, 2)
    assert sum(dice.ways for dice in Dice.rolls()) == 36
    for text in ("", "7", "07", "1-3", "\u0661\u0662"):
        with pytest.raises(DiceError):
            Dice.parse(text)


def test_the_average_throw_is_294_pips_in_36():
    assert sum(sum(dice.numbers) * dice.ways for dice in Dice.rolls()) == 294
