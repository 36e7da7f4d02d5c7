"""A history continued by the play that was plainly seen: legal, irregular or partial.

What is seen is taken in several ways, for a place may be misread, and a checker may lie unseen.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import ROW_INDICES, boards_on_the_way, play_results
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import irregular_turn, lawful_turn, share_unseen
from controller.referee.inference.histories import History
from controller.referee.inference.irregular_plays import (
    irregular_prior,
    n_defects,
    prior_of_part,
    prior_of_unknown_roll,
)
from controller.referee.inference.roll_evidence import ALL_ROLLS, RollHypothesis
from controller.rules import BAR, OFF, DefectKind, Dice, Place, Position


def plays_as_seen(
    parent: History,
    children: Iterable[History],
    throw: RollHypothesis | None,
    evidence: BoardEvidence,
    t_ms: int,
    *,
    unknown_nats: float = 0.0,
) -> Iterator[History]:
    """`parent` continued by any play, legal, irregular or partial, that led to the last full view.

    throw: the roll that was played; None when it is unknown. unknown_nats: in that case the log-likelihood of
    what was seen of the dice.
    """
    if evidence.full_view is None:
        return
    whole = evidence.of_full_view()
    known = {child.position for child in children if child.parent is parent}
    plainly = list(_whole_plays_seen(parent, known, throw, whole, t_ms))
    known |= {parent.position, *(turn.position for turn, _ in plainly)}
    over, of_roll = _is_over(evidence.now, t_ms), throw.prior if throw else unknown_nats
    for turn, prior in (*plainly, *_partial_plays_seen(parent, known, throw, whole, t_ms)):
        child = parent.after_seen_turn(turn, prior + of_roll, evidence)
        # If nothing moved, every view shows the end of the turn.
        later = over if turn.position != parent.position else 0.0
        yield replace(child, log_likelihood=child.log_likelihood + later)


def plays_of_no_roll(
    parent: History, children: Iterable[History], evidence: BoardEvidence, t_ms: int
) -> Iterator[History]:
    """`parent` continued by a play that was plainly seen and that no roll allows, half made or complete."""
    for child in plays_as_seen(parent, children, None, evidence, t_ms):
        if is_of_no_roll(parent, child.position):
            yield child.with_prior(prior_of_unknown_roll(parent, child.position))


def is_of_no_roll(parent: History, board: Position) -> bool:
    """Whether no play of any roll leads from `parent` to `board` or through it."""
    return boards_on_the_way(parent.rules, parent.turn_state, ALL_ROLLS).index(board) is None


def _whole_plays_seen(
    parent: History,
    known: set[Position],
    throw: RollHypothesis | None,
    whole: BoardEvidence,
    t_ms: int,
) -> Iterator[tuple[HalfTurn, float]]:
    """The half-turns, with their priors, that led to a board in view that is not among `known`."""
    dice, inferred = (throw.dice, throw.inferred) if throw else (None, False)
    for seen in _boards_in_view(parent, whole, dice):
        if seen in known or _has_men_of_nobody(seen):
            continue
        plays = parent.plays(dice) if dice else None
        lawful = plays.leading_to(seen) if plays else ()
        if dice and lawful:
            turn = lawful_turn(parent, dice, lawful[0], t_ms, inferred=inferred)
        else:
            turn = irregular_turn(parent, dice, seen, t_ms, inferred=inferred)
        yield turn, _lawful_prior(parent, seen, dice) if lawful else irregular_prior(parent, seen, dice)


def _partial_plays_seen(
    parent: History, known: set[Position], throw: RollHypothesis | None, whole: BoardEvidence, t_ms: int
) -> Iterator[tuple[HalfTurn, float]]:
    """The half-turns, with their prior, that are partial plays and look like what was plainly seen.

    Several may: the count of a tall stack is not seen, nor how many checkers were borne off from it.
    """
    if throw is None or parent.turn_state.choosing or parent.rules.is_wide(throw.dice):
        return
    dice = throw.dice
    boards = boards_on_the_way(parent.rules, parent.turn_state, (dice,))
    row_nats = whole.rows(parent.place_states)[ROW_INDICES, boards.columns].sum(axis=1)
    prior, plays = prior_of_part(parent, dice), parent.plays(dice)
    for i in np.argsort(-row_nats, kind="stable")[: priors.MOST_FOLLOWED]:
        board = boards.boards[i]
        if (
            row_nats[i] >= -priors.DOUBTFUL_COUNT_NATS + row_nats.max()
            and board not in known
            and board not in plays
        ):
            yield irregular_turn(parent, dice, board, t_ms, inferred=throw.inferred), prior


def _has_men_of_nobody(seen: Position) -> bool:
    """Whether a side has more checkers there than it owns: then a place was misread."""
    return any(defect.kind is DefectKind.EXTRA_CHECKER for defect in seen.problems())


def _boards_in_view(parent: History, whole: BoardEvidence, dice: Dice | None) -> Iterator[Position]:
    """The boards that the view may mean.

    The first leaves stuck places unchanged, and puts missing checkers on a stack that may hold them; in the
    second they are borne off. In the third the opponent's checkers lie where they lay. Further ones have a
    missing checker where it may lie unseen. The last takes the board as it reads, to correct a record gone
    astray.
    """
    states, before = parent.place_states, parent.position
    changed = whole.likeliest_board(states, before, restore_nats=-priors.PLACE_FLOOR_NATS)
    yield changed
    gone = whole.likeliest_board(states, before, restore_nats=0.0)
    if gone != changed:
        yield gone
    kept = _with_opponent_left_alone(parent, gone, whole.now.mixed)
    if kept and kept not in (changed, gone):
        yield kept
    if gone.side(parent.on_roll)[OFF] > before.side(parent.on_roll)[OFF]:
        yield from _with_checker_hidden(parent, gone, dice)
        yield from _with_checker_on_stuck_place(parent, gone)
    everywhere = whole.board_as_read(states, before)
    n_numbers = len(dice.numbers) if dice else priors.MOST_NUMBERS
    if everywhere not in (changed, gone) and not _is_short(parent, everywhere, n_numbers):
        yield everywhere


def _with_opponent_left_alone(parent: History, seen: Position, mixed: frozenset[int]) -> Position | None:
    """`seen` with the opponent's checkers where they lay, except those hit; None if that is impossible.

    Where other checkers of his came or went, a place was misread. Both players have checkers on `mixed` rows.
    """
    mover = parent.on_roll
    own, held = seen.side(mover), list(parent.position.side(mover.opponent))
    for point in range(1, BAR):
        n_held = held[BAR - point]
        if own[point] and n_held == 1:
            held[BAR - point] -= 1
            held[BAR] += 1
        elif own[point] and n_held and Place.of(mover, point).number - 1 not in mixed:
            return None
    return Position.of(mover, own, held)


def _with_checker_hidden(parent: History, seen: Position, dice: Dice | None) -> Iterator[Position]:
    """`seen` with a missing checker put where it may lie unseen among the opponent's, or be taken for his.

    It lies one or more numbers of the roll away from a place that a checker left, or where the opponent seems
    to have one checker more.
    """
    mover, numbers = parent.on_roll, dice.numbers if dice else ()
    own, held = seen.side(mover), seen.side(mover.opponent)
    before, held_before = parent.position.side(mover), parent.position.side(mover.opponent)
    far = {sum(some) for n in range(1, len(numbers) + 1) for some in combinations(numbers, n)}
    left = [place for place in range(1, BAR + 1) if own[place] < before[place]]
    within_reach = {place - pips for place in left for pips in far}
    for point in range(1, BAR):
        there = BAR - point
        is_one_of_them = held[there] == held_before[there] + 1
        if held[there] > 1 and not own[point] and (is_one_of_them or point in within_reach):
            theirs = [n - (is_one_of_them and place == there) for place, n in enumerate(held)]
            yield Position.of(mover, _with_one_at(point, own), theirs)


def _with_checker_on_stuck_place(parent: History, seen: Position) -> Iterator[Position]:
    """`seen` with a missing checker put on a place whose reading may be stuck and not show it."""
    mover = parent.on_roll
    own, held = seen.side(mover), seen.side(mover.opponent)
    stuck = parent.place_states.stuck
    for point in range(1, BAR):
        if stuck[Place.of(mover, point).number - 1] > priors.MAY_BE_STUCK_FROM and not held[BAR - point]:
            yield Position.of(mover, _with_one_at(point, own), held)


def _with_one_at(point: int, own: Sequence[int]) -> tuple[int, ...]:
    """A side's checkers with one that is off put on `point`."""
    return tuple(n + (place == point) - (place == OFF) for place, n in enumerate(own))


def _is_short(parent: History, seen: Position, n_numbers: int) -> bool:
    """Whether checkers are missing or too many on `seen`, as a board that a play from `parent` left."""
    mover, other = parent.on_roll, parent.on_roll.opponent
    borne = seen.side(mover)[OFF] - parent.position.side(mover)[OFF]
    vanished = seen.side(other)[OFF] - parent.position.side(other)[OFF]
    may_bear = parent.rules.most_borne(parent.turn_state, seen, n_numbers)
    return bool(n_defects(parent, seen)) or bool(vanished) or not 0 <= borne <= may_bear


def _lawful_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    if dice is None:
        return 0.0
    found = play_results(parent.rules, parent.turn_state, dice)
    return float(found.play_log_priors(parent.p_bears_all)[found.layout.index(seen)])


def _is_over(memory: BoardMemory, t_ms: int) -> float:
    """Log-likelihood of the last reading showing the board at the end of the turn, not before it.

    It is the same as for lawful plays.
    """
    unseen = share_unseen(memory, t_ms)
    complete = (1 - priors.RESTS_HALF_MADE) / 2 / priors.N_PLAYS_OF_ROLL
    return math.log(1 - unseen + unseen * complete)
