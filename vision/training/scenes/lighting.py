"""The light of a session, and how it differs from picture to picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.training.scenes.camera import Spot
from vision.training.scenes.looks.board import Board

Tint = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Lamp:
    """A lamp: where it is in mm, the light it sheds on the board's middle (1 is bright), its width in mm."""

    at_mm: Spot
    strength: float
    size_mm: float
    tint: Tint


@dataclass(frozen=True, kw_only=True)
class Sun:
    """Sunlight through a window.

    direction: from the board towards the sun. panes: (left, bottom, right, top) in mm of the light that falls
    through each pane onto the board's plane.
    """

    direction: Spot
    strength: float
    tint: Tint
    softness_deg: float
    panes: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, kw_only=True)
class Glow:
    """A lit LED of the strip beside a point."""

    at_mm: Spot
    tint: Tint
    strength: float


@dataclass(frozen=True, kw_only=True)
class Panorama:
    """A photographed room that lights the board from all around.

    path: an equirectangular picture of its light (.exr, .hdr). turn_rad: by how much it is turned about the
    vertical.
    """

    path: Path
    turn_rad: float


@dataclass(frozen=True, kw_only=True)
class Light:
    """All the light of one picture.

    room: the light from all around (1 is bright). panorama: how it is spread; None if evenly. exposure:
    deviation from the right exposure in stops. balance: gains of red, green and blue.
    """

    kind: str
    room: float
    room_tint: Tint
    panorama: Panorama | None = None
    lamps: tuple[Lamp, ...]
    sun: Sun | None
    glows: tuple[Glow, ...]
    exposure: float
    balance: Tint


LIGHT_KINDS = ("lamps", "window", "sun", "mixed", "coloured", "dim", "flat", "glare")
WARM, DAY, COOL = (1.0, 0.78, 0.52), (1.0, 0.98, 0.95), (0.82, 0.92, 1.0)
LEAST_ROOM = 0.35
"""Least light of a photographed room."""
LED_TINTS: tuple[Tint, ...] = (
    (1, 0.05, 0.03),
    (1, 0.5, 0.05),
    (0.1, 1, 0.15),
    (0.1, 0.25, 1),
    (1, 0.95, 0.9),
)


def _tint(rng: np.random.Generator, coloured: bool = False) -> Tint:
    if coloured:
        red, green, blue = rng.uniform(0.25, 1, 3)
        return float(red), float(green), float(blue)
    one, other = (np.array((WARM, DAY, COOL)[int(k)]) for k in rng.integers(0, 3, 2))
    red, green, blue = one + (other - one) * rng.random()
    return float(red), float(green), float(blue)


def _lamp(
    rng: np.random.Generator,
    at: Spot,
    strength: tuple[float, float],
    size: tuple[float, float],
    coloured: bool = False,
) -> Lamp:
    return Lamp(
        at_mm=at, strength=rng.uniform(*strength), size_mm=rng.uniform(*size), tint=_tint(rng, coloured)
    )


def light_by_chance(rng: np.random.Generator) -> Light:
    """The light that a session begins with."""
    kind = str(rng.choice(LIGHT_KINDS, p=[0.24, 0.16, 0.18, 0.14, 0.06, 0.07, 0.08, 0.07]))
    lamps: list[Lamp] = []
    if kind in ("lamps", "mixed", "coloured", "dim"):
        for _ in range(int(rng.integers(1, 4))):
            angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(100, 1500)
            at = (away * math.cos(angle), away * math.sin(angle), rng.uniform(700, 2200))
            lamps.append(_lamp(rng, at, (0.5, 1.2), (60, 900), kind == "coloured"))
    if kind in ("window", "mixed"):
        angle = rng.uniform(0, 2 * math.pi)
        at = (1900 * math.cos(angle), 1900 * math.sin(angle), rng.uniform(500, 1400))
        lamps.append(_lamp(rng, at, (0.7, 1.5), (700, 1500)))
    if kind == "glare":
        at = (rng.normal(0, 250), rng.uniform(200, 900), rng.uniform(700, 1500))
        lamps.append(_lamp(rng, at, (0.8, 1.6), (80, 500)))
    sun = sun_by_chance(rng) if kind == "sun" or (kind == "mixed" and rng.random() < 0.3) else None
    room = {"flat": 1.0, "dim": rng.uniform(0.02, 0.2), "sun": rng.uniform(0.06, 0.4)}.get(
        kind, rng.uniform(0.1, 0.7)
    )
    return Light(
        kind=kind,
        room=room,
        room_tint=_tint(rng, kind == "coloured" and rng.random() < 0.5),
        lamps=tuple(lamps),
        sun=sun,
        glows=(),
        exposure=rng.normal(-0.6 if kind == "dim" else 0.0, 0.35),
        balance=(1.0, 1.0, 1.0),
    )


def panoramas_in(folder: Path) -> list[Path]:
    """The panoramas (.exr) in a folder. Raises ValueError if there is none."""
    if panoramas := sorted(folder.glob("*.exr")):
        return panoramas
    raise ValueError(f"{folder} has no panoramas (.exr).")


def in_photographed_room(rng: np.random.Generator, light: Light, panoramas: Sequence[Path]) -> Light:
    """The same light, with that of the room from one of these panoramas."""
    panorama = Panorama(
        path=panoramas[int(rng.integers(len(panoramas)))], turn_rad=float(rng.uniform(0, 2 * math.pi))
    )
    return replace(light, room=max(light.room, LEAST_ROOM), panorama=panorama)


def sun_by_chance(rng: np.random.Generator) -> Sun:
    angle, height = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(22, 70))
    direction = (math.cos(angle) * math.cos(height), math.sin(angle) * math.cos(height), math.sin(height))
    return Sun(
        direction=direction,
        strength=rng.uniform(0.8, 2.5),
        tint=_tint(rng),
        softness_deg=float(rng.choice([0.5, 0.5, 1.5, 4.0])),
        panes=panes_by_chance(rng),
    )


def panes_by_chance(rng: np.random.Generator) -> tuple[tuple[float, float, float, float], ...]:
    """The panes of one window, a grid with bars between them; sometimes only the edge of a shadow."""
    if rng.random() < 0.3:
        edge = rng.uniform(-250, 250)
        return (
            ((edge, -3000.0, 3000.0, 3000.0)) if rng.random() < 0.5 else (-3000.0, -3000.0, 3000.0, edge),
        )
    across, down = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    wide, high, gap = rng.uniform(70, 330), rng.uniform(90, 400), rng.uniform(8, 60)
    x0, y0 = rng.uniform(-350, 0) - wide / 2, rng.uniform(-350, 0) - high / 2
    return tuple(
        (
            x0 + k * (wide + gap),
            y0 + n * (high + gap),
            x0 + k * (wide + gap) + wide,
            y0 + n * (high + gap) + high,
        )
        for k in range(across)
        for n in range(down)
    )


def later(rng: np.random.Generator, light: Light, step: int) -> Light:
    """The light of picture `step` of a session: brightness drifts, a lamp may go out, sunlit spots move."""
    share = np.exp(rng.normal(0, 0.10, max(len(light.lamps), 1)))
    if len(light.lamps) > 1 and rng.random() < 0.15:
        share[int(rng.integers(len(light.lamps)))] = 0.0
    lamps = tuple(
        replace(lamp, strength=lamp.strength * float(s)) for lamp, s in zip(light.lamps, share, strict=False)
    )
    sun = light.sun
    if sun is not None:
        dx, dy = step * 22.0 + rng.normal(0, 25), step * 9.0 + rng.normal(0, 15)
        cloudy = float(rng.choice([1.0, 1.0, 0.5, 0.1]))
        sun = replace(
            sun,
            strength=sun.strength * cloudy * float(np.exp(rng.normal(0, 0.15))),
            panes=tuple((a + dx, b + dy, c + dx, d + dy) for a, b, c, d in sun.panes),
        )
    red, blue = np.exp(rng.normal(0, 0.04, 2))
    return replace(
        light,
        room=light.room * float(np.exp(rng.normal(0, 0.12))),
        lamps=lamps,
        sun=sun,
        exposure=light.exposure + rng.normal(0, 0.15),
        balance=(float(red), 1.0, float(blue)),
    )


def glows_by_chance(rng: np.random.Generator, board: Board) -> tuple[Glow, ...]:
    """A few lit LEDs of the strip."""
    tint = LED_TINTS[int(rng.integers(len(LED_TINTS)))]
    made = []
    for place in rng.choice(24, int(rng.integers(1, 7)), replace=False):
        outward = 1 if place < 12 else -1
        at = (
            board.column_x(int(place)),
            board.rim_y(int(place)) + outward * min(board.rim * 0.4, 6.0),
            board.wall + 1.0,
        )
        if rng.random() < 0.2:
            tint = LED_TINTS[int(rng.integers(len(LED_TINTS)))]
        made.append(Glow(at_mm=at, tint=tint, strength=rng.uniform(0.1, 0.8)))
    return tuple(made)
