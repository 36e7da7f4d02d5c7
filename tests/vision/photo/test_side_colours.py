"""Two equally bright colours of checkers are told apart by the board as a whole."""

import numpy as np

from tests.vision.drawn_board import START, geometry, picture
from vision.photo.side_colours import with_sides_by_colour


def sides(counts) -> np.ndarray:
    """(26, 2) light and dark checkers of 24 signed counts."""
    points = [(max(count, 0), max(-count, 0)) for count in counts]
    return np.array([*points, (0, 0), (0, 0)], dtype=np.int64)


def test_places_put_on_the_wrong_side_are_put_right():
    read = sides(START)
    read[[0, 11, 23]] = read[[0, 11, 23], ::-1]
    assert (with_sides_by_colour(read, picture(START), geometry()) == sides(START)).all()


def test_a_board_read_with_its_sides_exchanged_is_put_right():
    assert (with_sides_by_colour(sides(START)[:, ::-1], picture(START), geometry()) == sides(START)).all()


def test_checkers_of_one_colour_stay_as_they_were_read():
    alike = tuple(abs(count) for count in START)
    assert (with_sides_by_colour(sides(alike), picture(alike), geometry()) == sides(alike)).all()


def test_a_place_of_both_sides_stays_as_it_was_read():
    read = sides(START)
    read[5] = (1, 1)
    assert with_sides_by_colour(read, picture(START), geometry())[5].tolist() == [1, 1]
