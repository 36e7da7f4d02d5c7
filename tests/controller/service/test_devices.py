"""The devices of a real board, as the settings open them."""

import sys
import types
from contextlib import ExitStack

from controller.service.clock import Clock
from controller.service.devices import CAMERA_GONE_MS, DeviceWatch, real_devices
from controller.service.settings import parse_settings
from tests.durability.evening import Silence
from tests.hardware.hand_clock import wait_until
from tests.hardware.test_live_camera import FocusingPicamera2


class StallingPicamera2(FocusingPicamera2):
    """It gives pictures until its lens is held, and then none until it is opened anew."""

    opened: list = []  # noqa: RUF012 - every module that was opened

    def __init__(self) -> None:
        super().__init__()
        self.opened.append(self)

    def set_controls(self, controls):
        super().set_controls(controls)
        self.stalled = "AeEnable" in controls and len(self.opened) == 1


def test_a_camera_that_is_opened_anew_does_not_focus_anew(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=StallingPicamera2))
    settings = parse_settings(
        {"camera": {"device": "picamera"}, "lights": {"strip": False}}, tmp_path / "a.toml", tmp_path
    )
    with ExitStack() as cleaning:
        devices = real_devices(settings, Clock(), Silence(), None, None, cleaning)
        assert devices.lens_dioptres() is None
        wait_until(lambda: len(StallingPicamera2.opened) == 2 and StallingPicamera2.opened[1].set, 60)
        assert devices.lens_dioptres() == 2.0
    first, second = StallingPicamera2.opened
    assert {"AfMode": 1, "AfTrigger": 0} in first.set
    assert second.set[0] == {"AfMode": 0, "LensPosition": 2.0}


def test_a_device_is_back_only_after_it_was_there_and_gone():
    watch = DeviceWatch(0, has_lights=False, expects_lights=False)
    assert [watch.note_dice(is_here, 0) for is_here in (True, False, True)] == [False, False, True]


def test_a_camera_is_gone_since_its_last_picture():
    watch = DeviceWatch(0, has_lights=False, expects_lights=False)
    watch.note_frame(500)
    for later_ms, is_here in ((CAMERA_GONE_MS, True), (CAMERA_GONE_MS + 1, False)):
        camera, *_ = watch.states(500 + later_ms)
        assert (camera.is_here, camera.since_ms) == (is_here, 500)
