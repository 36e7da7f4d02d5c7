"""`blotlight doctor`: one line a part, an exit status that tells, and the sums for the camera's stand."""

import json

import pytest

from controller.cli.main import main
from hardware.apa102 import STRIP_ORDER
from hardware.light_port import PlaceLight
from hardware.strip_walk import StripWalk
from tests.hardware.hand_clock import HandClock
from tests.hardware.stand_ins import MirrorLights


def test_each_part_is_one_line_and_the_status_says_that_something_is_missing(capsys, tmp_path):
    assert main(["doctor", "--camera", str(tmp_path / "none"), "--dice-port", str(tmp_path / "none")]) == 1
    shown = capsys.readouterr()
    assert shown.err == ""
    lines = shown.out.splitlines()
    assert len(lines) == 15  # twelve parts and three steps
    assert any(line.startswith("camera        not there  There is no camera at") for line in lines)


def test_as_json_each_part_is_one_object(capsys, tmp_path):
    main(["doctor", "--json", "--camera", str(tmp_path / "none"), "--dice-port", str(tmp_path / "none")])
    parts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {part["state"] for part in parts} <= {"ok", "not ok", "not there"}
    assert next(part for part in parts if part["part"] == "dice tray")["state"] == "not ok"


def test_an_option_goes_before_the_settings_and_a_folder_need_not_exist_yet(capsys, tmp_path):
    settings = tmp_path / "blotlight.toml"
    settings.write_text('[camera]\ndevice = "/dev/other"\n[record]\nfolder = "not/made/yet"\n')
    asked = ["--settings", str(settings), "--camera", "/dev/named", "--dice-port", "/dev/none"]
    main(["doctor", "--json", *asked])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    words = {part["part"]: part["words"] for part in found}
    assert "/dev/named" in words["camera"]
    assert "not/made/yet" not in words["disk"]


def test_a_camera_whose_height_nobody_gives_stands_as_low_as_it_sees_the_whole_board(capsys):
    main(["doctor", "camera", "--board", "620x540", "--checker", "42"])
    assert "The whole board is in the picture." in capsys.readouterr().out


def test_a_camera_high_enough_sees_every_point(capsys):
    assert main(["doctor", "camera", "--board", "620x540", "--checker", "42", "--height", "900"]) == 0
    assert "Every point is seen large enough" in capsys.readouterr().out


@pytest.mark.parametrize("height", ["300", "2500"], ids=["too low", "too high"])
def test_a_camera_too_low_or_too_high_does_not(height):
    assert main(["doctor", "camera", "--board", "620x540", "--checker", "42", "--height", height]) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        ["--board=620x-5"],
        ["--board=nanx540"],
        ["--height=0"],
        ["--height=-900"],
        ["--height=nan"],
        ["--height=inf"],
        ["--beside=nan"],
        ["--lens=0"],
        ["--lens=180"],
    ],
    ids=" ".join,
)
def test_measures_that_cannot_be_are_wrong_input(capsys, wrong):
    assert main(["doctor", "camera", "--board", "620x540", "--checker", "42", *wrong]) == 2
    assert "correct them" in capsys.readouterr().err


def test_without_a_pi_the_walk_says_what_is_missing(capsys):
    assert main(["doctor", "lights"]) == 1
    assert capsys.readouterr().err.startswith("blotlight: ")


@pytest.mark.parametrize(
    ("text", "status", "problem"),
    [
        ('[match]\nlength = "7"\n', 1, "GPIO"),
        ("[lights]\nmax_ma = -1\n", 2, "max_ma"),
        ("lights = 3\n", 2, "table"),
    ],
)
def test_the_leds_need_nothing_of_the_settings_but_their_wiring(tmp_path, capsys, text, status, problem):
    (tmp_path / "my.toml").write_text(text)
    assert main(["doctor", "--settings", str(tmp_path / "my.toml"), "lights"]) == status
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[lights\n", "[lights]\nmax_ma = -1\n"])
def test_the_leds_are_switched_off_whatever_the_settings_say(tmp_path, capsys, text):
    (tmp_path / "my.toml").write_text(text)
    main(["doctor", "--settings", str(tmp_path / "my.toml"), "lights", "--off"])
    about_settings, about_pins = capsys.readouterr().err.splitlines()
    assert "my.toml" in about_settings
    assert about_settings.endswith("The pins 10 and 11 are taken.")
    assert "GPIO" in about_pins  # here is no Pi


def test_walking_the_strip_lights_one_place_after_the_other_and_finds_the_true_order():
    mirror = MirrorLights(HandClock())
    wired = tuple(reversed(STRIP_ORDER))  # the strip was put in from the other end
    walking = StripWalk(mirror, STRIP_ORDER)
    for place in wired:
        walking.see(place)
    assert walking.seen == wired
    lit = [lamps for _, lamps in mirror.history]
    assert lit == [*((PlaceLight(place=place, rgb=(255, 255, 255)),) for place in STRIP_ORDER), ()]


def test_two_leds_that_light_one_place_are_refused():
    walking = StripWalk(MirrorLights(HandClock()), STRIP_ORDER)
    walking.see(3)
    with pytest.raises(ValueError, match="two LEDs cannot both light place 3"):
        walking.see(3)
    assert walking.seen == (3,)
