"""The live service: joins camera, dice, lights, record and screen, and runs until it is stopped.

Every device is optional and used while it is there. A problem is shown once, in one sentence.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.commands.people_commands import Command, parse_command
from controller.commands.typed_commands import PLAYER_COLOURS, Names
from controller.perception.saved_calibration import SavedCalibration
from controller.record.keeper import PAUSED_KIND, SAID_KIND, STARTED_KIND, MatchKeeper, started_payload
from controller.referee import (
    Effect,
    GameStarted,
    GameWon,
    InputEnded,
    Lamp,
    LampsChanged,
    MatchBegan,
    Question,
    RefereePhase,
    RefereeState,
    RollDropped,
)
from controller.rules import Player, Position
from controller.service.book_hints import BookHints
from controller.service.conversation import Conversation
from controller.service.devices import Devices, DeviceWatch
from controller.service.display import Display
from controller.service.health.counters import Counters
from controller.service.health.vitals import Vitals
from controller.service.lamp_colours import to_lights
from controller.service.loop import GameLoop
from controller.service.matches.seats import SEATS_HELP, SEATS_WORD, Seats
from controller.service.recordings.recorder import Recorder
from controller.service.recordings.stills import StillKeeper
from controller.service.restore import RestartNotes, RestoredMatch, said_row
from hardware.camera import Frame
from hardware.dice_events import DiceEvent, DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from sentences import say
from vision.geometry import GeometryError


@dataclass(frozen=True, kw_only=True)
class MatchStart:
    """How the match begins.

    fresh: the state before the match; resumed: the interrupted match that goes on instead.
    on_roll: the player of the first roll in a match joined in progress; None when the opening roll decides.
    """

    fresh: RefereeState
    resumed: RestoredMatch | None = None
    on_roll: Player | None = None


class Service:
    """One match being watched live.

    hints: the advice of a book for the first play, if wanted. names: of the players, which people may type.
    seats: keeps these names in a chouette. stills: keeps photographs of what was played. every_ms: the wanted
    time between two frames.
    """

    def __init__(
        self,
        *,
        start: MatchStart,
        devices: Devices,
        watcher: SavedCalibration,
        keeper: MatchKeeper,
        display: Display,
        clock_ms: Callable[[], int],
        recorder: Recorder | None = None,
        hints: BookHints | None = None,
        names: Names = PLAYER_COLOURS,
        seats: Seats | None = None,
        stills: StillKeeper | None = None,
        counters: Counters | None = None,
        every_ms: int = 0,
    ) -> None:
        counters = counters or Counters()
        self._sinks = (display.note, counters.note, self._note)
        state = start.resumed.state if start.resumed else start.fresh
        self.loop = GameLoop(watcher, self._sinks, state, keep=self._keep)
        self._devices = devices
        self._watcher = watcher
        self._keeper = keeper
        self._display = display
        self._recorder, self._stills = recorder, stills
        self._clock_ms = clock_ms
        self._fresh, self._resumed = start.fresh, start.resumed
        self._hints = hints
        self._hint_lamps: tuple[Lamp, ...] = ()
        self._hinted_game: int | None = None
        self._shown_problems, self._n_problems = set[str](), 0
        self.conversation = Conversation(self, display, names, devices.help + (SEATS_HELP if seats else ()))
        self._seats = seats
        self._device_watch = DeviceWatch(
            clock_ms(), has_lights=bool(devices.lights), expects_lights=devices.expects_lights
        )
        self._vitals = Vitals(counters, self._device_watch, every_ms)
        self._restart_notes = RestartNotes(keeper.note_row, state)
        self._furnished_ms: int | None = None
        self._lying: dict[int, DiceMoving | DiceSettled | DiceLifted] = {}
        """The last event of each die while dice do not count: before the board is learnt, or in a pause."""
        self.is_paused = start.resumed is not None and start.resumed.is_paused
        if start.resumed is None:
            self._start(watcher.known, start.on_roll)
        else:
            self.say(say("match_goes_on", number=len(self.state.record) + 1, game=self.state.game + 1))
            if self.is_paused:
                self.say(say("game_paused"))

    @property
    def state(self) -> RefereeState:
        return self.loop.state

    @property
    def is_under_way(self) -> bool:
        """Whether a frame has come, or people were told why there is none."""
        return self._device_watch.has_seen or self._n_problems > 0

    @property
    def _board(self) -> Position:
        """The board before the first throw of a game."""
        return self._fresh.rules.start(Player.WHITE).position

    def run_once(self, lines: Iterable[str] = ()) -> bool:
        """Handle all dice events and typed lines, and one frame if there is one; then update the outputs.

        lines: what people typed since the last call. Returns whether there was a frame.
        """
        frame = self._devices.camera.next_frame()
        now_ms = self._clock_ms() if frame is None else frame.t_ms
        for event in self._devices.dice.events_until(now_ms):
            self._handle_dice_event(event)
        for line in lines:
            self._handle_line(line, now_ms)
        if frame is not None:
            self._handle_frame(frame)
        self._seat_people()
        self._give_hints(now_ms)
        self._show_problems()
        self._draw(now_ms)
        return frame is not None

    def _handle_line(self, line: str, t_ms: int) -> None:
        if self._seats and " ".join(line.lower().split()) == SEATS_WORD:
            self._display.say(t_ms, self._seats.sentence)
        else:
            self.conversation.handle_line(line, t_ms)
        self._seat_people()

    def _seat_people(self) -> None:
        """In a chouette, say who sits at the board now if that has changed."""
        said = self._seats.after(self.state.match) if self._seats else None
        if said:
            self.say(said)

    def finish(self) -> None:
        """End the input: nothing more will happen on this board."""
        self.loop.handle_event(InputEnded(t_ms=self._clock_ms()))
        self._draw(self._clock_ms())

    def say(self, sentence: str) -> None:
        """Show a sentence to people."""
        self._display.say(self._clock_ms(), sentence)

    # -- frames and dice

    def _handle_frame(self, frame: Frame) -> None:
        self._vitals.note_frame(frame.t_ms)
        if self.is_paused:
            return
        self._read_frame(frame)
        if said := self._vitals.note_handled(frame.t_ms, self._clock_ms(), self._watcher):
            self.say(said)

    def _read_frame(self, frame: Frame) -> None:
        if self._recorder is not None:
            self._recorder.keep_frame(frame)
        learnt = self._watcher.calibrated
        try:
            self.loop.handle_frame(frame)
        except GeometryError as problem:
            self._say_once(say("board_not_where_set", problem=problem))
            return
        if self._watcher.calibrated:
            self._display.orientation = self._watcher.orientation
        if self._stills is not None:
            self._stills.keep_frame(frame, self._watcher.reading)
        if self._recorder is not None and self._recorder.is_full and (rows := self._keeper.entries()):
            self._recorder.begin_anew(frame.t_ms, self._keeper.number, self._watcher.orientation, rows)
        if self._watcher.calibrated and not learnt:
            self._begin_reading(self._watcher.began_with, frame.t_ms)
        self._watch_for_next_match(frame.t_ms)

    def _begin_reading(self, board: Position | None, t_ms: int) -> None:
        """Begin, as the board can now be read. Set up, it ends a resumed match that stood within a game."""
        if self._recorder is not None and self._watcher.calibration is not None:
            self._recorder.keep_calibration(self._watcher.calibration, self._watcher.orientation)
        within_game = bool(self.state.record) and self.state.phase is not RefereePhase.BETWEEN
        resumed, self._resumed = self._resumed, None
        if resumed is not None and within_game and board == self._watcher.start:
            self._begin_anew(t_ms)
        else:
            self._display.say(t_ms, say("board_is_read"))
        self._take_dice_up(t_ms)

    def _take_dice_up(self, t_ms: int) -> None:
        """Let the dice that lie there count from now on."""
        for event in self._lying.values():
            self.loop.handle_event(replace(event, t_ms=t_ms))
        self._lying.clear()

    def _begin_anew(self, t_ms: int) -> None:
        self.say(say("new_match_begins"))
        self._begin_record(t_ms)
        self.loop.handle_event(MatchBegan(t_ms=t_ms, match=self._fresh.match))
        self._start(self._board, None)

    def _watch_for_next_match(self, t_ms: int) -> None:
        """After a match, begin the next one once the board has been set up for a while."""
        reading = self._watcher.reading
        furnished = (
            self.state.phase is RefereePhase.OVER
            and reading is not None
            and not (reading.refused or reading.hand)
            and self._watcher.shows(reading, self._watcher.start, self._watcher.orientation)
        )
        if not furnished:
            self._furnished_ms = None
        elif self._furnished_ms is None:
            self._furnished_ms = t_ms
        elif t_ms - self._furnished_ms > self.state.settings.settle_ms:
            self._furnished_ms = None
            self._begin_anew(t_ms)

    def _handle_dice_event(self, event: DiceEvent) -> None:
        match event:
            case SensorLost():
                self._vitals.note_dice(False, event.t_ms)
                self.say(event.reason)
                self.loop.use_picture_dice(True)
                self._lying.clear()
                if self._has_untouched_roll:  # no sensor will report how that turn ends
                    self.loop.handle_event(RollDropped(t_ms=event.t_ms))
            case SensorFound():
                self._vitals.note_dice(True, event.t_ms)
                self.say(say("sensor_found"))
                self.loop.use_picture_dice(False)
            case _ if self.is_paused or not self._watcher.calibrated:
                self._lying[event.die] = event
                return
        self.loop.handle_event(event)

    @property
    def _has_untouched_roll(self) -> bool:
        """Whether nothing has happened since the match was restored with a roll in play."""
        is_untouched = self._resumed is not None and self.state is self._resumed.state
        return is_untouched and self.state.phase is RefereePhase.ROLLED

    # -- commands of people

    def handle_command(self, data: Mapping[str, Any]) -> None:
        """Carry out a command in the form of events.jsonl. Raises CommandError when it is none."""
        command = Command(data=data, event=parse_command(data))
        event = command.event
        if self._recorder is not None:
            self._recorder.keep_command(data)
        if isinstance(event, GameStarted):
            self._start(event.position if "position" in data else self._board, event.on_roll)
            return
        before = self.state
        self.loop.handle_event(event)
        if row := said_row(command, before, self.state):
            self._keeper.note_row(event.t_ms, SAID_KIND, row)

    def set_paused(self, is_paused: bool) -> None:
        """Pause the game, or go on with the board and the dice as they lie then.

        In a pause no picture and no die counts or goes into the recording, and no lamp is lit.
        """
        t_ms = self._clock_ms()
        self.is_paused = is_paused
        self._keeper.note_row(t_ms, PAUSED_KIND, {"is_paused": is_paused})
        if self._recorder is not None:
            self._recorder.dice_log.is_paused = is_paused
        if not is_paused and self._watcher.calibrated:
            self._take_dice_up(t_ms)
        self._light()

    def _begin_record(self, t_ms: int) -> None:
        """Log and record what follows as another match."""
        self._keeper.begin_anew(t_ms)
        if self._recorder is not None:
            self._recorder.begin_anew(t_ms, self._keeper.number, self._watcher.orientation)

    def _start(self, position: Position, on_roll: Player | None) -> None:
        t_ms = self._clock_ms()
        if self.state.phase is RefereePhase.OVER:
            self._begin_record(t_ms)
            self.loop.handle_event(MatchBegan(t_ms=t_ms, match=self._fresh.match))
        self._keeper.note_row(t_ms, STARTED_KIND, started_payload(position, on_roll))
        self.loop.handle_event(GameStarted(t_ms=t_ms, position=position, on_roll=on_roll))

    # -- outputs

    def _note(self, effect: Effect) -> None:
        if self._stills is not None:
            self._stills.note(effect, self.state.game)
        match effect:
            case LampsChanged():
                self._light()
            case GameWon() if self._hints and (advice := self._hints.afterwards(self.state)):
                self.say(advice)
            case Question():
                self.conversation.note_question(effect)

    def _draw(self, t_ms: int) -> None:
        self._display.draw(self.state, t_ms, self._device_watch.states(t_ms), self.conversation.asked)

    def _light(self) -> None:
        lamps = () if self.is_paused else (*self.state.lamps, *self._hint_lamps)
        self._display.lamps = lamps
        for lights in self._devices.lights:
            lights.show(to_lights(lamps, self._watcher.orientation))

    def _give_hints(self, t_ms: int) -> None:
        """Show and light the play of the book while a first roll waits to be played."""
        if self._hints is None or self.is_paused:
            return
        lamps = self._hints.lamps(self.state)
        if lamps != self._hint_lamps:
            self._hint_lamps = lamps
            self._light()
        advice = self._hints.at_first_roll(self.state)
        if advice and self._hinted_game != self.state.game:
            self._hinted_game = self.state.game
            self._display.say(t_ms, advice)

    def _keep(self, effects: Sequence[Effect]) -> None:
        """Log all effects of one event together. After a power cut the log holds all of them, or none."""
        t_ms = effects[-1].t_ms if effects else self._clock_ms()
        with self._keeper.together(t_ms):
            for effect in effects:
                self._keeper.note(effect)
            self._restart_notes.note(self.state, t_ms)

    def _show_problems(self) -> None:
        """Show the new problems of the devices."""
        problems = self._devices.camera.problems
        for problem in problems[self._n_problems :]:
            self.say(problem)
        self._n_problems = len(problems)
        for problem in self._devices.problems():
            self._say_once(problem)

    def _say_once(self, problem: str) -> None:
        if problem not in self._shown_problems:
            self._shown_problems.add(problem)
            self.say(problem)
