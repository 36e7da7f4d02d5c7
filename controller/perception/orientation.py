"""Converts between places of the picture and points of the game.

Vision numbers places as they lie in the picture and knows light and dark checkers. The game knows White's
points. This is the only module that knows both.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from controller.referee import BoardSeen
from controller.rules import BAR, OFF, Player, Position
from sentences import say
from vision.board_reading import MAX_COUNT, N_POINTS, PLACES_IN_ROW, BoardReading

HOME_CORNERS = ("bottom-right", "bottom-left", "top-right", "top-left")
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Orientation:
    """How the game lies in the picture.

    white_home: the corner of the picture in which White's 1-point lies, one of HOME_CORNERS.
    light: the player who has the light checkers.
    """

    white_home: str = "bottom-right"
    light: Player = Player.WHITE

    def __post_init__(self) -> None:
        if self.white_home not in HOME_CORNERS:
            raise ValueError(say("no_home_corner", name=self.white_home, known=", ".join(HOME_CORNERS)))

    @property
    def with_each_home(self) -> tuple["Orientation", ...]:
        """The same players, with White's home in each corner."""
        return tuple(Orientation(white_home=corner, light=self.light) for corner in HOME_CORNERS)

    @property
    def exchanged(self) -> "Orientation":
        """The same picture with the players exchanged: one that shows the start position fits both."""
        row, side = self.white_home.split("-")
        return Orientation(
            white_home=f"{'top' if row == 'bottom' else 'bottom'}-{side}", light=self.light.opponent
        )

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place in the picture of each of White's points, the 1-point first."""
        row, side = self.white_home.split("-")
        top, bottom = list(range(PLACES_IN_ROW)), list(range(PLACES_IN_ROW, N_POINTS))
        near, far = (bottom, top) if row == "bottom" else (top, bottom)
        return tuple(near[::-1] + far if side == "right" else near + far[::-1])

    def place(self, point: int) -> int:
        """The place in the picture of White's `point` (1 to 24)."""
        return self.places[point - 1]

    def counts(self, position: Position) -> tuple[int, ...]:
        """The checkers on each of the 24 places: light ones positive, dark ones negative.

        Where both players stand on a point, only the larger group counts: it was there first.
        """
        return self._on_places(_residents(position, point)[0] for point in range(1, BAR))

    def guests(self, position: Position) -> tuple[int, ...]:
        """The smaller group on each of the 24 places where both players stand, signed as in `counts`."""
        return self._on_places(_residents(position, point)[1] for point in range(1, BAR))

    def _on_places(self, counts: Iterable[int]) -> tuple[int, ...]:
        """Turn counts of White's points, White's positive, into counts of places, light ones positive."""
        placed = [0] * N_POINTS
        for place, count in zip(self.places, counts, strict=True):
            placed[place] = self._sign * count
        return tuple(placed)

    def position(self, reading: BoardReading) -> Position:
        """The likeliest position of a reading; checkers that are not visible count as borne off."""
        net = [self._sign * reading.counts()[place] for place in self.places]
        white_bar, black_bar = self._bar(reading.bar_counts())
        white = [max(n, 0) for n in net]
        black = [max(-n, 0) for n in reversed(net)]
        return Position(
            (max(OFF, MAX_COUNT - sum(white) - white_bar), *white, white_bar),
            (max(OFF, MAX_COUNT - sum(black) - black_bar), *black, black_bar),
        )

    def board_seen(self, reading: BoardReading, t_ms: int) -> BoardSeen:
        """A reading as an event of the referee."""
        points = reading.points if self.light is Player.WHITE else reading.points[:, ::-1]
        bar = self._bar((reading.bar[0], reading.bar[1]))
        rows = [tuple(points[place].tolist()) for place in self.places] + [tuple(row.tolist()) for row in bar]
        unseen = {i for i, place in enumerate(self.places) if place in reading.unseen}
        if N_POINTS in reading.unseen:
            unseen |= {N_POINTS, N_POINTS + 1}
        return BoardSeen(
            t_ms=t_ms,
            rows=tuple(rows),
            unseen=frozenset(unseen),
            mixed=frozenset(i for i, place in enumerate(self.places) if place in reading.surely_mixed),
            hand=reading.hand,
            dice=reading.dice,
        )

    @property
    def _sign(self) -> int:
        return 1 if self.light is Player.WHITE else -1

    def _bar(self, light_dark: tuple[T, T]) -> tuple[T, T]:
        """Turn a (light, dark) pair into a (White, Black) pair."""
        light, dark = light_dark
        return (light, dark) if self.light is Player.WHITE else (dark, light)


def _residents(position: Position, point: int) -> tuple[int, int]:
    """The larger and the smaller group on White's `point`; White's checkers positive, Black's negative."""
    white, black = position.white[point], position.black[BAR - point]
    return (white, -black) if white >= black else (-black, white)
