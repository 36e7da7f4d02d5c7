"""Matches typed on the simulated table, taken out of the log, and read by GNU Backgammon."""

from datetime import date

import pytest

from controller.cli.main import main
from controller.record.mat_reader import parse_mat
from controller.record.match_settings import MatchSettings
from controller.record.sgf import parse_sgf
from controller.rules import (
    Beavered,
    Doubled,
    Moved,
    MovedIrregularly,
    Passed,
    Player,
    Position,
    Rolled,
    Took,
    after_steps,
    parse_steps,
)
from tests.controller.service.matches.table_in_hand import TableInHand
from tests.peers import through_gnubg

FIVE_POINTS = (
    # a double taken, a redouble passed: Black wins 2
    ["31: 8/5 6/5", "64: 24/14", "double white", "take black", "52: 13/8 6/4", "double white"],
    ["63: 24/15", "21: 13/11 6/5", "double black", "pass white"],
    # White wins a gammon that Black resigns: 2-2
    ["furnish", "61: 13/7 8/7", "resign black gammon", "accept white"],
    # a double taken, White resigns a single game, Black refuses at first a smaller word: 2-4
    ["furnish", "43: 24/20 13/10", "double black", "take white", "62: 24/18 13/11"],
    ["resign white single", "accept black"],
    # Crawford: nobody may double; White wins a backgammon: 5-4
    ["furnish", "13: 8/5 6/5", "double white", "52: 13/8 24/22", "resign black backgammon", "accept white"],
)
MONEY = (
    ["21: 13/11 6/5", "double black", "beaver white", "take black", "41: 24/23 13/9"],
    ["62: 24/18 13/11", "resign black single", "accept white"],
)


def play(folder, match, lines):
    table = TableInHand(folder, match, today=lambda: date(2026, 11, 22))
    for some in lines:
        table.type(*some)
    table.leave()
    return table


@pytest.fixture(scope="module")
def five_points(tmp_path_factory):
    folder = tmp_path_factory.mktemp("five")
    play(folder, MatchSettings(white="Ada", black="Bert", length=5), FIVE_POINTS)
    return folder


@pytest.fixture(scope="module")
def money(tmp_path_factory):
    folder = tmp_path_factory.mktemp("money")
    match = MatchSettings(white="Ada", black="Bert", laws="modern-money")
    table = TableInHand(folder, match, today=lambda: date(2026, 11, 22))
    played = after_steps(Position.START, Player.WHITE, parse_steps("24/23 13/11"))
    # the camera sees nothing of the first play, and Ada says what it was
    table.type("camera off", "21: 24/23 13/11", f"correct 1 {played}", "camera on")
    for some in (["double black", "beaver white", "take black", "41: 24/23 13/9"], MONEY[1]):
        table.type(*some)
    table.leave()
    return folder


def exported(folder, where, match="last"):
    """The two files of a match, by their ending."""
    where.mkdir(exist_ok=True)
    assert main(["export", match, "--matches", str(folder), "--folder", str(where)]) == 0
    return {path.suffix: path for path in where.iterdir()}


def what_happened(record):
    """Every play by its board, every word about the cube, and every result, game by game."""
    games = []
    for game in record.games:
        now, found = game.begun(), [("score", game.score, game.stakes.cube)]
        for action in game.actions:
            now = now.push(action)
            match action:
                case Rolled():
                    found.append((action.player, str(action.dice)))
                case Moved() | MovedIrregularly():
                    found.append((action.player, str(now.position)))
                case Doubled() | Beavered() | Took() | Passed():
                    found.append((action.player, type(action).__name__))
        outcome = now.outcome
        games.append([*found, (outcome.winner, outcome.win, outcome.points) if outcome else None])
    return games


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
@pytest.mark.parametrize("session", ["five_points", "money"])
def test_gnu_backgammon_reads_the_plays_the_cube_and_the_results(session, suffix, request, tmp_path):
    path = exported(request.getfixturevalue(session), tmp_path / "out")[suffix]
    text = path.read_text(encoding="utf-8")
    ours = {".mat": parse_mat, ".sgf": parse_sgf}[suffix](text)
    assert ours.problems == ()
    theirs = parse_sgf(through_gnubg(text, suffix, tmp_path)).record
    assert without_beavers(what_happened(theirs)) == without_beavers(what_happened(ours.record))


def without_beavers(games):
    """GNU Backgammon saves a beaver as a double."""
    return [[(one[0], "Doubled") if one and one[-1] == "Beavered" else one for one in game] for game in games]


def test_the_five_point_match_is_recorded_as_it_was_played(five_points, tmp_path):
    record = parse_sgf(exported(five_points, tmp_path)[".sgf"].read_text(encoding="utf-8")).record
    assert (record.white, record.black, record.length, record.date) == (
        "Ada",
        "Bert",
        5,
        date(2026, 11, 22),
    )
    assert [(game.score, game.stakes.cube) for game in record.games] == [
        ((0, 0), True),
        ((0, 2), True),
        ((2, 2), True),
        ((2, 4), False),
    ]
    results = [game[-1] for game in what_happened(record)]
    assert [(winner, points) for winner, _, points in results] == [
        (Player.BLACK, 2),
        (Player.WHITE, 2),
        (Player.BLACK, 2),
        (Player.WHITE, 3),
    ]
    words = [one[1] for one in what_happened(record)[0] if one[-1] in ("Doubled", "Took", "Passed")]
    assert words == ["Doubled", "Took", "Doubled", "Passed"]


def test_the_money_session_holds_the_beaver_and_the_correction(money, tmp_path):
    record = parse_sgf(exported(money, tmp_path)[".sgf"].read_text(encoding="utf-8")).record
    (game,) = what_happened(record)
    played = after_steps(Position.START, Player.WHITE, parse_steps("24/23 13/11"))
    assert game[2] == (Player.WHITE, str(played))
    assert [one[1] for one in game if one and one[1] in ("Doubled", "Beavered", "Took")] == [
        "Doubled",
        "Beavered",
        "Took",
    ]
    assert game[-1][0] is Player.WHITE
    assert game[-1][2] == 4


@pytest.mark.parametrize("session", ["five_points", "money"])
def test_a_match_exported_twice_gives_the_same_bytes(session, request, tmp_path):
    folder = request.getfixturevalue(session)
    one, other = exported(folder, tmp_path / "one"), exported(folder, tmp_path / "other")
    assert [one[suffix].read_bytes() for suffix in (".mat", ".sgf")] == [
        other[suffix].read_bytes() for suffix in (".mat", ".sgf")
    ]


def test_the_list_of_matches_says_who_played_and_how_it_ended(five_points, capsys):
    assert main(["matches", "--matches", str(five_points)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert " ".join(line.split()) == "1 2026-11-22 Ada v. Bert 5 points 5-4 modern Ada won"


def test_the_sheet_of_a_match_shows_cube_results_and_crawford(five_points, capsys):
    assert main(["show", "1", "--matches", str(five_points)]) == 0
    sheet = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "Ada (White) v. Bert (Black), 5 point match, 2026-11-22" in sheet
    assert "2) doubles to 2 takes" in sheet
    assert any("doubles to 4" in line for line in sheet)
    assert "Bert wins a single game: 2 points." in sheet
    assert "Ada wins a backgammon: 3 points." in sheet
    assert "Game 4, 2-4, Crawford game" in sheet


def test_all_matches_are_exported_at_once(five_points, tmp_path):
    assert set(exported(five_points, tmp_path, "all")) == {".mat", ".sgf"}


def test_a_match_that_is_not_there_is_named(five_points, capsys):
    assert main(["show", "7", "--matches", str(five_points)]) == 2
    assert capsys.readouterr().err == "blotlight: There is no match 7: choose 1 or last.\n"


@pytest.mark.parametrize(
    ("last", "score"),
    [
        pytest.param(["accept white"], (2, 0), id="a match goes on with its next game"),
        pytest.param([], (0, 0), id="a game is broken off for a new match"),
    ],
)
def test_a_board_set_up_before_a_restart_begins_a_game(last, score, tmp_path):
    match = MatchSettings(white="Ada", black="Bert", length=5)
    table = TableInHand(tmp_path, match)
    table.type("31: 8/5 6/5", "resign black gammon", *last)
    table.break_off()
    table = TableInHand(tmp_path, match, new=False, furnished=True)
    table.type("24: 8/4 6/4")
    assert (table.service.state.match.score, len(table.service.state.record)) == (score, 1)
    table.leave()
