"""The referee's one function: `step(state, event) -> (state, effects)`, by one table of transitions."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from controller.referee.decisions.announcements import effects
from controller.referee.decisions.judging import OFFENCE_NATS, judged, lit
from controller.referee.dice_tray import DiceTray, DieState, hear
from controller.referee.effects import Effect
from controller.referee.events import (
    ActionDeclared,
    BoardSeen,
    DonePressed,
    Event,
    GameStarted,
    InputEnded,
    TurnCorrected,
)
from controller.referee.half_turn import HalfTurn
from controller.referee.handlers.furnishing import with_men_omitted
from controller.referee.handlers.putting_right import PUT_RIGHT, put_right
from controller.referee.inference.belief import RETHROWN, end_turn, lingering, weigh
from controller.referee.inference.board_memory import BoardMemory, remember
from controller.referee.inference.continuing import PLAY_MS
from controller.referee.inference.corrections import corrected
from controller.referee.inference.histories import SURE_NATS, BoardEvidence, History, best, margin, pruned
from controller.referee.inference.inferred_turns import closed, ended, infer_turns
from controller.referee.inference.missed_rolls import (
    UNHEARD,
    passed_over,
    with_unheard,
    with_unheard_irregular,
)
from controller.referee.inference.roll_evidence import Faces, unheard, unheard_opening
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import Dice, Doubled, EditedBoard, Ending, Game, IllegalAction, Outcome, Player
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost

NOT_COUNTED = math.log(0.5)
"""Prior of a throw of which one die was heard being thrown again: the other fell off the table."""

THROWN_OVER = math.log(0.5)
"""Prior of the opening throw not being played, where who has the first turn may throw both dice instead."""


def step(state: RefereeState, event: Event) -> tuple[RefereeState, tuple[Effect, ...]]:
    """The state after `event`, and what is to be done about it."""
    transition = TRANSITIONS[state.phase].get(type(event))
    after = replace(state, refusal="")
    if transition is not None:
        after = transition.take(after, event)
        assert after.phase in (state.phase, *transition.to), (
            f"{event} led from {state.phase} to {after.phase}"
        )
    if isinstance(event, BoardSeen | DiceLifted | DonePressed | ActionDeclared | TurnCorrected):
        after = judged(after, event.t_ms)
    after = replace(after, lamps=lit(after), recorded=_announced(after))
    return after, effects(state, after, event.t_ms)


def _announced(state: RefereeState) -> tuple[HalfTurn, ...]:
    """What is said of the record: a half-turn once it is sure, or once the game has gone past it."""
    sure = state.phase is not RefereePhase.BEFORE_ROLL or (
        state.memory.plain and margin(state.histories) > SURE_NATS
    )
    return state.record if sure else state.recorded


# -- the game's beginning and end


def _start(state: RefereeState, event: GameStarted) -> RefereeState:
    """The state in which a game begins. By some laws who won the last one has the first turn."""
    first = event.on_roll or state.match.game.first
    return RefereeState(
        settings=state.settings,
        match=state.match,
        game=len(state.match.games),
        phase=RefereePhase.OPENING if first is None else RefereePhase.BEFORE_ROLL,
        other_rules=state.other_rules,
        histories=tuple(
            History.begun(state.rules.start(player).on_board(event.position), state.rules)
            for player in (tuple(Player) if first is None else (first,))
        ),
        joined=event.on_roll,
        tray=state.tray,
        sensor=state.sensor,
        memory=state.memory,
    )


def _start_again(state: RefereeState, event: BoardSeen) -> RefereeState:
    """The next game of the match begins when the board is furnished for it."""
    state = _remember(state, event)
    start = state.rules.start(Player.WHITE).position
    furnished = (
        state.memory.settled(state.settings.settle_ms) and state.memory.score(start, start) > -OFFENCE_NATS
    )
    return _start(state, GameStarted(t_ms=event.t_ms, position=start)) if furnished else state


def _ended(state: RefereeState) -> RefereeState:
    """The state after a game that may just have been won."""
    if state.other_rules:
        return _ended_otherwise(state)
    game = _game(state)
    if game is None or game.outcome is None:
        return state
    match = state.match
    for action in game.actions:
        match = match.push(action)
    phase = RefereePhase.OVER if match.winner else RefereePhase.BETWEEN
    return replace(state, phase=phase, match=match, outcome=game.outcome, rolls=())


def _ended_otherwise(state: RefereeState) -> RefereeState:
    """The state after a game that the match does not know, and which is a match by itself."""
    top = best(state.histories)
    win, winner = top.rules.win(top.stand), top.stand.winner
    if win is None or winner is None:
        return state
    points = top.rules.laws.points[win.value - 1]
    outcome = Outcome(winner=winner, win=win, points=points, ending=Ending.BORNE_OFF)
    return replace(state, phase=RefereePhase.OVER, outcome=outcome, rolls=())


def _game(state: RefereeState) -> Game | None:
    """The game by the rules; None when what people said, or the record, makes no game."""
    game = state.match.game
    try:
        for action in state.actions:
            game = game.push(action)
    except IllegalAction:
        return None
    return game


def _finish(state: RefereeState, event: InputEnded) -> RefereeState:
    """The last turn counts when its play lies complete on the board, or when there is none to be made."""
    if state.memory.t_ms is None:
        return state
    top = best(state.histories)
    played = _turn_over(state, event)
    result = best(played.histories).position
    lies_complete = state.memory.score(result, top.position) > state.memory.score(top.position, top.position)
    dances = all(top.position in top.plays(dice) for dice in state.rolls)
    return played if lies_complete or dances else state


def _finish_unheard(state: RefereeState, event: InputEnded) -> RefereeState:
    """A play whose dice nobody heard counts when it lies on the board as nothing is seen any more.

    A game that the last play has won is over though that was not seen.
    """
    if state.sensor:
        return _ended(state) if best(state.histories).is_over else state
    histories = pruned(ended(history, event.t_ms) for history in state.histories if history.lying)
    return replace(state, phase=RefereePhase.BEFORE_ROLL, histories=histories) if histories else state


# -- the board


def _remember(state: RefereeState, event: BoardSeen) -> RefereeState:
    memory = remember(state.memory, event)
    return replace(
        state,
        memory=memory,
        plain=memory if memory.plain else state.plain,
        faces=state.faces if memory.hand else state.faces.and_also(event.dice),
    )


def _look_before_roll(state: RefereeState, event: BoardSeen) -> RefereeState:
    had_hand = state.memory.hand
    state = _remember(state, event)
    if not state.sensor:
        return _infer(state, event)
    state = _weigh(replace(state, disturbed=state.disturbed or _is_touched(state, event, had_hand=had_hand)))
    if not state.memory.settled(state.settings.settle_ms) or not _may_have_played(state):
        return state
    opening = state.phase is RefereePhase.OPENING
    no_tie = opening and not state.may_throw_over
    throws = unheard_opening(state.faces) if no_tie else unheard(state.faces)
    histories = with_unheard(
        state.histories,
        throws,
        state.memory,
        event.t_ms,
        thrown=_are_thrown(state),
        n_heard=state.n_heard,
    )
    if state.memory.changed_ms > state.inferred_ms:
        histories = lingering(histories)
    state = replace(state, inferred_ms=state.memory.changed_ms)
    phase = RefereePhase.BEFORE_ROLL if best(histories).turn else state.phase
    state = replace(state, histories=histories, phase=phase)
    if _fit(state) > -OFFENCE_NATS:
        state = replace(state, before=state.memory)
    return _ended(state) if _is_won(state) else state


def _are_thrown(state: RefereeState) -> bool:
    """Whether pictures show other dice than those of the last half-turn: a throw that was not heard."""
    last = best(state.histories).turn
    return state.faces.often is not None and (last is None or state.faces.often != last.dice)


def _may_have_played(state: RefereeState) -> bool:
    """Whether a play may have been made of which nothing was heard: not before the board was furnished."""
    if best(state.histories).turn is None and best(state.histories).clearest < -OFFENCE_NATS:
        return False
    return not state.tray.half_heard


def _look_at_play(state: RefereeState, event: BoardSeen) -> RefereeState:
    had_hand = state.memory.hand
    state = _remember(state, event)
    if _is_touched(state, event, had_hand=had_hand):
        return replace(state, untouched=False)
    if state.untouched and state.memory.plain:
        fits = _fit(state) > -OFFENCE_NATS
        state = replace(state, before=state.memory if fits else state.before)
    return _weigh(state)


def _is_touched(state: RefereeState, event: BoardSeen, *, had_hand: bool) -> bool:
    """Whether a place has just changed in plain sight, or a hand has come."""
    return state.memory.played_ms == event.t_ms or (state.memory.hand and not had_hand)


def _fit(state: RefereeState) -> float:
    """How well the board fits the result of the last half-turn."""
    top = best(state.histories)
    return state.memory.score(top.position, top.before)


def _weigh(state: RefereeState) -> RefereeState:
    """While nobody has played since, the board still speaks for the last half-turn's result."""
    memory = state.memory
    if not state.untouched or len(memory.visible) < state.n_visible:
        return state
    views = BoardEvidence(now=memory, plain=memory, before=state.earlier)
    histories = weigh(state.histories, views, state.before, doubt=state.doubt, disturbed=state.disturbed)
    return replace(state, histories=histories, n_visible=len(memory.visible))


def _infer(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Without a dice sensor every settled board may show more of a play, or the next one."""
    memory = state.memory
    if not memory.settled(state.settings.settle_ms) or memory.changed_ms <= state.inferred_ms:
        return state
    if not _may_have_played(state):
        return replace(
            state,
            histories=weigh(state.histories, state.views, BoardMemory(), doubt=state.doubt, disturbed=False),
        )
    histories = infer_turns(state.histories, memory, state.before, max(state.inferred_ms, 0))
    has_begun = best(histories).turn or best(histories).lying
    phase = RefereePhase.BEFORE_ROLL if has_begun else state.phase
    inferred = replace(state, histories=histories, before=memory, inferred_ms=memory.changed_ms, phase=phase)
    return _ended(inferred) if best(histories).is_over else inferred


# -- the dice


DieEvent = DiceMoving | DiceSettled | DiceLifted


def _track(state: RefereeState, event: DieEvent) -> RefereeState:
    return replace(state, tray=hear(state.tray, event), sensor=True)


def _hear_opening(state: RefereeState, event: DieEvent) -> RefereeState:
    """Die 1 is White's, die 2 Black's; a tie is thrown again. Or the other has begun, and nobody heard it."""
    before = state.tray
    state = _track(state, event)
    roll = state.tray.roll
    if roll is None or before.roll == roll or roll[0] == roll[1]:
        return state
    leader = Player.WHITE if roll[0] > roll[1] else Player.BLACK
    if lying := with_men_omitted(state):
        state = _start(state, GameStarted(t_ms=event.t_ms, position=lying, on_roll=leader))
    histories = tuple(
        history if history.on_roll is leader else replace(history, past=history.past + UNHEARD)
        for history in state.histories
    )
    rolled = _rolled(replace(state, histories=histories), roll, event.t_ms)
    return replace(rolled, from_opening=True)


def _hear_before_roll(state: RefereeState, event: DieEvent) -> RefereeState:
    before = state.tray
    state = _track(state, event)
    if state.tray.roll and state.tray.roll != before.roll:
        histories = with_unheard_irregular(
            state.histories, state.faces, state.views, event.t_ms, n_heard=state.n_heard
        )
        histories = passed_over(histories, event.t_ms)
        return _rolled(replace(state, histories=histories), state.tray.roll, event.t_ms)
    if isinstance(event, DiceLifted) and before.half_heard:
        return _half_heard(state, before.half_heard, event)
    return state


def _half_heard(state: RefereeState, face: int, event: DieEvent) -> RefereeState:
    """One die was heard, and both are taken up: a roll that was played, or one that does not count."""
    rolls = tuple(Dice(face, other) for other in range(1, 7))
    not_played = [replace(history, past=history.past + NOT_COUNTED) for history in state.histories]
    played = _turn_over(replace(state, rolls=rolls), event)
    return replace(played, histories=pruned([*played.histories, *not_played]))


def _hear_in_play(state: RefereeState, event: DieEvent) -> RefereeState:
    before = state.tray
    state = _track(state, event)
    are_thrown = state.tray.dice == (DieState.MOVING, DieState.MOVING) != before.dice
    if before.half_heard and state.thrown and (are_thrown or isinstance(event, DiceLifted)):
        return _half_heard_in_play(state, before.half_heard, event)
    if are_thrown:
        return replace(state, thrown=(replace(state, thrown=None), event.t_ms))
    if isinstance(event, DiceLifted):
        # The dice of a throw that is over are no longer those being played: of one that was void, of a
        # deuce-ace after which doublets are chosen.
        over = best(state.histories).stand.choosing or before.dice[event.die - 1] is DieState.SPENT
        return state if over else _dice_taken_up(state, event)
    if state.tray.roll is None or state.tray.roll == before.roll:
        return state
    thrown_again = [
        replace(history, past=history.past + RETHROWN)
        for history in state.histories
        if not history.stand.choosing
    ]
    ended = _dice_taken_up(state, event)
    if ended.phase is not RefereePhase.BEFORE_ROLL:
        return ended
    return _rolled(
        replace(ended, histories=pruned([*ended.histories, *thrown_again])), state.tray.roll, event.t_ms
    )


def _half_heard_in_play(state: RefereeState, face: int, event: DieEvent) -> RefereeState:
    """Both dice were thrown, and one was heard: the next roll, made before the dice were lifted, or none."""
    assert state.thrown is not None, "the dice were thrown again"
    jostled = _dice_taken_up(state, event)
    then, t_ms = state.thrown
    over = _turn_over(then, replace(event, t_ms=t_ms))
    if over.phase is not RefereePhase.BEFORE_ROLL:
        return jostled
    before = then.memory if _is_fresh(then.memory, t_ms) else BoardMemory()
    rolled = replace(state, histories=over.histories, before=before, earlier=then.before)
    played = _half_heard(rolled, face, event)
    none = [replace(history, past=history.past + RETHROWN) for history in jostled.histories]
    return replace(played, histories=pruned([*played.histories, *none]))


def _dice_taken_up(state: RefereeState, event: DieEvent) -> RefereeState:
    """The turn is over; or the dice of the opening throw were not played, and are thrown over."""
    ended = _turn_over(state, event)
    if not (state.from_opening and state.may_throw_over and ended.phase is RefereePhase.BEFORE_ROLL):
        return ended
    not_played = [
        replace(
            history,
            past=history.past + THROWN_OVER,
            testimony=state.memory.score(history.position, history.position),
        )
        for history in state.histories
    ]
    return replace(ended, histories=pruned([*ended.histories, *not_played]))


def _rolled(state: RefereeState, roll: tuple[int, int], t_ms: int) -> RefereeState:
    """A roll is heard. What the board showed long ago does not tell what lay there when it was thrown."""
    before = state.memory if _is_fresh(state.memory, t_ms) else BoardMemory()
    return replace(
        state,
        phase=RefereePhase.ROLLED,
        rolls=(Dice(*roll),),
        doubt=state.tray.doubt,
        from_opening=False,
        thrown=None,
        faces=Faces(),
        plain=None,
        before=before,
    )


def _is_fresh(memory: BoardMemory, t_ms: int) -> bool:
    return memory.plain and t_ms - (memory.t_ms or 0) < PLAY_MS


def _turn_over(state: RefereeState, event: Event) -> RefereeState:
    ended = replace(
        state,
        phase=RefereePhase.BEFORE_ROLL,
        histories=end_turn(state.histories, state.rolls, state.doubt, state.faces, state.views, event.t_ms),
        rolls=(),
        thrown=None,
        faces=Faces(),
        earlier=state.before,
        before=BoardMemory(),
        untouched=True,
        disturbed=False,
        n_visible=len(state.memory.visible),
    )
    if len(state.rolls) == 1:
        ended = replace(ended, heard=(len(ended.record), state.rolls[0]))
    if best(ended.histories).is_over:
        return _ended(ended) if _is_won(ended) else ended
    return _choosing(ended) if best(ended.histories).stand.choosing else ended


def _is_won(state: RefereeState) -> bool:
    """Whether the last play has surely won the game; the worse the board fits that, the surer it must be."""
    top = best(state.histories)
    going_on = [history.weight for history in state.histories if not history.is_over]
    fit = state.memory.score(top.position, top.before)
    if not top.is_over or top.weight + fit < max(going_on, default=-math.inf) + SURE_NATS:
        return False
    return fit > state.memory.score(top.before, top.before)


def _choosing(state: RefereeState) -> RefereeState:
    """The player on roll chooses doublets instead of throwing: which, is seen when he has played them."""
    top = best(state.histories)
    before = state.memory if state.memory.plain else BoardMemory()
    return replace(
        state, phase=RefereePhase.ROLLED, rolls=state.rules.throws(top.stand), plain=None, before=before
    )


def _lose_sensor(state: RefereeState, event: SensorLost) -> RefereeState:
    return replace(state, sensor=False, tray=DiceTray())


def _find_sensor(state: RefereeState, event: SensorFound) -> RefereeState:
    """From now on dice tell when a turn is over; a play followed without them is over or not begun."""
    histories = pruned(closed(history, event.t_ms) for history in state.histories)
    return replace(state, sensor=True, histories=histories)


# -- what people say


def _say(state: RefereeState, event: ActionDeclared) -> RefereeState:
    """A double by the player not on roll also says that the turn is over."""
    action = event.action
    if (
        state.phase is RefereePhase.ROLLED
        and isinstance(action, Doubled)
        and action.player is not state.on_roll
    ):
        state = _turn_over(state, event)
    said = replace(state, said=(*state.said, (len(state.record), action)))
    if isinstance(action, EditedBoard):
        return _set_up(said, action)
    if state.other_rules:
        return replace(state, refusal=f"By {state.rules.laws.name} nobody doubles or resigns here.")
    try:
        if type(action) in PUT_RIGHT:
            return put_right(state, event)
        game = state.match.game
        for played in said.actions:
            game = game.push(played)
    except IllegalAction as error:
        return replace(state, refusal=f"That cannot be: {error}.")
    return _ended(said)


def _set_up(state: RefereeState, action: EditedBoard) -> RefereeState:
    """People have put the board as it is now."""
    top = best(state.histories)
    stand = replace(top.stand.on_board(action.position), on_roll=action.on_roll, choosing=False)
    history = replace(History.begun(stand, state.rules), parent=top)
    return replace(state, phase=RefereePhase.BEFORE_ROLL, histories=(history,), rolls=(), untouched=True)


def _correct(state: RefereeState, event: TurnCorrected) -> RefereeState:
    histories = corrected(state.histories, event.index, event.position)
    if histories is None:
        n_turns = len(state.record)
        why = f"There is no half-turn {event.index + 1} to correct: {n_turns} have been played."
        return replace(state, refusal=why)
    return replace(state, histories=histories)


@dataclass(frozen=True)
class Transition:
    """What an event does in a phase, and the phases it may lead to besides staying."""

    take: Callable[[RefereeState, Any], RefereeState]
    to: tuple[RefereePhase, ...] = ()


Row = dict[type, Transition]
STARTS: Row = {GameStarted: Transition(_start, (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL))}
SENSOR: Row = {SensorLost: Transition(_lose_sensor), SensorFound: Transition(_find_sensor)}

DICE: tuple[type, ...] = (DiceMoving, DiceSettled, DiceLifted)
ENDS = (RefereePhase.BETWEEN, RefereePhase.OVER)


def _dice(take: Callable[[RefereeState, Any], RefereeState], *to: RefereePhase) -> Row:
    return dict.fromkeys(DICE, Transition(take, to))


TRANSITIONS: dict[RefereePhase, Row] = {
    RefereePhase.IDLE: {**STARTS, **SENSOR, **_dice(_track), BoardSeen: Transition(_remember)},
    RefereePhase.OPENING: {
        **STARTS,
        **SENSOR,
        **_dice(_hear_opening, RefereePhase.ROLLED),
        BoardSeen: Transition(_look_before_roll, (RefereePhase.BEFORE_ROLL, *ENDS)),
        ActionDeclared: Transition(_say, (RefereePhase.BEFORE_ROLL, *ENDS)),
        InputEnded: Transition(_finish_unheard, (RefereePhase.BEFORE_ROLL, *ENDS)),
    },
    RefereePhase.BEFORE_ROLL: {
        **STARTS,
        **SENSOR,
        **_dice(_hear_before_roll, RefereePhase.ROLLED, *ENDS),
        BoardSeen: Transition(_look_before_roll, ENDS),
        ActionDeclared: Transition(_say, (RefereePhase.ROLLED, *ENDS)),
        TurnCorrected: Transition(_correct),
        InputEnded: Transition(_finish_unheard, ENDS),
    },
    RefereePhase.ROLLED: {
        **STARTS,
        **SENSOR,
        **_dice(_hear_in_play, RefereePhase.BEFORE_ROLL, *ENDS),
        BoardSeen: Transition(_look_at_play),
        DonePressed: Transition(_turn_over, (RefereePhase.BEFORE_ROLL, *ENDS)),
        ActionDeclared: Transition(_say, (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL, *ENDS)),
        TurnCorrected: Transition(_correct),
        InputEnded: Transition(_finish, (RefereePhase.BEFORE_ROLL, *ENDS)),
    },
    RefereePhase.BETWEEN: {
        **STARTS,
        **SENSOR,
        **_dice(_track),
        BoardSeen: Transition(_start_again, (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL)),
    },
    RefereePhase.OVER: {**STARTS, **SENSOR, **_dice(_track), BoardSeen: Transition(_remember)},
}
"""What each event does in each phase; an event that is not listed changes nothing."""
