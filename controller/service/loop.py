"""The loop: what is seen and heard goes to the referee, what he wants done goes to those who do it.

The same loop runs the live board, a simulated one and a recording; nothing in it knows which.
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace

from controller.perception.board_watcher import BoardWatcher
from controller.perception.picture_dice import PictureDice
from controller.referee import Effect, Event, GameStarted, InputEnded, RefereePhase, RefereeState, step
from controller.service.recordings.recording import Recording
from hardware.camera import Frame, frames_of
from hardware.dice_events import SensorFound
from vision.dice.dice_reader import readable_faces

Sink = Callable[[Effect], None]

MOST_LOOKS = 6
"""Pictures in which the dice of one roll are looked for: they lie still, and looking takes time."""


class GameLoop:
    """One game being watched. `sinks` are told of every effect in order.

    picture_dice: whether the dice are taken from the picture, as no sensor speaks.
    """

    def __init__(
        self,
        watcher: BoardWatcher,
        sinks: tuple[Sink, ...] = (),
        state: RefereeState | None = None,
        picture_dice: bool = False,
    ) -> None:
        self.watcher = watcher
        self._picture_dice = PictureDice() if picture_dice else None
        self._state = state or RefereeState()
        self._sinks = sinks
        self._looked: tuple[object, int] = (None, 0)
        """A roll, and in how many pictures its dice were looked for."""

    @property
    def state(self) -> RefereeState:
        """The referee's state. Only events change it."""
        return self._state

    def see(self, frame: Frame) -> None:
        """Take one picture of the board."""
        seen = self.watcher.look(frame)
        if seen is None:
            return
        self._look_for_dice(frame)
        self.hear(replace(seen, dice=self._witnessed(frame)))

    def _look_for_dice(self, frame: Frame) -> None:
        """Hear what the picture tells of the dice, before the board: they were thrown before it was taken."""
        if self._picture_dice is None or (dice := self.watcher.dice(frame)) is None:
            return
        opening = self.watcher.orientation if self.state.phase is RefereePhase.OPENING else None
        for event in self._picture_dice.look(dice, frame.t_ms, opening=opening):
            self.hear(event)

    def _witnessed(self, frame: Frame) -> tuple[int, ...]:
        """The faces that the picture shows of a roll that was heard; its first pictures will do."""
        state = self.state
        if state.phase is not RefereePhase.ROLLED or not state.sensor or self._picture_dice:
            return ()
        roll = len(state.record), state.rolls
        self._looked = (roll, self._looked[1] + 1) if roll == self._looked[0] else (roll, 1)
        if self._looked[1] > MOST_LOOKS:
            return ()
        return readable_faces(self.watcher.dice(frame) or ())

    def hear(self, event: Event) -> None:
        """Take one event of the dice, or a person's word."""
        self._state, effects = step(self._state, event)
        for effect in effects:
            for sink in self._sinks:
                sink(effect)


def play_back(recording: Recording, watch: GameLoop) -> Iterator[Frame]:
    """Play a recording through the loop, giving each frame when it and all before it has been taken in."""
    match = recording.match
    watch.hear(GameStarted(t_ms=0, position=match.position, on_roll=match.on_roll))
    if recording.dice is not None and recording.dice.events:
        watch.hear(SensorFound(t_ms=0))
    heard = heapq.merge(
        recording.dice.events if recording.dice else (), recording.commands, key=lambda event: event.t_ms
    )
    waiting = next(heard, None)
    last_ms = 0
    for frame in frames_of(recording.camera):
        while waiting is not None and waiting.t_ms <= frame.t_ms:
            watch.hear(waiting)
            waiting = next(heard, None)
        watch.see(frame)
        last_ms = frame.t_ms
        yield frame
    while waiting is not None:
        watch.hear(waiting)
        last_ms = max(last_ms, waiting.t_ms)
        waiting = next(heard, None)
    watch.hear(InputEnded(t_ms=last_ms))
