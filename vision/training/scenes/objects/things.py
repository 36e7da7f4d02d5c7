"""Pads, telephones, cups and pens: what lies over the frame or on the table."""

import math

import numpy as np

from vision.training.scenes.camera import Spot, as_spot, rows
from vision.training.scenes.looks.board import Board
from vision.training.scenes.looks.tones import drawn
from vision.training.scenes.objects.hands import player
from vision.training.scenes.objects.solids import Solid, Thing, limb, turned


def _flat(rng: np.random.Generator, name: str, at: Spot, yaw: float, tilt: float, way: float) -> Thing:
    """A telephone, a pad of paper, a box or a card."""
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
    solids = [
        Solid(
            shape="disc",
            at=foot,
            size=(0, 0, high),
            radii=(radius, 0),
            colour=colour,
            gloss=rng.uniform(0, 0.9),
        )
    ]
    inside = drawn(rng, str(rng.choice(["black", "brown", "crimson", "cream"])))
    top = (foot[0], foot[1], foot[2] + high)
    solids.append(
        Solid(shape="disc", at=top, size=(0, 0, 0.4), radii=(radius * 0.88, 0), colour=inside, gloss=0.4)
    )
    if rng.random() < 0.4:
        a = rng.uniform(0, 2 * math.pi)
        out = np.array([math.cos(a), math.sin(a), 0.0])
        low, up = (
            np.array(foot) + out * radius + [0, 0, high * 0.25],
            np.array(foot) + out * radius + [0, 0, high * 0.8],
        )
        knee = (low + up) / 2 + out * radius * 0.7
        for one, other in ((low, knee), (knee, up)):
            solids.append(limb(as_spot(one), as_spot(other), (5, 5), colour))
    return Thing(name="cup", solids=tuple(solids))


def pen(rng: np.random.Generator, at: Spot) -> Thing:
    a, half = rng.uniform(0, math.pi), rng.uniform(55, 75)
    off = np.array([math.cos(a) * half, math.sin(a) * half, 0.0])
    body = Solid(
        shape="capsule",
        at=as_spot(np.array(at) - off + [0, 0, 4]),
        end=as_spot(np.array(at) + off + [0, 0, 4]),
        radii=(4.5, 3.0),
        colour=drawn(rng, "any"),
        gloss=0.6,
    )
    return Thing(name="pen", solids=(body,))


def over_the_frame(rng: np.random.Generator, board: Board) -> Thing:
    """A pad, telephone, box or card over the frame and a part of the field, or a cup over the field."""
    left, right, low, high = board.outer
    kind = str(rng.choice(["pad", "phone", "phone", "box", "card", "cup"]))
    if kind == "cup":
        x = rng.choice([0.0, rng.uniform(-0.5, 0.5) * board.field_wh[0]])
        z = board.bar_height if abs(x) < board.bar / 2 else board.thickness
        return cup(
            rng, (float(x), float(rng.uniform(-0.5, 0.5) * board.field_wh[1]), z + 3 * board.thickness)
        )
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
    """What lies on the table around the board for the whole session, and sometimes a player beside it."""
    left, right, low, high = board.outer
    made = [player(rng, board)] if rng.random() < 0.2 else []
    for _ in range(int(rng.choice([0, 1, 2, 3, 4], p=[0.3, 0.3, 0.2, 0.15, 0.05]))):
        kind = str(rng.choice(["phone", "pad", "cup", "pen", "box", "card", "cup"]))
        off = {"cup": 50, "pen": 80, "phone": 95, "card": 95, "box": 110}.get(kind, 180) + rng.uniform(0, 70)
        if rng.random() < 0.6:
            x = float(rng.choice([left - off, right + off]))
            y = rng.uniform(low, high)
        else:
            x, y = rng.uniform(left, right), float(rng.choice([low - off, high + off]))
        at = (x, y, -board.base)
        made.append(
            cup(rng, at)
            if kind == "cup"
            else pen(rng, at)
            if kind == "pen"
            else _flat(rng, kind, at, rng.uniform(0, 180), 0, 0)
        )
    return made
