"""The circuit round the board in games whose players travel the same way, and every single step on it.

Each player numbers the places of his circuit like the points of the ordinary game: 24 is the first point of
his entrance, 6 to 1 are his home. White's places are White's points. So are Black's when both enter in one
table; otherwise Black's 24 is White's 12.

A packed turn state is one integer and belongs to one player, the mover: 28 bytes for his checkers (byte p
counts those at his place p, byte 26 those waiting to be entered, byte 27 holds his marks), then 28 bytes for
his opponent's checkers in the opponent's own numbering.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import add
from typing import TypeVar

from controller.rules.board.position import BAR, N_CHECKERS, OFF, Player, Position
from controller.rules.board.turn_state import Marks, TurnState
from controller.rules.entering.entering_laws import EnteringLaws, Placing, ShiftEnds
from controller.rules.plays.steps import Step

PackedTurn = int
"""A turn state as one integer; the module's docstring gives the layout."""
CircuitCounts = TypeVar("CircuitCounts", tuple[int, ...], bytes)
CircuitStep = tuple[int, int, bool]
"""(source, target, hit) in places of the mover's circuit; a waiting checker comes from OFF."""

FIRST_POINT = 24
"""The first point of the entrance; the books count from it."""
TWELFTH_POINT = 13
"""The point that the books call the twelfth."""
HOME_CIRCUIT = range(1, 7)
"""The places where a player bears off."""
ENTRANCE_CIRCUIT = range(19, 25)
"""The places where a player enters."""

WAITING, _MARKS, N_TURN_SIDE = 26, 27, 28
"""Bytes of a side: the byte of waiting checkers, the byte of marks, and the number of bytes."""
_TURN_BYTES, _BOARD_BYTES = 2 * N_TURN_SIDE, 2 * (BAR + 1)
_TURN_SIDE_BITS = 8 * N_TURN_SIDE
_ONE_TURN_SIDE = (1 << _TURN_SIDE_BITS) - 1
_ON_BOARD = sum(0xFF << 8 * (side + place) for side in (0, N_TURN_SIDE) for place in range(1, BAR + 1))
_ENTERED, _OUT, _COVERED = int(Marks.ALL_ENTERED), int(Marks.MOVED_OUT), int(Marks.COVERED_TWELFTH)
_EARNED = _ENTERED | _OUT | _COVERED
ONE_CHECKER = [1 << 8 * place for place in range(2 * N_TURN_SIDE)]
"""By byte: the sum to add for one checker there."""


class Circuit:
    """The circuit of both players under one set of laws."""

    def __init__(self, laws: EnteringLaws) -> None:
        self.laws = laws
        self._half = 12 if laws.entrances_opposite else 0
        self.across = [self._place_across(place) for place in range(BAR)]

    def point(self, player: Player, place: int) -> int:
        """The number, in the ordinary game, of a place on the circuit of `player`; 25 and 0 stay."""
        if place in (OFF, BAR) or player is Player.WHITE:
            return place
        return BAR - self._place_across(place)

    def step(self, player: Player, step: CircuitStep) -> Step:
        """A step on the circuit of `player` as a Step, in his numbering of the ordinary game."""
        source, target, hit = step
        return Step(self.point(player, source), self.point(player, target), hit)

    def _place_across(self, place: int) -> int:
        """The opponent's number for a place of the circuit. The mapping is its own inverse."""
        return (place + self._half - 1) % 24 + 1 if place else OFF

    # -- turn states

    def start(self, leader: Player) -> TurnState:
        """The turn state before the first throw, which is the leader's."""
        placed = {player: self._n_placed(player, leader) for player in Player}
        white, black = (self._bare_but(player, placed[player]) for player in Player)
        marks = tuple(Marks.NONE if placed[player] else Marks.MOVED_OUT for player in Player)
        waiting = tuple(N_CHECKERS - placed[player] for player in Player)
        return TurnState(Position(white, black), leader, (waiting[0], waiting[1]), (marks[0], marks[1]))

    def _n_placed(self, player: Player, leader: Player) -> int:
        placing = self.laws.placing
        return 2 if placing and (player is leader or not placing.leader_only) else 0

    def _bare_but(self, player: Player, n_placed: int) -> list[int]:
        counts = [0] * (BAR + 1)
        counts[OFF] = N_CHECKERS - n_placed
        counts[self.point(player, FIRST_POINT)] = n_placed
        return counts

    def pack(self, turn_state: TurnState, player: Player) -> PackedTurn:
        """The turn state packed with `player` as the mover, whoever throws next."""
        return self._side(turn_state, player) | self._side(turn_state, player.opponent) << _TURN_SIDE_BITS

    def _side(self, turn_state: TurnState, player: Player) -> PackedTurn:
        counts = turn_state.position.side(player)
        on_circuit = counts[1:BAR] if player is Player.WHITE else self._other_way(counts)
        waiting, marks = turn_state.waiting_of(player), int(turn_state.marks_of(player))
        return int.from_bytes(
            bytes((counts[OFF] - waiting, *on_circuit, counts[BAR], waiting, marks)), "little"
        )

    def unpack(self, packed: PackedTurn, player: Player, on_roll: Player) -> TurnState:
        """The turn state that is `packed` with `player` as the mover."""
        men = turn_bytes(packed)
        sides = {player: men[:N_TURN_SIDE], player.opponent: men[N_TURN_SIDE:]}
        white, black = sides[Player.WHITE], sides[Player.BLACK]
        return TurnState(
            Position.from_packed(int.from_bytes(self.board_bytes([packed], player), "little")),
            on_roll,
            (white[WAITING], black[WAITING]),
            (Marks(white[_MARKS]), Marks(black[_MARKS])),
        )

    def board_bytes(self, packed: Iterable[PackedTurn], player: Player) -> bytes:
        """The boards of turn states packed for `player`, each as the 52 bytes of `Position.packed`."""
        men = b"".join(map(turn_bytes, packed))
        boards = bytearray(len(men) // _TURN_BYTES * _BOARD_BYTES)
        white, black = (0, N_TURN_SIDE) if player is Player.WHITE else (N_TURN_SIDE, 0)
        around = self._other_way(bytes(range(BAR)))
        for side, first, places in ((white, 0, range(BAR)), (black, BAR + 1, (OFF, *around))):
            for place, there in enumerate((*places, BAR)):
                boards[first + place :: _BOARD_BYTES] = men[side + there :: _TURN_BYTES]
            out = map(add, men[side + OFF :: _TURN_BYTES], men[side + WAITING :: _TURN_BYTES])
            boards[first + OFF :: _BOARD_BYTES] = bytes(out)
        return bytes(boards)

    def _other_way(self, counts: CircuitCounts) -> CircuitCounts:
        """Black's 24 points reordered from the ordinary game to his circuit. The mapping inverts itself."""
        backwards = counts[BAR - 1 : 0 : -1]
        return backwards[self._half :] + backwards[: self._half]

    # -- steps

    def steps(self, packed: PackedTurn, number: int) -> Iterator[tuple[CircuitStep, PackedTurn]]:
        """Every step with `number` and the turn state after it, the rearmost checker first."""
        men = turn_bytes(packed)
        marks = men[_MARKS]
        for source in _sources(men):
            target = (source if source < BAR else BAR - self.shift(marks)) - number
            hit = False
            if target <= OFF:
                if not _bears_off(men, source, target):
                    continue
                target = OFF
            else:
                there = N_TURN_SIDE + self.across[target]
                if men[there] > 1 or (
                    self.laws.placing and not _may_place(self.laws.placing, men, source, target)
                ):
                    continue
                hit = men[there] == 1
            after = packed - ONE_CHECKER[source] + ONE_CHECKER[target]
            if hit:
                after += ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[there]
            if self.laws.placing:
                after = _marked(after, marks)
            yield (source if source <= BAR else OFF, target, hit), after

    def shift(self, marks: int) -> int:
        """How many points beyond its number a checker of a player with `marks` enters: 0 or 1."""
        placing = self.laws.placing
        if placing is None:
            return 0
        ended = _OUT | (_ENTERED if placing.shift_ends is ShiftEnds.ALL_IN else 0)
        return int(not marks & ended)


@lru_cache
def circuit(laws: EnteringLaws) -> Circuit:
    """The circuit under `laws`, cached."""
    return Circuit(laws)


def turned(packed: PackedTurn) -> PackedTurn:
    """The same turn state packed with the other player as the mover."""
    return packed >> _TURN_SIDE_BITS | (packed & _ONE_TURN_SIDE) << _TURN_SIDE_BITS


def marked(packed: PackedTurn, marks: Marks) -> PackedTurn:
    """The turn state with `marks` added to the mover's marks."""
    return packed | marks << 8 * _MARKS


def marks_in(packed: PackedTurn) -> Marks:
    """The mover's marks."""
    return Marks(packed >> 8 * _MARKS & 0xFF)


def lying_so(turns: Iterable[PackedTurn], board: PackedTurn) -> list[PackedTurn]:
    """Those of `turns` whose board is the same as that of `board`."""
    sought = board & _ON_BOARD
    return [packed for packed in turns if packed & _ON_BOARD == sought]


def turn_bytes(packed: PackedTurn) -> bytes:
    """The turn state as 56 bytes."""
    return packed.to_bytes(2 * N_TURN_SIDE, "little")


def may_become(packed: PackedTurn, board: PackedTurn) -> bool:
    """Whether the mover may still reach `board`, by the progress of his checkers: none has to move back.

    Checkers that wait may be counted in `board` as borne off, because a board does not show the difference.
    None is borne off while one is not home.
    """
    now, then = turn_bytes(packed), turn_bytes(board)
    n_now, n_then = now[WAITING], then[WAITING]
    if any(then[HOME_CIRCUIT.stop : BAR + 1]):
        n_then += then[OFF] - now[OFF]
    for place in range(BAR, OFF, -1):
        n_now += now[place]
        n_then += then[place]
        if n_now < n_then:
            return False
    return True


def all_borne(packed: PackedTurn) -> bool:
    """Whether the mover has borne off all his checkers."""
    return packed & 0xFF == N_CHECKERS


def _sources(men: bytes) -> list[int]:
    """The places that a checker may leave; the bar alone while one stands there."""
    if men[BAR]:
        return [BAR]
    waiting = [WAITING] if men[WAITING] else []
    return waiting + [place for place in range(FIRST_POINT, 0, -1) if men[place]]


def _bears_off(men: bytes, source: int, target: int) -> bool:
    """Whether a checker may be borne off: all are home or, for a number too high, none is further back."""
    return not any(men[source + 1 if target < OFF else HOME_CIRCUIT.stop : _MARKS])


def _may_place(placing: Placing, men: bytes, source: int, target: int) -> bool:
    """Whether the laws on placed checkers and on making points allow a step to a point."""
    if source == FIRST_POINT and not men[_MARKS] & (_ENTERED | _OUT):
        return False
    if men[target] != 1:
        return True
    return may_cover(placing, men, source, target)


def may_cover(placing: Placing, men: bytes, source: int, target: int) -> bool:
    """Whether the laws on making points allow a checker from `source` to join one of `men` at `target`.

    men: the mover's checkers as in a packed turn state, with those waiting at 26 and his marks at 27.
    """
    if not men[_MARKS] & _ENTERED:
        if source == BAR and placing.hit_may_cover:
            return True
        if source >= BAR or target > FIRST_POINT - placing.closed_while_entering:
            return False
    return target >= TWELFTH_POINT or _may_make_points_beyond(placing, men)


def _may_make_points_beyond(placing: Placing, men: bytes) -> bool:
    held = men[TWELFTH_POINT] > 1
    if held or (men[_MARKS] & _COVERED and not placing.twelfth_must_be_held):
        return True
    return not placing.binds_to_the_end and sum(men[TWELFTH_POINT:_MARKS]) < 2


def _marked(packed: PackedTurn, marks: int) -> PackedTurn:
    """The turn state after a step, with the marks that the mover has earned besides `marks`, which he had."""
    if marks & _EARNED == _EARNED:
        return packed
    men = turn_bytes(packed)
    if not men[BAR] and not men[WAITING]:
        marks |= _ENTERED
    if marks & _ENTERED and not men[FIRST_POINT]:
        marks |= _OUT
    if men[TWELFTH_POINT] > 1:
        marks |= _COVERED
    return packed | marks << 8 * _MARKS
