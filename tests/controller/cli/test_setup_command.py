"""`blotlight setup`: a board is set up in the terminal, here on the simulated table."""

import io
import tomllib

from controller.cli.main import main
from controller.perception.orientation import Orientation
from controller.simulation.screenplay import drawn_board_settings
from hardware.simulated.drawn_table import BOARD_LOOKS

ANSWERS = (
    *("", "", "", ""),  # the board is found; light checkers, White's home; the start position
    *("31", "", "Ada", "Bert", "7", "hoyle-1909"),
)


def set_up(folder, monkeypatch, lines):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["setup", "--simulated", "--settings", str(folder / "blotlight.toml")])


def test_answers_become_the_settings_that_play_reads(tmp_path, capsys, monkeypatch):
    assert set_up(tmp_path, monkeypatch, ANSWERS) == 0
    said = capsys.readouterr().out
    assert "Every point is as it should be." in said
    assert "No LED strip is there" in said
    written = tomllib.loads((tmp_path / "blotlight.toml").read_text())
    assert written["match"] == {"white": "Ada", "black": "Bert", "length": 7, "laws": "hoyle-1909"}
    assert len(written["board"]["corners_px"]) == 4
    assert written["board"]["light"] == "white"
    assert "white_home" not in written["board"]


def test_corners_are_typed_with_the_bar_and_a_chouette_stays_where_nobody_names_another_match(
    tmp_path, monkeypatch
):
    match = 'chouette = ["Ada", "Bert", "Cleo"]'
    (tmp_path / "blotlight.toml").write_text(f"[match]\n{match}\n")
    corners = drawn_board_settings(BOARD_LOOKS[0], Orientation()).corners_px
    typed = " ".join(f"{x + 1},{y}" for x, y in corners)
    unnamed = (*("", "", "", ""), *("31", "", "", "", "", ""))
    assert set_up(tmp_path, monkeypatch, (f"{typed} bar 0.45,0.56", *unnamed)) == 0
    written = tomllib.loads((tmp_path / "blotlight.toml").read_text())
    assert written["board"]["bar"] == [0.45, 0.56]
    assert written["board"]["corners_px"] == [[round(x + 1, 1), round(y, 1)] for x, y in corners]
    assert written["match"] == tomllib.loads(match)


def test_input_that_ends_too_early_writes_nothing(tmp_path, capsys, monkeypatch):
    assert set_up(tmp_path, monkeypatch, ANSWERS[:2]) == 2
    assert "run blotlight setup in a terminal" in capsys.readouterr().err
    assert not (tmp_path / "blotlight.toml").exists()
