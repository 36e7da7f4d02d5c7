"""Four matches that GNU Backgammon played with itself: read, written, read again, and read by it."""

import gzip
import json
from dataclasses import replace

import pytest

from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.sgf import parse_sgf
from controller.rules import Doubled, Ending, Moved, Passed, Player, Rolled, Step, Took
from tests.controller.record.match_forms import MAT, SGF
from tests.paths import ENGINE
from tests.peers import through_gnubg

MATCHES = ENGINE / "matches"
EXPECTED = json.loads((MATCHES / "expected.json").read_text())
NAMES = sorted(EXPECTED)
PLAYERS = {"Ada": Player.WHITE, "Bert": Player.BLACK}
CUBE_WORDS = {Doubled: "double", Took: "take", Passed: "drop"}


def mat_text(name):
    return (MATCHES / f"{name}.mat").read_text()


def sgf_text(name):
    return gzip.decompress((MATCHES / f"{name}.sgf.gz").read_bytes()).decode()


def events(game):
    """The half-turns and cube actions as in expected.json."""
    told = []
    for action in game.actions:
        match action:
            case Rolled(dice=dice):
                rolled = dice
            case Moved(player=player, steps=steps):
                told.append(" ".join([f"{player.name[0]}{rolled}", *map(str, steps)]))
            case Doubled() | Took() | Passed():
                told.append(f"{action.player.name[0]}{CUBE_WORDS[type(action)]}")
    return told


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("form", "text"), [(MAT, mat_text), (SGF, sgf_text)], ids=["mat", "sgf"])
def test_every_event_score_and_final_position_is_read(name, form, text):
    read = form.parse(text(name))
    assert read.problems == ()
    expected = EXPECTED[name]
    assert read.record.length == expected["length"]
    for game, due in zip(read.record.games, expected["games"], strict=True):
        played = game.played()
        outcome = played.outcome
        assert events(game) == due["events"]
        assert list(game.score) == due["score_before"]
        assert str(played.position) == due["final_pos_white_black"]
        assert (played.cube.value, outcome.points) == (due["final_cube"], due["points"])
        assert outcome.winner is PLAYERS[due["winner"]]
        assert (outcome.ending is Ending.RESIGNED) == due["resigned"]
        assert "drop" if outcome.ending is Ending.PASSED else outcome.win.name.lower() == due["kind"]
        if form is SGF:
            assert game.stakes.jacoby == ("Jacoby" in expected["rules"])
            assert game.stakes.cube == ("NoCube" not in expected["rules"] and not due["crawford_game"])


@pytest.mark.parametrize("name", NAMES)
def test_match_text_is_written_to_the_letter_as_gnu_backgammon_does(name):
    assert format_mat(parse_mat(mat_text(name)).record) == mat_text(name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", [MAT, SGF], ids=["mat", "sgf"])
def test_a_match_written_and_read_back_is_the_same(name, form):
    record = parse_sgf(sgf_text(name)).record
    again = form.parse(form.format(record)).record
    if form is SGF:
        assert again == record
    assert [game.actions for game in again.games] == [game.actions for game in record.games]
    assert [game.score for game in again.games] == [game.score for game in record.games]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("form", "suffix"), [(MAT, ".mat"), (SGF, ".sgf")], ids=["mat", "sgf"])
def test_gnu_backgammon_reads_the_same_plays_cube_actions_and_results(name, form, suffix, tmp_path):
    record = parse_sgf(sgf_text(name)).record
    theirs = parse_sgf(through_gnubg(form.format(record), suffix, tmp_path))
    assert theirs.problems == ()
    for ours, again in zip(record.games, theirs.record.games, strict=True):
        assert [in_any_order(action) for action in again.actions] == [
            in_any_order(action) for action in ours.actions
        ]
        assert again.played().outcome == ours.played().outcome


def in_any_order(action):
    """An action with its steps sorted, for GNU Backgammon lists them in an order of its own; which of two
    that land on one point is said to hit depends on it."""
    if not isinstance(action, Moved):
        return action
    return replace(action, steps=tuple(sorted(Step(step.source, step.target) for step in action.steps)))
