"""The laws that no book changes, tried under every set; named by where each book gives them."""

import pytest

from controller.rules import (
    LAWS,
    Dice,
    EditedBoard,
    Game,
    GamePhase,
    IllegalAction,
    Moved,
    OpeningThrow,
    Player,
    Rolled,
    legal_plays,
    parse_steps,
)
from controller.rules.laws.common_laws import COMMON
from tests.controller.rules.boards import board

W, B = Player.WHITE, Player.BLACK


def plays(position, roll, laws):
    return sorted(str(play) for play in legal_plays(position, W, Dice.parse(roll), laws))


def who_begins(laws):
    assert Game.new(laws).push(OpeningThrow(white=2, black=5)).turn is B
    assert Game.new(laws).push(OpeningThrow(white=4, black=3)).turn is W
    assert Game.new(laws).push(OpeningThrow(white=4, black=4)).phase is GamePhase.OPENING


def where_a_man_may_land(laws):
    assert plays(board({13: 1}, {25 - 9: 1}), "41", laws) == ["13/12 12/8", "13/9* 9/8"]
    assert plays(board({13: 1}, {25 - 9: 2}), "41", laws) == ["13/12 12/8"]
    assert plays(board({8: 1}, {25 - 7: 2, 25 - 4: 2}), "41", laws) == ["no move"]


def both_numbers_with_one_man(laws):
    # Trois doublets with the third point from his only man held: lost, though the sixth is free.
    assert plays(board({13: 1}, {25 - 10: 2}), "33", laws) == ["no move"]


def doublets(laws):
    assert plays(board({13: 1, 24: 1}, {25 - 23: 2}), "11", laws) == ["13/12 12/11 11/10 10/9"]


def whole_throw(laws):
    # 10/9 with the ace would leave no six, for 3 is held: so the ace is played 6/5.
    assert plays(board({10: 1, 6: 1}, {25 - 3: 2}), "61", laws) == ["10/4 6/5"]


def hitting_a_blot(laws):
    found = plays(board({8: 2, 6: 2}, {25 - 5: 1, 1: 2}), "21", laws)
    assert {"6/4 6/5*", "8/6 8/7"} <= set(found)


def a_man_up(laws):
    assert plays(board({25: 1, 6: 2}, {6: 2, 5: 2}), "61", laws) == ["bar/24 24/18"]
    assert plays(board({25: 1, 6: 2}, {6: 2, 5: 2}), "65", laws) == ["no move"]


def bearing(laws):
    found = [set(play.split()) for play in plays(board({6: 1, 4: 1, 3: 1}), "43", laws)]
    assert all(way in found for way in ({"4/off", "3/off"}, {"6/2", "3/off"}, {"4/off", "6/3"}))
    # One man still abroad, and none is borne.
    assert "off" not in " ".join(plays(board({13: 1, 3: 1, 2: 1}), "32", laws))


def a_number_too_high(laws):
    assert plays(board({5: 2, 2: 1}), "66", laws) == ["5/off(2) 2/off"]
    assert "2/off" not in " ".join(plays(board({5: 1, 2: 1, 1: 1}), "31", laws))


def hit_while_bearing(laws):
    bore_and_hit = board({25: 1, 5: 2, 4: 2}, {25 - 20: 2, 6: 2, 1: 1})
    game = Game.new(laws).push(EditedBoard(position=bore_and_hit, on_roll=W))
    game = game.push(Rolled(player=W, dice=Dice(4, 1)))
    with pytest.raises(IllegalAction):
        game.push(Moved(player=W, steps=parse_steps("4/off bar/24")))
    assert all("off" not in play for play in plays(bore_and_hit, "41", laws))


TRIALS = {
    "who begins": who_begins,
    "where a man may land": where_a_man_may_land,
    "both numbers with one man": both_numbers_with_one_man,
    "doublets": doublets,
    "whole throw": whole_throw,
    "hitting a blot": hitting_a_blot,
    "a man up": a_man_up,
    "bearing": bearing,
    "a number too high": a_number_too_high,
    "hit while bearing": hit_while_bearing,
}

CASES = [
    pytest.param(law, LAWS[name], id=f"{name}, {citation.where}: {law.question}")
    for law in COMMON
    for name, citation in law.citations.items()
]


@pytest.mark.parametrize(("law", "laws"), CASES)
def test_common_law(law, laws):
    TRIALS[law.question](laws)


@pytest.mark.parametrize("question", TRIALS)
@pytest.mark.parametrize("name", ["nackgammon", "hypergammon"])
def test_a_variant_that_only_begins_elsewhere_keeps_it(name, question):
    TRIALS[question](LAWS[name])


def test_every_common_law_is_tried():
    assert [law.question for law in COMMON] == list(TRIALS)
