"""What people may choose instead of a recorded half-turn: the plays of its roll, the likeliest first."""

from dataclasses import dataclass

from controller.commands.typed_commands import course_before, course_of
from controller.page.board_view import TurnedBoard, board_view
from controller.perception.orientation import Orientation
from controller.referee import RefereeState
from controller.referee.inference.histories import History
from controller.referee.words.sentences import Speech, play_made
from controller.rules import Dice, Position

MOST_PLAYS = 40
"""Most plays that are offered: whoever looks further has the wrong half-turn. Guess."""


@dataclass(frozen=True, kw_only=True)
class OfferedPlay:
    """A play that may be chosen, the position that it leaves, and the board to show."""

    text: str
    position: str
    board: TurnedBoard


@dataclass(frozen=True, kw_only=True)
class RankedPlays:
    """A half-turn that may be corrected. number, game: from 1. before, after: the boards before and after it.

    dice: its roll, or the one that was asked about. plays: the possible plays of that roll. n_more: how many
    plays are not listed. still: the address of the photograph of the board after it, or "".
    """

    game: int
    number: int
    player: str
    dice: str
    recorded: str
    before: TurnedBoard
    after: TurnedBoard
    plays: tuple[OfferedPlay, ...]
    n_more: int
    still: str = ""


def ranked_plays(
    state: RefereeState,
    orientation: Orientation,
    game: int,
    number: int,
    dice: Dice | None = None,
    speech: Speech = Speech.PLAIN,
) -> RankedPlays | None:
    """The plays for half-turn `number` of `game`, both from 1; None when there is no such half-turn.

    dice: the roll that people name; None for the recorded one. First come the plays of the histories that are
    still possible, then the other plays of the roll, ordered by how like the recorded board theirs are.
    """
    course = course_of(state, game - 1)
    if course is None or not 1 <= number <= len(course.turns):
        return None
    turn, earlier = course.turns[number - 1], course_before(course, number)
    roll = dice or turn.dice
    found: dict[Position, str] = {}
    for history in _possible(state, game, number):
        rival = history.turns[number - 1]
        if rival.player is turn.player and dice in (None, rival.dice):
            found.setdefault(rival.position, play_made(rival, speech))
    for play in _plays(earlier, roll, turn.position):
        found.setdefault(*play)
    if roll == turn.dice:
        found.pop(turn.position, None)
    listed = list(found.items())
    return RankedPlays(
        game=game,
        number=number,
        player=turn.player.value,
        dice=str(roll or ""),
        recorded=play_made(turn, speech),
        before=board_view(earlier.position, orientation),
        after=board_view(turn.position, orientation),
        plays=tuple(
            OfferedPlay(
                text=text,
                position=str(position),
                board=board_view(position, orientation),
            )
            for position, text in listed[:MOST_PLAYS]
        ),
        n_more=max(0, len(listed) - MOST_PLAYS),
    )


def _possible(state: RefereeState, game: int, number: int) -> list[History]:
    """The possible histories of the current game that have such a half-turn, the likeliest first."""
    if game - 1 != state.game:
        return []
    long_enough = [history for history in state.histories if len(history.turns) >= number]
    return sorted(long_enough, key=lambda history: -history.weight)


def _plays(earlier: History, dice: Dice | None, recorded: Position) -> list[tuple[Position, str]]:
    """(board, play) of every legal play of the roll; none where the roll is unknown or has too many."""
    if dice is None or earlier.rules.is_wide(dice):
        return []
    plays = [(play.result, str(play)) for play in earlier.plays(dice)]
    return sorted(plays, key=lambda play: (_unlike(play[0], recorded), play[1]))


def _unlike(one: Position, other: Position) -> int:
    """How much two positions differ: the sum over all places of the difference in checkers."""
    sides = zip((*one.white, *one.black), (*other.white, *other.black), strict=True)
    return sum(abs(a - b) for a, b in sides)
