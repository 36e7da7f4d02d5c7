"""A reader of boards that errs as the real one was measured to: what a picture of a scene would say.

Measured on photoreal recordings of games whose boards are known, 12,000 places in pictures without a hand:
apart from stacks too tall to count, one place in 400 to 1,500 was read wrongly, mostly by one checker, in
three of four cases with doubt, and for as long as the place lay untouched. In pictures with a hand, one or
two places under it were misread with full confidence. Stacks of five and more read as "five or more".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from controller.referee import BoardSeen
from controller.referee.events import MAX_COUNT, N_ROWS
from controller.rules import BAR, Position

SURE_NATS = -12.6
"""What a place that is plainly read says of everything else."""

TALL_NATS = (-0.63, -1.73, -2.13, -2.53, -2.93, -3.33, -3.73, -4.13, -4.53, -4.93, -5.33)
"""What a stack too tall to count says of its count: the height at which counting ends, one more, ...

Measured to ten checkers and continued to fifteen."""

MEAN_DOUBT = 0.25
"""How often, on average, the likelier reading of a doubtful place is wrong."""

Row = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class ReaderFaults:
    """How a reader errs. Rates are shares from 0 to 1.

    misread: of places that change, how many are then read wrongly for a while (spell_ms on average).
    flicker: of places, how many are read wrongly in a single picture.
    overconfident: of misreadings, how many are told with full confidence; the others with honest doubt.
    colour: of misreadings, how many mistake the colour or see checkers on nothing; the others are one off.
    counted: the stack from which on the count is not told for sure.
    hand_unmarked: of the places under a hand, how many are misread rather than marked as unseen.
    hand_unnoticed: of the pictures with a hand, how many are told as without.
    faces_read, faces_misread: of the pictures without a hand in which dice lie, those in which both faces are
        read rightly, and those in which one is read wrongly; in the others none is told.
    """

    misread: float = 0.003
    spell_ms: float = 20_000.0
    flicker: float = 0.0003
    overconfident: float = 0.25
    colour: float = 0.15
    counted: int = 5
    hand_unmarked: float = 0.5
    hand_unnoticed: float = 0.007
    faces_read: float = 0.9
    faces_misread: float = 0.01

    def worse(self, times: float) -> ReaderFaults:
        """The reader that misreads so many times as much."""
        return replace(self, misread=self.misread * times, flicker=self.flicker * times)


AS_MEASURED = ReaderFaults()
FLAWLESS = ReaderFaults(
    misread=0.0,
    flicker=0.0,
    counted=MAX_COUNT + 1,
    hand_unmarked=0.0,
    hand_unnoticed=0.0,
    faces_misread=0.0,
)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What lies on the table from `t_ms` on. covered: rows of a sighting that a hand is over, () for none."""

    t_ms: int
    board: Position
    covered: tuple[int, ...] = ()

    @property
    def hand(self) -> bool:
        return bool(self.covered)


@dataclass(frozen=True)
class _Spell:
    """A while in which a place is doubtful: it reads as `shift` more than it holds, or nearly does."""

    until_ms: int
    shift: int
    best: float
    wrong: bool


class Reader:
    """Tells what pictures of scenes show, picture after picture; times must grow.

    faces: the chance in reading dice; None where they lie out of sight.
    """

    def __init__(self, faults: ReaderFaults, chance: Random, faces: Random | None = None) -> None:
        self._faults = faults
        self._chance = chance
        self._faces = faces
        self._contents: list[int | None] = [None] * N_ROWS
        self._spells: dict[int, _Spell] = {}

    def read(self, scene: Scene, t_ms: int, dice: tuple[int, ...] = ()) -> BoardSeen:
        """One picture of `scene` with `dice` lying there, taken at `t_ms`."""
        unseen, rows = set(), []
        for row, count in enumerate(contents(scene.board)):
            if row in scene.covered and self._happens(1 - self._faults.hand_unmarked):
                unseen.add(row)
            rows.append(self._hidden(row) if row in scene.covered else self._row(row, count, t_ms))
        hand = scene.hand and not self._happens(self._faults.hand_unnoticed)
        faces = self._read_faces(dice) if dice and not hand else ()
        return BoardSeen(t_ms=t_ms, rows=tuple(rows), unseen=frozenset(unseen), hand=hand, dice=faces)

    def _read_faces(self, dice: tuple[int, ...]) -> tuple[int, ...]:
        """The faces told of the dice in one picture; () when they are not told."""
        if self._faces is None:
            return ()
        luck = self._faces.random()
        if luck < self._faults.faces_misread:
            first, *rest = dice
            return (self._faces.choice([face for face in range(1, 7) if face != first]), *rest)
        return dice if luck < self._faults.faces_misread + self._faults.faces_read else ()

    def _hidden(self, row: int) -> Row:
        """A place under a hand: fingers look like a few checkers of some colour."""
        return _plain(
            row, self._chance.randint(0, 3) * (self._chance.choice((-1, 1)) if row < BAR - 1 else 1)
        )

    def _row(self, row: int, count: int, t_ms: int) -> Row:
        if count != self._contents[row]:
            self._contents[row] = count
            self._fall_under_spell(row, count, t_ms)
        spell = self._spells.get(row)
        if spell is not None and t_ms >= spell.until_ms:
            del self._spells[row]
            spell = None
        if spell is None and self._happens(self._faults.flicker):
            spell = self._spell(row, count, t_ms, wrong=True)
        if spell is not None:
            return _doubtful(row, count, spell)
        if abs(count) >= self._faults.counted:
            return _tall(count, self._faults.counted)
        return _plain(row, count)

    def _fall_under_spell(self, row: int, count: int, t_ms: int) -> None:
        """Perhaps begin a spell. A doubtful place is mostly read rightly: more are doubtful than misread."""
        sure = self._faults.misread * self._faults.overconfident
        doubtful = (self._faults.misread - sure) / MEAN_DOUBT
        for_ms = self._chance.expovariate(1 / self._faults.spell_ms)
        if self._happens(sure):
            self._spells[row] = self._spell(row, count, t_ms + round(for_ms), wrong=True, best=1.0)
        elif self._happens(doubtful):
            best = self._chance.uniform(1 - 2 * MEAN_DOUBT, 1)
            wrong = not self._happens(best)
            self._spells[row] = self._spell(row, count, t_ms + round(for_ms), wrong=wrong, best=best)

    def _spell(self, row: int, count: int, until_ms: int, *, wrong: bool, best: float = 1.0) -> _Spell:
        shift = self._chance.choice((-1, 1))
        if row < BAR - 1 and self._happens(self._faults.colour):
            shift = -count if count else self._chance.choice((-2, -1, 1, 2))
        if row < BAR - 1 and count < 0:
            shift = -shift
        return _Spell(until_ms, shift, best, wrong)

    def _happens(self, share: float) -> bool:
        return self._chance.random() < share


def contents(board: Position) -> tuple[int, ...]:
    """What a picture shows on each of the 26 rows of a sighting; of two colours the one with more."""
    counts = []
    for point in range(1, BAR):
        white, black = board.white[point], board.black[BAR - point]
        counts.append(white if white >= black else -black)
    return (*counts, board.white[BAR], board.black[BAR])


@cache
def _plain(row: int, count: int) -> Row:
    """A place read for sure."""
    return _mixture(row, {count: 1.0})


@cache
def _tall(count: int, counted: int) -> Row:
    """A stack of which only the lower `counted` checkers are told apart."""
    sign = 1 if count > 0 else -1
    shares = {sign * (counted + more): math.exp(nats) for more, nats in enumerate(TALL_NATS)}
    return _mixture(0, {n: share for n, share in shares.items() if abs(n) <= MAX_COUNT})


def _doubtful(row: int, count: int, spell: _Spell) -> Row:
    lowest = -MAX_COUNT if row < BAR - 1 else 0
    other = min(max(count + spell.shift, lowest), MAX_COUNT)
    first, second = (other, count) if spell.wrong else (count, other)
    return _mixture(row, {second: 1 - spell.best, first: spell.best})


def _mixture(row: int, shares: dict[int, float]) -> Row:
    """The row that gives these contents these shares, and everything else next to nothing."""
    columns = range(-MAX_COUNT, MAX_COUNT + 1) if row < BAR - 1 else range(MAX_COUNT + 1)
    return tuple(max(math.log(shares[n]), SURE_NATS) if shares.get(n) else SURE_NATS for n in columns)
