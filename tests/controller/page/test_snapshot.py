"""What the live view shows of a game."""

from dataclasses import replace

import pytest

from controller.page.lamp_view import lamp_views
from controller.page.moment import Moment, Told
from controller.page.snapshot import snapshot_of, turn_views
from controller.perception.orientation import Orientation
from controller.referee import ActionDeclared, Lamp, Meaning, Question, RefereeState
from controller.referee.effects import Mode
from controller.referee.words.sentences import Speech
from controller.rules import Dice, Doubled, Passed, Place, Player, Position, Took
from controller.service.display import Asked
from hardware.dice_events import DiceMoving, DiceSettled
from hardware.light_port import BOTTOM_BAR, TOP_BAR
from tests.controller.referee.table import Table
from tests.controller.referee.test_referee import AFTER_31, AFTER_31_64


def shown(table, orientation=None, *, speech=Speech.PLAIN, follows_live=True, **more):
    moment = Moment(t_ms=table.t_ms, state=table.state, orientation=orientation or Orientation(), **more)
    return snapshot_of(moment, speech, follows_live=follows_live)


def lines(choices):
    return [choice.line for choice in choices]


def begun():
    table = Table()
    table.play(3, 1, AFTER_31)
    return table


def say(table, action):
    table.tell(ActionDeclared(t_ms=table.t_ms, action=action))


@pytest.mark.parametrize(
    ("home", "light", "white", "black"),
    [
        ("bottom-right", Player.WHITE, ("bottom", "light"), ("top", "dark")),
        ("top-left", Player.BLACK, ("top", "dark"), ("bottom", "light")),
    ],
)
def test_a_player_sits_where_his_home_lies_with_the_cube_and_the_men_on_the_bar(home, light, white, black):
    table, orientation = begun(), Orientation(white_home=home, light=light)
    say(table, Doubled(player=Player.BLACK))
    say(table, Took(player=Player.WHITE))
    table.show(AFTER_31, hidden=frozenset({24}))  # White's half of the bar
    found = shown(table, orientation)
    assert [(one.seat, one.checkers) for one in found.players] == [white, black]
    assert (found.cube.value, found.cube.owner, found.cube.place) == (2, "white", white[0])
    bar = {"top": found.sureness[TOP_BAR], "bottom": found.sureness[BOTTOM_BAR]}
    assert (bar[white[0]], bar[black[0]]) == ("hidden", "sure")


def test_a_score_is_that_of_the_player():
    table = begun()
    say(table, Doubled(player=Player.BLACK))
    say(table, Passed(player=Player.WHITE))
    found = shown(table)
    assert [(one.colour, one.score) for one in found.players] == [("white", 0), ("black", 1)]
    assert lines(found.desk) == ["start"]
    assert "pause" not in lines(found.mend)


def test_the_dice_lie_as_in_the_tray_and_are_blank_where_several_rolls_are_possible():
    table = Table()
    table.roll(1, 3)
    assert shown(table).dice == (1, 3)
    table.state = replace(table.state, rolls=(Dice(3, 1), Dice(3, 2)))
    assert shown(table).dice == (0, 0)


def test_nobody_is_on_roll_while_nothing_shows_who_won_the_opening_throw():
    table = Table()
    for die, face in ((1, 1), (2, 3)):
        table.tell(DiceMoving(t_ms=1000, die=die))
        table.tell(DiceSettled(t_ms=2000, die=die, face=face, thrower_known=False))
    assert shown(table).phase == "ROLLED"
    assert [one.is_on_roll for one in shown(table).players] == [False, False]


@pytest.mark.parametrize("mode", Mode)
def test_only_at_a_tournament_browsers_are_silent(mode):
    assert shown(Table(mode=mode)).may_sound is (mode is not Mode.TOURNAMENT)


def test_people_are_offered_what_they_may_say():
    table = Table()
    assert (lines(shown(table).desk), lines(shown(table).mend)) == ([], ["pause"])
    table.roll(3, 1)
    assert lines(shown(table).desk)[:3] == ["done", "cocked", "double"]
    assert lines(shown(table).mend) == ["pause"]
    table.show(AFTER_31)
    table.lift()
    assert lines(shown(table).desk)[0] == "double"
    assert lines(shown(table).mend) == ["take back", "pause"]
    say(table, Doubled(player=Player.BLACK))
    assert lines(shown(table).desk) == ["take", "pass"]  # no beaver was agreed on
    assert lines(shown(table).mend) == ["undo", "take back", "pause"]
    say(table, Took(player=Player.WHITE))
    assert "double" not in lines(shown(table).desk)  # the cube is not that of Black, who is on roll
    table.roll(6, 4)
    assert "double" in lines(shown(table).desk)  # after this play it is White who may double
    looked_on = shown(table, follows_live=False)
    assert (looked_on.desk, looked_on.mend) == ((), ())


def test_a_question_is_shown_while_it_is_open_to_those_who_may_answer():
    table = Table()
    table.roll(3, 1)
    table.lift()
    table.show(AFTER_31, blurred=frozenset({2, 4, 5, 7}))
    table.show(AFTER_31, blurred=frozenset({2, 4, 5, 7}))
    asked = Asked(question=next(effect for effect in table.effects if isinstance(effect, Question)))
    (question,) = shown(table, asked=asked).questions
    made = [choice.line for choice in question.choices if choice.text == "8/5 6/5"]
    assert made == [f"correct game 1 1 {Position.parse(AFTER_31)}"]
    assert shown(table, asked=asked, follows_live=False).questions == ()
    table.show(AFTER_31)
    table.play(6, 4, AFTER_31_64)
    assert shown(table, asked=asked).questions == ()


def test_sentences_are_in_the_words_that_were_chosen():
    table = begun()
    told = tuple(Told(number=n, t_ms=0, what=effect) for n, effect in enumerate(table.effects, start=1))
    assert "trois-ace" in shown(table, speech=Speech.OLD, told=told).told[0].text


def test_a_roll_that_was_inferred_is_marked_apart_from_a_play_that_no_picture_shows():
    (turn,) = begun().state.record
    turns = (replace(turn, dice_inferred=True), replace(turn, unseen=True))
    assert [(one.is_inferred, one.is_unseen) for one in turn_views(turns, Speech.PLAIN)] == [
        (True, False),
        (False, True),
    ]


def test_of_two_lamps_at_one_place_the_first_is_shown_as_on_the_strip():
    place = Place(number=5)
    lamps = [Lamp(place=place, meaning=meaning) for meaning in (Meaning.OFFENCE, Meaning.BLOT_AT_RISK)]
    assert [lamp.meaning for lamp in lamp_views(lamps, Orientation())] == ["OFFENCE"]


def test_before_the_first_game_nothing_can_be_mended():
    found = snapshot_of(Moment(t_ms=0, state=RefereeState(), orientation=Orientation()))
    assert lines(found.mend) == []
