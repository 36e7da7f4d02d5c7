"""Recordings altered as other cameras, colours and light would show them."""

from pathlib import Path

import numpy as np
import pytest

from controller.service.recordings.recording import open_recording
from tests.benchmarks.altered_recordings import WAYS, AlteredCamera, altered
from tests.benchmarks.half_turns import recorded_rightly

SHORT = Path(__file__).parent / "data" / "short"


@pytest.mark.parametrize("way", WAYS)
def test_a_way_changes_each_picture_alike_whenever_it_is_read(way):
    frames, again, plain = (open_recording(SHORT).camera for _ in range(3))
    for camera in (frames, again):
        camera.next_frame()
    first, second = (AlteredCamera(camera, WAYS[way]).next_frame() for camera in (frames, again))
    plain.next_frame()
    before = plain.next_frame()
    assert first.t_ms == second.t_ms == before.t_ms
    assert first.image_bgr.dtype == np.uint8
    assert np.array_equal(first.image_bgr, second.image_bgr)
    assert not np.array_equal(first.image_bgr, before.image_bgr)


@pytest.mark.parametrize("way", ["mirrored", "turned"])
def test_the_short_game_is_recorded_from_altered_pictures_alone(way):
    assert "half-turns 4/4, recorded 4," in recorded_rightly(SHORT, altered(open_recording(SHORT), WAYS[way]))
