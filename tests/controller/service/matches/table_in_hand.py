"""A simulated table at which a test types, with the whole service over it and a clock that it moves."""

import io
from functools import partial

from controller.cli.screen import Screen
from controller.page.page_display import DisplayGroup, PageDisplay
from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import SavedCalibration
from controller.record.keeper import MatchKeeper
from controller.referee.inference.histories import likeliest_history
from controller.service.devices import Devices
from controller.service.live import MatchStart, Service
from controller.service.matches.seats import Seats
from controller.service.recordings.recorder import Recorder
from controller.service.recordings.stills import StillKeeper, stills_folder
from controller.service.restore import restore_match
from controller.simulation.screenplay import Director, drawn_board_settings
from controller.simulation.typed_table import TypedTable, furnished_table
from hardware.camera import Frame
from hardware.dice_events import SensorLost
from hardware.simulated.drawn_table import BOARD_LOOKS, draw_table
from tests.hardware.hand_clock import HandClock
from tests.hardware.stand_ins import SimulatedDice

SEATING = Orientation(white_home="bottom-right")
STEP_MS = 500
LOOKS = {look.name: look for look in BOARD_LOOKS}


class _Tray(SimulatedDice):
    """A tray whose script goes on, and whose cable may be pulled out."""

    _plugged_in, _lost = True, False

    def plan(self, happenings):
        self._script.extend(happenings)

    def unplug(self):
        self._plugged_in = False

    def events_until(self, t_ms):
        if self._plugged_in:
            return super().events_until(t_ms)
        was_lost, self._lost = self._lost, True
        return [] if was_lost else [SensorLost(t_ms=t_ms, reason="The cable is out: plug it in.")]


class TableInHand:
    """Also the camera: it takes one picture each step.

    page: makes the server of a page, given what to say its problems to. new: begin a new match, though one
    was interrupted in this folder. furnished: the board was set up since the interruption. seating: how the
    people sit now. record: keep what is seen and heard as a recording there, within limits.
    """

    def __init__(
        self,
        folder,
        match,
        *,
        today=None,
        look="felt",
        page=None,
        new=True,
        furnished=False,
        seating=SEATING,
        record=False,
        limits=None,
    ):
        self._look = LOOKS[look]
        self.clock, self.said = HandClock(), io.StringIO()
        self.problems, self.ended, self._new = [], False, True
        seats, fresh = Seats(match), match.state()
        self.screen = Screen(self.said, SEATING, seats.names, live=False)
        display = DisplayGroup(self.screen)
        say = partial(display.say, 0)
        self.keeper = MatchKeeper(folder / "blotlight.db", match, say, new=new, today=today)
        resumed = None if new else restore_match(self.keeper.earlier, fresh)
        if resumed:
            self.clock.t_ms = resumed.t_ms
        known = likeliest_history(resumed.state.histories).position if resumed else match.furnished
        board = drawn_board_settings(self._look, SEATING)
        self.recorder = None
        if record:
            self.recorder = Recorder(
                folder / f"film-{self.clock.t_ms}",
                board,
                match,
                self.clock.t_ms,
                say,
                number=self.keeper.number,
                earlier=self.keeper.earlier if resumed else (),
                limits=limits,
            )
        tray = _Tray([], self.recorder.dice_log if self.recorder else None)
        self.table, self.tray = furnished_table(seating, match.furnished), tray
        self.hands = TypedTable(self.table, tray, seating, self.clock, self._refused, match.furnished)
        watcher = SavedCalibration(board, folder / "board.npz", match.furnished, known, say)
        self.page = page(say) if page else None
        if self.page:
            shown = PageDisplay(self.page.feed.publish)
            shown.watch(watcher, SEATING, seats.names, match, lambda: self.keeper.number)
            display.add(shown)
        if resumed:
            lying = match.furnished if furnished else known
            self.hands.position, self.hands.player = lying, None if furnished else resumed.state.on_roll
            self.table.add(Director(seating, lying, resumed.t_ms).script())
        self.service = Service(
            start=MatchStart(fresh=fresh, resumed=resumed),
            devices=Devices(camera=self, dice=tray, lights=(), lines=list),
            watcher=watcher,
            keeper=self.keeper,
            display=display,
            clock_ms=self.clock,
            names=seats.names,
            recorder=self.recorder,
            seats=seats if match.chouette else None,
            stills=StillKeeper(
                stills_folder(folder / "blotlight.db"), lambda: self.keeper.number, self.problems.append
            ),
        )
        self.wait(2000)

    def _refused(self, sentence):
        raise AssertionError(sentence)

    def next_frame(self):
        if not (self._new and self.hands.camera_on):
            return None
        self._new = False
        image_bgr = draw_table(self.table.scene(self.clock.t_ms), self._look, seed=self.clock.t_ms)
        return Frame(t_ms=self.clock.t_ms, image_bgr=image_bgr)

    def wait(self, ms):
        for _ in range(-(-ms // STEP_MS)):
            self.clock.t_ms += STEP_MS
            self._new = True
            self.service.run_once(self.page.lines() if self.page else ())

    def type(self, *lines):
        """Each line is a play at the table, or a word of a player such as `double white`."""
        for line in lines:
            if self.hands.do_line(line):
                self.wait(max(0, self.table.end_ms - self.clock.t_ms) + 1500)
            else:
                self._say(line)
                self.wait(STEP_MS)

    def _say(self, line):
        command, _, rest = line.partition(" ")
        words = {"player": rest.split(" ")[0]} if rest else {}
        if command == "resign":
            words["win"] = rest.split(" ")[1]
        if command == "correct":
            number, position = rest.split(" ")
            words = {"half_turn": int(number), "position": position}
        self.service.handle_command({"t_ms": self.clock.t_ms, "command": command, **words})

    def change_sides(self, white_home):
        """From now on people set up and play with White's home in this corner of the picture."""
        seating = Orientation(white_home=white_home)
        self.hands = TypedTable(self.table, self.tray, seating, self.clock, self._refused)

    def leave(self):
        self.service.finish()
        self.break_off()

    def break_off(self):
        """The power is cut: nothing is finished."""
        self.keeper.close()
        if self.recorder:
            self.recorder.close()


class TalkingTable(TableInHand):
    """The people's lines go the way that they go in the service."""

    def _say(self, line):
        self.service.conversation.handle_line(line, self.clock.t_ms)

    @property
    def plays(self):
        """The half-turns in the record, as people type them."""
        return [f"{turn.dice}: {turn.play}" for turn in self.service.state.record]
