"""What we use of Blender: objects with materials, lamps, a camera, rendering."""

import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

from vision.training.scenes.camera import Camera, Picture
from vision.training.scenes.lighting import Glow, Lamp, Panorama, Sun
from vision.training.scenes.looks.paint import Image
from vision.training.scenes.looks.tones import Rgb, linear
from vision.training.scenes.objects.meshes import Shape, shutter

BOUNCES = 1
MATT = 0.12
"""Below this gloss a material is purely diffuse, which renders faster."""
BRIGHTEST = 20.0
"""The mean light of a panorama is computed as if no pixel were brighter than this: a sun is a few pixels."""
SHUTTER_AWAY_MM, SHUTTER_REACH_MM = 5000.0, 1100.0


def emptied(threads: int) -> None:
    """Begin a new scene, with the renderer set up for speed."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    cycles = scene.cycles
    cycles.device, cycles.use_adaptive_sampling = "CPU", False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = BOUNCES, 1, 1
    cycles.transmission_bounces = cycles.transparent_max_bounces = cycles.volume_bounces = 1
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "FAST"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.use_light_tree = False
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    scene.render.use_persistent_data = True
    scene.render.image_settings.file_format = "HDR"
    scene.view_settings.view_transform = "Raw"
    world = bpy.data.worlds.new("room")
    scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method = "NONE"


def pictured(name: str, image: Image) -> bpy.types.Image:
    """A Blender image of (H, W, 3) sRGB values from 0 to 1."""
    high, wide = image.shape[:2]
    made = bpy.data.images.new(name, wide, high)
    pixels = np.ones((high, wide, 4), dtype=np.float32)
    pixels[..., :3] = image[::-1]
    made.pixels.foreach_set(pixels.ravel())
    made.pack()
    return made


def look(
    name: str,
    colour: Rgb | None = None,
    image: Image | None = None,
    *,
    gloss: float = 0.2,
    varied: float = 0.0,
    through: float = 0.0,
) -> bpy.types.Material:
    """A material of one colour or with an image.

    varied: share by which objects with an image differ in lightness. through: the translucent share.
    """
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    tinted = "Base Color"
    if gloss < MATT:
        nodes.remove(shader)
        shader, tinted = nodes.new("ShaderNodeBsdfDiffuse"), "Color"
        links.new(shader.outputs["BSDF"], nodes["Material Output"].inputs["Surface"])
    else:
        shader.inputs["Roughness"].default_value = 0.9 - 0.82 * gloss
        shader.inputs["Specular IOR Level"].default_value = 0.15 + 0.4 * gloss
    shader.inputs[tinted].default_value = (*linear(colour or (0.5, 0.5, 0.5)), 1)
    source = None
    if image is not None:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image, texture.extension = pictured(name, image), "MIRROR"
        source = texture.outputs["Color"]
    if varied and source is not None:
        info, range_, shift = (
            nodes.new(kind)
            for kind in ("ShaderNodeObjectInfo", "ShaderNodeMapRange", "ShaderNodeHueSaturation")
        )
        range_.inputs["To Min"].default_value, range_.inputs["To Max"].default_value = 1 - varied, 1 + varied
        links.new(info.outputs["Random"], range_.inputs["Value"])
        links.new(range_.outputs["Result"], shift.inputs["Value"])
        links.new(source, shift.inputs["Color"])
        source = shift.outputs["Color"]
    if source is not None:
        links.new(source, shader.inputs[tinted])
    if through:
        mix, clear = nodes.new("ShaderNodeMixShader"), nodes.new("ShaderNodeBsdfTranslucent")
        mix.inputs["Fac"].default_value = through
        clear.inputs["Color"].default_value = (*linear(colour or (0.8, 0.8, 0.8)), 1)
        links.new(shader.outputs["BSDF"], mix.inputs[1])
        links.new(clear.outputs["BSDF"], mix.inputs[2])
        links.new(mix.outputs["Shader"], nodes["Material Output"].inputs["Surface"])
    return made


def glowing(tint: tuple[float, float, float], strength: float) -> bpy.types.Material:
    made = bpy.data.materials.new("glow")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Emission Color"].default_value = (*tint, 1)
    shader.inputs["Emission Strength"].default_value = strength
    made.cycles.emission_sampling = "NONE"
    return made


def mesh(name: str, shape: Shape, material: bpy.types.Material | None) -> bpy.types.Mesh:
    made = bpy.data.meshes.new(name)
    made.from_pydata(shape.vertices.tolist(), [], shape.faces.tolist())
    if len(shape.faces):
        layer = made.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", shape.uv.astype(np.float32).ravel())
    if shape.smooth:
        made.shade_smooth()
    if material is not None:
        made.materials.append(material)
    return made


def put(name: str, made: bpy.types.ID | None, parent: bpy.types.Object | None = None) -> bpy.types.Object:
    """Add an object to the scene: a mesh, a light or a camera."""
    shown = bpy.data.objects.new(name, made)
    bpy.context.scene.collection.objects.link(shown)
    shown.parent = parent
    return shown


def removed(objects: list[bpy.types.Object]) -> None:
    """Remove objects from the scene, with the data that only they use."""
    for shown in objects:
        data = shown.data
        bpy.data.objects.remove(shown)
        if data is not None and data.users == 0:
            (bpy.data.lights if isinstance(data, bpy.types.Light) else bpy.data.meshes).remove(data)


def turn(at_mm: tuple[float, float, float], rows: tuple[tuple[float, float, float], ...]) -> Matrix:
    """The world matrix of an object: where it is in mm, and its (3, 3) rotation."""
    return Matrix.Translation(Vector(at_mm) / 1e3) @ Matrix(rows).to_4x4()


def lamp(given: Lamp, parent: bpy.types.Object) -> bpy.types.Object:
    data = bpy.data.lights.new("lamp", "AREA")
    data.shape, data.size, data.color = "DISK", given.size_mm / 1e3, given.tint
    away = math.dist(given.at_mm, (0, 0, 0)) / 1e3
    slope = max(given.at_mm[2] / 1e3 / away, 0.25)
    data.energy = given.strength * 4 * math.pi * away**2 / slope * 0.8
    data.use_shadow = True
    shown = put("lamp", data, parent)
    shown.location = Vector(given.at_mm) / 1e3
    shown.rotation_euler = (-Vector(given.at_mm)).to_track_quat("-Z", "Y").to_euler()
    return shown


def sunlight(given: Sun, parent: bpy.types.Object) -> list[bpy.types.Object]:
    """The sun and the wall with the window that it shines through."""
    data = bpy.data.lights.new("sun", "SUN")
    data.energy, data.color = given.strength * 3.0 / max(given.direction[2], 0.3), given.tint
    data.angle = given.softness_deg * 6.0 / SHUTTER_AWAY_MM
    sun = put("sun", data, parent)
    sun.rotation_euler = (-Vector(given.direction)).to_track_quat("-Z", "Y").to_euler()
    x, y, z = given.direction
    off = SHUTTER_AWAY_MM * x, SHUTTER_AWAY_MM * y, SHUTTER_AWAY_MM * z
    wall = put("shutter", mesh("shutter", shutter(given.panes, SHUTTER_REACH_MM, off), None), parent)
    wall.visible_camera = wall.visible_diffuse = wall.visible_glossy = wall.visible_transmission = False
    return [sun, wall]


def glow(given: Glow, dome: bpy.types.Mesh) -> list[bpy.types.Object]:
    """A lit LED beside a point: the dome that is seen, and the light that it casts."""
    shown = put("glow", dome)
    shown.location = Vector(given.at_mm) / 1e3
    shown.visible_diffuse = shown.visible_glossy = shown.visible_shadow = False
    data = bpy.data.lights.new("glow", "POINT")
    data.energy, data.color, data.shadow_soft_size = 0.05 * given.strength, given.tint, 0.004
    light = put("glow", data)
    light.location = Vector(given.at_mm) / 1e3 + Vector((0, 0, 0.006))
    return [shown, light]


def room_light(strength: float, tint: tuple[float, float, float], panorama: Panorama | None = None) -> None:
    background = bpy.context.scene.world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = (*tint, 1)
    if panorama is not None:
        strength /= _surrounded(panorama, tint)
    background.inputs["Strength"].default_value = strength


def _surrounded(panorama: Panorama, tint: tuple[float, float, float]) -> float:
    """Let the room's light come from a panorama, tinted. Returns the mean light of its upper half."""
    tree = bpy.context.scene.world.node_tree
    nodes, links = tree.nodes, tree.links
    if "panorama" not in nodes:
        place, turned, shown, tinted = (
            nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "Mapping", "TexEnvironment", "VectorMath")
        )
        turned.inputs["Rotation"].default_value = (0, 0, panorama.turn_rad)
        shown.name, shown.image = "panorama", bpy.data.images.load(str(panorama.path))
        tinted.name, tinted.operation = "tinted", "MULTIPLY"
        links.new(place.outputs["Generated"], turned.inputs["Vector"])
        links.new(turned.outputs["Vector"], shown.inputs["Vector"])
        links.new(shown.outputs["Color"], tinted.inputs[0])
        links.new(tinted.outputs["Vector"], nodes["Background"].inputs["Color"])
        pixels = np.array(shown.image.pixels[:]).reshape(shown.image.size[1], -1, 4)
        shown["mean"] = float(np.minimum(pixels[len(pixels) // 2 :, :, :3], BRIGHTEST).mean())
    nodes["tinted"].inputs[1].default_value = tint
    return float(nodes["panorama"]["mean"])


def look_through(camera: Camera, share: float) -> None:
    """Make this the scene's camera, with the lens's overscan, and render at `share` of its picture size."""
    scene = bpy.context.scene
    if scene.camera is None:
        scene.camera = put("camera", bpy.data.cameras.new("camera"))
    data = scene.camera.data
    data.sensor_fit, data.sensor_width, data.clip_start = "HORIZONTAL", 36.0, 0.02
    data.lens = 36.0 * camera.focal / camera.overscan
    scene.camera.matrix_world = turn(camera.at_mm, camera.turn)
    scene.render.resolution_x, scene.render.resolution_y = (round(n * share) for n in camera.size_wh)
    scene.render.resolution_percentage = 100


@contextmanager
def hushed() -> Iterator[None]:
    """Suppress what Blender prints about its progress."""
    sys.stdout.flush()
    kept = os.dup(1)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(silent)
        os.close(kept)


def rendered(path: Path, samples: int) -> Picture:
    """Render the scene: (H, W, 3) amounts of red, green and blue light."""
    bpy.context.scene.render.filepath = str(path)
    bpy.context.scene.cycles.samples = samples
    with hushed():
        bpy.ops.render.render(write_still=True)
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    assert image is not None, f"Blender wrote no picture to {path}."
    return np.ascontiguousarray(image[..., 2::-1]).astype(np.float32)
