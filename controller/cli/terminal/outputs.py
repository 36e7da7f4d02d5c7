"""Files that a command is going to write: checked before its work begins, written all at once."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path

import cv2

from controller.errors import InputError, WorkError, os_error_sentence
from hardware.camera import is_name_for_opencv
from sentences import say

GREY_PICTURES = (".pbm", ".pgm")
"""Endings of pictures without colours."""


def check_outputs(paths: Iterable[Path | None]) -> None:
    """Raise InputError for the first path that cannot be written. Existing files stay as they are."""
    for path in paths:
        if path is None:
            continue
        is_new = not path.exists()
        try:
            with path.open("ab"):
                pass
        except OSError as error:
            raise InputError(_why_unwritable(path, error)) from None
        if is_new:
            path.unlink()


def write_output(path: Path, text: str) -> None:
    """Write the file whole, or leave the old one. Raises WorkError when the disk refuses it.

    Links and devices are written in place, so that an error may leave part of the text there.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    is_plain = not path.exists() or path.is_file()
    try:
        if is_plain and not path.is_symlink():
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
        else:
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise WorkError(_why_unwritable(path, error)) from None


def check_picture_output(path: Path | None) -> None:
    """Raise InputError when no picture can be written there, or none of the kind that its ending names."""
    if path is None:
        return
    check_name_of_pictures(path)
    try:
        is_known = cv2.haveImageWriter(path.name)
    except cv2.error:
        is_known = False
    if not is_known or path.suffix.lower() in GREY_PICTURES:
        raise InputError(say("unknown_picture_kind", path=path))
    check_outputs([path])


def check_name_of_pictures(path: Path) -> None:
    """Raise InputError when OpenCV can write no picture at a path, for its name is not UTF-8."""
    if not is_name_for_opencv(path):
        raise InputError(say("name_not_utf8", path=path))


def _why_unwritable(path: Path, error: OSError) -> str:
    """Why an output cannot be written, as a sentence."""
    if error.errno == errno.ENOENT:
        return say("output_folder_missing", path=path, folder=path.parent)
    return os_error_sentence(OSError(error.errno, error.strerror, str(path)))
