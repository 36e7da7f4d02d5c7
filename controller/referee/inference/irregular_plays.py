"""Priors of plays that the laws do not allow."""

import math
from dataclasses import replace

from controller.referee import priors
from controller.referee.inference.board_layouts import boards_on_the_way
from controller.referee.inference.histories import History
from controller.rules import BAR, N_CHECKERS, OFF, DefectKind, Dice, OffenceKind, Player, Position

RARE_OFFENCES = frozenset({OffenceKind.MOVED_BACKWARDS, OffenceKind.MOVED_OPPONENTS_CHECKER})

STRAY_CHECKERS = frozenset({OffenceKind.CHECKER_MISSING, OffenceKind.CHECKER_EXTRA})


def irregular_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    """Prior of a play that the laws do not allow; lower for each checker that no play accounts for. Nats."""
    offences = parent.rules.explain(parent.turn_state, dice, seen) if dice else ()
    n_stray = max(
        n_strays(parent, seen, len(dice.numbers) if dice else priors.MOST_NUMBERS),
        sum(offence.kind in STRAY_CHECKERS for offence in offences),
    )
    if dice and not n_stray and [offence.kind for offence in offences] == [OffenceKind.WHOLE_ROLL_NOT_PLAYED]:
        return prior_of_part(parent, dice)
    plays = parent.plays(dice) if dice else ()
    # A player who cannot play can go wrong in as many ways as another.
    may_play = len(plays) > 1 or (plays and plays[0].result != parent.position)
    n_meant = len(plays) if may_play else priors.N_PLAYS_OF_ROLL
    more = priors.STRAY_CHECKER_NATS * n_stray + priors.FURTHER_OFFENCE_NATS * max(
        0, len(offences) - max(1, n_stray)
    )
    more += priors.RARE_OFFENCE_NATS * sum(offence.kind in RARE_OFFENCES for offence in offences)
    unrelated = priors.UNRELATED_BOARD_NATS + priors.STRAY_CHECKER_NATS * _n_never_borne(parent, seen)
    return max(priors.IRREGULAR_PLAY_NATS - math.log(n_meant) + more, unrelated)


def prior_of_unknown_roll(parent: History, seen: Position) -> float:
    """Addition to the prior when the roll is unknown: the more checkers moved, the fewer rolls fit. Nats."""
    before, after = parent.position.side(parent.on_roll), seen.side(parent.on_roll)
    n_moved = sum(max(0, then - now) for then, now in zip(before, after, strict=True))
    return priors.UNLIKE_ANY_ROLL_NATS * max(1, n_moved)


def prior_of_part(parent: History, dice: Dice) -> float:
    """Prior of one particular partial play of `dice`. Nats."""
    if parent.rules.is_wide(dice):
        return priors.PARTIAL_PLAY_NATS - math.log(priors.N_PLAYS_OF_ROLL)
    n_all = len(boards_on_the_way(parent.rules, parent.turn_state, (dice,)).boards)
    return priors.PARTIAL_PLAY_NATS - math.log(max(1, n_all - len(parent.plays(dice))))


def n_strays(parent: History, seen: Position, n_numbers: int) -> int:
    """Number of checkers that came or went as no play of `n_numbers` numbers explains."""
    mover, other = parent.on_roll, parent.on_roll.opponent
    own, others = seen.side(mover), seen.side(other)
    borne = own[OFF] - parent.position.side(mover)[OFF]
    may_bear = parent.rules.most_borne(parent.turn_state, seen, n_numbers)
    may_enter = parent.turn_state.waiting_of(mover)
    appeared = sum(
        max(0, now - then)
        for now, then in zip(others[1:BAR], parent.position.side(other)[1:BAR], strict=True)
    )
    vanished = others[OFF] - parent.position.side(other)[OFF]
    miscounted = n_defects(parent, seen)
    return max(0, borne - may_bear) + max(0, -borne - may_enter) + appeared + abs(vanished) + miscounted


def _n_never_borne(parent: History, seen: Position) -> int:
    """Number of checkers newly off though their player cannot have borne any off, whatever was played."""
    gone = {player: seen.side(player)[OFF] - parent.position.side(player)[OFF] for player in Player}
    return sum(
        max(0, n)
        for player, n in gone.items()
        if not parent.rules.most_borne(replace(parent.turn_state, on_roll=player), seen, 1)
    )


def n_defects(parent: History, seen: Position) -> int:
    """Count of the defects of `seen`, apart from mixed points and men that were missing from the start."""
    omitted = sum(max(0, N_CHECKERS - sum(parent.position.side(player))) for player in Player)
    both = DefectKind.BOTH_ON_ONE_POINT  # a play may leave this, and it is an offence of its own
    return max(0, sum(defect.count for defect in seen.problems() if defect.kind is not both) - omitted)
