"""Dice on drawn boards are read; what is no die is left alone."""

import cv2
import numpy as np
import pytest

from vision.dice.dice_reader import LEANING_FACE, DiceReader, detect_dice, readable_faces
from vision.geometry import BoardGeometry, Image
from vision.networks.small_networks import run_network
from vision.training.boards import draw_board, draw_die
from vision.training.dice import dice_samples
from vision.training.trust import geometry_of

LARGER = 4
IVORY, INK = np.full(3, 235, np.float32), np.full(3, 25, np.float32)
EMPTY = (0,) * 24
START = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5)


def board_with_dice(
    faces: list[int], seed: int, counts: tuple[int, ...] = EMPTY
) -> tuple[Image, BoardGeometry]:
    """A drawn board, dice of a third of a point painted on the middle of its left half."""
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
        x, y = geometry.to_px([(0.12 + 0.14 * i, 0.5)])[0]
        draw_die(canvas, None, (float(x), float(y)), 22.0, face, 0.3 + 0.4 * i, IVORY, INK)
    return np.clip(cv2.GaussianBlur(canvas, (0, 0), 0.8), 0, 255).astype(np.uint8), geometry


@pytest.mark.parametrize(("seed", "pair"), [(1, [6, 3]), (2, [5, 2]), (3, [4, 1])])
def test_a_painted_pair_is_read(seed, pair):
    picture, geometry = board_with_dice(pair, seed)
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


def test_checkers_make_no_roll():
    bare = [seed for seed in range(12) if not draw_board(np.random.default_rng(seed), START).dice.any()]
    for seed in bare[:3]:
        picture, geometry = board_with_dice([], seed, START)
        assert len(readable_faces(detect_dice(picture, geometry))) < 2


def test_nothing_is_said_of_a_picture_out_of_focus():
    picture, geometry = board_with_dice([6, 3], seed=1)
    reader = DiceReader()
    assert reader.detect(picture, geometry)
    assert reader.detect(picture, geometry)
    assert reader.detect(cv2.GaussianBlur(picture, (0, 0), 6.0), geometry) is None


def test_of_solid_dice_seen_from_any_side_most_are_read():
    """Many are dark, blurred or half covered, as they are drawn for teaching."""
    rng = np.random.default_rng(987)
    right = n_dice = 0
    while n_dice < 40:
        ((piece, answers),) = dice_samples(rng)
        heights = answers.max(axis=(0, 1))
        inner = answers[8:-8, 8:-8].max(axis=2)
        if np.count_nonzero(heights > 200) != 1 or heights[LEANING_FACE] > 0 or inner.max() < 200:
            continue
        n_dice += 1
        row, column = np.argwhere(answers.max(axis=2) == answers.max())[0]
        seen = run_network(piece, "dice")[row, column]
        right += int(seen.argmax() == heights.argmax())
    assert right >= 32
