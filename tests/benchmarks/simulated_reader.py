"""A simulated reader of boards that errs as often as the real one was measured to.

Measured on photoreal recordings of games whose boards are known, 11,250 places in pictures without a hand:
99.96 % of the places and 99.15 % of the boards were read rightly. A misreading is mostly off by one checker,
in three of four cases with doubt, and lasts as long as the place is untouched. In pictures with a hand, one
or two places under it were misread with full confidence.

Readings of tall stacks are drawn from those of 1,760 stacks on 62 photoreal boards of kinds that no
training saw (tests/benchmarks/tall_stacks.py). The reader followed them as they grew and shrank, once by
itself and once with their numbers known before each change.

On boards of kinds that no training saw the reader errs more: see ON_UNSEEN_BOARDS.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from controller.referee import BoardSeen
from controller.referee.events import MAX_COUNT, N_ROWS
from controller.rules import BAR, Position

MEASURED = Path(__file__).parent / "tall_stacks.json"

SURE_NATS = -12.6
"""Log-likelihood of every other content of a place that is read for sure."""

FULL_ROW = 5
"""Checkers in a row before a second layer begins."""

MEAN_DOUBT = 0.25
"""How often, on average, the likelier reading of a doubtful place is wrong."""

Row = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class ReaderFaults:
    """How a reader errs. Rates are shares from 0 to 1.

    misread: share of the places that change that are then read wrongly for a while (spell_ms on average).
    flicker: share of the places that are read wrongly in a single picture.
    overconfident: share of misreadings with full confidence; the others have honest doubt.
    colour: share of misreadings with the wrong colour, or of an empty place; the others are one off.
    piles: how checkers lie on a full row, "piled" or "bridging". The readings of such stacks are drawn from
        those of equal stacks in photoreal pictures (tests/benchmarks/tall_stacks.json). None: all stacks
        are read rightly, for sure.
    shadowed: share of the stacks left alone whose reading changes when another place changes. Of 930 on
        those boards 41 did from one picture to the next, while three or four places changed.
    mixed: share of the points with both colours that are marked as mixed. Of 17 that were rendered, 14 were.
    hand_unmarked: share of the places under a hand that are misread rather than marked as unseen.
    hand_unnoticed: share of the pictures with a hand that are read as without one.
    faces_read, faces_misread: of the pictures without a hand in which dice lie, the shares in which both
        faces are read rightly, and in which one is read wrongly; in the others neither is read.
    stuck: a row of a reading that always holds the same wrong content, and that content; None for none.
    """

    misread: float = 0.001
    spell_ms: float = 20_000.0
    flicker: float = 0.0001
    overconfident: float = 0.25
    colour: float = 0.15
    piles: str | None = "piled"
    shadowed: float = 0.013
    mixed: float = 0.85
    hand_unmarked: float = 0.5
    hand_unnoticed: float = 0.007
    faces_read: float = 0.9
    faces_misread: float = 0.01
    stuck: tuple[int, int] | None = None

    def worse(self, times: float) -> ReaderFaults:
        """The reader that misreads so many times as often."""
        return replace(self, misread=self.misread * times, flicker=self.flicker * times)


AS_MEASURED = ReaderFaults()
ON_UNSEEN_BOARDS = ReaderFaults(
    misread=0.010,
    spell_ms=32_000.0,
    flicker=0.0007,
    overconfident=0.04,
    colour=0.42,
    faces_read=0.5,
    faces_misread=0.015,
)
"""Measured in 30 games of tests/benchmarks/rendered_games, on boards of twelve kinds that no training saw. Of
2,385 changed places 24 were misread, for 32 s on average, 14 of them by one checker, none for sure. Of 48,068
readings of places left alone 35 were newly wrong. Of 113 tall stacks 13 were miscounted, about the same share
as of the 1,529. Faces: in 592 pictures of dice on six other such kinds both were surely read in 303, nine of
them wrongly."""
FLAWLESS = ReaderFaults(
    misread=0.0,
    flicker=0.0,
    piles=None,
    mixed=1.0,
    hand_unmarked=0.0,
    hand_unnoticed=0.0,
    faces_misread=0.0,
)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What lies on the table from `t_ms` on. covered: rows of a reading that a hand covers, () for none."""

    t_ms: int
    board: Position
    covered: tuple[int, ...] = ()

    @property
    def hand(self) -> bool:
        return bool(self.covered)


@dataclass(frozen=True)
class Told:
    """A measured reading of a stack, reused for a stack of similar height.

    rightly: whether it gives the true count. nats: log-likelihoods of five checkers, six, ... fifteen. shift:
    by how many checkers this stack is taller than the measured one.
    """

    rightly: bool
    nats: tuple[float, ...]
    shift: int = 0

    def kept(self, count: int) -> Told:
        """The same reading for a stack that now has `count` checkers (signed)."""
        likeliest = FULL_ROW + self.shift + max(range(len(self.nats)), key=lambda i: self.nats[i])
        return replace(self, rightly=likeliest == abs(count))

    def row(self, count: int) -> Row:
        """This reading as the row of a stack with the sign of `count`."""
        sign = 1 if count > 0 else -1
        said = {sign * (FULL_ROW + i + self.shift): math.exp(nats) for i, nats in enumerate(self.nats)}
        return _mixture(0, {n: share for n, share in said.items() if FULL_ROW <= abs(n) <= MAX_COUNT})


@dataclass(frozen=True)
class Piles:
    """The readings of stacks in photoreal pictures whose checkers were piled in one way.

    The reader was told the number of each stack before its last change, or found it by itself.

    miscounted, recounted: among stacks that changed, the share counted wrongly of those counted rightly
        before, and the share counted rightly of those counted wrongly before. The first entries are for
        stacks that became FULL_ROW checkers, the next for one checker more, and so on; the last entries also
        for taller ones.
    alike: share of changed stacks whose reading stayed: of those counted wrongly before, and rightly.
    said: for each stack its count, whether it was counted rightly, and its log-likelihoods as in `Told`.
    """

    miscounted: list[float]
    recounted: list[float]
    alike: list[float]
    said: list[tuple[int, bool, list[float]]]

    def right(self, count: int, *, rightly: bool) -> float:
        """Probability that a changed stack of `count` is counted rightly. rightly: whether it was before."""
        shares = self.miscounted if rightly else self.recounted
        share = shares[min(count - FULL_ROW, len(shares) - 1)]
        return 1 - share if rightly else share

    def told(self, count: int, *, rightly: bool) -> tuple[Told, ...]:
        """The readings, right or wrong ones, of stacks of `count`, or of the nearest height that has some."""
        fitting = [(n, tuple(nats)) for n, was_right, nats in self.said if was_right == rightly]
        nearest = min((abs(count - n), n) for n, _ in fitting)[1]
        return tuple(Told(rightly, nats, count - nearest) for n, nats in fitting if n == nearest)


@cache
def measured_piles(way: str, *, known: bool) -> Piles:
    """What was measured of checkers piled in this way. known: the numbers before were known to the reader."""
    return Piles(**json.loads(MEASURED.read_text())[way]["known" if known else "unknown"])


@dataclass(frozen=True)
class _Spell:
    """A time in which a place may be misread as `shift` more than its content.

    best: probability of the likelier reading. wrong: the likelier reading is the wrong one.
    """

    until_ms: int
    shift: int
    best: float
    wrong: bool


@dataclass(frozen=True)
class _Rested:
    """A place in the last picture without a hand: signed count, reading, and the count if it is known."""

    count: int
    told: Told | None = None
    known: int | None = None


class Reader:
    """Reads pictures of scenes one after another; times must grow.

    stacks: random generator of the readings of tall stacks. faces: that of the readings of dice, None where
        they lie out of sight.
    """

    def __init__(
        self, faults: ReaderFaults, chance: Random, stacks: Random, faces: Random | None = None
    ) -> None:
        self._faults = faults
        self._chance = chance
        self._stacks = stacks
        self._faces = faces
        self._contents: list[int | None] = [None] * N_ROWS
        self._both: list[int] = [0] * N_ROWS
        self._seen_mixed = [False] * N_ROWS
        self._lying = (0,) * (BAR - 1)
        self._told: list[Told | None] = [None] * (BAR - 1)
        self._at_rest = [_Rested(0)] * (BAR - 1)
        self._spells: dict[int, _Spell] = {}

    @classmethod
    def of_game(cls, seed: int, faults: ReaderFaults, *, dice_in_sight: bool = True) -> Reader:
        """The reader of game `seed`. dice_in_sight: the dice lie where the camera may read them."""
        faces = Random(f"{seed} faces") if dice_in_sight else None
        return cls(faults, Random(f"{seed} reader"), Random(f"{seed} stacks"), faces)

    def read(self, scene: Scene, t_ms: int, dice: tuple[int, ...] = ()) -> BoardSeen:
        """Read one picture of `scene` with `dice` lying there, taken at `t_ms`."""
        unseen, rows = set(), []
        mixed = self._see_mixed(scene)
        self._look_at_stacks(scene)
        for row, count in enumerate(contents(scene.board)):
            if row in scene.covered and self._happens(1 - self._faults.hand_unmarked):
                unseen.add(row)
            rows.append(self._hidden(row) if row in scene.covered else self._row(row, count, t_ms))
        hand = scene.hand and not self._happens(self._faults.hand_unnoticed)
        faces = self._read_faces(dice) if dice and not hand else ()
        return BoardSeen(
            t_ms=t_ms,
            rows=tuple(rows),
            unseen=frozenset(unseen),
            mixed=frozenset(mixed - unseen),
            hand=hand,
            dice=faces,
        )

    def know(self, board: Position) -> None:
        """Learn that the last picture shows this board. Its stacks are known until they change."""
        self._at_rest = [
            replace(last, known=count)
            for last, count in zip(self._at_rest, contents(board)[: BAR - 1], strict=True)
        ]

    def _see_mixed(self, scene: Scene) -> set[int]:
        """The rows marked as mixed. Whether a row is marked is decided when its mixture changes."""
        for row in range(BAR - 1):
            both = min(scene.board.white[row + 1], scene.board.black[BAR - 1 - row])
            if both != self._both[row]:
                self._both[row] = both
                self._seen_mixed[row] = bool(both) and self._happens(self._faults.mixed)
        return {row for row in range(BAR - 1) if self._seen_mixed[row] and row not in scene.covered}

    def _read_faces(self, dice: tuple[int, ...]) -> tuple[int, ...]:
        """The faces read in one picture; () if none are read."""
        if self._faces is None:
            return ()
        luck = self._faces.random()
        if luck < self._faults.faces_misread:
            first, *rest = dice
            return (self._faces.choice([face for face in range(1, 7) if face != first]), *rest)
        return dice if luck < self._faults.faces_misread + self._faults.faces_read else ()

    def _hidden(self, row: int) -> Row:
        """The reading of a place under a hand: fingers look like a few checkers of some colour."""
        return _plain(
            row, self._chance.randint(0, 3) * (self._chance.choice((-1, 1)) if row < BAR - 1 else 1)
        )

    def _row(self, row: int, count: int, t_ms: int) -> Row:
        if self._faults.stuck and self._faults.stuck[0] == row:
            return _plain(row, self._faults.stuck[1])
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
        told = self._told[row] if row < BAR - 1 else None
        return _plain(row, count) if told is None else told.row(count)

    def _look_at_stacks(self, scene: Scene) -> None:
        """Draw new readings of stacks that changed, and of some others because something else changed.

        They are compared with the last picture without a hand.
        """
        if self._faults.piles is None:
            return
        before, self._lying = self._lying, contents(scene.board)[: BAR - 1]
        changed = [count != then for count, then in zip(self._lying, before, strict=True)]
        for row, (count, told) in enumerate(zip(self._lying, self._told, strict=True)):
            if changed[row]:
                self._told[row] = self._tell_changed(count, self._at_rest[row])
            elif told is not None and self._stacks.random() > (1 - self._faults.shadowed) ** sum(changed):
                self._told[row] = self._tell(count, self._piles(known=False), rightly=told.rightly)
        if not scene.hand:
            self._at_rest = [
                last if count == last.count else _Rested(count, told)
                for count, told, last in zip(self._lying, self._told, self._at_rest, strict=True)
            ]

    def _piles(self, *, known: bool) -> Piles:
        assert self._faults.piles
        return measured_piles(self._faults.piles, known=known)

    def _tell_changed(self, count: int, last: _Rested) -> Told | None:
        """A reading of a stack that became one of `count`; None if it is not tall. last: what lay there."""
        if abs(count) < FULL_ROW:
            return None
        told, piles = last.told, self._piles(known=last.known == last.count)
        if count == last.count:
            return told
        rightly = last.known in (None, last.count) and (told is None or told.rightly)
        if told is not None and count * last.count > 0 and self._stacks.random() < piles.alike[rightly]:
            return told.kept(count)
        if told is not None or abs(count) > FULL_ROW:
            rightly = self._stacks.random() < piles.right(abs(count), rightly=rightly)
        return self._tell(count, piles, rightly=rightly)

    def _tell(self, count: int, piles: Piles, *, rightly: bool) -> Told:
        """A reading of a stack of `count` checkers that gives the right number or not."""
        return self._stacks.choice(piles.told(abs(count), rightly=rightly))

    def _fall_under_spell(self, row: int, count: int, t_ms: int) -> None:
        """Perhaps begin a spell. Most doubtful places are read rightly: more are doubtful than misread."""
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
    """The 26 rows of a reading as counts. On a mixed point all checkers count as of the commoner colour."""
    counts = []
    for point in range(1, BAR):
        white, black = board.white[point], board.black[BAR - point]
        counts.append(white + black if white >= black else -white - black)
    return (*counts, board.white[BAR], board.black[BAR])


@cache
def _plain(row: int, count: int) -> Row:
    """The row of a place that is read for sure."""
    return _mixture(row, {count: 1.0})


def _doubtful(row: int, count: int, spell: _Spell) -> Row:
    lowest = -MAX_COUNT if row < BAR - 1 else 0
    other = min(max(count + spell.shift, lowest), MAX_COUNT)
    first, second = (other, count) if spell.wrong else (count, other)
    return _mixture(row, {second: 1 - spell.best, first: spell.best})


def _mixture(row: int, shares: dict[int, float]) -> Row:
    """The row that gives these contents these probabilities, and all others SURE_NATS."""
    columns = range(-MAX_COUNT, MAX_COUNT + 1) if row < BAR - 1 else range(MAX_COUNT + 1)
    return tuple(max(math.log(shares[n]), SURE_NATS) if shares.get(n) else SURE_NATS for n in columns)
