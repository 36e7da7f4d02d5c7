"""Pictures of materials that only held-out families use, (H, W, 3) red, green, blue from 0 to 1 (sRGB)."""

import math

import cv2
import numpy as np

from vision.training.scenes.looks.materials import wood
from vision.training.scenes.looks.paint import Image, any_colour, mixed, neighbour, noise, shaded, squares
from vision.training.scenes.looks.tones import Rgb


def _anywhere(rng: np.random.Generator, size_wh: tuple[int, int]) -> tuple[int, int]:
    """A random pixel."""
    return int(rng.integers(size_wh[0])), int(rng.integers(size_wh[1]))


def kilim(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """A flat rug: bands of zigzags and diamonds in several colours, with the threads of the weave."""
    x, y = squares(size_wh, rng.uniform(8, 24))
    bands = int(rng.integers(4, 12))
    zigzag = np.abs(x % 2 - 1) * rng.uniform(0.5, 1.5) + y
    steps = np.floor(zigzag * rng.uniform(0.8, 2)).astype(int) % bands
    colours = np.array(
        [neighbour(rng, colour, rng.uniform(0.2, 0.8)) if n % 3 else colour for n in range(bands)],
        dtype=np.float32,
    )
    if rng.random() < 0.5:
        colours[int(rng.integers(bands))] = any_colour(rng)
    threads = 0.08 * np.sin(np.arange(size_wh[1])[:, None] * 2 * math.pi / rng.uniform(4, 7))
    return shaded(colours[steps], threads + 0.06 * noise(rng, size_wh, (200, 200), 1))


def snakeskin(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Diamond scales, dark at their edges, with large blotches over them."""
    x, y = squares(size_wh, rng.uniform(24, 60))
    one, other = (x + y) % 1, (x - y) % 1
    edge = np.maximum(np.abs(one - 0.5), np.abs(other - 0.5)) * 2
    blotch = np.clip(noise(rng, size_wh, (rng.uniform(4, 9), rng.uniform(3, 7)), 2) * 2, -1, 1)
    made = shaded(colour, 0.1 - 0.5 * np.clip(edge - 0.5, 0, 1) ** 2 * 4 * rng.uniform(0.4, 1))
    return mixed(made, neighbour(rng, colour, 0.6), 0.35 + 0.35 * blotch)


def parquet(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Blocks of wood laid as a herringbone, each of its own shade."""
    x, y = squares(size_wh, rng.uniform(10, 26))
    long = int(rng.integers(3, 6))
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    lying = (column - row) % (2 * long) < long
    block = np.where(
        lying, (column - row) // (2 * long) * 131 + row * 17, column * 29 + (column - row) // long
    )
    tones = rng.normal(0, rng.uniform(0.06, 0.16), 997)[block % 997]
    grain = np.where(lying, noise(rng, size_wh, (20, 250), 2), noise(rng, size_wh, (250, 20), 2))
    seam = np.where(lying, np.abs(y % 1 - 0.5), np.abs(x % 1 - 0.5)) > 0.46
    return shaded(colour, (tones + 0.05 * grain - 0.3 * seam).astype(np.float32))


def newspaper(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Columns of print with headings and grey pictures, as for a collage under varnish."""
    wide, high = size_wh
    made = shaded(colour, 0.04 * noise(rng, size_wh, (5, 5), 3))
    ink = np.zeros((high, wide), dtype=np.uint8)
    step, columns = int(rng.integers(9, 18)), int(rng.integers(4, 10))
    for column in range(columns):
        left, right = column * wide // columns + 8, (column + 1) * wide // columns - 8
        y = int(rng.integers(0, step))
        while y < high:
            kind = rng.random()
            if kind < 0.03:
                tall = int(rng.integers(40, 140))
                ink[y : y + tall, left:right] = int(rng.integers(60, 170))
                y += tall + step
            elif kind < 0.07:
                cv2.putText(ink, "GAZETTE", (left, y + 30), cv2.FONT_HERSHEY_TRIPLEX, 1, 255, 3, cv2.LINE_AA)
                y += 50
            else:
                words = np.repeat(rng.random((right - left) // 5 + 1) < 0.78, 5)[: right - left]
                ink[y : y + step // 2, left:right] = np.where(words, rng.integers(120, 255), 0)
                y += step
    dark = neighbour(rng, (0.15, 0.15, 0.17), 0.3)
    return mixed(made, dark, ink.astype(np.float32) / 255 * rng.uniform(0.35, 0.9))


def concrete(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Cast stone with clouds, fine sand and dark pores."""
    made = shaded(colour, 0.08 * noise(rng, size_wh, (4, 4), 4) + 0.05 * noise(rng, size_wh, (300, 300), 1))
    pores = np.zeros(made.shape[:2], dtype=np.uint8)
    for _ in range(int(rng.integers(60, 400))):
        at = _anywhere(rng, size_wh)
        cv2.circle(pores, at, int(rng.integers(1, 6)), 255, -1, cv2.LINE_AA)
    return mixed(made, neighbour(rng, colour, 0.6), pores.astype(np.float32) / 255 * 0.8)


def river_resin(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Slabs of wood with rivers of coloured resin between them."""
    made = wood(rng, colour, size_wh)
    bed = noise(rng, size_wh, (rng.uniform(1, 3), rng.uniform(1, 2)), 3)
    depth = np.clip(rng.uniform(0.25, 0.6) - np.abs(bed), 0, 1) * 6
    deep = neighbour(rng, any_colour(rng), 0.2)
    swirl = 0.12 * np.sin(noise(rng, size_wh, (6, 6), 3) * 5)
    bark = np.clip(1 - np.abs(depth - 0.4) * 5, 0, 1)
    made = mixed(made, neighbour(rng, colour, 0.6), 0.7 * bark)
    return mixed(made, shaded(deep, swirl), depth)


def granite(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Crystals of three or four shades, all over."""
    made = shaded(colour, 0.05 * noise(rng, size_wh, (6, 6), 2))
    for _ in range(int(rng.integers(2, 4))):
        cells = rng.uniform(60, 200)
        grains = noise(rng, size_wh, (cells, cells), 1) > rng.uniform(0.4, 1.1)
        made = mixed(made, neighbour(rng, colour, 0.7), grains * rng.uniform(0.4, 0.9))
    return made


def old_map(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """An old map: land and sea, shores in bands, rivers, a net of lines, names."""
    height = noise(rng, size_wh, (rng.uniform(2, 5), rng.uniform(2, 4)), 4)
    made = shaded(colour, 0.05 * noise(rng, size_wh, (4, 4), 4))
    made = mixed(made, neighbour(rng, colour, 0.4), (height > 0) * 0.7)
    shores = (np.abs(height) < 0.05) | ((height < 0) & (height > -0.6) & (height * 12 % 1 < 0.2))
    made = mixed(made, (0.25, 0.18, 0.12), shores * rng.uniform(0.3, 0.8))
    lines = np.zeros(made.shape[:2], dtype=np.uint8)
    centre = _anywhere(rng, size_wh)
    for n in range(32):
        a = n * math.pi / 16
        far = (int(centre[0] + 2000 * math.cos(a)), int(centre[1] + 2000 * math.sin(a)))
        cv2.line(lines, centre, far, 160, 1, cv2.LINE_AA)
    for name in ("TERRA", "MARE", "INSULA", "PORTUS", "MONS", "SINUS"):
        at = (int(rng.integers(size_wh[0] - 150)), int(rng.integers(40, size_wh[1])))
        cv2.putText(lines, name, at, cv2.FONT_HERSHEY_COMPLEX, rng.uniform(0.6, 1.4), 255, 2, cv2.LINE_AA)
    return mixed(made, (0.22, 0.15, 0.1), lines.astype(np.float32) / 255 * 0.6)


def tatami(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Rush mats: fine ribs, here and there a stalk of another shade, cloth along the seams."""
    wide, high = size_wh
    ribs = 0.12 * np.sin(np.arange(wide)[None, :] * 2 * math.pi / rng.uniform(7, 13)) * np.ones((high, 1))
    stalks = np.repeat(rng.normal(0, 0.07, high // 3 + 1), 3)[:high, None]
    made = shaded(colour, (ribs + stalks + 0.05 * noise(rng, size_wh, (8, 300), 2)).astype(np.float32))
    if rng.random() < 0.6:
        seam = np.zeros((high, wide), dtype=np.float32)
        for y in (0.0, float(rng.uniform(0.4, 0.6)), 1.0):
            seam[max(int(y * high) - 14, 0) : int(y * high) + 14] = 1
        made = mixed(made, any_colour(rng), seam)
    return made


def knitted(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Stitches like small Vs in columns, with stripes of other yarn."""
    x, y = squares(size_wh, rng.uniform(40, 90))
    slant = y + 0.6 * np.abs(x % 1 - 0.5) * 2
    made = shaded(colour, 0.22 * np.sin(slant * 2 * math.pi) - 0.25 * (np.abs(x % 1 - 0.5) > 0.42))
    if rng.random() < 0.5:
        rows = np.floor(slant / rng.uniform(3, 9)).astype(int) % 3 == 0
        made = mixed(made, neighbour(rng, colour, 0.5), 0.7 * rows)
    return shaded(made, 0.07 * noise(rng, size_wh, (200, 200), 1))


def tartan(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Woollen cloth of crossing stripes, the same in both directions."""
    across = rng.uniform(3, 10)
    edges = np.sort(rng.uniform(0, 1, int(rng.integers(4, 9))))
    tones = [colour, neighbour(rng, colour, 0.6), any_colour(rng), (0.08, 0.08, 0.1)]
    sett = np.array(
        [tones[int(rng.integers(4)) if n else 0] for n in range(len(edges) + 1)], dtype=np.float32
    )
    x, y = squares(size_wh, across)
    down, over = (sett[np.searchsorted(edges, np.abs(v % 2 - 1))] for v in (x, y))
    twill = (np.indices((size_wh[1], size_wh[0])).sum(axis=0) // 3 % 2)[..., None]
    made = np.asarray(np.where(twill, down, over) * 0.5 + 0.25 * (down + over), dtype=np.float32)
    return shaded(made, 0.07 * noise(rng, size_wh, (250, 250), 1))


def agate(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Cut stone with bands of many shades around several centres."""
    bed = noise(rng, size_wh, (rng.uniform(1.5, 4),) * 2, 2) + 0.05 * noise(rng, size_wh, (20, 20), 2)
    n = int(rng.integers(8, 24))
    tones = np.array([neighbour(rng, colour, rng.uniform(0.1, 0.7)) for _ in range(n)], dtype=np.float32)
    bands = np.floor((bed + 5) * rng.uniform(3, 8)).astype(int) % n
    return mixed(tones[bands], shaded(colour, 0.05 * bed), np.full(bed.shape, 0.3))


def galaxy(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Printed night sky: glowing clouds and many stars."""
    made = shaded(colour, 0.3 * noise(rng, size_wh, (3, 3), 4))
    for _ in range(2):
        cloud = np.clip(noise(rng, size_wh, (2.5, 2.5), 5) - rng.uniform(0, 0.5), 0, 1)
        made = mixed(made, any_colour(rng), cloud * rng.uniform(0.3, 0.8))
    stars = np.zeros(made.shape[:2], dtype=np.uint8)
    for _ in range(int(rng.integers(200, 900))):
        at = _anywhere(rng, size_wh)
        cv2.circle(
            stars, at, int(rng.choice([1, 1, 1, 2, 3, 5])), int(rng.integers(100, 255)), -1, cv2.LINE_AA
        )
    return mixed(made, (0.95, 0.95, 1.0), stars.astype(np.float32) / 255)


def hammered(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Beaten copper or brass: round dents, each light on one side, with dark stains."""
    cells = rng.uniform(20, 50)
    dents = noise(rng, size_wh, (cells, cells), 1)
    slope = np.asarray(cv2.Sobel(dents.astype(np.float32), cv2.CV_32F, 1, 1, ksize=5))
    stains = np.clip(noise(rng, size_wh, (5, 5), 4) - 0.3, 0, 1)
    made = shaded(colour, rng.uniform(0.08, 0.2) * np.clip(slope / slope.std(), -2, 2))
    return mixed(made, neighbour(rng, (0.25, 0.4, 0.35), 0.3), 0.5 * stains)


def zebra(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Hide or print with wavy dark stripes."""
    wave = noise(rng, size_wh, (rng.uniform(3, 6), rng.uniform(2, 4)), 2)
    x, y = squares(size_wh, rng.uniform(8, 16))
    along = x * rng.uniform(0.3, 1) + y * rng.uniform(-0.5, 0.5) + wave * rng.uniform(0.8, 1.8)
    made = shaded(colour, 0.06 * noise(rng, size_wh, (250, 250), 1))
    dark = neighbour(rng, colour, 0.85)
    return mixed(made, dark, np.clip(np.sin(along * 1.4 * math.pi) * 4, 0, 1) * rng.uniform(0.6, 1))


def halftone(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Print of a comic: dots of another colour, larger and smaller, and jagged stars."""
    x, y = squares(size_wh, rng.uniform(40, 100))
    tone = np.clip(0.5 + 0.35 * noise(rng, size_wh, (2.5, 2), 2), 0, 1)
    dots = np.hypot((x + y) % 1.4 - 0.7, (x - y) % 1.4 - 0.7) < tone * 0.75
    made = mixed(shaded(colour, 0.02 * noise(rng, size_wh, (4, 4), 2)), any_colour(rng), dots)
    stars = np.zeros(made.shape[:2], dtype=np.uint8)
    for _ in range(int(rng.integers(2, 6))):
        at, tips, radius = _anywhere(rng, size_wh), int(rng.integers(9, 16)), rng.uniform(60, 160)
        turns = np.arange(2 * tips) * math.pi / tips
        reach = radius * np.where(np.arange(2 * tips) % 2, 1, 0.6)
        corners = np.stack([at[0] + reach * np.cos(turns), at[1] + reach * np.sin(turns)], axis=1)
        cv2.fillPoly(stars, [corners.astype(np.int32)], (255,), cv2.LINE_AA)
    return mixed(made, any_colour(rng), stars / 255)


def cowhide(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Hide with large dark patches and short hair."""
    bed = noise(rng, size_wh, (rng.uniform(3, 6), rng.uniform(2, 4)), 4)
    hair = 0.07 * noise(rng, size_wh, (300, 60), 1)
    dark = shaded(neighbour(rng, (0.3, 0.2, 0.12), 0.5), hair)
    return mixed(shaded(colour, hair), dark, np.clip((bed - rng.uniform(-0.3, 0.3)) * 9, 0, 1))


def carbon(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Carbon fibre: a small weave whose threads shine across or along."""
    x, y = squares(size_wh, rng.uniform(40, 90))
    across = (np.floor(x) + np.floor(y)) % 2
    sheen = np.where(across > 0, np.sin(x % 1 * math.pi), np.sin(y % 1 * math.pi))
    return shaded(colour, 0.35 * (sheen - 0.6) + 0.25 * across - 0.1)


def circuit(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """A printed circuit board: tracks in eight directions that end in round golden pads."""
    made = shaded(colour, 0.03 * noise(rng, size_wh, (6, 6), 2))
    tracks, pads = (np.zeros(made.shape[:2], dtype=np.uint8) for _ in range(2))
    for _ in range(int(rng.integers(60, 160))):
        at, width = np.array(_anywhere(rng, size_wh)), int(rng.integers(2, 7))
        for _ in range(int(rng.integers(2, 6))):
            turn, length = int(rng.integers(8)) * math.pi / 4, rng.uniform(20, 160)
            after = at + (length * np.array([math.cos(turn), math.sin(turn)])).astype(int)
            cv2.line(tracks, tuple(map(int, at)), tuple(map(int, after)), (255,), width, cv2.LINE_AA)
            at = after
        cv2.circle(pads, tuple(map(int, at)), int(rng.integers(5, 16)), (255,), -1, cv2.LINE_AA)
        cv2.circle(pads, tuple(map(int, at)), 3, (0,), -1, cv2.LINE_AA)
    made = mixed(made, neighbour(rng, colour, 0.4), tracks / 255)
    return mixed(made, neighbour(rng, (0.8, 0.65, 0.35), 0.3), pads / 255)


def quilt(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Patches of many cloths sewn together: plain, dotted or halved."""
    x, y = squares(size_wh, rng.uniform(6, 14))
    patch = (np.floor(x) * 31 + np.floor(y) * 57).astype(int) % 101
    tones = [neighbour(rng, colour, 0.5) if rng.random() < 0.6 else any_colour(rng) for _ in range(101)]
    made = np.array(tones, dtype=np.float32)[patch]
    made = mixed(made, neighbour(rng, colour, 0.7), ((x % 1 > y % 1) & (patch % 3 == 0)) * 0.8)
    dots = (np.hypot(x * 6 % 1 - 0.5, y * 6 % 1 - 0.5) < 0.25) & (patch % 5 == 1)
    made = mixed(made, (0.95, 0.95, 0.92), dots * 0.8)
    seam = (np.abs(x % 1 - 0.5) > 0.47) | (np.abs(y % 1 - 0.5) > 0.47)
    return shaded(made, -0.25 * seam + 0.05 * noise(rng, size_wh, (220, 220), 1))


def folded_steel(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """Folded steel: many fine lines like the grain of water."""
    bed = noise(rng, size_wh, (rng.uniform(3, 8), rng.uniform(2, 5)), 3)
    _, y = squares(size_wh, 4)
    lines = np.sin((y * rng.uniform(4, 9) + bed * rng.uniform(1, 2.5)) * 2 * math.pi)
    return shaded(colour, rng.uniform(0.15, 0.4) * lines + 0.03 * noise(rng, size_wh, (300, 300), 1))


def flowers(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
    """A print of flowers of all colours, as large as checkers and smaller."""
    made = shaded(colour, 0.08 * noise(rng, size_wh, (5, 5), 3))
    for _ in range(int(rng.integers(30, 90))):
        petals = np.zeros(made.shape[:2], dtype=np.uint8)
        at, radius = _anywhere(rng, size_wh), rng.uniform(12, 55)
        n_petals, first = int(rng.integers(5, 8)), rng.uniform(0, 6)
        for petal in range(n_petals):
            turn = first + petal * 2 * math.pi / n_petals
            middle = int(at[0] + radius * 0.6 * math.cos(turn)), int(at[1] + radius * 0.6 * math.sin(turn))
            axes = int(radius * 0.55), int(radius * 0.33)
            cv2.ellipse(petals, middle, axes, math.degrees(turn), 0, 360, (255,), -1, cv2.LINE_AA)
        made = mixed(made, any_colour(rng), petals / 255 * 0.85)
        petals[:] = 0
        cv2.circle(petals, at, max(int(radius * 0.25), 2), (255,), -1, cv2.LINE_AA)
        made = mixed(made, (0.9, 0.75, 0.2), petals / 255)
    return made
