"""A film is enough; one that breaks off ends the record there, and nothing is invented."""

import json
import shutil

import cv2
import pytest

from controller.cli.main import main
from controller.cli.terminal.progress import ProgressLine, progress_text
from controller.service.recordings.recording import open_recording
from controller.service.recordings.transcript import transcribe
from hardware.camera import load_picture
from hardware.film_files import is_cut_short
from tests.controller.cli.test_transcribe import SHORT, truth

FPS = 10.0


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A folder with a simulated game of four half-turns, as frames."""
    folder = tmp_path_factory.mktemp("game")
    match = folder / "game.mat"
    match.write_text(
        " 0 point match\n\n Game 1\n Ada : 0                        Bert : 0\n"
        "  1) 31: 8/5 6/5                64: 24/18 13/9\n  2) 52: 13/8 24/22             41: 24/23 9/5\n"
    )
    assert main(["simulate", str(match), "--out", str(folder / "film"), "--look", "felt"]) == 0
    return folder


@pytest.fixture(scope="module")
def film(game):
    """The same as one film of ten frames a second, without sound of dice or settings."""
    return filmed(game, "game.avi", "MJPG")


def filmed(game, name, codec):
    """The frames of the game as a film; the ending of `name` says in which container."""
    frames = sorted((game / "film" / "frames").iterdir())
    height, width = load_picture(frames[0]).shape[:2]
    path = game / name
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), FPS, (width, height))
    upcoming, shown = list(frames), frames[0]
    for n in range(round(int(frames[-1].stem) / 1000 * FPS) + 1):
        while upcoming and int(upcoming[0].stem) <= n * 1000 / FPS:
            shown = upcoming.pop(0)
        writer.write(load_picture(shown))
    writer.release()
    return path


def transcribed(capsys, *arguments):
    status = main(["transcribe", *map(str, arguments), "--json"])
    printed = capsys.readouterr()
    return status, [json.loads(line) for line in printed.out.splitlines()], printed.err


def as_recording(game, film, folder):
    """The film beside the dice.log and the settings of the game."""
    folder.mkdir()
    shutil.copy(game / "film" / "dice.log", folder)
    settings = (game / "film" / "recording.toml").read_text()
    (folder / "recording.toml").write_text(f"video_fps = {FPS}\n{settings}")
    shutil.copy(film, folder / f"video{film.suffix}")
    return folder


def test_a_film_without_settings_becomes_a_record(game, film, capsys):
    _, played, _ = transcribed(capsys, game / "film")
    status, turns, said = transcribed(capsys, film)
    assert status == 0
    assert len(played) == 4
    assert [turn["position"] for turn in turns] == [turn["position"] for turn in played]
    assert all(turn["seen"] for turn in turns)
    assert "dice.log" not in said


def test_a_film_that_begins_after_the_first_play_is_recorded_once_its_first_position_is_given(
    game, tmp_path, capsys
):
    _, played, _ = transcribed(capsys, game / "film")
    late = shutil.copytree(game / "film", tmp_path / "late")
    (late / "dice.log").unlink()
    for picture in (late / "frames").iterdir():
        if int(picture.stem) < played[0]["t_ms"]:
            picture.unlink()
    settings = (late / "recording.toml").read_text()
    unsettled = settings.replace("corners_px", "# corners_px")
    (late / "recording.toml").write_text(unsettled)
    status, turns, said = transcribed(capsys, late)
    assert (status, turns) == (1, [])
    assert "give the position with which the film begins" in said
    joined = f'[match]\nposition = "{played[0]["position"]}"\non_roll = "black"\n'
    (late / "recording.toml").write_text(unsettled.replace("[match]\n", joined))
    status, turns, _ = transcribed(capsys, late)
    assert status == 0
    assert [turn["position"] for turn in turns] == [turn["position"] for turn in played[1:]]


@pytest.fixture(scope="module")
def whole(game, film, tmp_path_factory):
    """The half-turns of the whole film, with the dice that were heard."""
    folder = as_recording(game, film, tmp_path_factory.mktemp("whole") / "film")
    lines = transcribe(open_recording(folder)).json_lines()
    assert len(lines) == 4
    return [json.loads(line) for line in lines]


def index_first(film):
    """The MP4 film with its index before its pictures, as films that were sent or uploaded have it."""
    data = film.read_bytes()
    boxes, at = {}, 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        boxes[data[at + 4 : at + 8]] = data[at : at + length]
        at += length
    index = bytearray(boxes[b"moov"])
    at = index.index(b"stco") + 8
    for n in range(int.from_bytes(index[at : at + 4], "big")):
        place = slice(at + 4 * n + 4, at + 4 * n + 8)
        index[place] = (int.from_bytes(index[place], "big") + len(index)).to_bytes(4, "big")
    film.write_bytes(boxes[b"ftyp"] + index + boxes[b"free"] + boxes[b"mdat"])
    return film


def cut(film, share):
    film.write_bytes(film.read_bytes()[: round(film.stat().st_size * share)])


@pytest.mark.parametrize(("name", "codec"), [("a.avi", "MJPG"), ("a.mkv", "mp4v"), ("a.mp4", "mp4v")])
def test_a_film_that_breaks_off_ends_the_record_there(game, whole, tmp_path, capsys, name, codec):
    torn = filmed(game, name, codec)
    if torn.suffix == ".mp4":
        index_first(torn)
    assert not is_cut_short(torn)
    cut(torn, 0.6)
    assert is_cut_short(torn)
    status, turns, said = transcribed(capsys, as_recording(game, torn, tmp_path / "torn"))
    assert status == 1
    assert 0 < len(turns) < len(whole)
    assert [turn["position"] for turn in turns] == [turn["position"] for turn in whole][: len(turns)]
    assert said.count("breaks off") == said.count("\n") == 1
    assert all(turn["seen"] for turn in turns)


@pytest.mark.parametrize("in_folder", [False, True])
def test_an_mp4_that_was_cut_before_its_index_is_said_to_be_torn(game, tmp_path, capfd, in_folder):
    torn = filmed(game, "cut.mp4", "mp4v")
    cut(torn, 0.6)
    path = as_recording(game, torn, tmp_path / "torn") if in_folder else torn
    assert main(["transcribe", str(path), "--json"]) == 1
    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "was cut short, so none of its pictures can be read" in printed.err


def test_half_turns_that_no_picture_shows_are_marked(game, tmp_path, capsys):
    """The camera is gone after the second half-turn, and the tray goes on."""
    folder = tmp_path / "blind"
    shutil.copytree(game / "film", folder)
    frames = sorted((folder / "frames").iterdir())
    for frame in frames[len(frames) // 2 :]:
        frame.unlink()
    status, turns, said = transcribed(capsys, folder)
    assert status == 0
    seen = [turn["seen"] for turn in turns]
    assert seen[0] is True
    assert seen[-1] is False
    assert seen == sorted(seen, reverse=True)
    assert said.startswith("blotlight: No picture shows half-turn")
    assert main(["transcribe", str(folder)]) == 0
    sheet = capsys.readouterr().out
    assert sheet.count("~") == seen.count(False) + 1
    assert "~ No picture shows this half-turn" in sheet


def test_a_recording_in_which_every_play_was_seen_marks_none(capsys):
    _, turns, _ = transcribed(capsys, SHORT)
    assert [turn["seen"] for turn in turns] == [True] * len(truth())
    assert {turn["game"] for turn in turns} == {1}


def test_a_recording_without_a_play_says_why(game, tmp_path, capsys):
    folder = tmp_path / "still"
    shutil.copytree(game / "film", folder)
    frames = sorted((folder / "frames").iterdir())
    for frame in frames[10:]:
        frame.unlink()
    (folder / "dice.log").write_bytes(b"")
    status, turns, said = transcribed(capsys, folder)
    assert (status, turns) == (0, [])
    assert "No play was recorded: no throw was reported" in said


def test_what_was_declared_stands_in_the_match_file_and_on_the_sheet(game, tmp_path, capsys):
    folder = tmp_path / "doubled"
    shutil.copytree(game / "film", folder)
    _, turns, _ = transcribed(capsys, folder)
    after = turns[1]["t_ms"] + 300
    words = [
        {"t_ms": after, "command": "double", "player": "white"},
        {"t_ms": after + 100, "command": "take", "player": "black"},
    ]
    end = turns[-1]["t_ms"] + 500
    words += [
        {"t_ms": end, "command": "resign", "player": "black", "win": "gammon"},
        {"t_ms": end + 100, "command": "accept", "player": "white"},
    ]
    (folder / "events.jsonl").write_text("".join(json.dumps(word) + "\n" for word in words))
    mat, sgf = tmp_path / "game.mat", tmp_path / "game.sgf"
    assert main(["transcribe", str(folder), "--mat", str(mat), "--sgf", str(sgf)]) == 0
    sheet = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "2) doubles to 2 takes" in sheet
    assert "Ada wins a gammon: 4 points." in sheet
    assert " Doubles => 2" in mat.read_text()
    assert "Wins 4 points" in mat.read_text()
    assert "RE[W+4R]" in sgf.read_text()


class Terminal:
    """A terminal that keeps what is written."""

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_tells_the_time_left_once_a_second_has_passed():
    times = iter([0.0, 0.5, 2.0, 2.05, 4.0])
    terminal = Terminal()
    line = ProgressLine("frame", terminal, lambda: next(times))
    line.show(10, 100)
    assert terminal.text == ""
    line.show(20, 100)
    line.show(21, 100)
    line.show(40, 100)
    assert terminal.text.count("frame") == 2
    assert "frame 20 of 100, about 0:08 left" in terminal.text
    assert progress_text("frame", 100, 100, 9.0) == "frame 100 of 100"
