"""Stands in for picamera2 on a machine without a camera: grey pictures."""

from picamera2 import _frames


class Picamera2:
    """The calls that Blotlight makes."""

    camera_controls = ()

    @staticmethod
    def global_camera_info():
        return [{"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}]

    def create_video_configuration(self, main):
        return main

    def configure(self, configuration):
        self._size = configuration["size"]

    def start(self):
        pass

    def capture_array(self, name, wait):
        return _frames.grey(*self._size)

    def wait(self, job, timeout):
        return job

    def capture_metadata(self):
        return {}

    def set_controls(self, controls):
        pass

    def stop(self):
        pass

    def close(self):
        pass
