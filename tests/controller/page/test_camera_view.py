"""The camera's picture on the page, and the figures beside it."""

import cv2
import numpy as np
import pytest

from controller.page.camera_view import CameraView
from controller.page.moment import Moment, Picture
from controller.perception.orientation import Orientation
from controller.referee import Lamp, Meaning, RefereeState
from controller.rules import BAR, OFF, Place, Player
from hardware.camera import Frame
from sentences import say, speaking
from tests.hardware.hand_clock import HandClock
from vision.board_reading import BoardReading, refused_reading
from vision.geometry import BoardGeometry


def grey(width=640, height=480):
    return np.full((height, width, 3), 128, np.uint8)


def seen_at(t_ms=0, image_bgr=None, reading=None, geometry=None, **more):
    """A moment with a picture."""
    frame = Frame(t_ms=t_ms, image_bgr=grey() if image_bgr is None else image_bgr)
    picture = Picture(frame=frame, reading=reading, geometry=geometry)
    return Moment(t_ms=t_ms, state=RefereeState(), orientation=Orientation(), picture=picture, **more)


def empty_board(least=1.0, **more):
    """A reading of a bare board. least: the probability of its most doubtful place."""
    points = np.full((24, 31), -30.0)
    points[:, 15] = 0.0
    points[3, 15] = np.log(least)
    bar = np.full((2, 16), -30.0)
    bar[:, 0] = 0.0
    return BoardReading(points=points, bar=bar, **more)


def drawn(moment):
    return cv2.imdecode(np.frombuffer(CameraView().seen(moment).jpeg, np.uint8), cv2.IMREAD_COLOR)


def test_browsers_that_look_at_one_picture_read_its_figures_each_in_their_language():
    moment = seen_at(image_bgr=grey(64, 48))
    camera, read, pictures = CameraView(), {}, set()
    for language in ("en", "de"):
        with speaking(language):
            seen = camera.seen(moment)
            assert seen is not None
            assert seen.figures.reading == say("page_not_read_yet")
            read[language] = seen.figures
            pictures.add(seen.jpeg)
    assert read["en"].light != read["de"].light
    assert read["en"].focus != read["de"].focus
    assert len(pictures) == 1


def test_however_often_browsers_look_two_pictures_a_second_are_drawn():
    clock = HandClock()
    camera = CameraView(lambda: clock.t_ms / 1000)
    shown = []
    for clock.t_ms in (0, 250, 499, 500, 750, 1000):
        shown.append(camera.seen(seen_at(clock.t_ms)).picture.frame.t_ms)
    assert shown == [0, 0, 0, 500, 500, 1000]


@pytest.mark.parametrize(("size_wh", "sent_wh"), [((2560, 960), (1280, 480)), ((320, 240), (320, 240))])
def test_only_a_large_picture_is_sent_smaller(size_wh, sent_wh):
    assert drawn(seen_at(image_bgr=grey(*size_wh))).shape[1::-1] == sent_wh


@pytest.mark.parametrize(
    ("reading", "key", "more", "is_well"),
    [
        (refused_reading("it is dark"), "page_refused", {"problem": "it is dark"}, False),
        (empty_board(hand=True), "page_hand", {}, False),
        (empty_board(0.6), "page_read_with", {"confidence": 0.6}, True),
    ],
    ids=["refused", "hand", "read"],
)
def test_what_was_read_is_told_by_its_most_doubtful_place(reading, key, more, is_well):
    figures = CameraView().seen(seen_at(reading=reading)).figures
    assert (figures.reading, figures.reading_is_well) == (say(key, **more), is_well)


def test_a_blurred_picture_may_be_lit_well():
    figures = CameraView().seen(seen_at()).figures
    assert (figures.light_is_well, figures.focus_is_well) == (True, False)


@pytest.mark.parametrize(
    ("place", "is_drawn"),
    [
        (Place(number=6), True),
        (Place(number=BAR, player=Player.WHITE), True),
        (Place(number=OFF, player=Player.BLACK), False),
    ],
    ids=["point", "bar", "tray"],
)
def test_a_lamp_is_drawn_in_its_colour_where_the_picture_shows_its_place(place, is_drawn):
    field = BoardGeometry(
        corners_px=((40.0, 40.0), (600.0, 40.0), (600.0, 440.0), (40.0, 440.0)), image_wh=(640, 480)
    )
    lit, unlit = (
        drawn(seen_at(reading=empty_board(), geometry=field, lamps=lamps)).astype(int)
        for lamps in ((Lamp(place=place, meaning=Meaning.OFFENCE),), ())
    )
    changed = np.abs(lit - unlit).max(axis=2) > 60
    assert changed.any() == is_drawn
    blue, _, red = lit[changed].sum(axis=0)
    assert red >= blue  # an offence is lit in red
