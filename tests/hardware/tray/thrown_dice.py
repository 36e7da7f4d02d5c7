"""Dice thrown into a modelled tray, read by the real firmware.

Run as `python -m tests.hardware.tray.thrown_dice [TRAYS]` for the long proof in a simulated ATmega, and for
dice that do not fit, read by the firmware's core.
"""

import itertools
import random
import sys
from dataclasses import dataclass

import numpy as np

from hardware.tray.measures import TRAY, Die
from hardware.tray.optics import Lie, Paint, Well, dark_counts, most_shift_mm, most_turn_deg
from hardware.wire import Face, Lifted
from tests.firmware.benches import Bench, atmega_bench, core_bench

LUX = (0, 500, 2000)
SPREAD = 0.1
PLACED_WITHIN_MM = 0.2
"""How far the light block may sit off the middle of the wells."""
CORNERS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
WAYS = list(itertools.product(range(1, 7), range(4)))


@dataclass
class Tally:
    """What became of the throws."""

    throws: int = 0
    wrong: int = 0
    unread: int = 0

    def __str__(self):
        share = self.unread / self.throws
        return f"{self.throws} throws, {self.wrong} wrong faces, {share:.2%} unread"


class ModelledWell:
    """A well with parts of unequal strength, and its light block a little out of place."""

    def __init__(self, chance, strength=1.0):
        spread = [chance.uniform(1 - SPREAD, 1 + SPREAD) for _ in range(8)]
        self._well = Well(led_strengths=np.array(spread))
        self._sensors = strength * np.array([chance.uniform(1 - SPREAD, 1 + SPREAD) for _ in range(10)])
        self._off_mm = [chance.uniform(-PLACED_WITHIN_MM, PLACED_WITHIN_MM) for _ in range(2)]

    def levels(self, lie, die=TRAY.die, paint=None):
        moved = Lie(
            up=lie.up,
            quarters=lie.quarters,
            shift_mm=(lie.shift_mm[0] + self._off_mm[0], lie.shift_mm[1] + self._off_mm[1]),
            turn_deg=lie.turn_deg,
        )
        return self._counts(self._well.over_die(moved, die=die, paint=paint))

    def empty(self):
        return self._counts(self._well.over_nothing())

    def room(self, lux):
        return round(dark_counts() + self._well.from_room(lux))

    def _counts(self, levels):
        return np.round(levels * self._sensors).astype(int).tolist()


def throws(chance, corners=CORNERS):
    """Every face in every quarter turn, in every corner that the play allows, turned as far as that leaves
    room."""
    found = []
    for (up, quarters), (x, y) in itertools.product(WAYS, corners):
        turn = chance.uniform(-1, 1) * most_turn_deg()
        room = most_shift_mm(turn)
        found.append(Lie(up=up, quarters=quarters, shift_mm=(x * room, y * room), turn_deg=turn))
        found.append(Lie(up=up, quarters=quarters, shift_mm=(x * most_shift_mm(0), y * most_shift_mm(0))))
    chance.shuffle(found)
    return found


def read_dice(command, chance, lux, *, corners=CORNERS, die=TRAY.die, paint=None, strength=1.0, most=None):
    """A tray is switched on for the first time, and dice are thrown into both wells; what came of it."""
    wells = [ModelledWell(chance, strength) for _ in range(2)]
    bench = Bench(command)
    bench.do(f"ambient {wells[0].room(lux)}")
    bench.do("noise 2 1")
    for number, well in enumerate(wells, 1):
        bench.lay(number, well.empty())
    bench.run(400)
    tally = Tally()
    lies = [throws(chance, corners)[:most] for _ in wells]
    for pair in zip(*lies, strict=True):
        for number, (well, lie) in enumerate(zip(wells, pair, strict=True), 1):
            bench.lay(number, well.levels(lie, die, paint))
        said = {m.die: m.face for m in bench.run(330) if isinstance(m, Face) and not isinstance(m, Lifted)}
        for number, lie in enumerate(pair, 1):
            tally.throws += 1
            face = said.get(number)
            tally.unread += face is None
            tally.wrong += face not in (None, lie.up)
        for number, well in enumerate(wells, 1):
            bench.lay(number, well.empty())
        bench.run(150)
    bench.close()
    return tally


def total(tallies):
    return Tally(
        throws=sum(tally.throws for tally in tallies),
        wrong=sum(tally.wrong for tally in tallies),
        unread=sum(tally.unread for tally in tallies),
    )


SMALL_PIPS = Die(edge_mm=15.8, pip_pitch_mm=3.8, pip_mm=2.8)
WIDE_PIPS = Die(edge_mm=16.2, pip_pitch_mm=4.3, pip_mm=3.4)
PALE_PAINT = Paint(pip=0.3, blur_mm=0.5)


PITCHES_MM = (3.4, 3.6, 3.8, 4.4, 4.6, 4.8, 5.2)
PIPS_MM = (2.8, 3.8)


def read_pitch(command, pitch_mm, pip_mm):
    """160 throws of a die whose pips stand so far apart, in two trays."""
    die = Die(edge_mm=15.7 if pitch_mm < 4 else 16.3, pip_pitch_mm=pitch_mm, pip_mm=pip_mm)
    return total([read_dice(command, random.Random(tray), 0, most=40, die=die) for tray in (1, 2)])


def main(n_trays):
    for pitch_mm, pip_mm in itertools.product(PITCHES_MM, PIPS_MM):
        tally = read_pitch(core_bench(), pitch_mm, pip_mm)
        print(f"pips of {pip_mm} mm every {pitch_mm} mm: {tally}", flush=True)
    command = atmega_bench()
    kinds = {
        "the die as drawn": {},
        "small, close pips": {"die": SMALL_PIPS},
        "large, wide pips": {"die": WIDE_PIPS},
        "pips of pale paint": {"paint": PALE_PAINT},
        "0.4 of the light": {"strength": 0.4},
        "1.8 times the light": {"strength": 1.8},
    }
    for name, options in kinds.items():
        most = 72 if options else None  # other dice and lights: a sample of the ways
        for lux in LUX:
            tallies = [
                read_dice(command, random.Random(tray), lux, most=most, **options) for tray in range(n_trays)
            ]
            print(f"{name}, {lux} lux: {total(tallies)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
