"""Every event in every phase is handled, ignored by name, or refused; what is refused changes nothing."""

from typing import get_args

import pytest

from controller.referee import (
    ActionDeclared,
    DonePressed,
    Event,
    GameRestored,
    GameStarted,
    InputEnded,
    MatchBegan,
    PlayTakenBack,
    RefereePhase,
    RefereeState,
    RollDropped,
    TurnCorrected,
    UndoPressed,
    UnexpectedEventError,
    step,
)
from controller.referee.referee import IGNORED, TRANSITIONS
from controller.rules import Doubled, Match, Outcome, Player, Position
from controller.rules.match.game import Ending, Win
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from tests.controller.referee.table import Table, seen


def restored(**known) -> GameRestored:
    return GameRestored(
        t_ms=9000, position=Position.START, **{"on_roll": None, "first": None, "turns": (), **known}
    )


WON = Outcome(winner=Player.WHITE, win=Win.SINGLE, points=1, ending=Ending.BORNE_OFF)


def phases() -> dict[RefereePhase, RefereeState]:
    """A state in each phase."""
    table = Table()
    opening = table.state
    table.roll(3, 1)
    rolled = table.state
    before, _ = step(RefereeState(), GameStarted(t_ms=0, on_roll=Player.WHITE))
    between, _ = step(RefereeState(match=Match.new(5)), restored(outcome=WON))
    over, _ = step(RefereeState(match=Match.new(1)), restored(outcome=WON))
    states = (RefereeState(), opening, before, rolled, between, over)
    return dict(zip(RefereePhase, states, strict=True))


EVENTS = (
    seen(Position.START, 9000),
    DiceMoving(t_ms=9000, die=1),
    DiceSettled(t_ms=9000, die=1, face=3),
    DiceLifted(t_ms=9000, die=1),
    SensorLost(t_ms=9000, reason="the cable is out"),
    SensorFound(t_ms=9000),
    GameStarted(t_ms=9000),
    DonePressed(t_ms=9000),
    ActionDeclared(t_ms=9000, action=Doubled(player=Player.WHITE)),
    TurnCorrected(t_ms=9000, index=0, position=Position.START),
    PlayTakenBack(t_ms=9000),
    UndoPressed(t_ms=9000),
    InputEnded(t_ms=9000),
    MatchBegan(t_ms=9000, match=Match.new(3)),
    restored(),
    RollDropped(t_ms=9000),
)
PHASES = phases()
PAIRS = [
    pytest.param(state, event, id=f"{phase.value}-{type(event).__name__}")
    for phase, state in PHASES.items()
    for event in EVENTS
]
REFUSED = {(phase, RollDropped) for phase in RefereePhase if phase is not RefereePhase.ROLLED} | {
    (phase, GameRestored) for phase in (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED)
}


def test_the_walk_meets_every_event_and_every_phase():
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    assert all(state.phase is phase for phase, state in PHASES.items())


@pytest.mark.parametrize(("state", "event"), PAIRS)
def test_every_pair_is_handled_ignored_or_refused(state, event):
    transition = TRANSITIONS[state.phase].get(type(event))
    if transition is None:
        assert (state.phase, type(event)) in REFUSED
        with pytest.raises(UnexpectedEventError, match=state.phase.value):
            step(state, event)
        return
    after, effects = step(state, event)
    assert after.phase in (state.phase, *transition.to)
    if transition is IGNORED:
        assert after == state
        assert effects == ()


def test_only_what_a_program_decides_can_be_refused():
    """What comes from the table, camera, sensor or people, may come at any time."""
    listed = {(phase, event) for phase, row in TRANSITIONS.items() for event in row}
    assert {(phase, event) for phase in RefereePhase for event in get_args(Event)} - listed == REFUSED


def test_an_event_of_no_known_kind_is_refused():
    with pytest.raises(UnexpectedEventError):
        step(RefereeState(), "start")


def test_a_new_match_keeps_what_the_dice_sensor_reported():
    rolled = PHASES[RefereePhase.ROLLED]
    begun, _ = step(rolled, MatchBegan(t_ms=9000, match=Match.new(7)))
    assert begun.phase is RefereePhase.IDLE
    assert begun.match.length == 7
    assert (begun.tray, begun.sensor, begun.settings) == (rolled.tray, True, rolled.settings)
    assert begun.histories == ()
