"""Checkers of both players put on one point of the simulated table stay there, and the referee says so."""

from controller.perception.orientation import Orientation
from controller.record.match_settings import MatchSettings
from controller.rules import Player, Position, after_steps, parse_steps
from controller.simulation.screenplay import scene_of
from tests.controller.service.matches.table_in_hand import TableInHand


def test_no_checker_vanishes_when_both_colours_are_put_on_a_point():
    both = after_steps(Position.START, Player.WHITE, parse_steps("24/18 24/19"))
    scene = scene_of(both, Orientation())
    place = Orientation().place(19)
    assert (scene.points[place], scene.guests[place]) == (-5, 1)
    lying = [*scene.points, *scene.guests, *scene.bar]
    assert (sum(n for n in lying if n > 0), -sum(n for n in lying if n < 0)) == (15, 15)


def test_a_checker_put_on_a_point_of_the_opponent_is_shown_as_an_offence(tmp_path):
    table = TableInHand(tmp_path, MatchSettings(white="Ada", black="Bert"), look="walnut")
    table.type("61", "24/17")
    table.wait(2000)
    assert "Ada: landed on a point the opponent holds (24, 17)." in table.said.getvalue()
    table.leave()
