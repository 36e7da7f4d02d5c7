"""Live cameras: the newest picture, stalls noticed, devices opened anew, automatics locked."""

import sys
import threading
import types
from functools import partial
from queue import SimpleQueue

import cv2
import numpy as np
import pytest

from hardware import live_camera
from hardware.camera import Frame
from hardware.device_errors import CameraUnavailable
from hardware.live_camera import (
    CameraTiming,
    LiveCamera,
    PicameraSource,
    V4l2Source,
    camera_that_is_there,
    named_camera,
)
from tests.hardware.hand_clock import HandClock, wait_until

QUICK = CameraTiming(retry_s=0.001, wait_s=0.01)


def picture(grey):
    return np.full((4, 6, 3), grey, dtype=np.uint8)


class HandFedSource:
    """A device that gives the pictures put into it; None stands for a device that stops."""

    def __init__(self) -> None:
        self.pictures: SimpleQueue = SimpleQueue()
        self.closed = False
        self.n_locked = 0

    def wait(self):
        self._picture = self.pictures.get()
        return self._picture is not None

    def picture(self):
        return self._picture

    def lock_exposure(self) -> None:
        self.n_locked += 1

    def close(self) -> None:
        self.closed = True


class Stand:
    """A live camera whose devices are fed by hand."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.sources: list[HandFedSource] = []
        self.plugged_in = True
        self.camera = LiveCamera(self.open, self.clock, timing=QUICK)
        wait_until(lambda: self.sources)

    def open(self) -> HandFedSource:
        if not self.plugged_in:
            raise CameraUnavailable("There is no camera: plug it in.")
        self.sources.append(HandFedSource())
        return self.sources[-1]

    def read(self) -> Frame:
        """The next frame, waited for."""
        frames: list[Frame] = []
        wait_until(lambda: frames.extend(filter(None, [self.camera.next_frame()])) or frames)
        return frames[0]


@pytest.fixture
def stand():
    stand = Stand()
    yield stand
    stand.plugged_in = False
    for source in stand.sources:
        source.pictures.put(None)
    stand.camera.close()


def test_a_frame_carries_the_time_at_which_it_came_and_is_given_once(stand):
    stand.clock.t_ms = 1234
    stand.sources[0].pictures.put(picture(7))
    frame = stand.read()
    assert frame.t_ms == 1234
    assert frame.image_bgr[0, 0].tolist() == [7, 7, 7]
    assert stand.camera.next_frame() is None


def test_a_reader_who_comes_late_gets_the_newest_picture(stand):
    for grey in (1, 2, 3):
        stand.sources[0].pictures.put(picture(grey))
    wait_until(lambda: stand.camera._newest is not None and stand.camera._newest.image_bgr[0, 0, 0] == 3)
    assert stand.read().image_bgr[0, 0, 0] == 3


def test_pictures_pass_undecoded_until_one_is_asked_for(stand):
    stand.sources[0].pictures.put(picture(1))
    stand.read()
    for grey in (2, 3):
        stand.sources[0].pictures.put(picture(grey))
    wait_until(lambda: stand.camera.n_passed == 2)
    assert stand.camera.next_frame() is None
    stand.sources[0].pictures.put(picture(4))
    assert stand.read().image_bgr[0, 0, 0] == 4


def test_a_picture_still_being_decoded_when_another_was_given_is_passed(stand):
    stand.sources[0].pictures.put(picture(1))
    wait_until(lambda: stand.camera._newest is not None)
    decoding, may_end = threading.Event(), threading.Event()

    def decode_slowly():
        decoding.set()
        assert may_end.wait(10.0)
        return picture(2)

    stand.sources[0].picture = decode_slowly
    stand.sources[0].pictures.put(picture(2))
    assert decoding.wait(10.0)
    assert stand.read().image_bgr[0, 0, 0] == 1
    may_end.set()
    wait_until(lambda: stand.camera.n_passed == 1)
    assert stand.camera.next_frame() is None


def test_frames_are_no_closer_than_they_are_wanted():
    clock, source = HandClock(), HandFedSource()
    camera = LiveCamera(lambda: source, clock, timing=QUICK, every_ms=200)
    given_ms = []

    def was_handled(t_ms, n_passed):
        given_ms.extend(frame.t_ms for frame in [camera.next_frame()] if frame)
        return t_ms in given_ms or camera.n_passed > n_passed

    for t_ms in range(0, 1000, 60):
        clock.t_ms = t_ms
        source.pictures.put(picture(1))
        wait_until(partial(was_handled, t_ms, camera.n_passed))
    source.pictures.put(None)
    camera.close()
    assert given_ms == [0, 240, 480, 720, 960]


def test_a_camera_that_stops_is_opened_anew_and_said_once(stand):
    stand.sources[0].pictures.put(None)
    wait_until(lambda: len(stand.sources) == 2)
    assert stand.sources[0].closed
    stand.sources[1].pictures.put(picture(5))
    assert stand.read().image_bgr[0, 0, 0] == 5
    stopped = "The camera stopped giving pictures and is opened anew: check its cable."
    assert stand.camera.problems == [stopped]
    stand.sources[1].pictures.put(None)
    wait_until(lambda: len(stand.sources) == 3)
    assert stand.camera.problems == [stopped, stopped], "it had given pictures in between"


def test_a_camera_that_is_closed_has_not_failed(stand):
    closing = threading.Thread(target=stand.camera.close)
    closing.start()
    wait_until(lambda: stand.camera.ended)
    stand.sources[0].pictures.put(None)
    closing.join()
    assert stand.camera.problems == []


def test_a_camera_that_hangs_is_noticed_after_two_seconds(stand):
    stand.clock.t_ms = 2000
    assert stand.camera.next_frame() is None
    assert stand.camera.problems == []
    stand.clock.t_ms = 2001
    assert stand.camera.next_frame() is None
    assert stand.camera.problems == ["The camera gives no pictures: check its cable."]


def test_an_unplugged_camera_is_tried_until_it_is_back(stand):
    stand.plugged_in = False
    stand.sources[0].pictures.put(None)
    wait_until(lambda: stand.camera.problems)
    assert not stand.camera.ended
    stand.plugged_in = True
    wait_until(lambda: len(stand.sources) == 2)
    stand.sources[1].pictures.put(picture(9))
    assert stand.read().image_bgr[0, 0, 0] == 9


def test_exposure_is_locked_once_after_two_seconds_of_warming_up(stand):
    stand.sources[0].pictures.put(picture(1))
    stand.read()
    assert stand.sources[0].n_locked == 0
    for t_ms in (2000, 2100):
        stand.clock.t_ms = t_ms
        stand.sources[0].pictures.put(picture(2))
        stand.read()
    assert stand.sources[0].n_locked == 1


class FakeCapture:
    """cv2.VideoCapture of a camera whose automatics have settled."""

    def __init__(self, device, backend) -> None:
        self.properties = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 4600.0}

    def isOpened(self):
        return True

    def get(self, name):
        return self.properties.get(name, 0.0)

    def set(self, name, value):
        self.properties[name] = value
        if name == cv2.CAP_PROP_AUTO_EXPOSURE:
            self.properties[cv2.CAP_PROP_EXPOSURE] = 3.0  # some cameras fall back to a default of their own

    def grab(self):
        return True

    def retrieve(self):
        return True, picture(8)

    def release(self):
        self.properties.clear()


def test_a_usb_camera_keeps_the_exposure_and_white_balance_it_had_found(monkeypatch, tmp_path):
    monkeypatch.setattr(live_camera.cv2, "VideoCapture", FakeCapture)
    (tmp_path / "video0").touch()
    source = V4l2Source(str(tmp_path / "video0"))
    source.lock_exposure()
    kept = source._capture.properties
    assert kept[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert kept[cv2.CAP_PROP_EXPOSURE] == 157.0
    assert kept[cv2.CAP_PROP_AUTO_WB] == 0
    assert kept[cv2.CAP_PROP_WB_TEMPERATURE] == 4600.0
    assert source.wait()
    assert source.picture()[0, 0, 0] == 8


def test_a_usb_camera_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CameraUnavailable, match="plug it in"):
        V4l2Source(str(tmp_path / "video7"))


def test_without_picamera2_one_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraUnavailable, match="apt install python3-picamera2"):
        PicameraSource()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "raise ValueError('numpy.dtype size changed, may indicate\\nbinary incompatibility')",
            "numpy.dtype size",
        ),
        ("import libcamera_that_is_not_there", "No module named 'libcamera_that_is_not_there'"),
        ("raise AttributeError('module numpy has no attribute core')", "no attribute core"),
    ],
)
def test_a_picamera2_that_does_not_load_is_named_in_one_sentence(tmp_path, monkeypatch, content, problem):
    (tmp_path / "picamera2.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(CameraUnavailable, match=f"picamera2 does not load .*{problem}") as told:
        PicameraSource()
    assert "\n" not in str(told.value)


def test_a_driver_that_raises_anything_is_tried_again():
    n_tries = [0]

    def open_broken():
        n_tries[0] += 1
        raise SystemError("the driver is broken")

    camera = LiveCamera(open_broken, HandClock(), timing=QUICK)
    wait_until(lambda: n_tries[0] > 3)
    camera.close()
    assert camera.problems == [
        "The camera failed (the driver is broken) and is tried again: check its cable."
    ]


class FailingSource(HandFedSource):
    """A device whose driver fails when its exposure is locked."""

    def lock_exposure(self) -> None:
        raise SystemError("the driver is broken")


def test_a_driver_that_fails_while_pictures_come_lets_go_of_the_device_before_it_is_opened_anew():
    opened: list[FailingSource] = []
    busy_ones: list[FailingSource] = []

    def open_failing():
        busy_ones.extend(source for source in opened if not source.closed)
        opened.append(FailingSource())
        opened[-1].pictures.put(picture(1))
        return opened[-1]

    camera = LiveCamera(open_failing, HandClock(), timing=CameraTiming(warm_up_ms=0, retry_s=0.001))
    wait_until(lambda: len(opened) > 2)
    camera.close()
    assert busy_ones == []


@pytest.fixture
def usb_cameras(tmp_path):
    for number, name, index in (
        (0, "Front Cam: Front Cam", 0),
        (1, "Front Cam: Front Cam", 1),
        (10, "HD Webcam C270", 0),
        (2, "Front Cam 2: Front Cam 2", 0),
    ):
        device = tmp_path / f"video{number}"
        device.mkdir()
        (device / "name").write_text(f"{name}\n")
        (device / "index").write_text(f"{index}\n")
    return tmp_path


def test_a_usb_camera_is_found_by_its_name_whatever_its_number(usb_cameras):
    assert named_camera("c270", usb_cameras) == "/dev/video10"
    assert named_camera("Front", usb_cameras) == "/dev/video0"
    known = "Front Cam: Front Cam, Front Cam 2: Front Cam 2, HD Webcam C270"
    with pytest.raises(CameraUnavailable, match=f"name one of {known}"):
        named_camera("Brio", usb_cameras)


class FakePicamera2:
    """The part of picamera2.Picamera2 that is used."""

    camera_controls = ()
    cameras = ("/base/soc/i2c0mux/i2c@1/imx708@1a",)

    @classmethod
    def global_camera_info(cls):
        return [{"Num": number, "Id": camera} for number, camera in enumerate(cls.cameras)]

    def __init__(self) -> None:
        self.controls: dict = {}
        self.stalled = False

    def create_video_configuration(self, main):
        return main

    def configure(self, configuration):
        assert configuration["format"] == "RGB888"

    def start(self): ...

    def stop(self): ...

    def close(self): ...

    def capture_array(self, stream, wait):
        return "job"

    def wait(self, job, timeout):
        if self.stalled:
            raise TimeoutError
        return picture(6)

    def capture_metadata(self):
        return {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.9), "Lux": 300}

    def set_controls(self, controls):
        self.controls = controls


def test_a_pi_camera_is_locked_to_what_it_had_found_and_a_stall_gives_no_picture(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=FakePicamera2))
    source = PicameraSource()
    source.lock_exposure()
    assert source._camera.controls == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 9000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 1.9),
    }
    assert source.wait()
    assert source.picture()[0, 0, 0] == 6
    source._camera.stalled = True
    assert source.picture() is None


class WebcamPicamera2(FakePicamera2):
    """On a Pi with a USB camera alone."""

    cameras = ("/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.3:1.0-046d:0825",)


class TwoCamerasPicamera2(FakePicamera2):
    """On a Pi with a USB camera and a camera module."""

    cameras = (*WebcamPicamera2.cameras, *FakePicamera2.cameras)


def test_the_camera_that_is_there_is_taken(tmp_path, monkeypatch):
    classes, usb = tmp_path / "class", tmp_path / "devices" / "usb1" / "1-1" / "video1"
    for device in (tmp_path / "devices" / "codec" / "video0", usb):
        device.mkdir(parents=True)
        (device / "index").write_text("0\n")
    classes.mkdir()
    (classes / "video0").symlink_to(tmp_path / "devices" / "codec" / "video0")
    for with_module in (FakePicamera2, TwoCamerasPicamera2):
        monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=with_module))
        assert camera_that_is_there(classes) == "picamera"
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraUnavailable, match="No camera is found"):
        camera_that_is_there(classes)
    (classes / "video1").symlink_to(usb)
    assert camera_that_is_there(classes) == "/dev/video1"
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=WebcamPicamera2))
    assert camera_that_is_there(classes) == "/dev/video1"


def test_a_picamera2_that_does_not_load_is_named_where_no_other_camera_is(tmp_path, monkeypatch):
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(CameraUnavailable, match="picamera2 does not load"):
        camera_that_is_there(tmp_path / "class")


class FocusingPicamera2(FakePicamera2):
    """A Camera Module 3: its lens takes some pictures until it has focused."""

    camera_controls = ("AfMode", "AfTrigger", "LensPosition")
    ends_in = 2

    def __init__(self) -> None:
        super().__init__()
        self.set: list = []
        self.n_pictures = 0

    def set_controls(self, controls):
        self.set.append(controls)

    def capture_metadata(self):
        self.n_pictures += 1
        state = self.ends_in if self.n_pictures > 3 else 1
        return {"AfState": state, "LensPosition": self.n_pictures / 2}


class FailingPicamera2(FocusingPicamera2):
    """A lens that finds nothing to focus on and says so."""

    ends_in = 3


@pytest.mark.parametrize(
    ("module", "wanted", "held"),
    [(FocusingPicamera2, None, 2.0), (FocusingPicamera2, 1.25, 1.25), (FailingPicamera2, None, 2.0)],
)
def test_a_lens_is_focused_once_and_held_or_held_where_the_settings_say(monkeypatch, module, wanted, held):
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=module))
    source = PicameraSource(lens_dioptres=wanted)
    source.lock_exposure()
    focusing = [{"AfMode": 1, "AfTrigger": 0}] if wanted is None else []
    assert source._camera.set[:-1] == [*focusing, {"AfMode": 0, "LensPosition": held}]
    assert source.lens_dioptres == held
