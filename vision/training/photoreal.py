"""Photoreal boards by chance: the start of a game and positions of a bear-off, as a camera sees them.

For measuring how well tall stacks are counted (`python -m bench stacks --data DATA`). Needs Blender as a
module (bpy, only here). Writes for each board its pictures and a `board.json` with the geometry and what lies
on each place; a board takes half a minute on two cores:

    python -m vision.training.photoreal DATA/boards --boards 0 12
"""

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import cv2
import numpy as np
import numpy.typing as npt
from mathutils import Matrix, Vector

from vision.training.bear_off import CHECKERS, SIDES, Board, Lying, Spot, late_counts, play_on
from vision.training.blender_board import build
from vision.training.boards import start_counts

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

PICTURES = 9
SAMPLES, BOUNCES = 8, 3
FEW = 5
"""So many places are rendered anew one by one."""


@dataclass(frozen=True, kw_only=True)
class Eye:
    """A camera.

    world: where it is, in metres from the field's middle, and how it is turned. focal: over the picture's
    width. distortion: first radial coefficient for radii in half diagonals.
    """

    tilted: bool
    size_wh: tuple[int, int]
    world: Matrix
    focal: float
    distortion: float

    @staticmethod
    def by_chance(rng: np.random.Generator, board: Board, tilted: bool) -> "Eye":
        """One that shows the whole board. Its distance and tilt are those of a phone on a stand."""
        size = (1280, 960) if rng.random() < 0.5 else (1280, 720)
        if tilted:
            at = Vector((rng.uniform(-60, 60), -rng.uniform(320, 600), rng.uniform(680, 900)))
            towards = Vector((at.x + rng.uniform(-40, 40), -rng.uniform(0, 60), 0.0))
        else:
            at = Vector((rng.uniform(-60, 60), rng.uniform(-60, 60), rng.uniform(600, 1000)))
            towards = Vector((at.x + rng.uniform(-25, 25), at.y + rng.uniform(-25, 25), 0.0))
        back = (at - towards).normalized()
        right = Vector((0, 1, 0)).cross(back).normalized()
        turn = Matrix((right, back.cross(right), back)).transposed()
        turn = turn @ Matrix.Rotation(math.radians(rng.uniform(-3, 3)), 3, "Z")
        world = Matrix.Translation(at / 1e3) @ turn.to_4x4()
        eye = Eye(tilted=tilted, size_wh=size, world=world, focal=1.1, distortion=rng.uniform(-0.05, 0))
        wide = board.field_wh[0] / 2 + board.tray + 35
        high = board.field_wh[1] / 2 + 25
        rim = np.array([(x, y, board.wall) for x in (-wide, wide) for y in (-high, high)])
        off = np.abs(eye.ideal(rim) - np.array(size) / 2) / (np.array(size) / 2)
        return Eye(
            tilted=tilted,
            size_wh=size,
            world=world,
            focal=float(1.1 / off.max() * rng.uniform(0.85, 0.98)),
            distortion=eye.distortion,
        )

    def ideal(self, points: npt.ArrayLike) -> Floats:
        """(N, 3) mm to (N, 2) pixels without the lens's distortion, (0, 0) the picture's corner."""
        inverse = np.array(self.world.inverted())
        seen = np.asarray(points, dtype=np.float64) / 1e3 @ inverse[:3, :3].T + inverse[:3, 3]
        focal = self.focal * self.size_wh[0]
        return np.array(self.size_wh) / 2 + focal * np.stack([-seen[:, 0], seen[:, 1]], axis=1) / seen[:, 2:]

    def px(self, points: npt.ArrayLike) -> Floats:
        """(N, 3) mm to (N, 2) pixels, whole numbers in the middles of pixels."""
        middle, radius = np.array(self.size_wh) / 2, math.hypot(*self.size_wh) / 2
        off = (self.ideal(points) - middle) / radius
        return middle + radius * off * (1 + self.distortion * (off**2).sum(axis=1, keepdims=True)) - 0.5

    def distorted(self, picture: Image) -> Image:
        """What the lens makes of an ideal picture."""
        middle, radius = np.array(self.size_wh) / 2, math.hypot(*self.size_wh) / 2
        x, y = np.meshgrid(
            *((np.arange(n) + 0.5 - m) / radius for n, m in zip(self.size_wh, middle, strict=True))
        )
        seen = np.hypot(x, y)
        ideal = seen.copy()
        for _ in range(8):
            ideal = seen / (1 + self.distortion * ideal**2)
        share = radius / (1 + self.distortion * ideal**2)
        maps = (
            (x * share + middle[0] - 0.5).astype(np.float32),
            (y * share + middle[1] - 0.5).astype(np.float32),
        )
        return cv2.remap(picture, *maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)

    def look(self) -> None:
        """Make this the scene's camera."""
        camera = bpy.data.cameras.new("camera")
        camera.sensor_width, camera.lens, camera.clip_start = 36.0, 36.0 * self.focal, 0.05
        shown = bpy.data.objects.new("camera", camera)
        shown.matrix_world = self.world
        bpy.context.scene.collection.objects.link(shown)
        bpy.context.scene.camera = shown
        bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y = self.size_wh


def render(path: Path, share: int = 100) -> Image:
    """(H, W, 3) picture, by way of a file; share: per cent of its size."""
    bpy.context.scene.render.resolution_percentage = share
    bpy.context.scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return cv2.imread(str(path))


def render_anew(path: Path, picture: Image, part_px: Floats) -> None:
    """Render what lies within (N, 2) pixels again and put it into a picture."""
    shown = bpy.context.scene.render
    high, wide = picture.shape[:2]
    left, top = np.clip(np.floor(part_px.min(axis=0)).astype(int), 0, (wide, high))
    right, bottom = np.clip(np.ceil(part_px.max(axis=0)).astype(int), 0, (wide, high))
    shown.use_border = True
    shown.border_min_x, shown.border_max_x = left / wide, right / wide
    shown.border_min_y, shown.border_max_y = 1 - bottom / high, 1 - top / high
    part = render(path)
    shown.use_border = False
    inner = (slice(top + 1, bottom - 1), slice(left + 1, right - 1))
    picture[inner] = part[inner]


def near(board: Board, place: int) -> list[Spot]:
    """The corners of the room in which a place's checkers lie and cast their shadows."""
    x, y = board.base(place)
    inward = -1 if place < 12 else 1
    aside, along = 1.4 * board.diameter, (-0.2 * inward * board.diameter, 7.5 * inward * board.diameter)
    return [(x + s * aside, y + a, h) for s in SIDES for a in along for h in (0.0, 3 * board.thickness)]


def settings(rng: np.random.Generator) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.max_bounces = "CPU", SAMPLES, BOUNCES
    scene.cycles.use_denoising, scene.cycles.denoiser = True, "OPENIMAGEDENOISE"
    scene.cycles.denoising_prefilter, scene.cycles.denoising_quality = "FAST", "BALANCED"
    scene.cycles.use_light_tree = False
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.render.use_persistent_data = True
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = str(rng.choice(["AgX", "Standard"]))


def expose(path: Path) -> None:
    """Set the exposure so that the board comes out neither dark nor burnt."""
    view = bpy.context.scene.view_settings
    for _ in range(4):
        small = render(path, 12)
        high, wide = small.shape[:2]
        inner = small[high // 5 : -high // 5, wide // 5 : -wide // 5].max(axis=2)
        bright, usual = np.percentile(inner, 97), np.percentile(inner, 50)
        view.exposure += float(np.clip(min(np.log2(228 / bright), np.log2(150 / usual)), -1.5, 1.5))


def taken(picture: Image, rng: np.random.Generator, blur: float, noise: float, quality: int) -> bytes:
    """The JPEG a camera makes of it."""
    seen = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), blur)
    seen = seen * rng.uniform(0.98, 1.02) + rng.normal(0, noise, seen.shape)
    return cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[
        1
    ].tobytes()


@dataclass(frozen=True, kw_only=True)
class Set:
    """What a board is filmed with."""

    board: Board
    eye: Eye
    checkers: dict[int, list[bpy.types.Object]]
    file: Path

    @staticmethod
    def by_chance(rng: np.random.Generator, file: Path, tilted: bool) -> "Set":
        """Put it all into an empty scene."""
        bpy.ops.wm.read_factory_settings(use_empty=True)
        settings(rng)
        board = Board.by_chance(rng)
        eye = Eye.by_chance(rng, board, tilted)
        checkers = {}
        for side, mesh in zip(SIDES, build(board, rng), strict=True):
            checkers[side] = [bpy.data.objects.new("checker", mesh) for _ in range(CHECKERS)]
            for checker in checkers[side]:
                checker.rotation_euler[2] = rng.uniform(0, 2 * math.pi)
                bpy.context.scene.collection.objects.link(checker)
        eye.look()
        return Set(board=board, eye=eye, checkers=checkers, file=file)

    def lay(self, lying: Lying) -> None:
        """Move the checkers to where they lie; those that are off lie under the table."""
        for side in SIDES:
            rows = zip(lying.sides, lying.spots, strict=True)
            spots = [spot for own, row in rows if own == side for spot in row]
            spots += [(0.0, 0.0, -1000.0)] * (CHECKERS - len(spots))
            for checker, spot in zip(self.checkers[side], spots, strict=True):
                checker.location = Vector(spot) / 1e3

    def picture(self) -> Image:
        """The first picture, well exposed."""
        expose(self.file)
        return render(self.file)

    def renew(self, picture: Image, places: Sequence[int]) -> None:
        """Render anew what has changed since: about these places, or the field when they are many."""
        parts = [self.eye.ideal(near(self.board, place)) for place in places]
        for part_px in parts if len(places) <= FEW else [np.concatenate(parts)]:
            render_anew(self.file, picture, part_px)


def film(folder: Path, seed: int) -> None:
    """One board: its pictures and `board.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    made = Set.by_chance(rng, folder / "ideal.png", tilted=seed // 2 % 2 == 0)
    start = start_counts(*(bool(flip) for flip in rng.random(2) < 0.5))
    lying = Lying(board=made.board, rng=rng, untidy=rng.uniform(0.3, 1.0))
    lying.lay(start)
    made.lay(lying)
    ideal = made.picture()
    blur, noise, quality = rng.uniform(0.4, 0.9), rng.uniform(0.8, 2.5), int(rng.integers(85, 93))
    pictures = []
    for number in range(PICTURES):
        before = lying.counts
        if number == 1:
            lying.lay(late_counts(rng))
        elif number > 1:
            play_on(lying, rng)
        made.lay(lying)
        changed = [place for place in range(24) if lying.counts[place] != before[place]]
        made.renew(ideal, changed)
        name = f"{number}.jpg"
        (folder / name).write_bytes(taken(made.eye.distorted(ideal), rng, blur, noise, quality))
        pictures.append({"file": name, "counts": lying.counts})
    made.file.unlink()
    truth = {"start": start, "pictures": pictures, **described(made.board, made.eye)}
    (folder / "board.json").write_text(json.dumps(truth))


def described(board: Board, eye: Eye) -> dict[str, object]:
    """The geometry, as `recording.toml` has it, and how the board and the camera were made."""
    (width, height), bar = board.field_wh, board.bar
    corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
    return {
        "corners_px": eye.px([(x * width / 2, y * height / 2, 0) for x, y in corners]).tolist(),
        "image_wh": eye.size_wh,
        "bar": (0.5 - bar / width / 2, 0.5 + bar / width / 2),
        "checker_mm": board.diameter,
        "field_mm": board.field_wh,
        "camera": "tilted" if eye.tilted else "above",
        "layout": "bridging" if board.bridging else "piled",
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--boards", type=int, nargs=2, default=(0, 12), metavar=("FROM", "UNTIL"))
    given = parser.parse_args()
    for seed in range(*given.boards):
        film(given.folder / f"{seed:03d}", seed)


if __name__ == "__main__":
    main()
