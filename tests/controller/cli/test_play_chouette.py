"""A chouette at the board: three play, and are recorded, by `blotlight play --chouette`."""

import io
import json
from contextlib import closing

import httpx
import pytest

from controller.cli.main import main
from controller.page.page_access import TOKEN_NAME
from controller.record.keeper import MatchKeeper, match_heading
from controller.record.mat_reader import parse_mat
from controller.record.match_settings import MatchSettings
from controller.record.sgf import parse_sgf
from controller.record.store import Store
from controller.rules import Player
from controller.service.matches.seats import Seats
from controller.service.restore import restore_match
from tests.controller.page.played_table import played_table
from tests.controller.service.matches.table_in_hand import TableInHand
from tests.hardware.hand_clock import wait_until


def blotlight(capsys, *words):
    assert main(list(words)) == 0
    return capsys.readouterr().out


@pytest.fixture
def table(tmp_path):
    table = TableInHand(tmp_path, MatchSettings().as_chouette(["Ada", "Bert", "Cleo"]))
    yield table
    table.leave()


def test_the_board_says_who_is_in_the_box_and_who_is_captain(table):
    assert (
        "Ada is in the box; Bert is captain, with Cleo. Points: Ada 0, Bert 0, Cleo 0."
        in table.said.getvalue()
    )


def test_after_a_game_the_next_captain_sits_down_and_the_points_are_said(table):
    table.type("31: 8/5 6/5", "resign black gammon", "accept white", "furnish", "64: 24/14")
    said = table.said.getvalue()
    assert said.count("Ada is in the box; Cleo is captain, with Bert. Points: Ada +4, Bert -2, Cleo -2.") == 1
    assert "Ada rolls 6-4." in said or "Cleo rolls 6-4." in said
    table.service.run_once(["chouette"])
    assert table.said.getvalue().count("Ada is in the box; Cleo is captain") == 2


def test_a_captain_who_wins_moves_into_the_box(table):
    table.type("31: 8/5 6/5", "resign white single", "accept black")
    assert (
        "Bert is in the box; Cleo is captain, with Ada. Points: Ada -2, Bert +1, Cleo +1."
        in table.said.getvalue()
    )


def test_the_kept_chouette_is_listed_shown_and_exported(table, tmp_path, capsys):
    table.type("31: 8/5 6/5", "resign black single", "accept white", "furnish", "64: 24/14")
    table.leave()
    kept = ["--matches", str(tmp_path)]
    assert "Ada, Bert, Cleo" in blotlight(capsys, "matches", *kept)
    listed = json.loads(blotlight(capsys, "matches", "--json", *kept))
    assert listed["chouette"] == {"Ada": 2, "Bert": -1, "Cleo": -1}
    shown = blotlight(capsys, "show", "last", *kept)
    assert "Ada, Bert, Cleo, money session" in shown
    assert "Game 1, 0-0, Ada (box) v. Bert (captain)" in shown
    assert "Game 2, 1-0, Ada (box) v. Cleo (captain)" in shown
    assert "Ada wins a single game: 1 point." in shown
    files = tmp_path / "c.mat", tmp_path / "c.sgf"
    blotlight(capsys, "export", "last", *map(str, files), *kept)
    for path, parse in zip(files, (parse_mat, parse_sgf), strict=True):
        read = parse(path.read_text(encoding="utf-8"))
        assert read.problems == ()
        assert read.record.chouette == ("Ada", "Bert", "Cleo")
        assert (read.record.white, read.record.black) == ("Box", "Team")


def test_a_chouette_goes_on_after_a_restart_with_its_captain(table, tmp_path):
    table.type("31: 8/5 6/5", "resign black single", "accept white", "furnish", "64: 24/14")
    table.leave()
    again = Seats(MatchSettings().as_chouette(["Ada", "Bert", "Cleo"]))
    keeper = MatchKeeper(tmp_path / "blotlight.db", again.match, print)
    restored = restore_match(keeper.earlier, again.match.state())
    keeper.close()
    again.after(restored.state.match)
    assert again.names == {Player.WHITE: "Ada", Player.BLACK: "Cleo"}


def test_the_command_names_the_people(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("31: 8/5 6/5\n"))
    table = ["--simulated", "--speed", "4", "--matches", str(tmp_path)]
    assert "Ada rolls 3-1." in blotlight(capsys, "play", *table, "--chouette", "Ada", "Bert", "Cleo")


def say_of_setup(table, word, **more):
    token = (table.folder / TOKEN_NAME).read_text().strip()
    body, headers = {"word": word, **more}, {"x-blotlight-token": token}
    assert httpx.post(f"{table.url}setup", json=body, headers=headers).status_code == 202


NAMED = MatchSettings(white="Dora", black="Emil", length=1)


def last_heading(folder):
    """What the log says of the match that was begun last."""
    with closing(Store(folder / "simulated.db", read_only=True)) as store:
        return store.match(store.last_match()).entries()[0].payload


def test_setting_the_board_up_leaves_the_chouette_and_another_match_ends_it(tmp_path):
    with played_table(tmp_path, "--speed", "4", "--chouette", "Ada", "Bert", "Cleo") as table:
        table.type("31: 8/5 6/5")
        table.wait_for("Ada plays 8/5 6/5")
        say_of_setup(table, "begin")
        table.wait_for("The game waits while the board is set up")
        say_of_setup(table, "leave")
        table.wait_for("The match goes on with half-turn 2 of game 1")
        say_of_setup(table, "match", **match_heading(NAMED), mode="coach")
        wait_until(lambda: match_heading(NAMED).items() <= last_heading(tmp_path).items(), 60)
        assert "chouette" not in last_heading(tmp_path)


@pytest.mark.parametrize(
    ("names", "what_to_do"),
    [
        (["Ada", "Bert"], "needs at least 3 names"),
        (["Ada", "Bert", "Ada"], "name them differently"),
        (["Ada", "Bert", "Cleo\n 3) 31: 8/5"], "must be one line of 1 to 60 characters"),
        (["Ada", "Bert", "J\udcf6rg"], "must be one line of 1 to 60 characters"),
        (["Ada", "Bert", "C" * 61], "must be one line of 1 to 60 characters"),
    ],
)
def test_names_that_make_no_chouette_are_wrong_input(names, what_to_do, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "--simulated", "--matches", str(tmp_path), "--chouette", *names]) == 2
    assert what_to_do in capsys.readouterr().err


def test_a_match_of_points_is_no_chouette(tmp_path, capsys):
    settings = tmp_path / "blotlight.toml"
    settings.write_text('[match]\nlength = 5\nchouette = ["Ada", "Bert", "Cleo"]\n')
    assert main(["play", "--settings", str(settings)]) == 2
    assert "a chouette is a session without end" in capsys.readouterr().err


@pytest.mark.parametrize(("form", "parse"), [("mat", parse_mat), ("sgf", parse_sgf)])
def test_names_in_a_file_that_make_no_chouette_are_a_problem_of_that_line(form, parse):
    text = {
        "mat": '; [Chouette "Ada, Bert"]\n 0 point match\n\n Game 1\n Box : 0   Team : 0\n',
        "sgf": "(;FF[4]GM[6]GC[Chouette: Ada, Bert])",
    }[form]
    read = parse(text)
    assert read.record.chouette == ()
    (problem,) = read.problems
    assert str(problem) == "line 1: a chouette needs at least 3 names, not 2; name more"
