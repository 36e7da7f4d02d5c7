"""Whole games on the simulated table: what was played is what is recorded, and lit."""

import io
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from controller.cli.screen import Screen
from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import SavedCalibration
from controller.record.keeper import MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.referee import RefereeState
from controller.referee.inference.histories import likeliest_history
from controller.rules import Dice, Player, Position, Step, legal_plays
from controller.service.devices import Devices
from controller.service.live import MatchStart, Service
from controller.service.restore import restore_match
from controller.simulation.screenplay import StagedTurn, drawn_board_settings, film
from hardware.apa102 import STRIP_ORDER, StripLights
from hardware.dice_log import DiceLogWriter
from hardware.dice_port import PortTiming, SerialDice
from hardware.light_port import N_LIGHTS, Blink, LampAges, PlaceLight
from hardware.live_camera import CameraTiming, LiveCamera
from hardware.simulated.drawn_table import BOARD_LOOKS, BoardLook
from hardware.simulated.simulated_port import TrayOnAPty
from hardware.simulated.simulated_table import Script, SimulatedSource
from hardware.simulated.simulated_tray import LIFTED
from tests.hardware.fake_gpio import FakeGpio, updates
from tests.hardware.hand_clock import HandClock, wait_until
from tests.hardware.stand_ins import MirrorLights

SEATING = Orientation(white_home="bottom-right")
STEP_MS = 500


def some_game(turns: int, seed: int) -> list[StagedTurn]:
    """Legal plays chosen by chance from the start position."""
    chance = random.Random(seed)
    position, player, played = Position.START, Player.WHITE, []
    while len(played) < turns:
        dice = (chance.randint(1, 6), chance.randint(1, 6))
        if not played and dice[0] == dice[1]:
            continue
        if not played:
            player = Player.WHITE if dice[0] > dice[1] else Player.BLACK
        plays = sorted(legal_plays(position, player, Dice(max(dice), min(dice))), key=str)
        play = chance.choice(plays)
        played.append(StagedTurn(player=player, dice=dice, steps=play.steps))
        position, player = play.result, player.opponent
    return played


def results(turns: list[StagedTurn]) -> list[str]:
    """The position after each half-turn."""
    position, found = Position.START, []
    for turn in turns:
        (play,) = [p for p in legal_plays(position, turn.player, Dice(*turn.dice)) if p.steps == turn.steps]
        position = play.result
        found.append(str(position))
    return found


def lifted(script: Script) -> list[int]:
    """When each turn ends: the second die is lifted."""
    return [happening.t_ms for happening in script.dice if happening.state == LIFTED][1::2]


class Laptop:
    """The service on a simulated table: real serial driver, real threads, the strip's real driver.

    Time goes in steps of STEP_MS; each step waits until camera and tray have been heard.
    """

    def __init__(self, folder: Path, script: Script, look: BoardLook) -> None:
        self.script = script
        self.clock = HandClock()
        self.camera_there = self.tray_there = True
        self._folder = folder
        self._look = look
        self._shots = 0
        self._drawn = 0
        self._port_rounds = 0
        self.tray = TrayOnAPty(folder / "tray", self.clock)
        self.tray.plan(script.dice)
        self.mirror = MirrorLights(self.clock)
        self.said = io.StringIO()
        self.switch_on()

    def switch_on(self) -> None:
        """As when the Pi gets its power: everything but the table and the disk is new."""
        self.on = True
        board = drawn_board_settings(self._look, SEATING)
        self.log = io.BytesIO()
        self.dice = SerialDice(
            lambda: str(self.tray.link),
            self._clock_of_the_port,
            log=DiceLogWriter(self.log),
            timing=PortTiming(ask_every_ms=50, retry_s=(0.005,)),
        )
        self.camera = LiveCamera(
            lambda: SimulatedSource(self.script, self._clock_of_the_shot, self._next_shot, self._look),
            self.clock,
            timing=CameraTiming(retry_s=0.005, wait_s=0.05),
        )
        self.gpio = FakeGpio()
        self.lights = StripLights(self.gpio, self.clock)
        self.ages = LampAges()
        screen = Screen(self.said, SEATING, MatchSettings().names, live=False)
        say = partial(screen.say, self.clock())
        self.keeper = MatchKeeper(self._folder / "log.db", MatchSettings(), say)
        going_on = restore_match(self.keeper.earlier, RefereeState())
        known = likeliest_history(going_on.state.histories).position if going_on else Position.START
        self.service = Service(
            start=MatchStart(fresh=RefereeState(), resumed=going_on),
            devices=Devices(
                camera=self.camera,
                dice=self.dice,
                lights=(self.lights, self.mirror, self),
                lines=list,
            ),
            watcher=SavedCalibration(board, self._folder / "board.npz", Position.START, known, say),
            keeper=self.keeper,
            display=screen,
            clock_ms=self.clock,
        )
        wait_until(self._both_dice_are_known)

    def pull_the_plug(self) -> None:
        """Nothing is brought to an end: the log is only what was written before."""
        self.on = False
        self.camera_there = False
        self.camera.close()
        self.camera_there = True
        self.dice.close()
        self.lights.close()
        self.keeper.close()

    def show(self, lamps: Sequence[PlaceLight]) -> None:
        """Lights: when each lamp was asked for."""
        self.ages = self.ages.asked(lamps, self.clock.t_ms)

    def _both_dice_are_known(self) -> bool:
        told = self.log.getvalue()
        return all(f"FACE,{die}".encode() in told or f"MOVE,{die}".encode() in told for die in (1, 2))

    def _clock_of_the_port(self) -> int:
        """Time for the port's thread. A line in the log has its events when the thread next asks."""
        self._port_rounds += 1
        return self.clock()

    def _hear_the_tray(self) -> None:
        """Wait until the tray's last line is in the log, and then until its events are there too."""
        wait_until(lambda: b" " + self.tray.last_line in self.log.getvalue()[-500:])  # noise may follow
        before = self._port_rounds
        wait_until(lambda: self._port_rounds > before)

    def _next_shot(self) -> bool:
        """The camera's own pace: a picture whenever the clock has gone on, and no second one."""
        time.sleep(0.001)
        wait_until(lambda: self._shots > self._drawn or not self.camera_there, patience_s=120)
        return self.camera_there

    def _clock_of_the_shot(self) -> int:
        """Time for the camera, which looks at the clock when it draws a picture."""
        self._drawn = self._shots
        return self.clock()

    def play(self, mishaps: Sequence[tuple[int, Callable[[], None]]] = ()) -> None:
        """The whole script, and whatever befalls the hardware meanwhile, each at its time."""
        still_to_come = list(mishaps)
        while self.clock.t_ms < self.script.end_ms:
            self.clock.t_ms += STEP_MS
            while still_to_come and still_to_come[0][0] <= self.clock.t_ms:
                still_to_come.pop(0)[1]()
            if not self.on:
                continue
            if self.tray_there:
                self.tray.say_all()
                self._hear_the_tray()
            self._shots += 1
            wait_until(lambda: self.service.run_once() or not self.camera_there)
            wait_until(self._strip_shows_what_it_should)
        self.service.finish()

    def pull_out_tray(self) -> None:
        self.tray_there = False
        self.tray.pull_out()

    def plug_in_tray(self) -> None:
        self.tray.plug_in()
        self.tray_there = True

    def kill_camera(self) -> None:
        self.camera_there = False

    def revive_camera(self) -> None:
        self.camera_there = True

    def _strip_shows_what_it_should(self) -> bool:
        shown = updates(self.gpio.edges, N_LIGHTS)
        lit = {STRIP_ORDER[i] for i, led in enumerate(shown[-1]) if led[0]} if shown else None
        self.gpio.forget_all_but_the_last(N_LIGHTS)
        return lit == {lamp.place for lamp in self.ages.lit(self.clock.t_ms)}

    def recorded(self) -> list[str]:
        return [str(turn.position) for turn in self.service.state.record]

    def close(self) -> None:
        if self.on:
            self.pull_the_plug()
        self.tray.pull_out()


@pytest.fixture
def on_a_laptop(tmp_path):
    laptops: list[Laptop] = []

    def set_up(turns: list[StagedTurn], look: BoardLook) -> Laptop:
        laptops.append(Laptop(tmp_path, film(turns, SEATING), look))
        return laptops[-1]

    yield set_up
    for laptop in laptops:
        laptop.close()


@pytest.mark.parametrize("look", BOARD_LOOKS, ids=lambda look: look.name)
def test_a_game_on_the_simulated_table_is_recorded_as_it_was_played(on_a_laptop, look):
    turns = some_game(3, seed=11)
    laptop = on_a_laptop(turns, look)
    laptop.play()
    assert laptop.recorded() == results(turns)


def test_an_illegal_play_is_lit_red_where_it_came_from_and_went_to_until_it_is_taken_back(on_a_laptop):
    wrong = StagedTurn(
        player=Player.WHITE, dice=(3, 1), steps=(Step(8, 5), Step(6, 5)), first=(Step(24, 18), Step(6, 5))
    )
    laptop = on_a_laptop([wrong], BOARD_LOOKS[1])
    laptop.play()
    offences = [
        (t_ms, {lamp.place for lamp in lamps if lamp.rgb == (255, 0, 0) and lamp.blink is Blink.FAST})
        for t_ms, lamps in laptop.mirror.history
    ]
    lit = {place for _, places in offences for place in places}
    assert {SEATING.place(24), SEATING.place(18)} <= lit
    assert not offences[-1][1]
    assert laptop.recorded() == results([wrong])


def test_a_game_goes_on_without_the_tray_for_a_minute_without_the_camera_and_with_noise(on_a_laptop):
    turns = some_game(14, seed=5)
    laptop = on_a_laptop(turns, BOARD_LOOKS[0])
    lifts = lifted(laptop.script)
    unplugged_ms = lifts[1] + 300
    laptop.play(
        mishaps=[
            (unplugged_ms, laptop.pull_out_tray),
            (lifts[4] + 300, laptop.kill_camera),
            (lifts[4] + 3300, laptop.revive_camera),
            (unplugged_ms + 60_000, laptop.plug_in_tray),
            (lifts[12] + 1000, lambda: laptop.tray.noise(b"\xff$1,FACE,1,6*0000\n$garb\0age$2,FA")),
        ]
    )
    assert laptop.recorded() == results(turns)
    assert any("opened anew" in problem for problem in laptop.camera.problems)


def test_a_game_goes_on_after_a_power_cut_in_the_middle_of_a_turn(on_a_laptop):
    turns = some_game(6, seed=5)
    laptop = on_a_laptop(turns, BOARD_LOOKS[0])
    lifts = lifted(laptop.script)
    throw_ms = lifts[2] + 2500
    laptop.play(mishaps=[(throw_ms, laptop.pull_the_plug), (throw_ms + 1000, laptop.switch_on)])
    assert laptop.recorded() == results(turns)
    assert "The match goes on with half-turn 4 of game 1." in laptop.said.getvalue()


def test_a_game_goes_on_though_the_board_was_moved_on_while_the_power_was_off(on_a_laptop):
    turns = some_game(6, seed=5)
    laptop = on_a_laptop(turns, BOARD_LOOKS[0])
    lifts = lifted(laptop.script)
    laptop.play(mishaps=[(lifts[2] + 2500, laptop.pull_the_plug), (lifts[3] + 1000, laptop.switch_on)])
    assert laptop.recorded() == results(turns)
