"""Learning a board, its checkers and its light from the first pictures of a game."""

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_board import EMPTY, START, geometry, picture
from vision.appearance.calibration import Calibration, CalibrationError, Calibrator
from vision.read.board_reader import BoardReader

MIDGAME = (1, -2, 0, 0, -1, -3, 2, -2, 0, 1, 0, 4, -2, 0, 0, -1, 0, 4, 1, 2, 0, 0, 0, -4)


def calibrated(*pictures) -> Calibration | None:
    calibrator = Calibrator(geometry=geometry(), start_counts=START)
    learnt = [calibrator.learn_from(image, 1000 * number) for number, image in enumerate(pictures)]
    assert all(calibration is None for calibration in learnt[:-1])
    return learnt[-1]


def test_the_start_position_alone_is_enough():
    calibration = calibrated(picture(START))
    assert calibration is not None
    assert not calibration.empty.known.all()


def test_an_empty_board_seen_before_shows_what_lies_under_the_checkers():
    calibration = calibrated(picture(EMPTY, seed=1), picture(START))
    assert calibration is not None
    assert calibration.empty.known.all()


@pytest.mark.parametrize("counts", [EMPTY, MIDGAME, tuple(-count for count in START)])
def test_no_other_position_passes_for_the_start_position(counts):
    assert calibrated(picture(counts)) is None


def test_an_arm_over_the_checkers_postpones_the_calibration():
    assert calibrated(picture(START, arm=(0.95, 0.75))) is None


def test_a_dim_lamp_changes_nothing():
    calibration = calibrated(picture(START, light=(0.6, 0.6, 0.6)))
    assert calibration is not None
    reading = BoardReader(calibration=calibration).read_picture(
        picture(MIDGAME, light=(0.6, 0.6, 0.6), seed=3), 0
    )
    assert reading.counts() == MIDGAME


def test_a_saved_calibration_reads_as_before(tmp_path):
    calibration = calibrated(picture(START))
    assert calibration is not None
    calibration.save(tmp_path / "board.npz")
    again = Calibration.load(tmp_path / "board.npz")
    assert again.geometry == calibration.geometry
    image = picture(MIDGAME, seed=4)
    before, after = (BoardReader(calibration=c).read_picture(image, 0) for c in (calibration, again))
    assert before.counts() == after.counts() == MIDGAME
    assert after.points == pytest.approx(before.points, abs=0.5)


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_a_file_that_holds_no_calibration_is_named(tmp_path, content):
    path = tmp_path / "board.npz"
    if content is None:
        np.savez(path, other=np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration.load(path)


def test_a_calibration_kept_in_another_resolution_is_named(tmp_path):
    calibration = calibrated(picture(START))
    assert calibration is not None
    finer = np.repeat(np.repeat(calibration.empty.colour, 2, axis=0), 2, axis=1)
    replace(calibration, empty=replace(calibration.empty, colour=finer)).save(tmp_path / "board.npz")
    with pytest.raises(CalibrationError, match=r"another size.*calibrate again"):
        Calibration.load(tmp_path / "board.npz")


@pytest.mark.parametrize("counts", [(0,) * 24, (1,) * 24, (1, -1)])
def test_both_colours_are_needed_on_24_places(counts):
    with pytest.raises(CalibrationError, match="24 counts"):
        Calibrator(geometry=geometry(), start_counts=counts)


def test_a_calibration_cannot_be_changed():
    calibration = calibrated(picture(START))
    assert calibration is not None
    with pytest.raises(dataclasses.FrozenInstanceError):
        calibration.noise = 3.0


def lit_from_the_left(image):
    """The light on the right side of the picture is less than half of that on the left."""
    falloff = np.linspace(1.15, 0.5, image.shape[1])[None, :, None]
    return np.clip(image * falloff, 0, 255).astype(np.uint8)


def test_a_board_on_which_the_light_falls_off_is_learnt_and_read():
    calibration = calibrated(lit_from_the_left(picture(START)))
    assert calibration is not None
    reading = BoardReader(calibration=calibration).read_picture(
        lit_from_the_left(picture(MIDGAME, seed=3)), 0
    )
    assert reading.counts() == MIDGAME
