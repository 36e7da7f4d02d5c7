"""Learning how a board looks from a picture of a known position."""

import dataclasses

import numpy as np
import pytest

from tests.vision.drawn_board import EMPTY, START, geometry, picture
from vision.read.board_reader import BoardReader
from vision.read.calibration import Calibration, CalibrationError, Calibrator, whole_board

MIDGAME = (1, -2, 0, 0, -1, -3, 2, -2, 0, 1, 0, 4, -2, 0, 0, -1, 0, 4, 1, 2, 0, 0, 0, -4)
ACROSS = tuple(START[::-1])
SWAPPED = tuple(-count for count in START)


def calibrated(image, *candidates) -> tuple[int, Calibration] | None:
    return Calibrator(geometry=geometry()).learn_from(image, candidates or (START,))


def test_the_start_position_alone_is_enough():
    learnt = calibrated(picture(START))
    assert learnt is not None
    reading = BoardReader(calibration=learnt[1]).read_picture(picture(MIDGAME, seed=3), 0)
    assert reading.counts() == MIDGAME


@pytest.mark.parametrize("counts", [EMPTY, MIDGAME])
def test_no_other_position_passes_for_the_start_position(counts):
    assert calibrated(picture(counts)) is None


@pytest.mark.parametrize("shown", [START, ACROSS])
def test_the_candidate_that_the_picture_shows_is_named(shown):
    candidates = (START, ACROSS)
    learnt = calibrated(picture(shown), *candidates)
    assert learnt is not None
    assert candidates[learnt[0]] == shown


def test_with_both_sides_possible_the_brighter_checkers_are_the_light_ones():
    learnt = calibrated(picture(START), SWAPPED, START)
    assert learnt is not None
    assert learnt[0] == 1


def test_a_side_may_be_called_light_against_its_looks():
    learnt = calibrated(picture(START), SWAPPED)
    assert learnt is not None
    reading = BoardReader(calibration=learnt[1]).read_picture(picture(MIDGAME, seed=3), 0)
    assert reading.counts() == tuple(-count for count in MIDGAME)


def test_an_arm_over_the_checkers_postpones_the_calibration():
    assert calibrated(picture(START, arm=(0.95, 0.75))) is None


def test_a_dim_lamp_changes_nothing():
    learnt = calibrated(picture(START, light=(0.6, 0.6, 0.6)))
    assert learnt is not None
    dim = picture(MIDGAME, light=(0.6, 0.6, 0.6), seed=3)
    assert BoardReader(calibration=learnt[1]).read_picture(dim, 0).counts() == MIDGAME


def test_a_saved_calibration_reads_as_before(tmp_path):
    learnt = calibrated(picture(START))
    assert learnt is not None
    learnt[1].save(tmp_path / "board.npz")
    again = Calibration.load(tmp_path / "board.npz")
    assert again.geometry == learnt[1].geometry
    image = picture(MIDGAME, seed=4)
    before, after = (BoardReader(calibration=c).read_picture(image, 0) for c in (learnt[1], again))
    assert before.counts() == after.counts() == MIDGAME
    assert after.points == pytest.approx(before.points, abs=1e-4)


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_a_file_that_holds_no_calibration_is_named(tmp_path, content):
    path = tmp_path / "board.npz"
    if content is None:
        np.savez(path, other=np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration.load(path)


@pytest.mark.parametrize(
    "torn",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[: len(data) // 2] + bytes(4096) + data[len(data) // 2 + 4096 :],
        lambda data: bytes(4096) + data[4096:],
    ],
    ids=["its end is missing", "a block in its middle is empty", "its first block is empty"],
)
def test_a_calibration_torn_by_a_power_cut_is_named(tmp_path, torn):
    learnt = calibrated(picture(START))
    assert learnt is not None
    path = tmp_path / "board.npz"
    learnt[1].save(path)
    path.write_bytes(torn(path.read_bytes()))
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration.load(path)


def test_an_array_that_is_no_calibration_is_named(tmp_path):
    path = tmp_path / "board.npy"
    np.save(path, np.zeros(3))
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration.load(path)


@pytest.mark.parametrize("strictly", [False, True])
def test_a_board_on_which_one_checker_was_moved_is_not_that_position(strictly):
    moved = (1, 1, *START[2:])
    calibrator = Calibrator(geometry=geometry())
    assert calibrator.learn_from(picture(START), [START], strictly=strictly)
    assert calibrator.learn_from(picture(moved), [START], strictly=strictly) is None


def test_a_calibration_with_strips_of_another_size_is_named(tmp_path):
    learnt = calibrated(picture(START))
    assert learnt is not None
    dataclasses.replace(learnt[1], strips=learnt[1].strips[:, ::2]).save(tmp_path / "board.npz")
    with pytest.raises(CalibrationError, match=r"another size.*calibrate again"):
        Calibration.load(tmp_path / "board.npz")


@pytest.mark.parametrize("counts", [EMPTY, (1,) * 24])
def test_a_position_without_both_sides_teaches_nothing(counts):
    assert calibrated(picture(counts), counts) is None


def test_checkers_missing_from_the_points_may_lie_on_the_bar():
    assert whole_board(START)[24:].tolist() == [[0, 0], [0, 0]]
    one_missing = (1, *START[1:])
    assert whole_board(one_missing)[24:].tolist() == [[1, 0], [1, 0]]


def test_a_calibration_cannot_be_changed():
    learnt = calibrated(picture(START))
    assert learnt is not None
    with pytest.raises(dataclasses.FrozenInstanceError):
        learnt[1].counts = whole_board(EMPTY)


def test_a_board_on_which_the_light_falls_off_is_learnt_and_read():
    falloff = np.linspace(1.15, 0.5, 640)[None, :, None]

    def lit_from_the_left(image):
        return np.clip(image * falloff, 0, 255).astype(np.uint8)

    learnt = calibrated(lit_from_the_left(picture(START)))
    assert learnt is not None
    image = lit_from_the_left(picture(MIDGAME, seed=3))
    assert BoardReader(calibration=learnt[1]).read_picture(image, 0).counts() == MIDGAME
