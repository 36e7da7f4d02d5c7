"""Russian and Turkish backgammon on the simulated table: filmed, transcribed, kept and gone on with."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.record.keeper import STARTED_KIND, MatchKeeper
from controller.record.match_settings import parse_match_settings
from controller.record.thrown_games import ThrownGame, format_thrown_game, parse_thrown_game
from controller.referee import RefereePhase
from controller.referee.inference.histories import likeliest_history
from controller.rules import ENTERING_LAWS, Dice, Player, Position, rules_of
from controller.rules.entering.entering_laws import RUSSIAN_BRITANNICA, RUSSIAN_CADY, TURKISH_CADY
from controller.service.recordings.recording import open_recording
from controller.service.recordings.transcript import transcribe
from controller.service.restore import restore_match
from tests.controller.cli.test_transcribe import SHORT

W = Player.WHITE
GAMES = {
    RUSSIAN_BRITANNICA: (("64", "off/19 off/21"), ("31", "off/22 22/21*")),
    RUSSIAN_CADY: (
        ("21", "off/23 off/24"),
        ("66", "off/19(4); off/24(4)"),
        ("65", "off/19 off/20"),
    ),
    TURKISH_CADY: (("64", "off/18 off/20"), ("21", "off/23 off/22")),
}
"""Throws and plays of White and Black in turn; the sixes of Cady's game are chosen after the deuce-ace."""


def played(laws) -> ThrownGame:
    game = ThrownGame(laws=laws, leader=W, white="Ada", black="Bert")
    for dice, play in GAMES[laws]:
        game = game.after(Dice.parse(dice), play)
    return game


def film(game: ThrownGame, folder: Path) -> Path:
    given = folder / "given.jsonl"
    given.write_text(format_thrown_game(game), encoding="utf-8")
    assert main(["simulate", str(given), "--out", str(folder / "film")]) == 0
    return folder / "film"


@pytest.mark.parametrize("laws", GAMES, ids=lambda laws: laws.name)
def test_a_filmed_game_is_recorded_as_it_was_played(laws, tmp_path, capsys):
    game = played(laws)
    folder, heard = film(game, tmp_path), tmp_path / "heard.jsonl"
    capsys.readouterr()
    assert main(["transcribe", str(folder), "--json", "--jsonl", str(heard)]) == 0
    turns = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [turn["position"] for turn in turns] == [str(each.stand.position) for each in game.throws]
    assert all(turn["legal"] and not turn["offence"] for turn in turns)
    again = parse_thrown_game(heard.read_text(encoding="utf-8"))
    assert (again.laws, again.white, again.leader) == (laws, "Ada", W)
    assert [(each.player, each.stand) for each in again.throws] == [
        (each.player, each.stand) for each in game.throws
    ]
    assert [each.dice for each in again.throws if not each.chosen] == [
        each.dice for each in game.throws if not each.chosen
    ]


def test_a_game_goes_on_after_a_restart_with_the_checkers_that_wait_and_the_choice_that_is_due(tmp_path):
    begun = replace(played(RUSSIAN_CADY), throws=played(RUSSIAN_CADY).throws[:1])
    recording = open_recording(film(begun, tmp_path))
    keeper = MatchKeeper(tmp_path / "log.db", recording.match, print)
    keeper.note_row(0, STARTED_KIND, {"position": str(recording.match.position), "on_roll": "white"})
    transcribe(recording, sinks=(keeper.note,))
    keeper.close()
    again = MatchKeeper(tmp_path / "log.db", recording.match, print)
    going_on = restore_match(again.earlier, recording.match.state())
    again.close()
    assert going_on is not None
    assert likeliest_history(going_on.state.histories).turn_state == begun.stand
    assert going_on.state.phase is RefereePhase.ROLLED
    assert [str(dice) for dice in going_on.state.rolls] == ["11", "22", "33", "44", "55", "66"]


@pytest.mark.parametrize("laws", ENTERING_LAWS.values(), ids=lambda laws: laws.name)
def test_a_game_begins_with_the_board_of_its_laws(laws):
    match = parse_match_settings({"laws": laws.name}, "recording.toml")
    assert match.position == rules_of(laws).start(W).position
    assert match.furnished == Position.START


@pytest.mark.parametrize(
    ("laws", "option", "problem"),
    [
        ("turkish-cady", "--mat", "A .mat file cannot carry turkish-cady"),
        ("modern", "--jsonl", "By modern-match the checkers are set up at first: export the match as .mat."),
    ],
)
def test_a_file_that_cannot_carry_the_game_is_refused_before_it_is_watched(
    tmp_path, capsys, laws, option, problem
):
    folder = Path(shutil.copytree(SHORT, tmp_path / "recording"))
    settings = (folder / "recording.toml").read_text(encoding="utf-8")
    (folder / "recording.toml").write_text(settings.replace('"modern"', f'"{laws}"'), encoding="utf-8")
    assert main(["transcribe", str(folder), option, str(tmp_path / "out")]) == 2
    assert problem in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_game_by_laws_that_a_recording_cannot_name_is_not_filmed(tmp_path, capsys):
    agreed = ThrownGame(laws=replace(RUSSIAN_CADY, continuation=True), leader=W)
    given = tmp_path / "given.jsonl"
    given.write_text(format_thrown_game(agreed.after(Dice(2, 1), "off/23 off/24")), encoding="utf-8")
    assert main(["simulate", str(given), "--out", str(tmp_path / "film")]) == 2
    assert "has settings of its own" in capsys.readouterr().err
