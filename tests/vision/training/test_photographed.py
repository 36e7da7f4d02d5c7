"""Photographed materials and rooms: parts of pictures in the colour of the board; light from all around."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.scenes.lighting import LEAST_ROOM, in_photographed_room, later, light_by_chance
from vision.training.scenes.looks.photographed import photographed, use_photographs

COLOUR = (0.2, 0.4, 0.1)
SIZE_WH = (320, 240)


@pytest.fixture
def grain(tmp_path):
    """A picture with dark stripes."""
    image = np.full((200, 500, 3), (60, 110, 150), dtype=np.uint8)
    image[::8] //= 2
    cv2.imwrite(str(tmp_path / "grain.png"), image)
    return tmp_path / "grain.png"


@pytest.mark.parametrize("seed", range(8))
def test_a_part_has_the_size_and_mean_colour_that_are_asked_for(grain, seed):
    part = photographed([grain])(np.random.default_rng(seed), COLOUR, SIZE_WH)
    assert part.shape == (240, 320, 3)
    assert part.mean(axis=(0, 1)) == pytest.approx(COLOUR, abs=0.01)
    assert part.std() > 0.02


def test_other_numbers_show_other_parts(grain):
    parts = [photographed([grain])(np.random.default_rng(seed), COLOUR, SIZE_WH) for seed in (1, 2, 1)]
    assert not np.array_equal(parts[0], parts[1])
    assert np.array_equal(parts[0], parts[2])


def test_a_folder_without_pictures_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("none")
    with pytest.raises(ValueError, match=r"has no pictures \(\.jpg, \.png\) of materials"):
        use_photographs(tmp_path)


def test_a_file_that_is_no_picture_is_named(tmp_path):
    (tmp_path / "torn.jpg").write_bytes(b"torn")
    with pytest.raises(ValueError, match=r"torn\.jpg is no picture"):
        photographed([tmp_path / "torn.jpg"])(np.random.default_rng(1), COLOUR, SIZE_WH)


@pytest.mark.parametrize("seed", range(8))
def test_a_photographed_room_lights_the_board_in_every_picture(seed):
    rooms, even = [Path("hall.exr"), Path("garden.exr")], light_by_chance(np.random.default_rng(seed))
    light = in_photographed_room(np.random.default_rng(seed), even, rooms)
    assert light == in_photographed_room(np.random.default_rng(seed), even, rooms)
    assert light.panorama.path in rooms
    assert light.room >= max(LEAST_ROOM, even.room)
    assert (light.lamps, light.sun, light.room_tint) == (even.lamps, even.sun, even.room_tint)
    assert later(np.random.default_rng(1), light, 1).panorama == light.panorama
