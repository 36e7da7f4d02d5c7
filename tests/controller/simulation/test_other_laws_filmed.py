"""Recordings of games under other laws than the modern ones."""

import json

import pytest

from controller.cli.main import main
from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.match_record import GameRecord, MatchRecord
from controller.record.match_settings import MatchSettings, parse_match_settings
from controller.referee import HalfTurn
from controller.rules import LAWS, Dice, Moved, Player, Rolled, legal_plays, parse_steps
from controller.service.matches.played_matches import PlayedGame, PlayedMatch, match_record

W, B = Player.WHITE, Player.BLACK
PLAYS = ((W, "42", "8/4 6/4"), (B, "65", "24/18 18/13"))


def test_a_game_of_nackgammon_is_filmed_and_recorded(capsys, tmp_path):
    laws = LAWS["nackgammon"]
    actions = []
    for player, roll, play in PLAYS:
        actions += [
            Rolled(player=player, dice=Dice.parse(roll)),
            Moved(player=player, steps=parse_steps(play)),
        ]
    game = GameRecord(actions=tuple(actions), laws=laws)
    given, film = tmp_path / "nack.mat", tmp_path / "film"
    given.write_text(format_mat(MatchRecord(laws=laws, games=(game,))), encoding="utf-8")
    assert main(["simulate", str(given), "--out", str(film)]) == 0
    capsys.readouterr()
    score_sheet = tmp_path / "heard.mat"
    assert main(["transcribe", str(film), "--json", "--mat", str(score_sheet)]) == 0
    turns = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(turn["play"], turn["legal"]) for turn in turns] == [(play, True) for _, _, play in PLAYS]
    assert turns[-1]["position"] == str(game.played().position)
    read = parse_mat(score_sheet.read_text(encoding="utf-8")).record
    assert (read.laws, read.games[0].actions) == (laws, game.actions)


@pytest.mark.parametrize("name", LAWS)
def test_every_set_of_laws_may_be_named_in_a_recording(name):
    settings = parse_match_settings({"laws": name}, "recording.toml")
    assert settings.position == LAWS[name].start
    assert match_record(PlayedMatch(match=settings)).laws is LAWS[name]


def test_the_score_sheet_of_an_old_game_may_begin_with_a_double():
    """By Hoyle the first player threw again, and threw sixes."""
    settings = MatchSettings(white="Ada", black="Bert", length=2, laws="hoyle-1909")
    play = next(iter(legal_plays(LAWS["hoyle-1909"].start, W, Dice(6, 6))))
    turn = HalfTurn(t_ms=9000, player=W, dice=Dice(6, 6), steps=play.steps, legal=True, position=play.result)
    game = PlayedGame(start=settings.start, turns=(turn,))
    read = parse_mat(format_mat(match_record(PlayedMatch(match=settings, games=(game,)))))
    assert read.problems == ()
    assert read.record.games[0].played().position == play.result
