"""The check before a game: a forgotten checker is told, though usually all of them are there."""

from dataclasses import replace

import pytest

from controller.perception.orientation import HOME_CORNERS, Orientation
from controller.rules import Player, Position
from controller.service.setup.setup_texts import start_text, wrong_place_text
from controller.service.setup.start_check import StartCheck, WrongPlace, check_start
from tests.vision.drawn_board import START, geometry, picture
from vision.networks.place_reader import MOST
from vision.photo import photo_reader
from vision.photo.photo_reader import read_photo
from vision.read.calibration import LEAST_AGREEING

EVERY_WAY = [Orientation(white_home=corner, light=light) for corner in HOME_CORNERS for light in Player]
FIVE_DARK = 5
"""A place of the drawn start position."""


@pytest.fixture
def four_rather_than_five(monkeypatch: pytest.MonkeyPatch):
    """The networks take five checkers for four, not surely."""
    said_at = photo_reader._said_at

    def said(image, view):
        reading, reference = said_at(image, view)
        probabilities = reading.probabilities.copy()
        probabilities[FIVE_DARK] = 0
        probabilities[FIVE_DARK, [MOST + 4, MOST + 5]] = 0.7, 0.3
        return replace(reading, probabilities=probabilities), reference

    monkeypatch.setattr(photo_reader, "_said_at", said)


def test_a_photograph_most_likely_shows_all_checkers(four_rather_than_five):
    assert read_photo(picture(START), geometry()).counts() == START


def test_a_checker_that_may_have_been_forgotten_is_told(four_rather_than_five):
    check = check_start(picture(START), geometry(), Position.START, EVERY_WAY)
    assert [(wrong.place, wrong.due, wrong.seen) for wrong in check.wrong] == [(FIVE_DARK, -5, -4)]


def test_what_is_due_and_seen_is_told_by_colour_and_number():
    light, dark, hidden = (
        WrongPlace(place=0, point=13, due=due, seen=seen) for due, seen in ((5, 0), (-3, 2), (-1, None))
    )
    assert wrong_place_text(light) == "Point 13: 5 light due, no checkers seen."
    assert wrong_place_text(dark) == "Point 13: 3 dark due, 2 light seen."
    assert wrong_place_text(hidden).startswith("Point 13: 1 dark due, ")


@pytest.mark.parametrize(
    ("n_wrong", "told"),
    [
        (0, "Every point is as it should be."),
        (24 - LEAST_AGREEING, "Points that are not right: 4."),
        (25 - LEAST_AGREEING, "This is not the start position"),
    ],
)
def test_a_board_with_too_many_wrong_points_is_another_one(n_wrong, told):
    wrong = tuple(WrongPlace(place=place, point=place + 1, due=2, seen=0) for place in range(n_wrong))
    assert start_text(StartCheck(orientation=EVERY_WAY[0], wrong=wrong)).startswith(told)


def test_a_board_set_up_rightly_is_well():
    assert check_start(picture(START), geometry(), Position.START, EVERY_WAY).is_well
