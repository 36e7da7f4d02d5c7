"""The commands of a club, and the option that publishes a board."""

import io
import os
import subprocess
import sys
import tomllib
from contextlib import ExitStack, closing
from types import SimpleNamespace

import pytest

from controller.cli.club.club_option import open_club
from controller.cli.main import main
from controller.cli.screen import Screen
from controller.club.hall_store.store_of_hall import sqlite_url
from controller.club.wire.board_publisher import BoardPublisher
from controller.club.wire.club_link import load_link
from controller.errors import InputError
from controller.page.page_display import DisplayGroup
from controller.perception.orientation import Orientation
from controller.record.store import Store
from controller.referee import RefereeState
from controller.rules import Player
from controller.service.display import NOTHING_ASKED
from tests.broker import broker
from tests.controller.club.simulated_boards import ListeningHall, wait_until

NAMES = {Player.WHITE: "Ada", Player.BLACK: "Bert"}


def test_init_makes_the_files_of_a_broker_once(tmp_path, capsys):
    folder = tmp_path / "club"
    command = ["club", "init", str(folder), "--boards", "3", "--host", "127.0.0.1", "--host", "hall.local"]
    assert main(command) == 0
    assert "mosquitto -c" in capsys.readouterr().out
    links = sorted(path.name for path in (folder / "links").iterdir())
    assert links == ["board-01.toml", "board-02.toml", "board-03.toml", "hall.toml", "homeassistant.toml"]
    link = load_link(folder / "links" / "board-02.toml")
    assert (link.host, link.port, link.user) == ("127.0.0.1", 8883, "board-02")
    for path in folder.rglob("*"):
        assert path.is_dir() or path.suffix == ".crt" or path.stat().st_mode & 0o077 == 0, path
    passwords = {tomllib.loads((folder / "links" / name).read_text())["broker"]["password"] for name in links}
    assert len(passwords) == len(links)
    assert not any(password in (folder / "users").read_text() for password in passwords)
    assert main(command) == 2
    assert "give a new folder" in capsys.readouterr().err


@pytest.mark.parametrize("n", ["0", "1001"])
def test_a_club_has_a_sane_number_of_boards(n, tmp_path):
    assert main(["club", "init", str(tmp_path / "club"), "--boards", n]) == 2


@pytest.mark.parametrize("port", ["0", "-1", "65536", "99999999"])
def test_a_broker_listens_on_a_port_that_there_is(port, tmp_path, capsys):
    assert main(["club", "init", str(tmp_path / "club"), "--port", port]) == 2
    assert "1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(
    "host", ["Müller.local", 'a"b', "a,DNS:b", "a\nb", "", "-a", "fe80::1%eth0", "a" * 300]
)
def test_the_computer_of_a_broker_has_a_plain_name(host, tmp_path, capsys):
    folder = tmp_path / "club"
    assert main(["club", "init", str(folder), f"--host={host}"]) == 2
    assert "ASCII" in capsys.readouterr().err
    assert not folder.exists()


def test_init_that_failed_is_run_again(tmp_path, monkeypatch, capsys):
    command = ["club", "init", str(tmp_path / "club"), "--boards", "1", "--host", "::1"]
    with monkeypatch.context() as without_openssl:
        without_openssl.setenv("PATH", str(tmp_path))
        assert main(command) == 1
        assert "install Debian's package openssl" in capsys.readouterr().err
    assert main(command) == 0
    assert load_link(tmp_path / "club" / "links" / "board-01.toml").host == "::1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[broker]",
        '[broker]\nhost = "x"\nuser = "board-01"\npassword = "p"\nca = "none"',
        '[broker]\nhost = "x"\nuser = "Board 1"\npassword = "p"\nca = "BEGIN CERTIFICATE"',
        "[other]",
    ],
)
def test_a_link_that_is_none_is_refused(text, tmp_path):
    (tmp_path / "link.toml").write_text(text)
    with pytest.raises(InputError, match=r"club init|mend it"):
        load_link(tmp_path / "link.toml")


def test_a_board_is_published_and_its_director_called(tmp_path):
    said = []
    log = tmp_path / "blotlight.db"
    store = Store(log)
    store.new_match().append(0, "match", {"white": "Ada", "black": "Bert", "length": 5})
    store.close()
    display = DisplayGroup(Screen(io.StringIO(), Orientation(), NAMES, live=False))
    with broker(2) as hall_broker, ExitStack() as cleaning:
        hall = ListeningHall(sqlite_url(tmp_path / "hall.db"), hall_broker.link("hall"))
        cleaning.callback(hall.close)
        others = open_club(
            hall_broker.folder / "links" / "board-02.toml",
            log=log,
            names=NAMES,
            orientation=Orientation(),
            watcher=SimpleNamespace(frame=None, reading=None, geometry=None),
            display=display,
            tell=said.append,
            cleaning=cleaning,
        )
        display.draw(RefereeState(), 0, (), NOTHING_ASKED)
        assert others(["take", " Director "]) == ["take"]
        wait_until(lambda: hall.board("board-02").is_called and hall.board("board-02").state)
        wait_until(lambda: hall.kept("board-02") == [(1, 0)])
    assert said == ["The director is asked to come."]


def test_without_a_link_nothing_is_published(tmp_path):
    others = open_club(
        None,
        log=tmp_path / "none.db",
        names=NAMES,
        orientation=Orientation(),
        watcher=None,
        display=None,
        tell=print,
        cleaning=None,
    )
    assert others(["director"]) == ["director"]


def test_the_settings_may_name_the_link(tmp_path, capsys):
    settings, match = tmp_path / "blotlight.toml", tmp_path / "match.mat"
    settings.write_text('[club]\nlink = "board-07.toml"\n')
    match.write_text(" 3 point match\n\n Game 1\n Ada : 0              Bert : 0\n  1) 41: 13/9 24/23\n")
    assert main(["play", "--settings", str(settings), "--simulated", str(match)]) == 2
    assert str(tmp_path / "board-07.toml") in capsys.readouterr().err


def test_a_whole_game_of_the_command_is_heard_by_the_hall(tmp_path):
    """`blotlight play --club`, as people start it, on a simulated table that a match file plays on."""
    (tmp_path / "match.mat").write_text(
        " 3 point match\n\n Game 1\n Ada : 0              Bert : 0\n"
        "  1) 41: 13/9 24/23              53: 24/21 21/16*\n"
    )
    with broker(2) as hall_broker, ExitStack() as cleaning:
        hall = ListeningHall(sqlite_url(tmp_path / "hall.db"), hall_broker.link("hall"))
        cleaning.callback(hall.close)
        link = hall_broker.folder / "links" / "board-02.toml"
        table = ["--simulated", str(tmp_path / "match.mat"), "--speed", "2"]
        played = subprocess.run(
            [sys.executable, "-m", "controller.cli", "play", *table, "--club", str(link)],
            input="",
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert (played.returncode, played.stderr) == (0, "")
        (log,) = (tmp_path / "data").rglob("*.db")
        store = Store(log)
        cleaning.callback(store.close)
        (number,) = store.matches()
        wrote = store.match(number).entries()
        wait_until(lambda: len(hall.kept("board-02")) > len(wrote) / 2)
        # The program does not wait long for a slow hall when it ends: the board's next start sends the rest.
        with closing(BoardPublisher(load_link(link), log, NAMES)):
            wait_until(lambda: hall.kept("board-02") == [(number, entry.seq) for entry in wrote])
        rows = hall.store.rows(hall.store.matches()[0])
        assert [(row.kind, row.payload) for row in rows] == [(entry.kind, entry.payload) for entry in wrote]
        state = hall.board("board-02").state
        assert [player["name"] for player in state["players"]] == ["Ada", "Bert"]
        assert state["length"] == 3
        wait_until(lambda: not hall.board("board-02").is_online)
        assert not hall.board("board-01").state
        assert hall.messages.n_ignored == {}
