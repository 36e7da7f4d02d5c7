"""The errors of devices. Each message is one sentence that says what to do next.

HardwareError
├── DicePortNotFound     no serial port to try, or several and none named
├── LightsUnavailable    no GPIO library here, no Pi, or pins that cannot be used
├── CameraUnavailable    a camera, film or folder of frames that cannot be opened
│   └── PicameraBroken   picamera2 is installed and does not load
├── FilmCutShort         a film whose file ends before its index, so that none of it can be read
└── PictureUnreadable    a file that is not a picture, or only part of one
"""

import errno

from sentences import say


class HardwareError(Exception):
    """A device is missing or unusable."""


class DicePortNotFound(HardwareError):
    """No serial port to try for the dice sensor, or several and none was named."""


class LightsUnavailable(HardwareError):
    """The LEDs cannot be driven from this machine."""


class CameraUnavailable(HardwareError):
    """A camera, a film or a folder of frames cannot be opened."""


class PicameraBroken(CameraUnavailable):
    """The library picamera2 is installed and does not load."""


class FilmCutShort(HardwareError):
    """A film's file ends before its index: none of its pictures can be read."""


class PictureUnreadable(HardwareError):
    """A file holds no picture, or only part of one."""


def disk_remedy(error: OSError) -> str:
    """What people are to do when a disk could not be written, as part of a sentence."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return say("remedy_room")
        case errno.EROFS:
            return say("remedy_read_only")
        case errno.EACCES | errno.EPERM:
            return say("remedy_rights")
        case _:
            return say("remedy_disk")
