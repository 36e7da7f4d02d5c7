"""Photographs of settled positions and offences are kept, and the oldest go when there are too many."""

import shutil
from functools import partial
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from controller.referee import HalfTurn, OffenceShown, TurnRecorded
from controller.rules import Player, Position
from controller.service.recordings.pruning import STOPS_AT_FREE_BYTES
from controller.service.recordings.stills import StillKeeper, StillName, still_file, stills_of
from hardware.camera import Frame
from vision.board_reading import refused_reading

TURN = HalfTurn(t_ms=0, player=Player.WHITE, dice=None, steps=(), legal=True, position=Position.START)


class Clear:
    refused, hand = None, False


class Hand:
    refused, hand = None, True


def frame(level):
    return Frame(t_ms=0, image_bgr=np.full((900, 1600, 3), level, dtype=np.uint8))


def level_of(path):
    picture = cv2.imread(str(path))
    assert picture.shape == (540, 960, 3)
    return round(float(picture.mean()))


@pytest.fixture
def said():
    return []


@pytest.fixture
def keeper(tmp_path, said):
    return StillKeeper(tmp_path / "stills", lambda: 7, said.append)


def test_a_turn_is_shown_by_the_last_picture_that_nothing_hid(keeper, tmp_path):
    keeper.keep_frame(frame(100), Clear)
    keeper.keep_frame(frame(200), Hand)
    keeper.keep_frame(frame(220), refused_reading("blurred"))
    keeper.note(TurnRecorded(t_ms=0, game=1, index=4, turn=TURN), 1)
    name = StillName(2, 5, "turn")
    assert stills_of(tmp_path / "stills", 7) == {name}
    assert level_of(still_file(tmp_path / "stills", 7, name)) == 100


def test_an_offence_is_shown_at_its_moment(keeper, tmp_path):
    keeper.keep_frame(frame(100), Clear)
    keeper.keep_frame(frame(200), Hand)
    keeper.note(OffenceShown(t_ms=0, index=0, player=Player.WHITE, offences=()), 0)
    assert level_of(still_file(tmp_path / "stills", 7, StillName(1, 1, "offence"))) == 200


def test_what_is_mended_keeps_its_photograph(keeper, tmp_path):
    for level, mended in ((100, False), (200, True)):
        keeper.keep_frame(frame(level), Clear)
        keeper.note(TurnRecorded(t_ms=0, index=0, turn=TURN, mended=mended), 0)
    assert level_of(still_file(tmp_path / "stills", 7, StillName(1, 1, "turn"))) == 100


def test_the_oldest_matches_lose_theirs_first(tmp_path, said):
    for match in range(1, 5):
        keeper = StillKeeper(tmp_path, partial(int, match), said.append, most_bytes=7000)
        keeper.keep_frame(frame(100), Clear)
        keeper.note(TurnRecorded(t_ms=0, index=0, turn=TURN), 0)
    size = still_file(tmp_path, 4, StillName(1, 1, "turn")).stat().st_size
    kept = [match for match in range(1, 5) if stills_of(tmp_path, match)]
    assert kept == list(range(5 - (7000 // size + 1), 5))
    assert len(kept) < 4


def test_in_a_match_without_end_the_first_games_lose_theirs(tmp_path, said):
    keeper = StillKeeper(tmp_path, lambda: 7, said.append, most_bytes=7000)
    keeper.keep_frame(frame(100), Clear)
    for game in range(12):
        keeper.note(TurnRecorded(t_ms=0, index=0, turn=TURN, game=game), game)
    size = still_file(tmp_path, 7, StillName(12, 1, "turn")).stat().st_size
    kept = sorted(name.game for name in stills_of(tmp_path, 7))
    assert kept == list(range(13 - (7000 // size + 1), 13))
    assert not said


def test_a_disk_that_fails_is_said_once(tmp_path, said):
    (tmp_path / "stills").write_text("no folder")
    keeper = StillKeeper(tmp_path / "stills", lambda: 7, said.append)
    keeper.keep_frame(frame(100), Clear)
    for index in range(2):
        keeper.note(TurnRecorded(t_ms=0, index=index, turn=TURN), 0)
    assert len(said) == 1
    assert "No photographs can be kept" in said[0]


def test_a_full_disk_leaves_no_half_photograph_and_others_follow_once_there_is_room(keeper, tmp_path, said):
    full, later = (still_file(tmp_path / "stills", 7, StillName(1, number, "turn")) for number in (1, 2))
    full.parent.mkdir(parents=True)
    full.symlink_to("/dev/full")
    keeper.keep_frame(frame(100), Clear)
    for index in range(2):
        keeper.note(TurnRecorded(t_ms=0, index=index, turn=TURN), 0)
    assert [path.name for path in full.parent.iterdir()] == [later.name]
    assert len(said) == 1
    assert said[0].endswith("(No space left on device): make room there.")


def test_the_last_room_is_left_to_the_record(keeper, tmp_path, said, monkeypatch):
    little = SimpleNamespace(free=STOPS_AT_FREE_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: little)
    keeper.keep_frame(frame(100), Clear)
    keeper.note(TurnRecorded(t_ms=0, index=0, turn=TURN), 0)
    assert stills_of(tmp_path / "stills", 7) == frozenset()
    assert len(said) == 1


def test_no_number_leads_anywhere_else(tmp_path):
    assert still_file(tmp_path, 10**9, StillName(1, 1, "turn")) is None
    assert still_file(tmp_path, 1, StillName(0, 1, "turn")) is None
    with pytest.raises(ValueError, match="passwd"):
        still_file(tmp_path, 1, StillName(1, 1, "../passwd"))
