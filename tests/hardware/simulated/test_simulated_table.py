"""The table that exists only in the program: what its camera sees, and that it fits behind the ports."""

import io

import numpy as np
import pytest

from hardware.camera import FolderCamera
from hardware.dice_log import DiceLog
from hardware.simulated.drawn_table import (
    BOARD_LOOKS,
    LyingDie,
    Scene,
    bar_fractions,
    corners_px,
    draw_table,
    place_mm,
)
from hardware.simulated.simulated_table import (
    Arranged,
    Script,
    SimulatedCamera,
    write_dice_log,
    write_recording,
)
from hardware.simulated.simulated_tray import Happening
from tests.hardware.stand_ins import SimulatedDice

CORK, FELT = BOARD_LOOKS[:2]
START = Scene(points=(5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2))
SCRIPT = Script(
    scenes=(Arranged(t_ms=0, scene=START), Arranged(t_ms=600, scene=Scene())),
    dice=(
        Happening(t_ms=300, die=1, state="*"),
        Happening(t_ms=900, die=1, state="4"),
        Happening(t_ms=950, die=2, state="?"),
    ),
    end_ms=1100,
)


def patch(image, look, place, rank=0):
    """The picture around the middle of a checker on a place, the outermost first, by plane geometry.

    Good for a camera straight above, where the field's corners span it evenly.
    """
    (x1, y1), _, (x2, y2), _ = corners_px(look)
    x_mm, base_mm = place_mm(look, place)
    inwards = 1 if place < 12 else -1
    y_mm = base_mm + inwards * (rank + 0.5) * look.checker_mm
    x = x1 + (x2 - x1) * x_mm / look.field_mm[0]
    y = y1 + (y2 - y1) * y_mm / look.field_mm[1]
    return image[round(y) - 5 : round(y) + 6, round(x) - 5 : round(x) + 6].reshape(-1, 3).mean(axis=0)


@pytest.mark.parametrize("look", BOARD_LOOKS, ids=lambda look: look.name)
def test_the_field_lies_in_the_picture_its_near_side_no_smaller_than_the_far_one(look):
    corners = np.array(corners_px(look))
    assert (corners > 0).all()
    assert (corners < look.size_wh).all()
    top, right, bottom, left = (np.linalg.norm(corners[i] - corners[i - 1]) for i in (1, 2, 3, 0))
    assert bottom >= top - 1e-6
    assert left == pytest.approx(right)
    assert bar_fractions(look) == pytest.approx((0.4607, 0.5393), abs=1e-4)


def test_from_straight_above_a_millimetre_is_the_same_everywhere():
    (x1, y1), (x2, _), _, (_, y4) = corners_px(FELT)
    assert (x2 - x1) / FELT.field_mm[0] == pytest.approx((y4 - y1) / FELT.field_mm[1])


def test_checkers_lie_where_the_scene_has_them_in_their_colours():
    image = draw_table(START, FELT)
    for place, count in enumerate(START.points):
        for rank in range(5):
            seen = patch(image, FELT, place, rank)
            off_light, off_dark = (np.abs(seen - colour).max() for colour in (FELT.light_bgr, FELT.dark_bgr))
            if rank < abs(count):
                assert (off_light if count > 0 else off_dark) < 25, (place, rank)
                assert (off_light < off_dark) == (count > 0)


def test_an_empty_place_shows_no_checker():
    empty, start = draw_table(Scene(), FELT), draw_table(START, FELT)
    for place, count in enumerate(START.points):
        differs = np.abs(patch(empty, FELT, place) - patch(start, FELT, place)).max() > 8
        assert differs == (count != 0)


def test_a_hand_hides_its_place():
    seen = patch(draw_table(Scene(points=START.points, hand=20), FELT), FELT, 20)
    assert np.abs(seen - (120, 150, 205)).max() < 25


def test_dice_on_the_field_are_white_with_dark_pips():
    without = draw_table(START, CORK).astype(int)
    seen = draw_table(Scene(points=START.points, dice=(LyingDie(x_mm=400, y_mm=230, face=6),)), CORK).astype(
        int
    )
    changed = np.abs(seen - without).max(axis=2) > 60
    assert 150 < changed.sum() < 900


def test_less_light_is_a_darker_picture():
    assert draw_table(Scene(light=0.5), CORK).mean() == pytest.approx(
        draw_table(Scene(), CORK).mean() / 2, rel=0.03
    )


def test_the_same_scene_is_drawn_the_same_and_another_picture_has_other_noise():
    assert (draw_table(START, CORK, seed=1) == draw_table(START, CORK, seed=1)).all()
    assert (draw_table(START, CORK, seed=1) != draw_table(START, CORK, seed=2)).any()


def test_each_scene_holds_from_its_time_on():
    assert [SCRIPT.scene(t_ms) for t_ms in (0, 599, 600, 5000)] == [START, START, Scene(), Scene()]


def test_the_camera_takes_a_picture_every_quarter_second_until_the_end():
    camera = SimulatedCamera(SCRIPT)
    assert len(camera) == 5
    frames = []
    while (frame := camera.next_frame()) is not None:
        frames.append(frame)
    assert [frame.t_ms for frame in frames] == [0, 250, 500, 750, 1000]
    assert camera.ended
    assert (frames[0].image_bgr == draw_table(START, CORK)).all()
    assert (frames[4].image_bgr == draw_table(Scene(), CORK, seed=1000)).all()


def test_a_closed_camera_has_ended():
    camera = SimulatedCamera(SCRIPT)
    camera.close()
    camera.close()
    assert camera.ended
    assert camera.next_frame() is None


def test_written_as_a_recording_it_plays_back_the_same(tmp_path):
    write_recording(SCRIPT, tmp_path)
    camera = FolderCamera(tmp_path / "frames")
    frame = camera.next_frame()
    assert frame is not None
    assert np.abs(frame.image_bgr.astype(int) - draw_table(START, CORK)).mean() < 3
    assert len(camera) == 4
    events = DiceLog.load(tmp_path / "dice.log").events
    assert [event for event in events if event.t_ms <= 1100] == list(
        SimulatedDice(SCRIPT.dice).events_until(1100)
    )


def test_the_dice_log_holds_what_the_tray_says():
    file = io.BytesIO()
    write_dice_log(SCRIPT, file)
    assert [line.split(b"*")[0] for line in file.getvalue().splitlines()] == [
        b"0 $0,BOOT",
        b"300 $1,MOVE,1",
        b"900 $2,FACE,1,4",
        b"950 $3,FACE,2,?",
        b"1000 $4,HB,1,0",
    ]
