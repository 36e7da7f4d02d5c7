"""Whole games on the simulated table: what was played is what is recorded, and lit."""

import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from controller.eyes import Eyes
from controller.lights import to_lights
from controller.recording import BoardSettings
from controller.referee import Finished, LampsChanged, Started
from controller.rules import Dice, Player, Position, Step, legal_plays
from controller.seating import Seating
from controller.simulation import Shown, film
from controller.watch import Watch
from hardware.apa102 import STRIP_ORDER, StripLights
from hardware.dice_log import DiceLogWriter
from hardware.dice_port import PortTiming, SerialDice
from hardware.drawn_table import LOOKS, Look, bar_fractions, corners_px
from hardware.lights import N_LIGHTS, Blink, LampAges
from hardware.live_camera import CameraTiming, LiveCamera
from hardware.simulated_port import TrayOnAPty
from hardware.simulated_table import MirrorLights, Script, SimulatedSource
from hardware.simulated_tray import LIFTED
from tests.hardware.fake_gpio import FakeGpio, updates
from tests.hardware.hand_clock import HandClock, wait_until

SEATING = Seating(white_home="bottom-right")
STEP_MS = 500


def some_game(turns: int, seed: int) -> list[Shown]:
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
        played.append(Shown(player=player, dice=dice, steps=play.steps))
        position, player = play.result, player.opponent
    return played


def results(turns: list[Shown]) -> list[str]:
    """The position after each half-turn."""
    position, found = Position.START, []
    for turn in turns:
        (play,) = [p for p in legal_plays(position, turn.player, turn.roll) if p.steps == turn.steps]
        position = play.result
        found.append(str(position))
    return found


class Laptop:
    """All that runs on a Pi, on a simulated table: real serial driver, real threads, the strip's real driver.

    Time goes in steps of STEP_MS; each step waits until camera and tray have been heard.
    """

    def __init__(self, folder: Path, script: Script, look: Look) -> None:
        self.script = script
        self.clock = HandClock()
        self.camera_there = True
        self._shots = 0
        self._taken = 0
        self.tray = TrayOnAPty(folder / "tray", self.clock)
        self.log = io.BytesIO()
        self.dice = SerialDice(
            lambda: str(self.tray.link),
            self.clock,
            log=DiceLogWriter(self.log),
            timing=PortTiming(ask_every_ms=50, retry_s=(0.005,)),
        )
        self.camera = LiveCamera(
            lambda: SimulatedSource(script, self.clock, self._next_shot, look),
            self.clock,
            timing=CameraTiming(retry_s=0.005, wait_s=0.05),
        )
        self.gpio = FakeGpio()
        self.lights = StripLights(self.gpio, self.clock)
        self.mirror = MirrorLights(self.clock)
        self.ages = LampAges()
        board = BoardSettings(
            corners_px=tuple(corners_px(look)),
            bar=bar_fractions(look),
            seating=SEATING,
            checker_mm=look.checker_mm,
            field_mm=look.field_mm,
        )
        self.watch = Watch(Eyes(board), sinks=(self._light,))

    def _next_shot(self) -> bool:
        """The camera's own pace: a picture whenever the clock has gone on."""
        wait_until(lambda: self._shots > self._taken or not self.camera_there, patience_s=120)
        self._taken = self._shots
        return self.camera_there

    def _light(self, effect: object) -> None:
        if isinstance(effect, LampsChanged):
            lamps = to_lights(effect.lamps, SEATING)
            self.lights.show(lamps)
            self.mirror.show(lamps)
            self.ages = self.ages.asked(lamps, self.clock.t_ms)

    def play(self, mishaps: Sequence[tuple[int, Callable[[], None]]] = ()) -> None:
        """The whole script, and whatever befalls the hardware meanwhile, each at its time."""
        wait_until(lambda: b"FACE,2,-" in self.log.getvalue())
        self.watch.hear(Started(t_ms=0, position=Position.START))
        dice, still_to_come = list(self.script.dice), list(mishaps)
        while self.clock.t_ms < self.script.end_ms:
            self.clock.t_ms += STEP_MS
            while still_to_come and still_to_come[0][0] <= self.clock.t_ms:
                still_to_come.pop(0)[1]()
            while dice and dice[0].t_ms <= self.clock.t_ms:
                happening = dice.pop(0)
                self.tray.happen(happening.die, happening.state)
            self._shots += 1
            wait_until(lambda: self._take_in() or not self.camera_there)
            wait_until(self._strip_shows_what_it_should)
        self.watch.hear(Finished(t_ms=self.clock.t_ms))

    def kill_camera(self) -> None:
        self.camera_there = False

    def revive_camera(self) -> None:
        self.camera_there = True

    def _take_in(self) -> bool:
        """Hear the dice and see the newest picture, if one has come."""
        frame = self.camera.read()
        for event in self.dice.events_until(self.clock.t_ms):
            self.watch.hear(event)
        if frame is not None:
            self.watch.see(frame)
        return frame is not None

    def _strip_shows_what_it_should(self) -> bool:
        shown = updates(self.gpio.edges, N_LIGHTS)
        lit = {STRIP_ORDER[i] for i, led in enumerate(shown[-1]) if led[0]} if shown else None
        self.gpio.forget_all_but_the_last(N_LIGHTS)
        return lit == {lamp.place for lamp in self.ages.lit(self.clock.t_ms)}

    def recorded(self) -> list[str]:
        return [str(turn.position) for turn in self.watch.state.record]

    def close(self) -> None:
        self.camera_there = False
        self.camera.close()
        self.dice.close()
        self.tray.pull_out()
        self.lights.close()


@pytest.fixture
def on_a_laptop(tmp_path):
    laptops: list[Laptop] = []

    def set_up(turns: list[Shown], look: Look) -> Laptop:
        laptops.append(Laptop(tmp_path, film(turns, SEATING), look))
        return laptops[-1]

    yield set_up
    for laptop in laptops:
        laptop.close()


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_a_game_on_the_simulated_table_is_recorded_as_it_was_played(on_a_laptop, look):
    turns = some_game(3, seed=11)
    laptop = on_a_laptop(turns, look)
    laptop.play()
    assert laptop.recorded() == results(turns)


def test_an_illegal_play_is_lit_red_where_it_came_from_and_went_to_until_it_is_taken_back(on_a_laptop):
    wrong = Shown(
        player=Player.WHITE, dice=(3, 1), steps=(Step(8, 5), Step(6, 5)), first=(Step(24, 19), Step(6, 5))
    )
    laptop = on_a_laptop([wrong], LOOKS[1])
    laptop.play()
    offences = [
        (t_ms, {lamp.place for lamp in lamps if lamp.rgb == (255, 0, 0) and lamp.blink is Blink.FAST})
        for t_ms, lamps in laptop.mirror.history
    ]
    lit = {place for _, places in offences for place in places}
    assert {SEATING.place(24), SEATING.place(19)} <= lit
    assert not offences[-1][1]
    assert laptop.recorded() == results([wrong])


def test_a_game_goes_on_while_the_tray_is_unplugged_for_a_minute_and_the_camera_dies(on_a_laptop):
    turns = some_game(14, seed=5)
    laptop = on_a_laptop(turns, LOOKS[0])
    lifts = [happening.t_ms for happening in laptop.script.dice if happening.state == LIFTED][1::2]
    unplugged_ms = lifts[1] + 300
    laptop.play(
        mishaps=[
            (unplugged_ms, laptop.tray.pull_out),
            (lifts[4] + 300, laptop.kill_camera),
            (lifts[4] + 3300, laptop.revive_camera),
            (unplugged_ms + 60_000, laptop.tray.plug_in),
        ]
    )
    assert laptop.recorded() == results(turns)
    assert any("opened anew" in problem for problem in laptop.camera.problems)
