"""A history continued by one more half-turn: every legal play, or what was plainly seen."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_layouts import ROWS, BoardLayout, results, underway
from controller.referee.inference.board_memory import DOUBTFUL, BoardMemory
from controller.referee.inference.histories import KEEP_MOST, KEEP_NATS, BoardEvidence, History, log_mix
from controller.referee.inference.roll_evidence import ALL_ROLLS, Faces, RollHypothesis, dice_of
from controller.rules import (
    BAR,
    N_CHECKERS,
    OFF,
    Dice,
    OffenceKind,
    Player,
    PlayMade,
    Plays,
    Position,
    steps_between,
)

IRREGULAR = math.log(0.01 / 8)
"""Prior of one particular irregular play, for each legal one that may have been meant: one play in a hundred
goes wrong, in some eight ways."""

A_PART_MISSING = math.log(0.01 / 3)
"""Prior of an irregular play of which a part is missing: one in three of them. All such parts share it."""

MEANT = 12
"""Legal plays of a roll, usually."""

STRAY = -6.0
"""Added to IRREGULAR for each checker that appears or vanishes as no play makes it."""

UNHEARD_OF = frozenset({OffenceKind.MOVED_BACKWARDS, OffenceKind.MOVED_OPPONENTS_CHECKER})
HARDLY_EVER = -3.0
"""Added for each offence that hardly anybody commits."""

ANOTHER_OFFENCE = -4.0
"""Added for each offence more than one that it takes to explain the board."""

ASTRAY = -25.0
"""Prior of a board that has nothing to do with the record, however much it takes to explain."""

MOST_BROKEN_OFF = 8
"""Boards of a play broken off that are followed."""

MOST_NUMBERS = 4

PLAY_MS = 1500.0
"""How long a checker takes to be played; a reading this old says little about where the play ended."""


@dataclass(frozen=True, eq=False)
class CandidatePlays:
    """A history continued by every legal play of one throw, weighed but not yet told apart.

    past, testimony: (n,) of each play; see History.
    """

    parent: History
    throw: RollHypothesis
    plays: Plays
    boards: BoardLayout
    past: npt.NDArray[np.float64]
    testimony: npt.NDArray[np.float64]

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        return self.past + self.testimony

    def fitting(self, least: float) -> "CandidatePlays":
        """The same without the plays of which the board says less than `least`."""
        return replace(self, past=np.where(self.testimony < least, -np.inf, self.past))

    def told(self, i: int, t_ms: int) -> History:
        """The history in which play `i` was made."""
        turn = lawful_turn(self.parent, self.throw.dice, self.plays[i], t_ms, inferred=self.throw.inferred)
        return self.parent.continued(turn, float(self.past[i]), float(self.testimony[i]))


def lawful_turn(parent: History, dice: Dice, play: PlayMade, t_ms: int, *, inferred: bool) -> HalfTurn:
    """The half-turn in which the player on roll made `play` of `dice`."""
    return HalfTurn(
        t_ms=t_ms,
        player=parent.on_roll,
        dice=dice,
        dice_inferred=inferred,
        steps=play.steps,
        legal=True,
        position=play.result,
        words=parent.rules.words(play),
        stand=play.turn_state,
    )


def irregular_turn(parent: History, dice: Dice | None, board: Position, t_ms: int) -> HalfTurn:
    """The half-turn in which the player on roll left `board`, which no law allows."""
    return HalfTurn(
        t_ms=t_ms,
        player=parent.on_roll,
        dice=dice,
        steps=steps_between(parent.position, parent.on_roll, board),
        legal=False,
        position=board,
    )


def dance(history: History) -> tuple[Dice, float] | None:
    """The likeliest roll that the player on roll cannot play, and the log-probability of any such roll."""
    dances = [dice for dice in ALL_ROLLS if history.position in history.plays(dice)]
    if not dances:
        return None
    return max(dances, key=lambda dice: dice.ways), math.log(sum(dice.ways for dice in dances) / 36)


def continued(
    history: History, throws: Iterable[RollHypothesis], views: BoardEvidence, t_ms: int
) -> list[CandidatePlays]:
    """`history` continued by every legal play of each of `throws`.

    The board may have been seen last before the play was complete: the longer ago, the likelier.
    """
    throws = _that_may_be(history, throws)
    said = views.now.testimony(history.position)
    is_missed = 1.0 if _is_older(views.now, history) else _missed(views.now, t_ms)
    missed = 0.0 if history.stand.choosing else is_missed
    fresh = math.log(1 - missed) if missed < 1 else -math.inf
    stale = log_mix(missed, _before_played(history, throws, views.now)) if missed else -math.inf
    offspring = []
    for throw in throws:
        found = results(history.rules, history.stand, throw.dice)
        boards = found.layout
        prior = throw.prior + found.chances(history.bears_all)
        kept = views.kept(history, boards.columns)
        seen = np.logaddexp(fresh + said[ROWS, boards.columns].sum(axis=1), stale)
        offspring.append(
            CandidatePlays(history, throw, found.plays, boards, history.past + prior + kept, seen)
        )
    return offspring


def told(offspring: Iterable[CandidatePlays], t_ms: int, least: float = -math.inf) -> list[History]:
    """The histories worth keeping: those not far behind the likeliest of them, and not below `least`.

    A board that several throws lead to is as likely as all of them together.
    """
    offspring = list(offspring)
    weights = np.concatenate([one.weights for one in offspring]) if offspring else np.empty(0)
    if not len(weights) or weights.max() == -np.inf:
        return []
    family = np.repeat(np.arange(len(offspring)), [len(one.past) for one in offspring])
    member = np.concatenate([np.arange(len(one.past)) for one in offspring])
    least = max(least, float(weights.max()) - KEEP_NATS)
    ranked = np.argsort(-weights, kind="stable")[:KEEP_MOST]
    found: dict[tuple[int, Position], History] = {}
    for i in ranked:
        if weights[i] < least:
            break
        child = offspring[family[i]].told(int(member[i]), t_ms)
        key = id(child.parent), child.position
        past = float(np.logaddexp(found[key].past, child.past)) if key in found else child.past
        found[key] = replace(found.get(key, child), past=past)
    return list(found.values())


def best_weight(offspring: Iterable[CandidatePlays]) -> float:
    """The weight of the likeliest of them."""
    return max((float(one.weights.max()) for one in offspring), default=-math.inf)


def _that_may_be(history: History, throws: Iterable[RollHypothesis]) -> tuple[RollHypothesis, ...]:
    """Those of `throws` that may come next. Doublets of tens of thousands of plays are not guessed."""
    if history.stand.choosing:
        return tuple(throw for throw in throws if throw.dice.is_double)
    return tuple(throw for throw in throws if not (throw.inferred and history.rules.is_wide(throw.dice)))


def explained_underway(history: History, rolls: tuple[Dice, ...], memory: BoardMemory) -> float:
    """How well the board shows a play of one of `rolls` not begun, half made, or complete."""
    boards = underway(history.rules, history.stand, rolls)
    return float(memory.testimony(history.position)[ROWS, boards.columns].sum(axis=1).max())


def as_seen(
    parent: History,
    children: Iterable[History],
    dice: Dice | None,
    views: BoardEvidence,
    t_ms: int,
    faces: Faces,
) -> Iterator[History]:
    """`parent` continued by whatever led to the board that was plainly seen, legal or not, or broken off."""
    if views.plain is None:
        return
    known = {child.position for child in children if child.parent is parent}
    speaks = faces.speak_for(dice) if dice else 0.0
    plainly = list(_plainly(parent, known, dice, views.plain, views.before or BoardMemory(), t_ms))
    known |= {parent.position, *(turn.position for turn, _ in plainly)}
    for turn, prior in (*plainly, *_broken_off(parent, known, dice, views.plain, t_ms)):
        testimony = views.now.score(turn.position, parent.position)
        yield parent.played(turn, prior + speaks, testimony, views)


def _plainly(
    parent: History,
    known: set[Position],
    dice: Dice | None,
    plain: BoardMemory,
    before: BoardMemory,
    t_ms: int,
) -> Iterator[tuple[HalfTurn, float]]:
    """The half-turns, with their priors, that led to what was plainly seen and is not yet known."""
    for seen in _boards_seen(parent, plain, before, len(dice.numbers) if dice else MOST_NUMBERS):
        if seen in known:
            continue
        plays = parent.plays(dice) if dice else None
        lawful = plays.leading_to(seen) if plays else ()
        if dice and lawful:
            turn = lawful_turn(parent, dice, lawful[0], t_ms, inferred=False)
        else:
            turn = irregular_turn(parent, dice, seen, t_ms)
        yield turn, _lawful_prior(parent, seen, dice) if lawful else _irregular_prior(parent, seen, dice)


def _broken_off(
    parent: History, known: set[Position], dice: Dice | None, plain: BoardMemory, t_ms: int
) -> Iterator[tuple[HalfTurn, float]]:
    """The half-turns, with their prior, that are a part of a play and look like what was plainly seen.

    How many checkers lie on a tall stack is not seen, nor how many were borne off from it.
    """
    if dice is None or parent.stand.choosing or parent.rules.is_wide(dice):
        return
    boards = underway(parent.rules, parent.stand, (dice,))
    said = plain.testimony(parent.position)[ROWS, boards.columns].sum(axis=1)
    prior, whole = prior_of_part(parent, dice), parent.plays(dice)
    for i in np.argsort(-said, kind="stable")[:MOST_BROKEN_OFF]:
        board = boards.boards[i]
        if said[i] >= -DOUBTFUL + said.max() and board not in known and board not in whole:
            yield irregular_turn(parent, dice, board, t_ms), prior


def _boards_seen(
    parent: History, plain: BoardMemory, before: BoardMemory, n_numbers: int
) -> Iterator[Position]:
    """What lies on the board: as it changed since the roll, and as it is with every checker in its place.

    The first leaves a place alone that always reads wrongly, and puts checkers that are gone on a stack that
    may well hold them; the second does not; the third puts right a record that went astray.
    """
    changed = plain.likeliest(parent.position, before)
    yield changed
    gone = plain.likeliest(parent.position, before, restore=False)
    if gone != changed:
        yield gone
    whole = plain.likeliest(parent.position, BoardMemory())
    if whole not in (changed, gone) and not _is_short(parent, whole, n_numbers):
        yield whole


def _is_short(parent: History, seen: Position, n_numbers: int) -> bool:
    """Whether checkers are missing or too many on a board that `parent` came to."""
    mover, other = parent.on_roll, parent.on_roll.opponent
    borne = seen.side(mover)[OFF] - parent.position.side(mover)[OFF]
    vanished = seen.side(other)[OFF] - parent.position.side(other)[OFF]
    may_bear = parent.rules.most_borne(parent.stand, seen, n_numbers)
    return bool(_n_defects(parent, seen)) or bool(vanished) or not 0 <= borne <= may_bear


def _lawful_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    if dice is None:
        return 0.0
    found = results(parent.rules, parent.stand, dice)
    return float(found.chances(parent.bears_all)[found.layout.index(seen)])


def _irregular_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    """How likely a play is that the laws do not allow; less for each checker that no play accounts for."""
    n_stray = n_strays(parent, seen, len(dice.numbers) if dice else MOST_NUMBERS)
    offences = parent.rules.explain(parent.stand, dice, seen) if dice else ()
    if dice and not n_stray and [offence.kind for offence in offences] == [OffenceKind.WHOLE_ROLL_NOT_PLAYED]:
        return prior_of_part(parent, dice)
    n_meant = len(results(parent.rules, parent.stand, dice).layout.boards) if dice else MEANT
    more = STRAY * n_stray + ANOTHER_OFFENCE * max(0, len(offences) - max(1, n_stray))
    more += HARDLY_EVER * sum(offence.kind in UNHEARD_OF for offence in offences)
    return max(IRREGULAR - math.log(n_meant) + more, ASTRAY)


def prior_of_part(parent: History, dice: Dice) -> float:
    """How likely one particular part of a play of `dice` is to be left as if it were the whole."""
    if parent.rules.is_wide(dice):
        return A_PART_MISSING - math.log(MEANT)
    n_all = len(underway(parent.rules, parent.stand, (dice,)).boards)
    return A_PART_MISSING - math.log(max(1, n_all - len(parent.plays(dice))))


def n_strays(parent: History, seen: Position, n_numbers: int) -> int:
    """Checkers that came or went as no play of `n_numbers` numbers makes them."""
    mover, other = parent.on_roll, parent.on_roll.opponent
    own, others = seen.side(mover), seen.side(other)
    borne = own[OFF] - parent.position.side(mover)[OFF]
    may_bear = parent.rules.most_borne(parent.stand, seen, n_numbers)
    may_enter = parent.stand.waiting_of(mover)
    appeared = sum(
        max(0, now - then)
        for now, then in zip(others[1:BAR], parent.position.side(other)[1:BAR], strict=True)
    )
    vanished = others[OFF] - parent.position.side(other)[OFF]
    miscounted = _n_defects(parent, seen)
    return max(0, borne - may_bear) + max(0, -borne - may_enter) + appeared + abs(vanished) + miscounted


def _n_defects(parent: History, seen: Position) -> int:
    """What cannot be on a board that `parent` came to, apart from men with whom nobody began."""
    omitted = sum(max(0, N_CHECKERS - sum(parent.position.side(player))) for player in Player)
    return max(0, sum(defect.count for defect in seen.problems()) - omitted)


def _before_played(history: History, throws: tuple[RollHypothesis, ...], memory: BoardMemory) -> float:
    """How well the board showed what lay there while the play was still to be made, or half made."""
    if _is_older(memory, history):
        return min(0.0, history.testimony)
    return explained_underway(history, dice_of(throws), memory)


def _is_older(memory: BoardMemory, history: History) -> bool:
    """Whether the board has not been seen since the last half-turn ended."""
    return history.turn is not None and memory.t_ms is not None and memory.t_ms < history.turn.t_ms


def _missed(memory: BoardMemory, t_ms: int) -> float:
    """The chance that the play went on after the last reading."""
    age_ms = math.inf if memory.t_ms is None else max(0, t_ms - memory.t_ms)
    return 1 - math.exp(-age_ms / PLAY_MS)
