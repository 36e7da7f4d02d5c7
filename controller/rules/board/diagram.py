"""Draw a position in characters and read such a drawing back. White (O) has his home at the bottom right.

     +13-14-15-16-17-18-+BAR+19-20-21-22-23-24-+
     | O           X    |   | X              O | 0 X off
     | O           X    |   | X              O |
    ...
     +12-11-10--9--8--7-+BAR+-6--5--4--3--2--1-+

Where more than five checkers stand, the innermost row shows their number.
"""

from __future__ import annotations

import re

from controller.rules.board.position import BAR, N_CHECKERS, N_PLACES, OFF, Player, Position, PositionError
from sentences import say

_DIAGRAM_SIGNS = {Player.WHITE: "O", Player.BLACK: "X"}
_PLAYERS_BY_SIGN = {sign: player for player, sign in _DIAGRAM_SIGNS.items()}
_DIAGRAM_ROWS = 5
_TOP = "+13-14-15-16-17-18-+BAR+19-20-21-22-23-24-+"
_BOTTOM = "+12-11-10--9--8--7-+BAR+-6--5--4--3--2--1-+"
_COLUMNS = tuple(range(1, 19, 3)) + tuple(range(24, 42, 3))
"""The columns at which the three characters of each point in a row begin."""
_BAR_COLUMN = 20
_OFF = re.compile(r"\s*(\d{1,2}) ([OX]) off\s*$")
_N_LINES = 2 * _DIAGRAM_ROWS + 3

_Stack = tuple[int, Player | None]


def draw_diagram(position: Position) -> str:
    """The drawing, 13 lines. PositionError when both players stand on one point: that cannot be drawn."""
    top = [_stack(position, point) for point in range(13, 25)]
    bottom = [_stack(position, point) for point in range(12, 0, -1)]
    white_bar, black_bar = (position.side(player)[BAR] for player in Player)
    upper = [_line(top, (black_bar, Player.BLACK), row) for row in range(_DIAGRAM_ROWS)]
    lower = [_line(bottom, (white_bar, Player.WHITE), row) for row in range(_DIAGRAM_ROWS)]
    upper[0] += f" {position.black[OFF]} X off"
    lower[0] += f" {position.white[OFF]} O off"
    return "\n".join([_TOP, *upper, "|".ljust(19) + "|   |" + "|".rjust(19), *reversed(lower), _BOTTOM])


def parse_diagram(text: str) -> Position:
    """The position of a drawing by `draw_diagram`; PositionError names the line that is wrong."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) != _N_LINES:
        raise PositionError(say("wrong_lines_of_diagram", n_lines=_N_LINES, number=len(lines)))
    for number, frame in ((1, _TOP), (_N_LINES, _BOTTOM)):
        if lines[number - 1] != frame:
            raise PositionError(say("wrong_frame_of_diagram", line=number, frame=frame))
    sides = {player: [0] * N_PLACES for player in Player}
    upper = list(enumerate(lines, start=1))[1 : 1 + _DIAGRAM_ROWS]
    lower = list(enumerate(lines, start=1))[-2 : -2 - _DIAGRAM_ROWS : -1]
    _read_half(upper, list(range(13, 25)), Player.BLACK, sides)
    _read_half(lower, list(range(12, 0, -1)), Player.WHITE, sides)
    return Position(tuple(sides[Player.WHITE]), tuple(sides[Player.BLACK]))


def _stack(position: Position, point: int) -> _Stack:
    white, black = position.white[point], position.black[BAR - point]
    if white and black:
        raise PositionError(say("point_not_drawn", point=point))
    return (white, Player.WHITE) if white else (black, Player.BLACK if black else None)


def _line(stacks: list[_Stack], bar: _Stack, row: int) -> str:
    cells = [_cell(stack, row) for stack in stacks]
    return f"|{''.join(cells[:6])}|{_cell(bar, row)}|{''.join(cells[6:])}|"


def _cell(stack: _Stack, row: int) -> str:
    count, player = stack
    if count <= row or player is None:
        return "   "
    if row == _DIAGRAM_ROWS - 1 and count > _DIAGRAM_ROWS:
        return f"{count:2d} "
    return f" {_DIAGRAM_SIGNS[player]} "


def _read_half(
    lines: list[tuple[int, str]], points: list[int], player: Player, sides: dict[Player, list[int]]
) -> None:
    """Read the rows of one half, the outermost first, with the bar and the tray of `player`, into `sides`."""
    number, outermost = lines[0]
    off = _OFF.search(outermost)
    if off is None or _PLAYERS_BY_SIGN[off[2]] is not player:
        raise PositionError(say("no_checkers_off", line=number, sign=_DIAGRAM_SIGNS[player]))
    sides[player][OFF] = int(off[1])
    for point, column in zip(points, _COLUMNS, strict=True):
        count, who = _read_stack(lines, column)
        if who is not None:
            sides[who][point if who is Player.WHITE else BAR - point] = count
    count, who = _read_stack(lines, _BAR_COLUMN)
    if who not in (None, player):
        raise PositionError(say("wrong_half_of_bar", line=number, sign=_DIAGRAM_SIGNS[player]))
    sides[player][BAR] = count


def _read_stack(lines: list[tuple[int, str]], column: int) -> _Stack:
    cells = [(number, line[column : column + 3].strip()) for number, line in lines]
    number, sign = cells[0]
    if not sign:
        return 0, None
    if sign not in _PLAYERS_BY_SIGN:
        raise PositionError(say("no_sign_of_player", line=number, column=column + 2, sign=sign))
    for number, cell in cells:
        if cell.isascii() and cell.isdigit() and int(cell) <= N_CHECKERS:
            return int(cell), _PLAYERS_BY_SIGN[sign]
        if cell not in (sign, ""):
            raise PositionError(say("wrong_stack", line=number, column=column + 2, cell=cell, sign=sign))
    return sum(cell == sign for _, cell in cells), _PLAYERS_BY_SIGN[sign]
