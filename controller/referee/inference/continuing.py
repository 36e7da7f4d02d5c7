"""A history continued by one more half-turn: every legal play, or what was clearly seen."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import (
    ROW_INDICES,
    BoardLayout,
    boards_on_the_way,
    play_results,
)
from controller.referee.inference.board_memory import BoardMemory, columns
from controller.referee.inference.histories import History, log_mix
from controller.referee.inference.irregular_plays import irregular_prior, n_defects, prior_of_part
from controller.referee.inference.roll_evidence import ALL_ROLLS, RollHypothesis, dice_of
from controller.rules import (
    BAR,
    OFF,
    DefectKind,
    Dice,
    Player,
    PlayMade,
    Plays,
    Position,
    steps_between,
)


@dataclass(frozen=True, eq=False)
class CandidatePlays:
    """A history continued by every legal play of one throw, weighed all at once.

    past_weight, log_likelihood: (n,) one for each play; see History.
    """

    parent: History
    throw: RollHypothesis
    plays: Plays
    boards: BoardLayout
    past_weight: npt.NDArray[np.float64]
    log_likelihood: npt.NDArray[np.float64]
    weighed_ms: int | None

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        return self.past_weight + self.log_likelihood

    def history_of(self, i: int, t_ms: int) -> History:
        """The history in which play `i` was made."""
        turn = lawful_turn(self.parent, self.throw.dice, self.plays[i], t_ms, inferred=self.throw.inferred)
        return self.parent.after_turn(
            turn, float(self.past_weight[i]), float(self.log_likelihood[i]), self.weighed_ms
        )


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
        turn_state=play.turn_state,
    )


def irregular_turn(
    parent: History, dice: Dice | None, board: Position, t_ms: int, *, inferred: bool = False
) -> HalfTurn:
    """The half-turn in which the player on roll left `board`, which no law allows."""
    return HalfTurn(
        t_ms=t_ms,
        player=parent.on_roll,
        dice=dice,
        dice_inferred=inferred,
        steps=steps_between(parent.position, parent.on_roll, board),
        legal=False,
        position=board,
    )


def unplayable_roll(history: History) -> tuple[Dice, float] | None:
    """The likeliest roll that the player on roll cannot play, and the log-probability of any such roll.

    Who chooses doublets makes no roll.
    """
    if history.turn_state.choosing:
        return None
    dances = [dice for dice in ALL_ROLLS if history.position in history.plays(dice)]
    if not dances:
        return None
    return max(dances, key=lambda dice: dice.ways), math.log(sum(dice.ways for dice in dances) / 36)


def candidate_plays(
    history: History, throws: Iterable[RollHypothesis], evidence: BoardEvidence, t_ms: int
) -> list[CandidatePlays]:
    """`history` continued by every legal play of each of `throws`.

    The board may have been seen last before the play was complete: the longer ago, the likelier.
    """
    throws = _that_may_be(history, throws)
    now = evidence.now
    row_nats = evidence.rows(history.place_states)
    is_missed = 1.0 if is_older(now, history) else _missed(now, t_ms)
    missed = 0.0 if history.turn_state.choosing else is_missed
    fresh = math.log(1 - missed) if missed < 1 else -math.inf
    stale = log_mix(missed, _before_played(history, throws, evidence)) if missed else -math.inf
    candidates = []
    for throw in throws:
        found = play_results(history.rules, history.turn_state, throw.dice)
        boards = found.layout
        prior = throw.prior + found.play_log_priors(history.p_bears_all)
        seen = np.logaddexp(fresh + row_nats[ROW_INDICES, boards.columns].sum(axis=1), stale)
        past_weight = history.weight_before(now.t_ms) + prior
        candidates.append(CandidatePlays(history, throw, found.plays, boards, past_weight, seen, now.t_ms))
    return candidates


def likeliest_continuations(
    candidates: Iterable[CandidatePlays], t_ms: int, least: float = -math.inf
) -> list[History]:
    """The histories worth keeping: those not far behind the likeliest of them, and not below `least`.

    A board that several throws lead to is as likely as all of them together.
    """
    candidates = list(candidates)
    weights = np.concatenate([one.weights for one in candidates]) if candidates else np.empty(0)
    if not len(weights) or weights.max() == -np.inf:
        return []
    family = np.repeat(np.arange(len(candidates)), [len(one.past_weight) for one in candidates])
    member = np.concatenate([np.arange(len(one.past_weight)) for one in candidates])
    least = max(least, float(weights.max()) - priors.KEEP_WITHIN_NATS)
    wide = any(one.parent.rules.is_wide(one.throw.dice) for one in candidates)
    ranked = np.argsort(-weights, kind="stable")[: priors.KEEP_MOST_OF_WIDE if wide else priors.KEEP_MOST]
    found: dict[tuple[int, Position], History] = {}
    for i in ranked:
        if weights[i] < least:
            break
        child = candidates[family[i]].history_of(int(member[i]), t_ms)
        key = id(child.parent), child.position
        past_weight = (
            float(np.logaddexp(found[key].past_weight, child.past_weight))
            if key in found
            else child.past_weight
        )
        found[key] = replace(found.get(key, child), past_weight=past_weight)
    return list(found.values())


def best_weight(candidates: Iterable[CandidatePlays]) -> float:
    """The weight of the likeliest of them."""
    return max((float(one.weights.max()) for one in candidates), default=-math.inf)


def _that_may_be(history: History, throws: Iterable[RollHypothesis]) -> tuple[RollHypothesis, ...]:
    """Those of `throws` that may come next. Doublets of tens of thousands of plays are not guessed."""
    if history.turn_state.choosing:
        return tuple(throw for throw in throws if throw.dice.is_double)
    return tuple(throw for throw in throws if not (throw.inferred and history.rules.is_wide(throw.dice)))


def partial_play_fit(history: History, rolls: tuple[Dice, ...], evidence: BoardEvidence) -> float:
    """Log-likelihood of the board in the midst of a play of one of `rolls`: not begun, half made or complete.

    Complete plays are alike likely, and so are boards on the way. A play seldom rests half made.
    """
    row_nats = evidence.rows(history.place_states)
    plays = [play_results(history.rules, history.turn_state, dice).layout.columns for dice in rolls]
    complete = np.concatenate(plays)
    on_the_way = boards_under_way(history, rolls, evidence).columns
    whole = (1 - priors.RESTS_HALF_MADE) / 2
    parts = (
        (whole, np.array([columns(history.expected_board)])),
        (priors.RESTS_HALF_MADE / max(len(on_the_way), len(complete)), on_the_way),
        (whole / len(complete), complete),
    )
    fits = [
        math.log(share) + np.logaddexp.reduce(row_nats[ROW_INDICES, boards].sum(axis=1))
        for share, boards in parts
    ]
    return float(np.logaddexp.reduce(fits))


def boards_under_way(history: History, rolls: tuple[Dice, ...], evidence: BoardEvidence) -> BoardLayout:
    """The boards that a play of one of `rolls` may show, half made or not.

    Where there are tens of thousands, those alone that lead to what the board shows.
    """
    shown = evidence.likeliest_board(history.place_states, history.position)
    return boards_on_the_way(history.rules, history.turn_state, rolls, shown)


def plays_as_seen(
    parent: History,
    children: Iterable[History],
    throw: RollHypothesis | None,
    evidence: BoardEvidence,
    t_ms: int,
) -> Iterator[History]:
    """`parent` continued by whatever led to the board that was clearly seen: legal, irregular or partial.

    throw: the roll that was played; None when nothing is known of it.
    """
    if evidence.full_view is None:
        return
    whole = evidence.of_full_view()
    known = {child.position for child in children if child.parent is parent}
    plainly = list(_whole_plays_seen(parent, known, throw, whole, t_ms))
    known |= {parent.position, *(turn.position for turn, _ in plainly)}
    over = _is_over(evidence.now, t_ms)
    for turn, prior in (*plainly, *_partial_plays_seen(parent, known, throw, whole, t_ms)):
        child = parent.after_seen_turn(turn, prior + (throw.prior if throw else 0.0), evidence)
        # Of a turn in which nothing moved every view shows the end.
        later = over if turn.position != parent.position else 0.0
        yield replace(child, log_likelihood=child.log_likelihood + later)


def _whole_plays_seen(
    parent: History,
    known: set[Position],
    throw: RollHypothesis | None,
    whole: BoardEvidence,
    t_ms: int,
) -> Iterator[tuple[HalfTurn, float]]:
    """The half-turns, with their priors, that led to what was clearly seen and is not among `known`."""
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
    """The half-turns, with their prior, that are a part of a play and look like what was clearly seen.

    How many checkers lie on a tall stack is not seen, nor how many were borne off from it.
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
    """Whether more checkers lie there than a side has: then a place was misread."""
    return any(defect.kind is DefectKind.EXTRA_CHECKER for defect in seen.problems())


def _boards_in_view(parent: History, whole: BoardEvidence, dice: Dice | None) -> Iterator[Position]:
    """What lies on the board: as it changed since it was weighed, and as it is with every checker in its
    place.

    The first leaves a place alone that always reads wrongly, and puts checkers that are gone on a stack that
    may well hold them; the second does not. The next has the opponent's where they lay, others put one that
    is gone where nobody may see it, and the last puts right a record that went astray.
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
    yield from _with_checker_hidden(parent, gone, dice)
    yield from _with_checker_on_stuck_place(parent, gone)
    everywhere = whole.board_as_read(states, before)
    n_numbers = len(dice.numbers) if dice else priors.MOST_NUMBERS
    if everywhere not in (changed, gone) and not _is_short(parent, everywhere, n_numbers):
        yield everywhere


def _with_opponent_left_alone(parent: History, seen: Position, mixed: frozenset[int]) -> Position | None:
    """`seen` with the opponent's checkers where they lay, but for those hit; None if that cannot be.

    Where others came or went a place was misread. On rows that are seen to be `mixed` both players stand.
    """
    mover = parent.on_roll
    own, held = seen.side(mover), list(parent.position.side(mover.opponent))
    for point in range(1, BAR):
        n_held = held[BAR - point]
        if own[point] and n_held == 1:
            held[BAR - point] -= 1
            held[BAR] += 1
        elif own[point] and n_held and _row(mover, point) not in mixed:
            return None
    return Position.of(mover, own, held)


def _row(player: Player, point: int) -> int:
    """The row of a sighting that shows a player's point."""
    return point - 1 if player is Player.WHITE else BAR - 1 - point


def _with_checker_hidden(parent: History, seen: Position, dice: Dice | None) -> Iterator[Position]:
    """`seen` with a checker that is gone put where it may lie unseen among the opponent's, or as one of them.

    It lies as far from a place that it left as one or more of the numbers, or where one more is seen.
    """
    mover, numbers = parent.on_roll, dice.numbers if dice else ()
    own, held = seen.side(mover), seen.side(mover.opponent)
    before, held_before = parent.position.side(mover), parent.position.side(mover.opponent)
    if own[OFF] <= before[OFF]:
        return
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
    """`seen` with a checker that is gone put where the reading may be stuck and not show what lies there."""
    mover = parent.on_roll
    own, held = seen.side(mover), seen.side(mover.opponent)
    if own[OFF] <= parent.position.side(mover)[OFF]:
        return
    stuck = parent.place_states.stuck
    for point in range(1, BAR):
        if stuck[_row(mover, point)] > priors.MAY_BE_STUCK_FROM and not held[BAR - point]:
            yield Position.of(mover, _with_one_at(point, own), held)


def _with_one_at(point: int, own: Sequence[int]) -> tuple[int, ...]:
    """A side's checkers with one that is off at `point` instead."""
    return tuple(n + (place == point) - (place == OFF) for place, n in enumerate(own))


def _is_short(parent: History, seen: Position, n_numbers: int) -> bool:
    """Whether checkers are missing or too many on a board that `parent` came to."""
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


def _before_played(history: History, throws: tuple[RollHypothesis, ...], evidence: BoardEvidence) -> float:
    """How well the board showed what lay there while the play was still to be made, or half made."""
    if is_older(evidence.now, history):
        return min(0.0, history.log_likelihood)
    return partial_play_fit(history, dice_of(throws), evidence)


def is_older(memory: BoardMemory, history: History) -> bool:
    """Whether the board has not been seen since the last half-turn ended."""
    return history.turn is not None and memory.t_ms is not None and memory.t_ms < history.turn.t_ms


def _is_over(memory: BoardMemory, t_ms: int) -> float:
    """Log-likelihood of the last reading showing what stood at the end of the turn, not before: as of lawful
    plays.
    """
    missed = _missed(memory, t_ms)
    complete = (1 - priors.RESTS_HALF_MADE) / 2 / priors.N_PLAYS_OF_ROLL
    return math.log(1 - missed + missed * complete)


def _missed(memory: BoardMemory, t_ms: int) -> float:
    """The chance that the play went on after the last reading."""
    age_ms = math.inf if memory.t_ms is None else max(0, t_ms - memory.t_ms)
    return 1 - math.exp(-age_ms / priors.PLAY_TAKES_MS)
