"""Players who change sides between two games."""

import pytest

from controller.record.match_settings import MatchSettings
from tests.controller.service.matches.table_in_hand import TableInHand


@pytest.mark.parametrize("white_home", ["top-right", "bottom-left", "top-left"])
def test_the_start_position_of_the_next_game_shows_the_new_sides(white_home, tmp_path):
    table = TableInHand(tmp_path, MatchSettings(white="Ada", black="Bert", length=3))
    table.type("31: 8/5 6/5", "resign black single", "accept white")
    table.change_sides(white_home)
    table.type("furnish", "41: 13/9 24/23", "62: 24/18 13/11")
    table.leave()
    assert [turn.play for turn in table.service.state.record] == ["13/9 24/23", "24/18 13/11"]
    assert table.screen.orientation.white_home == white_home
