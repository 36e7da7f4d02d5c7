"""Two equally bright colours of checkers are told apart by the board as a whole."""

import numpy as np
import pytest

from tests.vision.drawn_board import START, geometry, picture
from vision.networks.place_reader import MIXED, N_CLASSES, PlaceReading, class_of, most_likely
from vision.networks.strips import StripView
from vision.read.side_colours import (
    first_is_light,
    with_bar_sides_by_colour,
    with_mean_sides,
    with_sides_by_colour,
)


def sides(counts) -> np.ndarray:
    """(26, 2) light and dark checkers of 24 signed counts."""
    points = [(max(count, 0), max(-count, 0)) for count in counts]
    return np.array([*points, (0, 0), (0, 0)], dtype=np.int64)


def said(counts, sureness: float = 0.9) -> PlaceReading:
    """What networks say that take the counts (26, 2) for likely, and the other side for the next likely."""
    probabilities = np.full((26, N_CLASSES), 1e-4, dtype=np.float32)
    for place, (light, dark) in enumerate(counts):
        probabilities[place, class_of(dark, light)] = 1 - sureness
        probabilities[place, class_of(light, dark)] = sureness
    return PlaceReading(probabilities=probabilities, hidden=np.zeros(26, np.float32), hand=0.0, pad=0.0)


def told(counts, shown, sureness: float = 0.9) -> np.ndarray:
    return most_likely(with_sides_by_colour(said(counts, sureness), picture(shown), geometry()))


def test_places_put_on_the_wrong_side_are_put_right():
    read = sides(START)
    read[[0, 11, 23]] = read[[0, 11, 23], ::-1]
    assert (told(read, START) == sides(START)).all()


def test_a_board_read_with_its_sides_exchanged_is_put_right():
    assert (told(sides(START)[:, ::-1], START) == sides(START)).all()


def test_checkers_of_one_colour_stay_as_they_were_read():
    alike = tuple(abs(count) for count in START)
    assert (told(sides(alike), alike) == sides(alike)).all()


def test_of_checkers_of_one_colour_the_networks_decide():
    alike = tuple(abs(count) for count in START)
    assert (told(sides(START), alike, sureness=0.999) == sides(START)).all()


def test_a_place_of_both_sides_stays_as_it_was_read():
    read = said(sides(START))
    read.probabilities[5] = np.eye(N_CLASSES)[MIXED]
    after = with_sides_by_colour(read, picture(START), geometry())
    assert (after.probabilities[5] == read.probabilities[5]).all()


def test_of_two_looks_the_surer_one_tells_the_side():
    surely, hardly = said(sides(START), 0.95), said(sides(START)[:, ::-1], 0.6)
    for mean in (with_mean_sides(surely, hardly), with_mean_sides(hardly, surely)):
        assert (most_likely(mean)[:24] == sides(START)[:24]).all()


def test_only_sides_are_put_right_not_counts():
    read = said(sides(START), sureness=0.6)
    after = with_sides_by_colour(read, picture(START), geometry())
    sums = [one.probabilities[:, 1:16] + one.probabilities[:, 16:31] for one in (read, after)]
    np.testing.assert_allclose(sums[1][:24], sums[0][:24], atol=1e-5)


@pytest.mark.parametrize(
    ("light", "dark"),
    [
        ((80, 0, 0), (20, 0, 0)),  # white and black
        ((50, -32, 26), (55, 52, 45)),  # green and red
        ((48, 62, 43), (52, 12, -56)),  # red and blue
        ((60, 0, 70), (60, -32, 26)),  # yellow and green
        ((60, 62, 43), (45, -32, 26)),  # a red that is much brighter
        ((61, 10, 30), (58, 10, 40)),  # two browns
    ],
)
def test_the_light_side_is_the_brighter_one_or_has_the_hue_that_is_brighter_when_pure(light, dark):
    assert first_is_light(np.array(light, float), np.array(dark, float))
    assert not first_is_light(np.array(dark, float), np.array(light, float))


BARE_BAR = StripView(geometry()).cut(picture(START))[24:]


def bar_told(bar, on_top, surely: float = 0.5, **how) -> np.ndarray:
    """(2, 2) light and dark checkers on the bar's halves. The networks see one in each half of `on_top`, and
    are so sure that it is a light one.
    """
    read = said(sides(START), 0.95)
    for half in on_top:
        read.probabilities[24 + half] = 1e-4
        read.probabilities[24 + half, [class_of(1, 0), class_of(0, 1)]] = surely, 1 - surely
    shown = picture(START, bar=bar, **how)
    strips = StripView(geometry()).cut(shown)[24:]
    return most_likely(with_bar_sides_by_colour(read, shown, geometry(), strips, BARE_BAR))[24:]


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.75, 0.95)])
@pytest.mark.parametrize("surely", [0.5, 0.35, 0.65])
def test_a_checker_on_the_bar_has_the_colour_of_its_side(light, surely):
    for bar, told in (((1, 0), [1, 0]), ((0, 1), [0, 1])):
        half = seen_half(bar)
        assert bar_told(bar, [half], surely, light=light)[half].tolist() == told


def seen_half(bar) -> int:
    """The half of the bar on which the drawn picture has its checker."""
    change = np.abs(StripView(geometry()).cut(picture(START, bar=bar))[24:].astype(int) - BARE_BAR)
    near_base = change[:, 64:].sum(axis=(1, 2, 3))
    return int(near_base.argmax())


def test_where_one_side_is_not_seen_the_networks_tell_the_side_on_the_bar():
    alike = tuple(abs(count) for count in START)
    read = said(sides(alike), 0.95)
    shown = picture(alike, bar=(0, 1))
    strips = StripView(geometry()).cut(shown)[24:]
    assert with_bar_sides_by_colour(read, shown, geometry(), strips, BARE_BAR) is read


def test_a_bare_bar_is_left_as_it_was_read():
    read = said(sides(START), 0.95)
    assert with_bar_sides_by_colour(read, picture(START), geometry(), BARE_BAR, BARE_BAR) is read
