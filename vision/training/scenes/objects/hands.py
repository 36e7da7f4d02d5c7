"""Hands that reach over the board, and people who sit at it, made of simple solids."""

import math

import numpy as np

from vision.training.scenes.camera import Floats, Spot, as_spot
from vision.training.scenes.looks.board import Board
from vision.training.scenes.looks.tones import Rgb, drawn
from vision.training.scenes.objects.solids import Thing, limb

SKINS: tuple[Rgb, ...] = (
    (0.93, 0.76, 0.66),
    (0.85, 0.64, 0.52),
    (0.72, 0.51, 0.39),
    (0.52, 0.35, 0.25),
    (0.32, 0.21, 0.16),
)
ARM_MM = 800.0


def hand(rng: np.random.Generator, target_mm: Spot, towards: float, grip: str) -> Thing:
    """An arm that reaches a target from outside.

    towards: degrees in which it points. grip: "pinch", "point" or "flat".
    """
    d = np.array([math.cos(math.radians(towards)), math.sin(math.radians(towards)), 0.0])
    side, up = np.array([-d[1], d[0], 0.0]), np.array([0.0, 0.0, 1.0])
    size, left = rng.uniform(0.8, 1.12), float(rng.choice([-1, 1]))
    skin: Rgb = tuple(float(np.clip(c * rng.uniform(0.85, 1.1), 0, 1)) for c in SKINS[int(rng.integers(5))])  # type: ignore[assignment]
    high = rng.uniform(45, 85)
    knuckles = np.array(target_mm) - d * size * rng.uniform(45, 85) + up * (high - target_mm[2])
    wrist = knuckles - d * 82 * size + up * rng.uniform(0, 25)
    elbow = wrist - d * ARM_MM + up * rng.uniform(-10, 70) + side * rng.normal(0, 60)
    made = []

    def bone(one: Floats, other: Floats, thick: float, thin: float, colour: Rgb = skin) -> None:
        made.append(limb(as_spot(one), as_spot(other), (thick * size, thin * size), colour))

    bend = {"pinch": (38, 55, 30), "point": (15, 12, 8), "flat": (4, 6, 5)}[grip]
    for number in range(4):
        aside = (1.5 - number) * 20 * left
        root = knuckles + side * aside * size - d * abs(number - 1) * 5 * size
        bone(wrist + side * aside * 0.45 * size, root, 15, 11.5)
        pitch, at = math.radians(rng.uniform(-5, 8)), root
        curled = grip == "point" and number != 0
        fan = side * aside * rng.uniform(-0.002, 0.006)
        for length, thick, angle in zip(
            (44, 27, 21), (10, 8.7, 7.8), (60, 80, 50) if curled else bend, strict=True
        ):
            pitch += math.radians(angle * rng.uniform(0.7, 1.2))
            longer = (0.95, 1.05, 0.98, 0.78)[number] * length * size
            tip = at + (d * math.cos(pitch) + fan - up * math.sin(pitch)) * longer
            tip[2] = max(tip[2], 9.0)
            bone(at, tip, thick, thick * 0.9)
            at = tip
    thumb = wrist + side * 26 * left * size
    middle = thumb + (d * 40 + side * 18 * left - up * 10) * size
    bone(wrist, middle, 16, 11)
    end = middle + (d * 34 - side * 10 * left - up * rng.uniform(5, 24)) * size
    end[2] = max(end[2], 10.0)
    bone(middle, end, 10.5, 8.5)
    bone(wrist, elbow, 24, 38)
    if rng.random() < 0.7:
        sleeve = wrist + (elbow - wrist) * rng.uniform(0.02, 0.5)
        bone(
            sleeve,
            elbow,
            36 * rng.uniform(0.95, 1.25),
            52,
            drawn(rng, str(rng.choice(["any", "dull", "navy", "white"]))),
        )
    return Thing(name="hand", solids=tuple(made))


def hand_over(rng: np.random.Generator, board: Board) -> tuple[Thing, Spot]:
    """A hand somewhere over the field, and where its fingers are."""
    wide, high = board.field_wh
    from_side = rng.random()
    x, y = rng.uniform(-0.48, 0.48) * wide, rng.uniform(-0.48, 0.48) * high
    base = -90.0 if from_side < 0.42 else 90.0 if from_side < 0.80 else float(rng.choice([0.0, 180.0]))
    deep = rng.random()
    if abs(base) == 90.0 and deep < 0.5:
        y = math.copysign(rng.uniform(0.2, 0.62) * high, base)
    towards = base + 180 + rng.normal(0, 22)
    target = (float(x), float(y), rng.uniform(8, 30))
    return hand(rng, target, towards, str(rng.choice(["pinch", "pinch", "point", "flat"]))), target


def player(rng: np.random.Generator, board: Board) -> Thing:
    """Somebody who sits at the table with an arm on it, mostly out of the picture."""
    low, high = board.outer[2:]
    near = float(rng.choice([-1, 1]))
    edge = low if near < 0 else high
    y = edge + near * rng.uniform(260, 480)
    x, shirt = rng.normal(0, 150), drawn(rng, "any")
    floor = -board.base
    hip, chest = floor + 60, floor + 330
    torso = [
        limb((x - 110, y, hip), (x + 110, y, hip), (150, 150), shirt),
        limb((x - 90, y + near * 60, chest), (x + 90, y + near * 60, chest), (150, 150), shirt),
    ]
    side = float(rng.choice([-1, 1]))
    elbow = (x + side * 300, y - near * 60, floor + 45)
    wrist = (x + side * rng.uniform(40, 280), edge + near * rng.uniform(45, 110), floor + 30)
    skin = SKINS[int(rng.integers(5))]
    shoulder = (x + side * 190, y + near * 40, floor + 320)
    torso.append(limb(shoulder, elbow, (62, 48), shirt))
    arm = [limb(elbow, wrist, (45, 32), shirt if rng.random() < 0.6 else skin)]
    for finger in range(4):
        tip = (wrist[0] - side * 60 + finger * 5, wrist[1] - near * (5 - 18 * finger), floor + 12)
        arm.append(limb(wrist, tip, (20, 9), skin))
    return Thing(name="player", solids=tuple(torso + arm))
