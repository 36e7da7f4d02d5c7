"""The laws that no book changes, tried under every set; named by where each book gives them."""

import pytest

from controller.referee import RollCalled
from controller.referee.words.sentences import Speech, effect_sentence
from controller.rules import (
    LAWS,
    AcceptedResignation,
    Cube,
    Dice,
    Doubled,
    EditedBoard,
    Game,
    GamePhase,
    IllegalAction,
    Match,
    Moved,
    OfferedResignation,
    OpeningThrow,
    Passed,
    Player,
    Position,
    Rolled,
    Stakes,
    ThrowFault,
    Took,
    TouchedMan,
    Win,
    after_steps,
    legal_plays,
    parse_steps,
)
from controller.rules.laws.common_laws import COMMON
from controller.rules.notation.calls import parse_call
from tests.controller.referee.table import Table
from tests.controller.rules.boards import board

W, B = Player.WHITE, Player.BLACK
NAMES = {W: "Ada", B: "Bert"}


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


def direction_of_play(laws):
    for play in plays(laws.start, "31", laws):
        ends = [word.rstrip("*").split("/") for word in play.split()]
        assert all(int(source) > int(target) for source, target in ends)
    # White's 24 is Black's ace point: the two go opposite ways.
    assert legal_plays(laws.start, W, Dice(3, 1), laws).position.mirrored().black == laws.start.white


def calling_the_throw(laws):
    """At the table, and the higher number first, whichever die shows it."""
    names = ["ace", "deuce", "trois", "quatre", "cinque", "six"]
    for first, second in ((4, 3), (3, 4), (1, 6), (2, 5)):
        table = Table(laws=laws)
        table.roll(first, second)
        called = [effect for effect in table.effects if isinstance(effect, RollCalled)][-1]
        higher, lower = (names[number - 1] for number in sorted((first, second), reverse=True))
        assert f"{higher}-{lower}" in effect_sentence(called, NAMES, Speech.OLD).lower()
        assert parse_call(f"{lower}-{higher}") == parse_call(f"{higher}-{lower}") == called.dice


def men_on_one_point(laws):
    assert "13/7 8/7" in plays(board({13: 1, 8: 1, 7: 13}), "61", laws)


def several_blots(laws):
    hit_both = legal_plays(board({24: 1, 13: 1}, {25 - 20: 1, 25 - 10: 1}), W, Dice(4, 3), laws)
    assert hit_both.parse("24/20* 13/10*").result.black[25] == 2


def a_part_that_cannot_be_played(laws):
    # The four is blocked everywhere: the ace alone is played, and the four is lost.
    assert plays(board({24: 1}, {25 - 20: 2, 25 - 19: 2}), "41", laws) == ["24/23"]


def aces_given_as_odds(laws):
    """The weaker player begins each game of the match, and nothing but aces is his first throw."""
    match = Match.new(3, laws, Stakes(cube=False, aces_to=B))
    for _ in range(2):
        assert match.game.turn is B
        given = [action.dice for action in match.legal_actions() if isinstance(action, Rolled)]
        assert given == [Dice(1, 1)]
        with pytest.raises(IllegalAction, match="given aces as odds: his first throw is 11"):
            match.push(Rolled(player=B, dice=Dice(6, 5)))
        match = match.push(Rolled(player=B, dice=Dice(1, 1)))
        match = match.push(next(play for play in match.legal_actions() if isinstance(play, Moved)))
        later = [action.dice for action in match.legal_actions() if isinstance(action, Rolled)]
        assert len(later) == 21
        match = match.push(OfferedResignation(player=B, win=Win.SINGLE)).push(AcceptedResignation(player=W))


def abiding_by_the_call(laws):
    """Six-five is called, and the dice are touched: they count six-five, whatever he would like."""
    called = parse_call("six-five")
    rolled = Game.new(laws, first=W).push(Rolled(player=W, dice=called))
    of_the_call = {play.result for play in legal_plays(laws.start, W, called, laws)}
    for other in Dice.rolls():
        with pytest.raises(IllegalAction):
            rolled.push(Rolled(player=W, dice=other))
        for play in legal_plays(laws.start, W, other, laws):
            if play.result not in of_the_call:
                with pytest.raises(IllegalAction, match="65"):
                    rolled.push(Moved(player=W, steps=play.steps))
    for fault in ThrowFault:
        # A throw is void for how the dice fall, not because they are touched after it.
        assert "touched" not in fault.value
    # At the table he takes the dice up before he moves.
    for steps, offends in ("24/18 18/13", False), ("13/7 8/7", True):
        table = Table(on_roll=W, laws=laws)
        table.roll(6, 5)
        assert [effect.dice for effect in table.effects if isinstance(effect, RollCalled)] == [called]
        table.lift()
        table.show(str(Position.START), hand=True)
        table.show(str(after_steps(Position.START, W, parse_steps(steps))))
        table.roll(3, 1)
        assert bool(table.offences) is offends
        if not offends:
            assert table.plays == [f"white 65 {steps}"]


def touching_other_men(laws):
    blocked = {25 - 20: 2, 25 - 18: 2}
    game = Game.new(laws).push(EditedBoard(position=board({24: 1, 13: 2}, blocked), on_roll=W))
    game = game.push(Rolled(player=W, dice=Dice(6, 4)))
    free = {action for action in game.legal_actions() if isinstance(action, Moved)}
    touched = game.push(TouchedMan(player=W, place=24))
    assert {action for action in touched.legal_actions() if isinstance(action, Moved)} == free


def shaking_early(laws):
    """Black takes up the dice while White still plays: the play is waited for, then Black's throw counts."""
    table = Table(on_roll=W, laws=laws)
    table.roll(3, 1)
    table.show(str(after_steps(Position.START, W, parse_steps("8/5"))), hand=True)
    table.lift()
    made = after_steps(Position.START, W, parse_steps("8/5 6/5"))
    table.show(str(made))
    table.roll(5, 2)
    table.show(str(after_steps(made, B, parse_steps("13/8 13/11"))))
    table.lift()
    assert table.plays == ["white 31 8/5 6/5", "black 52 13/8 13/11"]
    assert table.offences == []
    # The rules take no throw before the play is made.
    with pytest.raises(IllegalAction):
        begun(laws).push(Rolled(player=B, dice=Dice(2, 1)))


def doubled(laws):
    game = Game.new(laws, Stakes(), first=W)
    return game.push(Doubled(player=W)).push(Took(player=B))


def who_may_turn_the_cube_again(laws):
    game = doubled(laws)
    assert game.cube == Cube(2, B)
    with pytest.raises(IllegalAction):
        game.push(Doubled(player=W))
    game = game.push(Rolled(player=W, dice=Dice(3, 1)))
    game = game.push(next(iter(game.legal_actions())))
    assert game.push(Doubled(player=B)).push(Took(player=W)).cube == Cube(4, W)


def a_double_refused(laws):
    assert (
        Game.new(laws, Stakes(), first=W).push(Doubled(player=W)).push(Passed(player=B)).outcome.points == 1
    )


def cube_and_gammon(laws):
    game = doubled(laws).push(OfferedResignation(player=B, win=Win.GAMMON))
    assert game.push(AcceptedResignation(player=W)).outcome.points == 4


def throwing_over(laws):
    agreed = Stakes(throw_over=True, throw_over_turns_cube=True)
    game = Game.new(laws, agreed).push(OpeningThrow(white=3, black=1))
    assert game.push(Rolled(player=W, dice=Dice(6, 6))).cube.value == 2
    with pytest.raises(IllegalAction):
        begun(laws, Stakes()).push(Rolled(player=W, dice=Dice(6, 6)))


def begun(laws, stakes=None):
    """White is to play a roll that is not that of the opening throw."""
    return Game.new(laws, stakes, first=W).push(Rolled(player=W, dice=Dice(3, 1)))


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
    "direction of play": direction_of_play,
    "calling the throw": calling_the_throw,
    "men on one point": men_on_one_point,
    "several blots": several_blots,
    "a part that cannot be played": a_part_that_cannot_be_played,
    "aces given as odds": aces_given_as_odds,
    "abiding by the call": abiding_by_the_call,
    "touching other men": touching_other_men,
    "shaking the dice early": shaking_early,
    "who may turn the cube again": who_may_turn_the_cube_again,
    "a double refused": a_double_refused,
    "cube and gammon": cube_and_gammon,
    "throwing over": throwing_over,
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
