"""The label of a picture: true corners, checkers on each place, what is hidden, dice, checkers in view."""

import numpy as np

from vision.training.scenes.camera import Camera, Floats, corners_mm
from vision.training.scenes.looks.board import Board
from vision.training.scenes.objects.piling import Checker, counted
from vision.training.scenes.objects.solids import Mask, Thing, disc, drawn
from vision.training.scenes.plan import Session, Shot, pushed

SHARE = 0.5
"""Masks are drawn at this share of the picture's size."""


def label(session: Session, shot: Shot, file: str) -> dict[str, object]:
    """One line of labels.jsonl."""
    board, camera = session.board, pushed(shot.camera, shot.push)
    counts, piles = counted(list(shot.laid))
    covers = [thing for thing in (*session.static, *shot.things) if thing.hides]
    cover = _mask(camera, covers) | _held(camera, board, shot.laid)
    hands = _mask(camera, [thing for thing in covers if thing.name == "hand"])
    field = drawn(camera, [corners_mm(board)], SHARE)
    bodies = [disc(c.foot_mm, board.diameter / 2, board.thickness) for c in shot.laid]
    shares = [_covered(_area(camera, board, place, shot.laid, bodies), cover) for place in range(26)]
    dark, light = (1, 0) if session.sets.light_is == "a" else (0, 1)
    return {
        "file": file,
        "kind": shot.kind,
        "corners_px": _listed(camera.px(corners_mm(board))),
        "bar": [round(side, 5) for side in board.bar_fractions],
        "lens": {"k1": round(camera.k1, 5), "radius_px": float(np.hypot(*camera.size_wh) / 2)},
        "camera_mm": [round(v, 1) for v in camera.at_mm],
        "places": [[place[light], place[dark]] for place in counts.places],
        "bar_halves": [[half[light], half[dark]] for half in counts.bar_halves],
        "piles": piles,
        "hidden": [round(share, 3) for share in shares[:24]],
        "bar_hidden": [round(share, 3) for share in shares[24:]],
        "hand": bool(hands.any()),
        "hand_share": round(_covered(field, hands), 3),
        "pad": bool((_mask(camera, [t for t in shot.things if t.name != "hand"]) & field).any()),
        "dice": [
            {
                "face": die.face,
                "box_px": _box(camera, die.thing),
                "leaning": die.leaning,
                "on_field": die.on_field,
                "hidden": round(_hidden(camera, die.thing, cover, bodies), 3),
            }
            for die in shot.dice
            if _inside(camera, die.thing)
        ],
        "cube": _box(camera, shot.cube) if shot.cube and _inside(camera, shot.cube) else None,
        "checker_boxes": _ellipses(camera, board, shot.laid, cover, light),
        "events": list(shot.events),
    }


def _mask(camera: Camera, things: list[Thing]) -> Mask:
    return drawn(camera, [hull for thing in things for hull in thing.hulls()], SHARE)


def _held(camera: Camera, board: Board, laid: tuple[Checker, ...]) -> Mask:
    """The mask of checkers of no place that are held over the field."""
    wide, high = board.field_wh
    over = [
        c.foot_mm
        for c in laid
        if c.place < 0 and abs(c.foot_mm[0]) < wide / 2 and abs(c.foot_mm[1]) < high / 2
    ]
    return drawn(camera, [disc(foot, board.diameter / 2, board.thickness) for foot in over], SHARE)


def _area(camera: Camera, board: Board, place: int, laid: tuple[Checker, ...], bodies: list[Floats]) -> Mask:
    """The mask of a place's column, or of a half of the bar, and of what lies there."""
    if place < 24:
        x, half = board.column_x(place), board.pitch / 2
        edge, z = board.rim_y(place), 0.0
    else:
        x, half = 0.0, max(board.bar, board.diameter) / 2
        edge, z = board.field_wh[1] / 2 * (1 if place == 24 else -1), board.bar_height
    column = np.array([(x - half, 0, z), (x + half, 0, z), (x + half, edge, z), (x - half, edge, z)])
    return drawn(camera, [column, *(b for c, b in zip(laid, bodies, strict=True) if c.place == place)], SHARE)


def _covered(area: Mask, cover: Mask) -> float:
    """The share of an area that a mask covers."""
    inside = int((area > 0).sum())
    return float(((area > 0) & (cover > 0)).sum() / inside) if inside else 0.0


def _hidden(camera: Camera, thing: Thing, cover: Mask, bodies: list[Floats]) -> float:
    """The share of a small thing that is hidden by foreign objects or by checkers nearer to the camera."""
    hulls = thing.hulls()
    away = camera.seen(np.concatenate(hulls))[:, 2].mean()
    high = np.concatenate(hulls)[:, 2].min()
    nearer = [b for b in bodies if camera.seen(b)[:, 2].mean() < away and b[:, 2].max() > high]
    return _covered(drawn(camera, hulls, SHARE), cover | drawn(camera, nearer, SHARE))


def _inside(camera: Camera, thing: Thing) -> bool:
    """Whether the whole of a small thing is in the picture."""
    left, top, right, bottom = _box(camera, thing)
    return left >= 0 and top >= 0 and right <= camera.size_wh[0] - 1 and bottom <= camera.size_wh[1] - 1


def _box(camera: Camera, thing: Thing) -> list[float]:
    spots = camera.px(np.concatenate(thing.hulls()))
    return [round(float(v), 1) for v in (*spots.min(axis=0), *spots.max(axis=0))]


def _listed(spots: Floats) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in spots]


def _ellipses(
    camera: Camera, board: Board, laid: tuple[Checker, ...], cover: Mask, light: int
) -> list[list[float]]:
    """[cx, cy, rx, ry, layer, colour (0 light, 1 dark)] of the top faces that can be seen."""
    made = []
    for checker in laid:
        x, y, z = checker.foot_mm
        over = [
            c
            for c in laid
            if c.foot_mm[2] > z + 0.5 and np.hypot(c.foot_mm[0] - x, c.foot_mm[1] - y) < 0.45 * board.diameter
        ]
        face = disc((x, y, z + board.thickness), board.diameter / 2, 0.0)[:24]
        if over or checker.place < 0 or _covered(drawn(camera, [face], SHARE), cover) > 0.6:
            continue
        spots = camera.px(face)
        low, high = spots.min(axis=0), spots.max(axis=0)
        numbers = [*((low + high) / 2), *((high - low) / 2)]
        made.append(
            [*(round(float(v), 1) for v in numbers), checker.layer, 0 if checker.side == light else 1]
        )
    return made


def board_line(session: Session) -> dict[str, object]:
    """The content of board.json."""
    board, sets = session.board, session.sets
    first = session.shots[0]
    return {
        "number": session.number,
        "family": session.family.name,
        "size_wh": list(first.camera.size_wh),
        "light_is": sets.light_is,
        "set_a_rgb": [round(255 * c) for c in sets.colours[0]],
        "set_b_rgb": [round(255 * c) for c in sets.colours[1]],
        "checker_mm": round(board.diameter, 2),
        "thickness_mm": round(board.thickness, 2),
        "field_mm": [round(side, 2) for side in board.field_wh],
        "bar": [round(side, 5) for side in board.bar_fractions],
        "bar_kind": board.bar_kind,
        "bar_height_mm": round(board.bar_height, 2),
        "pitch_mm": round(board.pitch, 2),
        "wall_mm": round(board.wall, 2),
        "row": board.row,
        "point_length": round(board.reach, 3),
        "camera": first.camera.view,
        "lens": first.camera.lens,
        "light": first.light.kind,
        "looks": list(sets.looks),
        "table": session.table,
    }
