"""A checker that lies on no point: a photograph of it is refused, and no other."""

import pytest

from tests.vision.drawn_board import geometry, picture
from vision.photo.photo_reader import read_photo

LIGHT, DARK = 1, -1
WHOLE = (1, 0, 0, 1, 0, -4, -1, -3, 0, -1, 0, 3, -2, 2, 0, 0, 0, 4, 2, 2, 0, 0, 0, -4)
"""A position from play, with all checkers on the points."""
ONE_LIGHT_LESS = (*WHOLE[:13], 1, *WHOLE[14:])
ONE_DARK_LESS = (*WHOLE[:5], -3, *WHOLE[6:])


def refused(counts, **drawn) -> str:
    return read_photo(picture(counts, **drawn), geometry()).refused or ""


@pytest.mark.parametrize(
    ("counts", "loose"),
    [
        (ONE_LIGHT_LESS, (0.19, 0.5, LIGHT)),
        (ONE_LIGHT_LESS, (0.73, 0.45, LIGHT)),
        (ONE_DARK_LESS, (0.27, 0.55, DARK)),
    ],
)
def test_a_checker_in_the_middle_of_the_field_is_loose(counts, loose):
    assert "no point" in refused(counts, loose=[loose])


@pytest.mark.parametrize("counts", [WHOLE, ONE_LIGHT_LESS, ONE_DARK_LESS])
def test_where_nothing_lies_loose_nothing_is_refused(counts):
    assert not refused(counts)


def test_dice_are_no_checkers():
    assert not refused(ONE_LIGHT_LESS, dice=[(0.19, 0.5), (0.73, 0.45)])


def test_what_looks_like_a_checker_where_none_is_missing_is_an_ornament():
    assert not refused(WHOLE, loose=[(0.19, 0.5, LIGHT)])
