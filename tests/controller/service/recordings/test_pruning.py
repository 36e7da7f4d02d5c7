"""Pictures never fill the card."""

import os
import shutil
from types import SimpleNamespace

import pytest

from controller.perception.board_settings import parse_board_settings
from controller.record.match_settings import MatchSettings
from controller.service.recordings.pruning import (
    DAY_S,
    STOPS_AT_FREE_BYTES,
    PictureLimits,
    prune_recordings,
)
from controller.service.recordings.recorder import Recorder

NOW_S = 1000 * DAY_S


@pytest.fixture
def recording(tmp_path):
    def make(name: str, age_days: float, n_bytes: int):
        (tmp_path / name / "frames").mkdir(parents=True)
        (tmp_path / name / "frames" / "0000000000.jpg").write_bytes(bytes(n_bytes))
        (tmp_path / name / "recording.toml").write_text("")
        for file in (tmp_path / name).iterdir():
            os.utime(file, (NOW_S - age_days * DAY_S,) * 2)

    return make


def left(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_too_old_goes_and_then_the_oldest_until_the_others_fit(recording, tmp_path):
    recording("ancient", 31, 10)
    recording("old", 20, 600)
    recording("recent", 2, 300)
    recording("today", 0, 600)
    recording("begun by a wrong clock", 4000, 10)
    limits = PictureLimits(most_days=30, most_bytes=1000)
    assert limits.part_bytes == 100
    deleted = prune_recordings(tmp_path, limits, NOW_S, begun=tmp_path / "begun by a wrong clock")
    assert [path.name for path in deleted] == ["ancient", "old"]
    assert left(tmp_path) == ["begun by a wrong clock", "recent", "today"]


def test_one_more_recording_has_room(recording, tmp_path):
    recording("old", 1, 401)
    recording("recent", 0, 500)
    limits = PictureLimits(most_bytes=1000)
    assert [path.name for path in prune_recordings(tmp_path, limits, NOW_S, tmp_path / "begun")] == ["old"]


def test_what_cannot_be_deleted_still_takes_its_space(recording, tmp_path):
    """A link is not deleted, and here leads to a film."""
    recording("elsewhere/linked", 2, 0)
    (tmp_path / "elsewhere" / "linked" / "video.mp4").write_bytes(bytes(400))
    (tmp_path / "linked").symlink_to(tmp_path / "elsewhere" / "linked")
    recording("old", 1, 400)
    recording("today", 0, 400)
    prune_recordings(tmp_path, PictureLimits(most_bytes=1000), NOW_S, tmp_path / "begun")
    assert left(tmp_path) == ["elsewhere", "linked", "today"]


def test_a_recording_made_while_the_clock_was_wrong_is_not_too_old(recording, tmp_path):
    recording("from the future", -4000, 10)
    assert prune_recordings(tmp_path, PictureLimits(), NOW_S, tmp_path / "begun") == []


def test_a_recording_during_which_the_clock_was_set_right_is_not_too_old(recording, tmp_path):
    recording("tonight", 40, 10)
    os.utime(tmp_path / "tonight" / "frames", (NOW_S,) * 2)
    assert prune_recordings(tmp_path, PictureLimits(), NOW_S, tmp_path / "begun") == []


def test_other_folders_and_files_stay(recording, tmp_path):
    (tmp_path / "holiday").mkdir()
    (tmp_path / "holiday" / "beach.jpg").write_bytes(bytes(5000))
    recording("old", 400, 10)
    prune_recordings(tmp_path, PictureLimits(most_bytes=0), NOW_S, tmp_path / "begun")
    assert left(tmp_path) == ["holiday"]


def test_a_recording_ends_before_the_card_is_full(tmp_path, monkeypatch):
    said: list[str] = []
    board = parse_board_settings({}, "settings")
    recorder = Recorder(tmp_path / "one", board, MatchSettings(), 0, said.append)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=STOPS_AT_FREE_BYTES - 1))
    assert not recorder.has_room()
    assert not recorder.has_room()
    recorder.close()
    assert len(said) == 1
    assert "No space left" in said[0]
