"""One picture, read from the command line."""

import json

import cv2
import numpy as np
import pytest

from controller.cli.main import main
from controller.rules import Player, Position, parse_xgid, position_id
from controller.service.recordings.recording import open_recording
from tests.controller.cli.test_transcribe import SHORT

START = SHORT / "frames" / "0000005400.jpg"
WHITE_HOME, LIGHT = "bottom-left", "white"


def corners() -> str:
    return " ".join(f"{x},{y}" for x, y in open_recording(SHORT).board.corners_px)


def read(capsys, *arguments: str) -> dict:
    assert main(["read", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_start_position_is_read_from_one_picture(capsys):
    result = read(capsys, str(START), "--corners", corners(), "--bar", "0.462,0.538")
    assert result["top"] == ["2L", "0", "0", "0", "0", "5D", "0", "3D", "0", "0", "0", "5L"]
    assert result["bottom"] == ["2D", "0", "0", "0", "0", "5L", "0", "3L", "0", "0", "0", "5D"]
    assert result["bar"] == {"light": 0, "dark": 0}
    assert result["refused"] is None
    assert 0 < result["confidence"] <= 1
    assert len(result["place_confidence"]) == 24


def test_corners_of_a_large_photograph_are_those_of_the_file(capsys, tmp_path):
    large, times = tmp_path / "large.jpg", 3
    picture = cv2.imread(str(START))
    cv2.imwrite(str(large), cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC))
    known = " ".join(f"{times * x},{times * y}" for x, y in open_recording(SHORT).board.corners_px)
    result = read(capsys, str(large), "--corners", known, "--bar", "0.462,0.538")
    assert result["top"] == ["2L", "0", "0", "0", "0", "5D", "0", "3D", "0", "0", "0", "5L"]


def test_corners_outside_a_large_photograph_are_refused_with_the_size_of_its_file(capsys, tmp_path):
    large = tmp_path / "large.jpg"
    cv2.imwrite(str(large), np.full((2000, 3000, 3), 90, np.uint8))
    assert main(["read", str(large), "--corners", "5,5 9000,5 9000,1900 5,1900"]) == 2
    assert "3000 x 2000 pixels" in capsys.readouterr().err


def test_a_given_bar_is_used_where_the_board_is_looked_for(capsys):
    right, wrong = (read(capsys, str(START), "--bar", bar) for bar in ("0.462,0.538", "0.25,0.75"))
    assert right["confidence"] > wrong["confidence"]


def test_what_was_read_is_drawn_on_the_picture(capsys, tmp_path):
    drawn = tmp_path / "drawn.png"
    read(capsys, str(START), "--corners", corners(), "--overlay", str(drawn))
    before, after = cv2.imread(str(START)), cv2.imread(str(drawn))
    assert before.shape == after.shape
    assert not np.array_equal(before, after)


def test_a_blank_picture_is_refused_with_a_reason(capsys, tmp_path):
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((720, 1280, 3), 128, np.uint8))
    assert main(["read", str(blank), "--corners", corners(), "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    assert result["refused"]
    assert result["top"] is None


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: path.write_text("no picture"), id="text"),
        pytest.param(lambda path: path.write_bytes(START.read_bytes()[:5000]), id="cut short"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: None, id="missing"),
    ],
)
def test_a_file_that_is_no_picture_is_refused_in_one_sentence(capsys, tmp_path, make):
    path = tmp_path / "picture.jpg"
    make(path)
    assert main(["read", str(path), "--corners", corners()]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert str(path) in error


def test_corners_outside_the_picture_are_refused(capsys):
    assert main(["read", str(START), "--corners", "0,0 9000,0 9000,700 0,700"]) == 2
    assert "outside the picture" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["1,2 3,4", "a,b c,d e,f g,h", "1 2 3 4", ""])
def test_corners_that_are_no_four_pairs_are_refused_by_the_command_line(capsys, wrong):
    with pytest.raises(SystemExit) as stopped:
        main(["read", str(START), "--corners", wrong])
    assert stopped.value.code == 2
    assert "--corners" in capsys.readouterr().err


def test_an_overlay_that_cannot_be_written_is_said_in_one_sentence(capsys):
    assert main(["read", str(START), "--corners", corners(), "--overlay", "/nowhere/drawn.png"]) == 2
    assert "/nowhere/drawn.png" in capsys.readouterr().err


def test_the_board_is_found_without_its_corners(capsys):
    result = read(capsys, str(START), "--white-home", WHITE_HOME, "--light", LIGHT)
    assert result["position_id"] == position_id(Position.START, Player.WHITE)
    assert result["xgid"].startswith("XGID=-b----E-C---eE---c-e----B-:")


def test_the_ids_tell_who_is_on_roll(capsys):
    result = read(capsys, str(START), "--corners", corners(), "--on-roll", "black")
    assert parse_xgid(result["xgid"]).on_roll is Player.BLACK


def test_a_recording_is_read_frame_by_frame(capsys):
    assert main(["read", str(SHORT), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    pictures = sorted(path.stem for path in (SHORT / "frames").iterdir())
    assert [line["t_ms"] for line in lines] == [int(stem) for stem in pictures]
    furnished = next(line for line in lines if line["t_ms"] == int(START.stem))
    assert furnished["position"] == str(Position.START)
    assert any(line["hand"] for line in lines)


def test_a_recording_that_never_shows_the_start_cannot_be_read(capsys, tmp_path):
    (tmp_path / "frames").mkdir()
    blank = np.full((720, 1280, 3), 128, np.uint8)
    cv2.imwrite(str(tmp_path / "frames" / "0000000100.jpg"), blank)
    (tmp_path / "recording.toml").write_text((SHORT / "recording.toml").read_text())
    assert main(["read", str(tmp_path), "--json"]) == 1
    assert "No frame shows the start position" in capsys.readouterr().err


def without(settings: str, *keys: str) -> str:
    """recording.toml without the lines of some keys."""
    return "".join(line for line in settings.splitlines(True) if not line.startswith(keys))


@pytest.mark.parametrize("untold", [("white_home",), ("white_home", "corners_px", "bar")])
def test_the_start_position_tells_where_home_and_board_are(capsys, tmp_path, untold):
    (tmp_path / "frames").symlink_to((SHORT / "frames").resolve())
    settings = (SHORT / "recording.toml").read_text()
    (tmp_path / "recording.toml").write_text(without(settings, *untold))
    assert main(["read", str(tmp_path), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(line["position"] == str(Position.START) for line in lines)
