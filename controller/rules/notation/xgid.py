"""XGID, the line in which eXtreme Gammon writes a situation: bottom player White, top player Black.

XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10
"""

from __future__ import annotations

from controller.rules.board.cube import Cube
from controller.rules.board.dice import Dice, DiceError
from controller.rules.board.position import BAR, N_CHECKERS, N_PLACES, OFF, Player, Position
from controller.rules.notation.gnubg_id import parse_gnubg_ids
from controller.rules.notation.situation import MOST_CUBE_LOG2, MOST_POINTS, IdError, Situation
from sentences import Key, say

_PREFIX = "XGID="
_XGID_SIGNS = {None: 0, Player.WHITE: 1, Player.BLACK: -1}
_PLAYERS_BY_XGID_SIGN = {str(sign): player for player, sign in _XGID_SIGNS.items()}
_DOUBLED = "DBR"
"""The letters in place of the dice after a double, a beaver and a raccoon."""
_MOST_CUBE_FIELD = 99
"""The largest number that the last field may hold. guess: XG writes 10, others set no limit."""
_FIELD_NAMES = (
    Key("field_position"),
    Key("field_cube"),
    Key("field_owner"),
    Key("field_turn"),
    Key("dice"),
    Key("field_bottom_score"),
    Key("field_top_score"),
    Key("field_flags"),
    Key("match_length"),
    Key("field_largest_cube"),
)


def xgid(situation: Situation) -> str:
    """The situation as an XGID; IdError names what an XGID cannot hold."""
    situation.require_id()
    if situation.resigned:
        raise IdError(say("no_resignation_in_xgid"))
    dice = _DOUBLED[situation.beavers_made] if situation.doubled else str(situation.dice or "00")
    flags = int(situation.crawford) if situation.length else situation.jacoby + 2 * situation.beavers
    fields = (
        _placement(situation.position),
        situation.cube.value.bit_length() - 1,
        _XGID_SIGNS[situation.cube.owner],
        _XGID_SIGNS[situation.on_roll],
        dice,
        *situation.score,
        flags,
        situation.length,
        situation.most_cube_log2,
    )
    return _PREFIX + ":".join(map(str, fields))


def parse_xgid(text: str) -> Situation:
    """The situation of an XGID, with or without `XGID=`; IdError says which field is wrong."""
    stripped = text.strip()
    if stripped[: len(_PREFIX)].upper() == _PREFIX:
        stripped = stripped[len(_PREFIX) :]
    fields = stripped.split(":")
    if len(fields) != len(_FIELD_NAMES):
        raise IdError(say("wrong_fields_of_xgid", n_fields=len(_FIELD_NAMES), number=len(fields)))
    length = _number(fields, 8, MOST_POINTS)
    flags = _number(fields, 7, 1 if length else 3)
    doubled = fields[4] in tuple(_DOUBLED)
    return Situation(
        position=_position(fields[0]),
        on_roll=_on_roll(fields),
        dice=_dice_field(fields),
        doubled=doubled,
        beavers_made=_DOUBLED.index(fields[4]) if doubled else 0,
        cube=Cube(1 << _number(fields, 1, MOST_CUBE_LOG2), _owner(fields)),
        length=length,
        score=(_number(fields, 5, MOST_POINTS), _number(fields, 6, MOST_POINTS)),
        crawford=bool(length and flags),
        jacoby=not length and bool(flags & 1),
        beavers=not length and bool(flags & 2),
        most_cube_log2=_number(fields, 9, _MOST_CUBE_FIELD),
    )


def parse_situation(text: str) -> Situation:
    """The situation of an XGID, or of a position ID and a match ID joined by a colon."""
    return parse_gnubg_ids(text) if text.count(":") == 1 else parse_xgid(text)


def _placement(position: Position) -> str:
    """26 characters: the top player's bar, the bottom player's points 1 to 24, the bottom player's bar."""
    white = [*position.white]
    black = [*reversed(position.black[1:])]
    return "".join(
        chr(ord("@") + white[place])
        if place and white[place]
        else chr(ord("`") + black[place])
        if place < BAR and black[place]
        else "-"
        for place in range(N_PLACES)
    )


def _position(text: str) -> Position:
    if len(text) != N_PLACES:
        raise IdError(say("wrong_length_in_xgid", number=len(text)))
    white, black = [0] * N_PLACES, [0] * N_PLACES
    for place, char in enumerate(text):
        if "A" <= char <= "O" and place:
            white[place] = ord(char) - ord("@")
        elif "a" <= char <= "o" and place < BAR:
            black[BAR - place] = ord(char) - ord("`")
        elif char != "-":
            raise IdError(say("wrong_sign_in_xgid", number=place + 1, char=char))
    for name, side in ((Key("bottom_player"), white), (Key("top_player"), black)):
        if sum(side) > N_CHECKERS:
            raise IdError(say("too_many_in_xgid", player=say(name), number=sum(side), most=N_CHECKERS))
        side[OFF] = N_CHECKERS - sum(side)
    return Position(tuple(white), tuple(black))


def _number(fields: list[str], index: int, most: int) -> int:
    text = fields[index]
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= most):
        raise IdError(say("no_number_in_xgid", field=say(_FIELD_NAMES[index]), text=text[:20], most=most))
    return int(text)


def _owner(fields: list[str]) -> Player | None:
    if fields[2] not in _PLAYERS_BY_XGID_SIGN:
        raise IdError(say("no_owner_in_xgid", field=say(_FIELD_NAMES[2]), text=fields[2][:20]))
    return _PLAYERS_BY_XGID_SIGN[fields[2]]


def _on_roll(fields: list[str]) -> Player:
    player = _PLAYERS_BY_XGID_SIGN.get(fields[3])
    if player is None:
        raise IdError(say("no_player_in_xgid", field=say(_FIELD_NAMES[3]), text=fields[3][:20]))
    return player


def _dice_field(fields: list[str]) -> Dice | None:
    text = fields[4]
    if text in ("00", *_DOUBLED):
        return None
    try:
        return Dice.parse(text)
    except DiceError:
        raise IdError(say("no_dice_in_xgid", text=text[:20])) from None
