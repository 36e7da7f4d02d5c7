"""Two equally bright colours of checkers are told apart by the board as a whole."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_board import START, geometry, picture
from vision.networks.place_reader import MIXED, N_CLASSES, PlaceReading, class_of, most_likely
from vision.networks.strips import StripView
from vision.read.side_colours import (
    first_is_light,
    with_bar_sides_by_colour,
    with_doubtful_sides_by_colour,
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


def learnt(counts, doubted: list[int], wrong: list[int], shown=START) -> PlaceReading:
    """A learnt board whose networks doubt the sides of some points, and take some of these for the other."""
    read, unsure = said(counts, 0.999), said(counts, 0.6)
    read.probabilities[doubted] = unsure.probabilities[doubted]
    read.probabilities[wrong] = said(counts[:, ::-1], 0.6).probabilities[wrong]
    return with_doubtful_sides_by_colour(read, picture(shown), geometry())


@pytest.mark.parametrize("known", [sides(START), sides(START)[:, ::-1]], ids=["brighter", "darker"])
def test_on_a_learnt_board_a_doubtful_point_has_the_colour_of_its_side(known):
    assert (most_likely(learnt(known, [0, 11, 23], wrong=[0, 11])) == known).all()


def test_on_a_learnt_board_one_side_may_be_doubtful_throughout():
    light = [place for place, count in enumerate(START) if count > 0]
    assert (most_likely(learnt(sides(START), light, wrong=light[:1])) == sides(START)).all()


def test_on_a_learnt_board_sure_points_are_not_examined():
    surely = said(sides(START), 0.95)
    assert with_doubtful_sides_by_colour(surely, picture(START), geometry()) is surely


def test_on_a_learnt_board_one_colour_tells_nothing():
    alike = tuple(abs(count) for count in START)
    doubted = learnt(sides(START), [0, 11, 23], wrong=[], shown=alike)
    assert (most_likely(doubted) == sides(START)).all()


@pytest.mark.parametrize(
    ("light", "dark"),
    [
        ((80, 0, 0), (20, 0, 0)),  # white and black
        ((50, -32, 26), (55, 52, 45)),  # green and red
        ((48, 62, 43), (52, 12, -56)),  # red and blue
        ((60, 0, 70), (60, -32, 26)),  # yellow and green
        ((60, 62, 43), (45, -32, 26)),  # a red that is much brighter
        ((61, 10, 30), (58, 10, 40)),  # two browns
        ((38, 45, -52), (34, 25, 27)),  # violet and brown
    ],
)
def test_the_light_side_is_the_brighter_one_or_has_the_hue_that_is_brighter_when_pure(light, dark):
    assert first_is_light(np.array(light, float), np.array(dark, float))
    assert not first_is_light(np.array(dark, float), np.array(light, float))


BARE_BAR = StripView(geometry()).cut(picture(START))[24:]


HALF_OF = {(1, 0): 1, (0, 1): 0}
"""The half of the bar on which a light and a dark checker are drawn."""
ONE_OF_EITHER = [class_of(1, 0), class_of(0, 1)]


def bar_told(read: PlaceReading, bar, surely: float, counts=START, view=None, **how) -> list[int]:
    """Light and dark checkers on the half of the bar on which one of them is drawn.

    read: what the networks say of the points. They are so sure that a light one is on the bar.
    """
    half, view = HALF_OF[bar], view or geometry()
    read.probabilities[24 + half] = 1e-4
    read.probabilities[24 + half, ONE_OF_EITHER] = surely, 1 - surely
    image = picture(counts, bar=bar, view=view, **how)
    shown, bare = (StripView(view).cut(one)[24:] for one in (image, picture(START, view=view)))
    return most_likely(with_bar_sides_by_colour(read, image, view, shown, bare))[24 + half].tolist()


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.75, 0.95)])
@pytest.mark.parametrize("surely", [0.5, 0.35, 0.65])
@pytest.mark.parametrize("bar", HALF_OF)
def test_a_checker_on_the_bar_has_the_colour_of_its_side(bar, surely, light):
    assert bar_told(said(sides(START), 0.95), bar, surely, light=light) == list(bar)


@pytest.mark.parametrize("bar", HALF_OF)
def test_points_tell_the_colours_though_it_is_not_known_how_many_lie_on_them(bar):
    read = said(sides(START), 0.99)
    for place in np.flatnonzero(START):
        sure = read.probabilities[place].argmax()
        read.probabilities[place, [sure, sure + 1]] = 0.6, 0.39
    surely_other = 0.3 if bar == (1, 0) else 0.7
    assert bar_told(read, bar, surely_other) == list(bar)


@pytest.mark.parametrize("bar", HALF_OF)
@pytest.mark.parametrize("count", [4, -4])
def test_checkers_beside_a_narrow_bar_do_not_lie_on_it(bar, count):
    narrow = replace(geometry(), bar=(0.492, 0.508))
    counts = tuple(count if place in (5, 6, 17, 18) else own for place, own in enumerate(START))
    assert bar_told(said(sides(counts), 0.95), bar, 0.5, counts, narrow) == list(bar)


def test_where_one_side_is_not_seen_the_networks_tell_the_side_on_the_bar():
    alike = tuple(abs(count) for count in START)
    read = said(sides(alike), 0.95)
    shown = picture(alike, bar=(0, 1))
    strips = StripView(geometry()).cut(shown)[24:]
    assert with_bar_sides_by_colour(read, shown, geometry(), strips, BARE_BAR) is read


def test_a_bare_bar_is_left_as_it_was_read():
    read = said(sides(START), 0.95)
    assert with_bar_sides_by_colour(read, picture(START), geometry(), BARE_BAR, BARE_BAR) is read
