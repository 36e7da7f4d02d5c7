"""Checks that the board lies where the settings say and appears large enough to be read."""

import numpy as np

from controller.perception.board_settings import BoardSettings
from hardware.camera import Image
from hardware.device_checks import CheckStatus, Finding
from hardware.plans.camera_stand import ENOUGH_PX
from sentences import begun, say
from vision.board_reading import N_POINTS
from vision.geometry import BoardGeometry, GeometryError
from vision.locate.board_finder import BoardNotFound, find_board, has_points

PART = "geometry"
PER_STACK = 5
"""Checker positions that are measured on each point, from its base inwards."""


def check_board(image_bgr: Image, board: BoardSettings | None) -> Finding:
    """Check the board in a picture (h, w, 3), with or without checkers on it.

    board: the settings that say where it lies. Without them, or without corners, the board is looked for.
    """
    try:
        geometry = board.geometry_in(image_bgr) if board else None
    except GeometryError as problem:
        return _wrong(say("board_cannot_lie", problem=problem, remedy=_remedy(image_bgr)))
    if geometry is None:
        return _check_found_board(image_bgr)
    if not has_points(image_bgr, geometry):
        return _wrong(say("no_points_at_corners", remedy=_remedy(image_bgr)))
    if board and geometry.corners_px != board.corners_px:
        return _large_enough(geometry, say("corners_in_other_order", corners=corners_text(geometry)))
    return _large_enough(geometry, say("points_are_right"))


def _check_found_board(image_bgr: Image) -> Finding:
    try:
        geometry = find_board(image_bgr).geometry
    except BoardNotFound as problem:
        return _wrong(begun(say("only_problem", problem=problem)))
    return _large_enough(geometry, say("board_lies_at", corners=corners_text(geometry)))


def _remedy(image_bgr: Image) -> str:
    """How to correct wrong corners, as text."""
    try:
        return say("correct_to_seen", corners=corners_text(find_board(image_bgr).geometry))
    except BoardNotFound:
        return say("correct_corners")


def _large_enough(geometry: BoardGeometry, words: str) -> Finding:
    least = least_checker_px(geometry)
    size = say("smallest_checker", least_px=least)
    if least < ENOUGH_PX:
        return _wrong(say("checkers_too_small", found=words, size=size, needed_px=ENOUGH_PX))
    return Finding(
        part=PART, state=CheckStatus.OK, words=say("checkers_large_enough", found=words, size=size)
    )


def least_checker_px(geometry: BoardGeometry) -> float:
    """The smallest diameter in pixels that a checker has anywhere on the board, in either direction."""
    places = np.array([geometry.checker_xy(p, i) for p in range(N_POINTS) for i in range(PER_STACK)])
    half = geometry.diameter / 2
    across = [
        np.linalg.norm(geometry.to_px(places + step) - geometry.to_px(places - step), axis=1)
        for step in (np.array([half, 0.0]), np.array([0.0, half / geometry.height]))
    ]
    return float(np.stack(across).min())


def corners_text(geometry: BoardGeometry) -> str:
    """Corners and bar as text for the settings."""
    corners = ", ".join(f"[{x:.0f}, {y:.0f}]" for x, y in geometry.corners_px)
    left, right = geometry.bar
    return f"corners_px = [{corners}], bar = [{left:.3f}, {right:.3f}]"


def _wrong(words: str) -> Finding:
    return Finding(part=PART, state=CheckStatus.WRONG, words=words)
