"""Dice heard by looking: what the camera sees of the dice, told as a sensor would tell it.

Used where no dice sensor speaks. Dice that lie on the field make a roll; dice that are gone, or lie
elsewhere, were taken up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from controller.rules import Player
from hardware.events import DiceEvent, DiceLifted, DiceSettled
from vision.dice import SeenDie

SURE = 0.6
"""Confidence from which a die is believed."""
SAME_PLACE = 0.02
"""A die that lies nearer than this (in field widths) to where it lay has not been thrown again."""
OWN_BRIGHTNESS = 40
"""Grey levels by which the two players' dice must differ to be told apart."""


@dataclass
class PictureDice:
    """Follows the dice from picture to picture. light: the player with the light checkers, and light dice."""

    light: Player
    _lying: tuple[SeenDie, ...] = field(default=(), init=False)

    def look(self, dice: Sequence[SeenDie], t_ms: int) -> tuple[DiceEvent, ...]:
        """What happened to the dice since the last picture; `dice` are those of a picture without a hand."""
        sure = [die for die in dice if die.face is not None and die.confidence >= SURE]
        if not dice:
            return tuple(self._taken_up(t_ms))
        if len(sure) != 2 or len(dice) != 2 or self._lies_as_before(sure):
            return ()
        first, second = self._in_order(sure)
        events = [
            *self._taken_up(t_ms),
            DiceSettled(t_ms=t_ms, die=1, face=first.face),
            DiceSettled(t_ms=t_ms, die=2, face=second.face),
        ]
        self._lying = (first, second)
        return tuple(events)

    def _taken_up(self, t_ms: int) -> Iterator[DiceEvent]:
        if self._lying:
            self._lying = ()
            yield DiceLifted(t_ms=t_ms, die=1)
            yield DiceLifted(t_ms=t_ms, die=2)

    def _lies_as_before(self, dice: Sequence[SeenDie]) -> bool:
        return bool(self._lying) and all(
            any(abs(die.x - old.x) + abs(die.y - old.y) < SAME_PLACE for old in self._lying) for die in dice
        )

    def _in_order(self, dice: Sequence[SeenDie]) -> Sequence[SeenDie]:
        """White's die first when the two differ, as in an opening throw; else the left one."""
        dark, bright = sorted(dice, key=lambda die: die.brightness)
        if bright.brightness - dark.brightness < OWN_BRIGHTNESS:
            return sorted(dice, key=lambda die: die.x)
        return (bright, dark) if self.light is Player.WHITE else (dark, bright)
