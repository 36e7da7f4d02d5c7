"""A board, its checkers and the light on them, by chance, as objects of Blender (the module bpy)."""

import math

import bpy
import numpy as np
from mathutils import Vector

from vision.training.bear_off import SIDES, Board, Spot

Colour = tuple[float, float, float]

THINNEST_MM = 0.15
"""How far painted points stand above the field, so that they are seen."""


def colour_by_chance(rng: np.random.Generator, low: float, high: float, saturation: float) -> Colour:
    """A colour of some lightness (0 to 1 as seen)."""
    value, hue = rng.uniform(low, high), rng.uniform(0, 2 * math.pi)
    tint = saturation * rng.uniform(0, 1) * value * np.cos(hue + np.array([0, 2.1, 4.2]))
    red, green, blue = np.clip(value + tint, 0.01, 0.95) ** 2.2
    return float(red), float(green), float(blue)


def wood_by_chance(rng: np.random.Generator) -> Colour:
    red = rng.uniform(0.08, 0.7) ** 1.5
    green = red * rng.uniform(0.4, 0.7)
    return float(red), float(green), float(green * rng.uniform(0.35, 0.7))


def material(rng: np.random.Generator, kind: str, colour: Colour, gloss: float) -> bpy.types.Material:
    """A procedural material: wood, cork, felt, leather or plain.

    gloss: from 0 (matt) to 1 (lacquered).
    """
    made = bpy.data.materials.new(kind)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.75 - 0.6 * gloss
    shader.inputs["Base Color"].default_value = (*colour, 1)
    if kind == "plain":
        return made
    where, mapping = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    along = rng.random() < 0.7
    stretch = {"wood": (6, 90, 90) if along else (90, 6, 90), "felt": (900,) * 3}.get(kind, (160,) * 3)
    mapping.inputs["Scale"].default_value = np.array(stretch) * rng.uniform(0.7, 1.4)
    mapping.inputs["Location"].default_value = rng.uniform(-5, 5, 3)
    texture = nodes.new("ShaderNodeTexVoronoi" if kind in ("cork", "leather") else "ShaderNodeTexNoise")
    links.new(mapping.outputs["Vector"], texture.inputs["Vector"])
    if kind == "wood":
        texture.inputs["Detail"].default_value, texture.inputs["Distortion"].default_value = 4.0, 0.6
    told = texture.outputs["Color" if kind == "cork" else 0]
    ramp = nodes.new("ShaderNodeValToRGB")
    links.new(told, ramp.inputs["Fac"])
    contrast = {"wood": 0.35, "cork": 0.4, "felt": 0.1, "leather": 0.1}[kind] * rng.uniform(0.4, 1.2)
    for element, share, at in zip(
        ramp.color_ramp.elements, (1 - contrast, 1 + 0.6 * contrast), (0.3, 0.7), strict=True
    ):
        element.color = (*np.clip(np.array(colour) * share, 0, 1), 1)
        element.position = at
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    if kind in ("felt", "leather", "cork"):
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = 0.25, 0.0005
        links.new(told, bump.inputs["Height"])
        links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return made


def profile(rng: np.random.Generator, radius: float, thickness: float) -> list[tuple[float, float]]:
    """(radius, height) in mm of a turned checker from its foot to its middle: bevel, rings, dome or dish."""
    bevel = rng.uniform(0.8, min(2.5, 0.3 * thickness))
    turns = np.linspace(0, math.pi / 2, 5)
    points = [(0.0, 0.0), (radius - bevel, 0.0)]
    points += [(radius - bevel + bevel * math.sin(a), bevel - bevel * math.cos(a)) for a in turns[1:]]
    points += [(radius - bevel + bevel * math.cos(a), thickness - bevel + bevel * math.sin(a)) for a in turns]
    inner = radius - bevel
    for _ in range(int(rng.integers(0, 3))):
        depth, half = rng.uniform(0.25, 0.8), rng.uniform(0.5, 1.2)
        middle = inner - half - rng.uniform(0.8, 4.0)
        if middle - half < 0.35 * radius:
            break
        points += [(middle + half, thickness), (middle + 0.5 * half, thickness - depth)]
        points += [(middle - 0.5 * half, thickness - depth), (middle - half, thickness)]
        inner = middle - half
    height = {"flat": 0.0, "dome": rng.uniform(0.4, 1.4), "dish": -rng.uniform(0.4, 1.6)}[
        str(rng.choice(["flat", "dome", "dish"]))
    ]
    reach = inner * rng.uniform(0.6, 0.95)
    shares = np.linspace(0, 1, 7)
    return points + [(reach * (1 - s), thickness + height * math.sin(s * math.pi / 2)) for s in shares]


def lathe(points: list[tuple[float, float]], turns: int = 72) -> bpy.types.Mesh:
    """The mesh that a profile sweeps round the upright axis."""
    ring = np.linspace(0, 2 * math.pi, turns, endpoint=False)
    vertices = [(r / 1e3 * math.cos(a), r / 1e3 * math.sin(a), z / 1e3) for r, z in points for a in ring]
    faces = [
        (i * turns + j, i * turns + (j + 1) % turns, (i + 1) * turns + (j + 1) % turns, (i + 1) * turns + j)
        for i in range(len(points) - 1)
        for j in range(turns)
    ]
    mesh = bpy.data.meshes.new("checker")
    mesh.from_pydata(vertices, [], faces)
    mesh.validate()
    mesh.shade_smooth()
    return mesh


def _shown(name: str, mesh: bpy.types.Mesh, look: bpy.types.Material) -> bpy.types.Object:
    mesh.materials.append(look)
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def box(low: Spot, high: Spot, look: bpy.types.Material, bevel: float = 1.0) -> None:
    """A box between two corners in mm."""
    mesh = bpy.data.meshes.new("box")
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    at = np.array([low, high]) / 1e3
    middle, size = at.mean(axis=0), at[1] - at[0]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata([(np.array(c) - 0.5) * size for c in corners], [], faces)
    made = _shown("box", mesh, look)
    made.location = middle
    if bevel:
        rounded = made.modifiers.new("bevel", "BEVEL")
        rounded.width, rounded.segments = bevel / 1e3, 2


def build(board: Board, rng: np.random.Generator) -> tuple[bpy.types.Mesh, bpy.types.Mesh]:
    """Board, table and light; the meshes of light and of dark checkers."""
    (width, height), wall = board.field_wh, board.wall
    wide, high = width / 2, height / 2
    frame = material(rng, "wood", wood_by_chance(rng), rng.uniform(0.2, 0.8))
    ground = str(rng.choice(["wood", "cork", "felt", "leather"]))
    colour = wood_by_chance(rng) if ground in ("wood", "cork") else colour_by_chance(rng, 0.1, 0.8, 0.7)
    cloth = material(rng, ground, colour, rng.uniform(0, 0.4))
    table = material(
        rng, str(rng.choice(["wood", "felt", "leather"])), colour_by_chance(rng, 0.1, 0.8, 0.3), 0.2
    )
    box((-2500, -2500, -60), (2500, 2500, -12), table, 0)
    outer = wide + (board.tray + 12 if board.tray else 0)
    box((-outer, -high, -11), (outer, high, 0), cloth, 0)
    rim = rng.uniform(14, 24)
    for side in SIDES:
        low, top = sorted((side * high, side * (high + rim)))
        box((-outer - rim, low, -12), (outer + rim, top, wall), frame)
        low, top = sorted((side * outer, side * (outer + rim)))
        box((low, -high, -12), (top, high, wall), frame)
        if board.tray:
            low, top = sorted((side * wide, side * (wide + 12)))
            box((low, -high, -1), (top, high, wall * rng.uniform(0.7, 1)), frame)
    box((-board.bar / 2, -high, -1), (board.bar / 2, high, board.bar_height), frame)
    _points(board, rng, ground)
    _light(rng)
    gloss, kinds = rng.uniform(0, 1), ("plain", "plain", "wood")
    outline = profile(rng, board.diameter / 2, board.thickness)
    looks = (colour_by_chance(rng, 0.55, 0.92, 0.35), colour_by_chance(rng, 0.06, 0.35, 0.8))
    light, dark = (material(rng, str(rng.choice(kinds)), look, gloss) for look in looks)
    meshes = (lathe(outline), lathe(outline))
    for mesh, look in zip(meshes, (light, dark), strict=True):
        mesh.materials.append(look)
    return meshes


def _points(board: Board, rng: np.random.Generator, ground: str) -> None:
    kind = ground if rng.random() < 0.6 else "plain"
    shades = [(0.05, 0.4), (0.45, 0.9)]
    looks = [material(rng, kind, colour_by_chance(rng, *shade, 0.8), rng.uniform(0, 0.4)) for shade in shades]
    length = board.field_wh[1] * rng.uniform(0.36, 0.43)
    half = (board.field_wh[0] - board.bar) / 24 * rng.uniform(0.85, 0.99)
    for place in range(24):
        x, y = board.base(place)
        tip = y - length if place < 12 else y + length
        mesh = bpy.data.meshes.new("point")
        corners = [(x - half, y, THINNEST_MM), (x + half, y, THINNEST_MM), (x, tip, THINNEST_MM)]
        mesh.from_pydata([tuple(c / 1e3 for c in corner) for corner in corners], [], [(0, 1, 2)])
        _shown("point", mesh, looks[(place + place // 12) % 2])


def _lamp(at: tuple[float, float, float], power: float, size: float, tint: Colour) -> None:
    lamp = bpy.data.lights.new("lamp", "AREA")
    lamp.energy, lamp.size, lamp.color = power, size, tint
    shown = bpy.data.objects.new("lamp", lamp)
    bpy.context.scene.collection.objects.link(shown)
    shown.location = at
    shown.rotation_euler = (-Vector(at)).to_track_quat("-Z", "Y").to_euler()


def _light(rng: np.random.Generator) -> None:
    """A room's light, one or two lamps above and sometimes a window at the side."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    warm = rng.uniform(-0.15, 0.15)
    tint = (1 + warm, 1.0, 1 - warm)
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (*tint, 1)
    background.inputs["Strength"].default_value = rng.uniform(0.15, 0.9)
    for _ in range(int(rng.integers(1, 3))):
        at = (rng.uniform(-1.2, 1.2), rng.uniform(-0.8, 1.3), rng.uniform(0.9, 2.2))
        _lamp(at, rng.uniform(8, 30) * (at[2] + 0.3) ** 2, rng.uniform(0.15, 0.9), tint)
    if rng.random() < 0.4:
        side = float(rng.choice(SIDES))
        _lamp(
            (side * 2.0, rng.uniform(-1, 1.5), rng.uniform(0.7, 1.4)),
            rng.uniform(60, 160),
            1.2,
            (0.9, 0.97, 1.1),
        )
