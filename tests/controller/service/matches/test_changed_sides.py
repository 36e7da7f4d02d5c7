"""Players who change sides between two games."""

import pytest

from controller.perception.orientation import Orientation
from controller.record.match_settings import MatchSettings
from tests.controller.service.matches.table_in_hand import TableInHand

MATCH = MatchSettings(white="Ada", black="Bert", length=3)
OTHER_SIDES = pytest.mark.parametrize("white_home", ["top-right", "bottom-left", "top-left"])


@OTHER_SIDES
def test_the_start_position_of_the_next_game_shows_the_new_sides(white_home, tmp_path):
    table = TableInHand(tmp_path, MATCH)
    table.type("31: 8/5 6/5", "resign black single", "accept white")
    table.change_sides(white_home)
    table.type("furnish", "41: 13/9 24/23", "62: 24/18 13/11")
    table.leave()
    assert [turn.play for turn in table.service.state.record] == ["13/9 24/23", "24/18 13/11"]
    assert table.screen.orientation.white_home == white_home


@OTHER_SIDES
@pytest.mark.parametrize("between_games", [False, True])
def test_changed_sides_are_found_after_a_restart(between_games, white_home, tmp_path):
    table = TableInHand(tmp_path, MATCH)
    table.type("31: 8/5 6/5", "resign black single", "accept white")
    if not between_games:
        table.change_sides(white_home)
        table.type("furnish", "41: 13/9 24/23")
    table.break_off()
    seating = Orientation(white_home=white_home)
    table = TableInHand(tmp_path, MATCH, new=False, furnished=between_games, seating=seating)
    table.type(*["41: 13/9 24/23"][: int(between_games)], "62: 24/18 13/11")
    table.leave()
    assert [turn.play for turn in table.service.state.record] == ["13/9 24/23", "24/18 13/11"]
