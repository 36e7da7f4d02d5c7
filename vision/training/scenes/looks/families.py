"""The kinds of boards: a table of families, each wide in itself, and `chance`, which mixes them all.

Sessions of a held-out family are for testing only. `chance` mixes what the other families have, so that a
material that only held-out families use is never seen in training.
"""

from dataclasses import fields
from typing import Any

from vision.training.scenes.looks.family import Family
from vision.training.scenes.looks.held_out import KEPT

BLACK_WHITE, CREAM_BROWN = ("white", "black"), ("cream", "brown")
WOODS = ("wood_light", "wood_mid", "wood_dark", "wood_red")
WOOD_PAIRS = (("wood_light", "wood_dark"), ("wood_light", "wood_red"), ("wood_mid", "wood_dark"))

TAUGHT_FAMILIES: tuple[Family, ...] = (
    Family(
        name="felt_club",
        grounds=("felt",),
        field=("green", "dark_green", "navy", "crimson", "grey", "brown", "tan"),
        points=(
            ("cream", "red"),
            ("white", "crimson"),
            ("yellow", "black"),
            ("cream", "navy"),
            ("tan", "brown"),
        ),
        checkers=(BLACK_WHITE, CREAM_BROWN, ("ivory", "crimson"), ("white", "navy"), ("yellow", "green")),
    ),
    Family(
        name="leather_travel",
        grounds=("leather",),
        field=("black", "brown", "tan", "crimson", "navy", "cream"),
        points=(
            ("cream", "crimson"),
            ("tan", "brown"),
            ("white", "grey"),
            ("mustard", "navy"),
            ("black", "red"),
        ),
        fills=("solid", "stitched"),
        checkers=(BLACK_WHITE, ("ivory", "brown"), ("white", "blue"), ("red", "black")),
        frames=("leather", "case"),
        frame_tones=("black", "brown", "tan", "crimson", "navy"),
        bars=("flat", "raised", "hinge"),
    ),
    Family(
        name="cork",
        grounds=("cork",),
        field=("tan", "wood_light", "wood_mid"),
        points=(("red", "blue"), ("black", "cream"), ("crimson", "dark_green"), ("brown", "mustard")),
        shapes=("triangle", "slim"),
        checkers=(("white", "red"), BLACK_WHITE, CREAM_BROWN, ("cream", "navy")),
    ),
    Family(
        name="walnut",
        grounds=("wood",),
        field=("wood_dark", "wood_mid", "wood_red"),
        points=WOOD_PAIRS,
        fills=("solid", "inlay"),
        checkers=(("ivory", "black"), ("wood_light", "wood_dark"), ("cream", "crimson"), BLACK_WHITE),
        looks=("plain", "ringed", "dished", "wooden"),
        ornaments=("none", "diamond", "medallion"),
        gloss=(0.1, 0.9),
    ),
    Family(
        name="pale_wood",
        grounds=("wood",),
        field=("wood_light", "cream"),
        points=(*WOOD_PAIRS, ("wood_light", "black"), ("orange", "brown")),
        fills=("solid", "outline", "inlay"),
        checkers=(("wood_light", "wood_dark"), BLACK_WHITE, ("cream", "wood_mid"), ("white", "wood_red")),
        looks=("plain", "ringed", "wooden", "domed"),
        bars=("hinge", "raised", "flat"),
        ornaments=("none", "diamond", "medallion", "arrows"),
    ),
    Family(
        name="turkish_mosaic",
        grounds=("mosaic", "marquetry"),
        field=("wood_mid", "wood_dark", "wood_light", "cream", "mustard"),
        points=(
            ("cream", "wood_dark"),
            ("wood_light", "black"),
            ("ivory", "crimson"),
            ("wood_light", "wood_red"),
        ),
        shapes=("rounded", "column", "arch", "spear"),
        fills=("inlay", "solid", "pattern"),
        checkers=(("wood_light", "wood_dark"), ("ivory", "black"), ("cream", "wood_red")),
        looks=("wooden", "ringed", "ridged", "pearl"),
        bars=("hinge", "raised"),
        ornaments=("medallion", "rosette", "border", "star"),
        gloss=(0.3, 1.0),
    ),
    Family(
        name="tournament_grey",
        grounds=("vinyl", "felt", "leather"),
        field=("grey", "slate", "black"),
        points=(("crimson", "black"), ("white", "slate"), ("grey", "red"), ("white", "blue")),
        checkers=(("white", "blue"), BLACK_WHITE, ("cream", "red"), ("yellow", "navy")),
        looks=("plain", "dished", "ringed", "marbled"),
        frames=("case", "leather"),
        frame_tones=("black", "slate", "grey"),
        ornaments=("none", "lettering"),
    ),
    Family(
        name="childrens_print",
        grounds=("print",),
        field=("yellow", "sky", "lime", "pastel", "white", "orange"),
        points=(("red", "black"), ("vivid", "vivid"), ("blue", "yellow"), ("green", "red")),
        shapes=("triangle", "rounded", "column", "spear"),
        fills=("solid", "gradient", "dotted"),
        checkers=(("red", "black"), ("vivid", "vivid"), ("yellow", "green"), ("white", "red")),
        looks=("ridged", "plain", "emblem", "ringed"),
        frames=("none", "card"),
        frame_tones=("vivid", "white", "pastel"),
        bars=("none", "printed"),
        ornaments=("lettering", "star", "arrows", "border", "none", "blobs"),
        tables=("chequered", "patterned", "cloth", "grass", "wood"),
        gloss=(0.0, 0.7),
    ),
    Family(
        name="burnt_lines",
        grounds=("wood", "bamboo"),
        field=("wood_light", "wood_mid", "tan"),
        points=(("wood_dark", "wood_light"), ("wood_mid", "wood_mid"), ("tan", "brown")),
        shapes=("triangle", "slim", "arch"),
        fills=("outline", "hatched"),
        checkers=(("wood_light", "wood_dark"), ("white", "brown"), ("cream", "black")),
        looks=("wooden", "plain", "emblem"),
        ornaments=("none", "rosette", "medallion"),
    ),
    Family(
        name="red_print_on_wood",
        grounds=("wood",),
        field=("wood_light", "wood_mid", "orange"),
        points=(("red", "crimson"), ("red", "red"), ("crimson", "black"), ("red", "wood_dark")),
        shapes=("triangle", "spear", "column", "ogee"),
        fills=("pattern", "outline", "solid", "arrowed"),
        checkers=(BLACK_WHITE, ("white", "red"), ("cream", "brown")),
        looks=("plain", "ringed", "ridged"),
        bars=("hinge", "raised"),
        ornaments=("medallion", "rosette", "arrows", "border"),
    ),
    Family(
        name="magnetic_plastic",
        grounds=("plastic",),
        field=("green", "black", "cream", "blue", "brown", "white"),
        points=(("white", "black"), ("red", "white"), ("tan", "brown"), ("yellow", "red")),
        checkers=(BLACK_WHITE, ("white", "red"), ("yellow", "black"), ("cream", "brown")),
        looks=("ridged", "plain", "dished"),
        frames=("plastic",),
        frame_tones=("black", "brown", "white", "grey", "blue", "green"),
        bars=("flat", "groove", "hinge"),
        gloss=(0.2, 0.9),
    ),
    Family(
        name="painted_folk",
        grounds=("painted", "wood"),
        field=("teal", "crimson", "mustard", "cream", "brown", "blue"),
        points=(("vivid", "vivid"), ("cream", "crimson"), ("mustard", "teal"), ("white", "blue")),
        shapes=("triangle", "ogee", "wavy", "spear", "diamonds"),
        fills=("solid", "dotted", "inlay", "pattern"),
        checkers=(("cream", "crimson"), ("white", "blue"), ("mustard", "black"), BLACK_WHITE),
        looks=("plain", "emblem", "ringed", "domed"),
        ornaments=("rosette", "star", "border", "medallion", "blobs"),
    ),
    Family(
        name="vinyl_rollup",
        grounds=("vinyl",),
        field=("black", "navy", "green", "crimson", "grey", "white", "tan"),
        points=(("red", "white"), ("grey", "white"), ("blue", "white"), ("tan", "cream"), ("orange", "grey")),
        shapes=("triangle", "slim", "wide"),
        checkers=(BLACK_WHITE, ("white", "red"), ("cream", "blue"), ("orange", "black")),
        looks=("plain", "dished", "marbled"),
        frames=("none", "card"),
        frame_tones=("black", "grey", "white"),
        bars=("printed", "none"),
        ornaments=("none", "lettering", "border"),
        gloss=(0.0, 0.5),
    ),
    Family(
        name="rosewood_pearl",
        grounds=("wood", "burl"),
        field=("wood_red", "wood_dark"),
        points=(("white", "wood_dark"), ("cream", "wood_mid"), ("ivory", "grey")),
        shapes=("triangle", "slim", "spear"),
        fills=("inlay", "pearl", "pattern"),
        checkers=(("white", "wood_red"), ("ivory", "black"), ("cream", "wood_dark")),
        looks=("pearl", "ringed", "wooden", "emblem"),
        ornaments=("border", "rosette", "star", "diamond"),
        gloss=(0.3, 1.0),
    ),
    Family(
        name="suede_sand",
        grounds=("suede", "felt"),
        field=("tan", "mustard", "cream", "grey"),
        points=(("cream", "purple"), ("cream", "tan"), ("white", "ivory"), ("brown", "tan")),
        shapes=("triangle", "slim"),
        checkers=(("cream", "crimson"), ("ivory", "brown"), ("white", "cream"), ("cream", "tan")),
        looks=("marbled", "plain", "dished", "ringed"),
        frames=("leather", "case", "wood"),
        frame_tones=("tan", "brown", "wood_light"),
    ),
    Family(
        name="cream_on_cream",
        grounds=("vinyl", "leather", "felt", "wood"),
        field=("white", "cream", "ivory", "tan"),
        points=(("cream", "white"), ("ivory", "tan"), ("cream", "brown"), ("white", "grey")),
        checkers=(
            ("cream", "ivory"),
            ("white", "tan"),
            ("cream", "brown"),
            ("cream", "crimson"),
            ("white", "grey"),
        ),
        frames=("wood", "leather", "case"),
        frame_tones=("wood_light", "cream", "white", "crimson", "tan"),
    ),
    Family(
        name="dark_on_dark",
        grounds=("vinyl", "leather", "felt", "wood"),
        field=("black", "slate", "navy", "wood_dark"),
        points=(("black", "slate"), ("wood_dark", "brown"), ("navy", "grey"), ("crimson", "black")),
        checkers=(
            ("brown", "black"),
            ("slate", "black"),
            ("white", "black"),
            ("navy", "grey"),
            ("crimson", "brown"),
        ),
        frame_tones=("black", "wood_dark", "slate"),
    ),
    Family(
        name="black_white_modern",
        grounds=("plastic", "painted", "vinyl"),
        field=("white", "black", "grey"),
        points=(("black", "white"), ("grey", "black"), ("white", "grey"), ("yellow", "black")),
        shapes=("slim", "wide", "rounded", "stepped"),
        fills=("solid", "outline", "striped"),
        checkers=(BLACK_WHITE, ("yellow", "grey"), ("white", "red"), ("orange", "black")),
        looks=("plain", "domed", "translucent"),
        frames=("plastic", "none", "wood"),
        frame_tones=("white", "black", "grey"),
        bars=("flat", "raised", "groove"),
        gloss=(0.2, 1.0),
    ),
    Family(
        name="canvas_print",
        grounds=("canvas", "print"),
        field=("cream", "tan", "sky", "pastel", "grey"),
        points=(("navy", "red"), ("dull", "dull"), ("brown", "mustard"), ("teal", "orange")),
        shapes=("triangle", "wavy", "arch", "wide"),
        fills=("solid", "striped", "hatched", "gradient"),
        checkers=(("wood_light", "wood_dark"), ("dull", "dull"), ("white", "navy"), ("mustard", "teal")),
        looks=("plain", "wooden", "emblem"),
        frames=("none", "wood", "card"),
        bars=("printed", "none", "raised"),
        ornaments=("lettering", "border", "none", "diamond"),
        gloss=(0.0, 0.3),
    ),
)
FAMILIES = (*TAUGHT_FAMILIES, *KEPT)


def _mixed() -> Family:
    """The family that takes each part from any family that is trained on."""
    taught = TAUGHT_FAMILIES
    parts: dict[str, Any] = {
        part.name: tuple(dict.fromkeys(value for family in taught for value in getattr(family, part.name)))
        for part in fields(Family)
        if part.name
        not in ("name", "held_out", "gloss", "tables", "field", "points", "checkers", "frame_tones")
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
BY_NAME = {family.name: family for family in (*FAMILIES, CHANCE)}
TAUGHT = tuple(family.name for family in FAMILIES if not family.held_out)
HELD_OUT = tuple(family.name for family in FAMILIES if family.held_out)
