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
    OpenScript,
    Script,
    SimulatedCamera,
    write_dice_log,
    write_recording,
)
from hardware.simulated.simulated_tray import Happening, SimulatedTray
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


def test_points_alternate_in_colour_and_the_bar_parts_the_halves_of_a_row():
    empty = draw_table(Scene(), FELT)
    columns = [patch(empty, FELT, place) for place in range(24)]
    first = [np.abs(seen - FELT.points_bgr[0]).max() < 40 for seen in columns]
    assert first == [True, False] * 6 + [False, True] * 6
    gaps_mm = np.diff([place_mm(FELT, place)[0] for place in range(12)])
    assert gaps_mm == pytest.approx([43] * 5 + [43 + FELT.bar_mm] + [43] * 5)


@pytest.mark.parametrize(("held", "guests"), [(3, -1), (-3, 1)])
def test_a_guest_lies_in_its_own_colour_on_the_checkers_of_the_other(held, guests):
    image = draw_table(Scene(points=(held, *[0] * 23), guests=(guests, *[0] * 23)), FELT)
    lights = [
        np.abs(patch(image, FELT, 0, rank) - FELT.light_bgr).max()
        < np.abs(patch(image, FELT, 0, rank) - FELT.dark_bgr).max()
        for rank in range(4)
    ]
    assert lights == [held > 0] * 3 + [guests > 0]


@pytest.mark.parametrize("count", [1, -1])
@pytest.mark.parametrize("half", [0, 1], ids=["upper", "lower"])
def test_checkers_on_the_bar_and_borne_off_lie_in_their_half_in_their_colour(half, count):
    halves = (count, 0) if half == 0 else (0, count)
    empty = draw_table(Scene(), FELT).astype(int)
    colour, other = FELT.light_bgr, FELT.dark_bgr
    for scene in (Scene(bar=halves), Scene(off=halves)):
        image = draw_table(scene, FELT)
        changed = np.abs(image - empty).max(axis=2) > 25
        assert (changed.nonzero()[0].mean() > FELT.size_wh[1] / 2) == (half == 1)
        seen = np.median(image[changed], axis=0)
        assert (np.abs(seen - colour).max() < np.abs(seen - other).max()) == (count > 0)


def test_a_sixth_checker_lies_on_the_first_of_its_row():
    five, six = (draw_table(Scene(points=(count, *[0] * 23)), FELT).astype(int) for count in (5, 6))
    rows = (np.abs(six - five).max(axis=2) > 25).nonzero()[0]
    y_of_first, y_of_last = (
        corners_px(FELT)[0][1] + (corners_px(FELT)[3][1] - corners_px(FELT)[0][1]) * share
        for share in (0.5 * 40 / 460, 4.5 * 40 / 460)
    )
    assert abs(rows.mean() - y_of_first) < abs(rows.mean() - y_of_last)


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


def test_a_script_that_is_written_on_forgets_only_scenes_that_are_over():
    script = OpenScript(START)
    script.add(SCRIPT)
    script.add(Script(scenes=(Arranged(t_ms=1200, scene=START),), end_ms=1500))
    assert [script.scene(t_ms) for t_ms in (0, 700, 700, 1200)] == [START, Scene(), Scene(), START]
    assert script.end_ms == 1500


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


def test_a_tray_numbers_its_lines_up_to_255_and_counts_what_it_does_not_understand():
    tray = SimulatedTray()
    tray.receive(500, b"noise\n")
    lines = [raw.split(b"*")[0] for _, raw in tray.lines_until(300_000)]
    numbers = [int(line[1:].split(b",")[0]) for line in lines]
    assert numbers == [n % 256 for n in range(301)]
    assert lines[-1].split(b",")[1:] == [b"HB", b"300", b"1"]


@pytest.mark.parametrize("state", ["", "7", "12"])
def test_a_die_is_in_no_other_state(state):
    with pytest.raises(ValueError, match="a die"):
        SimulatedTray().happen(0, 1, state)
