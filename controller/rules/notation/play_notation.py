"""Parse plays from match files: legal or not, several numbers in one stroke, hits marked or not."""

from __future__ import annotations

from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws
from controller.rules.plays.legal_plays import Play, legal_plays, made
from controller.rules.plays.steps import Step, parse_steps


def parse_play(
    text: str, position: Position, player: Player, dice: Dice, laws: Laws = MODERN
) -> tuple[Play, bool]:
    """The play that `text` means, and whether it is legal; `LegalPlays.parse` is for legal plays alone.

    A stroke for several numbers hits on its way only where the text says so, if it can be played that way;
    otherwise a legal play that leaves the player's own checkers so is taken. PlayError when the text is no
    play, or starts from a place where the player has no checker.
    """
    return play_of_strokes(parse_steps(text), position, player, dice, laws)


def play_of_strokes(
    strokes: tuple[Step, ...], position: Position, player: Player, dice: Dice, laws: Laws = MODERN
) -> tuple[Play, bool]:
    """`parse_play` for strokes already parsed. Steps that each play one number are kept as they are."""
    strokes, result = made(strokes, position, player)
    plays = legal_plays(position, player, dice, laws)
    if play := plays.play_of(strokes, result):
        return play, True
    if fitting := plays.fitting(result):
        return fitting[0], True
    return Play.of(strokes, result), False
