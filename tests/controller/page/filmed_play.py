"""`blotlight play` whose camera gives the pictures of a folder, so many a second, again and again:
`python -m tests.controller.page.filmed_play FOLDER FPS [OPTION ...]`.
"""

import sys
import time
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np

from controller.cli.main import main
from controller.service import devices


class FilmedCamera:
    """A PictureSource. folder: of pictures in the order of their names. fps: how many a second."""

    def __init__(self, folder, fps):
        self._paths, self._pause_s = cycle(sorted(Path(folder).iterdir())), 1 / fps

    def grab(self):
        time.sleep(self._pause_s)
        return np.asarray(cv2.imread(str(next(self._paths))), np.uint8)

    def lock_exposure(self):
        pass

    def close(self):
        pass


if __name__ == "__main__":
    folder, fps, *arguments = sys.argv[1:]
    devices.open_camera = lambda *_: FilmedCamera(folder, float(fps))
    sys.exit(main(["play", *arguments]))
