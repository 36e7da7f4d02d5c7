"""The dice sensor at a simulated table: what it reports of throws, also when it reports wrongly."""

from random import Random

from hardware.dice_events import DiceEvent, DiceLifted, DiceMoving, DiceSettled


class SimulatedSensor:
    """What the dice sensor reports. Each action takes the time it begins and returns the time it ends."""

    def __init__(self, chance: Random) -> None:
        self.events: list[DiceEvent] = []
        self._chance = chance
        self._lying: list[int] = []

    def throw(self, t_ms: int, faces: tuple[int | None, int | None], unreported: tuple[int, ...] = ()) -> int:
        """Throw both dice; None is a die that leans. `unreported` dice are not reported to come to rest."""
        for die in (1, 2):
            self.events.append(DiceMoving(t_ms=t_ms, die=die))
        t_ms += self._chance.randint(600, 1000)
        for die, face in enumerate(faces, start=1):
            if die not in unreported:
                self.events.append(DiceSettled(t_ms=t_ms, die=die, face=face))
            t_ms += self._chance.randint(20, 90)
        self._lying = [1, 2]
        return t_ms

    def throw_misreported(self, t_ms: int, faces: tuple[int, int]) -> int:
        """Throw both dice; one of them is reported with another face."""
        wrong = self._chance.choice([face for face in range(1, 7) if face not in faces])
        return self.throw(t_ms, self._chance.choice(((wrong, faces[1]), (faces[0], wrong))))

    def throw_half_reported(self, t_ms: int, faces: tuple[int, int]) -> int:
        """Throw both dice; one is not reported at all, or not reported to come to rest."""
        unreported, before = self._chance.choice((1, 2)), len(self.events)
        t_ms = self.throw(t_ms, faces, (unreported,))
        if self._chance.random() < 0.5:  # its moving is not reported either
            kept = [event for event in self.events[before:] if getattr(event, "die", 0) != unreported]
            self.events[before:] = kept
            self._lying = [3 - unreported]
        return t_ms

    def lift(self, t_ms: int) -> int:
        """Lift the dice that were reported to lie there."""
        for die in self._lying:
            self.events.append(DiceLifted(t_ms=t_ms, die=die))
            t_ms += self._chance.randint(50, 150)
        self._lying = []
        return t_ms
