"""What a kind of board may look like."""

from dataclasses import dataclass

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Family:
    """What a kind of board may look like: each part is drawn from these by chance.

    grounds: materials of the field. field, points, checkers: tones. shapes, fills: of the points. looks: of
    the checkers. frames, bars: see `board.py`. ornaments: see `ornaments.py`. gloss: least and most shine.
    """

    name: str
    grounds: tuple[str, ...]
    field: tuple[str, ...]
    points: tuple[Pair, ...]
    shapes: tuple[str, ...] = ("triangle",)
    fills: tuple[str, ...] = ("solid",)
    checkers: tuple[Pair, ...]
    looks: tuple[str, ...] = ("plain", "ringed", "dished")
    frames: tuple[str, ...] = ("wood",)
    frame_tones: tuple[str, ...] = ("wood_light", "wood_mid", "wood_dark", "wood_red")
    bars: tuple[str, ...] = ("raised", "flat")
    ornaments: tuple[str, ...] = ("none",)
    tables: tuple[str, ...] = ("wood", "cloth", "plain", "chequered", "patterned")
    gloss: tuple[float, float] = (0.0, 0.6)
