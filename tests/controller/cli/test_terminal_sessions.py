"""What players see and type at a simulated table, on a real terminal of the usual size and of a small one."""

import pytest

from tests.terminal import Terminal

SIZES = [(80, 24), (60, 20)]
CTRL_C = "\x03"


@pytest.fixture(params=SIZES, ids=["80x24", "60x20"])
def terminal(request, tmp_path):
    with Terminal(["play", "--simulated", "--speed", "8"], *request.param, tmp_path) as terminal:
        terminal.wait_for("The board is read.")
        yield terminal


def test_players_double_take_correct_and_undo_on_the_screen(terminal):
    terminal.type("31: 8/5 6/5")
    terminal.wait_for("half-turn 2: Black to roll")
    terminal.type("double")
    terminal.wait_for("half-turn 2: White to take or pass")
    terminal.type("double")
    terminal.wait_for("Black has just doubled: White takes or passes.")
    terminal.type("take")
    terminal.wait_for("Cube 2 White's")
    terminal.type("tke")
    terminal.wait_for("did you mean take?")
    terminal.type("correct 1 24/23 8/4")
    terminal.wait_for("1 to keep the board")
    terminal.type("1")
    terminal.wait_for("nothing is")
    terminal.type("undo")
    screen = terminal.wait_for("Cube 1 in the middle, White to take or pass 2")
    assert "1 31: 8/5 6/5" in screen
    assert screen.splitlines()[1].startswith("White (White) v. Black (Black)")
    terminal.type("quit")
    assert terminal.wait_for_end() == 0
    assert terminal.screen.unknown == []


def test_players_read_the_help_and_resize_the_window(terminal):
    columns, rows = terminal.screen.columns, terminal.screen.rows
    terminal.type("help")
    terminal.wait_for("more: the next page")
    while "Pips" not in terminal.screen.text:
        page = terminal.screen.text
        terminal.type("more")
        terminal.wait_for(lambda screen, page=page: screen.splitlines()[4:] != page.splitlines()[4:])
    terminal.resize(columns + 20, rows + 6)
    terminal.wait_for("dice here")
    terminal.wait_for("game 1, half-turn 1: opening roll")
    terminal.type("tray off")
    terminal.wait_for("dice gone since")


def test_without_colour_the_sides_are_letters(tmp_path):
    with Terminal(["play", "--simulated", "--speed", "8"], 60, 20, tmp_path, NO_COLOR="1") as terminal:
        screen = terminal.wait_for("The board is read.")
        assert "White (White, O) v. Black (Black, X)" in screen
        assert "|  O   :   .   :   X   : |" in screen
        assert "[38;2" not in terminal.raw


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "60x20"])
def test_the_demonstration_keeps_its_title(size, tmp_path):
    with Terminal(["demo", "--speed", "0"], *size, tmp_path) as terminal:
        screen = terminal.wait_for("half-turn 3")
        assert screen.splitlines()[0].startswith("Ada (White) v. Bert (Black)")


def test_the_demonstration_on_a_page_can_be_ended_before_the_film_is(tmp_path):
    with Terminal(["demo", "--page", "127.0.0.1:0"], 80, 24, tmp_path) as terminal:
        terminal.wait_for("half-turn 1")
        terminal.type(CTRL_C)
        assert terminal.wait_for_end() == 1
        assert "blotlight: Stopped." in terminal.raw  # it may come in the midst of a colour's code
        assert not list(tmp_path.glob("*.png"))  # which the end of the film leaves
