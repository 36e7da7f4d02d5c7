"""The table [board] of settings and recordings: where the board lies, and how the game lies on it."""

from dataclasses import dataclass, replace
from typing import Any

from controller.errors import InputError
from controller.perception.orientation import HOME_CORNERS, Orientation
from controller.rules import Player
from vision.geometry import BoardGeometry, Corners

DEFAULT_BAR = (0.46, 0.54)
"""Edges of the bar as fractions of the field's width, where the settings give none. Guess."""


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Where the board lies in the picture, and its orientation.

    corners_px: None when the board must be looked for. bar: its left and right edge as fractions of the
    field's width. home_known: whether `orientation` says where White's home is; else the start position does.
    """

    corners_px: Corners | None
    bar: tuple[float, float]
    orientation: Orientation
    checker_mm: float | None = None
    field_mm: tuple[float, float] | None = None
    home_known: bool = True

    @property
    def orientations(self) -> tuple[Orientation, ...]:
        """Every orientation that is possible."""
        if self.home_known:
            return (self.orientation,)
        return tuple(replace(self.orientation, white_home=corner) for corner in HOME_CORNERS)

    def geometry(self, image_wh: tuple[int, int]) -> BoardGeometry | None:
        """The field in a picture of this size; None when it must be looked for.

        Raises GeometryError when the corners do not fit in the picture.
        """
        if self.corners_px is None:
            return None
        width_mm, height_mm = self.field_mm or (None, None)
        return BoardGeometry(
            corners_px=self.corners_px,
            image_wh=image_wh,
            bar=self.bar,
            checker=self.checker_mm / width_mm if self.checker_mm and width_mm else None,
            aspect=width_mm / height_mm if width_mm and height_mm else None,
        )


def parse_board_settings(table: dict[str, Any], file: str) -> BoardSettings:
    """The table [board] of `file`. Raises InputError that names the file when something in it is wrong."""
    try:
        corners = [(float(x), float(y)) for x, y in table["corners_px"]] if "corners_px" in table else None
        if corners is not None and len(corners) != 4:
            raise ValueError("corners_px must be four pairs of pixels")
        left, right = (float(edge) for edge in table.get("bar", DEFAULT_BAR))
        orientation = Orientation(
            white_home=table.get("white_home", HOME_CORNERS[0]), light=Player(table.get("light", "white"))
        )
        field_mm = tuple(float(mm) for mm in table["field_mm"]) if "field_mm" in table else None
        checker_mm = float(table["checker_mm"]) if "checker_mm" in table else None
        if field_mm is not None and len(field_mm) != 2:
            raise ValueError("field_mm must be the field's width and height")
    except (TypeError, ValueError) as error:
        raise InputError(f"[board] in {file} is wrong: {error}; mend it.") from None
    return BoardSettings(
        corners_px=None if corners is None else (corners[0], corners[1], corners[2], corners[3]),
        bar=(left, right),
        orientation=orientation,
        home_known="white_home" in table,
        checker_mm=checker_mm,
        field_mm=None if field_mm is None else (field_mm[0], field_mm[1]),
    )
