"""A position as one integer, and every single step as one addition: the fast core of the rules.

A packed position belongs to one player, the mover. It is one integer of 52 bytes: byte p is the number of his
checkers at his place p (0 off, 1 to 24 points, 25 bar), byte 26 + q is the number of the opponent's checkers
at the opponent's place q. Masks test whether a step is allowed; one addition makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from controller.rules.board.position import BAR, HOME_POINTS, N_PLACES, OFF, Player, Position, position_of

Packed = int
ANY = 0xFF
"""A mask over one place: not zero when any checker is there."""
TWO_OR_MORE = 0xFE
"""A mask over one place: not zero when two or more checkers are there."""


_WHITE = Player.WHITE
_SIDE_BITS = 8 * N_PLACES
_ONE_SIDE = (1 << _SIDE_BITS) - 1


def pack(position: Position, player: Player) -> Packed:
    """The position packed with `player` as the mover."""
    packed = position.packed
    return packed if player is _WHITE else packed >> _SIDE_BITS | (packed & _ONE_SIDE) << _SIDE_BITS


def unpack(packed: Packed, player: Player) -> Position:
    """The position that is `packed` with `player` as the mover."""
    if player is _WHITE:
        return position_of(packed)
    return position_of(packed >> _SIDE_BITS | (packed & _ONE_SIDE) << _SIDE_BITS)


def board_bytes(found: Iterable[Packed], player: Player) -> Iterator[bytes]:
    """The 52 bytes of `Position.packed` of each position that is packed with `player` as the mover."""
    boards = (packed.to_bytes(2 * N_PLACES, "little") for packed in found)
    return boards if player is _WHITE else (board[N_PLACES:] + board[:N_PLACES] for board in boards)


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
    """How many checkers stand on `places` (a mask). The remainder modulo 255 is the sum of the bytes."""
    return (packed & places) % 0xFF


Stride = tuple[int, Packed, Packed, Packed, Packed, Packed]
"""A step of one checker with one number, for any position: origin, source, forbidden, blot, plain, hit.

The step is allowed when the packed position shares a bit with `source` and none with `forbidden`. It hits
when the position shares a bit with `blot`; then add `hit`, otherwise `plain`. A bare tuple is the fastest to
unpack.
"""


def _stride(origin: int, number: int) -> Stride:
    target = max(origin - number, OFF)
    plain = own([target], 1) - own([origin], 1)
    if target == OFF:
        # An exact number needs all checkers at home; a higher number also needs none further back.
        behind = OUTSIDE if origin == number else own(range(origin + 1, BAR + 1))
        return origin, own([origin]), behind, 0, plain, plain
    forbidden = opposing(target, TWO_OR_MORE) | (0 if origin == BAR else ON_BAR)
    hit = plain - opposing(target, 1) + opposing(OFF, 1)
    return origin, own([origin]), forbidden, opposing(target, 1), plain, hit


STRIDES = {number: [_stride(max(origin, 1), number) for origin in range(BAR + 1)] for number in range(1, 7)}
"""STRIDES[number][origin], origin 1 to 25."""
PLAIN = {number: [stride[4] for stride in strides] for number, strides in STRIDES.items()}
"""PLAIN[number][origin], origin 1 to 25: what to add for a step that hits nothing."""
HIT = {number: [stride[5] for stride in strides] for number, strides in STRIDES.items()}
"""HIT[number][origin]: what to add for a step that hits."""
_ORIGINS = {
    number: {HIT[number][origin]: (origin, True) for origin in range(1, BAR + 1)}
    | {PLAIN[number][origin]: (origin, False) for origin in range(1, BAR + 1)}
    for number in STRIDES
}
"""_ORIGINS[number][sum that a step adds]: where the step starts, and whether it hits."""
REARMOST_FIRST = {number: strides[:0:-1] for number, strides in STRIDES.items()}
"""REARMOST_FIRST[number]: all strides with the number, the highest origin first."""


def both_sides(packed: Packed) -> tuple[bytes, bytes]:
    """(own, theirs): counts by place, both in the mover's numbering; theirs[0] is the opponent's bar."""
    counts = packed.to_bytes(2 * N_PLACES, "little")
    return counts[:N_PLACES], counts[: N_PLACES - 1 : -1]


Places = int
"""A set of points as a mask: bit 25 - p for the point p. A step by n is a shift to the left by n."""

_POINTS = (1 << BAR) - 2
_HALF = 12
_SOME = b"0" + b"1" * 255
_AT_MOST_ONE = b"11" + b"0" * 254
_EXACTLY_ONE = b"01" + b"0" * 254
_NOBODY = b"\0"


def points_of(packed: Packed) -> tuple[bytes, bytes, Places, Places, Places]:
    """(own, theirs, men, free, blots): `both_sides`, and three masks.

    men: the points with a checker of the mover; free: where he may land; blots: where he would hit.
    """
    own, theirs = both_sides(packed)
    men = int(own.translate(_SOME), 2) & _POINTS
    free = int(theirs.translate(_AT_MOST_ONE), 2) & _POINTS
    return own, theirs, men, free, int(theirs.translate(_EXACTLY_ONE), 2) & _POINTS


def _places_of_half(first: int) -> list[tuple[int, ...]]:
    """For each mask of 12 bits the points in it; the lowest bit is the point `first`."""
    return [tuple(first - bit for bit in range(_HALF) if mask >> bit & 1) for mask in range(1 << _HALF)]


_FAR, _NEAR = _places_of_half(BAR - 1), _places_of_half(_HALF)


def places_in(mask: Places) -> tuple[int, ...]:
    """The points of a mask, the rearmost first."""
    return _FAR[mask >> 1 & 0xFFF] + _NEAR[mask >> _HALF + 1 & 0xFFF]


def single_steps(packed: Packed, number: int) -> list[tuple[int, Packed]]:
    """(origin, position after the step) for every possible step with `number`, the rearmost first."""
    return [
        (origin, packed + (hit if packed & blot else plain))
        for origin, source, forbidden, blot, plain, hit in REARMOST_FIRST[number]
        if packed & source and not packed & forbidden
    ]


def after_step(packed: Packed, origin: int, target: int, number: int) -> Packed | None:
    """The position after the step from `origin` to `target` with `number`; None if it is impossible."""
    if not 1 <= origin <= BAR or target != max(origin - number, OFF):
        return None
    _, source, forbidden, blot, plain, hit = STRIDES[number][origin]
    if not packed & source or packed & forbidden:
        return None
    return packed + (hit if packed & blot else plain)


def step_between(start: Packed, end: Packed, number: int) -> tuple[int, int, bool] | None:
    """(origin, target, hit) of the step with `number` that leads from `start` to `end`; None for none."""
    found = _ORIGINS[number].get(end - start)
    if found is None:
        return None
    origin, hits = found
    _, source, forbidden, blot, _, _ = STRIDES[number][origin]
    if not start & source or start & forbidden or bool(start & blot) != hits:
        return None
    return origin, max(origin - number, OFF), hits


def after_each_step(packed: Packed, number: int) -> list[Packed]:
    """The positions that `single_steps` gives, found faster."""
    plain, hit = PLAIN[number], HIT[number]
    if packed & ON_BAR:
        _, _, forbidden, blot, _, _ = STRIDES[number][BAR]
        return [] if packed & forbidden else [packed + (hit if packed & blot else plain)[BAR]]
    counts, theirs = both_sides(packed)
    rearmost = len(counts.rstrip(_NOBODY)) - 1
    found = [
        packed + (hit if theirs[place - number] else plain)[place]
        for place in range(rearmost, number, -1)
        if counts[place] and theirs[place - number] < 2
    ]
    if rearmost <= HOME_POINTS[-1]:
        found += [packed + plain[place] for place in _borne_off_by(counts, number)]
    return found


def _borne_off_by(counts: bytes, number: int) -> tuple[int, ...]:
    """The place from which `number` bears off when all are at home, as a tuple of one; () for none."""
    if counts[number]:
        return (number,)
    if any(counts[number + 1 : 7]):
        return ()
    return next(((place,) for place in range(number - 1, 0, -1) if counts[place]), ())
