"""What is drawn on the picture of a reading."""

import numpy as np

from vision.board_reading import BoardReading
from vision.geometry import BoardGeometry
from vision.overlay import draw_overlay

GEOMETRY = BoardGeometry(
    corners_px=((100.0, 80.0), (540.0, 80.0), (560.0, 400.0), (80.0, 400.0)), image_wh=(640, 480)
)
RED = (0, 0, 255)


def reading(**changes) -> BoardReading:
    points = np.full((24, 31), np.log(1e-6))
    points[:, 15] = np.log(1 - 30e-6)
    bar = np.full((2, 16), np.log(1e-6))
    bar[:, 0] = np.log(1 - 15e-6)
    return BoardReading(**{"points": points, "bar": bar, **changes})


def blank() -> np.ndarray:
    return np.full((480, 640, 3), 90, dtype=np.uint8)


def changed_near(before, after, x, y, radius=20) -> bool:
    window = (slice(int(y) - radius, int(y) + radius), slice(int(x) - radius, int(x) + radius))
    return bool((before[window] != after[window]).any())


def test_the_picture_itself_is_left_alone():
    picture = blank()
    draw_overlay(picture, GEOMETRY, reading(), [(3, RED)])
    assert (picture == 90).all()


def test_a_lit_place_shows_its_colour_outside_its_base():
    drawn = draw_overlay(blank(), GEOMETRY, reading(), [(12, RED)])
    x, y = GEOMETRY.to_px([(GEOMETRY.column_x(12), 1.035)])[0]
    assert tuple(drawn[round(y), round(x)]) == RED


def test_an_empty_place_carries_no_plate_and_a_held_one_does():
    held = reading()
    held.points[7] = np.roll(held.points[7], 3)
    drawn, empty = draw_overlay(blank(), GEOMETRY, held), draw_overlay(blank(), GEOMETRY, reading())
    x, y = GEOMETRY.to_px([(GEOMETRY.column_x(7), 0.47)])[0]
    assert held.counts()[7] == 3
    assert changed_near(empty, drawn, x, y, 6)


def test_unseen_places_are_hatched():
    hidden, clear = (draw_overlay(blank(), GEOMETRY, reading(unseen=frozenset(s))) for s in ({2}, set()))
    x, y = GEOMETRY.to_px([(GEOMETRY.column_x(2), 0.2)])[0]
    assert changed_near(clear, hidden, x, y)
    x, y = GEOMETRY.to_px([(GEOMETRY.column_x(8), 0.2)])[0]
    assert not changed_near(clear, hidden, x, y, 10)


def test_a_refusal_is_written_on_the_picture():
    refused = draw_overlay(blank(), GEOMETRY, reading(refused="a hand covers the board"))
    assert changed_near(draw_overlay(blank(), GEOMETRY, reading()), refused, 60, 20, 15)
