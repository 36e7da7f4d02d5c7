"""What the players are told about a settled board: offences, and what they are asked."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from controller.referee import priors
from controller.referee.effects import OffenceShown
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.belief import weight_of_lawful
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.histories import (
    History,
    first_differing_turn,
    leading_histories,
    likeliest_history,
    rival_histories,
    weight_of_all,
)
from controller.referee.inference.missed_rolls import before_missed_roll
from controller.referee.inference.roll_evidence import (
    ALL_ROLLS,
    RollEvidence,
    RollHypothesis,
    any_roll,
    misreported_rolls,
    odds_of,
    roll_seen,
)
from controller.referee.inference.seen_plays import irregular_prior, is_of_no_roll, plays_as_seen
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import OFF, Dice, Offence, Position, Rules, TurnState


def judge_offence(state: RefereeState, t_ms: int) -> RefereeState:
    """Note what is illegal on a settled board, and drop it when it is put right or past."""
    if state.offence and state.offence.index < len(state.record) - (state.phase is RefereePhase.BEFORE_ROLL):
        state = replace(state, offence=None)
    if state.phase not in (RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED):
        return replace(state, offence=None)
    if state.phase is RefereePhase.ROLLED and state.untouched and state.memory.fully_visible:
        state = _with_standing(state, t_ms)
    if not state.is_settled:
        return state
    if not state.sensor:
        found = _offence_of_last(state, t_ms) or _offence_without_sensor(state, t_ms)
    else:
        state = _with_question(state)
        found = (
            _offence_of_play(state, t_ms)
            if state.phase is RefereePhase.ROLLED
            else _offence_of_last(state, t_ms)
            or _offence_of_half_read_roll(state, t_ms)
            or _offence_of_missed_roll(state, t_ms)
        )
    same = found and state.offence and found.offences == state.offence.offences
    shown = state.offences_shown | {found.index} if found else state.offences_shown
    return state if same else replace(state, offence=found, offences_shown=shown)


def recorded_offences(state: RefereeState) -> tuple[OffenceShown, ...]:
    """What is illegal about each half-turn that is recorded as illegal, dated at its end.

    A half-turn without known dice, or with a board that no play explains, only brings the record back: it has
    no offence.
    """
    found = (
        _shown(one.turn.t_ms, one.parent, one.turn.dice, one.position)
        for one in state.likeliest.chain
        if one.is_irregular and one.turn and one.turn.dice and one.parent
        if irregular_prior(one.parent, one.position, one.turn.dice) > priors.UNRELATED_BOARD_NATS
    )
    return tuple(offence for offence in found if offence)


def _with_standing(state: RefereeState, t_ms: int) -> RefereeState:
    """Note an irregular play that the opponent's throw let stand before it could be shown."""
    index = len(state.record) - 1
    found = None if index in state.offences_shown else _offence_of_last(state, t_ms)
    shown = state.offences_shown | {index}
    return replace(state, late_offence=found, offences_shown=shown) if found else state


def _with_question(state: RefereeState) -> RefereeState:
    """Ask once about the first half-turn on which likely histories differ, if the board lay settled since."""
    index, lies_ms = first_differing_turn(rival_histories(state.histories)), state.memory.t_ms or 0
    if index is None or not state.untouched or lies_ms - state.record[-1].t_ms < state.settings.settle_ms:
        return state
    return replace(state, questioned=state.questioned | {index})


def _offence_of_last(state: RefereeState, t_ms: int) -> OffenceShown | None:
    """What is illegal about the last half-turn."""
    top = state.likeliest
    if top.turn is None or top.turn.legal or top.parent is None:
        return None
    if state.phase is RefereePhase.BEFORE_ROLL and top.went_on_after(state.ended_ms):
        return None  # it was inferred, and no roll has been reported since: it may not be over
    if not state.offence and not _surely_illegal(state, top.parent, top.turn):
        return None
    return _shown(t_ms, top.parent, top.turn.dice, top.position)


def _offence_without_sensor(state: RefereeState, t_ms: int) -> OffenceShown | None:
    """What is illegal, for every roll, about the play on the board."""
    illegal: list[History] = []
    others: list[History] = []
    for history in state.histories:
        lying = history.lying_board
        (illegal if lying and is_of_no_roll(history, lying) else others).append(history)
    if not illegal or weight_of_all(others) > weight_of_all(illegal) - priors.OFFENCE_LEAD_NATS:
        return None
    top = likeliest_history(illegal)
    return _shown(t_ms, top, None, top.expected_board)


def _offence_of_play(state: RefereeState, t_ms: int) -> OffenceShown | None:
    """What is illegal about a play of the reported roll, or of one that was misread as it."""
    dice, seen = state.rolls[0], state.roll_evidence
    if state.thrown or state.likeliest.turn_state.choosing:
        return None
    histories = tuple(history.with_upset_counted() for history in state.histories)
    return _offence_now(state, histories, (roll_seen(dice, seen), *misreported_rolls(dice, seen)), t_ms)


def _offence_of_half_read_roll(state: RefereeState, t_ms: int) -> OffenceShown | None:
    """What is illegal about a play of a half-read roll, whatever its dice show."""
    if not state.half_read_is_played:
        return None
    seen = replace(state.roll_evidence, half_read=odds_of(state.tray))
    histories = tuple(history.with_upset_counted() for history in state.histories)
    return _offence_now(state, histories, _any_throws(seen), t_ms)


def _offence_of_missed_roll(state: RefereeState, t_ms: int) -> OffenceShown | None:
    """What is illegal about a play of dice that pictures show plainly, though the sensor reported no roll.

    Pictures are not trusted while a half-read roll lies there: that is another roll, with its own play.
    """
    roll = None if state.tray.is_half_read else state.roll_evidence.trusted_roll
    thrown = before_missed_roll(state.histories, state.ended_ms)
    before = tuple(history.with_prior(priors.ROLL_SEEN_IN_PICTURES_NATS) for history in thrown)
    last = likeliest_history(before).turn
    if roll is None or (last and last.dice == roll):
        return None
    lawful = weight_of_all(one for one in state.histories if one.turn and one.turn.legal)
    return _offence_now(state, before, _any_throws(state.roll_evidence), t_ms, lawful)


def _offence_now(
    state: RefereeState,
    histories: tuple[History, ...],
    throws: tuple[RollHypothesis, ...],
    t_ms: int,
    lawful: float = -math.inf,
) -> OffenceShown | None:
    """What is illegal about the play under way, if it cannot become legal any more.

    histories: the courses before the play. throws: what its dice may be, the likeliest first. lawful: the
    weight of other lawful explanations of the board.
    """
    evidence = BoardEvidence(now=state.memory, full_view=state.memory)
    found = [
        history
        for before in leading_histories(histories, priors.FOLLOW_WITHIN_NATS)
        for throw in throws
        if throw is throws[0] or throw.dice == state.roll_evidence.roll
        for history in plays_as_seen(before, (), throw, evidence, state.memory.t_ms or 0)
        if history.is_irregular and history.position != before.position
    ]
    if not found:
        return None
    illegal = likeliest_history(found)
    least = weight_of_all(found) - priors.OFFENCE_LEAD_NATS
    others = np.logaddexp(lawful, weight_of_lawful(histories, throws, evidence, least))
    if not illegal.parent or not illegal.turn or others > least:
        return None
    return _shown(t_ms, illegal.parent, illegal.turn.dice, illegal.position)


def _shown(t_ms: int, before: History, dice: Dice | None, seen: Position) -> OffenceShown | None:
    """The offences of `seen` as a play of `dice`, or of any roll if dice is None; None if there are none."""
    offences = _fewest_offences(before.rules, before.turn_state, dice, _not_borne(before, seen))
    shown = OffenceShown(t_ms=t_ms, index=len(before.turns), player=before.on_roll, offences=offences)
    return shown if offences else None


@lru_cache(maxsize=16)
def _fewest_offences(
    rules: Rules, turn_state: TurnState, dice: Dice | None, seen: Position
) -> tuple[Offence, ...]:
    """The offences of a board by `dice`, or if they are None by the roll with the fewest.

    Cached: any roll takes 21 explanations and is asked for at each picture.
    """
    rolls = [dice] if dice else [roll for roll in ALL_ROLLS if not rules.is_wide(roll)]
    return min((rules.explain(turn_state, roll, seen) for roll in rolls), key=len)


def _surely_illegal(state: RefereeState, before: History, turn: HalfTurn) -> bool:
    """Whether illegal last plays lead all else: legal ones, or an upset that left the same board.

    After a legal play the next one may be under way, its roll missed. turn: the last half-turn of the
    likeliest history, played after `before`.
    """
    legal = tuple(one for one in state.histories if not one.is_irregular)
    illegal = weight_of_all(one for one in state.histories if one.is_irregular)
    upset = illegal - irregular_prior(before, turn.position, turn.dice) + priors.BOARD_UPSET_NATS
    least, others = illegal - priors.OFFENCE_LEAD_NATS, np.logaddexp(upset, weight_of_all(legal))
    if others < least and legal and state.phase is RefereePhase.BEFORE_ROLL:
        under_way = weight_of_lawful(
            legal, _any_throws(state.roll_evidence), state.evidence, least - priors.ROLL_MISSED_NATS
        )
        others = np.logaddexp(others, priors.ROLL_MISSED_NATS + under_way)
    return bool(others < least)


def _any_throws(seen: RollEvidence) -> tuple[RollHypothesis, ...]:
    """Every roll, ordered by what was seen of the dice, the likeliest first."""
    return tuple(sorted(any_roll(seen), key=lambda throw: -throw.prior))


def _not_borne(before: History, seen: Position) -> Position:
    """`seen`, with no more checkers borne off than before if the player could not bear off."""
    player = before.on_roll
    own, n_off = seen.side(player), before.position.side(player)[OFF]
    if own[OFF] <= n_off or before.rules.most_borne(before.turn_state, seen, 1):
        return seen
    return Position.of(player, (n_off, *own[1:]), seen.side(player.opponent))
