"""What is drawn on the picture of a reading."""

import numpy as np
import pytest

from sentences import speaking
from vision.board_reading import BoardReading
from vision.geometry import BoardGeometry
from vision.overlay import TIPS, draw_overlay

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


@pytest.mark.parametrize(
    ("place", "at"), [(12, (GEOMETRY.column_x(12), 1.035)), (24, (sum(GEOMETRY.bar) / 2, 0.5))]
)
def test_a_lit_place_shows_its_colour_outside_its_base_and_the_bar_in_its_middle(place, at):
    drawn = draw_overlay(blank(), GEOMETRY, reading(), [(place, RED)])
    x, y = GEOMETRY.to_px([at])[0]
    assert tuple(drawn[round(y), round(x)]) == RED


def test_an_empty_place_carries_no_plate_and_a_held_one_does():
    held = reading()
    held.points[7] = np.roll(held.points[7], 3)
    drawn, empty = draw_overlay(blank(), GEOMETRY, held), draw_overlay(blank(), GEOMETRY, reading())
    x, y = GEOMETRY.to_px([(GEOMETRY.column_x(7), 0.47)])[0]
    assert held.counts()[7] == 3
    assert changed_near(empty, drawn, x, y, 6)


def shares_of(count: int, sureness: float, columns: int, none: int) -> np.ndarray:
    """Log-likelihoods of a count that is so sure, else of the next one."""
    row = np.full(columns, 1e-6)
    row[[none + count, none + count + 1]] = sureness, 1 - sureness
    return np.log(row)


def greys_at(drawn: np.ndarray, x: float, y: float) -> np.ndarray:
    """The middle of a plate there, without its rim."""
    at_x, at_y = GEOMETRY.to_px([(x, y)])[0].round().astype(int)
    return drawn[at_y - 5 : at_y + 6, at_x - 5 : at_x + 6].astype(int)


@pytest.mark.parametrize("count", [2, -2])
def test_a_count_stands_without_a_sign_on_a_plate_as_light_or_dark_as_its_side(count):
    held = reading()
    held.points[7] = shares_of(count, 0.99, 31, none=15)
    held.bar[0 if count > 0 else 1] = shares_of(abs(count), 0.99, 16, none=0)
    drawn = draw_overlay(blank(), GEOMETRY, held)
    bar_y = 0.06 if count > 0 else 0.94
    for x, y in ((GEOMETRY.column_x(7), TIPS[0]), (sum(GEOMETRY.bar) / 2, bar_y)):
        middle = greys_at(drawn, x, y)
        assert (np.median(middle) > 90) == (count > 0)
        ink = np.abs(middle - np.median(middle)).max(axis=2) > 60
        assert 4 <= ink.any(axis=0).sum() <= 7


@pytest.mark.parametrize("count", [0, 2])
def test_a_place_of_which_the_reader_is_unsure_carries_a_question_mark(count):
    sure, unsure = reading(), reading()
    sure.points[7], unsure.points[7] = (shares_of(count, share, 31, none=15) for share in (0.99, 0.6))
    middles = [
        greys_at(draw_overlay(blank(), GEOMETRY, one), GEOMETRY.column_x(7), TIPS[0])
        for one in (sure, unsure)
    ]
    assert (middles[0] != middles[1]).any()


def test_nothing_is_counted_on_a_bar_that_cannot_be_seen():
    held, hidden = reading(), reading(unseen=frozenset({24}))
    held.bar[0] = hidden.bar[0] = shares_of(2, 0.99, 16, none=0)
    plate, bare = (draw_overlay(blank(), GEOMETRY, one) for one in (held, hidden))
    at = sum(GEOMETRY.bar) / 2, 0.06
    assert (greys_at(plate, *at) > 200).any()
    assert (greys_at(bare, *at) <= 200).all()


def test_unseen_places_are_hatched():
    hidden, clear = (draw_overlay(blank(), GEOMETRY, reading(unseen=frozenset(s))) for s in ({2}, set()))
    x, y = GEOMETRY.to_px([(GEOMETRY.column_x(2), 0.2)])[0]
    assert changed_near(clear, hidden, x, y)
    x, y = GEOMETRY.to_px([(GEOMETRY.column_x(8), 0.2)])[0]
    assert not changed_near(clear, hidden, x, y, 10)


def test_a_refusal_is_written_on_the_picture():
    refused = draw_overlay(blank(), GEOMETRY, reading(refused="a hand covers the board"))
    assert changed_near(draw_overlay(blank(), GEOMETRY, reading()), refused, 60, 20, 15)


def test_a_hand_is_written_on_the_picture_in_the_language_that_is_spoken():
    clear = draw_overlay(blank(), GEOMETRY, reading())
    english = draw_overlay(blank(), GEOMETRY, reading(hand=True))
    with speaking("de"):
        german = draw_overlay(blank(), GEOMETRY, reading(hand=True))
    assert changed_near(clear, english, 20, 12, 10)
    assert changed_near(english, german, 20, 12, 10)


def small_geometry(width: int, height: int, aside: float = 0.1) -> BoardGeometry:
    """The field in a picture, from which it is so far away at the sides, in widths of the picture."""
    corners = ((aside, 0.1), (1 - aside, 0.1), (1 - aside, 0.9), (aside, 0.9))
    return BoardGeometry(
        corners_px=tuple((x * width, y * height) for x, y in corners), image_wh=(width, height)
    )


@pytest.mark.parametrize(
    ("width", "aside", "other"),
    [(160, 0.1, 12), (320, 0.1, 12), (640, 0.1, 12), (4000, 0.1, 12), (160, 0.1, 1), (640, 0.35, 1)],
)
def test_the_counts_of_facing_and_of_neighbouring_points_do_not_cover_each_other(width, aside, other):
    """Point 0 alone looks the same whether the other point has checkers or not."""
    height = width * 3 // 4
    geometry = small_geometry(width, height, aside)
    picture = np.full((height, width, 3), 90, dtype=np.uint8)
    both, one = (held(places) for places in ((0, other), (0,)))
    drawn, alone = (draw_overlay(picture, geometry, read) for read in (both, one))
    empty = draw_overlay(picture, geometry, held(()))
    plate = (alone != empty).any(axis=2)
    assert drawn.shape == alone.shape
    assert plate.sum() > 200
    assert (drawn[plate] == alone[plate]).all()


def held(places: tuple[int, ...]) -> BoardReading:
    """Two light checkers on each of these places."""
    read = reading()
    points = read.points.copy()
    for place in places:
        points[place] = np.log(1e-6)
        points[place, 17] = np.log(1 - 30e-6)
    return reading(points=points)


@pytest.mark.parametrize("width", [320, 640, 4000])
def test_a_long_reason_is_written_within_the_picture(width):
    """Its last word is drawn: without it the picture looks different."""
    height = width * 3 // 4
    picture = np.full((height, width, 3), 90, dtype=np.uint8)
    why = "the picture is too blurred to read: focus the camera and keep it still"
    full, short = (
        draw_overlay(picture, small_geometry(width, height), reading(refused=words))
        for words in (why, why.removesuffix(" still"))
    )
    assert (full != short).any()
    edge = full[: full.shape[0] // 4, -3:]
    assert {tuple(colour) for colour in edge.reshape(-1, 3)} <= {(90, 90, 90), (30, 30, 30)}
