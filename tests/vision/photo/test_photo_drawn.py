"""Whole pictures of drawn boards, read as photographs: nothing about them is known beforehand."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from sentences import say
from tests.vision.drawn_board import START, geometry, picture
from vision.geometry import BoardGeometry
from vision.photo import photo_reader
from vision.photo.photo_reader import MOST_HIDDEN, read_photo
from vision.training.boards import DrawnBoard, draw_board, start_counts
from vision.training.drawn_geometry import geometry_of

RACE = (0, 0, 0, 0, 0, 0, 0, -1, -2, -3, -4, -5, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0)


def drawn(counts: tuple[int, ...], n: int, seed: int) -> list[DrawnBoard]:
    rng = np.random.default_rng(seed)
    return [draw_board(rng, counts) for _ in range(n)]


def share_right(boards: list[DrawnBoard]) -> float:
    right = [
        a == b
        for board in boards
        for a, b in zip(read_photo(board.image_bgr, geometry_of(board)).counts(), board.counts, strict=True)
    ]
    return sum(right) / len(right)


def test_start_positions_in_all_colours_are_read():
    assert share_right(drawn(start_counts(mirrored=False, swapped=False), 4, seed=9001)) > 0.9


def test_a_race_position_is_read():
    assert share_right(drawn(RACE, 4, seed=9002)) > 0.9


def test_an_empty_board_is_empty():
    assert share_right(drawn((0,) * 24, 3, seed=9003)) > 0.98


def test_a_hand_over_the_board_is_a_reason_to_refuse():
    rng = np.random.default_rng(9004)
    reported, hands = 0, 0
    while hands < 4:
        board = draw_board(rng)
        if board.hands[16:-16, 16:-16].sum() < 8 * 16**2:
            continue
        hands += 1
        reading = read_photo(board.image_bgr, geometry_of(board))
        reported += reading.hand and "hand" in (reading.refused or "")
    assert reported >= 3


@pytest.mark.parametrize(("then", "is_hand"), [(0.1, False), (0.9, True)])
def test_a_hand_counts_if_it_is_also_seen_with_more_of_the_rim(
    monkeypatch: pytest.MonkeyPatch, then: float, is_hand: bool
):
    said_at, looks = photo_reader._said_at, iter((0.9, then))

    def with_hand(image, geometry):
        said, reference = said_at(image, geometry)
        return replace(said, hand=next(looks)), reference

    monkeypatch.setattr(photo_reader, "_said_at", with_hand)
    board = drawn(RACE, 1, seed=9005)[0]
    reading = read_photo(board.image_bgr, geometry_of(board))
    assert (reading.hand, bool(reading.refused)) == (is_hand, is_hand)


def test_a_board_turned_upside_down_reads_upside_down():
    board = drawn(RACE, 1, seed=9005)[0]
    geometry = geometry_of(board)
    reading = read_photo(board.image_bgr, geometry)
    height, width = board.image_bgr.shape[:2]
    corners = [(width - 1 - x, height - 1 - y) for x, y in geometry.corners_px]
    turned = BoardGeometry(
        corners_px=(corners[2], corners[3], corners[0], corners[1]),
        image_wh=geometry.image_wh,
        bar=(1 - geometry.bar[1], 1 - geometry.bar[0]),
        aspect=geometry.aspect,
    )
    upside_down = read_photo(np.asarray(cv2.rotate(board.image_bgr, cv2.ROTATE_180), np.uint8), turned)
    assert upside_down.counts() == reading.counts()[::-1]


@pytest.mark.parametrize("blur_px", [25.0])
def test_a_blurred_picture_is_refused(blur_px):
    board = drawn(RACE, 1, seed=9006)[0]
    large = cv2.resize(board.image_bgr, None, fx=4, fy=4)
    blurred = np.asarray(cv2.GaussianBlur(large, (0, 0), blur_px), np.uint8)
    corners = tuple((4 * x, 4 * y) for x, y in geometry_of(board).corners_px)
    geometry = BoardGeometry(corners_px=corners, image_wh=(large.shape[1], large.shape[0]))
    assert "blurred" in (read_photo(blurred, geometry).refused or "")


def test_a_black_picture_is_refused_whatever_the_corners():
    picture = np.zeros((480, 640, 3), np.uint8)
    reading = read_photo(picture)
    assert "black" in (reading.refused or "")
    assert len(reading.unseen) == 25
    assert max(reading.confidences()) < 0.05


@pytest.mark.parametrize(("share", "is_refused"), [(0.03, False), (0.08, True)])
def test_a_board_of_which_a_side_is_cut_off_is_refused(share, is_refused):
    corners = np.array(geometry().corners_px)
    right = round(float(corners[:, 0].max() - share * np.hypot(*(corners[1] - corners[0]))))
    part = np.ascontiguousarray(picture(START)[:, :right])
    view = replace(geometry(), image_wh=part.shape[1::-1])
    assert read_photo(part, view).refused == (say("field_cut") if is_refused else None)


def test_corners_round_something_that_is_no_board_are_refused():
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    geometry = BoardGeometry(
        corners_px=((64, 48), (576, 48), (576, 432), (64, 432)), image_wh=(640, 480), bar=(0.47, 0.53)
    )
    assert "no points" in (read_photo(noise, geometry).refused or "")


@pytest.mark.parametrize(("n_hidden", "is_refused"), [(MOST_HIDDEN, False), (MOST_HIDDEN + 1, True)])
def test_a_board_that_is_mostly_covered_is_not_read(monkeypatch, n_hidden, is_refused):
    said_at = photo_reader._said_at

    def covered(image, view):
        reading, reference = said_at(image, view)
        return replace(reading, hidden=(np.arange(26) < n_hidden).astype(np.float32)), reference

    monkeypatch.setattr(photo_reader, "_said_at", covered)
    refused = read_photo(picture(START), geometry()).refused
    assert refused == (say("too_much_covered") if is_refused else None)


def test_a_bar_that_nobody_gave_is_found():
    told = replace(geometry(), bar=(0.5, 0.5))
    assert read_photo(picture(START), told).counts() != START
    assert read_photo(picture(START), told, bar_known=False).counts() == START
