"""The kinds of boards: a table of varied families, and `chance`, which mixes those that are trained on.

Sessions of a held-out family are for testing only. `chance` takes nothing from them, so that a material that
only held-out families use is never seen in training.
"""

from dataclasses import fields
from typing import Any

from vision.training.scenes.looks.common import COMMON_FAMILIES
from vision.training.scenes.looks.family import Family
from vision.training.scenes.looks.held_out import HELD_OUT_FAMILIES
from vision.training.scenes.looks.held_out_later import LATER_HELD_OUT_FAMILIES
from vision.training.scenes.looks.uncommon import UNCOMMON_FAMILIES

WOODS = ("wood_light", "wood_mid", "wood_dark", "wood_red")
TAUGHT_FAMILIES = (*COMMON_FAMILIES, *UNCOMMON_FAMILIES)
FAMILIES = (*TAUGHT_FAMILIES, *HELD_OUT_FAMILIES)
"""The families that are drawn by number. Later ones are drawn by name only: numbers keep their families."""


def _mixed() -> Family:
    """The family that takes each part from any family that is trained on."""
    taught = TAUGHT_FAMILIES
    parts: dict[str, Any] = {
        part.name: tuple(dict.fromkeys(value for family in taught for value in getattr(family, part.name)))
        for part in fields(Family)
        if part.name not in ("name", "gloss", "tables", "field", "points", "checkers", "frame_tones")
    }
    loose = ("any", "any", "vivid", "dull", "pastel")
    tones = tuple(dict.fromkeys(value for family in taught for value in family.field)) + loose
    pairs = {
        part: tuple(dict.fromkeys(value for family in taught for value in getattr(family, part)))
        for part in ("points", "checkers")
    }
    free = tuple((one, other) for one in loose for other in loose)
    return Family(
        name="chance",
        field=tones,
        points=pairs["points"] + free,
        checkers=pairs["checkers"] + free,
        frame_tones=tones + WOODS * 3,
        tables=("wood",) * 4 + ("cloth", "plain") * 2 + ("chequered", "patterned", "grass"),
        gloss=(0.0, 1.0),
        **parts,
    )


CHANCE = _mixed()
BY_NAME = {family.name: family for family in (*FAMILIES, *LATER_HELD_OUT_FAMILIES, CHANCE)}
TAUGHT = tuple(family.name for family in TAUGHT_FAMILIES)
HELD_OUT = tuple(family.name for family in HELD_OUT_FAMILIES)
HELD_OUT_LATER = tuple(family.name for family in LATER_HELD_OUT_FAMILIES)
