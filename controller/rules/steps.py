"""A position as one integer, and every single step as one addition: the fast inside of the rules.

A packed position is seen by the player to move. It is one integer of 52 bytes: byte p is the number of his
checkers at his place p (0 off, 1 to 24 points, 25 bar), byte 26 + q that of the opponent's checkers at the
opponent's place q. What forbids a step is then one mask, and making it one sum.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from controller.rules.position import BAR, N_PLACES, OFF, Player, Position

Packed = int
ANY = 0xFF
TWO_OR_MORE = 0xFE


def pack(position: Position, player: Player) -> Packed:
    """The position as `player` sees it."""
    return int.from_bytes(bytes(position.side(player) + position.side(player.opponent)), "little")


def unpack(packed: Packed, player: Player) -> Position:
    """The position that `player` sees as `packed`."""
    counts = tuple(packed.to_bytes(2 * N_PLACES, "little"))
    return Position.of(player, counts[:N_PLACES], counts[N_PLACES:])


def own(places: Iterable[int], count: int = ANY) -> Packed:
    """`count` checkers of the mover at each of his places; ANY makes a mask."""
    return sum(count << 8 * place for place in places)


def opposing(place: int, count: int = ANY) -> Packed:
    """`count` checkers of the opponent on the point that the mover calls `place`; 0 is the opponent's bar."""
    return count << 8 * (N_PLACES + BAR - place)


ON_BAR = own([BAR])
ON_BOARD = own(range(1, BAR + 1))
OUTSIDE = own(range(7, BAR + 1))


def count(packed: Packed, places: Packed) -> int:
    """How many checkers stand on `places` (a mask): the sum of the bytes, by casting out 255s."""
    return (packed & places) % 0xFF


class Stride(NamedTuple):
    """A step of one checker with one number, whatever the position.

    A position allows it when it shares a bit with `source` and none with `forbidden`; where it shares one
    with `blot` the step hits, and `hit` is to be added instead of `plain`.
    """

    origin: int
    source: Packed
    forbidden: Packed
    blot: Packed
    plain: Packed
    hit: Packed


def _stride(origin: int, number: int) -> Stride:
    target = max(origin - number, OFF)
    plain = own([target], 1) - own([origin], 1)
    if target == OFF:
        # An exact number needs all checkers at home; one too high also that none stands further back.
        behind = OUTSIDE if origin == number else own(range(origin + 1, BAR + 1))
        return Stride(origin, own([origin]), behind, 0, plain, plain)
    forbidden = opposing(target, TWO_OR_MORE) | (0 if origin == BAR else ON_BAR)
    hit = plain - opposing(target, 1) + opposing(OFF, 1)
    return Stride(origin, own([origin]), forbidden, opposing(target, 1), plain, hit)


STRIDES = tuple(tuple(_stride(max(origin, 1), number) for origin in range(BAR + 1)) for number in range(1, 7))
"""STRIDES[number - 1][origin], origin 1 to 25."""
REARMOST_FIRST = tuple(tuple(STRIDES[number - 1][:0:-1]) for number in range(1, 7))


def steps(packed: Packed, number: int) -> list[tuple[int, Packed]]:
    """(origin, position after it) of every step that can be made with `number`, rearmost checker first."""
    return [
        (origin, packed + (hit if packed & blot else plain))
        for origin, source, forbidden, blot, plain, hit in REARMOST_FIRST[number - 1]
        if packed & source and not packed & forbidden
    ]


def after_each_step(packed: Packed, number: int) -> list[Packed]:
    """The positions after those `steps`."""
    return [
        packed + (hit if packed & blot else plain)
        for _, source, forbidden, blot, plain, hit in REARMOST_FIRST[number - 1]
        if packed & source and not packed & forbidden
    ]
