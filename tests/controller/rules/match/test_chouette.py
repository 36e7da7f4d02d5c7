"""A chouette, named for what its people do."""

import pytest

from controller.rules import Ending, Outcome, Player, Win
from controller.rules.match.chouette import Chouette, ChouetteError

BOX, TEAM = Player.WHITE, Player.BLACK


def won_by(player, points=1):
    return Outcome(winner=player, win=Win.SINGLE, points=points, ending=Ending.BORNE_OFF)


@pytest.fixture
def four():
    return Chouette.new(["Ada", "Bert", "Cleo", "Dan"])


def test_the_first_goes_into_the_box_and_the_second_is_captain(four):
    assert (four.box, four.captain, four.team) == ("Ada", "Bert", ("Bert", "Cleo", "Dan"))
    assert (four.name(Player.WHITE), four.name(Player.BLACK)) == ("Ada", "Bert")


def test_the_others_are_advisers_of_the_captain_and_the_box_has_none(four):
    assert four.advisers == ("Cleo", "Dan")


def test_the_box_wins_from_each_of_the_team_and_they_bet_alike(four):
    assert dict(four.after(won_by(BOX, 2)).points) == {"Ada": 6, "Bert": -2, "Cleo": -2, "Dan": -2}


def test_the_box_pays_each_of_the_team(four):
    assert dict(four.after(won_by(TEAM, 4)).points) == {"Ada": -12, "Bert": 4, "Cleo": 4, "Dan": 4}


def test_a_box_that_wins_stays_and_the_next_becomes_captain(four):
    assert four.after(won_by(BOX)).line == ("Ada", "Cleo", "Dan", "Bert")


def test_a_captain_who_wins_goes_into_the_box_and_the_old_box_to_the_end(four):
    assert four.after(won_by(TEAM)).line == ("Bert", "Cleo", "Dan", "Ada")


def test_what_one_wins_the_others_lose(four):
    games = [won_by(BOX, 2), won_by(TEAM), won_by(TEAM, 8), None, won_by(BOX, 3)]
    after = Chouette.after_games(four.line, games)
    assert sum(points for _, points in after.points) == 0
    assert [name for name, _ in after.points] == ["Ada", "Bert", "Cleo", "Dan"]


def test_everybody_hears_who_is_in_the_box_and_how_the_points_stand():
    after = Chouette.new(["Ada", "Bert", "Cleo"]).after(won_by(TEAM, 2))
    assert str(after) == "Bert is in the box; Cleo is captain, with Ada. Points: Ada -4, Bert +2, Cleo +2"


@pytest.mark.parametrize(
    ("names", "what_to_do"),
    [
        (["Ada", "Bert"], "needs at least 3 names, not 2"),
        (["Ada", "Bert", "ada"], "two in the chouette are called Ada; name them differently"),
        (["Ada", "Bert", " "], "cannot be a name"),
        (["Ada", "Bert", "Cleo, Dan"], "write it without a comma"),
    ],
)
def test_names_that_make_no_chouette_are_refused_by_name(names, what_to_do):
    with pytest.raises(ChouetteError, match=what_to_do):
        Chouette.new(names)
