"""Perft to depth 2 against a count by plain recursion over lists."""

import pytest

from controller.rules import Dice, Player, Position
from controller.rules.perft import perft
from tests.benchmarks.plain import plain_plays
from tests.controller.rules.boards import board

POSITIONS = {
    "start": Position.START,
    "a man on each bar": board({25: 1, 13: 4, 8: 3, 6: 5, 24: 2}, {25: 1, 13: 4, 8: 3, 6: 5, 24: 2}),
    "bearing off against an anchor": board({6: 3, 5: 3, 4: 3, 3: 2, 1: 2}, {23: 2, 6: 5, 5: 4, 4: 4}),
    "a race": board({9: 2, 7: 2, 6: 4, 5: 3, 3: 2}, {8: 3, 6: 4, 4: 4, 2: 2}),
    "prime against prime": board(
        {24: 2, 8: 2, 7: 3, 6: 3, 5: 3, 4: 2}, {24: 2, 9: 1, 7: 3, 6: 3, 5: 3, 4: 3}
    ),
}
ROLLS = {
    "two doubles": ("33", "55"),
    "six-one, four-two": ("61", "42"),
    "five-three, double aces": ("53", "11"),
}


def plain_perft(own, opposing, rolls):
    if not rolls or not any(own[1:]) or not any(opposing[1:]):
        return 1
    ends = plain_plays(own, opposing, rolls[0])
    if len(rolls) == 1:
        return len(ends)
    return sum(plain_perft(theirs, mine, rolls[1:]) for mine, theirs in ends)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("rolls", ROLLS)
@pytest.mark.parametrize("player", Player)
def test_perft_to_depth_two_is_that_of_plain_recursion(position, rolls, player):
    board, dice = POSITIONS[position], [Dice.parse(roll) for roll in ROLLS[rolls]]
    assert board.problems() == ()
    sides = board.side(player), board.side(player.opponent)
    plain = plain_perft(*sides, [(roll.high, roll.low) for roll in dice])
    assert perft(board, player, dice) == plain > 0


@pytest.mark.parametrize(
    ("rolls", "count"), [(("31",), 16), (("33",), 73), (("31", "31"), 259), (("33", "11"), 2797)]
)
def test_perft_from_the_start(rolls, count):
    assert perft(Position.START, Player.WHITE, [Dice.parse(roll) for roll in rolls]) == count
