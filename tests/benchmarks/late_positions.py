"""Positions late in a game, with tall stacks."""

from random import Random

from controller.rules import BAR, Dice, Player, Position, legal_plays
from tests.benchmarks.players import sensibly

TALL, N_TALL = 6, 2
"""Least number of checkers in a tall stack, and of tall stacks on the board."""
LEAST_LEFT = 20
"""Least number of checkers of both players that are still on the board."""
MOST_HALF_TURNS = 200
"""A game ends here without such a position."""


def late_position(number: int) -> Position:
    """Such a position from games of two sensible players; nobody is on the bar. Each number has its own."""
    chance = Random(f"{number} late")
    while True:
        position, player = Position.START, chance.choice(tuple(Player))
        for _ in range(MOST_HALF_TURNS):
            plays = legal_plays(position, player, Dice(chance.randint(1, 6), chance.randint(1, 6)))
            position, player = sensibly(plays, chance).result, player.opponent
            if position.winner:
                break
            if _is_late(position):
                return position


def _is_late(position: Position) -> bool:
    sides = [position.side(player) for player in Player]
    n_tall = sum(count >= TALL for side in sides for count in side[1:BAR])
    n_left = sum(sum(side[1:]) for side in sides)
    return n_tall >= N_TALL and n_left >= LEAST_LEFT and not any(side[BAR] for side in sides)
