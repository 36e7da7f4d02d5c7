"""`blotlight play --simulated`: the whole service on a table that a match file or a person plays on."""

import io
import os
from contextlib import ExitStack

import pytest

from controller.cli.main import main
from controller.perception.orientation import Orientation
from controller.rules import LAWS, Player, Position, after_steps, parse_steps
from controller.simulation.screenplay import scene_of
from controller.simulation.simulated_devices import SimulatedBoard, SimulatedTable
from controller.simulation.typed_table import TypedTable, furnished_table
from hardware.simulated.drawn_table import BOARD_LOOKS
from hardware.simulated.simulated_port import TrayOnAPty
from tests.hardware.hand_clock import HandClock, wait_until

MATCH = """\
 3 point match

 Game 1
 Ada : 0              Bert : 0
  1) 41: 13/9 24/23              53: 24/21 21/16*
"""


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_a_match_file_is_played_before_the_service_and_recorded(tmp_path, capsys, monkeypatch):
    (tmp_path / "match.mat").write_text(MATCH)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["play", "--simulated", str(tmp_path / "match.mat"), "--speed", "2"]) == 0
    said = capsys.readouterr().out
    assert "Ada rolls 4-1." in said
    assert "1) 41: 13/9 24/23 53: 24/21 21/16*" in squeezed(said)


def test_on_a_machine_with_the_service_a_user_plays_beside_it_and_reads_both(tmp_path, capsys, monkeypatch):
    """The installed command names the service's folder to everybody."""
    service, own = tmp_path / "service", tmp_path / "own"
    service.mkdir()
    (tmp_path / "match.mat").write_text(MATCH)
    monkeypatch.setenv("STATE_DIRECTORY", str(service))
    monkeypatch.setenv("XDG_DATA_HOME", str(own))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr(os, "geteuid", lambda: service.stat().st_uid + 1)
    words = ["play", "--simulated", str(tmp_path / "match.mat"), "--speed", "4"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert f"Matches are kept in {own}/blotlight/simulated.db, for those in {service} belong to" in said
    assert not list(service.iterdir())
    assert main(["matches", "--simulated"]) == 0
    assert "Ada" in capsys.readouterr().out
    (own / "blotlight" / "simulated.db").rename(service / "blotlight.db")
    assert main(["matches"]) == 0
    assert "Ada" in capsys.readouterr().out


def test_what_a_person_types_is_played_and_recorded(capsys, monkeypatch, tmp_path):
    films = tmp_path / "films"
    monkeypatch.setattr("sys.stdin", io.StringIO("31: 8/5 6/5\nwhat?\nhelp\n64: 24/18 13/9\n"))
    assert main(["play", "--simulated", "--speed", "2", "--record-folder", str(films)]) == 0
    said = capsys.readouterr().out
    assert "1) 31: 8/5 6/5 64: 24/18 13/9" in squeezed(said)
    assert "'what?' is no command; type help" in said
    assert "throw, play, lift the dice" in said
    (film,) = films.iterdir()
    assert main(["transcribe", str(film)]) == 0
    assert "1) 31: 8/5 6/5 64: 24/18 13/9" in squeezed(capsys.readouterr().out)


def test_the_board_is_set_up_as_the_laws_say(capsys, monkeypatch, tmp_path):
    settings = tmp_path / "nack.toml"
    settings.write_text('[match]\nlaws = "nackgammon"\n')
    monkeypatch.setattr("sys.stdin", io.StringIO("43: 23/20 23/19\n64: 23/17 23/19\n"))
    assert main(["play", "--simulated", "--speed", "2", "--settings", str(settings)]) == 0
    said = capsys.readouterr().out
    assert "The board is read." in said
    assert "cannot be carried" not in said


def test_a_speed_that_cannot_be_is_wrong_input(capsys):
    assert main(["play", "--simulated", "--speed", "0"]) == 2
    assert "--speed must be above 0" in capsys.readouterr().err


def test_without_settings_a_real_board_cannot_be_watched(tmp_path, capsys):
    assert main(["play", "--settings", str(tmp_path / "none.toml")]) == 2
    assert "There are no settings at" in capsys.readouterr().err


@pytest.fixture
def hands(tmp_path):
    said: list[str] = []
    clock = HandClock()
    tray = TrayOnAPty(tmp_path / "tray", clock)
    hands = TypedTable(furnished_table(Orientation()), tray, Orientation(), clock, said.append)
    hands.said, hands.clock = said, clock
    yield hands
    hands.leave()


def test_a_person_throws_carries_and_lifts_one_after_the_other(hands):
    assert hands.do_line("13")  # one each: Black wins the opening throw
    assert hands.player is Player.BLACK
    assert hands.do_line("8/5 6/5")
    assert hands.do_line("lift")
    assert hands.player is Player.WHITE
    played = after_steps(Position.START, Player.BLACK, parse_steps("8/5 6/5"))
    assert hands.position == played
    assert hands._table.scene(hands._table.end_ms) == scene_of(played, Orientation())


def test_dice_that_do_not_lie_there_are_not_lifted_and_no_turn_passes(hands):
    hands.do_line("31: 8/5 6/5")
    hands.do_line("lift")
    assert hands.said == ["No dice lie there: throw them first, such as 31."]
    assert hands.player is Player.BLACK


def test_dice_lifted_before_a_play_pass_the_turn_with_a_warning(hands):
    hands.do_line("31")
    hands.do_line("lift")
    assert hands.said[0].startswith("The dice were lifted and nothing was played")
    assert hands.player is Player.BLACK


def test_what_is_typed_at_once_happens_in_turn(hands):
    hands.do_line("31: 8/5 6/5")
    assert hands.player is Player.BLACK
    first_ms = hands._table.end_ms
    hands.do_line("64: 24/14")
    assert hands.player is Player.WHITE
    assert hands._table.end_ms > first_ms + 3000
    assert hands._table.scene(0) == scene_of(Position.START, Orientation())


def test_a_table_lets_nobody_carry_what_is_not_there(hands):
    assert hands.do_line("31: 7/4")
    assert len(hands.said) == 1
    assert hands.said[0].startswith("That cannot be carried: ")
    assert (hands.position, hands.player) == (Position.START, None)
    hands.start = LAWS["hypergammon"].start
    hands.do_line("furnish")
    assert hands.position == LAWS["hypergammon"].start


def test_other_words_are_not_for_the_table(hands):
    assert not hands.do_line("double white")
    assert not hands.do_line("correct 1 8/5 6/5")


def test_the_board_can_be_set_up_again(hands):
    hands.do_line("31: 8/5 6/5")
    hands.do_line("furnish")
    assert (hands.position, hands.player) == (Position.START, None)
    hands.start = LAWS["hypergammon"].start
    hands.do_line("furnish")
    assert hands.position == LAWS["hypergammon"].start


def test_camera_and_tray_can_be_unplugged(hands):
    hands.do_line("camera off")
    assert not hands.camera_on
    hands.do_line("camera on")
    assert hands.camera_on
    hands.do_line("tray off")
    assert not hands._tray.link.exists()
    hands.do_line("tray on")
    port = hands._tray.link.resolve(strict=True)
    hands.do_line("tray on")
    assert hands._tray.link.resolve() == port, "it is plugged in already"


def test_a_table_goes_on_until_a_picture_of_its_end_was_taken(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    clock = HandClock()
    setup = SimulatedTable(look=BOARD_LOOKS[0], speed=100, game=None, start=Position.START)
    with ExitStack() as cleaning:
        board = SimulatedBoard(setup, Orientation(), clock, lambda: None, lambda said: None, cleaning)
        devices = board.devices(Position.START, None, cleaning)
        clock.t_ms = 60_000
        assert not devices.ended()
        wait_until(lambda: devices.camera.next_frame() and devices.camera.given_ms == 60_000)
        wait_until(devices.ended)
