"""The table [board] of settings is answered by one sentence where no board can be like that."""

import pytest

from controller.options import OptionError
from controller.perception.board_settings import parse_board_settings


def test_the_measures_of_a_board_are_taken_as_they_are_given():
    board = parse_board_settings({"checker_mm": 42, "field_mm": [578.2, 478.8]}, "blotlight.toml")
    assert board.checker_mm == 42
    assert board.field_mm == (578.2, 478.8)


@pytest.mark.parametrize(
    ("measures", "what"),
    [
        ({"checker_mm": 42, "field_mm": [57.8, 47.9]}, "field_mm .* 50"),
        ({"checker_mm": 42, "field_mm": [100, 100]}, "checker_mm .* 10"),
    ],
)
def test_checkers_of_which_twelve_do_not_lie_side_by_side_are_refused(measures, what):
    with pytest.raises(OptionError, match=what):
        parse_board_settings(measures, "blotlight.toml")
