"""Vertices and faces of boxes, capsules, turned checkers and windows, in metres, without Blender."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.training.scenes.camera import Floats

Faces = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """vertices: (N, 3) metres. faces: (M, 4) vertex numbers. uv: (M, 4, 2) texture coordinates of corners."""

    vertices: Floats
    faces: Faces
    uv: Floats
    smooth: bool = True


def _grid(columns: int, rows: int) -> Faces:
    """The faces of a grid of (rows, columns) vertices."""
    y, x = np.mgrid[0 : rows - 1, 0 : columns - 1]
    first = (y * columns + x).ravel()
    return np.stack([first, first + 1, first + columns + 1, first + columns], axis=1)


def rounded_box(size_mm: tuple[float, float, float], radius_mm: float, metric_mm: float = 0.0) -> Shape:
    """A box about (0, 0, 0).

    metric_mm: size of the repeated texture, 0 for a sheet of six faces as in `prints.py`.
    """
    half = np.array(size_mm) / 2
    radius = min(radius_mm, 0.49 * float(min(size_mm)))
    steps = np.array([-1.0, 1.0])
    if radius > 0:
        bend = np.array([0.0, 0.38, 1.0])
        steps = np.concatenate([-1 + bend * 0.5, 1 - bend[::-1] * 0.5])
    vertices: list[Floats] = []
    faces: list[Faces] = []
    uvs: list[Floats] = []
    for number, (axis, sign) in enumerate(((2, 1), (2, -1), (0, 1), (0, -1), (1, -1), (1, 1))):
        one, other = {(2, 1): (0, 1), (2, -1): (0, 1), (0, 1): (1, 2), (0, -1): (1, 2)}.get(
            (axis, sign), (0, 2)
        )
        spots = []
        for b in steps:
            for a in steps:
                at = np.zeros(3)
                for k, value in ((one, a), (other, b)):
                    inner = half[k] - radius
                    at[k] = (
                        value * half[k]
                        if abs(value) == 1
                        else math.copysign(inner + radius * (abs(value) - 0.5) * 2, value)
                    )
                at[axis] = sign * half[axis]
                core = np.clip(at, -(half - radius), half - radius)
                off = at - core
                long = float(np.linalg.norm(off))
                spots.append(core + off / long * radius if long > 0 and radius > 0 else at)
        spot = np.array(spots)
        grid = _grid(len(steps), len(steps))
        normal = np.cross(spot[grid[0, 1]] - spot[grid[0, 0]], spot[grid[0, 3]] - spot[grid[0, 0]])
        flat = np.stack([spot[:, one], spot[:, other]], axis=1)
        if normal[axis] * sign < 0:
            grid, flat[:, 0] = grid[:, ::-1], -flat[:, 0]
        if metric_mm:
            uv = flat / metric_mm + number * 0.37
        else:
            uv = np.clip(flat / (2 * half[[one, other]]) + 0.5, 0.01, 0.99)
            uv = (uv + np.array([number % 3, 1 - number // 3])) / np.array([3, 2])
        faces.append(grid + sum(len(v) for v in vertices))
        uvs.append(uv[grid])
        vertices.append(spot)
    return Shape(
        vertices=np.concatenate(vertices) / 1e3,
        faces=np.concatenate(faces),
        uv=np.concatenate(uvs),
        smooth=radius > 0,
    )


def turned_on_a_lathe(profile_mm: list[tuple[float, float]], radius_mm: float, turns: int = 48) -> Shape:
    """A profile (radius, height) turned about the vertical axis; its texture is projected from above."""
    angles = np.linspace(0, 2 * math.pi, turns + 1)
    r, z = (np.array([p[k] for p in profile_mm]) for k in (0, 1))
    x, y = np.outer(r, np.cos(angles)), np.outer(r, np.sin(angles))
    vertices = np.stack([x, y, np.repeat(z[:, None], turns + 1, axis=1)], axis=2).reshape(-1, 3)
    faces = _grid(turns + 1, len(profile_mm))
    uv = np.clip(vertices[:, :2] / radius_mm * 0.49 + 0.5, 0, 1)
    return Shape(vertices=vertices / 1e3, faces=faces, uv=uv[faces])


def capsule(one: Floats, other: Floats, thick: float, thin: float) -> Shape:
    """Two balls and what lies between them; radius `thick` at `one`, `thin` at `other`; in mm."""
    along = other - one
    long = float(np.linalg.norm(along)) or 1e-6
    axis = along / long
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    third = np.cross(axis, side)
    turn = np.linspace(0, math.pi / 2, 5)
    profile = [(thick * math.sin(a), -thick * math.cos(a)) for a in turn]
    profile += [(thin * math.cos(a), long + thin * math.sin(a)) for a in turn]
    angles = np.linspace(0, 2 * math.pi, 17)
    ring = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * third
    vertices = np.concatenate([one + axis * h + ring * r for r, h in profile])
    faces = _grid(len(angles), len(profile))
    uv = np.stack(
        [np.tile(angles / 6.3, len(profile)), np.repeat([h / 200 for _, h in profile], len(angles))], axis=1
    )
    return Shape(vertices=vertices / 1e3, faces=faces, uv=uv[faces])


def plane(
    low_mm: tuple[float, float], high_mm: tuple[float, float], z_mm: float, repeat_mm: float = 0.0
) -> Shape:
    """A horizontal rectangle; its texture fills it, or repeats every `repeat_mm`."""
    spots = np.array([low_mm, (high_mm[0], low_mm[1]), high_mm, (low_mm[0], high_mm[1])])
    vertices = np.concatenate([spots, np.full((4, 1), z_mm)], axis=1) / 1e3
    uv = spots / repeat_mm if repeat_mm else np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    return Shape(vertices=vertices, faces=np.array([[0, 1, 2, 3]]), uv=uv[None], smooth=False)


def shutter(
    panes: tuple[tuple[float, float, float, float], ...], reach_mm: float, off_mm: tuple[float, float, float]
) -> Shape:
    """A wall with openings, moved by `off_mm` towards the sun. panes: where their light falls on z = 0."""
    xs, ys = (
        np.unique(np.clip([-reach_mm, reach_mm, *(p[k] for p in panes for k in ends)], -reach_mm, reach_mm))
        for ends in ((0, 2), (1, 3))
    )
    grid = _grid(len(xs), len(ys))
    spots = np.array([(x, y, 0.0) for y in ys for x in xs])
    middles = spots[grid].mean(axis=1)
    shut = np.array(
        [not any(bool(p[0] < m[0] < p[2] and p[1] < m[1] < p[3]) for p in panes) for m in middles], dtype=bool
    )
    faces = grid[shut]
    return Shape(
        vertices=(spots + np.array(off_mm)) / 1e3, faces=faces, uv=np.zeros((len(faces), 4, 2)), smooth=False
    )


def checker_profile(
    rng: np.random.Generator, look: str, radius: float, thickness: float
) -> list[tuple[float, float]]:
    """The profile (radius, height) of a checker in mm, from the foot's edge to the middle of the top."""
    bevel = rng.uniform(0.03, 0.12) * radius if rng.random() < 0.8 else 0.45 * thickness
    bevel = min(bevel, 0.45 * thickness)
    turns = np.linspace(0, math.pi / 2, 4)
    points = [(radius - bevel + bevel * math.sin(a), bevel - bevel * math.cos(a)) for a in turns]
    points += [(radius - bevel + bevel * math.cos(a), thickness - bevel + bevel * math.sin(a)) for a in turns]
    inner = radius - bevel
    grooves = {"ringed": int(rng.integers(1, 4)), "ridged": int(rng.integers(3, 7))}.get(
        look, int(rng.random() < 0.2)
    )
    depth = rng.uniform(0.02, 0.06) * radius
    for _ in range(grooves):
        half = radius * (0.035 if look == "ridged" else rng.uniform(0.03, 0.09))
        middle = inner - half - radius * (0.02 if look == "ridged" else rng.uniform(0.03, 0.2))
        if middle - half < 0.2 * radius:
            break
        points += [(middle + half, thickness), (middle + 0.5 * half, thickness - depth)]
        points += [(middle - 0.5 * half, thickness - depth), (middle - half, thickness)]
        inner = middle - half
    height = {"domed": rng.uniform(0.03, 0.1), "dished": -rng.uniform(0.04, 0.12)}.get(
        look, rng.normal(0, 0.01)
    ) * radius
    reach = inner * rng.uniform(0.75, 0.97)
    return points + [
        (reach * (1 - s), thickness + height * math.sin(s * math.pi / 2)) for s in np.linspace(0, 1, 6)
    ]
