"""Hands, pads, telephones, cups, pens, dice and the doubling cube, all made of simple solids."""

import math
from dataclasses import dataclass

import numpy as np

from vision.training.scenes.board import Board
from vision.training.scenes.camera import Floats
from vision.training.scenes.piling import Checker
from vision.training.scenes.solids import Solid, Spot, Thing, rows, turned
from vision.training.scenes.tones import Rgb, drawn, two_apart

SKINS: tuple[Rgb, ...] = ((0.93, 0.76, 0.66), (0.85, 0.64, 0.52), (0.72, 0.51, 0.39), (0.52, 0.35, 0.25), (0.32, 0.21, 0.16))
ARM_MM = 800.0
FACE_TURNS = {1: (0, 0), 6: (180, 0), 2: (-90, 0), 5: (90, 0), 3: (90, 90), 4: (-90, 90)}
"""For each face: tilt in degrees, and the direction of the tilt, that bring it on top of a die printed as in
`prints.py`: 1 up, 2 towards +x, 3 towards -y."""


def _spot(at: Floats) -> Spot:
    return float(at[0]), float(at[1]), float(at[2])


def hand(rng: np.random.Generator, target_mm: Spot, towards: float, grip: str) -> Thing:
    """An arm that reaches a target from outside. towards: degrees in which it points. grip: "pinch", "point" or "flat"."""
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
        made.append(
            Solid(shape="capsule", at=_spot(one), end=_spot(other), radii=(thick * size, thin * size), colour=colour)
        )

    bend = {"pinch": (38, 55, 30), "point": (15, 12, 8), "flat": (4, 6, 5)}[grip]
    for number in range(4):
        aside = (1.5 - number) * 20 * left
        root = knuckles + side * aside * size - d * abs(number - 1) * 5 * size
        bone(wrist + side * aside * 0.45 * size, root, 15, 11.5)
        pitch, at = math.radians(rng.uniform(-5, 8)), root
        curled = grip == "point" and number != 0
        fan = side * aside * rng.uniform(-0.002, 0.006)
        for length, thick, angle in zip((44, 27, 21), (10, 8.7, 7.8), (60, 80, 50) if curled else bend, strict=True):
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
        bone(sleeve, elbow, 36 * rng.uniform(0.95, 1.25), 52, drawn(rng, str(rng.choice(["any", "dull", "navy", "white"]))))
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


def _flat(rng: np.random.Generator, name: str, at: Spot, yaw: float, tilt: float, way: float) -> Thing:
    """A telephone, a pad of paper or a book."""
    size = {
        "phone": (rng.uniform(65, 80), rng.uniform(140, 168), rng.uniform(7, 11)),
        "pad": (rng.uniform(90, 215), rng.uniform(120, 300), rng.uniform(1, 16)),
        "box": (rng.uniform(40, 110), rng.uniform(60, 180), rng.uniform(15, 55)),
        "card": (rng.uniform(55, 90), rng.uniform(80, 150), 0.8),
    }[name]
    tone = {"phone": ["black", "slate", "white"], "pad": ["white", "cream", "yellow"]}.get(name, ["any"])
    printed = {"phone": "screen" if rng.random() < 0.5 else "", "pad": "lines", "card": "lines"}.get(name, "")
    body = Solid(
        shape="box",
        at=(at[0], at[1], at[2] + size[2] / 2),
        size=size,
        turn=rows(turned(yaw, tilt, way)),
        radii=(min(3.0, size[2] / 3), 0.0),
        colour=drawn(rng, str(rng.choice(tone))),
        second=drawn(rng, "any"),
        gloss=0.8 if name == "phone" else 0.1,
        printed=printed,
    )
    return Thing(name=name, solids=(body,))


def cup(rng: np.random.Generator, foot: Spot) -> Thing:
    """A cup, glass or dice cup."""
    radius, high = rng.uniform(24, 44), rng.uniform(50, 115)
    colour = drawn(rng, str(rng.choice(["white", "wood_dark", "brown", "any", "black"])))
    solids = [Solid(shape="disc", at=foot, size=(0, 0, high), radii=(radius, 0), colour=colour, gloss=rng.uniform(0, 0.9))]
    inside = drawn(rng, str(rng.choice(["black", "brown", "crimson", "cream"])))
    top = (foot[0], foot[1], foot[2] + high)
    solids.append(Solid(shape="disc", at=top, size=(0, 0, 0.4), radii=(radius * 0.88, 0), colour=inside, gloss=0.4))
    if rng.random() < 0.4:
        a = rng.uniform(0, 2 * math.pi)
        out = np.array([math.cos(a), math.sin(a), 0.0])
        low, up = np.array(foot) + out * radius + [0, 0, high * 0.25], np.array(foot) + out * radius + [0, 0, high * 0.8]
        knee = (low + up) / 2 + out * radius * 0.7
        for one, other in ((low, knee), (knee, up)):
            solids.append(Solid(shape="capsule", at=_spot(one), end=_spot(other), radii=(5, 5), colour=colour))
    return Thing(name="cup", solids=tuple(solids))


def pen(rng: np.random.Generator, at: Spot) -> Thing:
    a, half = rng.uniform(0, math.pi), rng.uniform(55, 75)
    off = np.array([math.cos(a) * half, math.sin(a) * half, 0.0])
    body = Solid(
        shape="capsule",
        at=_spot(np.array(at) - off + [0, 0, 4]),
        end=_spot(np.array(at) + off + [0, 0, 4]),
        radii=(4.5, 3.0),
        colour=drawn(rng, "any"),
        gloss=0.6,
    )
    return Thing(name="pen", solids=(body,))


def over_the_frame(rng: np.random.Generator, board: Board) -> Thing:
    """A pad, telephone or box that lies over the frame and a part of the field, or a cup on the field."""
    left, right, low, high = board.outer
    kind = str(rng.choice(["pad", "phone", "phone", "box", "card", "cup"]))
    if kind == "cup":
        x = rng.choice([0.0, rng.uniform(-0.5, 0.5) * board.field_wh[0]])
        z = board.bar_height if abs(x) < board.bar / 2 else board.thickness
        return cup(rng, (float(x), float(rng.uniform(-0.5, 0.5) * board.field_wh[1]), z + 3 * board.thickness))
    if rng.random() < 0.65:
        y = float(rng.choice([low, high])) * rng.uniform(0.75, 1.1)
        x = rng.uniform(left, right)
    else:
        x = float(rng.choice([left, right])) * rng.uniform(0.8, 1.1)
        y = rng.uniform(low, high)
    z = max(board.wall, 2.2 * board.thickness)
    way = math.degrees(math.atan2(y, x))
    return _flat(rng, kind, (x, y, z), rng.uniform(0, 180), rng.uniform(0, 9), way)


def beside(rng: np.random.Generator, board: Board) -> list[Thing]:
    """What lies on the table about the board, for the whole session."""
    left, right, low, high = board.outer
    made = []
    for _ in range(int(rng.choice([0, 1, 2, 3, 4], p=[0.3, 0.3, 0.2, 0.15, 0.05]))):
        kind = str(rng.choice(["phone", "pad", "cup", "pen", "box", "card", "cup"]))
        off = {"cup": 50, "pen": 80, "phone": 95, "card": 95, "box": 110}.get(kind, 180) + rng.uniform(0, 70)
        if rng.random() < 0.6:
            x = float(rng.choice([left - off, right + off]))
            y = rng.uniform(low, high)
        else:
            x, y = rng.uniform(left, right), float(rng.choice([low - off, high + off]))
        at = (x, y, -board.base)
        made.append(cup(rng, at) if kind == "cup" else pen(rng, at) if kind == "pen" else _flat(rng, kind, at, rng.uniform(0, 180), 0, 0))
    return made


@dataclass(frozen=True, kw_only=True)
class DiceLook:
    """Two kinds of dice and the doubling cube of a session."""

    size_mm: float
    rounded: float
    colours: tuple[tuple[Rgb, Rgb], tuple[Rgb, Rgb]]
    gloss: float
    cube_mm: float
    cube_colours: tuple[Rgb, Rgb]


def dice_look(rng: np.random.Generator, board: Board) -> DiceLook:
    def pair() -> tuple[Rgb, Rgb]:
        tones = (("white", "black"), ("ivory", "black"), ("any", "white"), ("vivid", "white"), ("black", "white"), ("cream", "red"))
        body, pips = tones[int(rng.integers(len(tones)))]
        return two_apart(rng, (body, pips), 35)

    one = pair()
    return DiceLook(
        size_mm=board.pitch * rng.uniform(0.2, 0.42),
        rounded=rng.uniform(0.04, 0.30),
        colours=(one, one if rng.random() < 0.6 else pair()),
        gloss=rng.uniform(0.1, 1.0),
        cube_mm=board.pitch * rng.uniform(0.45, 0.85),
        cube_colours=two_apart(rng, (str(rng.choice(["white", "ivory", "any", "black"])), "any"), 40),
    )


@dataclass(frozen=True, kw_only=True)
class Die:
    """A die that lies somewhere; face is its upper one."""

    face: int
    leaning: bool
    on_field: bool
    thing: Thing


def _spot_for(rng: np.random.Generator, board: Board, laid: list[Checker], taken: list[Spot], size: float) -> Spot | None:
    """Free room for something of this size: mostly on the field, else on the bar, a tray, the table."""
    wide, high = board.field_wh
    left, right, low, top = board.outer
    where = rng.random()
    for _ in range(25):
        if where < 0.80:
            x, y, z = rng.uniform(-0.49, 0.49) * wide, rng.normal(0, 0.2) * high, 0.0
            if abs(x) < board.bar / 2 + size and board.bar_height > 0:
                continue
            if abs(y) > high / 2 - size:
                continue
        elif where < 0.88 and board.bar > size:
            x, y, z = 0.0, rng.uniform(-0.45, 0.45) * high, board.bar_height
        else:
            x, y, z = float(rng.choice([left - 60, right + 60])) + rng.normal(0, 15), rng.uniform(low, top), -board.base
        clear = all(math.dist((x, y), c.foot_mm[:2]) > board.diameter / 2 + 0.75 * size for c in laid)
        if clear and all(math.dist((x, y), spot[:2]) > 1.6 * size for spot in taken):
            return float(x), float(y), float(z)
    return None


def dice_thrown(rng: np.random.Generator, board: Board, look: DiceLook, laid: list[Checker], many: int) -> list[Die]:
    """Dice where there is room; some lean on a checker."""
    made: list[Die] = []
    taken: list[Spot] = []
    for _ in range(many):
        size, face = look.size_mm, int(rng.integers(1, 7))
        yaw, leaning = rng.uniform(0, 360), bool(rng.random() < 0.06 and laid)
        tilt, way = 0.0, 0.0
        if leaning:
            beside_it = laid[int(rng.integers(len(laid)))].foot_mm
            way = rng.uniform(0, 360)
            reach = board.diameter / 2 + size * 0.25
            d = math.radians(way)
            spot: Spot | None = (beside_it[0] + reach * math.cos(d), beside_it[1] + reach * math.sin(d), 0.35 * board.thickness)
            tilt = rng.uniform(15, 40)
            if any(math.dist(spot[:2], c.foot_mm[:2]) < reach - 1 for c in laid):
                leaning, tilt, spot = False, 0.0, _spot_for(rng, board, laid, taken, size)
        else:
            spot = _spot_for(rng, board, laid, taken, size)
        if spot is None:
            continue
        taken.append(spot)
        on_field = abs(spot[0]) < board.field_wh[0] / 2 and abs(spot[1]) < board.field_wh[1] / 2
        face_tilt, face_way = FACE_TURNS[face]
        turn = turned(0, tilt, way) @ turned(yaw) @ turned(0, face_tilt, face_way)
        body, pips = look.colours[int(rng.integers(2))]
        solid = Solid(
            shape="box",
            at=(spot[0], spot[1], spot[2] + size / 2 * (1 + (0.4 if leaning else 0))),
            size=(size, size, size),
            turn=rows(turn),
            radii=(look.rounded * size, 0),
            colour=body,
            second=pips,
            gloss=look.gloss,
            printed="die",
        )
        made.append(Die(face=face, leaning=leaning, on_field=on_field, thing=Thing(name="die", solids=(solid,), hides=False)))
    return made


def cube_placed(rng: np.random.Generator, board: Board, look: DiceLook, laid: list[Checker]) -> Thing | None:
    """The doubling cube on the bar, the frame, the field's edge or the table."""
    left, right, low, top = board.outer
    size = look.cube_mm
    spots: list[Spot] = [
        (0.0, float(rng.choice([-1, 1])) * board.field_wh[1] * rng.uniform(0.3, 0.47), board.bar_height),
        (0.0, rng.normal(0, 0.03) * board.field_wh[1], board.bar_height),
        (float(rng.choice([left, right])) * 0.99, rng.normal(0, 0.2) * top, board.wall),
        (rng.uniform(left, right), float(rng.choice([low, top])) * 0.98, board.wall),
        (float(rng.choice([left - size, right + size])), rng.uniform(low, top), -board.base),
        (rng.uniform(-0.45, 0.45) * board.field_wh[0], rng.normal(0, 0.1) * top, 0.0),
    ]
    spot = spots[int(rng.integers(len(spots)))]
    if any(math.dist(spot[:2], c.foot_mm[:2]) < board.diameter / 2 + 0.75 * size for c in laid):
        return None
    up = (0.0, 180.0, 90.0, -90.0)[int(rng.integers(4))]
    turn = turned(float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 8)) @ turned(0, up, 0)
    solid = Solid(
        shape="box",
        at=(spot[0], spot[1], spot[2] + size / 2),
        size=(size, size, size),
        turn=rows(turn),
        radii=(0.12 * size, 0),
        colour=look.cube_colours[0],
        second=look.cube_colours[1],
        gloss=look.gloss,
        printed="cube",
    )
    return Thing(name="cube", solids=(solid,), hides=False)
