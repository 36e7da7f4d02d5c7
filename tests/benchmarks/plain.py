"""Legal plays by plain recursion over lists, as most programs do it: the yardstick, written to be read."""

from collections.abc import Iterator

BAR, OFF = 25, 0

Side = tuple[int, ...]
Board = tuple[Side, Side]


def plain_plays(own: Side, opposing: Side, dice: tuple[int, int]) -> set[Board]:
    """The distinct positions (own, opposing) after the legal plays; a side is 26 counts in own numbering."""
    high, low = dice
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found: dict[Board, int] = {}
    for order in orders:
        _recurse(own, opposing, order, 0, found)
    longest = max(found.values())
    ends = {end for end, played in found.items() if played == longest}
    if longest == 1 and high != low:
        with_high = set(_steps(own, opposing, high))
        ends = with_high or ends
    return ends


def _recurse(
    own: Side, opposing: Side, numbers: tuple[int, ...], played: int, found: dict[Board, int]
) -> None:
    if found.get((own, opposing), -1) < played:
        found[own, opposing] = played
    if numbers:
        for after in _steps(own, opposing, numbers[0]):
            _recurse(*after, numbers[1:], played + 1, found)


def _steps(own: Side, opposing: Side, number: int) -> Iterator[Board]:
    rearmost = max((place for place in range(26) if own[place]), default=OFF)
    for origin in [BAR] if own[BAR] else range(24, 0, -1):
        if not own[origin]:
            continue
        target = origin - number
        if target > 0:
            if opposing[BAR - target] > 1:
                continue
        elif rearmost > 6 or (target < 0 and origin < rearmost):
            continue
        target = max(target, OFF)
        after, theirs = list(own), list(opposing)
        after[origin] -= 1
        after[target] += 1
        if target and opposing[BAR - target]:
            theirs[BAR - target], theirs[BAR] = 0, theirs[BAR] + 1
        yield tuple(after), tuple(theirs)
