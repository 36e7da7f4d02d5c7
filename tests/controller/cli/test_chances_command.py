"""The command that shows the chances, and its drawing."""

import json
import xml.etree.ElementTree as ET

import pytest

from controller.cli.main import main
from tests.paths import DOCS

SVG = "{http://www.w3.org/2000/svg}"


def shown(capsys, *arguments):
    assert main(["chances", *arguments]) == 0
    return capsys.readouterr().out


def rows(text):
    """The cells of each line of the first table, by its first cell."""
    text = text.split("\n\n")[0]
    return {line.split()[0]: line.split() for line in text.splitlines() if line.startswith("  ")}


def test_eb9_the_printed_odds_stand_beside_the_count_and_the_wrong_ones_are_marked(capsys):
    text = shown(capsys)
    assert rows(text)["7"][1:8] == ["6", "30", "to", "6", "30", "to", "6"]
    assert rows(text)["12"][1:9] == ["3", "33", "to", "3", "35", "to", "1", "(!)"]
    assert text.count("(!)") == 2, "at twelve, and once below the table"
    assert "It is 33 to 3, for double treys, double fours, double sixes hit" in text


def test_every_distance_from_1_to_24_has_its_row(capsys):
    assert [int(number) for number in rows(shown(capsys)) if number.isdecimal()] == list(range(1, 25))


def test_what_cannot_be_read_is_not_made_up(capsys):
    assert "illegible" in rows(shown(capsys))["2"]


def test_cady_the_average_throw_and_the_set(capsys):
    text = shown(capsys)
    assert "294/36 = 8 1/6 points" in text
    assert "252/36 = 7 spots" in text
    assert "7 to 1     3 to 1" in text


def test_gammons_that_count_two_shorten_the_odds_of_the_player_ahead(capsys):
    assert "11 to 5    2 to 1" in shown(capsys, "--gammons", "1/4")


def test_eb9_one_blot_behind_a_held_point(capsys):
    assert shown(capsys, "8", "--held", "4") == (
        "A blot 8 away behind a point held 4 away is hit by 4 of 36 throws, 32 to 4 against: 5-3, 6-2.\n"
    )
    assert "behind points held 4 and 6 away" in shown(capsys, "8", "--held", "6", "4")
    assert "cinque-trois, six-deuce" in shown(capsys, "8", "--held", "4", "--words", "old")
    assert shown(capsys, "13") == "A blot 13 away cannot be hit.\n"


def test_json_carries_the_count_and_the_print(capsys):
    found = json.loads(shown(capsys, "--json"))
    twelve = found["hitting"][11]
    assert (twelve["away"], twelve["throws"], twelve["rolls"]) == (12, 3, ["33", "44", "66"])
    assert twelve["printed"]["EB9"] == {"against": [35, 1], "right": False}
    assert found["entering"]["one_up"]["3"] == 27
    assert json.loads(shown(capsys, "8", "--held", "4", "--json"))["hitting"][0]["printed"] == {}
    assert found["average_throw"] == pytest.approx(294 / 36)


@pytest.mark.parametrize("arguments", [["25"], ["0"], ["8", "--held", "9"], ["--held", "4"]])
def test_what_no_board_can_show_is_refused_in_one_sentence(capsys, arguments):
    assert main(["chances", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_drawing_has_a_bar_for_each_chance_and_a_ring_for_each_printed_odds(capsys, tmp_path):
    shown(capsys, "--svg", str(tmp_path / "chances.svg"))
    drawing = ET.parse(tmp_path / "chances.svg").getroot()
    bars = [rect for rect in drawing.iter(f"{SVG}rect") if rect.get("height") != drawing.get("height")]
    assert len(bars) == 12 + 5 + 6, "twelve near distances, five long ranges, six ways to enter"
    rings = [ring.get("stroke") for ring in drawing.iter(f"{SVG}circle")]
    assert len(rings) == 11 + 1, "eleven that can be read, and the one that explains them"
    assert len(set(rings)) == 2
    words = [text.text for text in drawing.iter(f"{SVG}text")]
    assert "printed 35 to 1; it is 33 to 3" in words


def test_the_tallest_bar_of_the_drawing_is_the_six(capsys, tmp_path):
    shown(capsys, "--svg", str(tmp_path / "chances.svg"))
    bars = list(ET.parse(tmp_path / "chances.svg").getroot().iter(f"{SVG}rect"))[1:18]
    heights = [float(bar.get("height", 0)) for bar in bars]
    assert heights.index(max(heights)) == 5
    assert heights[5] / heights[0] == pytest.approx(17 / 11, rel=0.01)


def test_the_drawing_in_the_docs_is_what_the_command_draws(capsys, tmp_path):
    shown(capsys, "--svg", str(tmp_path / "chances.svg"))
    assert (DOCS / "chances.svg").read_text() == (tmp_path / "chances.svg").read_text()
