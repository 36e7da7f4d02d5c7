"""Mending the record: what people may choose instead of a half-turn, and what a correction would change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.commands.people_commands import CommandError
from controller.commands.typed_commands import course_before, course_of, parse_typed_command
from controller.errors import InputError
from controller.page.moment import Moment
from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import Orientation
from controller.referee import RefereeState, TurnCorrected, step
from controller.referee.inference.histories import History
from controller.referee.words.sentences import Speech, play_made, roll_and_play
from controller.rules import BAR, OFF, Dice, DiceError, Player, Position
from controller.service.conversation import previewed
from hardware.terminal_lights import DrawnBoard
from sentences import begun, say
from vision.board_reading import MAX_COUNT, N_POINTS

MOST_PLAYS = 40
"""Most plays that are offered: whoever looks further has the wrong half-turn. Guess."""
N_PLACED = N_POINTS + 2
"""Places of a board that people correct: the points, and the halves of the bar."""


@dataclass(frozen=True, kw_only=True)
class OfferedPlay:
    """A play that may be chosen, the position that it leaves, and the board to show."""

    text: str
    position: str
    board: DrawnBoard


@dataclass(frozen=True, kw_only=True)
class RankedPlays:
    """A half-turn that may be corrected. number, game: from 1. before, after: the boards before and after it.

    dice: its roll, or the one that was asked about. plays: the likeliest plays of that roll.
    still: the address of the photograph of the board after it, or "".
    """

    game: int
    number: int
    player: str
    dice: str
    recorded: str
    before: DrawnBoard
    after: DrawnBoard
    plays: tuple[OfferedPlay, ...]
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
    return RankedPlays(
        game=game,
        number=number,
        player=turn.player.value,
        dice=str(roll or ""),
        recorded=play_made(turn, speech),
        before=drawn_board(earlier.position, orientation),
        after=drawn_board(turn.position, orientation),
        plays=tuple(
            OfferedPlay(
                text=text,
                position=str(position),
                board=drawn_board(position, orientation),
            )
            for position, text in list(found.items())[:MOST_PLAYS]
        ),
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


# -- what a correction would change


@dataclass(frozen=True, kw_only=True)
class ChangedTurn:
    """A half-turn that the correction would change. number: from 1."""

    number: int
    was: str
    becomes: str
    is_legal: bool


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A correction and what it would change.

    lines: the commands that accept it. changes: the half-turn itself first, then later ones. warning: what
    the camera says against it, or "". board: the board that it leaves.
    """

    lines: tuple[str, ...]
    changes: tuple[ChangedTurn, ...]
    warning: str
    board: DrawnBoard


def placed_position(counts: Sequence[int], orientation: Orientation) -> Position:
    """The position with these checkers on the places of the page, and the rest borne off.

    counts: (26,) places 0 to 23, then the upper and the lower half of the bar; light ones positive. Raises
    InputError when no such position can stand on a board.
    """
    if len(counts) != N_PLACED:
        raise InputError(say("page_no_position"))
    sign = 1 if orientation.light is Player.WHITE else -1
    white, black = [0] * (BAR + 1), [0] * (BAR + 1)
    for point in range(1, BAR):
        count = sign * counts[orientation.place(point)]
        white[point], black[BAR - point] = max(count, 0), max(-count, 0)
    bar = [sign * count for count in counts[N_POINTS:]]
    white[BAR], black[BAR] = sum(max(count, 0) for count in bar), sum(max(-count, 0) for count in bar)
    for side in (white, black):
        side[OFF] = MAX_COUNT - sum(side)
    if min(white[OFF], black[OFF]) < 0:
        raise InputError(say("page_too_many_checkers"))
    position = Position(tuple(white), tuple(black))
    if problems := position.problems():
        raise InputError(begun(say("page_impossible_position", problem=problems[0])))
    return position


def asked_difference(
    moment: Moment, path: Mapping[str, int], given: Mapping[str, str], speech: Speech
) -> Difference | None:
    """The answer to `/difference`: what a correction would change; None when there is no such half-turn.

    given: the counts of the places, a position (`play`), or a play as people type it (`typed`), and perhaps a
    roll (`dice`). Raises InputError when they cannot be read or make no correction.
    """
    state, game, number = moment.state, path["game"], path["number"]
    roll = given.get("dice", "")
    dice = parse_roll(roll)
    try:
        if "counts" in given:
            counts = [int(count) for count in given["counts"].split(",")]
            position = placed_position(counts, moment.orientation)
        elif "play" in given:
            position = Position.parse(given["play"])
            if problems := position.problems():
                raise InputError(begun(say("page_impossible_position", problem=problems[0])))
        else:
            line = f"correct game {game} {number} {roll} {given.get('typed', '')}"
            data = parse_typed_command(line, state, None)
            position = Position.parse(data["position"])
    except CommandError as error:
        raise InputError(str(error)) from None
    except (ValueError, KeyError):
        raise InputError(say("page_no_position")) from None
    said = TurnCorrected(t_ms=moment.t_ms, index=number - 1, position=position, game=game - 1, dice=dice)
    return difference(state, moment.orientation, said, speech)


def parse_roll(text: str) -> Dice | None:
    """The roll in `text`; None when it is empty. Raises InputError when it is no roll."""
    try:
        return Dice.parse(text) if text else None
    except DiceError:
        raise InputError(say("page_no_roll")) from None


def difference(
    state: RefereeState, orientation: Orientation, said: TurnCorrected, speech: Speech = Speech.PLAIN
) -> Difference | None:
    """What a correction would change; None when there is no such half-turn.

    Raises InputError when the referee would refuse it.
    """
    course, index, position = course_of(state, said.game), said.index, said.position
    if course is None or not 0 <= index < len(course.turns):
        return None
    preview = previewed(state, said)
    after, _ = step(state, said)
    if after.refusal:
        raise InputError(after.refusal)
    corrected = course_of(after, said.game)
    assert preview is not None, "the half-turn is there"
    assert corrected is not None, "the game is there"
    changes = tuple(
        ChangedTurn(
            number=at + 1,
            was=roll_and_play(was, speech),
            becomes=roll_and_play(turn, speech),
            is_legal=turn.legal,
        )
        for at, (was, turn) in enumerate(zip(course.turns, corrected.turns, strict=False))
        if was != turn
    )
    roll = f"{said.dice}: " if said.dice else ""
    line = f"correct game {(said.game or 0) + 1} {index + 1} {roll}{position}"
    return Difference(
        lines=(line,) if preview.is_harmless else (line, "keep word"),
        changes=changes,
        warning=say("page_camera_sees_other") if preview.unlike_board else "",
        board=drawn_board(position, orientation),
    )
