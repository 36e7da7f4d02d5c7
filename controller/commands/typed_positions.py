"""Positions as people type them: WHITE:BLACK, an ID of GNU Backgammon, or an XGID."""

from collections.abc import Sequence
from typing import Any

from controller.commands.people_commands import CommandError
from controller.rules import Player, Position, PositionError
from controller.rules.notation.gnubg_id import parse_match_id, parse_position_id
from controller.rules.notation.situation import IdError
from controller.rules.notation.xgid import parse_xgid
from sentences import say

XGID_PREFIX = "XGID="
XGID_COLONS = 9
POSITION_ID_LENGTH, MATCH_ID_LENGTH = 14, 12


def parse_typed_position(words: Sequence[str], on_roll: Player) -> dict[str, Any]:
    """`position` and `on_roll` of a command. on_roll: who throws if the words do not say so.

    An ID of GNU Backgammon shows the board from the side of the player on roll. Only the board is taken from
    an ID: the cube and the score stay as they are. Raises CommandError when it is no position.
    """
    colours = {player.value: player for player in Player}
    named = colours.get(words[-1].lower()) if len(words) > 1 else None
    text = " ".join(words[:-1] if named else words)
    try:
        position, thrower = _parsed(text, named or on_roll)
    except (IdError, PositionError) as error:
        raise CommandError(say("no_typed_position", text=text, problem=error)) from None
    return {"position": str(position), "on_roll": (named or thrower).value}


def _parsed(text: str, on_roll: Player) -> tuple[Position, Player]:
    """The position, and who throws."""
    if text.startswith(XGID_PREFIX) or text.count(":") == XGID_COLONS:
        situation = parse_xgid(text)
        return situation.position, situation.on_roll
    if len(text) == POSITION_ID_LENGTH:
        return parse_position_id(text, on_roll), on_roll
    board, _, match = text.partition(":")
    if len(board) == POSITION_ID_LENGTH and len(match) == MATCH_ID_LENGTH:
        return parse_match_id(match, parse_position_id(board, on_roll), on_roll).position, on_roll
    return Position.parse(text), on_roll
