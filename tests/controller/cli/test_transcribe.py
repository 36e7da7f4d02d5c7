"""A recording goes in, the record of its game comes out; damaged ones too."""

import json
import shutil
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.cli.recordings.explain import explanation_lines
from controller.rules import Position
from sentences import speaking
from tests.controller.referee.inference.boards import AFTER_32
from tests.controller.referee.table import Table
from tests.paths import DATA

SHORT = DATA / "short"


@pytest.fixture
def recording(tmp_path):
    """A copy of the short recording, to be damaged."""
    return Path(shutil.copytree(SHORT, tmp_path / "recording"))


def truth() -> list[dict]:
    return [json.loads(line) for line in (SHORT / "truth.jsonl").read_text().splitlines()]


def transcribed(capsys, folder: Path) -> tuple[list[dict], str]:
    """The half-turns printed, and what was said on standard error."""
    assert main(["transcribe", str(folder), "--json"]) == 0
    printed = capsys.readouterr()
    return [json.loads(line) for line in printed.out.splitlines()], printed.err


def refused(capsys, *arguments: str) -> tuple[int, str]:
    status = main(list(arguments))
    error = capsys.readouterr().err
    assert error.count("\n") == 1, "one sentence, in one line"
    return status, error


def test_every_half_turn_of_a_filmed_game_is_recorded_as_it_was_played(capsys):
    turns, said = transcribed(capsys, SHORT)
    assert [(t["player"], t["position"], t["legal"]) for t in turns] == [
        (t["player"], t["position"], t["legal"]) for t in truth()
    ]
    assert [sorted(t["dice"]) for t in turns] == [sorted(t["dice"]) for t in truth()]
    assert said == ""


def test_an_illegal_play_is_reported_in_its_half_turn_and_nowhere_else(capsys):
    turns, _ = transcribed(capsys, SHORT)
    assert [bool(turn["offence"]) for turn in turns] == [False, False, False, True]
    (offence,) = turns[3]["offence"]
    assert (offence["kind"], offence["places"], offence["shown"]) == ("wrong_distance", [6, 5], True)
    assert turns[3]["legal"], "it was put right before the dice were lifted"


def test_the_score_sheet_is_what_people_read(capsys):
    assert main(["transcribe", str(SHORT)]) == 0
    sheet = capsys.readouterr().out
    assert "Ada (White) v. Bert (Black), 1 point match" in sheet
    assert "33: 8/5(2) 6/3(2)" in sheet
    assert "Ada: moved a distance that the dice do not give (6, 5)." in sheet


def test_a_picture_cut_short_is_named_and_the_rest_goes_on(capsys, recording):
    picture = recording / "frames" / "0000021100.jpg"
    picture.write_bytes(picture.read_bytes()[:20_000])
    turns, said = transcribed(capsys, recording)
    assert [turn["position"] for turn in turns] == [turn["position"] for turn in truth()]
    assert said.count("\n") == 1
    assert "0000021100.jpg" in said


def test_without_a_dice_log_the_dice_are_read_from_the_pictures(capsys, recording):
    (recording / "dice.log").unlink()
    turns, said = transcribed(capsys, recording)
    assert "dice.log" in said
    assert [turn["position"] for turn in turns] == [turn["position"] for turn in truth()]
    told = [(sorted(turn["dice"]), turn["dice_inferred"]) for turn in turns]
    thrown = [sorted(turn["dice"]) for turn in truth()]
    assert all(dice == true or inferred for (dice, inferred), true in zip(told, thrown, strict=True))
    assert sum(not inferred for _, inferred in told) >= len(turns) / 2


def test_garbage_in_the_dice_log_costs_no_half_turn(capsys, recording):
    log = recording / "dice.log"
    lines = log.read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    log.write_bytes(b"".join([*lines[:middle], b"\x00\xff$$garbage\x80\n", *lines[middle:]]))
    turns, said = transcribed(capsys, recording)
    assert [turn["position"] for turn in turns] == [turn["position"] for turn in truth()]
    assert f"ine {middle + 1} " in said


def test_a_tray_unplugged_for_good_costs_no_half_turn(capsys, recording):
    log = recording / "dice.log"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:25]))  # up to the first throw
    turns, _ = transcribed(capsys, recording)
    assert [turn["position"] for turn in turns] == [turn["position"] for turn in truth()]


def test_corners_outside_the_picture_are_refused_in_one_sentence(capsys, recording):
    settings = recording / "recording.toml"
    text = settings.read_text()
    start = text.index("corners_px")
    end = text.index("\n", start)
    settings.write_text(text[:start] + "corners_px = [[0, 0], [5000, 0], [5000, 900], [0, 900]]" + text[end:])
    status, error = refused(capsys, "transcribe", str(recording))
    assert status == 2
    assert "outside the picture" in error


def test_where_corners_miss_the_board_it_is_found_and_said(capsys, recording):
    main(["transcribe", str(recording), "--json"])
    as_given = capsys.readouterr().out
    settings = recording / "recording.toml"
    text = settings.read_text()
    start = text.index("corners_px")
    end = text.index("\n", start)
    settings.write_text(text[:start] + "corners_px = [[0, 0], [200, 0], [200, 150], [0, 150]]" + text[end:])
    assert main(["transcribe", str(recording), "--json"]) == 0
    told = capsys.readouterr()
    assert "The board does not lie as corners_px says; it is read at" in told.err
    assert told.out == as_given


@pytest.mark.parametrize(
    ("toml", "named"),
    [
        ("[match]\n", "[board]"),
        ("[board\n", "recording.toml"),
        ('[board]\ncorners_px = [[0,0],[9,0],[9,9],[0,9]]\nwhite_home = "middle"\n', "middle"),
        ("[board]\ncorners_px = [[0,0],[9,0]]\n", "[board]"),
        ('[board]\ncorners_px = [[0,0],[9,0],[9,9],[0,9]]\n[match]\nlaws = "mine"\n', "mine"),
        ('[board]\ncorners_px = [[0,0],[9,0],[9,9],[0,9]]\n[match]\nposition = "12"\n', "[match]"),
    ],
)
def test_a_recording_described_wrongly_is_refused_by_what_is_wrong(capsys, recording, toml, named):
    (recording / "recording.toml").write_text(toml)
    status, error = refused(capsys, "transcribe", str(recording))
    assert status == 2
    assert named in error


def test_a_folder_that_is_no_recording_is_refused(capsys, tmp_path):
    assert refused(capsys, "transcribe", str(tmp_path))[0] == 2


def test_a_folder_that_is_not_there_is_refused(capsys, tmp_path):
    assert refused(capsys, "transcribe", str(tmp_path / "nowhere"))[0] == 2


def test_a_recording_without_frames_is_refused(capsys, recording):
    shutil.rmtree(recording / "frames")
    status, error = refused(capsys, "transcribe", str(recording))
    assert status == 2
    assert "frames" in error


def test_a_match_file_that_cannot_be_written_is_said_in_one_sentence(capsys):
    status, error = refused(capsys, "transcribe", str(SHORT), "--mat", "/nowhere/game.mat")
    assert status == 2
    assert "/nowhere/game.mat" in error


def test_why_a_half_turn_was_taken_for_what_it_was_is_explained(capsys):
    assert main(["explain", str(SHORT), "--turn", "1"]) == 0
    title, heading, likeliest, *_ = capsys.readouterr().out.splitlines()
    assert title.startswith("Half-turn 1:")
    assert heading.split()[:3] == ["course", "score", "before"]
    assert truth()[0]["player"] in likeliest
    assert " 0.0" in likeliest


def test_an_explanation_is_given_in_the_language_that_is_spoken():
    table = Table()
    table.show(str(Position.START))
    table.play(3, 1, str(AFTER_32))
    table.show(str(AFTER_32))
    with speaking("de"):
        _, _, likeliest, *others = explanation_lines(table.state)
    assert likeliest.startswith("regelwidrig white 31")
    assert any("falsch gelesen" in line for line in others)


def test_a_half_turn_that_was_not_played_cannot_be_explained(capsys):
    status, said = refused(capsys, "explain", str(SHORT), "--turn", "99")
    assert (status, "choose one from 1 to" in said) == (2, True)
