"""Simulated games whose dice sensor is lost for a while, or reports faces late."""

from dataclasses import replace
from heapq import merge
from random import Random

from controller.referee import Event
from hardware.dice_events import N_OUTCOMES, DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from tests.benchmarks.simulated_games import SimulatedGame

UNPLUGGED_FROM, UNPLUGGED_MS = (0.1, 0.6), (2000, 8000, 30_000, 90_000)
"""When the sensor is lost, as shares of the game between which it lies, and for how many ms."""

UNSURE, READ_LATE, READ_AFTER_MS = 0.1, 0.5, (1000, 15_000)
"""Share of the dice whose face is not sure at first; share of these that are read later, if they still lie
there; how many ms later. Of 751 throws in 26 recordings and rendered games 53 had such dice, of which seven
were read, 0.25 to 15 s later."""

DIE_EVENTS = (DiceMoving, DiceSettled, DiceLifted)


def with_sensor_unplugged(game: SimulatedGame, seed: int) -> SimulatedGame:
    """The game with the sensor lost for a while, without what it would have reported in that time."""
    rng = Random(f"{seed} unplugged")
    from_ms = int(rng.uniform(*UNPLUGGED_FROM) * game.end_ms)
    to_ms = from_ms + rng.choice(UNPLUGGED_MS)
    heard = [
        event
        for event in game.sensor
        if not (isinstance(event, DIE_EVENTS) and from_ms <= event.t_ms < to_ms)
    ]
    plugs: list[Event] = [SensorLost(t_ms=from_ms, reason="unplugged"), SensorFound(t_ms=to_ms)]
    return replace(game, sensor=tuple(merge(heard, plugs, key=lambda event: event.t_ms)))


def with_dice_read_late(game: SimulatedGame, seed: int) -> SimulatedGame:
    """The game with some faces that are reported late, or never."""
    rng = Random(f"{seed} read late")
    told: list[Event] = []
    late: list[Event] = []
    for place, event in enumerate(game.sensor):
        if not isinstance(event, DiceSettled) or event.face is None or rng.random() >= UNSURE:
            told.append(event)
            continue
        told.append(DiceMoving(t_ms=event.t_ms, die=event.die, odds=_unsure(event.face, rng)))
        read_ms = event.t_ms + rng.randint(*READ_AFTER_MS)
        after = (one for one in game.sensor[place + 1 :] if isinstance(one, DIE_EVENTS))
        over_ms = next((one.t_ms for one in after if one.die == event.die), read_ms)
        if rng.random() < READ_LATE and read_ms < over_ms:
            late.append(replace(event, t_ms=read_ms))
    late.sort(key=lambda event: event.t_ms)
    return replace(game, sensor=tuple(merge(told, late, key=lambda event: event.t_ms)))


def _unsure(face: int, rng: Random) -> tuple[float, ...]:
    """Honest odds of a die that shows this face or another one."""
    other = rng.choice([one for one in range(1, 7) if one != face])
    share = rng.uniform(0.5, 0.85)
    likelier, less = (face, other) if rng.random() < share else (other, face)
    odds = [0.005] * N_OUTCOMES
    odds[likelier - 1], odds[less - 1] = share, 1 - share
    return tuple(one / sum(odds) for one in odds)
