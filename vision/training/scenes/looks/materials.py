"""Pictures of materials: wood, felt, mosaic and the like, (H, W, 3) red, green, blue from 0 to 1 (sRGB)."""

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scenes.looks.paint import Image, any_colour, mixed, neighbour, noise, shaded, squares
from vision.training.scenes.looks.tones import Rgb


def plain(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    return shaded(colour, rng.uniform(0, 0.03) * noise(rng, size_wh, (3, 3)))


def wood(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Grain along x or y, fine or coarse, with rings and sometimes boards side by side."""
    across = rng.random() < 0.5
    wide, high = size_wh if not across else size_wh[::-1]
    y = np.linspace(0, 1, high, dtype=np.float32)[:, None]
    warp = noise(rng, (wide, high), (2, 3), 2) * rng.uniform(0.003, 0.045)
    rings = rng.uniform(4, 40)
    phase = (y + warp) * rings
    if rng.random() < 0.35:
        boards = int(rng.integers(2, 7))
        phase = phase + np.floor(y * boards) * 7.3
    grain = 0.5 + 0.5 * np.sin(2 * math.pi * (phase + 0.25 * noise(rng, (wide, high), (3, 30), 2)))
    fine = noise(rng, (wide, high), (rng.uniform(4, 20), rng.uniform(80, 250)), 2)
    strength = 0.03 + 0.3 * rng.random() ** 2
    darker = shaded(neighbour(rng, colour, 0.1), np.zeros((high, wide), dtype=np.float32) - strength)
    made = mixed(shaded(colour, rng.uniform(0.01, 0.08) * fine), darker, grain ** rng.uniform(0.7, 3) * 0.9)
    if rng.random() < 0.3:
        parts = int(rng.integers(2, 6))
        cut = np.repeat(rng.normal(0, 0.08, parts), -(-high // parts))[:high]
        made = np.clip(made * (1 + cut[:, None, None].astype(np.float32)), 0, 1)
    return np.ascontiguousarray(made.transpose(1, 0, 2)) if across else made


def burl(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Root wood: swirling streaks."""
    cells = rng.uniform(2, 7)
    swirl = noise(rng, size_wh, (cells, cells * rng.uniform(0.4, 2)), 3)
    lines = np.sin(swirl * rng.uniform(6, 16))
    made = shaded(colour, 0.06 * noise(rng, size_wh, (60, 60), 2))
    return mixed(made, neighbour(rng, colour, 0.4), 0.5 * (lines > rng.uniform(0, 0.7)) * 0.8)


def bamboo(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    wide, high = size_wh
    strips = int(rng.integers(12, 50))
    tone = np.repeat(rng.normal(0, 0.07, strips), -(-high // strips))[:high].astype(np.float32)
    made = shaded(colour, tone[:, None] + 0.03 * noise(rng, size_wh, (5, 200), 2))
    for strip in range(strips):
        for _ in range(int(rng.integers(0, 4))):
            x, y = int(rng.integers(wide)), strip * high // strips
            made[y : y + high // strips, x : x + 4] *= 0.8
    return made


def fibres(depth: float, cells: float) -> Callable[[np.random.Generator, Rgb, tuple[int, int]], Image]:
    """A function that draws felt and the like: fine noise and large patches."""

    def made(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
        fine = noise(rng, size_wh, (cells, cells), 2) * depth * rng.uniform(0.4, 1.4)
        return shaded(colour, fine + noise(rng, size_wh, (4, 3)) * rng.uniform(0, 0.06))

    return made


def carpet(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    wide, high = size_wh
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    step = rng.uniform(6, 14)
    knots = np.sin(x * 2 * math.pi / step) * np.sin(y * 2 * math.pi / step)
    return shaded(colour, (0.22 * knots + 0.10 * noise(rng, size_wh, (150, 150), 1)).astype(np.float32))


def leather(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    lumps = noise(rng, size_wh, (rng.uniform(60, 160),) * 2, 2)
    return shaded(colour, rng.uniform(0.03, 0.10) * np.abs(lumps) + 0.03 * noise(rng, size_wh, (5, 4)))


def crocodile(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Scales in rows with dark seams."""
    wide, high = size_wh
    rows = rng.uniform(14, 40)
    warp = noise(rng, size_wh, (8, 8), 2) * 0.25
    x, y = np.meshgrid(np.linspace(0, rows * wide / high * 0.7, wide), np.linspace(0, rows, high))
    y = y + warp
    x = x + 0.5 * (np.floor(y) % 2) + warp
    seam = np.maximum(np.abs(x % 1 - 0.5), np.abs(y % 1 - 0.5)) * 2
    return shaded(colour, (0.15 - 0.65 * np.clip(seam, 0.6, 1) ** 6).astype(np.float32))


def cork(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    fine = noise(rng, size_wh, (140, 120), 2)
    made = shaded(colour, 0.12 * fine)
    specks = noise(rng, size_wh, (rng.uniform(60, 120),) * 2, 2) > rng.uniform(0.9, 1.6)
    return mixed(made, neighbour(rng, colour, 0.5), specks * rng.uniform(0.3, 0.9))


def marble(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    clouds = noise(rng, size_wh, (3, 3), 4)
    veins = np.clip(1 - np.abs(np.sin(clouds * rng.uniform(2, 6))) * rng.uniform(4, 9), 0, 1)
    made = shaded(colour, 0.06 * clouds)
    return mixed(made, neighbour(rng, colour, 0.6), veins * rng.uniform(0.3, 0.9))


def slate(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    return shaded(colour, 0.12 * noise(rng, size_wh, (12, 12), 5) + 0.05 * noise(rng, size_wh, (200, 200), 1))


def terrazzo(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    made = shaded(colour, 0.03 * noise(rng, size_wh, (100, 100), 1))
    cells = rng.uniform(25, 60)
    for _ in range(int(rng.integers(2, 5))):
        chip = noise(rng, size_wh, (cells, cells), 1) > rng.uniform(1.0, 1.4)
        other = neighbour(rng, colour, 0.7) if rng.random() < 0.6 else any_colour(rng)
        made = mixed(made, other, chip.astype(np.float32))
    return made


def _tiles(rng: np.random.Generator, size_wh: tuple[int, int], cells: int) -> npt.NDArray[np.int64]:
    """(H, W) numbers 0 to 3 in a repeated pattern of small pieces, as a mosaic's rods look from above."""
    piece = int(rng.integers(6, 17))
    half = rng.integers(0, 4, (piece, piece))
    half = np.minimum(half, half.T) if rng.random() < 0.7 else half
    unit = np.block([[half, half[:, ::-1]], [half[::-1], half[::-1, ::-1]]])
    kind = rng.random()
    if kind < 0.4:
        y, x = np.mgrid[0 : 2 * piece, 0 : 2 * piece]
        unit = (np.abs(x - piece + 0.5) + np.abs(y - piece + 0.5)).astype(int) // int(rng.integers(2, 4)) % 4
    side = max(size_wh[0] // cells, 4)
    tile = cv2.resize(unit.astype(np.uint8), (side, side), interpolation=cv2.INTER_NEAREST)
    again = np.tile(tile, (-(-size_wh[1] // side), -(-size_wh[0] // side)))
    return again[: size_wh[1], : size_wh[0]].astype(np.int64)


def mosaic(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Small geometric inlay all over, in up to four colours, similar or far apart."""
    apart = rng.uniform(0.1, 0.9)
    colours = np.array([colour] + [neighbour(rng, colour, apart) for _ in range(3)], dtype=np.float32)
    made = colours[_tiles(rng, size_wh, int(rng.integers(8, 46)))]
    return np.clip(made * (1 + 0.04 * noise(rng, size_wh, (20, 100), 2)[..., None]), 0, 1)


def marquetry(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Wood with bands and a frame of mosaic in it."""
    made = wood(rng, colour, size_wh)
    inlay = mosaic(rng, neighbour(rng, colour, 0.3), size_wh)
    wide, high = size_wh
    mask = np.zeros((high, wide), dtype=np.float32)
    band = int(high * rng.uniform(0.02, 0.10))
    for y in {0.5, float(rng.uniform(0.3, 0.7))}:
        mask[int(high * y) - band // 2 : int(high * y) + band // 2] = 1
    if rng.random() < 0.5:
        mask[:band], mask[-band:] = 1, 1
    return mixed(made, inlay, mask)


def printed(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Print on card: plain, a gradient, or faint drawings."""
    made = plain(rng, colour, size_wh)
    if rng.random() < 0.4:
        slope = np.linspace(0, 1, size_wh[0 if rng.random() < 0.5 else 1], dtype=np.float32)
        share = np.broadcast_to(
            slope[None, :] if len(slope) == size_wh[0] else slope[:, None], made.shape[:2]
        )
        made = mixed(made, neighbour(rng, colour, 0.4), share * 0.8)
    if rng.random() < 0.35:
        blobs = noise(rng, size_wh, (rng.uniform(3, 12),) * 2, 1) > 0.6
        made = mixed(made, neighbour(rng, colour, 0.25), blobs * 0.7)
    return made


def canvas(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    wide, high = size_wh
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    step = rng.uniform(4, 9)
    weave = np.sin(x * 2 * math.pi / step) + np.sin(y * 2 * math.pi / step)
    return shaded(colour, (0.05 * weave + 0.05 * noise(rng, size_wh, (100, 100), 2)).astype(np.float32))


def chequered(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """A cloth of checks in two or three shades."""
    wide, high = size_wh
    x, y = np.meshgrid(np.arange(wide) / wide, np.arange(high) / wide)
    cells = rng.uniform(8, 60)
    one, other = (np.floor(v * cells).astype(int) % 2 for v in (x, y))
    share = (one + other) / 2 if rng.random() < 0.6 else (one ^ other)
    second = (0.95, 0.94, 0.9) if rng.random() < 0.6 else neighbour(rng, colour, 0.7)
    made = mixed(shaded(second, np.zeros((high, wide), dtype=np.float32)), colour, share)
    return np.clip(made * (1 + 0.04 * noise(rng, size_wh, (200, 200), 1)[..., None]), 0, 1).astype(np.float32)


def patterned(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Cloth or oilcloth with dots, flowers or a mosaic."""
    kind = rng.random()
    if kind < 0.35:
        return mosaic(rng, colour, size_wh)
    made = plain(rng, colour, size_wh)
    other = any_colour(rng)
    step, radius = int(rng.integers(24, 110)), rng.uniform(0.12, 0.42)
    mask = np.zeros(made.shape[:2], dtype=np.uint8)
    for row, y in enumerate(range(0, size_wh[1] + step, step)):
        for x in range(-(row % 2) * step // 2, size_wh[0] + step, step):
            if kind < 0.65:
                cv2.circle(mask, (x, y), int(step * radius), 255, -1, cv2.LINE_AA)
            else:
                for a in np.arange(0, 2 * math.pi, math.pi / 3):
                    at = (int(x + step * 0.2 * math.cos(a)), int(y + step * 0.2 * math.sin(a)))
                    cv2.circle(mask, at, int(step * 0.13), 255, -1, cv2.LINE_AA)
    return mixed(made, other, mask.astype(np.float32) / 255)


def grass(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    del colour
    made = shaded((0.25, 0.42, 0.12), 0.35 * noise(rng, size_wh, (160, 160), 2))
    return mixed(made, (0.5, 0.5, 0.2), 0.4 * (noise(rng, size_wh, (120, 120), 1) > 0.8))


def denim(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Twill: slanting pale threads, worn in places."""
    wide, high = size_wh
    x, y = np.meshgrid(np.arange(wide), np.arange(high))
    threads = np.sin((x + rng.uniform(0.6, 1.6) * y) * 2 * math.pi / rng.uniform(5, 10))
    made = shaded(colour, (0.12 * threads + 0.12 * noise(rng, size_wh, (200, 200), 1)).astype(np.float32))
    worn = np.clip(noise(rng, size_wh, (4, 3), 3) - rng.uniform(0.2, 1.2), 0, 1)
    return mixed(made, neighbour(rng, colour, 0.6), 0.5 * worn)


def chalkboard(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Slate painted black or green, with smears of wiped chalk."""
    smears = noise(rng, size_wh, (rng.uniform(2, 5), rng.uniform(10, 40)), 3)
    dust = np.clip(smears, 0, 2) * (1 + 0.3 * noise(rng, size_wh, (250, 250), 1))
    made = shaded(colour, 0.05 * noise(rng, size_wh, (120, 120), 2))
    return mixed(made, (0.85, 0.86, 0.83), rng.uniform(0.03, 0.18) * dust)


def zellige(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Square glazed tiles, each of its own shade, with pale joints."""
    wide, high = size_wh
    cells = int(rng.integers(12, 40))
    x, y = squares(size_wh, cells)
    tones = rng.normal(0, rng.uniform(0.05, 0.2), (math.ceil(cells * high / wide) + 1, cells + 1))
    glaze = tones[y.astype(int), x.astype(int)] + 0.05 * noise(rng, size_wh, (30, 30), 2)
    joints = np.maximum(np.abs(x % 1 - 0.5), np.abs(y % 1 - 0.5)) > 0.5 - rng.uniform(0.02, 0.05)
    pale = neighbour(rng, (0.75, 0.72, 0.66), 0.15)
    return mixed(shaded(colour, glaze), pale, joints.astype(np.float32))


def brushed(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Metal brushed in one direction, with large stains."""
    lines = noise(rng, size_wh, (rng.uniform(1, 4), 400), 2)
    return shaded(colour, rng.uniform(0.04, 0.14) * lines + 0.08 * noise(rng, size_wh, (4, 4), 3))


def camouflage(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Cloth printed with patches of three or four tones."""
    made = shaded(colour, 0.06 * noise(rng, size_wh, (220, 220), 1))
    size = rng.uniform(4, 12)
    for _ in range(int(rng.integers(2, 4))):
        patch = noise(rng, size_wh, (size, size * rng.uniform(0.6, 1.4)), 2) > rng.uniform(0.1, 0.9)
        tone = neighbour(rng, colour, rng.uniform(0.3, 0.8))
        made = mixed(made, tone, patch.astype(np.float32))
    return made


def cardboard(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Brown card: its flutes show through as faint stripes, with stains and specks."""
    wide, high = size_wh
    y = np.arange(high)[:, None] * np.ones((1, wide))
    flutes = np.sin(y * 2 * math.pi / rng.uniform(14, 30))
    shade = 0.05 * flutes + 0.1 * noise(rng, size_wh, (5, 5), 3) + 0.06 * noise(rng, size_wh, (240, 240), 1)
    return shaded(colour, shade.astype(np.float32))


def rattan(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Cane woven over and under, with dark holes where four strands meet."""
    x, y = squares(size_wh, rng.uniform(30, 70))
    over = (np.floor(x) + np.floor(y)) % 2 > 0
    strand = np.where(over, np.sin(math.pi * (y % 1)), np.sin(math.pi * (x % 1)))
    fibre = np.where(over, noise(rng, size_wh, (20, 300), 1), noise(rng, size_wh, (300, 20), 1))
    return shaded(colour, (0.35 * strand - 0.3 + 0.06 * fibre).astype(np.float32))


def stained_glass(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Pieces of glass of many colours in dark lead."""
    wide, high = size_wh
    n = int(rng.integers(40, 160))
    seeds = rng.uniform(0, 1, (n, 2)) * size_wh
    x, y = np.meshgrid(np.arange(0, wide, 2), np.arange(0, high, 2))
    away = np.stack([np.hypot(x - at_x, y - at_y) for at_x, at_y in seeds]).astype(np.float32)
    two = np.partition(away, 1, axis=0)[:2]
    tones = np.array([neighbour(rng, colour, rng.uniform(0.1, 0.9)) for _ in range(n)], dtype=np.float32)
    glass = cv2.resize(tones[away.argmin(axis=0)], size_wh, interpolation=cv2.INTER_NEAREST)
    lead = cv2.resize((two[1] - two[0] < rng.uniform(3, 7)).astype(np.float32), size_wh)
    cloudy = 1 + 0.08 * noise(rng, size_wh, (12, 12), 3)
    dark = (0.08, 0.08, 0.09)
    return mixed(np.clip(glass * cloudy[..., None], 0, 1).astype(np.float32), dark, lead)


def awning(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Cloth with repeating stripes of a few widths, along, across or slanting."""
    x, y = squares(size_wh, rng.uniform(2, 14))
    turn = float(rng.choice([0.0, math.pi / 2, rng.uniform(0, math.pi)]))
    edges = np.sort(rng.uniform(0, 1, int(rng.integers(1, 6))))
    tones = [colour, neighbour(rng, colour, 0.6), any_colour(rng)]
    order = np.array([tones[n % len(tones)] for n in range(len(edges) + 1)], dtype=np.float32)
    made = order[np.searchsorted(edges, (x * math.cos(turn) + y * math.sin(turn)) % 1)]
    return shaded(made, 0.05 * noise(rng, size_wh, (250, 250), 1))


def bricks(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Courses of bricks or tiles of slightly different tones, with joints between."""
    x, y = squares(size_wh, rng.uniform(4, 18))
    if rng.random() < 0.5:
        x, y = y, x
    course = np.floor(y).astype(int)
    along = x / rng.uniform(1, 3.5) + course * rng.choice([0.0, 0.5, 1 / 3])
    brick = np.floor(along).astype(int)
    tone = rng.normal(0, rng.uniform(0.02, 0.2), 4096)[(brick * 73 + course * 151) % 4096]
    joint = np.minimum(along % 1 * 2, y % 1) < rng.uniform(0.04, 0.15)
    made = shaded(colour, tone + 0.05 * noise(rng, size_wh, (150, 150), 2))
    return mixed(made, neighbour(rng, colour, 0.8), joint * 0.9)


def ruled(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Paper with evenly spaced lines, in one direction or in both; one in every few is heavier."""
    made = shaded(colour, 0.02 * noise(rng, size_wh, (4, 4), 2))
    lines, ink = squares(size_wh, rng.uniform(9, 60)), any_colour(rng)
    both, heavier, wide = rng.random() < 0.5, int(rng.integers(2, 8)), rng.uniform(0.05, 0.2)
    for step in lines if both else (lines[int(rng.integers(2))],):
        is_heavy = np.floor(step) % heavier == 0
        made = mixed(made, ink, (step % 1 < wide * (1 + is_heavy)) * np.where(is_heavy, 0.8, 0.4))
    return made


def planks(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Weathered planks side by side with dark gaps, along or across."""
    x, y = squares(size_wh, rng.uniform(5, 20))
    if rng.random() < 0.5:
        x, y = y, x
    tone = rng.normal(0, 0.15, 64)[np.floor(y).astype(int) % 64]
    grain = np.sin(2 * math.pi * (y * rng.uniform(2, 6) + noise(rng, size_wh, (3, 9), 2)))
    made = shaded(colour, tone + 0.06 * grain + 0.05 * noise(rng, size_wh, (200, 200), 2))
    return shaded(made, -0.8 * (y % 1 < rng.uniform(0.03, 0.12)))
