"""A simulated table at which a test types, with the whole service over it and a clock that it moves."""

import io
from functools import partial

from controller.cli.screen import Screen
from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import SavedCalibration
from controller.record.keeper import MatchKeeper
from controller.service.devices import Devices
from controller.service.live import MatchStart, Service
from controller.service.matches.seats import Seats
from controller.simulation.screenplay import drawn_board_settings
from controller.simulation.typed_table import TypedTable, furnished_table
from hardware.camera import Frame
from hardware.simulated.drawn_table import BOARD_LOOKS, draw_table
from hardware.simulated.simulated_tray import SimulatedDice
from tests.hardware.hand_clock import HandClock

SEATING = Orientation(white_home="bottom-right")
STEP_MS = 500
LOOKS = {look.name: look for look in BOARD_LOOKS}


class _Tray(SimulatedDice):
    """A tray whose script goes on."""

    def plan(self, happenings):
        self._script = [*self._script, *happenings]


class TableInHand:
    """Also the camera: it takes one picture each step."""

    def __init__(self, folder, match, *, today=None, look="felt"):
        self._look = LOOKS[look]
        self.clock, self.said = HandClock(), io.StringIO()
        self.problems, self.ended = [], False
        self.table, tray = furnished_table(SEATING), _Tray([])
        self._new = True
        self.hands = TypedTable(self.table, tray, SEATING, self.clock, self._refused)
        seats = Seats(match)
        self.screen = Screen(self.said, SEATING, seats.names, live=False)
        say = partial(self.screen.say, 0)
        self.keeper = MatchKeeper(folder / "blotlight.db", match, say, today=today)
        board = drawn_board_settings(self._look, SEATING)
        self.service = Service(
            start=MatchStart(fresh=match.state()),
            devices=Devices(camera=self, dice=tray, lights=(), lines=list),
            watcher=SavedCalibration(board, folder / "board.npz", match.furnished, match.furnished, say),
            keeper=self.keeper,
            display=self.screen,
            clock_ms=self.clock,
            names=seats.names,
            seats=seats if match.chouette else None,
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
            self.service.run_once()

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

    def leave(self):
        self.service.finish()
        self.keeper.close()
