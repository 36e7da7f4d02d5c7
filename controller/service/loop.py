"""The loop: frames and events go to the referee, and the referee's effects go to the sinks.

The same loop runs a live board, a simulated one and a recording; nothing in it knows which.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from controller.commands.people_commands import Command
from controller.perception.board_watcher import BoardWatcher
from controller.perception.picture_dice import SURE_FACE, PictureDice
from controller.referee import (
    BoardSeen,
    Effect,
    Event,
    GameStarted,
    InputEnded,
    RefereePhase,
    RefereeState,
    last_recordings,
    step,
)
from controller.rules import Player
from controller.service.exchanged_players import opening_shows_exchange
from controller.service.recordings.recording import Recording
from hardware.camera import Frame, frames_of
from hardware.dice_events import DiceEvent, DiceLifted, DiceMoving, SensorFound, SensorLost

Sink = Callable[[Effect], None]

MOST_DICE_PICTURES = 6
"""Most frames searched for the dice of one roll. More cost time, and resting dice do not change. Guess."""


class GameLoop:
    """One game being watched. Every sink gets every effect, in order.

    picture_dice: take the dice from the picture, because there is no dice sensor.
    note_state: gets the referee's state after each event.
    keep: gets all effects of an event before any sink does, so that nothing is shown that is not kept.
    """

    def __init__(
        self,
        watcher: BoardWatcher,
        sinks: tuple[Sink, ...] = (),
        state: RefereeState | None = None,
        picture_dice: bool = False,
        note_state: Callable[[RefereeState], None] = lambda state: None,
        keep: Callable[[Sequence[Effect]], None] = lambda effects: None,
    ) -> None:
        self.watcher = watcher
        self._held: BoardSeen | None = None
        """The board in the last frame, while only the next one decides what the dice in it had done."""
        self._state = state or RefereeState()
        self._sinks = sinks
        self._note_state = note_state
        self._keep = keep
        self._dice_pictures: tuple[object, int] = (None, 0)
        """A roll, and in how many frames its dice were looked for."""
        self.use_picture_dice(picture_dice)

    @property
    def state(self) -> RefereeState:
        """The referee's state. Only events change it."""
        return self._state

    def use_picture_dice(self, use: bool) -> None:
        """Take the dice from the picture, or stop doing so. A board that waits is passed on first."""
        self._release_board()
        self._picture_dice = PictureDice() if use else None

    def handle_frame(self, frame: Frame) -> None:
        """Read the board in one frame and pass it to the referee."""
        seen = self.watcher.observe_frame(frame)
        if self.state.phase in (RefereePhase.BETWEEN, RefereePhase.OVER):
            self.watcher.change_sides(self.state.rules.start(Player.WHITE).position)
        if seen is None:
            self._release_board()
            return
        seen = self._exchanged(frame.t_ms) or seen
        undecided = self._handle_dice_in_picture(frame)
        self._release_board()
        seen = replace(seen, dice=self._roll_in_picture(frame))
        if undecided:
            self._held = seen
            return
        self._step(seen)
        known = self.state.known_board
        if known:
            self.watcher.know(known)

    def _handle_dice_in_picture(self, frame: Frame) -> bool:
        """Handle the dice in the frame before its board: they were thrown before the frame was taken.

        Returns whether only the next frame decides what the dice did. The board of this one may already show
        the play of these dice, so it is held until then.
        """
        if self._picture_dice is None or (dice := self.watcher.dice_on_field(frame)) is None:
            return False
        opening = self.watcher.orientation if self.state.phase is RefereePhase.OPENING else None
        for event in self._picture_dice.dice_events(dice, frame.t_ms, opening=opening):
            self._step(replace(event, t_ms=self._held.t_ms) if self._held else event)
        return self._picture_dice.undecided

    def _exchanged(self, t_ms: int, *, is_played: bool = False) -> BoardSeen | None:
        """The board read last with the players exchanged, if the opening throw shows that they must be.

        Only a sensor shows it. Whose die is whose in a picture follows from who has which checkers.
        """
        watcher = self.watcher
        if not watcher.exchangeable or watcher.reading is None or self._picture_dice:
            return None
        shown = opening_shows_exchange(watcher.reading, watcher.orientation, self.state, is_played=is_played)
        return watcher.exchange_players(t_ms) if shown else None

    def _release_board(self) -> None:
        held, self._held = self._held, None
        if held:
            self._step(held)

    def _roll_in_picture(self, frame: Frame) -> tuple[int, ...]:
        """The faces that are surely read in this frame, if the sensor has reported a roll not long ago."""
        state = self.state
        if state.phase is not RefereePhase.ROLLED or not state.sensor or self._picture_dice:
            return ()
        roll = len(state.record), state.rolls
        self._dice_pictures = (
            (roll, self._dice_pictures[1] + 1) if roll == self._dice_pictures[0] else (roll, 1)
        )
        if self._dice_pictures[1] > MOST_DICE_PICTURES:
            return ()
        return self.watcher.dice_thrown_last(frame, SURE_FACE)

    def handle_event(self, event: Event) -> None:
        """Pass one event to the referee, and its effects to the sinks."""
        self._release_board()
        if isinstance(event, DiceLifted | DiceMoving):
            exchanged = self._exchanged(event.t_ms, is_played=True)
            if exchanged:
                self._step(exchanged)
        self._step(event)

    def _step(self, event: Event) -> None:
        self._state, effects = step(self._state, event)
        self._note_state(self._state)
        self._pass_on(effects)

    def record_rest(self) -> None:
        """After the end of a film: record the half-turns that were never sure enough."""
        self._pass_on(last_recordings(self._state))

    def _pass_on(self, effects: Sequence[Effect]) -> None:
        self._keep(effects)
        for effect in effects:
            for sink in self._sinks:
                sink(effect)


def play_back(
    recording: Recording,
    loop: GameLoop,
    note_command: Callable[[Command, RefereeState], None] = lambda command, before: None,
) -> Iterator[Frame]:
    """Play a recording through the loop. Yields each frame after it was handled.

    A resumed match is not begun again: the loop must already have its state. If the film breaks off, the
    record ends there: what dice and people did later was not filmed. A sensor that falls silent with the end
    of the film is not lost. note_command: gets each command when it was handled, and the state before it.
    """

    def handle(event: DiceEvent | Command) -> None:
        if isinstance(event, Command):
            before = loop.state
            loop.handle_event(event.event)
            note_command(event, before)
        else:
            loop.handle_event(event)

    if recording.resumed is None:
        match = recording.match
        loop.handle_event(GameStarted(t_ms=0, position=match.position, on_roll=match.on_roll))
    if recording.dice is not None and recording.dice.events:
        loop.handle_event(SensorFound(t_ms=0))
    dice: Sequence[DiceEvent | Command] = recording.dice.events if recording.dice else ()
    events = heapq.merge(dice, recording.commands, key=lambda event: event.t_ms)
    waiting = next(events, None)
    last_ms = 0
    for frame in frames_of(recording.camera):
        while waiting is not None and waiting.t_ms <= frame.t_ms:
            handle(waiting)
            waiting = next(events, None)
        loop.handle_frame(frame)
        last_ms = frame.t_ms
        yield frame
    while waiting is not None and not recording.camera.broke_off:
        if not isinstance(waiting, SensorLost):
            handle(waiting)
            last_ms = max(last_ms, waiting.t_ms)
        waiting = next(events, None)
    loop.handle_event(InputEnded(t_ms=last_ms))
