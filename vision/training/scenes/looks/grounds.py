"""The materials of fields, tables and frames by their names."""

from collections.abc import Callable

import numpy as np

from vision.training.scenes.looks import kept_materials, materials
from vision.training.scenes.looks.paint import Image
from vision.training.scenes.looks.tones import Rgb

GROUNDS: dict[str, Callable[[np.random.Generator, Rgb, tuple[int, int]], Image]] = {
    "plain": materials.plain,
    "wood": materials.wood,
    "burl": materials.burl,
    "bamboo": materials.bamboo,
    "felt": materials.fibres(0.10, 220),
    "suede": materials.fibres(0.06, 60),
    "carpet": materials.carpet,
    "leather": materials.leather,
    "crocodile": materials.crocodile,
    "cork": materials.cork,
    "marble": materials.marble,
    "stone": materials.marble,
    "slate": materials.slate,
    "terrazzo": materials.terrazzo,
    "mosaic": materials.mosaic,
    "marquetry": materials.marquetry,
    "print": materials.printed,
    "card": materials.printed,
    "canvas": materials.canvas,
    "vinyl": materials.fibres(0.02, 120),
    "plastic": materials.plain,
    "acrylic": materials.plain,
    "case": materials.leather,
    "painted": materials.fibres(0.06, 25),
    "cloth": materials.fibres(0.07, 200),
    "chequered": materials.chequered,
    "patterned": materials.patterned,
    "grass": materials.grass,
    "denim": materials.denim,
    "chalkboard": materials.chalkboard,
    "zellige": materials.zellige,
    "brushed": materials.brushed,
    "camouflage": materials.camouflage,
    "cardboard": materials.cardboard,
    "rattan": materials.rattan,
    "stained_glass": materials.stained_glass,
    "kilim": kept_materials.kilim,
    "snakeskin": kept_materials.snakeskin,
    "parquet": kept_materials.parquet,
    "newspaper": kept_materials.newspaper,
    "concrete": kept_materials.concrete,
    "river_resin": kept_materials.river_resin,
    "granite": kept_materials.granite,
    "old_map": kept_materials.old_map,
    "tatami": kept_materials.tatami,
    "knitted": kept_materials.knitted,
    "tartan": kept_materials.tartan,
    "agate": kept_materials.agate,
    "galaxy": kept_materials.galaxy,
    "hammered": kept_materials.hammered,
}
