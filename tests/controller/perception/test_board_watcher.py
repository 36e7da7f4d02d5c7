"""A board watcher finds its board where the settings say it wrongly, and again after the camera was moved."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from controller.perception import board_watcher
from controller.perception.board_watcher import (
    COVERS_STAY_MS,
    FIND_EVERY_MS,
    LOOK_IN_DOUBT_EVERY_MS,
    SETTLED_FINDS,
    BoardWatcher,
)
from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import SavedCalibration
from controller.rules import Position
from controller.simulation.screenplay import drawn_board_settings, scene_of
from hardware.camera import Frame
from hardware.simulated.drawn_table import BOARD_LOOKS, draw_table
from vision.follow.camera_bumps import CameraShift, Landmarks
from vision.locate.board_finder import find_board
from vision.networks.place_reader import ReaderNetwork
from vision.read.board_reader import BoardReader

SEATING = Orientation()
LOOK = BOARD_LOOKS[0]
SETTINGS = drawn_board_settings(LOOK, SEATING)
LOOK_WIDTH_PX = float(np.hypot(*np.subtract(SETTINGS.corners_px[1], SETTINGS.corners_px[0])))
MOVED = np.array([[0.86, 0.05, 30.0], [-0.05, 0.86, 75.0]])
"""A camera turned, raised and shoved aside."""
PLAYED = Position.parse("00000042300004000000000020:00000050500003000000000020")
"""Some plays later."""
LATE = Position.parse("05332200000000000000000000:05332200000000000000000000")
"""Both bear off."""


def frame(
    t_ms: int,
    *,
    moved: npt.NDArray[np.float64] | None = None,
    position: Position = Position.START,
    hand: int | None = None,
) -> Frame:
    image = draw_table(scene_of(position, SEATING, hand), LOOK, seed=t_ms)
    if moved is not None:
        size = image.shape[1::-1]
        image = np.asarray(
            cv2.warpAffine(image, moved, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE),
            np.uint8,
        )
    return Frame(t_ms=t_ms, image_bgr=image)


def test_a_board_is_found_again_after_the_camera_was_moved_far():
    watcher = BoardWatcher(SETTINGS)
    assert watcher.observe_frame(frame(0))
    seen = [watcher.observe_frame(frame(t_ms, moved=MOVED)) for t_ms in range(500, 8000, 500)]
    assert seen[-1] is not None
    assert watcher.reading is not None
    assert watcher.orientation.position(watcher.reading) == Position.START
    assert SETTINGS.corners_px is not None
    there = np.array(SETTINGS.corners_px) @ MOVED[:, :2].T + MOVED[:, 2]
    assert watcher.geometry is not None
    assert np.abs(np.array(watcher.geometry.corners_px) - there).max() < 0.02 * LOOK_WIDTH_PX


def test_a_board_on_which_the_game_has_begun_is_learnt_only_from_the_position_that_is_given():
    later = frame(0, position=PLAYED)
    assert BoardWatcher(SETTINGS).observe_frame(later) is None
    watcher = BoardWatcher(SETTINGS, joined_at=PLAYED)
    assert watcher.observe_frame(later)
    assert watcher.reading is not None
    assert watcher.orientation.position(watcher.reading) == PLAYED


@pytest.mark.parametrize("position", [Position.START, PLAYED])
def test_a_board_that_was_pushed_far_is_read_on_though_people_may_have_played_meanwhile(position):
    pushed = np.hstack([np.eye(2), [[0.1 * LOOK_WIDTH_PX], [0.0]]])
    watcher = BoardWatcher(SETTINGS)
    assert watcher.observe_frame(frame(0))
    assert watcher.observe_frame(frame(500, moved=pushed, position=position))
    assert watcher.reading is not None
    assert watcher.orientation.position(watcher.reading) == position


def test_a_board_that_is_pushed_out_of_the_picture_is_read_again_when_it_is_back():
    watcher = BoardWatcher(SETTINGS)
    assert watcher.observe_frame(frame(0))
    ways_px = [*range(0, 400, 50), *range(400, -1, -50)]
    refused = set()
    for number, way_px in enumerate(ways_px, start=1):
        pushed = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, -float(way_px)]])
        watcher.observe_frame(frame(500 * number, moved=pushed))
        assert watcher.reading is not None
        refused.add(watcher.reading.refused)
    assert "the camera was moved: calibrate again" in refused
    assert watcher.reading.refused is None
    assert watcher.orientation.position(watcher.reading) == Position.START


def test_a_board_whose_push_no_landmark_shows_is_found_once_it_is_read_in_doubt(monkeypatch):
    """Landmarks on a pattern of light stay when the board is pushed."""
    monkeypatch.setattr(
        Landmarks,
        "measure_shift",
        lambda self, *_: CameraShift(transform=np.eye(3), corner_px=0.0),
    )
    pushed = np.hstack([np.eye(2), np.full((2, 1), 0.04 * LOOK_WIDTH_PX)])
    watcher = BoardWatcher(SETTINGS)
    assert watcher.observe_frame(frame(0))
    for t_ms in range(500, 500 + 2 * LOOK_IN_DOUBT_EVERY_MS, 500):
        watcher.observe_frame(frame(t_ms, moved=pushed))
    assert SETTINGS.corners_px is not None
    assert watcher.geometry is not None
    there = np.array(SETTINGS.corners_px) + pushed[:, 2]
    assert np.abs(np.array(watcher.geometry.corners_px) - there).max() < 0.02 * LOOK_WIDTH_PX


@pytest.mark.parametrize("order", [(1, 2, 3, 0), (3, 2, 1, 0), (0, 2, 1, 3)])
def test_corners_in_another_order_are_put_right_and_said(order, tmp_path):
    assert SETTINGS.corners_px is not None
    one, two, three, four = (SETTINGS.corners_px[number] for number in order)
    said: list[str] = []
    watcher = SavedCalibration(
        replace(SETTINGS, corners_px=(one, two, three, four)),
        tmp_path / "board.npz",
        Position.START,
        Position.START,
        said.append,
    )
    assert watcher.observe_frame(frame(0))
    assert watcher.geometry is not None
    assert watcher.geometry.corners_px == SETTINGS.corners_px
    assert len(said) == 1
    assert said[0].startswith("The board does not lie as corners_px says")


def test_exchanged_players_keep_the_start_and_are_said(tmp_path):
    said: list[str] = []
    board = replace(SETTINGS, home_known=False)
    watcher = SavedCalibration(board, tmp_path / "board.npz", Position.START, Position.START, said.append)
    assert watcher.observe_frame(frame(0))
    assert not watcher.exchangeable, "the colours of this board are far apart"
    before = watcher.orientation
    watcher.exchange_players(0)
    assert watcher.reading is not None
    assert watcher.orientation.position(watcher.reading) == Position.START
    assert watcher.orientation.light is before.light.opponent
    assert watcher.orientation.white_home != before.white_home
    assert watcher.orientation.counts(Position.START) == before.counts(Position.START)
    assert watcher.orientation.exchanged == before
    assert said[-1] == watcher.exchanged
    assert "lighter ones belong to Black" in said[-1]


def test_a_board_that_lies_elsewhere_than_given_is_read_where_it_is_seen():
    assert SETTINGS.corners_px is not None
    one, two, three, four = ((x + 0.12 * LOOK_WIDTH_PX, y) for x, y in SETTINGS.corners_px)
    watcher = BoardWatcher(replace(SETTINGS, corners_px=(one, two, three, four)))
    seen = [watcher.observe_frame(frame(t_ms)) for t_ms in range(0, 3000, 500)]
    assert seen[-1] is not None
    assert watcher.orientation.position(watcher.reading) == Position.START


PANE = 3
"""An empty place whose field looks like a cover."""


def flagged(reads):
    """A reading network's answers on a board that looks as if a hand were over it, and a place covered."""

    def answers(*given):
        said = reads(*given)
        hidden = said.hidden.copy()
        hidden[PANE] = 0.7
        return replace(said, hand=0.9, hidden=hidden)

    return answers


def test_a_pattern_that_passes_for_covers_postpones_the_learning_by_seconds_only(monkeypatch):
    monkeypatch.setattr(ReaderNetwork, "read_alone", flagged(ReaderNetwork.read_alone))
    monkeypatch.setattr(ReaderNetwork, "read", flagged(ReaderNetwork.read))
    watcher = BoardWatcher(SETTINGS)
    for t_ms in range(0, COVERS_STAY_MS, 500):
        watcher.observe_frame(frame(t_ms))
        assert not watcher.calibrated
    assert watcher.observe_frame(frame(COVERS_STAY_MS))
    assert watcher.reading is not None
    assert not watcher.reading.hand
    assert not watcher.reading.unseen


def test_the_seconds_of_covers_begin_anew_after_a_frame_that_shows_another_position(monkeypatch):
    monkeypatch.setattr(ReaderNetwork, "read_alone", flagged(ReaderNetwork.read_alone))
    watcher = BoardWatcher(SETTINGS)
    watcher.observe_frame(frame(0))
    watcher.observe_frame(frame(500, position=PLAYED))
    watcher.observe_frame(frame(1000))
    watcher.observe_frame(frame(COVERS_STAY_MS))
    assert not watcher.calibrated
    watcher.observe_frame(frame(COVERS_STAY_MS + 1000))
    assert watcher.calibrated


@pytest.fixture
def looks(monkeypatch) -> list[int]:
    """One entry for each search for the board: 2 for a quick one, else 1."""
    found: list[int] = []

    def counted(*given, quickly=False):
        found.append(2 if quickly else 1)
        return find_board(*given, quickly=quickly)

    monkeypatch.setattr(board_watcher, "find_board", counted)
    return found


def test_a_computer_without_time_looks_for_dice_only_in_pictures_at_rest():
    watcher = BoardWatcher(SETTINGS)
    watcher.hold_dice_until_ms = 10_000
    first = frame(0)
    assert watcher.observe_frame(first)
    assert watcher.dice_on_field(first) is None
    same = replace(first, t_ms=250)
    watcher.observe_frame(same)
    assert watcher.dice_on_field(same) == ()
    assert watcher.dice_looked_ms == 250
    later = frame(10_000, position=PLAYED)
    watcher.observe_frame(later)
    assert watcher.dice_on_field(later) == ()
    assert watcher.dice_looked_ms == 10_000


def test_a_board_under_a_resting_hand_is_not_looked_for(looks):
    watcher = BoardWatcher(SETTINGS)
    assert watcher.observe_frame(frame(0))
    for t_ms in (500, 600 + LOOK_IN_DOUBT_EVERY_MS):
        watcher.observe_frame(frame(t_ms, hand=SEATING.place(8)))
        assert watcher.reading is not None
        assert watcher.reading.hand
    assert not looks


def test_a_board_that_lies_still_is_not_looked_for_in_every_frame_until_it_is_set_up(looks):
    watcher = BoardWatcher(replace(SETTINGS, corners_px=None))
    for t_ms in range(0, FIND_EVERY_MS, 1000):
        watcher.observe_frame(frame(t_ms, position=LATE))
    assert len(looks) == SETTLED_FINDS
    for t_ms in range(FIND_EVERY_MS, 2 * FIND_EVERY_MS, 1000):
        watcher.observe_frame(frame(t_ms, position=LATE))
    assert len(looks) == SETTLED_FINDS + 1
    assert not watcher.calibrated
    assert watcher.observe_frame(frame(2 * FIND_EVERY_MS))
    assert len(looks) == SETTLED_FINDS + 1


def test_a_board_that_is_not_there_is_looked_for_more_and_more_rarely_until_it_comes(looks):
    watcher = BoardWatcher(replace(SETTINGS, corners_px=None))
    table = np.full_like(frame(0).image_bgr, 90)
    table[::7] = 120
    ten_minutes_ms = 600_000
    searched_ms = list[int]()
    for t_ms in range(0, ten_minutes_ms, 500):
        watcher.observe_frame(Frame(t_ms=t_ms, image_bgr=table))
        searched_ms += [t_ms] * (len(looks) - len(searched_ms))
    pauses_ms = np.diff(searched_ms)
    assert looks[:9] == [1, 1, 2, 1, 2, 2, 2, 1, 2]
    assert (pauses_ms[:3] == 500).all()
    assert (np.diff(pauses_ms) >= 0).all()
    assert pauses_ms[-1] == FIND_EVERY_MS
    assert any(
        watcher.observe_frame(frame(ten_minutes_ms + t_ms)) for t_ms in range(0, FIND_EVERY_MS + 1, 500)
    )


def test_the_reader_learns_a_known_board_as_it_lies_in_the_picture(monkeypatch):
    learnt = []
    monkeypatch.setattr(BoardReader, "know", lambda _, counts: learnt.append(counts))
    watcher = BoardWatcher(SETTINGS, joined_at=PLAYED)
    watcher.observe_frame(frame(0, position=PLAYED))
    watcher.know(PLAYED)
    assert watcher.reading
    assert learnt == [watcher.reading.counts()]
