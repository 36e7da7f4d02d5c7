"""The histories that are still possible, each with its weight.

The referee never decides what was played: it keeps every history that the rules and the readings leave
possible, lets later readings weigh them, and drops those that fall far behind. Weights are natural
logarithms.
"""

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from controller.referee.memory import Memory
from controller.referee.turns import HalfTurn
from controller.referee.underway import on_the_way
from controller.rules import BAR, OFF, Dice, Player, Position, legal_plays, steps_between
from controller.rules.position import HOME_POINTS

IRREGULAR = math.log(0.01 / 200)
"""Prior of one particular irregular play: one play in a hundred, spread over some two hundred boards."""

STRAY = -6.0
"""Added to IRREGULAR for each checker that appears or vanishes as no play makes it."""

LET_BE = math.log(0.5)
"""Prior of a closed-out player not throwing: he need not."""

RETHROWN = -4.0
"""Prior of a roll that replaces a valid one: dice jostled in the tray, or thrown too early."""

UNHEARD = math.log(0.02)
"""Prior of a roll that nobody heard."""

MOVED_ON = -13.0
"""However little the board fits the last half-turn, the next player may have moved unheard."""

UNHEARD_BELOW = -12.0
"""A missed roll is thought of when no history explains the board better than this."""

UNEXPLAINED = -14.0
"""The board is not explained when the best history has lost this much in a turn."""

FOLLOWED = 40
"""Plays of an unheard roll that are followed up."""

MOST_NUMBERS = 4
ALL_ROLLS = tuple(Dice.rolls())

PLAY_MS = 1500.0
"""How long a checker takes to be played; a reading this old says little about where the play ended."""

KEEP_NATS = 16.0
KEEP_MOST = 600


@dataclass(frozen=True, kw_only=True)
class Views:
    """What the board shows.

    now: as far as it can be seen. plain: as it was last seen whole and without a hand over it since the roll,
    None if it was not. before: as it showed when the roll was made.
    """

    now: Memory
    plain: Memory | None
    before: Memory


@dataclass(frozen=True, eq=False)
class History:
    """One possible course of the game so far: a chain of half-turns back to the board it began from.

    position: the board after the last half-turn; on_roll: who plays from it.
    past: log-weight of everything before the last half-turn ended, its prior included.
    testimony: how well the board lying there now speaks for `position`.
    """

    position: Position
    on_roll: Player
    parent: "History | None" = None
    turn: HalfTurn | None = None
    past: float = 0.0
    testimony: float = 0.0

    @property
    def weight(self) -> float:
        return self.past + self.testimony

    @property
    def turns(self) -> tuple[HalfTurn, ...]:
        """The half-turns played, the first one first."""
        turns: list[HalfTurn] = []
        history: History | None = self
        while history is not None:
            if history.turn is not None:
                turns.append(history.turn)
            history = history.parent
        return tuple(reversed(turns))

    @property
    def root(self) -> "History":
        """The history as it began."""
        history = self
        while history.parent is not None and history.turn is not None:
            history = history.parent
        return history

    def played(self, turn: HalfTurn, prior: float, testimony: float) -> "History":
        """The history in which `turn` came next."""
        return History(turn.position, turn.player.opponent, self, turn, self.weight + prior, testimony)


def best(histories: Iterable[History]) -> History:
    """The likeliest history."""
    return max(histories, key=lambda history: history.weight)


def margin(histories: Iterable[History]) -> float:
    """By how many nats the likeliest board leads the likeliest different one."""
    top: dict[Position, float] = {}
    for history in histories:
        top[history.position] = max(history.weight, top.get(history.position, -math.inf))
    first, *rest = sorted(top.values(), reverse=True)
    return first - rest[0] if rest else math.inf


def rivals(histories: Iterable[History], most: int = 3) -> tuple[History, ...]:
    """The likeliest history of each of the likeliest boards."""
    found: dict[Position, History] = {}
    for history in sorted(histories, key=lambda history: -history.weight):
        found.setdefault(history.position, history)
    return tuple(found.values())[:most]


def end_turn(
    histories: tuple[History, ...],
    rolls: tuple[Dice, ...],
    views: Views,
    t_ms: int,
) -> tuple[History, ...]:
    """Every history continued by every way to play one of `rolls` from it, weighed by what the board shows.

    rolls: what the dice may have been: one roll when both were heard. Where no play explains the board, it is
    one that the laws do not allow, or the opponent had played before with a roll that nobody heard.
    """
    memory = views.now
    children = [child for history in histories for child in _continued(history, rolls, memory, t_ms)]
    dice = rolls[0] if len(rolls) == 1 else None
    children += _as_seen(best(histories), children, dice, views, t_ms)
    if best(children).weight < best(histories).weight + UNEXPLAINED:
        children += _after_unheard(best(histories), rolls, memory, t_ms)
    return pruned(children)


def infer_turns(histories: tuple[History, ...], views: Views, t_ms: int) -> tuple[History, ...]:
    """The histories after a settled board, in a game whose dice are not heard.

    Since the last settled board the player on roll has played nothing or a part of his play, or has completed
    it. Where none of this explains the board, his opponent may have completed his as well.
    """
    memory = views.now
    children = [
        replace(history, past=history.past + math.log(0.5) + explained_underway(history, ALL_ROLLS, memory))
        for history in histories
    ]
    for history in histories:
        children += _continued(history, ALL_ROLLS, memory, t_ms, inferred=True)
    if best(children).weight < best(histories).weight + UNEXPLAINED:
        children += _after_unheard(best(histories), ALL_ROLLS, memory, t_ms)
    children += _as_seen(best(histories), children, None, views, t_ms)
    return pruned(children)


def _continued(
    history: History, rolls: tuple[Dice, ...], memory: Memory, t_ms: int, *, inferred: bool = False
) -> Iterator[History]:
    """`history` continued by every legal play of one of `rolls`.

    The board may have been seen last before the play was complete: the longer ago, the likelier.
    """
    missed = _missed(memory, t_ms)
    stale = log_mix(missed, explained_underway(history, rolls, memory)) if missed else -math.inf
    for dice in rolls:
        plays = legal_plays(history.position, history.on_roll, dice)
        prior = _roll_prior(dice, rolls) - math.log(len(plays))
        for play in plays:
            turn = HalfTurn(
                t_ms=t_ms,
                player=history.on_roll,
                dice=dice,
                dice_inferred=inferred,
                steps=play.steps,
                legal=True,
                position=play.result,
            )
            seen = log_mix(1 - missed, memory.score(play.result))
            yield history.played(turn, prior, log_sum(seen, stale))


def _after_unheard(history: History, rolls: tuple[Dice, ...], memory: Memory, t_ms: int) -> Iterator[History]:
    """`history` continued by a play whose roll nobody heard, and then by the opponent's play of `rolls`.

    Of the first plays only those are followed that leave the player's own checkers much as they lie now.
    """
    seen = memory.likeliest(history.position, Memory()).side(history.on_roll)
    firsts = _continued(history, ALL_ROLLS, Memory(t_ms=t_ms), t_ms, inferred=True)

    def strays(first: History) -> int:
        own = first.position.side(history.on_roll)
        return sum(abs(a - b) for a, b in zip(own, seen, strict=True))

    inferred = len(rolls) > 1
    for first in heapq.nsmallest(FOLLOWED, pruned(firsts, most=10_000), key=strays):
        unheard = replace(first, past=first.past + UNHEARD, testimony=0.0)
        yield from _continued(unheard, rolls, memory, t_ms, inferred=inferred)


def weigh(histories: tuple[History, ...], views: Views) -> tuple[History, ...]:
    """The histories after the board was seen again, nobody having played since the last half-turn ended."""
    weighed = [
        replace(history, testimony=max(views.now.score(history.position), MOVED_ON)) for history in histories
    ]
    top = best(weighed)
    if top.parent is None or top.turn is None or not views.now.plain:
        return pruned(weighed)
    return pruned([*weighed, *_as_seen(top.parent, weighed, top.turn.dice, views, top.turn.t_ms)])


def with_unheard(histories: tuple[History, ...], memory: Memory, t_ms: int) -> tuple[History, ...]:
    """The histories before a roll and, where none explains a settled board, those in which one was missed.

    Then the player on roll has thrown and played unheard.
    """
    plain = [history for history in histories if not _is_upset(history)]
    if not plain or max(history.testimony for history in plain) > UNHEARD_BELOW:
        return histories
    top = best(plain)
    children = [*histories, *_played_unheard(top, memory, t_ms)]
    if top.parent and top.turn and top.turn.dice_inferred:
        children += _played_unheard(top.parent, memory, t_ms)
    return pruned(children)


def _played_unheard(history: History, memory: Memory, t_ms: int) -> Iterator[History]:
    waiting = replace(history, past=history.past + UNHEARD, testimony=0.0)
    return _continued(waiting, ALL_ROLLS, memory, t_ms, inferred=True)


def _is_upset(history: History) -> bool:
    """Whether checkers came or went in the last half-turn as no play, legal or not, makes them."""
    if history.turn is None or history.parent is None or history.turn.legal:
        return False
    return _n_strays(history.parent, history.position, MOST_NUMBERS) > 0


def passed_over(histories: tuple[History, ...], t_ms: int) -> tuple[History, ...]:
    """The histories before a roll, and those in which a player who is closed out let his throw be."""
    return pruned(
        [*histories, *(_throw_let_be(history, t_ms) for history in histories if _closed_out(history))]
    )


def _throw_let_be(history: History, t_ms: int) -> History:
    turn = HalfTurn(
        t_ms=t_ms, player=history.on_roll, dice=None, steps=(), legal=True, position=history.position
    )
    return replace(history.played(turn, LET_BE, 0.0), testimony=history.testimony, past=history.past + LET_BE)


def _closed_out(history: History) -> bool:
    held = history.position.side(history.on_roll.opponent)
    return history.position.side(history.on_roll)[BAR] > 0 and all(held[point] > 1 for point in HOME_POINTS)


def corrected(histories: tuple[History, ...], index: int, position: Position) -> tuple[History, ...] | None:
    """The histories after people have said what stood after half-turn `index`; None if there is none such.

    Those that agree stay; if none does, the likeliest is told anew with that board, and the boards that were
    seen after it.
    """
    agreeing = tuple(
        history
        for history in histories
        if [turn.position for turn in history.turns][index : index + 1] == [position]
    )
    if agreeing:
        return agreeing
    top = best(histories)
    turns = top.turns
    if not 0 <= index < len(turns):
        return None
    told = top.root
    for number, turn in enumerate(turns):
        board = position if number == index else turn.position
        told = told.played(_told_anew(told, turn, board), 0.0, 0.0)
    return (told,)


def _position_after(history: History, index: int) -> Position | None:
    turns = history.turns
    return turns[index].position if 0 <= index < len(turns) else None


def _told_anew(parent: History, turn: HalfTurn, board: Position) -> HalfTurn:
    """`turn` as it reads when it led from `parent` to `board`."""
    plays = legal_plays(parent.position, turn.player, turn.dice).leading_to(board) if turn.dice else ()
    steps = plays[0].steps if plays else steps_between(parent.position, turn.player, board)
    return replace(turn, steps=steps, legal=bool(plays), position=board)


def explained_underway(history: History, rolls: Iterable[Dice], memory: Memory) -> float:
    """How well the board shows a play of one of `rolls` not begun, half made, or complete."""
    return max(
        memory.score(position)
        for dice in rolls
        for position in on_the_way(history.position, history.on_roll, dice)
    )


def explained(histories: tuple[History, ...], rolls: Iterable[Dice], memory: Memory, nats: float) -> bool:
    """Whether a history explains the board as a play not begun, half made or complete, within `nats`."""
    top = best(histories).weight
    return any(
        history.weight - top + explained_underway(history, rolls, memory) > -nats for history in histories
    )


def pruned(histories: Iterable[History], most: int = KEEP_MOST) -> tuple[History, ...]:
    """The histories worth keeping, likeliest first, one for each line of boards and players."""
    ranked = sorted(histories, key=lambda history: -history.weight)
    kept: dict[tuple[Position, Position | None, Player], History] = {}
    for history in ranked:
        if history.weight < ranked[0].weight - KEEP_NATS or len(kept) == most:
            break
        before = history.parent.position if history.parent else None
        kept.setdefault((history.position, before, history.on_roll), history)
    return tuple(kept.values())


def log_mix(share: float, score: float) -> float:
    """The log-weight of one part of a mixture."""
    return math.log(share) + score if share > 0 else -math.inf


def log_sum(a: float, b: float) -> float:
    """The logarithm of the sum of two weights given as logarithms."""
    high, low = max(a, b), min(a, b)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def _missed(memory: Memory, t_ms: int) -> float:
    """The chance that the play went on after the last reading."""
    age_ms = math.inf if memory.t_ms is None else max(0, t_ms - memory.t_ms)
    return 1 - math.exp(-age_ms / PLAY_MS)


def _roll_prior(dice: Dice, rolls: tuple[Dice, ...]) -> float:
    total = sum(1 if other.is_double else 2 for other in rolls)
    return math.log((1 if dice.is_double else 2) / total)


def _as_seen(
    parent: History, children: list[History], dice: Dice | None, views: Views, t_ms: int
) -> Iterator[History]:
    """`parent` continued by whatever led to the board that was plainly seen, legal or not."""
    if views.plain is None:
        return
    for seen in _boards_seen(parent, views.plain, views.before):
        if any(child.position == seen for child in children):
            continue
        plays = legal_plays(parent.position, parent.on_roll, dice) if dice else None
        lawful = plays.leading_to(seen) if plays else ()
        turn = HalfTurn(
            t_ms=t_ms,
            player=parent.on_roll,
            dice=dice,
            steps=lawful[0].steps if lawful else steps_between(parent.position, parent.on_roll, seen),
            legal=bool(lawful),
            position=seen,
        )
        prior = -math.log(len(plays)) if plays and lawful else _irregular_prior(parent, seen, dice)
        yield parent.played(turn, prior, views.now.score(seen))


def _boards_seen(parent: History, plain: Memory, before: Memory) -> Iterator[Position]:
    """What lies on the board: as it changed since the roll, and as it is with every checker in its place.

    The first leaves a place alone that always reads wrongly; the second puts right a record that went astray.
    """
    changed = plain.likeliest(parent.position, before)
    yield changed
    whole = plain.likeliest(parent.position, Memory())
    if whole != changed and not _is_short(parent, whole):
        yield whole


def _is_short(parent: History, seen: Position) -> bool:
    """Whether checkers are missing or too many on a board that `parent` came to."""
    return bool(seen.problems()) or any(
        seen.side(player)[OFF] != parent.position.side(player)[OFF] for player in Player
    )


def _irregular_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    """How likely a play is that the laws do not allow; less for each checker that no play accounts for."""
    n_numbers = len(dice.numbers) if dice else MOST_NUMBERS
    return IRREGULAR + STRAY * _n_strays(parent, seen, n_numbers)


def _n_strays(parent: History, seen: Position, n_numbers: int) -> int:
    """Checkers that came or went as no play of `n_numbers` numbers makes them."""
    mover, other = parent.on_roll, parent.on_roll.opponent
    own, others = seen.side(mover), seen.side(other)
    borne = own[OFF] - parent.position.side(mover)[OFF]
    may_bear = 0 if any(own[7:]) else n_numbers
    appeared = sum(
        max(0, now - then)
        for now, then in zip(others[1:BAR], parent.position.side(other)[1:BAR], strict=True)
    )
    vanished = others[OFF] - parent.position.side(other)[OFF]
    miscounted = sum(defect.count for defect in seen.problems())
    return max(0, borne - may_bear) + max(0, -borne) + appeared + abs(vanished) + miscounted
