"""Dice and the doubling cube, and where they come to lie."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.training.scenes.camera import Spot, rows
from vision.training.scenes.looks.board import Board
from vision.training.scenes.looks.prints import USUAL_PIPS
from vision.training.scenes.looks.tones import Rgb, distance, drawn, two_apart
from vision.training.scenes.objects.piling import Checker
from vision.training.scenes.objects.solids import Solid, Thing, turned

FACE_TURNS = {1: (0, 0), 6: (180, 0), 2: (-90, 0), 5: (90, 0), 3: (90, 90), 4: (-90, 90)}
"""For each face the tilt, and the direction of the tilt, both in degrees, that bring it to the top of a die
printed as in `prints.py`: 1 up, 2 towards +x, 3 towards -y."""
LIKE_THE_CHECKERS = 0.3
"""Share of the makes of dice that have the colour of one side's checkers."""


@dataclass(frozen=True, kw_only=True)
class DiceLook:
    """Two kinds of dice and the doubling cube of a session.

    pips: a pip's radius and how far it lies from the middle, as shares of a face.
    """

    size_mm: float
    rounded: float
    colours: tuple[tuple[Rgb, Rgb], tuple[Rgb, Rgb]]
    gloss: float
    cube_mm: float
    cube_colours: tuple[Rgb, Rgb]
    pips: tuple[float, float] = USUAL_PIPS


def dice_look(rng: np.random.Generator, board: Board) -> DiceLook:
    def pair() -> tuple[Rgb, Rgb]:
        tones = (
            ("white", "black"),
            ("ivory", "black"),
            ("any", "white"),
            ("vivid", "white"),
            ("black", "white"),
            ("cream", "red"),
        )
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


def dice_of_another_make(rng: np.random.Generator, board: Board, checkers: Sequence[Rgb]) -> DiceLook:
    """As `dice_look`, with pips of any size. Some have a colour of the checkers, as in many sets."""
    pips = (rng.uniform(0.075, 0.12), rng.uniform(0.22, 0.28))
    size_mm = board.pitch * rng.uniform(0.2, 0.44)
    look = replace(dice_look(rng, board), size_mm=size_mm, pips=pips)
    if rng.random() < LIKE_THE_CHECKERS:
        body = checkers[int(rng.integers(len(checkers)))]
        marks = max((drawn(rng, "white"), drawn(rng, "black")), key=lambda tone: distance(tone, body))
        look = replace(look, colours=((body, marks),) * 2)
    return look


@dataclass(frozen=True, kw_only=True)
class Die:
    """A die at rest; face is its upper face. leaning: it does not lie flat on the board."""

    face: int
    leaning: bool
    on_field: bool
    thing: Thing


def _spot_for(
    rng: np.random.Generator, board: Board, laid: list[Checker], taken: list[Spot], size: float
) -> Spot | None:
    """A free spot for something of this size: mostly on the field, else on the bar or the table."""
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
            x, y, z = (
                float(rng.choice([left - 60, right + 60])) + rng.normal(0, 15),
                rng.uniform(low, top),
                -board.base,
            )
        clear = all(math.dist((x, y), c.foot_mm[:2]) > board.diameter / 2 + 0.75 * size for c in laid)
        if clear and all(math.dist((x, y), spot[:2]) > 1.6 * size for spot in taken):
            return float(x), float(y), float(z)
    return None


def _upon(rng: np.random.Generator, board: Board, laid: list[Checker]) -> Spot:
    """On top of a checker that nothing lies on."""
    x, y, _ = laid[int(rng.integers(len(laid)))].foot_mm
    over = [c.foot_mm for c in laid if math.dist(c.foot_mm[:2], (x, y)) < board.diameter / 2]
    top = max(over, key=lambda foot: foot[2])
    return top[0], top[1], top[2] + board.thickness


def dice_thrown(
    rng: np.random.Generator,
    board: Board,
    look: DiceLook,
    laid: list[Checker],
    many: int,
    lying: Sequence[Spot] = (),
) -> list[Die]:
    """Up to `many` dice where there is room beside those at `lying`; some lean or lie on a checker."""
    made: list[Die] = []
    taken = list(lying)
    for _ in range(many):
        size, face = look.size_mm, int(rng.integers(1, 7))
        yaw, leaning = rng.uniform(0, 360), bool(rng.random() < 0.06 and laid)
        tilt, way = 0.0, 0.0
        spot: Spot | None
        if leaning:
            beside_it = laid[int(rng.integers(len(laid)))].foot_mm
            way = rng.uniform(0, 360)
            reach = board.diameter / 2 + size * 0.25
            d = math.radians(way)
            at = beside_it[0] + reach * math.cos(d), beside_it[1] + reach * math.sin(d)
            leaning = all(math.dist(at, c.foot_mm[:2]) > reach - 1 for c in laid)
        if leaning:
            tilt, spot = rng.uniform(15, 40), (*at, 0.35 * board.thickness)
        elif rng.random() < 0.03 and laid:
            leaning, spot = True, _upon(rng, board, laid)
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
            at=(spot[0], spot[1], spot[2] + size / 2 * (1 + (0.4 if tilt else 0))),
            size=(size, size, size),
            turn=rows(turn),
            radii=(look.rounded * size, 0),
            colour=body,
            second=pips,
            gloss=look.gloss,
            printed="die",
            pips=look.pips,
        )
        made.append(
            Die(
                face=face,
                leaning=leaning,
                on_field=on_field,
                thing=Thing(name="die", solids=(solid,), hides=False),
            )
        )
    return made


def cube_placed(rng: np.random.Generator, board: Board, look: DiceLook, laid: list[Checker]) -> Thing | None:
    """The doubling cube on the bar, the frame, the field or the table; None if a checker is in its way."""
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
