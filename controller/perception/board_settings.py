"""The table [board] of settings and recordings: where the board lies, and how the game lies on it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller.options import OptionTable
from controller.perception.orientation import HOME_CORNERS, Orientation
from controller.rules import Player
from sentences import say
from vision.geometry import BoardGeometry, Corners, Image
from vision.locate.board_finder import corners_in_order

FIELD_MM = (50.0, 3000.0)
"""Least and greatest length of a field's side, in mm. Guesses: a pocket board, and a table."""
LEAST_CHECKER_MM, MOST_CHECKER_SHARE = 5.0, 0.1
"""Least diameter of a checker, in mm, and its greatest over the field's width. Guesses: a pocket board, and a
little more than a twelfth, as twelve lie side by side."""
MOST_PX = 20_000.0
"""Largest coordinate of a corner, in pixels and either direction: more than any camera has. Guess."""
DEFAULT_BAR = (0.46, 0.54)
"""Edges of the bar as fractions of the field's width, where the settings give none. Guess."""


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Where the board lies in the picture, and its orientation.

    corners_px: None when the board must be looked for. bar: its left and right edge as fractions of the
    field's width. home_known: whether `orientation` says where White's home is. Otherwise the start position
    shows it.
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
        return (self.orientation,) if self.home_known else self.orientation.with_each_home

    def geometry_in(self, image_bgr: Image) -> BoardGeometry | None:
        """The field in a picture. Its corners are put into the order that the picture shows.

        None when it must be looked for. Raises GeometryError when the corners do not fit in the picture.
        """
        height, width = image_bgr.shape[:2]
        if self.corners_px is None:
            return None
        ordered = replace(self, corners_px=corners_in_order(image_bgr, self.corners_px))
        return ordered.geometry((width, height))

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


def parse_board_settings(table: Mapping[str, Any], file: str) -> BoardSettings:
    """The table [board] of `file`. Raises OptionError that names the option that is wrong."""
    options = OptionTable("board", table, file)
    left, right = options.pair("bar", least=0, most=1) or DEFAULT_BAR
    field_mm = options.pair("field_mm", least=FIELD_MM[0], most=FIELD_MM[1])
    most_mm = MOST_CHECKER_SHARE * field_mm[0] if field_mm else FIELD_MM[1]
    if left > right:
        raise options.wrong("bar", say("must_be_bar"))
    light = options.one_of("light", [player.value for player in Player])
    home = options.one_of("white_home", HOME_CORNERS)
    return BoardSettings(
        corners_px=_parse_corners(options),
        bar=(left, right),
        orientation=Orientation(white_home=home or HOME_CORNERS[0], light=Player(light or "white")),
        home_known=home is not None,
        checker_mm=options.number("checker_mm", least=LEAST_CHECKER_MM, most=most_mm),
        field_mm=field_mm,
    )


def _parse_corners(options: OptionTable) -> Corners | None:
    """The four corners of the field in the picture, if they are given."""
    if "corners_px" not in options.data:
        return None
    given = options.data["corners_px"]
    if not (
        isinstance(given, list)
        and len(given) == 4
        and all(isinstance(corner, list) and len(corner) == 2 for corner in given)
    ):
        raise options.wrong("corners_px", say("must_be_corners"))
    px = [options.numbers_in("corners_px", corner, -MOST_PX, MOST_PX) for corner in given]
    one, two, three, four = ((x, y) for x, y in px)
    return one, two, three, four
