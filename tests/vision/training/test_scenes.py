"""Boards without end: what a scene number decides, without drawing it."""

import dataclasses
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vision.training.scenes.camera import camera_by_chance, corners_mm
from vision.training.scenes.labels import label
from vision.training.scenes.looks.board import board_by_chance
from vision.training.scenes.looks.families import BY_NAME, CHANCE, FAMILIES, HELD_OUT, HELD_OUT_LATER, TAUGHT
from vision.training.scenes.looks.field_image import PROFILES
from vision.training.scenes.looks.grounds import GROUNDS
from vision.training.scenes.looks.tones import TONES, distance
from vision.training.scenes.objects.dice import FACE_TURNS
from vision.training.scenes.objects.meshes import rounded_box
from vision.training.scenes.objects.piling import Piling, counted, habit_by_chance, intersect
from vision.training.scenes.objects.positions import CHECKERS, START_POINTS, Counts, position, start
from vision.training.scenes.objects.solids import Solid, Thing, box, capsule, disc, drawn, turned
from vision.training.scenes.plan import (
    family_of,
    planned,
    planned_in_still_light,
    planned_with_dice,
    planned_with_growth,
    planned_with_stacks,
    pushed,
)

NUMBERS = range(40)
OUTWARD = {1: (0, 0, 1), 6: (0, 0, -1), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, -1, 0), 4: (0, 1, 0)}
"""Where each face of a die looks before it is turned; the order in which `prints.py` draws them."""


@pytest.fixture(scope="module")
def sessions():
    return [planned(number, family_of(number, TAUGHT)) for number in NUMBERS]


def test_the_same_number_gives_the_same_plan(sessions):
    for session in sessions[:5]:
        again = planned(session.number, family_of(session.number, TAUGHT))
        assert [label(again, shot, "x") for shot in again.shots] == [
            label(session, shot, "x") for shot in session.shots
        ]


def test_another_run_of_python_draws_the_same_field():
    script = (
        "import numpy as np, zlib\n"
        "from vision.training.scenes.looks.board import board_by_chance\n"
        "from vision.training.scenes.looks.families import BY_NAME\n"
        "from vision.training.scenes.looks.field_image import FieldImage\n"
        "for seed in range(3):\n"
        "    rng, family = np.random.default_rng(seed), BY_NAME['turkish_mosaic']\n"
        "    field = FieldImage(rng, family, board_by_chance(rng, family), ((1, 1, 1), (0, 0, 0)))\n"
        "    print(zlib.crc32(field.image.tobytes()))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[3],
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_different_numbers_give_different_boards(sessions):
    assert len({session.board for session in sessions}) == len(sessions)


def test_no_two_checkers_are_in_the_same_room(sessions):
    for session in sessions:
        for shot in session.shots:
            laid = [checker.foot_mm for checker in shot.laid]
            for number, one in enumerate(laid):
                assert not any(intersect(session.board, one, other) for other in laid[:number])


def test_pictures_for_reading_dice_show_many_of_them_beside_one_another():
    for number in range(5):
        session = planned_with_dice(number, family_of(number, TAUGHT))
        assert np.mean([len(shot.dice) for shot in session.shots]) > 6
        for shot in session.shots:
            bodies = [die.thing.solids[0] for die in shot.dice if not die.leaning]
            for i, one in enumerate(bodies):
                for other in bodies[:i]:
                    assert np.hypot(*np.subtract(one.at, other.at)[:2]) > max(one.size[0], other.size[0])


def test_some_dice_have_a_colour_of_the_checkers_and_pips_that_stand_out():
    alike = others = 0
    for number in range(6):
        session = planned_with_dice(number, family_of(number, TAUGHT))
        for die in (die for shot in session.shots for die in shot.dice):
            body = die.thing.solids[0]
            if body.colour in session.sets.colours:
                assert distance(body.colour, body.second) > 30
                alike += 1
            else:
                others += 1
    assert 0.15 < alike / (alike + others) < 0.45


def test_pictures_for_counting_show_tall_stacks_on_many_places():
    for number in range(5):
        session = planned_with_stacks(number, family_of(number, TAUGHT))
        assert [shot.kind for shot in session.shots] == ["start"] + ["stacks"] * (len(session.shots) - 1)
        heights = [sum(place) for shot in session.shots[1:] for place in counted(list(shot.laid))[0].places]
        assert sum(height > 5 for height in heights) > 2 * len(session.shots)
        assert max(heights) <= CHECKERS


def test_growing_stacks_change_by_the_checkers_laid_last_and_lie_clear_of_one_another():
    changed = 0
    for number in range(4):
        session = planned_with_growth(number, family_of(number, TAUGHT))
        stacks = [
            [[c for c in shot.laid if c.place == place] for place in range(24)] for shot in session.shots[1:]
        ]
        for then, now in itertools.pairwise(stacks):
            for before, after in zip(then, now, strict=True):
                both = list(zip(before, after, strict=False))
                apart = {
                    tuple(np.round(np.subtract(a.foot_mm, b.foot_mm), 6)) for a, b in both
                }  # a brushed stack moves as a whole
                assert len(apart) <= 1
                changed += len(before) != len(after)
        for shot in session.shots[1:]:
            for n, one in enumerate(shot.laid):
                assert not any(
                    intersect(session.board, one.foot_mm, other.foot_mm) for other in shot.laid[:n]
                )
    assert changed > 60


def test_still_light_changes_nothing_but_the_light():
    growing, still = (plan(5, family_of(5, TAUGHT)) for plan in (planned_with_growth, planned_in_still_light))
    assert len({id(shot.light) for shot in still.shots}) == 1
    assert [shot.laid for shot in still.shots] == [shot.laid for shot in growing.shots]


def test_some_positions_have_a_few_checkers_on_points_that_the_other_side_holds():
    rng = np.random.default_rng(3)
    shared = [sum(min(place) > 0 for place in position(rng, False, False).places) for _ in range(500)]
    assert 50 < sum(many > 0 for many in shared) < 250


def test_neither_side_has_more_than_its_checkers(sessions):
    for session in sessions:
        for shot in session.shots:
            for side in (0, 1):
                assert sum(checker.side == side for checker in shot.laid) <= CHECKERS


def test_each_checker_lies_in_its_own_column_and_within_the_field(sessions):
    for session in sessions:
        board = session.board
        for shot in session.shots:
            for checker in shot.laid:
                if 0 <= checker.place < 24:
                    x, y, z = checker.foot_mm
                    assert abs(x - board.column_x(checker.place)) < board.pitch / 2
                    assert (y > 0) == (checker.place < 12)
                    assert abs(y) <= board.field_wh[1] / 2 - board.diameter / 2 + 1e-6
                    assert z == pytest.approx(checker.layer * board.thickness)


def test_whatever_lies_on_a_higher_layer_has_something_under_it(sessions):
    for session in sessions:
        board = session.board
        for shot in session.shots:
            for checker in shot.laid:
                if checker.layer and 0 <= checker.place < 24:
                    x, y, z = checker.foot_mm
                    assert any(
                        under.foot_mm[2] == pytest.approx(z - board.thickness)
                        and np.hypot(under.foot_mm[0] - x, under.foot_mm[1] - y) < board.diameter
                        for under in shot.laid
                    )


def test_labels_say_what_lies_there(sessions):
    for session in sessions:
        light = 0 if session.sets.light_is == "a" else 1
        for shot in session.shots:
            line = label(session, shot, "x")
            for place, (many_light, many_dark) in enumerate(line["places"]):
                sides = [checker.side for checker in shot.laid if checker.place == place]
                assert (many_light, many_dark) == (sides.count(light), sides.count(1 - light))
            assert all(
                0 <= share <= 1 for share in (*line["hidden"], *line["bar_hidden"], line["hand_share"])
            )
            assert line["hand"] or line["hand_share"] == 0


def test_dice_and_cube_that_are_labelled_are_in_the_picture(sessions):
    for session in sessions:
        for shot in session.shots:
            line = label(session, shot, "x")
            for box_px in [die["box_px"] for die in line["dice"]] + [line["cube"]] * bool(line["cube"]):
                assert 0 <= box_px[0] < box_px[2] < shot.camera.size_wh[0]
                assert 0 <= box_px[1] < box_px[3] < shot.camera.size_wh[1]


def test_print_on_every_face_of_a_box_reads_the_right_way_round():
    shape = rounded_box((10, 10, 10), 0)
    for corners, uv in zip(shape.faces, shape.uv, strict=True):
        spots = shape.vertices[corners]
        outward = np.cross(spots[1] - spots[0], spots[2] - spots[0])
        assert outward @ spots.mean(axis=0) > 0
        (ax, ay), (bx, by) = uv[1] - uv[0], uv[2] - uv[0]
        assert ax * by - ay * bx > 0, "mirrored"


def test_bare_boards_are_bare_and_hide_nothing_but_by_things(sessions):
    for session in sessions:
        for shot in session.shots:
            if shot.kind == "bare":
                assert not shot.laid


def test_a_session_has_a_start_and_at_most_one_bare_board_first(sessions):
    for session in sessions:
        kinds = [shot.kind for shot in session.shots]
        assert kinds.count("start") == 1
        assert kinds.count("bare") <= 1
        assert "bare" not in kinds[1:]


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
def test_every_start_has_each_side_s_two_five_three_and_five(mirrored, swapped):
    counts = start(mirrored, swapped)
    for side in (0, 1):
        assert sorted(place[side] for place in counts.places if place[side]) == sorted(START_POINTS.values())


def test_the_four_ways_to_set_up_differ():
    ways = {str(start(mirrored, swapped).places) for mirrored in (False, True) for swapped in (False, True)}
    assert len(ways) == 4


def test_positions_have_at_most_fifteen_of_a_side():
    rng = np.random.default_rng(3)
    for _ in range(500):
        counts = position(rng, False, False)
        for side in (0, 1):
            assert counts.total(side) <= CHECKERS
            assert all(place[side] >= 0 for place in counts.places)


def test_fifteen_on_a_point_are_all_laid():
    rng = np.random.default_rng(5)
    for _ in range(30):
        board = board_by_chance(rng, CHANCE)
        counts = Counts()
        counts.places[3][0] = 15
        laid = Piling(board, rng, habit_by_chance(rng, board)).lay(counts)
        assert counted(laid)[0].places[3][0] == 15


def test_field_stays_in_the_picture_when_board_or_camera_is_moved(sessions):
    for session in sessions:
        for shot in session.shots:
            corners = np.array(label(session, shot, "x")["corners_px"])
            assert (corners > -1).all()
            assert (corners < shot.camera.size_wh).all()


def test_whole_field_is_in_the_picture_and_the_bar_upright_in_the_mapped_view():
    rng = np.random.default_rng(7)
    for _ in range(60):
        board = board_by_chance(rng, CHANCE)
        camera = camera_by_chance(rng, board)
        corners = camera.px(corners_mm(board))
        assert (corners > -1).all()
        assert (corners < camera.size_wh).all()
        (ax, ay), (bx, by), _, (dx, dy) = corners
        assert (bx - ax) * (dy - ay) - (by - ay) * (dx - ax) > 0, "the picture is not mirrored"


def test_a_pushed_board_is_where_it_was_pushed_to():
    rng = np.random.default_rng(8)
    board = board_by_chance(rng, CHANCE)
    camera = camera_by_chance(rng, board)
    spots = corners_mm(board)
    turn = turned(1.5)
    moved = spots @ turn.T + np.array([9.0, -4.0, 0.0])
    assert pushed(camera, (9.0, -4.0, 1.5)).px(spots) == pytest.approx(camera.px(moved), abs=1e-3)


def test_the_lens_leaves_the_middle_and_bends_what_is_far_out():
    rng = np.random.default_rng(9)
    camera = dataclasses.replace(camera_by_chance(rng, board_by_chance(rng, CHANCE)), k1=-0.08)
    straight = dataclasses.replace(camera, k1=0.0)
    ahead = np.array(camera.at_mm) - 500 * np.array(camera.turn)[:, 2]
    assert camera.px(ahead) == pytest.approx(straight.px(ahead), abs=1e-6)
    aside = ahead + 200 * np.array(camera.turn)[:, 0]
    middle = np.array(camera.size_wh) / 2 - 0.5
    assert np.linalg.norm(camera.px(aside) - middle) < np.linalg.norm(straight.px(aside) - middle)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_face_that_a_die_is_turned_to_is_up(face):
    tilt, way = FACE_TURNS[face]
    up = turned(33) @ turned(0, tilt, way) @ np.array(OUTWARD[face])
    assert up == pytest.approx([0, 0, 1], abs=1e-9)


def test_outlines_cover_what_they_should():
    rng = np.random.default_rng(2)
    board = board_by_chance(rng, CHANCE)
    camera = camera_by_chance(rng, board)
    field = drawn(camera, [corners_mm(board)])
    lid = Thing(name="pad", solids=(Solid(shape="box", at=(0, 0, 1), size=(*board.field_wh, 2)),))
    assert (drawn(camera, lid.hulls())[field > 0] > 0).mean() > 0.99
    assert drawn(camera, [disc((0, 0, 0), 10, 5)]).any()
    assert drawn(camera, [capsule((0, 0, 5), (30, 0, 5), 5, 3)]).any()
    assert box((0, 0, 0), (2, 4, 6), turned(90)).max(axis=0) == pytest.approx([2, 1, 3])


def test_families_name_only_what_there_is():
    assert len(BY_NAME) == len(FAMILIES) + len(HELD_OUT_LATER) + 1
    assert len(FAMILIES) >= 26
    assert len(HELD_OUT) >= 12
    for family in BY_NAME.values():
        assert set(family.grounds) <= set(GROUNDS)
        assert set(family.tables) <= set(GROUNDS)
        assert set(family.shapes) <= set(PROFILES)
        tones = {tone for pair in (*family.points, *family.checkers) for tone in pair}
        assert tones | set(family.field) | set(family.frame_tones) <= set(TONES)


def test_chance_keeps_what_only_held_out_families_have_for_testing():
    for part in ("grounds", "shapes", "fills"):
        taught = {value for name in TAUGHT for value in getattr(BY_NAME[name], part)}
        assert set(getattr(CHANCE, part)) == taught
        kept = {
            value for name in (*HELD_OUT, *HELD_OUT_LATER) for value in getattr(BY_NAME[name], part)
        } - taught
        assert not kept & set(getattr(CHANCE, part))


def test_half_of_all_sessions_are_chance():
    names = [family_of(number, TAUGHT).name for number in range(600)]
    assert 0.4 < names.count("chance") / len(names) < 0.6
    assert not set(names) & set(HELD_OUT)
