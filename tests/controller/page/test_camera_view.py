"""The figures beside the camera's picture."""

import numpy as np

from controller.page.camera_view import CameraView
from controller.page.moment import Moment, Picture
from controller.perception.orientation import Orientation
from controller.referee import RefereeState
from hardware.camera import Frame
from sentences import say, speaking


def test_browsers_that_look_at_one_picture_read_its_figures_each_in_their_language():
    frame = Frame(t_ms=0, image_bgr=np.full((48, 64, 3), 128, np.uint8))
    picture = Picture(frame=frame, reading=None, geometry=None)
    moment = Moment(t_ms=0, state=RefereeState(), orientation=Orientation(), picture=picture)
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
