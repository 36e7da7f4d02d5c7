"""What a correction would change, shown before it is accepted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.errors import InputError
from controller.page.board_view import TurnedBoard, board_view
from controller.page.moment import Moment
from controller.perception.orientation import Orientation
from controller.referee import HalfTurn, RefereePhase, RefereeState
from controller.referee.inference.corrections import preview_correction, with_correction
from controller.referee.inference.histories import likeliest_history
from controller.referee.words.people_commands import CommandError
from controller.referee.words.sentences import Speech, play_text
from controller.referee.words.typed_commands import course_of, parse_typed_command
from controller.rules import BAR, OFF, Player, Position
from sentences import begun, say
from vision.board_reading import MAX_COUNT, N_POINTS

N_PLACED = N_POINTS + 2
"""Places of a board that people put right: the points, and the halves of the bar."""


@dataclass(frozen=True, kw_only=True)
class ChangedTurn:
    """A half-turn that would read otherwise. number: from 1."""

    number: int
    was: str
    becomes: str
    is_legal: bool


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A correction and what it would change.

    lines: what to send to accept it. changes: the half-turn itself first, then later ones. warning: what the
    camera says against it, or "". board: what it leaves.
    """

    lines: tuple[str, ...]
    changes: tuple[ChangedTurn, ...]
    warning: str
    board: TurnedBoard


def placed_position(counts: Sequence[int], orientation: Orientation) -> Position:
    """The position with these checkers: those of each place as the page numbers them, the rest borne off.

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
    """What was asked of `/difference`: a position, a play as people type it, or counts of the places.

    Raises InputError for what is none of them.
    """
    state, game, number = moment.state, path["game"], path["number"]
    try:
        if "counts" in given:
            counts = [int(count) for count in given["counts"].split(",")]
            position = placed_position(counts, moment.orientation)
        elif "play" in given:
            position = Position.parse(given["play"])
            if problems := position.problems():
                raise InputError(begun(say("page_impossible_position", problem=problems[0])))
        else:
            line = f"correct game {game} {number} {given.get('typed', '')}"
            data = parse_typed_command(line, state, None)
            position = Position.parse(data["position"])
    except CommandError as error:
        raise InputError(str(error)) from None
    except (ValueError, KeyError):
        raise InputError(say("page_no_position")) from None
    return difference(state, moment.orientation, game, number, position, speech)


def difference(
    state: RefereeState,
    orientation: Orientation,
    game: int,
    number: int,
    position: Position,
    speech: Speech = Speech.PLAIN,
) -> Difference | None:
    """What it would change if `position` stood after half-turn `number` of `game`, both from 1.

    None when there is no such half-turn.
    """
    course, index = course_of(state, game - 1), number - 1
    if course is None or not 0 <= index < len(course.turns):
        return None
    on_board = game - 1 == state.game
    histories = state.histories if on_board else (course,)
    is_seen = on_board and state.untouched and state.phase is RefereePhase.BEFORE_ROLL
    corrected = with_correction(histories, index, position)
    preview = preview_correction(histories, index, position, state.memory if is_seen else None)
    if corrected is None or preview is None:
        return None
    before, after = likeliest_history(histories).turns, likeliest_history(corrected).turns
    changes = tuple(
        ChangedTurn(
            number=at + 1, was=_turn_text(was, speech), becomes=_turn_text(turn, speech), is_legal=turn.legal
        )
        for at, (was, turn) in enumerate(zip(before, after, strict=False))
        if (was.steps, was.position, was.legal) != (turn.steps, turn.position, turn.legal)
    )
    line = f"correct game {game} {number} {position}"
    return Difference(
        lines=(line,) if preview.is_harmless else (line, "keep word"),
        changes=changes,
        warning=say("page_camera_sees_other") if preview.unlike_board else "",
        board=board_view(position, orientation),
    )


def _turn_text(turn: HalfTurn, speech: Speech) -> str:
    return f"{turn.dice or '??'}: {turn.words or play_text(turn.steps, speech)}"
