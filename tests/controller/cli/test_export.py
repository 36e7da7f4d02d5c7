"""What was watched, handed to GNU Backgammon."""

import pytest

from controller.cli.main import main
from controller.record.mat_reader import parse_mat
from controller.record.sgf import parse_sgf
from controller.rules import Moved, MovedIrregularly, Rolled, after_steps
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
