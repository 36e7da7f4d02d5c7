"""`blotlight doctor` looks whether the board lies in the picture where the settings say."""

import tomllib
from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.cli.main import main
from controller.perception.board_check import check_board, corners_text, least_checker_px
from controller.perception.orientation import Orientation
from controller.rules import Position
from controller.simulation.screenplay import drawn_board_settings, scene_of
from hardware.device_checks import CheckStatus
from hardware.simulated.drawn_table import BOARD_LOOKS, BoardLook, draw_table
from sentences import said_again, speaking
from vision.geometry import BoardGeometry

SEATING = Orientation()


def picture(look: BoardLook):
    return draw_table(scene_of(Position.START, SEATING), look, seed=1)


@pytest.mark.parametrize("look", BOARD_LOOKS, ids=lambda look: look.name)
def test_a_board_that_lies_where_the_settings_say_is_well(look):
    finding = check_board(picture(look), drawn_board_settings(look, SEATING))
    assert finding.state is CheckStatus.OK
    assert finding.words.startswith("The points are where the settings say; a checker has ")


def test_in_german_the_whole_finding_is_german():
    with speaking("de"):
        words = check_board(picture(BOARD_LOOKS[0]), drawn_board_settings(BOARD_LOOKS[0], SEATING)).words
    assert words.startswith("Die Felder sind da, wo die Einstellungen sagen; ein Stein ist da, ")


def test_a_checker_seen_from_straight_above_has_the_pixels_that_the_lens_gives_it():
    look = next(look for look in BOARD_LOOKS if look.beside_mm == 0)
    geometry = drawn_board_settings(look, SEATING).geometry(look.size_wh)
    focal_px = look.size_wh[0] / 2 / np.tan(np.radians(look.across_deg) / 2)
    assert least_checker_px(geometry) == pytest.approx(look.checker_mm * focal_px / look.height_mm, rel=0.01)


def test_a_checker_seen_from_low_down_is_smallest_in_height():
    corners = ((100, 100), (1100, 100), (1100, 500), (100, 500))
    geometry = BoardGeometry(corners_px=corners, image_wh=(1280, 720), checker=0.073, aspect=1.2)
    assert least_checker_px(geometry) == pytest.approx(0.073 * 1.2 * 400, rel=0.01)


def test_corners_and_bar_are_told_as_the_settings_have_them():
    corners = ((100.4, 100), (1100, 99.6), (1100, 500), (100, 500))
    geometry = BoardGeometry(corners_px=corners, image_wh=(1280, 720), bar=(0.44, 0.55))
    told = tomllib.loads(corners_text(geometry).replace(", bar", "\nbar"))
    assert told == {
        "corners_px": [[100, 100], [1100, 100], [1100, 500], [100, 500]],
        "bar": [0.44, 0.55],
    }


def test_a_board_seen_too_small_is_not_well():
    far = replace(BOARD_LOOKS[0], size_wh=(640, 360))
    finding = check_board(picture(far), drawn_board_settings(far, SEATING))
    assert finding.state is CheckStatus.WRONG
    assert finding.words.endswith("and needs 30: bring the camera nearer.")


def test_where_there_are_no_points_there_is_no_board():
    grey = np.full((720, 1280, 3), 120, dtype=np.uint8)
    settings = drawn_board_settings(BOARD_LOOKS[0], SEATING)
    assert check_board(grey, settings).words == (
        "No points are visible between the corners of the settings: correct corners_px."
    )
    assert check_board(grey, None).state is CheckStatus.WRONG


def test_in_german_a_missing_board_keeps_the_capitals_of_its_nouns():
    grey = np.full((720, 1280, 3), 120, dtype=np.uint8)
    with speaking("de"):
        assert "Bild" in check_board(grey, None).words


def test_a_missing_board_that_was_told_in_english_is_told_again_in_german():
    grey = np.full((720, 1280, 3), 120, dtype=np.uint8)
    told = check_board(grey, None).words
    with speaking("de"):
        assert said_again(told) == check_board(grey, None).words != told


def test_corners_outside_the_picture_are_named():
    small = np.full((240, 320, 3), 120, dtype=np.uint8)
    finding = check_board(small, drawn_board_settings(BOARD_LOOKS[0], SEATING))
    assert finding.words.startswith("The board cannot lie where the settings say (a corner lies outside")


def test_the_doctor_judges_a_picture_by_the_settings_of_the_service(tmp_path, capsys):
    look = BOARD_LOOKS[0]
    corners = drawn_board_settings(look, SEATING).corners_px
    text = ", ".join(f"[{x:.0f}, {y:.0f}]" for x, y in corners)
    (tmp_path / "blotlight.toml").write_text(
        f'[board]\ncorners_px = [{text}]\n[dice]\nport = "{tmp_path}/none"\n[lights]\nmax_ma = 3000\n'
    )
    cv2.imwrite(str(tmp_path / "board.png"), picture(look))
    settings, photo = str(tmp_path / "blotlight.toml"), str(tmp_path / "board.png")
    assert main(["doctor", "--settings", settings, "--picture", photo]) == 1
    said = {line.split("  ")[0]: line for line in capsys.readouterr().out.splitlines()}
    assert " ok " in said["geometry"]
    assert " ok " in said["focus"]
    assert "held to 3000 mA" in said["LED current"]
    assert " not ok " in said["LED current"]
