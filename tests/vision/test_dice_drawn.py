"""Dice painted on drawn boards are read."""

import cv2
import numpy as np

from training.boards import draw_board, draw_die
from training.trust import geometry_of
from vision.dice import read_dice, readable_faces
from vision.geometry import BoardGeometry, Image

LARGER = 4
IVORY, INK = np.full(3, 235, np.float32), np.full(3, 25, np.float32)
EMPTY = (0,) * 24


def board_with_dice(faces: list[int], seed: int) -> tuple[Image, BoardGeometry]:
    """A drawn board without checkers, dice of a third of a point painted on its left half."""
    board = draw_board(np.random.default_rng(seed), EMPTY)
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


def test_a_painted_pair_is_read():
    right = 0
    for seed, pair in ((1, [6, 3]), (2, [5, 2]), (3, [4, 1])):
        picture, geometry = board_with_dice(pair, seed)
        right += sorted(readable_faces(read_dice(picture, geometry))) == sorted(pair)
    assert right >= 2


def test_a_die_has_a_box_round_it_and_a_bright_face():
    picture, geometry = board_with_dice([5], seed=2)
    die = max(read_dice(picture, geometry), key=lambda d: d.confidence)
    left, top, right, bottom = die.box_px
    x, y = geometry.to_px([(0.12, 0.5)])[0]
    assert left < x < right
    assert top < y < bottom
    assert die.brightness > 120
