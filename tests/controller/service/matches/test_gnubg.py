"""What GNU Backgammon says of a match, read back from its own words."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.errors import WorkError
from controller.record.keeper import MatchKeeper
from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.match_record import GameRecord, MatchRecord
from controller.record.match_settings import MatchSettings
from controller.referee import HalfTurn, TurnRecorded
from controller.rules import (
    Dice,
    DidNotThrow,
    Doubled,
    EditedBoard,
    Game,
    MovedIrregularly,
    OpeningThrow,
    Passed,
    Player,
    Position,
    Rolled,
    after_steps,
    parse_steps,
)
from controller.service.matches import gnubg as peer
from controller.service.matches.gnubg import _half_turns, analyse_match
from controller.service.matches.gnubg_analysis import Decision, parse_mistakes, parse_statistics
from controller.service.matches.played_matches import PlayedGame, PlayedMatch, match_record
from tests.hardware.hand_clock import wait_until
from tests.paths import DATA, ROOT
from tests.peers import gnubg, gnubg_path, require_peer

MATCH = DATA / "engine" / "matches" / "m03_03.mat"

SECTION = """\
Move number 7:  Ada to play 31

 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : MABmAAAAAAAE
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: Ada
 | X           O    |   | O              X |     0 points
^|                  |BAR|                  |     3 points match (Cube: 1)
 +13-14-15-16-17-18------19-20-21-22-23-24-+     X: Bert
Pip counts: O 167, X 167

* Ada moves 24/20

Cube analysis
2-ply cubeless equity +0.600 (Money: +0.600)
Cubeful equities:
1. Double, take        +0.800
2. Double, pass        +1.000  (+0.200)
3. No double           +0.650  (-0.150)
Proper cube action: Double, take

Rolled 31 (+0.200):
     1. Cubeful 2-ply    8/5 6/5                      Eq.: +0.201
       0.549 0.144 0.006 - 0.451 0.119 0.004
*    4. Cubeful 2-ply    24/20                        Eq.: -0.110 (-0.311)
       0.475 0.137 0.005 - 0.525 0.155 0.007
"""


def test_a_play_that_was_not_the_best_is_named_with_what_was_better():
    cube, play = parse_mistakes(SECTION, 2)
    assert (play.name, play.game, play.half_turn) == ("Ada", 2, 1)
    assert (play.decision, play.played, play.better) == (Decision.PLAY, "31: 24/20", "8/5 6/5")
    assert cube.decision is Decision.NO_DOUBLE
    assert play.loss == pytest.approx(0.311)
    assert (cube.played, cube.better) == ("does not double", "to double (take)")
    assert cube.loss == pytest.approx(0.15)
    assert len(play.diagram) == 5


def answered(did: str, take: str, drop: str) -> list[tuple[str, str, float]]:
    """The mistakes of a player who is asked, by the equities of his two answers."""
    section = (
        f"Move number 8:  Ada doubles to 2\n\n* Bert {did}\n\nCubeful equities:\n"
        f"1. Double, take        {take}\n2. Double, pass        {drop}\n3. No double           -0.700\n"
    )
    return [(one.played, one.better, round(one.loss, 3)) for one in parse_mistakes(section)]


def test_a_wrong_take_and_a_wrong_pass_are_mistakes_of_the_one_who_was_asked():
    assert answered("accepts", "-1.200", "-1.000") == [("takes", "to pass", 0.2)]
    assert answered("accepts", "-0.800", "-1.000") == []
    assert answered("rejects", "-0.800", "-1.000") == [("passes", "to take", 0.2)]


@pytest.fixture(scope="module")
def analysed():
    path, steps = gnubg_path(), []
    record = parse_mat(MATCH.read_text()).record
    return analyse_match(record, path, lambda done, total: steps.append((done, total)), plies=0), steps


def test_the_figures_are_those_that_gnu_backgammon_prints_itself(analysed, tmp_path):
    plies = [f"set analysis {what} evaluation plies 0" for what in ("chequerplay", "cubedecision")]
    said = gnubg([f"import mat {MATCH}", *plies, "analyse match", "show statistics match"], tmp_path)
    assert analysed[0].players == parse_statistics(said)
    overall = said[said.index("Overall statistics") :]
    totals = re.search(r"Error total EMG \(MWC\)\s+-([\d.]+) \(.*?\)\s+-([\d.]+) ", overall)
    for player, total in zip(analysed[0].players, totals.groups(), strict=True):
        lost = sum(mistake.loss for mistake in analysed[0].mistakes if mistake.name == player.name)
        assert lost == pytest.approx(float(total), abs=0.01)


def first_game_analysed(headers="", white="Ada"):
    """What is said of the first game of the match, with these headers and this name."""
    path = gnubg_path()
    record = parse_mat(headers + MATCH.read_text()).record
    return analyse_match(replace(record, games=record.games[:1], white=white), path, plies=0)


def test_where_the_laws_have_no_cube_nobody_is_blamed_for_not_doubling():
    mistakes = first_game_analysed('; [Laws "hoyle-1909"]\n').mistakes
    assert [mistake for mistake in mistakes if mistake.decision is not Decision.PLAY] == []
    assert any(one.decision is Decision.NO_DOUBLE for one in first_game_analysed().mistakes)


@pytest.mark.parametrize("name", ["Jürgen Müller-Lüdenscheidt der Jüngere", "Bob: 3  Jr.", "Ann moves; 5)"])
def test_players_keep_their_names_whatever_gnu_backgammon_makes_of_them(name):
    analysis = first_game_analysed(white=name)
    assert [player.name for player in analysis.players] == [name, "Bert"]
    assert {one.name for one in analysis.figures} == {name, "Bert"}
    assert all(mistake.diagram[0].endswith(f"O: {name}") for mistake in analysis.mistakes)


def test_after_an_illegal_play_that_no_steps_lead_to_the_half_turns_keep_their_numbers():
    game = Game.new().push(OpeningThrow(white=3, black=1)).push("24/20")
    game = game.push(Rolled(player=Player.BLACK, dice=Dice(6, 4)))
    game = game.push(MovedIrregularly(player=Player.BLACK, result=game.position))
    game = game.push(Rolled(player=Player.WHITE, dice=Dice(5, 5))).push("13/3 8/3(2)")
    game = game.push(Doubled(player=Player.BLACK)).push(Passed(player=Player.WHITE))
    record = MatchRecord(games=(GameRecord.of(game, (0, 0)),))
    analysis = analyse_match(record, gnubg_path(), plies=0)
    found = {(one.half_turn, one.decision) for one in analysis.mistakes}
    assert found == {(1, Decision.PLAY), (3, Decision.PLAY), (4, Decision.DOUBLE), (4, Decision.PASS)}
    assert [one.half_turn for one in analysis.figures] == [1, 3]


def test_after_half_turns_of_unknown_dice_the_half_turns_keep_their_numbers():
    """The first half-turn is played by White; the second, of unknown dice, is written as a board."""
    first = Game.new().push(OpeningThrow(white=3, black=1)).push("8/5 6/5")
    left = after_steps(first.position, Player.BLACK, parse_steps("24/18 13/9"))
    closed_out = Position.parse("90000050000000000000000001:02222220300000000000000000")
    actions = (
        *first.actions,
        EditedBoard(position=left, on_roll=Player.WHITE),
        Rolled(player=Player.WHITE, dice=Dice(5, 2)),
        MovedIrregularly(player=Player.WHITE, result=left),
        EditedBoard(position=closed_out, on_roll=Player.BLACK),  # set up by hand: no turn has passed
        Rolled(player=Player.BLACK, dice=Dice(2, 1)),
        MovedIrregularly(player=Player.BLACK, result=closed_out),
        DidNotThrow(player=Player.WHITE),
        Doubled(player=Player.BLACK),
    )
    game = reduce(Game.push, actions, Game.new())
    numbers = _half_turns(GameRecord.of(game, (0, 0)))
    assert numbers[1, Decision.PLAY] == 1
    assert [number for (_, decision), number in numbers.items() if decision is Decision.DOUBLE] == [6]


@pytest.mark.parametrize("joined", [None, Player.WHITE], ids=["begun", "joined"])
def test_after_a_first_half_turn_of_unknown_dice_the_half_turns_keep_their_numbers(joined):
    left = after_steps(Position.START, Player.WHITE, parse_steps("8/5 6/5"))
    after = after_steps(left, Player.BLACK, parse_steps("24/18 13/9"))
    unknown = HalfTurn(t_ms=1, player=Player.WHITE, dice=None, steps=(), legal=False, position=left)
    steps = parse_steps("24/18 13/9")
    second = HalfTurn(t_ms=2, player=Player.BLACK, dice=Dice(6, 4), steps=steps, legal=True, position=after)
    game = PlayedGame(start=Position.START, on_roll=joined, turns=(unknown, second))
    record = match_record(PlayedMatch(match=MatchSettings(), games=(game,)))
    assert _half_turns(record.games[0]) == {(1, Decision.PLAY): 2, (1, Decision.NO_DOUBLE): 2}
    again = parse_mat(format_mat(record)).record.games[0]
    assert [type(action) for action in again.actions] == [type(action) for action in record.games[0].actions]


def test_where_gnu_backgammon_cannot_judge_the_plays_it_does_not_call_them_faultless():
    text = '; [Variation "HyperGammon (3)"]\n\n 1 point match\n\n Game 1\n  1) 31: 24/21 23/22'
    with pytest.raises(WorkError, match="no database for hypergammon"):
        analyse_match(parse_mat(text).record, gnubg_path(), plies=0)


def test_the_three_worst_plays_of_a_player_come_worst_first(analysed):
    worst = analysed[0].worst("Ada")
    assert len(worst) == 3
    assert [mistake.loss for mistake in worst] == sorted((one.loss for one in worst), reverse=True)
    assert all(mistake.name == "Ada" and len(mistake.diagram) == 14 for mistake in worst)


def test_progress_is_told_up_to_the_end(analysed):
    _, steps = analysed
    assert len(steps) > 20
    assert steps[-1][0] == steps[-1][1]


def test_where_it_is_not_installed_the_command_says_how_to_install_it(monkeypatch, tmp_path, capsys):
    kept(tmp_path, ((3, 1), "8/5 6/5"))
    monkeypatch.setattr(peer, "GAMES_FOLDER", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["analyse", "--matches", str(tmp_path)]) == 1
    assert capsys.readouterr().err.endswith("install it with sudo apt-get install gnubg.\n")


DOUBLED = (
    "Move number 1:  Ada to play 31\n\n* Ada moves 8/5 6/5\n"
    "Move number 2:  Bert on roll, cube decision?\n\n* Bert doubles\n\nCubeful equities:\n"
    "1. No double           +0.300\n2. Double, take        +0.100  (-0.200)\n3. Double, pass        +1.000\n"
    "Move number 3:  Bert doubles to 2\n\n* Ada rejects\n\nCubeful equities:\n"
    "1. Double, take        -0.100\n2. Double, pass        -1.000\n3. No double           -0.300\n"
)


def test_a_cube_action_counts_as_before_the_half_turn_that_follows_it():
    decided = [(one.name, one.half_turn, one.decision) for one in parse_mistakes(DOUBLED)]
    assert ("Bert", 2, Decision.DOUBLE) in decided
    assert decided[-1][1:] == (2, Decision.PASS)


def kept(folder, *plays):
    """A log with one game of these plays, each with its dice; no player moves twice."""
    keeper = MatchKeeper(folder / "blotlight.db", MatchSettings(white="Ada", black="Bert"), print)
    position, player = Position.START, Player.WHITE
    for index, (dice, play) in enumerate(plays):
        steps = parse_steps(play)
        position = after_steps(position, player, steps)
        turn = HalfTurn(
            t_ms=9 + index, player=player, dice=Dice(*dice), steps=steps, legal=True, position=position
        )
        keeper.note(TurnRecorded(t_ms=9 + index, index=index, turn=turn))
        player = player.opponent
    keeper.close()
    return folder


def test_the_sheet_shows_what_each_decision_cost(tmp_path, capsys):
    gnubg_path()
    kept(tmp_path, ((3, 1), "8/5 6/5"), ((6, 1), "24/18 24/23"), ((4, 2), "24/22 24/20"))
    assert main(["show", "--analysis", "--plies", "0", "--matches", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  1) 31: 8/5 6/5" in lines[2]
    assert re.search(r"61: 24/18 24/23 \(-0\.\d{3}\)$", lines[2])
    assert re.search(r"42: 24/22 24/20 \(-0\.[1-9]\d\d\)$", lines[3])
    assert "In brackets: what a decision cost" in "\n".join(lines)
    better = [line for line in lines if line.startswith("  Half-turn 3: 42: 24/22 24/20 costs")]
    assert len(better) == 1
    assert better[0].endswith("better: 13/7*.")
    assert "Ada: error rate" in "\n".join(lines)


def test_when_the_program_is_ended_gnu_backgammon_ends_too(tmp_path):
    require_peer(shutil.which("setpriv") is not None, "Debian's package util-linux")
    kept(tmp_path, ((3, 1), "8/5 6/5"))
    stand_in, told = tmp_path / "gnubg", tmp_path / "pid"
    stand_in.write_text(f"#!/bin/sh\necho $$ > {told}.new\nmv {told}.new {told}\nexec tail -f /dev/null\n")
    stand_in.chmod(0o755)
    command = [sys.executable, "-m", "controller.cli", "analyse", "--matches", str(tmp_path)]
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PATH": path}) as program:
        wait_until(told.exists)
        program.terminate()
    wait_until(lambda: not is_running(int(told.read_text())))


def is_running(process_id):
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
