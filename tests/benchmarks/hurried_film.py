"""A film of a hurried game, drawn beforehand, at thirty pictures a second: restless hands, wrong plays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import cv2

from controller.perception.orientation import Orientation
from controller.rules import Dice, Player, Position, legal_plays
from controller.simulation.screenplay import LAG_MS, TUMBLE_MS, scene_of
from hardware.simulated.drawn_table import BOARD_LOOKS, LyingDie, Scene, draw_table
from hardware.simulated.simulated_tray import LIFTED, MOVING, Happening
from tests.benchmarks.illegal_plays import illegal_play
from tests.benchmarks.players import sensibly

FPS = 30
SEATING = Orientation(white_home="bottom-right")
LOOK = BOARD_LOOKS[1]
FURNISHED_MS = 12_000
"""Time for which the start position lies there before the first throw: a slow computer starts slowly."""
THOUGHT_MS, HAND_MS, STUDIED_MS, RESTED_MS = 1000, 1500, 3000, 1500
"""Times: from the throw to the hand, of a hand over the board, of a wrong play on it, of a right one."""
DICE_MM = ((390.0, 210.0), (430.0, 240.0))
"""Where the dice of a table without a tray come to lie."""
NOISES = 4
"""Pictures of the same scene that differ in their noise."""


@dataclass
class HurriedFilm:
    """pictures: JPEG files. shown: which of them each thirtieth of a second shows. dice: what the tray feels.

    settled: the times in ms from which a wrong play lies there and the hand is gone.
    """

    pictures: list[bytes] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    dice: list[Happening] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)
    moving: list[tuple[int, int]] = field(default_factory=list)
    """Beginning and end of each time in which a hand moves over the board, in ms."""
    _known: dict[tuple[Scene, int], int] = field(default_factory=dict)

    @property
    def end_ms(self) -> int:
        return 1000 * len(self.shown) // FPS

    def picture(self, t_ms: int) -> bytes:
        """The JPEG that the camera gives at a time."""
        return self.pictures[self.shown[min(len(self.shown) - 1, max(0, t_ms * FPS // 1000))]]

    def show(self, scene: Scene, ms: int = 0) -> None:
        """Show a scene for `ms`, in at least one picture."""
        for _ in range(max(1, ms * FPS // 1000)):
            seed = len(self.shown) % NOISES
            if (scene, seed) not in self._known:
                self._known[scene, seed] = len(self.pictures)
                _, coded = cv2.imencode(".jpg", draw_table(scene, LOOK, seed))
                self.pictures.append(coded.tobytes())
            self.shown.append(self._known[scene, seed])

    def move(self, before: Scene, after: Scene, chance: Random) -> None:
        """Show a hand that is elsewhere in every picture; halfway it changes the board."""
        began_ms, n = self.end_ms, HAND_MS * FPS // 1000
        place = chance.randrange(24)
        for number in range(n):
            place = (place + chance.choice((1, 2, 3))) % 24
            self.show(replace(before if number < n / 2 else after, hand=place))
        self.moving.append((began_ms, self.end_ms))


def hurried_film(n_turns: int, *, has_tray: bool, seed: int = 7) -> HurriedFilm:
    """A film in which every second play, where it can be, is wrong at first and put right 3 s later."""
    film, chance = HurriedFilm(), Random(seed)
    film.show(scene_of(Position.START, SEATING), FURNISHED_MS)
    for turn in turns(n_turns, chance):
        lying = () if has_tray else _lying(turn.thrown)
        before, after = (replace(scene_of(one, SEATING), dice=lying) for one in (turn.before, turn.after))
        if has_tray:
            film.dice += _thrown(film.end_ms, turn.thrown)
            film.show(before, TUMBLE_MS + LAG_MS)
        film.show(before, THOUGHT_MS)
        stands = before
        if turn.wrong is not None:
            stands = replace(scene_of(turn.wrong, SEATING), dice=lying)
            film.move(before, stands, chance)
            film.settled.append(film.end_ms)
            film.show(stands, STUDIED_MS)
        film.move(stands, after, chance)
        film.show(after, RESTED_MS)
        film.dice += [
            Happening(t_ms=film.end_ms + LAG_MS * (die - 1), die=die, state=LIFTED)
            for die in (1, 2)
            if has_tray
        ]
        film.show(replace(after, dice=()), THOUGHT_MS)
    return film


@dataclass(frozen=True, kw_only=True)
class Turn:
    """thrown: the faces in the order of the dice. wrong: the board of an illegal play made first, or None."""

    thrown: tuple[int, int]
    before: Position
    wrong: Position | None
    after: Position


def turns(n_turns: int, chance: Random) -> Iterator[Turn]:
    """The first half-turns of two sensible players, White first; every second one goes wrong at first."""
    position, player = Position.START, Player.WHITE
    for number in range(n_turns):
        thrown = chance.randint(1, 6), chance.randint(1, 6)
        plays = legal_plays(position, player, Dice(max(thrown), min(thrown)))
        play = sensibly(plays, chance)
        wrong = illegal_play(play, plays, chance, stands=False) if number % 2 else None
        yield Turn(thrown=thrown, before=position, wrong=wrong.result if wrong else None, after=play.result)
        position, player = play.result, player.opponent


def _thrown(t_ms: int, thrown: tuple[int, int]) -> Iterator[Happening]:
    for die, face in enumerate(thrown, start=1):
        lag_ms = LAG_MS * (die - 1)
        yield Happening(t_ms=t_ms + lag_ms, die=die, state=MOVING)
        yield Happening(t_ms=t_ms + lag_ms + TUMBLE_MS, die=die, state=str(face))


def _lying(thrown: tuple[int, int]) -> tuple[LyingDie, ...]:
    return tuple(
        LyingDie(x_mm=x_mm, y_mm=y_mm, face=face) for (x_mm, y_mm), face in zip(DICE_MM, thrown, strict=True)
    )
