"""The check before a game: a forgotten checker is told, though usually all of them are there."""

from dataclasses import replace

import pytest

from controller.perception.orientation import HOME_CORNERS, Orientation
from controller.rules import Player, Position
from controller.service.setup.start_check import check_start
from tests.vision.drawn_board import START, geometry, picture
from vision.networks.place_reader import MOST
from vision.photo import photo_reader
from vision.photo.photo_reader import read_photo

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


def test_a_board_set_up_rightly_is_well():
    assert check_start(picture(START), geometry(), Position.START, EVERY_WAY).is_well
