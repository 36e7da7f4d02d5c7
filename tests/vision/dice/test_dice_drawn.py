"""Dice on drawn boards are read; what is no die is left alone."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.board_reading import MAX_COUNT, BoardReading
from vision.dice.dice_reader import DiceReader, beside_checkers, detect_dice, readable_faces
from vision.dice.field_view import field_view
from vision.geometry import BoardGeometry, Image
from vision.networks import dice_network
from vision.networks.dice_network import CELL_PX, CELLS_WH, CHANGED_CELL_LEVELS, VIEW_WH, see_dice
from vision.networks.face_network import N_FACE_CLASSES, see_face
from vision.networks.runner import Network
from vision.training.boards import draw_board, draw_die
from vision.training.drawn_dice import draw_piece
from vision.training.drawn_geometry import geometry_of

LARGER = 4
IVORY, INK = np.full(3, 235, np.float32), np.full(3, 25, np.float32)
EMPTY = (0,) * 24
START = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5)


def board_with_dice(
    faces: list[int],
    seed: int,
    counts: tuple[int, ...] = EMPTY,
    ink: npt.NDArray[np.float32] = INK,
    first_x: float = 0.12,
    size_px: float = 22.0,
) -> tuple[Image, BoardGeometry]:
    """A drawn board, dice of a third of a point painted in a row along its middle, with pips of ink.

    first_x: where the first one lies, in field widths; the others follow to the right. size_px: of a die.
    """
    board = draw_board(np.random.default_rng(seed), counts)
    plain = geometry_of(board)
    picture = cv2.resize(board.image_bgr, None, fx=LARGER, fy=LARGER, interpolation=cv2.INTER_CUBIC)
    canvas = picture.astype(np.float32)
    corners = tuple((LARGER * x, LARGER * y) for x, y in plain.corners_px)
    geometry = BoardGeometry(
        corners_px=corners,
        image_wh=(canvas.shape[1], canvas.shape[0]),
        bar=plain.bar,
        aspect=plain.aspect,
    )
    for i, face in enumerate(faces):
        x, y = geometry.to_px([(first_x + 0.14 * i, 0.5)])[0]
        draw_die(canvas, None, (float(x), float(y)), size_px, face, 0.3 + 0.4 * i, IVORY, ink)
    return np.clip(cv2.GaussianBlur(canvas, (0, 0), 0.8), 0, 255).astype(np.uint8), geometry


@pytest.mark.parametrize("n_quarters", range(4))
def test_from_whichever_side_the_camera_looks_what_stands_on_the_board_leans_up_in_the_view(n_quarters):
    seen = ((250.0, 100.0), (720.0, 110.0), (860.0, 620.0), (120.0, 600.0))
    geometry = BoardGeometry(corners_px=seen[n_quarters:] + seen[:n_quarters], image_wh=(960, 720))
    middle = np.array([(0.5, 0.5)])
    head = geometry.to_field(geometry.to_px(middle, geometry.top_height))
    view = field_view(geometry)
    right, down = (view.to_view(head) - view.to_view(middle))[0]
    assert -down > abs(right)


@pytest.mark.parametrize(("seed", "pair"), [(1, [6, 3]), (2, [5, 2]), (3, [4, 1])])
def test_a_painted_pair_is_read(seed, pair):
    picture, geometry = board_with_dice(pair, seed)
    assert sorted(readable_faces(detect_dice(picture, geometry))) == sorted(pair)


@pytest.mark.parametrize("pair", [[6, 3], [4, 1], [5, 2]])
def test_dice_nearly_as_wide_as_a_point_are_read_in_a_photograph(pair):
    picture, geometry = board_with_dice(pair, seed=1, size_px=50.0)
    assert sorted(readable_faces(detect_dice(picture, geometry))) == sorted(pair)


def test_a_die_has_a_box_round_it_and_a_bright_face_and_odds_that_add_up():
    picture, geometry = board_with_dice([5], seed=2)
    die = detect_dice(picture, geometry)[0]
    left, top, right, bottom = die.box_px
    x, y = geometry.to_px([(0.12, 0.5)])[0]
    assert left < x < right
    assert top < y < bottom
    assert die.brightness > 120
    assert sum(die.odds) == pytest.approx(1)
    assert die.odds.index(max(die.odds)) == 5 - 1


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_a_close_look_tells_the_face_and_that_bare_ground_is_no_die(face):
    picture, geometry = board_with_dice([face], seed=2)
    view = field_view(geometry)
    middle = view.to_view([(0.12, 0.5), (0.3, 0.5)])
    flat, size_px = view.of(picture), 16.0
    odds = see_face(flat, middle[0], size_px)
    assert odds.shape == (N_FACE_CLASSES,)
    assert odds.sum() == pytest.approx(1)
    assert odds.argmax() == face - 1
    assert see_face(flat, middle[1], size_px).argmax() == N_FACE_CLASSES - 1


def test_a_look_in_the_mirror_tells_of_a_mirrored_board_what_a_look_tells_of_the_board():
    picture, geometry = board_with_dice([3], seed=2)
    view = field_view(geometry)
    flat = view.of(picture)
    x, y = view.to_view([(0.12, 0.5)])[0]
    mirrored = np.ascontiguousarray(flat[:, ::-1])
    told = see_face(mirrored, np.array([flat.shape[1] - 1 - x, y]), 16.0, mirrored=True)
    np.testing.assert_allclose(told, see_face(flat, np.array([x, y]), 16.0), atol=0.02)


def test_checkers_make_no_roll():
    bare = [seed for seed in range(12) if not draw_board(np.random.default_rng(seed), START).dice.any()]
    for seed in bare[:3]:
        picture, geometry = board_with_dice([], seed, START)
        assert len(readable_faces(detect_dice(picture, geometry))) < 2


def reading_of(counts: tuple[int, ...], unseen: frozenset[int] = frozenset()) -> BoardReading:
    """A reading that is sure of these checkers."""
    points = np.full((len(counts), 2 * MAX_COUNT + 1), -9.0)
    points[np.arange(len(counts)), np.array(counts) + MAX_COUNT] = 0.0
    return BoardReading(points=points, bar=np.zeros((2, MAX_COUNT + 1)), unseen=unseen)


@pytest.mark.parametrize(
    ("count", "reaches"), [(0, False), (2, False), (-5, True), (5, True), (9, True)], ids=str
)
def test_a_die_on_checkers_is_no_roll(count, reaches):
    """One die lies on the third point, 0.37 field heights from its base."""
    picture, geometry = board_with_dice([6, 3], seed=1)
    seen = detect_dice(picture, geometry)
    high = next(die for die in seen if die.face == 6)
    dice = tuple(replace(die, x=geometry.bar[0] * 2.5 / 6, y=0.37) if die is high else die for die in seen)
    counts = tuple(count if place == 2 else 0 for place in range(24))
    left = readable_faces(beside_checkers(dice, reading_of(counts), geometry))
    assert sorted(left) == ([3] if reaches else [3, 6])
    assert len(beside_checkers(dice, reading_of(counts, frozenset({2})), geometry)) == 2


def test_a_die_on_the_bar_is_told_in_a_photograph_and_no_roll_in_play():
    picture, geometry = board_with_dice([6, 3], seed=1, first_x=0.36)
    left, right = geometry.bar
    assert left < 0.5 < right
    assert sorted(readable_faces(detect_dice(picture, geometry))) == [3, 6]
    in_play = DiceReader().detect(picture, geometry)
    assert in_play
    assert readable_faces(in_play) == (6,)


def test_nothing_is_said_of_a_picture_out_of_focus():
    picture, geometry = board_with_dice([6, 3], seed=1)
    reader = DiceReader()
    assert reader.detect(picture, geometry)
    assert reader.detect(picture, geometry)
    assert reader.detect(cv2.GaussianBlur(picture, (0, 0), 3.0), geometry) is not None
    assert reader.detect(cv2.GaussianBlur(picture, (0, 0), 6.0), geometry) is None


def test_of_drawn_dice_seen_from_any_side_most_are_read():
    """Many are dark, blurred or half covered, as they are drawn for teaching."""
    rng = np.random.default_rng(987)
    right = n_dice = 0
    while n_dice < 40:
        piece = draw_piece(rng, None)
        if len(piece.objects) != 1 or not 1 <= piece.objects[0, 3] <= 6:
            continue
        n_dice += 1
        aside = (np.array(VIEW_WH) - piece.image_bgr.shape[1::-1]) // 2
        view = cv2.copyMakeBorder(
            piece.image_bgr, *np.repeat(aside[::-1], 2).tolist(), borderType=cv2.BORDER_REFLECT
        )
        column, row = ((piece.objects[0, :2] + aside) / CELL_PX).astype(int)
        odds = see_dice(np.asarray(view, np.uint8)).odds
        right += int(odds[row, column].argmax() == piece.objects[0, 3])
    assert right >= 26


def test_the_dice_thrown_last_come_first():
    """Each player has dice of his own and leaves them lying."""
    reader = DiceReader()
    first, geometry = board_with_dice([6, 3], seed=1)
    both, _ = board_with_dice([6, 3, 5, 2], seed=1)
    seen = reader.detect(first, geometry)
    assert seen
    seen = reader.detect(both, geometry)
    assert seen
    assert sorted(readable_faces(reader.thrown_last(seen))) == [2, 5]


def test_dice_that_a_hand_hid_for_one_picture_were_not_thrown_again():
    reader = DiceReader()
    first, geometry = board_with_dice([6, 3], seed=1)
    both, _ = board_with_dice([6, 3, 5, 2], seed=1)
    half_hidden = both.copy()
    half_hidden[:, : round(geometry.to_px([(0.33, 0.5)])[0][0])] = both.mean()
    n_seen = [len(reader.detect(picture, geometry) or ()) for picture in (first, both, half_hidden)]
    assert n_seen == [2, 4, 2]
    seen = reader.detect(both, geometry)
    assert seen
    assert sorted(readable_faces(reader.thrown_last(seen))) == [2, 5]


def test_what_looks_like_a_die_before_any_is_thrown_is_part_of_the_board():
    reader = DiceReader()
    printed, geometry = board_with_dice([6, 3], seed=1)
    thrown, _ = board_with_dice([6, 3, 5, 2], seed=1)
    reader.learn_board(printed, geometry)
    assert reader.detect(printed, geometry) == ()
    dice = reader.detect(thrown, geometry)
    assert dice is not None
    assert sorted(readable_faces(dice)) == [2, 5]


def test_a_sure_die_on_a_part_that_looks_a_little_like_one_is_a_die():
    """The part is a pale square."""
    reader = DiceReader()
    square, geometry = board_with_dice([6, 3], seed=1, ink=IVORY - 8)
    thrown, _ = board_with_dice([6, 3], seed=1)
    reader.learn_board(square, geometry)
    assert reader.detect(square, geometry) == ()
    dice = reader.detect(thrown, geometry)
    assert dice is not None
    assert sorted(readable_faces(dice)) == [3, 6]


def test_a_die_thrown_to_the_place_of_an_older_one_is_thrown_last():
    reader = DiceReader()
    first, geometry = board_with_dice([6, 3, 5, 2], seed=1)
    both, _ = board_with_dice([6, 3, 4, 1], seed=1)
    assert reader.detect(first, geometry)
    seen = reader.detect(both, geometry)
    assert seen
    assert sorted(readable_faces(reader.thrown_last(seen))) == [1, 4]


@pytest.fixture
def looks(monkeypatch):
    """The shares of a whole view that the network was given."""
    shares, run = [], Network.run

    def counted(self, picture):
        shares.append(picture.shape[2] * picture.shape[3] / (VIEW_WH[0] * VIEW_WH[1]))
        return run(self, picture=picture)

    monkeypatch.setattr(Network, "run", counted)
    return shares


def test_only_what_has_changed_and_what_lies_there_is_looked_at_again(looks):
    before, geometry = board_with_dice([6, 3], seed=1)
    after, _ = board_with_dice([6, 3, 5, 2], seed=1)
    view = field_view(geometry)
    first = see_dice(view.of(before))
    whole = sum(looks)
    assert whole > 1
    looks.clear()
    second = see_dice(view.of(after), first)
    assert 0 < sum(looks) < 0.6 * whole
    assert np.array_equal(second.answers, see_dice(view.of(after)).answers)
    assert np.array_equal(see_dice(view.of(before), second).answers, first.answers)
    looks.clear()
    brighter = see_dice(view.of(np.clip(before.astype(int) + 1, 0, 255).astype(np.uint8)), first)
    assert 0 < sum(looks) < 0.6 * whole
    assert 0 < np.abs(brighter.odds - first.odds).max() < 0.2


def test_parts_answer_as_the_whole_view_does(monkeypatch):
    board = draw_board(np.random.default_rng(5))
    view = field_view(geometry_of(board)).of(board.image_bgr)
    parts = see_dice(view).answers
    monkeypatch.setattr(dice_network, "MOST_CELLS_WH", CELLS_WH)
    assert np.array_equal(see_dice(view).answers, parts)


def test_where_nothing_lies_and_nothing_changes_is_looked_at_once(looks):
    view = np.full((*VIEW_WH[::-1], 3), 90, np.uint8)
    seen = see_dice(view)
    looks.clear()
    assert see_dice(view, seen) is seen
    assert not looks


def test_a_slow_change_of_light_is_not_lost():
    picture, geometry = board_with_dice([6, 3], seed=1)
    view = field_view(geometry)
    seen = see_dice(view.of(picture))
    for level in range(1, 30, 2):
        darker = view.of(np.clip(picture.astype(int) - level, 0, 255).astype(np.uint8))
        seen = see_dice(darker, seen)
        means = cv2.resize(darker, CELLS_WH, interpolation=cv2.INTER_AREA)
        assert np.abs(seen.means - means).max() <= CHANGED_CELL_LEVELS
