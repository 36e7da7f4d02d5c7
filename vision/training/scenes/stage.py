"""A session in Blender: the board, the table and the checkers are made once, the rest for each picture."""

from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

from vision.training.scenes import blender
from vision.training.scenes.camera import Picture, corners_mm
from vision.training.scenes.looks.checker_image import checker_face
from vision.training.scenes.looks.field_image import FieldImage
from vision.training.scenes.looks.grounds import GROUNDS
from vision.training.scenes.looks.prints import box_print
from vision.training.scenes.looks.tones import drawn
from vision.training.scenes.objects import meshes
from vision.training.scenes.objects.solids import Solid, Thing
from vision.training.scenes.plan import LOOKS_STREAM, Session, Shot, pushed, stream

FINE_EVERY, MANY_LAMPS = 4, 4
"""One session in FINE_EVERY, and pictures with at least MANY_LAMPS lamps, get two samples a pixel; with one
the denoiser does nearly as well."""
FRAME_PX = (512, 512)
TABLE_PX, TABLE_MM = (1024, 1024), 800.0
WOODEN_TONES = ("wood_light", "wood_mid", "wood_dark")
TABLE_TONES = (
    *("white", "cream", "black", "grey", "dull", "dull", "tan", "brown", "green", "navy"),
    *("crimson", "pastel", "any", "any"),
)
"""Tones of wooden and of other tables, each entry equally likely."""
FAR_MM = 2600.0
NOWHERE = (0.0, 0.0, -100.0)


@dataclass(kw_only=True)
class Stage:
    """The Blender scene of a session. Call `photographed` for each of its shots."""

    session: Session
    file: Path
    rng: np.random.Generator
    room: bpy.types.Object
    checkers: tuple[list[bpy.types.Object], list[bpy.types.Object]]
    looks: dict[tuple[object, ...], bpy.types.Material] = field(default_factory=dict)

    @staticmethod
    def of(session: Session, file: Path, threads: int) -> "Stage":
        blender.emptied(threads)
        rng = stream(session.number, LOOKS_STREAM)
        stage = Stage(session=session, file=file, rng=rng, room=blender.put("room", None), checkers=([], []))
        stage._table()
        stage._board()
        stage._checkers()
        for thing in session.static:
            stage._thing(thing)
        return stage

    def photographed(self, shot: Shot, share: float = 1.0) -> tuple[Picture, Picture]:
        """The light that a shot's camera sees (H, W, 3), and samples of it (N, 3) to set the exposure by.

        share: size of the render as a share of the camera's picture.
        """
        dx, dy, degrees = shot.push
        moved = Matrix.Translation((dx / 1e3, dy / 1e3, 0)) @ Matrix.Rotation(np.radians(degrees), 4, "Z")
        self.room.matrix_world = moved.inverted()
        self._lay(shot)
        extra = [
            made for thing in (*shot.things, *(die.thing for die in shot.dice)) for made in self._thing(thing)
        ]
        extra += self._thing(shot.cube) if shot.cube else []
        extra += self._lit(shot)
        camera = pushed(shot.camera, shot.push)
        blender.look_through(camera, share)
        lamps = len(shot.light.lamps) + len(shot.light.glows)
        fine = lamps >= MANY_LAMPS or self.session.number % FINE_EVERY == 0
        picture = blender.rendered(self.file, samples=2 if fine else 1)
        blender.removed(extra)
        return picture, self._inner(picture, shot)

    def _inner(self, picture: Picture, shot: Shot) -> Picture:
        """Samples by which the camera measures the light: from the field, and from all that it sees."""
        camera = pushed(shot.camera, shot.push)
        size = np.array(picture.shape[1::-1])
        share = np.random.default_rng(1).uniform(0.02, 0.98, (500, 2))
        low, high = corners_mm(self.session.board)[3], corners_mm(self.session.board)[1]
        spots = low + (high - low) * np.column_stack([share, np.zeros(500)])
        seen = camera.ideal(spots) / camera.overscan * np.hypot(*size) / 2 + size / 2
        at = np.clip(seen.astype(int), 0, size - 1)
        about = picture[8::23, 5::29].reshape(-1, 3)
        return np.concatenate([picture[at[:, 1], at[:, 0]], about])

    def _table(self) -> None:
        session, rng = self.session, self.rng
        tone = str(rng.choice(WOODEN_TONES if session.table == "wood" else TABLE_TONES))
        image = GROUNDS[session.table](rng, drawn(rng, tone), TABLE_PX)
        material = blender.look(
            "table", image=image, gloss=rng.uniform(0, 0.6) if session.table in ("wood", "plain") else 0.05
        )
        level = meshes.plane(
            (-FAR_MM, -FAR_MM), (FAR_MM, FAR_MM), -session.board.base, TABLE_MM * rng.uniform(0.6, 1.4)
        )
        blender.put("table", blender.mesh("table", level, material), self.room)

    def _board(self) -> None:
        """Field, frame, bar and trays."""
        session, rng, board = self.session, self.rng, self.session.board
        drawing = FieldImage(rng, session.family, board, session.sets.colours)
        high = board.floor_wh[1] / 2
        through = 0.25 if drawing.ground == "acrylic" else 0.0
        cloth = blender.look(
            "field", image=drawing.image, gloss=session.gloss * rng.uniform(0.5, 1), through=through
        )
        half_wide, half_high = (side / 2 + drawing.margin for side in board.field_wh)
        flat = meshes.plane((-half_wide, -half_high), (half_wide, half_high), 0.05)
        blender.put("field", blender.mesh("field", flat, cloth))
        left, right, low, top = board.outer
        tone = str(rng.choice(session.family.frame_tones))
        kind = {"none": drawing.ground, "case": "leather", "card": "plain"}.get(board.frame, board.frame)
        colour = drawn(rng, tone) if board.frame != "none" else drawing.colour
        frame = blender.look(
            "frame",
            image=GROUNDS[kind if kind != "wood" or rng.random() < 0.85 else "mosaic"](rng, colour, FRAME_PX),
            gloss=session.gloss * rng.uniform(0.4, 1),
        )
        self._box((left, low, -board.base), (right, top, 0.0), frame, 0.0)
        if board.wall > 0:
            for x0, x1, y0, y1 in (
                (left, right, high, top),
                (left, right, low, -high),
                (left, left + board.rim, -high, high),
                (right - board.rim, right, -high, high),
            ):
                self._box((x0, y0, -board.base), (x1, y1, board.wall), frame, 1.2)
        for across, tray in zip((-1, 1), board.trays_mm, strict=True):
            if tray:
                self._tray(across, tray, frame)
        self._bar(frame)

    def _tray(self, across: int, tray: float, frame: bpy.types.Material) -> None:
        board, rng = self.session.board, self.rng
        inner, divider = board.floor_wh[0] / 2, 0.6 * board.rim
        high = board.floor_wh[1] / 2
        x0, x1 = sorted((across * inner, across * (inner + divider)))
        self._box((x0, -high, -1), (x1, high, board.wall * rng.uniform(0.5, 1.0)), frame, 1.0)
        x0, x1 = sorted((across * (inner + divider), across * (inner + divider + tray)))
        floor = blender.look(
            "tray",
            image=GROUNDS["felt"](rng, drawn(rng, str(rng.choice(self.session.family.field))), (256, 256)),
            gloss=0.05,
        )
        blender.put("tray", blender.mesh("tray", meshes.plane((x0, -high), (x1, high), 0.1), floor))
        if rng.random() < 0.6:
            half = rng.uniform(0.02, 0.12) * high
            self._box((x0, -half, 0), (x1, half, board.wall * rng.uniform(0.3, 0.95)), frame, 0.8)

    def _bar(self, frame: bpy.types.Material) -> None:
        board, rng = self.session.board, self.rng
        if board.bar_height <= 0 or board.bar <= 0:
            return
        half, high = board.bar / 2 - board.apart[0], board.floor_wh[1] / 2
        material = frame
        if rng.random() < 0.25:
            material = blender.look(
                "bar", drawn(rng, str(rng.choice(self.session.family.frame_tones))), gloss=self.session.gloss
            )
        if board.bar_kind != "hinge":
            self._box((-half, -high, -1), (half, high, board.bar_height), material, 1.0)
            return
        for x0, x1 in ((-half, -0.3), (0.3, half)):
            self._box((x0, -high, -1), (x1, high, board.bar_height), material, 0.8)
        brass = blender.look("brass", (0.75, 0.6, 0.3), gloss=0.8)
        for y in (-0.62 * high, 0.62 * high):
            self._box(
                (-0.8 * half, y - 0.06 * high, board.bar_height - 1),
                (0.8 * half, y + 0.06 * high, board.bar_height + 0.5),
                brass,
                0.3,
            )

    def _box(
        self,
        low: tuple[float, float, float],
        high: tuple[float, float, float],
        material: bpy.types.Material,
        radius: float,
    ) -> None:
        size = tuple(h - a for a, h in zip(low, high, strict=True))
        shape = meshes.rounded_box((size[0], size[1], size[2]), radius, metric_mm=170.0)
        made = blender.put("box", blender.mesh("box", shape, material))
        made.location = Vector([(h + a) / 2e3 for a, h in zip(low, high, strict=True)])

    def _checkers(self) -> None:
        sets, board, rng = self.session.sets, self.session.board, self.rng
        state = rng.bit_generator.state
        for side in (0, 1):
            if sets.looks[0] == sets.looks[1]:
                rng.bit_generator.state = state
            look = sets.looks[side]
            profile = meshes.checker_profile(rng, look, board.diameter / 2, board.thickness)
            varied = {"wooden": 0.15, "marbled": 0.06, "pearl": 0.08}.get(look, 0.02)
            material = blender.look(
                "checker",
                sets.colours[side],
                checker_face(rng, look, sets.colours[side]),
                gloss=sets.gloss,
                varied=varied,
                through=0.35 if look == "translucent" else 0.0,
            )
            shape = meshes.turned_on_a_lathe(profile, board.diameter / 2)
            made = blender.mesh("checker", shape, material)
            most = max(sum(checker.side == side for checker in shot.laid) for shot in self.session.shots)
            self.checkers[side].extend(blender.put("checker", made) for _ in range(most))

    def _lay(self, shot: Shot) -> None:
        """Move the checkers to where they lie; unused ones go under the table."""
        for side in (0, 1):
            spots = [lying.foot_mm for lying in shot.laid if lying.side == side]
            shown = self.checkers[side]
            spots += [NOWHERE] * (len(shown) - len(spots))
            for checker, spot in zip(shown, spots, strict=True):
                checker.location = Vector(spot) / 1e3
                checker.rotation_euler[2] = self.rng.uniform(0, 6.28)

    def _lit(self, shot: Shot) -> list[bpy.types.Object]:
        light = shot.light
        blender.room_light(light.room, light.room_tint, light.panorama)
        made = [blender.lamp(lamp, self.room) for lamp in light.lamps if lamp.strength > 0]
        if light.sun is not None:
            made += blender.sunlight(light.sun, self.room)
        for lit in light.glows:
            shape = meshes.capsule(np.zeros(3), np.array([0, 0, 0.5]), 3.0, 2.5)
            made += blender.glow(
                lit, blender.mesh("glow", shape, blender.glowing(lit.tint, 8 * lit.strength))
            )
        return made

    def _thing(self, thing: Thing) -> list[bpy.types.Object]:
        return [self._solid(solid) for solid in thing.solids]

    def _solid(self, solid: Solid) -> bpy.types.Object:
        if solid.shape == "box":
            shape = meshes.rounded_box(solid.size, solid.radii[0])
        elif solid.shape == "capsule":
            shape = meshes.capsule(np.array(solid.at), np.array(solid.end), *solid.radii)
        else:
            r, h = solid.radii[0], max(solid.size[2], 0.3)
            shape = meshes.turned_on_a_lathe([(r * 0.93, 0), (r, h * 0.05), (r, h), (0.0, h)], r, 32)
        made = blender.put("thing", blender.mesh("thing", shape, self._look(solid)))
        if solid.shape == "box":
            made.matrix_world = blender.turn(solid.at, solid.turn)
        elif solid.shape == "disc":
            made.location = Vector(solid.at) / 1e3
        return made

    def _look(self, solid: Solid) -> bpy.types.Material:
        print_of = (solid.printed, solid.colour, solid.second, solid.pips)
        key = (*print_of, solid.gloss)
        if key not in self.looks:
            image = box_print(*print_of) if solid.printed else None
            self.looks[key] = blender.look("thing", solid.colour, image, gloss=solid.gloss)
        return self.looks[key]
