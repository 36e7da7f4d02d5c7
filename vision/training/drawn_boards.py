"""Draws random boards for the reader, already flattened: thousands of kinds in minutes, beside renderings.

In a flattened picture, what is h mm high is enlarged by H / (H - h) about the camera's foot (H: its height),
and a checker's rims stay circles. So flattened pictures can be drawn exactly; only their light is invented.

    python -m vision.training.drawn_boards CACHE --boards 0 500
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks.strips import N_PLACES, N_POINTS, column_middles, is_top
from vision.training.drawn_measures import LyingChecker, Measures
from vision.training.drawn_positions import position_by_chance, start_position
from vision.training.flat_boards import (
    FLAT_WH,
    MARGIN_X,
    MARGIN_Y,
    START,
    Labels,
    padded_faces,
    write_kept,
)
from vision.training.grains import (
    CLOTHS_BGR,
    CLOTHS_MORE_BGR,
    DARK_BGR,
    DARK_MORE_BGR,
    LIGHT_BGR,
    grain_by_chance,
    tone_near,
)
from vision.training.scenes.objects.piling import MIDDLE_REACH

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]
Colour = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

PX_PER_MM = 1.45
PICTURES_OF_A_BOARD = 8
EQUALLY_BRIGHT_SHARE = 0.2
"""Share of boards whose sides may differ in hue alone; guess."""
WAYS = ("on", "on", "bridge", "inward", "tower")
"""How people pile: straight on the row, between two checkers of it, on its inner end, or in towers."""


class Drawer:
    """Chooses the looks of one board and draws its pictures."""

    def __init__(self, rng: Rng) -> None:
        self.rng, self.m = rng, Measures.by_chance(rng)
        width, height = self.m.field_wh
        self.scale = PX_PER_MM * 560 / width
        self.size = (
            round(width * (1 + 2 * MARGIN_X) * self.scale),
            round(height * (1 + 2 * MARGIN_Y) * self.scale),
        )
        self._paint()
        self.faces = [self._faces(side) for side in (0, 1)]
        self.light = np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)]) * rng.uniform(0, 1.6)
        self.shadow, self.soft = rng.uniform(0.1, 0.65), rng.uniform(0.6, 7)
        self.row = int(rng.choice([4, 5, 5, 5, 5, 6]))
        self.way = str(rng.choice(WAYS))
        self.untidy = rng.uniform(0, 0.12)
        self.gap = rng.uniform(0.0, 0.05)
        self.rim = rng.uniform(0, 0.05) if rng.random() < 0.75 else rng.uniform(0, 0.5)
        self.blur = np.exp(rng.uniform(-2, 0.6, 2))
        self.resolution = rng.uniform(0.55, 1.0), rng.uniform(0.45, 1.0)
        self.noise = rng.uniform(0, 4)
        self.wood_grain = grain_by_chance(rng, self.size)
        self.thick = rng.uniform(10, 40)
        self.bar_wood = (
            self.wood if rng.random() < 0.7 else np.clip(self.cloth * rng.uniform(0.6, 1.3), 0, 250)
        )
        sheen = cv2.resize(
            rng.normal(0, 1, (3, 3)).astype(np.float32), self.size, interpolation=cv2.INTER_CUBIC
        )
        self.sheen = np.maximum(sheen, 0)

    def px(self, mm: npt.ArrayLike) -> Colour:
        """Convert (..., 2) mm from the field's middle to pixels of the drawing."""
        size = np.array(self.m.field_wh)
        return (np.asarray(mm) + size * (0.5 + np.array([MARGIN_X, MARGIN_Y]))) * self.scale

    # -- the board

    def _paint(self) -> None:
        """Choose the colours of walls, table and both sides, and draw table and field."""
        rng = self.rng
        cloths = CLOTHS_BGR + CLOTHS_MORE_BGR
        wild = rng.random() < 0.2
        self.cloth = rng.uniform(15, 235, 3) if wild else tone_near(rng, cloths)
        tones = [tone_near(rng, LIGHT_BGR + cloths), tone_near(rng, DARK_BGR + DARK_MORE_BGR + cloths)]
        points = [rng.uniform(15, 240, 3) if wild else tone for tone in tones]
        if rng.random() < 0.15:
            points[int(rng.integers(2))] = np.clip(self.cloth * rng.uniform(0.75, 1.3), 5, 250)
        light = rng.uniform(120, 250, 3) if rng.random() < 0.2 else tone_near(rng, LIGHT_BGR, 10)
        dark = (
            rng.uniform(10, 140, 3) if rng.random() < 0.25 else tone_near(rng, DARK_BGR + DARK_MORE_BGR, 10)
        )
        if rng.random() < 0.2:
            light = points[0] + rng.normal(0, 10, 3)
        if rng.random() < 0.2:
            dark = points[1] + rng.normal(0, 10, 3)
        apart = 25 if rng.random() > EQUALLY_BRIGHT_SHARE else 4
        if light.mean() < dark.mean() + apart:
            light = np.clip(light + 2 * apart + 10 + dark.mean() - light.mean(), 0, 250)
            dark = np.clip(dark, 5, 190)
        self.sides = [np.clip(light, 5, 252), np.clip(dark, 5, 252)]
        self.wood = tone_near(rng, DARK_BGR + CLOTHS_MORE_BGR + DARK_MORE_BGR)
        self.table = rng.uniform(20, 220, 3)
        canvas = np.empty((self.size[1], self.size[0], 3), np.float32)
        canvas[:] = self.table
        canvas *= 1 + 0.06 * grain_by_chance(rng, self.size)[..., None]
        self._field(canvas, points)
        self.bare = canvas

    def _field(self, canvas: Floats, points: list[Colour]) -> None:
        rng, (width, height) = self.rng, self.m.field_wh
        low, high = self.px((-width / 2, -height / 2)), self.px((width / 2, height / 2))
        field = np.empty_like(canvas)
        field[:] = self.cloth
        middles, columns = column_middles(self.m.bar_edges)
        length, narrow = rng.uniform(0.34, 0.47), rng.uniform(0.85, 1.0)
        outlined = rng.random() < 0.3
        outline = np.clip(self.cloth + rng.normal(0, 90, 3), 0, 255)
        shape = rng.choice(["triangle", "triangle", "triangle", "spear", "bar", "drop", "drop"])
        off_base = rng.uniform(0, 0.02) * height if rng.random() < 0.5 else 0.0
        first = rng.integers(2)
        for place in range(24):
            y0 = -height / 2 if place < 12 else height / 2
            inward = 1.0 if place < 12 else -1.0
            x, half = (middles[place] - 0.5) * width, columns[place] * width / 2 * narrow
            tip = y0 + inward * length * height
            if shape == "triangle":
                mm = [(x - half, y0), (x + half, y0), (x, tip)]
            elif shape == "spear":
                waist = y0 + inward * length * height * 0.25
                mm = [
                    (x - half * 0.6, y0),
                    (x - half, waist),
                    (x, tip),
                    (x + half, waist),
                    (x + half * 0.6, y0),
                ]
            elif shape == "drop":
                turn, middle = np.linspace(0, np.pi, 13), y0 + inward * (half + off_base)
                round_x, round_y = x + half * np.cos(turn), middle - inward * half * np.sin(turn)
                mm = [*zip(round_x, round_y, strict=True), (x, tip)]
            else:
                mm = [(x - half, y0), (x + half, y0), (x + half * 0.5, tip), (x - half * 0.5, tip)]
            corners = np.round(self.px(mm) * 16).astype(np.int32)
            tone = points[(place + place // 12 + first) % 2]
            cv2.fillPoly(field, [corners], tone.tolist(), cv2.LINE_AA, 4)
            if outlined:
                cv2.polylines(
                    field, [corners], True, outline.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA, 4
                )
        grain = grain_by_chance(rng, self.size) * rng.choice([0.02, 0.05, 0.1, 0.2])
        field *= 1 + grain[..., None]
        if rng.random() < 0.4:
            field += (grain_by_chance(rng, self.size) * rng.uniform(2, 14))[..., None] * rng.uniform(
                0.4, 1, 3
            ).astype(np.float32)
        y, x = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        canvas[y, x] = field[y, x]

    def _box(
        self,
        canvas: Floats,
        part: tuple[float, float, float, float],
        high: float,
        colour: Colour,
        grain: float,
    ) -> None:
        """Draw a box with its visible sides. part: left, top, right, bottom in mm. high: in mm."""
        left, top, right, bottom = part
        base = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        lid = self._sides(canvas, base, high, colour * 0.55)
        mask = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(mask, [lid], 255, cv2.LINE_AA, 4)
        x, y, w, h = cv2.boundingRect(mask)
        window = (slice(y, y + h), slice(x, x + w))
        share = mask[window][..., None].astype(np.float32) / 255
        shade = colour * (1 + grain * self.wood_grain[window][..., None])
        canvas[window] = canvas[window] * (1 - share) + share * shade.astype(np.float32)

    def _sides(self, canvas: Floats, base: Colour, high: float, colour: Colour) -> npt.NDArray[np.int32]:
        """Draw the sides of a box. base: (4, 2) mm. Returns (4, 2) its lid, in sixteenths of a pixel."""
        lid = self.px(self.m.seen(base, high)[0])
        hull = cv2.convexHull(np.concatenate([self.px(base), lid]).astype(np.float32))
        cv2.fillPoly(canvas, [np.round(hull * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)
        return np.round(lid * 16).astype(np.int32)

    def _walls(self, canvas: Floats, near: bool) -> None:
        """Draw the walls that lean away from the field, or with `near` those that lean over it."""
        width, height = (v / 2 for v in self.m.field_wh)
        thick, (fx, fy) = self.thick, self.m.foot_xy
        parts = {
            (-width - thick, -height - thick, width + thick, -height): fy < -height,
            (-width - thick, height, width + thick, height + thick): fy > height,
            (-width - thick, -height, -width, height): fx < -width,
            (width, -height, width + thick, height): fx > width,
        }
        for part, leaning in parts.items():
            if leaning == near:
                self._box(canvas, part, self.m.wall, self.wood, 0.08)

    # -- checkers

    def _faces(self, side: int) -> list[Floats]:
        """Six (n, n, 4) pictures of a side's face: colours and opacity."""
        rng = self.rng
        n = 2 * int(np.ceil(self.m.diameter * self.scale * 0.62)) + 1
        y, x = (np.mgrid[:n, :n] - n // 2) / (self.m.diameter * self.scale / 2)
        r = np.hypot(x, y)
        edge = 1 / (self.m.diameter * self.scale / 2)
        if side == 0 or rng.random() < 0.3:
            self._face_kind = (
                rng.choice(["plain", "rings", "dished", "domed", "inlaid"]),
                np.sort(rng.uniform(0.25, 0.95, rng.integers(1, 4))),
                rng.uniform(0.02, 0.08),
                rng.uniform(-0.35, 0.25),
                rng.uniform(0.82, 0.97),
                rng.uniform(-0.3, 0.3),
            )
        kind, rings, ring_width, ring_shade, bevel, bevel_shade = self._face_kind
        shade = np.ones_like(r)
        angle = rng.uniform(0, 2 * np.pi)
        slope = x * np.cos(angle) + y * np.sin(angle)
        shade += np.where(r > bevel, bevel_shade * 0.4 + 0.2 * slope, 0)
        if kind in ("rings", "inlaid"):
            for ring in rings:
                shade += ring_shade * np.exp(-(((r - ring) / ring_width) ** 2)) * (1 + 0.7 * slope)
        if kind == "dished":
            shade += np.where(r < rings[-1], -0.12 + 0.16 * slope * (r / rings[-1]) ** 2, 0)
        if kind == "domed":
            shade += 0.2 * slope
        gloss = rng.uniform(0, 0.8) ** 2 * 160
        spot = rng.uniform(-0.5, 0.5, 2)
        inlay = np.clip(self.sides[side] * (0.75 if side == 0 else 1.5), 5, 250)
        faces = []
        strength = rng.choice([0.0, 0.02, 0.06, 0.15])
        for _ in range(6):
            colour = self.sides[side] * rng.uniform(0.95, 1.05) + rng.normal(0, 1.5, 3)
            tone = np.ones((n, n, 1)) * colour
            if kind == "inlaid":
                tone = np.where((r < rings[0])[..., None], inlay, tone)
            tone = tone * (shade + strength * grain_by_chance(rng, (n, n)))[..., None]
            at = spot + rng.normal(0, 0.06, 2)
            wide = 0.12 + 0.3 * (1 - gloss / 160)
            tone += gloss * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2))[..., None]
            cover = np.clip((1 - r) / edge / 1.5 + 0.5, 0, 1)
            faces.append(np.dstack([np.clip(tone, 0, 255), cover]).astype(np.float32))
        self.side_shade = rng.uniform(0.5, 0.95)
        return faces

    def lay(self, counts: Counts) -> list[LyingChecker]:
        """Choose where each checker of a position lies."""
        rng, m = self.rng, self.m
        (width, height), d = m.field_wh, m.diameter
        middles, _ = column_middles(m.bar_edges)
        lying, used = [], [0, 0]
        for place in range(N_PLACES):
            spots: list[tuple[float, float, int]] = []
            total = int(counts[place].sum())
            tight = d * (1 + rng.uniform(0, self.gap))
            start = d * (0.5 + self.rim) + abs(rng.normal(0, 0.04)) * d
            if place >= 24:
                start = self._start_on_bar(place, d)
            row = self.row if rng.random() < 0.9 else int(rng.integers(3, 8))
            row = max(min(row, int((height / 2 + d) / tight)), 2)
            way = self.way if rng.random() < 0.85 else str(rng.choice(WAYS))
            tower = int(rng.integers(2, 6))
            for n in range(total):
                if place >= 24:
                    spots.append(self._spot_on_bar(n, tight, start))
                else:
                    spots.append(self._spot(n, way, tower if way == "tower" else row, tight, start))
            aside, sway = rng.normal(0, 0.05) * d, rng.normal(0, 0.012)
            sides = [0] * int(counts[place, 0]) + [1] * int(counts[place, 1])
            if rng.random() < 0.5:
                sides.reverse()
            for (inward, shift, layer), side in zip(spots, sides, strict=True):
                x = (
                    (middles[place] - 0.5) * width
                    + aside
                    + sway * inward
                    + shift
                    + rng.normal(0, self.untidy) * d * 0.5
                )
                y = inward + rng.normal(0, self.untidy) * d * 0.4
                y = y - height / 2 if is_top()[place] else height / 2 - y
                foot = layer * m.thickness + (m.bar_height if place >= 24 else 0)
                lying.append(LyingChecker(xy=(x, y), foot=foot, side=side, layer=layer, piece=used[side]))
                used[side] += 1
        return lying

    def _spot(self, n: int, way: str, row: int, tight: float, start: float) -> tuple[float, float, int]:
        """The n-th checker of a point: its distance from the rim, its shift aside, and its layer."""
        if way == "tower":
            along, layer = divmod(n, row)
            return start + along * tight, float(self.rng.normal(0, 0.03) * tight), layer
        if way == "bridge":
            layer, left, long = 0, n, row
            while left >= long and long > 1:
                left, long, layer = left - long, long - 1, layer + 1
            return start + (left + 0.5 * layer) * tight, 0.0, layer
        layer, left = divmod(n, row)
        if way == "inward" and layer:
            left = row - 1 - left
        return start + left * tight + layer * self.rng.normal(0, 0.06) * tight, 0.0, layer

    def _start_on_bar(self, place: int, d: float) -> float:
        """Distance of a bar half's first checker from the rim: it lies near the rim or near the middle.

        A checker in the very middle counts for the top half.
        """
        if self.rng.random() < 0.2:
            return float(self.rng.uniform(0.5, 1) * d)
        beyond = MIDDLE_REACH if place == N_POINTS else -MIDDLE_REACH
        spread = self.rng.uniform(0, 0.3) if self.rng.random() < 0.5 else self.rng.uniform(0, 1.4)
        return float(self.m.field_wh[1] / 2 + d * (beyond - spread))

    @staticmethod
    def _spot_on_bar(n: int, tight: float, start: float) -> tuple[float, float, int]:
        """Like `_spot`, on a half of the bar: rows from the rim inwards, or from the middle outwards."""
        step = n % 4
        return start + (step if start < 3 * tight else -step) * tight, 0.0, n // 4

    def _checkers(self, canvas: Floats, lying: list[LyingChecker]) -> None:
        foot = np.array(self.m.foot_xy)
        thickness, radius = self.m.thickness, self.m.diameter / 2
        for layer in range(max((c.layer for c in lying), default=-1) + 1):
            own = sorted(
                (c for c in lying if c.layer == layer),
                key=lambda c: -float(np.hypot(*(np.array(c.xy) - foot))),
            )
            mask = np.zeros(canvas.shape[:2], np.uint8)
            for c in own:
                for part in np.linspace(0, 1, 4):
                    at, k = self.m.seen(np.array(c.xy), c.foot)
                    self._disc(mask, at + self.light * thickness * part, radius * k * 0.99, (255,))
            for sigma, share in ((self.soft, self.shadow), (2.5, 0.25)):
                dark = cv2.GaussianBlur(mask, (0, 0), sigma).astype(np.float32) / 255
                canvas *= (1 - share * dark)[..., None]
            for c in own:
                self._checker(canvas, c, radius, thickness)

    def _checker(self, canvas: Floats, c: LyingChecker, radius: float, thickness: float) -> None:
        low, k_low = self.m.seen(np.array(c.xy), c.foot)
        high, k_high = self.m.seen(np.array(c.xy), c.foot + thickness)
        colour = self.sides[c.side] * self.side_shade
        lean = (high - low) / (np.linalg.norm(high - low) + 1e-6)
        steps = max(2, int(np.linalg.norm(high - low) * self.scale / 2))
        for part in np.linspace(0, 1, steps):
            tone = colour * (0.75 + 0.25 * part) * (1 - 0.15 * float(lean @ self.light / 1.6))
            self._disc(
                canvas, low + (high - low) * part, radius * (k_low + (k_high - k_low) * part), tone.tolist()
            )
        self._place(canvas, self.faces[c.side][c.piece % 6], self.px(high), k_high)

    def _disc(self, canvas: npt.NDArray[np.generic], mm: Colour, radius: float, colour: object) -> None:
        x, y = np.round(self.px(mm) * 16).astype(int)
        cv2.circle(canvas, (int(x), int(y)), int(radius * self.scale * 16), colour, -1, cv2.LINE_AA, 4)  # type: ignore[call-overload]

    def _place(self, canvas: Floats, face: Floats, at_px: Colour, k: float) -> None:
        """Paint a face's picture, enlarged by k, with its middle at `at_px`."""
        n = face.shape[0]
        left, top = np.floor(at_px).astype(int) - n // 2 - 1
        size = n + 2
        move = np.array([[k, 0, at_px[0] - left - k * (n // 2)], [0, k, at_px[1] - top - k * (n // 2)]])
        moved = cv2.warpAffine(face, move, (size, size), flags=cv2.INTER_LINEAR)
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + size, canvas.shape[1]), min(top + size, canvas.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        part = moved[y0 - top : y1 - top, x0 - left : x1 - left]
        cover = part[..., 3:]
        canvas[y0:y1, x0:x1] = canvas[y0:y1, x0:x1] * (1 - cover) + part[..., :3] * cover

    # -- dice

    def _cubes(self, canvas: Floats) -> None:
        rng, (width, height) = self.rng, self.m.field_wh
        for _ in range(int(rng.choice([0, 2, 2, 3]))):
            edge = rng.uniform(9, 16)
            at = np.array([rng.uniform(-0.5, 0.5) * width, rng.uniform(-0.16, 0.16) * height])
            colour = np.array((235, 235, 235)) if rng.random() < 0.6 else rng.uniform(10, 240, 3)
            pips = np.array((20, 20, 20)) if colour.mean() > 120 else np.array((235, 235, 235))
            turn = rng.uniform(0, np.pi)
            axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * edge / 2
            base = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes + at
            lid = self._sides(canvas, base, edge, colour * 0.65)
            cv2.fillPoly(canvas, [lid], colour.tolist(), cv2.LINE_AA, 4)
            for spot in rng.choice([-0.5, 0, 0.5], (int(rng.integers(1, 6)), 2)):
                mm, _ = self.m.seen(spot @ axes + at, edge)
                self._disc(canvas, mm, edge * 0.1, pips.tolist())

    # -- pictures

    def _seen_faces(self, lying: list[LyingChecker]) -> list[tuple[float, float, int, int]]:
        """Visible top faces of the checkers, as `flat_boards.Labels.faces` lists them."""
        faces = []
        for c in lying:
            over = any(
                o.layer > c.layer and np.hypot(o.xy[0] - c.xy[0], o.xy[1] - c.xy[1]) < 0.45 * self.m.diameter
                for o in lying
            )
            if not over:
                at, _ = self.m.seen(np.array(c.xy), c.foot + self.m.thickness)
                x, y = self.px(at) / np.array(self.size) * np.array(FLAT_WH) - 0.5
                faces.append((float(x), float(y), c.layer, c.side))
        return faces

    def picture(self, counts: Counts) -> npt.NDArray[np.uint8]:
        """Draw a flattened picture of a position."""
        return self.picture_and_faces(counts)[0]

    def picture_and_faces(self, counts: Counts) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        """Draw a flattened picture of a position; also returns its faces (see `flat_boards.Labels`)."""
        rng = self.rng
        canvas = self.bare.copy()
        self._walls(canvas, near=False)
        if self.m.bar > 12:
            half, height = self.m.bar / 2, self.m.field_wh[1] / 2
            self._box(canvas, (-half, -height, half, height), self.m.bar_height, self.bar_wood, 0.08)
        lying = self.lay(counts)
        self._checkers(canvas, lying)
        self._cubes(canvas)
        self._walls(canvas, near=True)
        canvas += rng.uniform(0, 30) * self.sheen[..., None]
        shrunk = (round(FLAT_WH[0] * self.resolution[0]), round(FLAT_WH[1] * self.resolution[1]))
        flat = cv2.resize(canvas, FLAT_WH, interpolation=cv2.INTER_AREA)
        flat = cv2.GaussianBlur(flat, (0, 0), max(self.blur[0], 0.3), sigmaY=max(self.blur[1], 0.3))
        flat = cv2.resize(flat, shrunk, interpolation=cv2.INTER_AREA)
        flat += rng.normal(0, self.noise, flat.shape).astype(np.float32)
        flat = cv2.resize(flat, FLAT_WH, interpolation=cv2.INTER_LINEAR)
        return np.clip(flat, 0, 255).astype(np.uint8), padded_faces(self._seen_faces(lying))


def draw(kept: Path, seed: int) -> None:
    """Draw a board and keep its flattened pictures, as `flat_boards.keep` does."""
    rng = np.random.default_rng([77, seed])
    drawer = Drawer(rng)
    positions = [start_position(rng)] + [position_by_chance(rng) for _ in range(PICTURES_OF_A_BOARD - 1)]
    pictures, labels = [], []
    for number, counts in enumerate(positions):
        picture, faces = drawer.picture_and_faces(counts)
        pictures.append(picture)
        labels.append(
            Labels(
                kind="play" if number else START,
                counts=counts,
                hidden=np.zeros(N_PLACES, np.float32),
                hand=0.0,
                pad=0.0,
                lean=drawer.m.leans(),
                faces=faces,
            )
        )
    write_kept(kept, pictures, labels, family="drawn", bar=drawer.m.bar_edges)


def kept_name(cache: Path, seed: int) -> Path:
    """The path of a drawn board's files, without the ending."""
    return cache / f"drawn-{seed:05d}"


def draw_all(cache: Path, boards: int) -> list[Path]:
    """Draw so many boards, unless their files exist. Returns their kept names."""
    kept = [kept_name(cache, seed) for seed in range(boards)]
    for seed, name in enumerate(kept):
        if not name.with_suffix(".npz").exists():
            draw(name, seed)
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cache", type=Path)
    parser.add_argument("--boards", type=int, nargs=2, default=(0, 500), metavar=("FROM", "UNTIL"))
    given = parser.parse_args()
    cv2.setNumThreads(1)
    for seed in range(*given.boards):
        draw(kept_name(given.cache, seed), seed)


if __name__ == "__main__":
    main()
