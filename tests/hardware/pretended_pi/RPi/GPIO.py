"""RPi.GPIO for a program in another process: every call to output goes into the file $GPIO_LOG."""

import os

BCM, OUT = 11, 0
VERSION = "pretended"
_log = open(os.environ["GPIO_LOG"], "w", buffering=1)  # noqa: SIM115


def setwarnings(flag):
    pass


def setmode(mode):
    pass


def setup(channel, direction, *, initial):
    pass


def output(channel, value):
    _log.write(f"{channel} {value}\n")


def cleanup(channel):
    _log.write("released\n")
