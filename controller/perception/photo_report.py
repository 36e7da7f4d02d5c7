"""Reads one photograph, without a calibration."""

from dataclasses import replace
from pathlib import Path

import cv2

from controller.errors import InputError, WorkError
from controller.perception.board_report import BoardReport
from controller.perception.orientation import Orientation
from controller.rules import Player
from hardware.camera import load_photograph
from hardware.device_errors import PictureUnreadable
from sentences import begun, say
from vision.geometry import BoardGeometry, Corners, GeometryError, Image, corner_problem
from vision.locate.board_finder import BoardNotFound, corners_in_order, find_board
from vision.overlay import draw_overlay
from vision.photo.photo_reader import read_photo

USUAL_BAR = (0.47, 0.53)
"""Edges of the bar as fractions of the field's width, where none are given. Guess."""


def read_picture_file(
    path: Path,
    corners_px: Corners | None = None,
    bar: tuple[float, float] | None = None,
    *,
    orientation: Orientation | None = None,
    on_roll: Player = Player.WHITE,
    overlay: Path | None = None,
) -> BoardReport:
    """Read the picture in a file. Without corners the board is looked for.

    corners_px: in pixels of the file's picture. bar: its edges, also where the board is looked for. overlay:
    the file to write, the picture with the reading drawn on it, smaller when the photograph is large.
    Raises InputError for a file that is no picture, or when corners or bar cannot be right, and WorkError
    when the overlay cannot be written.
    """
    try:
        image_bgr, shrink = load_photograph(path)
    except PictureUnreadable as error:
        raise InputError(f"{error}") from None
    try:
        if corners_px and (problem := corner_problem(corners_px, _size_in_file(image_bgr, shrink))):
            raise GeometryError(problem)
        geometry, not_found = _geometry(image_bgr, _shrunk(corners_px, shrink), bar)
    except GeometryError as error:
        raise InputError(say("field_given_wrong", problem=begun(str(error)))) from None
    bar_known = corners_px is None or bar is not None
    reading = read_photo(image_bgr, geometry, bar_known=bar_known, not_found=not_found)
    if overlay:
        drawn = draw_overlay(image_bgr, geometry, reading) if geometry else image_bgr
        if not cv2.imwrite(str(overlay), drawn):
            raise WorkError(say("picture_unwritable", path=overlay))
    return BoardReport(reading, orientation or Orientation(), on_roll)


def _size_in_file(image_bgr: Image, shrink: int) -> tuple[int, int]:
    height, width = image_bgr.shape[:2]
    return width * shrink, height * shrink


def _shrunk(corners_px: Corners | None, shrink: int) -> Corners | None:
    if corners_px is None:
        return None
    one, two, three, four = ((x / shrink, y / shrink) for x, y in corners_px)
    return one, two, three, four


def _geometry(
    image_bgr: Image, corners_px: Corners | None, bar: tuple[float, float] | None
) -> tuple[BoardGeometry | None, BoardNotFound | None]:
    """Where the board lies: as given, else as found; or why it was not found."""
    if corners_px:
        height, width = image_bgr.shape[:2]
        ordered = corners_in_order(image_bgr, corners_px)
        return BoardGeometry(corners_px=ordered, image_wh=(width, height), bar=bar or USUAL_BAR), None
    try:
        found = find_board(image_bgr, surely=True).geometry
    except BoardNotFound as problem:
        return None, problem
    return replace(found, bar=bar or found.bar), None
