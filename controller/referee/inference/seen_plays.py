"""A history continued by the play that was plainly seen, and the priors of plays against the laws.

What is seen is taken in several ways, for a place may be misread, and a checker may lie unseen.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import boards_on_the_way, play_results
from controller.referee.inference.continuing import share_unseen, turn_leading_to
from controller.referee.inference.histories import History
from controller.referee.inference.roll_evidence import ALL_ROLLS, RollHypothesis
from controller.rules import BAR, N_CHECKERS, OFF, DefectKind, Dice, OffenceKind, Place, Player, Position

RARE_OFFENCES = frozenset({OffenceKind.MOVED_BACKWARDS, OffenceKind.MOVED_OPPONENTS_CHECKER})

STRAY_CHECKERS = frozenset({OffenceKind.CHECKER_MISSING, OffenceKind.CHECKER_EXTRA})


def plays_as_seen(
    parent: History,
    children: Iterable[History],
    throw: RollHypothesis | None,
    evidence: BoardEvidence,
    t_ms: int,
    *,
    unknown_nats: float = 0.0,
    least: float = -math.inf,
) -> Iterator[History]:
    """`parent` continued by any play, legal, irregular or partial, that led to the last full view.

    throw: the roll that was played; None when it is unknown. unknown_nats: in that case the log-likelihood of
    what was seen of the dice. least: irregular plays that cannot have this weight are left out: to explain
    what is wrong with one takes time.
    """
    if evidence.full_view is None:
        return
    whole = evidence.of_full_view()
    known = {child.position for child in children if child.parent is parent}
    of_roll, unseen = throw.prior if throw else unknown_nats, share_unseen(evidence.now, t_ms)
    weight = parent.weight_before(evidence.now.t_ms) + of_roll

    def may_be_kept(board: Position) -> bool:
        if least == -math.inf:
            return True
        prior = priors.PARTIAL_PLAY_NATS
        if n_stray := n_strays(parent, board, throw.dice if throw else None):
            irregular = priors.IRREGULAR_PLAY_NATS + priors.STRAY_CHECKER_NATS * n_stray
            prior = max(irregular, priors.UNRELATED_BOARD_NATS)
        return weight + prior + evidence.log_likelihood(board, parent.place_states) >= least

    plainly = list(_whole_plays_seen(parent, known, throw, whole, t_ms, may_be_kept))
    known |= {parent.position, *(turn.position for turn, _ in plainly)}
    # The last reading may be from before the end of the turn, just as for lawful plays.
    complete = (1 - priors.RESTS_HALF_MADE) / 2 / priors.N_PLAYS_OF_ROLL
    over = math.log(1 - unseen + unseen * complete)
    for turn, prior in (*plainly, *_partial_plays_seen(parent, known, throw, whole, t_ms)):
        child = parent.after_seen_turn(turn, prior + of_roll, evidence)
        # If nothing moved, every view shows the end of the turn.
        later = over if turn.position != parent.position else 0.0
        yield replace(child, log_likelihood=child.log_likelihood + later)


def is_of_no_roll(parent: History, board: Position) -> bool:
    """Whether no play of any roll leads from `parent` to `board` or through it."""
    return boards_on_the_way(parent.rules, parent.turn_state, ALL_ROLLS).index(board) is None


def _whole_plays_seen(
    parent: History,
    known: set[Position],
    throw: RollHypothesis | None,
    whole: BoardEvidence,
    t_ms: int,
    may_be_kept: Callable[[Position], bool],
) -> Iterator[tuple[HalfTurn, float]]:
    """The half-turns, with their priors, that led to a board in view that is not among `known`."""
    dice, inferred = (throw.dice, throw.inferred) if throw else (None, False)
    plays = parent.plays(dice) if dice else ()
    for seen in dict.fromkeys(_boards_in_view(parent, whole, dice)):
        if seen in known or any(sum(seen.side(player)) > N_CHECKERS for player in Player):
            continue
        is_legal = seen in plays
        if is_legal or may_be_kept(seen):
            prior = (lawful_prior if is_legal else irregular_prior)(parent, seen, dice)
            yield turn_leading_to(parent, dice, seen, t_ms, inferred=inferred), prior


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
    row_nats = boards.log_likelihoods(whole.rows(parent.place_states))
    prior, plays = prior_of_part(parent, dice), parent.plays(dice)
    least = row_nats.max() - priors.DOUBTFUL_COUNT_NATS
    for i in np.argsort(-row_nats, kind="stable")[: priors.MOST_FOLLOWED]:
        board = boards[i]
        if row_nats[i] >= least and board not in known and board not in plays:
            yield turn_leading_to(parent, dice, board, t_ms, inferred=throw.inferred), prior


def _boards_in_view(parent: History, whole: BoardEvidence, dice: Dice | None) -> Iterator[Position]:
    """The boards that the view may mean; some may come twice.

    The first leaves stuck places unchanged, and puts missing checkers on a stack that may hold them; in the
    second they are borne off. In the third the opponent's checkers lie where they lay. Further ones have a
    missing checker where it may lie unseen. The last takes the board as it reads, to correct a record gone
    astray.
    """
    states, before = parent.place_states, parent.position
    yield whole.likeliest_board(states, before, restore_nats=-priors.PLACE_FLOOR_NATS)
    gone = whole.likeliest_board(states, before, restore_nats=0.0)
    yield gone
    yield _with_opponent_left_alone(parent, gone, whole.now.mixed)
    if gone.side(parent.on_roll)[OFF] > before.side(parent.on_roll)[OFF]:
        yield from _with_checker_unseen(parent, gone, dice)
    everywhere = whole.board_as_read(states, before)
    if not _n_missing(parent, everywhere, dice):
        yield everywhere


def _with_opponent_left_alone(parent: History, seen: Position, mixed: frozenset[int]) -> Position:
    """`seen` with the opponent's checkers where they lay, except those hit.

    Where other checkers of his came or went, or seem to have the mover's colour, a place was misread. Both
    players have checkers on `mixed` rows.
    """
    mover = parent.on_roll
    own, held = list(seen.side(mover)), list(parent.position.side(mover.opponent))
    for point in range(1, BAR):
        n_held = held[BAR - point]
        if own[point] and n_held == 1:
            held[BAR - point] -= 1
            held[BAR] += 1
        elif n_held and Place.of(mover, point).number - 1 not in mixed:
            own[point] = 0
    return Position.of(mover, own, held)


def _with_checker_unseen(parent: History, seen: Position, dice: Dice | None) -> Iterator[Position]:
    """`seen` with a missing checker put where it may lie unseen.

    That is a place whose reading may be stuck, or one with several checkers of the opponent: one or more
    numbers of the roll away from a place that a checker left, or where he seems to have one checker more.
    """
    mover, numbers = parent.on_roll, dice.numbers if dice else ()
    own, held = seen.side(mover), seen.side(mover.opponent)
    before, held_before = parent.position.side(mover), parent.position.side(mover.opponent)
    far = {sum(some) for n in range(1, len(numbers) + 1) for some in combinations(numbers, n)}
    left = [place for place in range(1, BAR + 1) if own[place] < before[place]]
    within_reach = {place - pips for place in left for pips in far}
    stuck = parent.place_states.stuck
    for point in range(1, BAR):
        there = BAR - point
        is_one_of_them = held[there] == held_before[there] + 1
        is_hidden = held[there] > 1 and not own[point] and (is_one_of_them or point in within_reach)
        is_stuck = stuck[Place.of(mover, point).number - 1] > priors.MAY_BE_STUCK_FROM
        if is_hidden or (is_stuck and not held[there]):
            with_it = [n + (place == point) - (place == OFF) for place, n in enumerate(own)]
            theirs = [n - (is_hidden and is_one_of_them and place == there) for place, n in enumerate(held)]
            yield Position.of(mover, with_it, theirs)


def lawful_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    """Log-prior of the play that leaves `seen` among all that `dice` allow; 0 if no dice are known. Nats."""
    if dice is None:
        return 0.0
    return play_results(parent.rules, parent.turn_state, dice).log_prior_of(seen, parent.p_bears_all)


def irregular_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    """Prior of a play that the laws do not allow; lower for each checker that no play accounts for. Nats."""
    unrelated = priors.UNRELATED_BOARD_NATS + priors.STRAY_CHECKER_NATS * _n_never_borne(parent, seen)
    plays = parent.plays(dice) if dice else ()
    # A player who cannot play can go wrong in as many ways as another.
    n_meant = len(plays) if plays and parent.position not in plays else priors.N_PLAYS_OF_ROLL
    irregular, n_stray = priors.IRREGULAR_PLAY_NATS - math.log(n_meant), n_strays(parent, seen, dice)
    if irregular + priors.STRAY_CHECKER_NATS * n_stray <= unrelated:
        return unrelated
    offences = parent.rules.explain(parent.turn_state, dice, seen) if dice else ()
    kinds = [offence.kind for offence in offences]
    n_stray = max(n_stray, sum(kind in STRAY_CHECKERS for kind in kinds))
    if dice and not n_stray and kinds == [OffenceKind.WHOLE_ROLL_NOT_PLAYED]:
        return prior_of_part(parent, dice)
    n_further = max(0, len(offences) - max(1, n_stray))
    more = priors.STRAY_CHECKER_NATS * n_stray + priors.FURTHER_OFFENCE_NATS * n_further
    more += priors.RARE_OFFENCE_NATS * sum(kind in RARE_OFFENCES for kind in kinds)
    return max(irregular + more, unrelated)


def prior_of_unknown_roll(parent: History, seen: Position) -> float:
    """Addition to the prior when the roll is unknown: the more checkers moved, the fewer rolls fit. Nats."""
    before, after = parent.position.side(parent.on_roll), seen.side(parent.on_roll)
    n_moved = sum(max(0, then - now) for then, now in zip(before, after, strict=True))
    return priors.UNLIKE_ANY_ROLL_NATS * max(1, n_moved)


def prior_of_part(parent: History, dice: Dice) -> float:
    """Prior of one particular partial play of `dice`. Nats."""
    if parent.rules.is_wide(dice):
        return priors.PARTIAL_PLAY_NATS - math.log(priors.N_PLAYS_OF_ROLL)
    n_all = len(boards_on_the_way(parent.rules, parent.turn_state, (dice,)))
    return priors.PARTIAL_PLAY_NATS - math.log(max(1, n_all - len(parent.plays(dice))))


def n_strays(parent: History, seen: Position, dice: Dice | None) -> int:
    """Number of checkers that came or went as no play of `dice`, or of any roll, explains."""
    mover, other = parent.on_roll, parent.on_roll.opponent
    points = zip(seen.side(other)[1:BAR], parent.position.side(other)[1:BAR], strict=True)
    appeared = sum(max(0, now - then) for now, then in points)
    return appeared + _n_missing(parent, seen, dice, parent.turn_state.waiting_of(mover))


def _n_missing(parent: History, seen: Position, dice: Dice | None, n_waiting: int = 0) -> int:
    """Number of checkers that are off, back on the board or too many as no play of `dice` explains.

    n_waiting: how many that were off the player on roll may have entered.
    """
    mover, other = parent.on_roll, parent.on_roll.opponent
    borne = seen.side(mover)[OFF] - parent.position.side(mover)[OFF]
    vanished = seen.side(other)[OFF] - parent.position.side(other)[OFF]
    n_numbers = len(dice.numbers) if dice else priors.MOST_NUMBERS
    may_bear = parent.rules.most_borne(parent.turn_state, seen, n_numbers)
    return max(0, borne - may_bear, -borne - n_waiting) + abs(vanished) + _n_defects(parent, seen)


def _n_never_borne(parent: History, seen: Position) -> int:
    """Number of checkers newly off though their player cannot have borne any off, whatever was played."""
    return sum(
        max(0, seen.side(player)[OFF] - parent.position.side(player)[OFF])
        for player in Player
        if not parent.rules.most_borne(replace(parent.turn_state, on_roll=player), seen, 1)
    )


def _n_defects(parent: History, seen: Position) -> int:
    """Count of the defects of `seen`, apart from mixed points and men that were missing from the start."""
    omitted = sum(max(0, N_CHECKERS - sum(parent.position.side(player))) for player in Player)
    both = DefectKind.BOTH_ON_ONE_POINT  # a play may leave this, and it is an offence of its own
    return max(0, sum(defect.count for defect in seen.problems() if defect.kind is not both) - omitted)
