"""GNU Backgammon's position ID and match ID.

Both describe the player on roll and his opponent, not White and Black; a parser is told who is on roll.
Layout: GNU Backgammon manual, "A technical description of the position ID" and "... of the match ID".
Found by experiment: bit 66 of the match ID is set when the Jacoby rule is not in force.
"""

from __future__ import annotations

from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Iterator

from controller.rules.board.cube import Cube, Win
from controller.rules.board.dice import Dice, DiceError
from controller.rules.board.position import BAR, N_CHECKERS, Player, Position
from controller.rules.notation.situation import IdError, Situation
from sentences import say

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_POSITION_CHARS, _POSITION_BYTES = 14, 10
_MATCH_CHARS, _MATCH_BYTES = 12, 9
_CENTRED, _ON_ROLL, _PLAYING = 3, 1, 1
_FIELDS = (
    ("cube_log2", 4),
    ("owner", 2),
    ("on_roll", 1),
    ("crawford", 1),
    ("state", 3),
    ("turn", 1),
    ("doubled", 1),
    ("resigned", 2),
    ("high", 3),
    ("low", 3),
    ("length", 15),
    ("score_0", 15),
    ("score_1", 15),
    ("no_jacoby", 1),
)
"""The match ID's fields with their widths in bits, the lowest bit first."""


def position_id(position: Position, on_roll: Player) -> str:
    """The position ID, 14 characters: 4HPwATDgc/ABMA at the start. IdError when the position has none."""
    Situation(position=position).require_id()
    bits = "".join(
        "1" * n + "0" for player in (on_roll.opponent, on_roll) for n in position.side(player)[1 : BAR + 1]
    )
    return _encode(int(bits[::-1], 2), _POSITION_BYTES)


def parse_position_id(text: str, on_roll: Player = Player.WHITE) -> Position:
    """The position of an ID; checkers not on the board count as borne off. IdError says what is wrong."""
    bits = _decode(text, _POSITION_CHARS)
    opposing, bits = _take_side(bits)
    own, bits = _take_side(bits)
    if bits:
        raise IdError(say("too_many_sides_in_id", text=text))
    return Position.of(on_roll, own, opposing)


def match_id(situation: Situation) -> str:
    """The match ID, 12 characters for cube, dice and score. The player on roll is GNU Backgammon's player 1.

    IdError names what a match ID cannot hold.
    """
    situation.require_id()
    if situation.beavers_made:
        raise IdError(say("no_beaver_in_match_id"))
    answers = situation.doubled or situation.resigned is not None
    on_roll, owner = situation.on_roll, situation.cube.owner
    values = {
        "cube_log2": situation.cube.value.bit_length() - 1,
        "owner": _CENTRED if owner is None else _ON_ROLL if owner is on_roll else 0,
        "on_roll": _ON_ROLL,
        "crawford": int(situation.crawford),
        "state": _PLAYING,
        "turn": 0 if answers else _ON_ROLL,
        "doubled": int(situation.doubled),
        "resigned": situation.resigned.value if situation.resigned else 0,
        "high": situation.dice.high if situation.dice else 0,
        "low": situation.dice.low if situation.dice else 0,
        "length": situation.length,
        "score_0": situation.points(on_roll.opponent),
        "score_1": situation.points(on_roll),
        "no_jacoby": int(not situation.jacoby),
    }
    bits, shift = 0, 0
    for name, width in _FIELDS:
        bits |= (values[name] & ((1 << width) - 1)) << shift
        shift += width
    return _encode(bits, _MATCH_BYTES)


def parse_match_id(text: str, position: Position, on_roll: Player = Player.WHITE) -> Situation:
    """`position` with the cube, dice and score of a match ID. IdError says what is wrong with it."""
    values = dict(_take_fields(_decode(text, _MATCH_CHARS)))
    if values["owner"] == 2:
        raise IdError(say("wrong_owner_in_id", text=text))
    if values["state"] != _PLAYING:
        raise IdError(say("wrong_state_in_id", text=text, state=values["state"]))
    resigned = Win(values["resigned"]) if values["resigned"] else None
    answers = bool(values["doubled"]) or resigned is not None
    if (values["turn"] != values["on_roll"]) is not answers:
        raise IdError(say("wrong_turn_in_id", text=text))
    scores = {values["on_roll"]: on_roll, 1 - values["on_roll"]: on_roll.opponent}
    points = {scores[number]: values[f"score_{number}"] for number in (0, 1)}
    return Situation(
        position=position,
        on_roll=on_roll,
        dice=_dice_shown(text, values["high"], values["low"]),
        doubled=bool(values["doubled"]),
        resigned=resigned,
        cube=Cube(1 << values["cube_log2"], scores.get(values["owner"])),
        length=values["length"],
        score=(points[Player.WHITE], points[Player.BLACK]),
        crawford=bool(values["crawford"]),
        jacoby=not values["no_jacoby"],
    )


def gnubg_ids(situation: Situation) -> str:
    """Position ID and match ID joined by a colon, a form that GNU Backgammon accepts."""
    return f"{position_id(situation.position, situation.on_roll)}:{match_id(situation)}"


def parse_gnubg_ids(text: str, on_roll: Player = Player.WHITE) -> Situation:
    """The situation of `POSITION:MATCH`; IdError says what is wrong with it."""
    position, colon, match = text.strip().partition(":")
    if not colon:
        raise IdError(say("no_colon_in_ids", text=text[:40]))
    return parse_match_id(match, parse_position_id(position, on_roll), on_roll)


def _take_side(bits: int) -> tuple[list[int], int]:
    """The 26 counts of one side, and the remaining bits."""
    counts = []
    for _ in range(BAR):
        ones = (~bits & (bits + 1)).bit_length() - 1
        counts.append(ones)
        bits >>= ones + 1
    if sum(counts) > N_CHECKERS:
        raise IdError(say("too_many_in_id", number=sum(counts)))
    return [N_CHECKERS - sum(counts), *counts], bits


def _take_fields(bits: int) -> Iterator[tuple[str, int]]:
    for name, width in _FIELDS:
        yield name, bits & ((1 << width) - 1)
        bits >>= width


def _dice_shown(text: str, high: int, low: int) -> Dice | None:
    if not high and not low:
        return None
    try:
        return Dice(high, low)
    except DiceError:
        raise IdError(say("no_dice_in_id", text=text, high=high, low=low)) from None


def _encode(bits: int, n_bytes: int) -> str:
    return b64encode(bits.to_bytes(n_bytes, "little")).decode().rstrip("=")


def _decode(text: str, n_chars: int) -> int:
    """The bits of an ID; IdError when unused bits at its end are set, or it is no ID of this length."""
    if len(text) != n_chars:
        raise IdError(say("wrong_length_of_id", text=text[:40], number=len(text), n_chars=n_chars))
    wrong = next((place for place, char in enumerate(text) if char not in _ALPHABET), None)
    if wrong is not None:
        raise IdError(say("wrong_sign_in_id", number=wrong + 1, text=text, char=text[wrong]))
    data = a2b_base64(text + "=" * (-n_chars % 4))
    if b64encode(data).decode().rstrip("=") != text:
        raise IdError(say("unused_bits_in_id", number=n_chars, text=text, char=text[-1]))
    return int.from_bytes(data, "little")
