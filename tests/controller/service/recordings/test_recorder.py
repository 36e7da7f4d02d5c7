"""What the service sees and hears is kept as a recording that can be played back."""

import resource
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.perception.orientation import Orientation
from controller.record.match_settings import MatchSettings
from controller.rules import Player, Position
from controller.service.recordings.pruning import RECORDINGS_IN_ROOM, PictureLimits
from controller.service.recordings.recorder import EVERY_MS, SETTLING_MS, Recorder
from controller.service.recordings.recording import open_recording
from controller.simulation.screenplay import drawn_board_settings, scene_of
from hardware.camera import Frame
from hardware.dice_events import SensorFound
from hardware.simulated.drawn_table import BOARD_LOOKS, draw_table
from hardware.wire import encode

BEGAN_MS = 50_000
BOARD = drawn_board_settings(BOARD_LOOKS[0], Orientation(white_home="top-left", light=Player.BLACK))
MATCH = MatchSettings(white='Ada "the Ace"', black="Bert", length=3, on_roll=Player.BLACK)


@pytest.fixture
def recorder(tmp_path):
    said: list[str] = []
    recorder = Recorder(tmp_path / "film", BOARD, MATCH, BEGAN_MS, said.append)
    recorder.said = said
    yield recorder
    recorder.close()


def picture(hand: int | None, t_ms: int) -> Frame:
    image = draw_table(scene_of(Position.START, Orientation(), hand), BOARD_LOOKS[0], seed=t_ms)
    return Frame(t_ms=BEGAN_MS + t_ms, image_bgr=cv2.resize(image, (640, 360)))


def kept(recorder: Recorder) -> list[int]:
    return sorted(int(path.stem) for path in (recorder.folder / "frames").iterdir())


def test_a_recording_has_the_board_the_match_the_dice_and_what_people_said(recorder):
    recorder.keep_frame(picture(None, 0))
    recorder.dice_log.write(BEGAN_MS + 700, encode(0, "BOOT").rstrip())
    recorder.keep_command({"command": "done", "t_ms": BEGAN_MS + 900})
    recorder.close()
    recording = open_recording(recorder.folder)
    assert recording.problems == ()
    assert recording.match == MATCH
    assert recording.board.orientation == BOARD.orientation
    assert recording.board.field_mm == BOARD.field_mm
    assert np.allclose(recording.board.corners_px, BOARD.corners_px, atol=0.1)
    assert recording.camera.next_frame().t_ms == 0
    assert recording.dice.events[0] == SensorFound(t_ms=700)
    assert [event.t_ms for event in recording.commands] == [900]


def test_pictures_are_kept_while_something_stirs_and_a_little_longer_then_now_and_then(recorder):
    for t_ms in range(0, 30_000, 500):
        recorder.keep_frame(picture(12 if t_ms == 12_000 else None, t_ms))
    first = range(0, SETTLING_MS + 1, 500)
    stirred = range(12_000, 12_500 + SETTLING_MS + 1, 500)
    assert kept(recorder)[: len(first)] == list(first)
    assert set(stirred) <= set(kept(recorder))
    quiet = [t_ms for t_ms in kept(recorder) if t_ms not in first and t_ms not in stirred]
    assert len(quiet) == 1
    assert quiet[0] == stirred[-1] + EVERY_MS


def block(frames: Path) -> None:
    """Let no further picture be written there."""
    shutil.rmtree(frames)
    frames.write_text("in the way")


def test_a_disk_that_refuses_ends_the_recording_and_is_said_once(recorder):
    recorder.keep_frame(picture(None, 0))
    block(recorder.folder / "frames")
    recorder.keep_frame(picture(3, 500))
    recorder.keep_frame(picture(4, 1000))
    assert len(recorder.said) == 1
    assert "ends here, it cannot be written (Not a directory)" in recorder.said[0]


def test_a_disk_that_is_pulled_out_ends_the_recording_and_is_said_once(recorder):
    recorder.keep_frame(picture(None, 0))
    shutil.rmtree(recorder.folder)
    recorder.keep_frame(picture(3, 500))
    recorder.keep_frame(picture(4, 1000))
    assert len(recorder.said) == 1
    assert "ends here, it cannot be written (No such file or directory)" in recorder.said[0]


def test_a_disk_that_takes_no_command_does_not_keep_the_recorder_from_closing(tmp_path):
    said, film = [], tmp_path / "film"
    film.mkdir()
    (film / "events.jsonl").symlink_to("/dev/full")
    recorder = Recorder(film, BOARD, MATCH, BEGAN_MS, said.append)
    recorder.keep_command({"command": "done", "t_ms": BEGAN_MS + 900})
    recorder.close()
    assert len(said) == 1
    assert "ends here, it cannot be written (No space left on device)" in said[0]


def test_a_recording_that_has_used_up_its_share_is_full_once_the_table_is_still(tmp_path):
    limits = PictureLimits(most_bytes=RECORDINGS_IN_ROOM)
    recorder = Recorder(tmp_path / "film", BOARD, MATCH, BEGAN_MS, print, limits=limits)
    for t_ms, is_full in ((0, False), (EVERY_MS, True)):
        recorder.keep_frame(picture(None, t_ms))
        assert recorder.is_full is is_full
    recorder.close()


def test_a_recording_that_ended_with_its_share_used_up_goes_on_in_no_other(tmp_path):
    limits = PictureLimits(most_bytes=RECORDINGS_IN_ROOM)
    recorder = Recorder(tmp_path / "film", BOARD, MATCH, BEGAN_MS, print, limits=limits)
    recorder.keep_frame(picture(None, 0))
    block(recorder.folder / "frames")
    recorder.keep_frame(picture(None, EVERY_MS))
    assert not recorder.is_full
    recorder.begin_anew(BEGAN_MS + EVERY_MS, 2, BOARD.orientation)
    recorder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["film"]


@pytest.fixture
def full_disk():
    """No file may grow while the test runs."""
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, most[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, most)


def test_a_disk_full_at_the_start_keeps_nothing_half_made(tmp_path, full_disk):
    with pytest.raises(OSError, match="too large"):
        Recorder(tmp_path / "film", BOARD, MATCH, BEGAN_MS, print)
    assert not list(tmp_path.iterdir())


def test_a_disk_full_for_the_next_recording_keeps_the_one_before(recorder, full_disk):
    before = (recorder.folder / "recording.toml").read_text()
    recorder.begin_anew(BEGAN_MS + 1000, 2, Orientation())
    assert [path.name for path in recorder.folder.parent.iterdir()] == ["film"]
    assert (recorder.folder.parent / "film" / "recording.toml").read_text() == before
    assert len(recorder.said) == 1
