"""The referee's state and its one function: `step(state, event) -> (state, effects)`."""

from dataclasses import dataclass, field, replace
from enum import Enum

from controller.referee.belief import (
    RETHROWN,
    History,
    Views,
    best,
    end_turn,
    explained,
    infer_turns,
    margin,
    pruned,
    weigh,
    with_unheard,
)
from controller.referee.effects import (
    Effect,
    GameWon,
    Lamp,
    LampsChanged,
    OffenceEnded,
    OffenceShown,
    Recorded,
    RollCalled,
)
from controller.referee.events import BoardSeen, Done, Event, Finished, Started
from controller.referee.lamps import Mode, lamps
from controller.referee.memory import Memory, remember
from controller.referee.tray import Die, Tray, hear
from controller.referee.turns import HalfTurn
from controller.referee.underway import on_the_way
from controller.rules import Dice, Player, Position, explain
from controller.rules.game import win_on
from hardware.events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost

SURE_NATS = 3.0
"""What was played is said when the likeliest board leads every other by this much."""

OFFENCE_NATS = 12.0
"""A board is called illegal when every legal explanation fits it so much worse than the board before the roll
was fitted: more than one place misread (memory.FLOOR), less than two."""


MOST_OFFENCES = 2
"""A board that takes more offences than this to explain was misread or upset: no play did that."""


class Phase(Enum):
    """Where the game stands."""

    IDLE = "no game"
    OPENING = "opening roll"
    BEFORE_ROLL = "before the roll"
    ROLLED = "rolled"
    OVER = "over"


@dataclass(frozen=True)
class Settings:
    """What players may choose. settle_ms: how long a board must lie still before anything is said of it."""

    mode: Mode = Mode.COACH
    settle_ms: int = 750


@dataclass(frozen=True)
class State:
    """Everything the referee knows.

    rolls: what the roll in play may be; several when a die was not heard.
    sensor: whether a dice sensor speaks; without one, turns are inferred from the board.
    plain: the board as it was last seen whole and without a hand over it, since the roll; None if it was not.
    before: what the board plainly showed when the roll was made; earlier: the same of the last half-turn.
    untouched: nobody has played since the last half-turn ended, so the board still speaks for its result.
    n_visible: how many rows of the board were seen when the histories were last weighed.
    inferred_ms: the board as it changed then has been used up, in a game without a dice sensor.
    """

    settings: Settings = Settings()
    phase: Phase = Phase.IDLE
    histories: tuple[History, ...] = ()
    tray: Tray = field(default_factory=Tray)
    rolls: tuple[Dice, ...] = ()
    sensor: bool = False
    memory: Memory = field(default_factory=Memory)
    plain: Memory | None = None
    before: Memory = field(default_factory=Memory)
    earlier: Memory = field(default_factory=Memory)
    untouched: bool = True
    n_visible: int = 0
    inferred_ms: int = -1
    offence: OffenceShown | None = None
    recorded: tuple[HalfTurn, ...] = ()
    lamps: tuple[Lamp, ...] = ()

    @property
    def views(self) -> Views:
        """What the board shows of the turn being played."""
        return Views(now=self.memory, plain=self.plain, before=self.before)

    @property
    def on_roll(self) -> Player:
        """Who plays now, in the likeliest history."""
        return best(self.histories).on_roll

    @property
    def shown(self) -> Position:
        """The board as the players have it now, as far as the likeliest history explains it."""
        if not self.histories:
            return Position.START
        top = best(self.histories)
        boards = [board for dice in self.rolls for board in on_the_way(top.position, top.on_roll, dice)]
        return max(boards, key=self.memory.score, default=top.position)

    @property
    def record(self) -> tuple[HalfTurn, ...]:
        """The half-turns of the likeliest history."""
        return best(self.histories).turns if self.histories else ()


def step(state: State, event: Event) -> tuple[State, tuple[Effect, ...]]:
    """The state after `event`, and what is to be done about it."""
    match event:
        case Started():
            after = _started(state, event)
        case BoardSeen():
            after = _board_seen(state, event)
        case DiceMoving() | DiceSettled() | DiceLifted():
            after = _dice_heard(state, event)
        case SensorLost():
            after = replace(state, sensor=False, tray=Tray())
        case SensorFound():
            after = replace(state, sensor=True)
        case Done():
            after = _turn_over(state, event.t_ms) if state.phase is Phase.ROLLED else state
        case Finished():
            after = _finished(state, event)
    if not isinstance(event, DiceMoving | DiceSettled):
        after = _judged(after, event.t_ms)
    after = replace(after, lamps=_lamps(after), recorded=_announced(after))
    return after, _effects(state, after, event.t_ms)


def _started(state: State, event: Started) -> State:
    phase = Phase.OPENING if event.on_roll is None else Phase.BEFORE_ROLL
    players = tuple(Player) if event.on_roll is None else (event.on_roll,)
    histories = tuple(History(event.position, player) for player in players)
    return State(
        settings=state.settings, phase=phase, histories=histories, tray=state.tray, sensor=state.sensor
    )


def _board_seen(state: State, event: BoardSeen) -> State:
    memory = remember(state.memory, event)
    touched = memory.played_ms == event.t_ms or (memory.hand and not state.memory.hand)
    state = replace(state, memory=memory, plain=memory if memory.plain else state.plain)
    if state.phase not in (Phase.BEFORE_ROLL, Phase.ROLLED, Phase.OPENING):
        return state
    if not state.sensor:
        return _inferred(state, event)
    if state.phase is Phase.ROLLED and touched:
        return replace(state, untouched=False)
    if state.phase is Phase.ROLLED and state.untouched and memory.plain:
        fits = memory.score(best(state.histories).position) > -OFFENCE_NATS
        state = replace(state, before=memory if fits else state.before)
    if state.untouched and len(memory.visible) >= state.n_visible:
        histories = weigh(state.histories, Views(now=memory, plain=memory, before=state.earlier))
        if state.phase is Phase.BEFORE_ROLL and memory.settled(state.settings.settle_ms):
            histories = with_unheard(histories, memory, event.t_ms)
        return replace(state, histories=histories, n_visible=len(memory.visible))
    return state


def _inferred(state: State, event: BoardSeen) -> State:
    """Without a dice sensor every settled board may show a new half-turn, or two."""
    memory = state.memory
    if not memory.settled(state.settings.settle_ms) or memory.changed_ms <= state.inferred_ms:
        return state
    histories = infer_turns(state.histories, state.views, event.t_ms)
    winner = best(histories).position.winner
    phase = Phase.OVER if winner else Phase.BEFORE_ROLL if best(histories).turn else state.phase
    return replace(state, histories=histories, inferred_ms=memory.changed_ms, phase=phase)


def _dice_heard(state: State, event: DiceMoving | DiceSettled | DiceLifted) -> State:
    before, tray = state.tray, hear(state.tray, event)
    state = replace(state, tray=tray, sensor=True)
    if tray.roll and tray.roll != before.roll:
        return _rolled(state, tray.roll, event.t_ms)
    if isinstance(event, DiceLifted):
        if state.phase is Phase.ROLLED:
            return _turn_over(state, event.t_ms)
        if state.phase is Phase.BEFORE_ROLL and set(before.dice) == {Die.LYING, Die.MOVING}:
            face = before.faces[0] or before.faces[1] or 0
            half_heard = tuple(Dice(face, other) for other in range(1, 7))
            return _turn_over(replace(state, rolls=half_heard), event.t_ms)
    return state


def _rolled(state: State, roll: tuple[int, int], t_ms: int) -> State:
    dice = Dice(*roll)
    if state.phase is Phase.OPENING:
        if dice.is_double:
            return state
        leader = Player.WHITE if roll[0] > roll[1] else Player.BLACK
        histories = tuple(history for history in state.histories if history.on_roll is leader)
        return replace(
            state, phase=Phase.ROLLED, histories=histories, rolls=(dice,), plain=None, before=state.memory
        )
    if state.phase is Phase.ROLLED:
        thrown_again = [replace(history, past=history.past + RETHROWN) for history in state.histories]
        ended = _turn_over(state, t_ms)
        if ended.phase is Phase.OVER:
            return ended
        state = replace(ended, histories=pruned([*ended.histories, *thrown_again]))
    if state.phase is not Phase.BEFORE_ROLL:
        return state
    return replace(state, phase=Phase.ROLLED, rolls=(dice,), plain=None, before=_plain_or_none(state.memory))


def _plain_or_none(memory: Memory) -> Memory:
    """What may be compared with later: a plain view, or one that knows nothing."""
    return memory if memory.plain else Memory()


def _turn_over(state: State, t_ms: int) -> State:
    histories = end_turn(state.histories, state.rolls, state.views, t_ms)
    return replace(
        state,
        phase=Phase.OVER if best(histories).position.winner else Phase.BEFORE_ROLL,
        histories=histories,
        rolls=(),
        earlier=state.before,
        untouched=True,
        n_visible=len(state.memory.visible),
    )


def _finished(state: State, event: Finished) -> State:
    """The last turn counts when its play lies complete on the board."""
    if state.phase is not Phase.ROLLED or state.memory.t_ms is None:
        return state
    position = best(state.histories).position
    played = _turn_over(state, event.t_ms)
    if state.memory.score(best(played.histories).position) > state.memory.score(position):
        return played
    return state


def _judged(state: State, t_ms: int) -> State:
    """Say what is illegal on a settled board; take it back when it is gone."""
    if state.offence and state.offence.index < len(state.record) - (state.phase is Phase.BEFORE_ROLL):
        state = replace(state, offence=None)
    if state.phase not in (Phase.BEFORE_ROLL, Phase.ROLLED) or not state.sensor:
        return replace(state, offence=None)
    if not state.memory.settled(state.settings.settle_ms):
        return state
    found = _offence(state, t_ms)
    same = found and state.offence and found.offences == state.offence.offences
    return state if same else replace(state, offence=found)


def _offence(state: State, t_ms: int) -> OffenceShown | None:
    top = best(state.histories)
    if state.phase is Phase.BEFORE_ROLL:
        if top.turn is None or top.turn.legal or top.parent is None:
            return None
        before, player, dice, seen = top.parent.position, top.turn.player, top.turn.dice, top.position
        index = len(top.turns) - 1
    else:
        misfit = state.before.score(top.position)
        if explained(state.histories, state.rolls, state.memory, OFFENCE_NATS - misfit):
            return None
        before, player, dice = top.position, top.on_roll, state.rolls[0]
        seen, index = state.memory.likeliest(before, state.before), len(top.turns)
    if dice is None:
        return None
    offences = explain(before, player, dice, seen)
    if not 0 < len(offences) <= MOST_OFFENCES:
        return None
    return OffenceShown(t_ms=t_ms, index=index, player=player, offences=offences)


def _announced(state: State) -> tuple[HalfTurn, ...]:
    """What is said of the record: a half-turn once it is sure, or once the game has gone past it."""
    record = state.record
    sure = state.phase is not Phase.BEFORE_ROLL or (
        state.memory.plain and margin(state.histories) > SURE_NATS
    )
    return record if sure else state.recorded


def _lamps(state: State) -> tuple[Lamp, ...]:
    """Nothing new is lit while the board is unsettled; a hand over it puts everything out."""
    if state.phase in (Phase.IDLE, Phase.OVER) or state.memory.hand:
        return ()
    if not state.memory.settled(state.settings.settle_ms):
        return state.lamps
    return lamps(state.settings.mode, state.offence, state.histories, state.rolls, state.memory)


def _effects(before: State, after: State, t_ms: int) -> tuple[Effect, ...]:
    """What changed between two states, in the order in which players should hear of it."""
    effects: list[Effect] = []
    if after.rolls and after.rolls != before.rolls and len(after.rolls) == 1:
        effects.append(RollCalled(t_ms=t_ms, player=after.on_roll, dice=after.rolls[0]))
    effects += _recordings(before.recorded, after.recorded, t_ms)
    if before.offence and before.offence != after.offence:
        stands = after.phase is Phase.ROLLED and len(after.recorded) > before.offence.index
        effects.append(OffenceEnded(t_ms=t_ms, index=before.offence.index, stands=stands))
    if after.offence and after.offence != before.offence:
        effects.append(after.offence)
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        effects.append(_won(after, t_ms))
    if after.lamps != before.lamps:
        effects.append(LampsChanged(t_ms=t_ms, lamps=after.lamps))
    return tuple(effects)


def _recordings(before: tuple[HalfTurn, ...], after: tuple[HalfTurn, ...], t_ms: int) -> list[Recorded]:
    return [
        Recorded(t_ms=t_ms, index=index, turn=turn, mended=index < len(before))
        for index, turn in enumerate(after)
        if index >= len(before) or before[index] is not turn
    ]


def _won(state: State, t_ms: int) -> GameWon:
    position = best(state.histories).position
    winner = position.winner
    assert winner is not None, "the phase is OVER only when somebody has borne off all his checkers"
    return GameWon(t_ms=t_ms, winner=winner, points=win_on(position, winner).value)
