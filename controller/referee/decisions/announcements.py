"""The effects that follow from the difference of two states."""

from controller.referee.effects import (
    CommandRefused,
    Effect,
    GameWon,
    LampsChanged,
    OffenceEnded,
    Question,
    RollCalled,
    TurnRecorded,
)
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.histories import rival_histories
from controller.referee.state import RefereeState


def effects(before: RefereeState, after: RefereeState, t_ms: int) -> tuple[Effect, ...]:
    """The effects of the changes between two states, in the order in which players see them."""
    found: list[Effect] = []
    if after.refusal:
        found.append(CommandRefused(t_ms=t_ms, why=after.refusal))
    if len(after.rolls) == 1 and after.rolls != before.rolls:
        player = None if after.is_winner_unknown else after.on_roll
        found.append(RollCalled(t_ms=t_ms, player=player, dice=after.rolls[0]))
    for game, (then, now) in enumerate(zip(before.finished, after.finished, strict=False)):
        found += _recordings(then.course.turns, now.course.turns, game, t_ms)
    found += _recordings(before.recorded, after.recorded, after.game, t_ms)
    if before.offence and before.offence != after.offence:
        index = before.offence.index
        stands = index < len(after.recorded) and not after.recorded[index].legal
        found.append(OffenceEnded(t_ms=t_ms, index=index, stands=stands))
    if after.offence and after.offence != before.offence:
        found.append(after.offence)
    if after.late_offence and after.late_offence != before.late_offence:
        found += [after.late_offence, OffenceEnded(t_ms=t_ms, index=after.late_offence.index, stands=True)]
    for index in sorted(after.questioned - before.questioned):
        played = dict.fromkeys(history.turns[index] for history in rival_histories(after.histories))
        found.append(Question(t_ms=t_ms, index=index, candidates=tuple(played)))
    if (outcome := after.outcome) and not before.outcome:
        found.append(
            GameWon(
                t_ms=t_ms,
                winner=outcome.winner,
                win=outcome.win,
                points=outcome.points,
                score=after.match.score,
                match_over=after.match.winner is not None,
            )
        )
    if after.lamps != before.lamps:
        found.append(LampsChanged(t_ms=t_ms, lamps=after.lamps))
    return tuple(found)


def last_recordings(state: RefereeState) -> tuple[Effect, ...]:
    """The half-turns that were never sure enough to be recorded, when nothing more is to come."""
    return tuple(_recordings(state.recorded, state.record, state.game, state.ended_ms))


def _recordings(
    before: tuple[HalfTurn, ...], after: tuple[HalfTurn, ...], game: int, t_ms: int
) -> list[TurnRecorded]:
    """The half-turns of a game that are new or have changed."""
    return [
        TurnRecorded(t_ms=t_ms, game=game, index=index, turn=turn, mended=index < len(before))
        for index, turn in enumerate(after)
        if index >= len(before) or before[index] != turn
    ]
