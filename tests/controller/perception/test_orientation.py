"""Where the game's points lie in the picture."""

import numpy as np
import pytest

from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import HOME_CORNERS, Orientation
from controller.rules import DefectKind, Player, Position
from vision.board_reading import BoardReading


def reading_of(counts: tuple[int, ...], light_bar: int = 0, dark_bar: int = 0) -> BoardReading:
    points = np.full((24, 31), -9.0)
    points[np.arange(24), np.array(counts) + 15] = 0.0
    bar = np.full((2, 16), -9.0)
    bar[0, light_bar] = bar[1, dark_bar] = 0.0
    return BoardReading(points=points, bar=bar)


@pytest.mark.parametrize(
    ("white_home", "one", "six", "seven", "twelve", "thirteen", "twenty_four"),
    [
        ("bottom-right", 23, 18, 17, 12, 0, 11),
        ("bottom-left", 12, 17, 18, 23, 11, 0),
        ("top-right", 11, 6, 5, 0, 12, 23),
        ("top-left", 0, 5, 6, 11, 23, 12),
    ],
)
def test_points_run_round_the_board_from_whites_home(
    white_home, one, six, seven, twelve, thirteen, twenty_four
):
    orientation = Orientation(white_home=white_home)
    found = [orientation.place(point) for point in (1, 6, 7, 12, 13, 24)]
    assert found == [one, six, seven, twelve, thirteen, twenty_four]


@pytest.mark.parametrize("white_home", HOME_CORNERS)
@pytest.mark.parametrize("light", Player)
def test_a_position_laid_out_and_read_back_is_the_same(white_home, light):
    position = Position.parse("08500000000000100000000001:01232220000000000000102000")
    orientation = Orientation(white_home=white_home, light=light)
    light_bar, dark_bar = (1, 0) if light is Player.WHITE else (0, 1)
    assert orientation.position(reading_of(orientation.counts(position), light_bar, dark_bar)) == position


def test_light_checkers_are_blacks_when_black_has_the_light_ones():
    orientation = Orientation(light=Player.BLACK)
    counts = [0] * 24
    counts[orientation.place(6)] = 3
    seen = orientation.board_seen(reading_of(tuple(counts), light_bar=2), t_ms=5)
    assert seen.rows[5].index(0.0) == 15 - 3
    assert seen.rows[25].index(0.0) == 2
    assert seen.rows[24].index(0.0) == 0


def test_a_hidden_bar_hides_both_players_bars():
    reading = reading_of((0,) * 24)
    hidden = BoardReading(points=reading.points, bar=reading.bar, unseen=frozenset({24, 23}))
    assert Orientation(white_home="bottom-right").board_seen(hidden, t_ms=0).unseen == {0, 24, 25}


def test_a_point_with_both_colours_is_the_same_point_of_the_game():
    reading = reading_of((0,) * 24)
    both = BoardReading(points=reading.points, bar=reading.bar, surely_mixed=frozenset({23, 0}))
    assert Orientation(white_home="bottom-right").board_seen(both, t_ms=0).mixed == {0, 12}


@pytest.mark.parametrize("light", Player)
def test_checkers_read_beyond_fifteen_are_a_defect_of_the_position(light):
    reading = reading_of((9, 7, *(0,) * 22), dark_bar=15)
    (defect,) = Orientation(light=light).position(reading).problems()
    assert (defect.kind, defect.player, defect.count) == (DefectKind.EXTRA_CHECKER, light, 1)


def test_an_unknown_corner_is_refused_by_name():
    with pytest.raises(ValueError, match="middle"):
        Orientation(white_home="middle")


@pytest.mark.parametrize(
    ("home", "light", "bar", "off"),
    [
        ("bottom-left", Player.WHITE, (-1, 2), (-14, 13)),
        ("top-right", Player.BLACK, (-2, 1), (-13, 14)),
    ],
)
def test_men_on_the_bar_and_borne_off_are_drawn_on_the_side_of_their_players_home(home, light, bar, off):
    position = Position((13, *(0,) * 24, 2), (14, *(0,) * 24, 1))
    drawn = drawn_board(position, Orientation(white_home=home, light=light))
    assert (drawn.bar, drawn.off) == (bar, off)
