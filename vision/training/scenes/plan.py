"""The plan of a session of pictures of one board. The same scene number and family give the same plan."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.training.scenes.camera import Camera, Spot, as_spot, camera_by_chance, corners_mm, rows
from vision.training.scenes.lighting import (
    Light,
    glows_by_chance,
    in_photographed_room,
    later,
    light_by_chance,
)
from vision.training.scenes.looks.board import Board, board_by_chance
from vision.training.scenes.looks.families import BY_NAME
from vision.training.scenes.looks.family import Family
from vision.training.scenes.looks.tones import Rgb, distance, lab, two_apart
from vision.training.scenes.objects.dice import (
    Die,
    cube_placed,
    dice_look,
    dice_of_another_make,
    dice_thrown,
)
from vision.training.scenes.objects.hands import hand_over
from vision.training.scenes.objects.piling import Checker, Piling, habit_by_chance
from vision.training.scenes.objects.positions import CHECKERS, Counts, growing, position, stacked, start
from vision.training.scenes.objects.solids import Thing, drawn
from vision.training.scenes.objects.things import beside, over_the_frame

PICTURES_OF_A_SESSION = 9
DICE_PICTURE_WIDTH, POINTS_BESIDE_DICE, DICE_OF_A_MAKE = 1280, 8, 6
"""Of pictures for reading dice: width in pixels, places that keep their checkers, most dice of each make."""
IN_THE_WAY_SHARE, NEAR_LENS_MM, SLIVER = 0.25, 120.0, 0.02
"""A thing beside the board is left out if it is nearer to the lens than this, or covers more than this share
of the field; the first number is the scale of the masks that are compared."""
PLAN_STREAM, LOOKS_STREAM, SENSOR_STREAM, ROOM_STREAM = 1, 2, 3, 7
"""Numbers of the random streams of a scene number."""
LEAST_APART = 13.0
"""Least `tones.distance` between the two sides' colours. People could not play with less."""

BRUSHED, BRUSHED_DIAMETERS = 0.12, 0.03
"""Probability that a sleeve moves a stack before a picture, and the standard deviation of its shift in
diameters; guesses."""


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One picture.

    camera: relative to the unmoved board. push: how far the board has been moved since (mm, mm, degrees).
    """

    kind: str
    laid: tuple[Checker, ...]
    camera: Camera
    push: tuple[float, float, float]
    light: Light
    dice: tuple[Die, ...]
    cube: Thing | None
    things: tuple[Thing, ...]
    events: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Sets:
    """The two sets of checkers: side 0 has colours[0]. light_is: "a" if that is the lighter one, else "b"."""

    colours: tuple[Rgb, Rgb]
    looks: tuple[str, str]
    gloss: float

    @property
    def light_is(self) -> str:
        return "a" if lab(self.colours[0])[0] >= lab(self.colours[1])[0] else "b"


@dataclass(frozen=True, kw_only=True)
class Session:
    """One board, camera and kind of light, and the pictures to be taken of it."""

    number: int
    family: Family
    board: Board
    sets: Sets
    table: str
    gloss: float
    static: tuple[Thing, ...]
    shots: tuple[Shot, ...]


def stream(number: int, which: int) -> np.random.Generator:
    """The random generator of one stream of a scene number."""
    return np.random.default_rng([number, which])


def family_of(number: int, names: tuple[str, ...]) -> Family:
    """`chance` for about half of the numbers, else one of these families."""
    rng = stream(number, 0)
    return BY_NAME["chance"] if rng.random() < 0.5 else BY_NAME[names[int(rng.integers(len(names)))]]


def planned(number: int, family: Family) -> Session:
    """The session of this number."""
    planner = Planner(number, family)
    rng = planner.rng
    bare = rng.random() < 0.5
    kinds = (["bare"] if bare else []) + ["start"]
    kinds += ["play"] * (PICTURES_OF_A_SESSION - len(kinds))
    covered = set(rng.choice(np.arange(len(kinds) - 7, len(kinds)), 2, replace=False).tolist())
    shots = [planner.shot(kind, step, step in covered) for step, kind in enumerate(kinds)]
    return planner.session(rng, shots)


def planned_with_dice(number: int, family: Family) -> Session:
    """A session of this number for reading dice: few checkers, many dice, higher resolution."""
    planner = Planner(number, family)
    planner.camera = planner.camera.as_fine_as(DICE_PICTURE_WIDTH)
    return planner.session(planner.rng, (planner.shot_of_dice(step) for step in range(PICTURES_OF_A_SESSION)))


def planned_with_stacks(number: int, family: Family) -> Session:
    """A session of this number for counting: the start position, then tall stacks on many places."""
    planner = Planner(number, family)
    kinds = ["start"] + ["stacks"] * (PICTURES_OF_A_SESSION - 1)
    return planner.session(
        planner.rng, (planner.shot(kind, step, covered=False) for step, kind in enumerate(kinds))
    )


def planned_with_growth(number: int, family: Family) -> Session:
    """A session of this number for reading changes: tall stacks, some of which change before each picture."""
    planner = Planner(number, family)
    shown = growing(planner.rng, PICTURES_OF_A_SESSION - 1)
    return planner.session(
        planner.rng, [planner.shot("start", 0, covered=False), *planner.shots_of_growth(shown)]
    )


def planned_in_still_light(number: int, family: Family) -> Session:
    """As `planned_with_growth`, but every picture has the light of the first one."""
    session = planned_with_growth(number, family)
    light = session.shots[0].light
    return replace(session, shots=tuple(replace(shot, light=light) for shot in session.shots))


def sets_by_chance(rng: np.random.Generator, family: Family) -> Sets:
    """Two sets of checkers whose colours differ enough; side 0 gets the lighter one."""
    tones = family.checkers[int(rng.integers(len(family.checkers)))]
    colours = two_apart(rng, tones, LEAST_APART)
    while distance(*colours) < LEAST_APART:
        colours = two_apart(rng, ("any", "any"), LEAST_APART)
    look = str(rng.choice(family.looks))
    other = look if rng.random() < 0.85 else str(rng.choice(family.looks))
    if lab(colours[0])[0] < lab(colours[1])[0]:
        colours = (colours[1], colours[0])
    return Sets(colours=colours, looks=(look, other), gloss=float(rng.uniform(*family.gloss)))


class Planner:
    """Plans the pictures of a session one after another.

    panoramas: photographed rooms, one of which lights the board; () for even light from the room.
    """

    def __init__(self, number: int, family: Family, panoramas: Sequence[Path] = ()) -> None:
        self.number, self.family, self.rng = number, family, stream(number, PLAN_STREAM)
        rng = self.rng
        board = self.board = board_by_chance(rng, family)
        self.sets = sets_by_chance(rng, family)
        self.camera = camera_by_chance(rng, board)
        self.light = light_by_chance(rng)
        if panoramas:
            self.light = in_photographed_room(stream(number, ROOM_STREAM), self.light, panoramas)
        self.static = tuple(
            thing for thing in beside(rng, board) if not in_the_way(self.camera, board, thing)
        )
        self.habit = habit_by_chance(rng, board)
        self.dice = dice_look(rng, board)
        self.glowing = rng.random() < 0.3
        self.moves = rng.random() < 0.3
        self.nudges = rng.random() < 0.2
        self.mirrored, self.swapped = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
        self.push = (0.0, 0.0, 0.0)

    def session(self, rng: np.random.Generator, shots: Iterable[Shot]) -> Session:
        """The session of these pictures; rng chooses the table, then the gloss."""
        return Session(
            number=self.number,
            family=self.family,
            board=self.board,
            sets=self.sets,
            table=str(rng.choice(self.family.tables)),
            gloss=float(rng.uniform(*self.family.gloss)),
            static=self.static,
            shots=tuple(shots),
        )

    def shot(self, kind: str, step: int, covered: bool) -> Shot:
        rng, board = self.rng, self.board
        events = self.shaken(step)
        counts = Counts()
        if kind == "start":
            counts = start(self.mirrored, self.swapped)
        elif kind == "play":
            counts = position(rng, self.mirrored, self.swapped)
        elif kind == "stacks":
            counts = stacked(rng)
        habit = self.habit if kind == "start" or rng.random() < 0.6 else habit_by_chance(rng, board)
        laid = Piling(
            board,
            rng,
            replace(habit, row=max(habit.row, min(5, board.most_in_a_row))) if kind == "start" else habit,
        ).lay(counts)
        dice: list[Die] = []
        things: list[Thing] = []
        if (kind == "play" and rng.random() < 0.75) or rng.random() < 0.15:
            many = 2 if rng.random() < 0.7 else int(rng.integers(1, 5))
            dice = dice_thrown(rng, board, self.dice, laid, many)
        cube = cube_placed(rng, board, self.dice, laid) if rng.random() < 0.55 else None
        if covered:
            if rng.random() < 0.6:
                arm, fingers = hand_over(rng, board)
                things.append(arm)
                events.append("hand")
                if rng.random() < 0.12:
                    things.append(hand_over(rng, board)[0])
                if rng.random() < 0.35 and kind == "play":
                    laid = laid + _held(rng, board, laid, fingers)
            if not things or rng.random() < 0.2:
                things.append(over_the_frame(rng, board))
                events.append(things[-1].name)
        laid = laid + self._off(laid) if kind == "play" else laid
        light = later(rng, self.light, step) if step else self.light
        if self.glowing and kind != "bare" and rng.random() < 0.75:
            light = replace(light, glows=glows_by_chance(rng, board))
            events.append("lamps")
        return Shot(
            kind=kind,
            laid=tuple(laid),
            camera=self.camera,
            push=self.push,
            light=light,
            dice=tuple(dice),
            cube=cube,
            things=tuple(things),
            events=tuple(events),
        )

    def shot_of_dice(self, step: int) -> Shot:
        """A picture of many dice of two makes, with the checkers of some of the places."""
        rng, shot = self.rng, self.shot("play", step, covered=False)
        held = rng.permutation(24)[:POINTS_BESIDE_DICE]
        laid = [checker for checker in shot.laid if checker.place in held]
        dice: list[Die] = []
        for _ in range(2):
            make = dice_of_another_make(rng, self.board, self.sets.colours)
            lying = [die.thing.solids[0].at for die in dice]
            dice += dice_thrown(rng, self.board, make, laid, DICE_OF_A_MAKE, lying)
        return replace(shot, kind="dice", laid=tuple(laid), dice=tuple(dice))

    def shots_of_growth(self, shown: Sequence[Counts]) -> Iterator[Shot]:
        """Pictures of stacks whose last checkers come and go; the others mostly stay where they lie."""
        rng, board = self.rng, self.board
        row = max(self.habit.row, min(5, board.most_in_a_row))
        full = Piling(board, rng, replace(self.habit, row=row)).lay(most_on_each_place(shown))
        moved = dict.fromkeys(range(24), (0.0, 0.0))
        for step, counts in enumerate(shown, start=1):
            for place in moved:
                if rng.random() < BRUSHED:
                    right, down = rng.normal(0, BRUSHED_DIAMETERS, 2) * board.diameter
                    moved[place] = float(right), float(down)
            laid = self._brushed_aside(first_of(full, counts), moved)
            shot = self.shot("bare", step, covered=False)
            dice = dice_thrown(rng, board, self.dice, laid, 2) if rng.random() < 0.5 else []
            yield replace(shot, kind="stacks", laid=tuple(laid), dice=tuple(dice), cube=None)

    def _brushed_aside(self, lying: list[Checker], moved: dict[int, tuple[float, float]]) -> list[Checker]:
        """The checkers after whole stacks were shifted; a stack without room for its shift stays."""
        for place, (right, down) in moved.items():
            stack = [checker for checker in lying if checker.place == place]
            others = [checker for checker in lying if checker.place != place]
            aside = [
                replace(one, foot_mm=(one.foot_mm[0] + right, one.foot_mm[1] + down, one.foot_mm[2]))
                for one in stack
            ]
            table = Piling(self.board, self.rng, self.habit, others)
            if all(table.free(one.foot_mm) for one in aside):
                lying = [*others, *aside]
        return lying

    def shaken(self, step: int) -> list[str]:
        """Sometimes push the board on the table or nudge the camera; returns the names of these events."""
        rng = self.rng
        events = []
        if step and self.moves and rng.random() < 0.35:
            push = (rng.uniform(-14, 14), rng.uniform(-14, 14), rng.uniform(-2, 2))
            if in_the_picture(pushed(self.camera, push), self.board):
                self.push = push
                events.append("board_pushed")
        if step and self.nudges and rng.random() < 0.3:
            camera = self.camera.nudged(rng)
            if in_the_picture(pushed(camera, self.push), self.board):
                self.camera = camera
                events.append("camera_nudged")
        return events

    def _off(self, laid: list[Checker]) -> list[Checker]:
        """Borne-off checkers in the trays or on the table."""
        rng, board = self.rng, self.board
        if rng.random() < 0.25:
            return []
        made: list[Checker] = []
        left, right, low, high = board.outer
        for side in (0, 1):
            many = CHECKERS - sum(checker.side == side for checker in laid)
            across = float(rng.choice([-1, 1]))
            tray = board.trays_mm[0 if across < 0 else 1]
            half = float(rng.choice([-1, 1]))
            for number in range(many):
                layer, place = number % 3, number // 3
                if tray:
                    x = across * (board.floor_wh[0] / 2 + 0.6 * board.rim + tray / 2)
                    y = half * (board.floor_wh[1] / 2 - board.diameter * (0.55 + place * 1.04))
                    spot: Spot = (x, y, layer * board.thickness)
                else:
                    x = (left if across < 0 else right) + across * board.diameter * rng.uniform(0.7, 1.6)
                    spot = (float(x), float(rng.uniform(low, high)), -board.base)
                if _is_clear(board, spot, [*laid, *made], 0.98 * board.thickness):
                    made.append(Checker(side=side, foot_mm=spot, place=-1, layer=layer if tray else 0))
        return made


def most_on_each_place(shown: Iterable[Counts]) -> Counts:
    """For each place and side the greatest number of checkers that it ever holds."""
    most = Counts()
    for counts in shown:
        for held, many in zip(most.places, counts.places, strict=True):
            held[:] = [max(pair) for pair in zip(held, many, strict=True)]
    return most


def first_of(full: Iterable[Checker], counts: Counts) -> list[Checker]:
    """The checkers of `full` that were laid first: on each place as many as `counts` has there."""
    left = [list(held) for held in counts.places]
    lying = []
    for checker in full:
        left[checker.place][checker.side] -= 1
        if left[checker.place][checker.side] >= 0:
            lying.append(checker)
    return lying


def in_the_picture(camera: Camera, board: Board) -> bool:
    """Whether the camera sees all of the field."""
    corners = camera.px(corners_mm(board))
    return bool((corners >= 0).all() and (corners <= np.array(camera.size_wh) - 1).all())


def in_the_way(camera: Camera, board: Board, thing: Thing) -> bool:
    """Whether a thing hides more than `SLIVER` of the field, or is nearer to the lens than `NEAR_LENS_MM`."""
    field = drawn(camera, [corners_mm(board)], IN_THE_WAY_SHARE)
    over = drawn(camera, thing.hulls(), IN_THE_WAY_SHARE)
    close = min(float(camera.seen(hull)[:, 2].min()) for hull in thing.hulls())
    return close < NEAR_LENS_MM or bool(((field & over) > 0).sum() > SLIVER * (field > 0).sum())


def _held(rng: np.random.Generator, board: Board, laid: list[Checker], fingers: Spot) -> list[Checker]:
    """A checker between the fingers, on no place; [] if no side has one left or there is no room for it."""
    for side in (int(s) for s in rng.permutation(2)):
        if sum(c.side == side for c in laid) < CHECKERS:
            spot = (fingers[0], fingers[1], max(fingers[2], 5 * board.thickness))
            if _is_clear(board, spot, laid, board.thickness):
                return [Checker(side=side, foot_mm=spot, place=-1, layer=0)]
    return []


def _is_clear(board: Board, spot: Spot, laid: list[Checker], apart: float) -> bool:
    """Whether a checker there would be clear of the others, above and below them by more than `apart` mm."""
    return all(
        math.dist(spot[:2], c.foot_mm[:2]) > board.diameter or abs(spot[2] - c.foot_mm[2]) > apart
        for c in laid
    )


def pushed(camera: Camera, push: tuple[float, float, float]) -> Camera:
    """The unmoved camera in the coordinates of a board that was moved by (mm, mm, degrees)."""
    a = math.radians(push[2])
    back = np.array([[math.cos(a), math.sin(a), 0], [-math.sin(a), math.cos(a), 0], [0, 0, 1.0]])
    at = back @ (np.array(camera.at_mm) - np.array([push[0], push[1], 0.0]))
    turn = back @ np.array(camera.turn)
    return replace(camera, at_mm=as_spot(at), turn=rows(turn))
