"""The parts of reading a photograph, each with values a person can check."""

import numpy as np
import pytest

from vision.board_reading import MAX_COUNT
from vision.photo.bar_finder import fit_bar
from vision.photo.checker_finder import BoardView, NetworkMaps, SeenChecker
from vision.photo.hiding import why_unreadable
from vision.photo.photo_reader import count_probabilities, place_row
from vision.photo.placing import place_checkers
from vision.photo.side_colours import learn_sides
from vision.photo.totals import with_usual_totals
from vision.picture_faults import picture_fault

WHITE = np.array([90.0, 0.0, 5.0])
BROWN = np.array([40.0, 12.0, 20.0])
RED = np.array([53.0, 60.0, 38.0])
BLUE = np.array([50.0, 12.0, -56.0])


def empty_view(width: float = 13.0, height: float = 11.0, bar: tuple[float, float] = (6.0, 7.0)) -> BoardView:
    rows, columns = round((height + 2) * 8), round((width + 2) * 8)
    nothing = np.zeros((rows, columns), np.float32)
    maps = NetworkMaps(centres=nothing, faces=nothing, things=nothing, hands=nothing, dice=nothing)
    picture = np.zeros((rows * 6, columns * 6, 3), np.uint8)
    return BoardView(fine_bgr=picture, maps=maps, width=width, height=height, bar=bar)


def checker(x: float, y: float, lab: np.ndarray = WHITE, sureness: float = 0.99) -> SeenChecker:
    return SeenChecker(x=x, y=y, sureness=sureness, lab=lab)


def sure_rows(counts: dict[int, int], doubtful: int, one_of: tuple[int, int]) -> np.ndarray:
    """24 rows that are sure of their counts, but for a place that may hold either of two counts."""
    rows = np.full((24, 31), 1e-9)
    for place in range(24):
        rows[place, MAX_COUNT + counts.get(place, 0)] = 1.0
    rows[doubtful] = 1e-9
    rows[doubtful, [MAX_COUNT + n for n in one_of]] = 0.45, 0.55
    return np.log(rows / rows.sum(axis=1, keepdims=True))


NO_BAR = np.log(np.array([[1 - 15e-9] + [1e-9] * 15] * 2))


def test_a_stack_of_three_is_counted_from_the_edge():
    placed = place_checkers(tuple(checker(0.5, y) for y in (0.5, 1.45, 2.4)), empty_view())
    assert [len(stack) for stack in placed.places][:2] == [3, 0]
    assert [c.y for c in placed.places[0]] == [0.5, 1.45, 2.4]


def test_two_stacks_that_meet_in_a_column_are_parted_where_the_gap_is():
    top = [checker(2.5, 0.5 + 0.95 * i) for i in range(6)]
    bottom = [checker(2.5, 10.5 - 0.95 * i) for i in range(4)]
    placed = place_checkers(tuple(top + bottom), empty_view())
    assert (len(placed.places[2]), len(placed.places[14])) == (6, 4)


def test_a_checker_in_the_middle_of_the_bar_is_on_the_bar():
    placed = place_checkers((checker(6.5, 4.0),), empty_view())
    assert len(placed.bar) == 1
    assert not any(placed.places)


def test_a_checker_between_two_columns_is_loose():
    placed = place_checkers((checker(3.0, 0.5),), empty_view())
    assert len(placed.loose) == 1


def test_a_checker_far_from_its_stack_is_loose():
    placed = place_checkers(tuple(checker(1.5, y) for y in (0.5, 1.45, 4.6)), empty_view())
    assert len(placed.places[1]) == 2
    assert [c.y for c in placed.loose] == [4.6]


def test_faces_shifted_by_parallax_still_lie_on_their_points():
    spread = [checker(1.06 * (c + 0.5) + (1.06 if c > 5 else 0) - 0.39, 0.5) for c in range(12)]
    placed = place_checkers(tuple(spread), empty_view())
    assert [len(stack) for stack in placed.places[:12]] == [1] * 12


@pytest.mark.parametrize("bar", [(0.46, 0.54), (0.5, 0.5), (0.47, 0.53)])
def test_the_bar_is_found_from_where_the_checkers_lie(bar):
    columns = [0, 4, 5, 6, 8, 11]
    x = [bar[0] * (c + 0.5) / 6 if c < 6 else bar[1] + (1 - bar[1]) * (c - 5.5) / 6 for c in columns]
    seen = tuple(checker(13 * at, y) for at in x for y in (0.5, 1.5))
    assert fit_bar(seen, empty_view(), guess=(0.4, 0.6)) == pytest.approx(bar, abs=0.008)


def test_with_too_few_checkers_the_guessed_bar_stays():
    assert fit_bar((checker(3.0, 0.5),), empty_view(), guess=(0.45, 0.55)) == (0.45, 0.55)


def test_the_brighter_side_is_light():
    rng = np.random.default_rng(0)
    stacks = [
        colour + rng.normal(0, 3, (n, 3)) for colour, n in ((BROWN, 5), (WHITE, 5), (BROWN, 3), (WHITE, 3))
    ]
    sides = learn_sides(stacks)
    assert sides is not None
    assert sides.light_logit(WHITE[None]) > 3
    assert sides.light_logit(BROWN[None]) < -3


def test_red_is_light_beside_blue():
    sides = learn_sides([np.tile(RED, (5, 1)), np.tile(BLUE, (4, 1)), np.tile(RED, (2, 1))])
    assert sides is not None
    assert sides.light_logit(RED[None]) > 3 > -3 > sides.light_logit(BLUE[None])


def test_a_single_colour_of_checkers_is_one_side():
    sides = learn_sides([np.tile(WHITE, (5, 1)), np.tile(WHITE - 3, (4, 1))])
    assert sides is not None
    assert sides.light_logit(WHITE[None]) > 3
    dark = learn_sides([np.tile(BROWN, (5, 1))])
    assert dark is not None
    assert dark.light_logit(BROWN[None]) < -3


def test_glare_over_whole_stacks_does_not_change_their_side():
    brown_in_glare = np.array([68.0, 9.0, 10.0])
    stacks = [np.tile(c, (n, 1)) for c, n in ((WHITE, 5), (WHITE, 10), (BROWN, 7), (brown_in_glare, 8))]
    sides = learn_sides(stacks)
    assert sides is not None
    assert sides.light_logit(np.tile(brown_in_glare, (8, 1))) < 0 < sides.light_logit(np.tile(WHITE, (5, 1)))


def test_no_checkers_no_sides():
    assert learn_sides([]) is None


def test_two_sightings_each_nine_in_ten_make_81_per_cent_for_two():
    assert count_probabilities([0.9, 0.9]) == pytest.approx([0.01, 0.18, 0.81])


def test_a_place_without_sightings_is_empty():
    row = place_row((), None)
    assert row.argmax() == MAX_COUNT
    assert np.exp(row).sum() == pytest.approx(1)


def test_equal_totals_settle_which_side_a_checker_in_shadow_is_on():
    counts = {0: 5, 11: 5, 5: 4, 12: -5, 23: -5, 17: -5}
    points, _ = with_usual_totals(sure_rows(counts, doubtful=8, one_of=(1, -1)), NO_BAR)
    assert int(points[8].argmax()) - MAX_COUNT == 1


def test_equal_totals_settle_whether_a_stack_has_four_or_five():
    counts = {0: 5, 11: 5, 12: -5, 23: -5, 17: -5}
    points, _ = with_usual_totals(sure_rows(counts, doubtful=5, one_of=(5, 4)), NO_BAR)
    assert int(points[5].argmax()) - MAX_COUNT == 5


def test_totals_do_not_overrule_what_was_clearly_seen():
    counts = {0: 5, 11: 3, 12: -2}
    rows = sure_rows(counts, doubtful=20, one_of=(0, -1))
    rows[20] = np.log(np.where(np.arange(31) == MAX_COUNT, 1 - 30e-9, 1e-9))
    points, bar = with_usual_totals(rows, NO_BAR)
    assert (points.argmax(axis=1) == rows.argmax(axis=1)).all()
    assert np.exp(points).sum(axis=1) == pytest.approx(np.ones(24))
    assert bar.argmax(axis=1).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (np.zeros((480, 640, 3), np.uint8), "black"),
        (np.full((480, 640, 3), 128, np.uint8), "even grey"),
        (np.zeros((40, 60, 3), np.uint8), "too small"),
        (np.zeros((0, 0, 3), np.uint8), "empty"),
        (np.zeros((480, 640), np.uint8), "three colours"),
    ],
)
def test_a_useless_picture_is_named(picture, said):
    fault = picture_fault(picture)
    assert fault is not None
    assert said in fault


@pytest.mark.parametrize(
    ("lacking", "refused"), [((1, 0), True), ((0, 1), False), ((0, 0), False)], ids=["light", "dark", "none"]
)
def test_what_is_hardly_a_checker_is_one_where_its_side_lacks_one(lacking, refused):
    light, dark = np.array([80.0, 0.0, 10.0]), np.array([25.0, 5.0, 5.0])
    stray = np.array([[0.5, 0.5, -0.5], [-0.5, -0.5, 0.5]])
    sides = learn_sides([light + stray, light - stray, dark + stray, dark - stray])
    doubtful = checker(1.5, 4.6, light, sureness=0.4)
    placed = place_checkers((doubtful,), empty_view())
    assert [c.sureness for c in placed.loose] == [0.4]
    reason, _ = why_unreadable(empty_view(), placed, sides, lacking)
    assert bool(reason) is refused
