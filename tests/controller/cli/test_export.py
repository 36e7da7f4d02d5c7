"""What was watched, handed to GNU Backgammon."""

import json

import pytest

from controller.cli.main import main
from controller.record.keeper import MatchKeeper
from controller.record.mat_reader import parse_mat
from controller.record.match_settings import MatchSettings
from controller.record.sgf import parse_sgf
from controller.referee import HalfTurn, TurnRecorded
from controller.rules import Dice, Moved, MovedIrregularly, Player, Rolled, after_steps
from controller.rules.board.position import Position
from tests.controller.cli.test_transcribe import SHORT, truth
from tests.peers import through_gnubg


def legal_half_turns(record) -> list[tuple]:
    """(player, dice, position after) of each legal half-turn of a match's only game."""
    (game,) = record.games
    found, dice, position = [], None, Position.START
    for action in game.actions:
        match action:
            case Rolled():
                dice = action.dice
            case Moved():
                position = after_steps(position, action.player, action.steps)
                found.append((action.player, dice, str(position)))
            case MovedIrregularly():
                position = action.result
    return found


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("export") / "game.mat"
    assert main(["transcribe", str(SHORT), "--mat", str(path)]) == 0
    return path.read_text(encoding="utf-8")


def test_the_match_file_holds_what_was_played(exported):
    read = parse_mat(exported)
    assert read.problems == ()
    assert [position for _, _, position in legal_half_turns(read.record)] == [t["position"] for t in truth()]


def test_gnu_backgammon_reads_the_same_plays_out_of_it(exported, tmp_path):
    read = parse_mat(exported).record
    saved = parse_sgf(through_gnubg(exported, ".mat", tmp_path)).record
    assert legal_half_turns(saved) == legal_half_turns(read)
    assert len(legal_half_turns(saved)) == len(truth())


@pytest.fixture
def kept(tmp_path):
    """The folder of a log with one match of one half-turn."""
    keeper = MatchKeeper(tmp_path / "blotlight.db", MatchSettings(white="Jürgen", black="Zoë"), print)
    turn = HalfTurn(
        t_ms=1, player=Player.WHITE, dice=Dice(3, 1), steps=(), legal=False, position=Position.START
    )
    keeper.note(TurnRecorded(t_ms=1, index=0, turn=turn))
    keeper.close()
    return tmp_path


def test_the_file_may_be_named_after_the_options(kept):
    path = kept / "game.sgf"
    assert main(["export", "last", "--matches", str(kept), str(path)]) == 0
    assert parse_sgf(path.read_text(encoding="utf-8")).record.white == "Jürgen"


@pytest.mark.parametrize("command", [["export", "last"], ["backup"]], ids=["export", "backup"])
def test_a_folder_named_as_the_file_to_write_is_a_wrong_input(kept, command):
    folder = kept / "game.mat"
    folder.mkdir()
    assert main([*command, "--matches", str(kept), str(folder)]) == 2


def test_the_list_of_matches_keeps_its_names_whatever_letters_the_terminal_has(kept, capsys):
    assert main(["matches", "--json", "--matches", str(kept)]) == 0
    listed = capsys.readouterr().out
    assert listed.isascii()
    assert (json.loads(listed)["white"], json.loads(listed)["black"]) == ("Jürgen", "Zoë")


def test_of_all_matches_those_in_which_something_was_played_are_written(kept, tmp_path, capsys):
    MatchKeeper(kept / "blotlight.db", MatchSettings(white="Ada", black="Bert"), print, new=True).close()
    assert main(["export", "all", "--matches", str(kept), "--folder", str(tmp_path)]) == 0
    written = [path.split("/")[-1] for path in capsys.readouterr().out.splitlines()]
    assert [(name[:3], name[-4:]) for name in written] == [("001", ".mat"), ("001", ".sgf")]
