"""Which throws hit which blot in games whose checkers are entered."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, OFF, Player
from controller.rules.board.turn_state import TurnState
from controller.rules.entering.circuit import CircuitStep, PackedTurn
from controller.rules.entering.entering_laws import EnteringLaws
from controller.rules.entering.throw_plays import ThrowPlays, throw_plays
from controller.rules.plays.shots import Shots

_ROLLS = tuple(Dice.rolls())


def entering_shots(turn_state: TurnState, player: Player, laws: EnteringLaws) -> Shots:
    """The shots at the blots of `player` when his opponent throws next; points in his ordinary numbering.

    For throws that are not doublets, every play is examined. Doublets can be played in a hundred thousand
    ways, so for them only the places that a single checker can reach are examined. A second throw, and
    doublets that follow a deuce-ace, are ignored.
    """
    own = turn_state.position.side(player)
    blots = [point for point in range(BAR - 1, 0, -1) if own[point] == 1]
    hitter = replace(turn_state, on_roll=player.opponent, choosing=False)
    rolls: dict[int, list[Dice]] = {point: [] for point in blots}
    for dice in _ROLLS if blots else ():
        plays = throw_plays(hitter, dice, laws)
        hit = _Walk(plays).hit() if dice.is_double else _points_hit_by(plays)
        for point in blots:
            if point in hit:
                rolls[point].append(dice)
    return Shots({point: tuple(hitting) for point, hitting in rolls.items()})


def _points_hit_by(plays: ThrowPlays) -> set[int]:
    """The points, in the numbering of the owner of the blots, on which some legal play hits."""
    return {
        BAR - step.target
        for play in plays
        for stage in play.stages
        for step in stage.steps
        if step.hit and stage.player is plays.player
    }


class _Walk:
    """The places that one checker can reach with doublets and their complement once the bar is empty."""

    def __init__(self, plays: ThrowPlays) -> None:
        self._circuit = plays.circuit
        self._player = plays.player
        self._numbers = sorted(plays.orders, key=len)[-1]
        self._packed = plays.circuit.pack(plays.turn_state, plays.player)
        self._n_up = plays.turn_state.position.side(plays.player)[BAR]
        self._hit: set[int] = set()

    def hit(self) -> set[int]:
        """The points, in the numbering of the owner of the blots, on which a checker hits."""
        packed = self._packed
        for n_entered in range(min(self._n_up, len(self._numbers))):
            entered = next(self._circuit.steps(packed, self._numbers[n_entered]), None)
            if entered is None:
                return self._hit
            packed = self._note(*entered)
        self._walk(packed, None, self._n_up)
        return self._hit

    def _walk(self, packed: PackedTurn, place: int | None, n_played: int) -> None:
        """Move the checker at `place` on; None: any. Others may have played the rest of the doublets."""
        begins_complement = [len(self._numbers) // 2] if n_played < 4 < len(self._numbers) else []
        for n in [n_played, *begins_complement]:
            if n < len(self._numbers):
                for step, after in self._circuit.steps(packed, self._numbers[n]):
                    if place in (None, step[0]) and step[1] != OFF:
                        self._walk(self._note(step, after), step[1], n + 1)

    def _note(self, step: CircuitStep, after: PackedTurn) -> PackedTurn:
        _, target, hit = step
        if hit:
            self._hit.add(BAR - self._circuit.point(self._player, target))
        return after
