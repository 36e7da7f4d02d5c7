"""What a correction would change, shown before it is accepted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.commands.people_commands import CommandError
from controller.commands.typed_commands import course_of, parse_typed_command
from controller.errors import InputError
from controller.page.board_view import TurnedBoard, board_view
from controller.page.moment import Moment
from controller.perception.orientation import Orientation
from controller.referee import RefereeState, TurnCorrected, step
from controller.referee.words.sentences import Speech, roll_and_play
from controller.rules import BAR, OFF, Dice, DiceError, Player, Position
from controller.service.conversation import previewed
from sentences import begun, say
from vision.board_reading import MAX_COUNT, N_POINTS

N_PLACED = N_POINTS + 2
"""Places of a board that people correct: the points, and the halves of the bar."""


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
    board: TurnedBoard


def placed_position(counts: Sequence[int], orientation: Orientation) -> Position:
    """The position with these checkers on the places of the page, and the rest borne off.

    counts: (26,) places 0 to 23, then the upper and the lower half of the bar; light ones positive. Raises
    InputError when no such position can stand on a board.
    """
    if len(counts) != N_PLACED or any(abs(count) > MAX_COUNT for count in counts):
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
        board=board_view(position, orientation),
    )
