"""The service's settings: one TOML file in which nothing wrong passes unseen."""

from pathlib import Path

import pytest

from controller.errors import InputError
from controller.referee.effects import Mode
from controller.rules import Player
from controller.service.settings import OPTIONS, load_settings, parse_settings
from hardware.apa102 import STRIP_ORDER
from tests.paths import DOCS

BOARD = "[board]\ncorners_px = [[10, 10], [600, 10], [600, 400], [10, 400]]\n"


@pytest.fixture
def settings(tmp_path):
    def read(text: str):
        (tmp_path / "blotlight.toml").write_text(text)
        return load_settings(tmp_path / "blotlight.toml", Path("/var/lib/blotlight"))

    return read


def test_only_the_corners_are_needed(settings):
    found = settings(BOARD)
    assert found.mode is Mode.COACH
    assert found.camera.device == "auto"
    assert found.dice_port is None
    assert found.lights.order == STRIP_ORDER
    assert found.folder == Path("/var/lib/blotlight")


def test_a_file_may_begin_with_the_mark_of_some_editors(settings):
    assert settings("\ufeff" + BOARD).board == settings(BOARD).board
    with pytest.raises(InputError, match="line 1"):
        settings("\ufeff[matsch]\n")


def test_everything_may_be_said(settings, tmp_path):
    found = settings(
        BOARD
        + """
white_home = "top-left"
light = "black"
[match]
white = "Ada"
black = "Bert"
length = 7
[referee]
mode = "tournament"
settle_ms = 1000
[camera]
device = "picamera"
size = [1640, 1232]
every_ms = 100
[dice]
port = "/dev/ttyUSB1"
[lights]
strip = false
data_bcm = 23
max_brightness = 1
[club]
link = "board-07.toml"
[record]
folder = "records"
"""
    )
    assert found.board.orientation.white_home == "top-left"
    assert found.board.orientation.light is Player.BLACK
    assert (found.match.white, found.match.length) == ("Ada", 7)
    assert (found.mode, found.settle_ms) == (Mode.TOURNAMENT, 1000)
    assert (found.camera.device, found.camera.size_wh, found.camera.every_ms) == (
        "picamera",
        (1640, 1232),
        100,
    )
    assert found.dice_port == "/dev/ttyUSB1"
    assert (found.lights.strip, found.lights.data_bcm, found.lights.max_brightness) == (False, 23, 1.0)
    assert found.folder == tmp_path / "records"
    assert found.club_link == tmp_path / "board-07.toml"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (BOARD + "[lamps]\n", r"\[lamps\] of blotlight.toml, line 3, is not known \(known are board, match"),
        (BOARD + "\n[ligths]\n", r"\[ligths\] .*, line 4, is not known, the nearest name is lights"),
        (BOARD + "[referee]\nsetle_ms = 3\n", r"setle_ms .*, line 4, .* the nearest name is settle_ms"),
        (
            BOARD + "[referee]\nsettle_s = 3\n",
            r"settle_s .*, line 4, .* given in ms by the name of settle_ms",
        ),
        (BOARD + "[lights]\nmax_brightnes = 1\n", r"max_brightnes .* the nearest name is max_brightness"),
        (BOARD + "[camera]\nevery = 3\n", r"every in .*, line 4, .* given in ms by the name of every_ms"),
        ("[board]\nchecker_cm = 3\n", r"checker_cm .*, line 2, .* given in mm by the name of checker_mm"),
        (BOARD + "[camera]\nsettle_ms = 3\n", r"settle_ms .*, line 4, belongs into the table \[referee\]"),
        (
            BOARD + "[dice]\nbaud = 9600\n",
            r"baud in \[dice\] of blotlight.toml, line 4, is not known \(known are port",
        ),
        (BOARD + '[referee]\nmode = "silent"\n', "mode .* must be one of coach, club, tournament"),
        (BOARD + "[referee]\nmode = 3\n", "mode .* must be text in quotes"),
        (BOARD + "[lights]\norder = [1, 2, 3]\n", "order .* must name each place from 0 to 27 once"),
        (BOARD + "[lights]\nmax_brightness = 2\n", "must be a number from 0 to 1"),
        (BOARD + "[lights]\nclock_bcm = 10\n", "must be another pin than data_bcm"),
        (BOARD + "[camera]\nsize = [10]\n", "the picture's width and height"),
        (BOARD + "[camera]\nevery_ms = true\n", "must be a whole number"),
        (BOARD + "[record]\npictures_mb = 1.5\n", "must be a whole number from 0 to 10000000"),
        (
            BOARD + '[match]\nlaws = "mine"\n',
            r"laws in \[match\] .*line 4, is 'mine' and must be one of hoyle-1909",
        ),
        (BOARD + "[match]\nlength = -3\n", r"length in \[match\] .*line 4, must be a whole number from 0"),
        (BOARD + "[match]\n\nlength = 7.5\n", "line 5, must be a whole number"),
        (BOARD + "[match]\nlength = true\n", "must be a whole number"),
        (BOARD + "[match]\nwhite = 3\n", r"white in \[match\] .*line 4, must be text in quotes"),
        (BOARD + '[match]\nblack = ""\n', "black .*must be one line of 1 to 60 characters"),
        (BOARD + '[match]\nposition = "12"\n', "position .*line 4, is wrong"),
        (BOARD + '[match]\non_roll = "red"\n', "on_roll .*is 'red' and must be one of white, black"),
        ("[board]\ncorners_px = 4\n", r"corners_px in \[board\] .*line 2, must be four pairs of pixels"),
        ("[board]\ncorners_px = [[1, 2], [3, 4], [5, 6]]\n", "must be four pairs of pixels"),
        ("[board]\ncorners_px = [[1, 2], [3, 4], [5, 6], [7, 'x']]\n", "corners_px .*must be a number from"),
        ("[board]\nbar = [0.6, 0.4]\n", "bar .*left and its right edge"),
        ("[board]\nbar = 0.5\n", "bar .*must be two numbers from 0 to 1"),
        ("[board]\nchecker_mm = -4\n", "checker_mm .*line 2, must be a number from 5 to 3000"),
        ("[board]\nfield_mm = [500]\n", "field_mm .*must be two numbers"),
        ('[board]\nlight = "grey"\n', "light .*must be one of white, black"),
        ('[board]\nwhite_home = "left"\n', "white_home .*must be one of bottom-right"),
        ('white = "Ada"\n', r"\[white\] .*, line 1, belongs into the table \[match\]"),
        ("board = 3\n", r"\[board\] of blotlight.toml, line 1, must be a table, written \[board\]"),
        ("[board\n", "is no TOML"),
    ],
)
def test_what_is_wrong_is_named(settings, text, problem):
    with pytest.raises(InputError, match=problem):
        settings(text)


def test_a_board_may_have_no_bar(settings):
    found = settings(BOARD + "bar = [0.5, 0.5]\n")
    assert found.board.bar == (0.5, 0.5)


def test_nothing_needs_to_be_set(tmp_path):
    settings = parse_settings({}, tmp_path / "blotlight.toml", tmp_path)
    assert settings.board.corners_px is None
    assert len(settings.board.orientations) == 4
    assert settings.folder == tmp_path


def test_without_a_file_one_sentence_says_where_to_begin(tmp_path):
    with pytest.raises(
        InputError, match=r"There are no settings at .*none.toml: write them with blotlight setup"
    ):
        load_settings(tmp_path / "none.toml", tmp_path)


@pytest.mark.parametrize("option", [option for options in OPTIONS.values() for option in options])
def test_every_option_is_documented(option):
    page = DOCS / "service.md"
    assert f"`{option}`" in page.read_text()


def test_only_a_table_of_lights_sets_a_strip_up(settings):
    assert not settings(BOARD).lights.is_set_up
    assert settings(f"{BOARD}[lights]\nmax_ma = 500\n").lights.is_set_up
