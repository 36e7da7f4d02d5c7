"""`blotlight simulate`: a match file becomes a recording, and the recording becomes the match again."""

import json

import pytest

from controller.cli.main import main

MATCH = """\
 3 point match

 Game 1
 Ada "the Ace" : 0              Bert : 0
  1) 41: 13/9 24/23              53: 24/21 21/16*
  2) 21: 25/23 6/5
"""


@pytest.fixture
def match_file(tmp_path):
    path = tmp_path / "match.mat"
    path.write_text(MATCH)
    return path


def test_a_filmed_match_is_transcribed_to_its_plays(match_file, tmp_path, capsys):
    film = str(tmp_path / "film")
    assert main(["simulate", str(match_file), "--out", film, "--white-home", "top-left"]) == 0
    assert "Filmed half-turns: 3; run blotlight transcribe" in capsys.readouterr().out
    assert main(["transcribe", film, "--json"]) == 0
    turns = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(turn["player"], turn["dice"]) for turn in turns] == [
        ("white", [4, 1]),
        ("black", [5, 3]),
        ("white", [2, 1]),
    ]
    assert turns[-1]["position"] == "00000140300004000000000210:00000050300005001000000010"
    assert all(turn["legal"] for turn in turns)


def test_lines_of_the_match_that_are_not_understood_are_named(match_file, tmp_path, capsys):
    match_file.write_text(MATCH.replace("21: 25/23", "2-1: 25/23"))
    assert main(["simulate", str(match_file), "--out", str(tmp_path / "film"), "--turns", "1"]) == 0
    assert capsys.readouterr().err == f"blotlight: {match_file}, line 6: not understood: '2-1: 25/23 6/5'\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["none.mat"], "none.mat is not there"),
        (["match.mat", "--game", "2"], "There is no game 2: the match has 1; choose another."),
        (["match.mat", "--turns", "0"], "--turns must be at least 1"),
        (["match.mat", "--turns", "-3"], "--turns must be at least 1"),
    ],
)
def test_what_cannot_be_filmed_is_said_in_one_sentence(
    match_file, tmp_path, capsys, monkeypatch, arguments, problem
):
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", *arguments, "--out", "film"]) == 2
    assert problem in capsys.readouterr().err


def test_a_text_that_is_no_match_is_refused(tmp_path, capsys):
    path = tmp_path / "list.mat"
    path.write_text("milk\neggs\n")
    assert main(["simulate", str(path), "--out", str(tmp_path / "film")]) == 2
    assert "is no match file" in capsys.readouterr().err
