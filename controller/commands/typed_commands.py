"""What people type while a game is watched: the commands of events.jsonl in fewer words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from controller.commands.people_commands import SPOKEN, CommandError
from controller.referee import Question, RefereePhase, RefereeState
from controller.referee.inference.histories import History
from controller.rules import (
    Dice,
    EnteringLaws,
    Player,
    PlayError,
    Position,
    PositionError,
    Win,
    parse_play,
)
from controller.rules.notation.gnubg_id import parse_match_id, parse_position_id
from controller.rules.notation.situation import IdError
from controller.rules.notation.xgid import parse_xgid
from sentences import Key, said_of, say

Data = dict[str, Any]

TILTED = "tilted"
EXAMPLES = {
    "correct": "correct 12 8/5 6/5",
    "set up": f"set up {Position.START} white",
    "start": "start WHITE:BLACK black",
    "null throw": "null throw black tilted",
    "up": "up white 1",
    "resign": "resign white gammon",
    "right number": "right number black",
}
"""An example of each command that can take more words."""
GAME_HELP = (
    ("done", Key("help_done")),
    ("double · take · pass · beaver", Key("help_double_take_pass_beaver")),
    ("resign · resign gammon", Key("help_resign_resign_gammon")),
    ("accept · refuse", Key("help_accept_refuse")),
    ("1 · 2 · 3", Key("help_1_2_3")),
    ("correct 12 8/5 6/5", Key("help_correct_12_8_5_6_5")),
    ("correct 12 31: 8/5 6/5", Key("help_correct_12_31_8_5_6_5")),
    ("correct game 1 12 8/5 6/5", Key("help_correct_game_1_12_8_5_6_5")),
    ("take back", Key("help_take_back")),
    ("undo", Key("help_undo")),
    ("set up WHITE:BLACK white", Key("help_set_up_white_black_white")),
    ("set up 4HPwATDgc/ABMA black", Key("help_set_up_4hpwatdgc_abma_black")),
    ("start · start WHITE:BLACK black", Key("help_start_start_white_black_black")),
    ("cocked", Key("help_cocked")),
    ("null throw black tilted", Key("help_null_throw_black_tilted")),
    ("right number black", Key("help_right_number_black")),
    ("alter", Key("help_alter")),
    ("up white 1", Key("help_up_white_1")),
    ("pause · go on", Key("help_pause_go_on")),
    ("help · more", Key("help_help_more")),
    ("quit", Key("help_quit")),
)
"""What may be typed while a game is watched, and what it means."""
HELP_COLUMN = 33
"""Characters of the column that shows what is typed. The longest entry has 31."""
ONE_WORD = ("done", "alter", "undo", "take back", "cocked", "pause", "go on", "help", "more", "quit")
COMMANDS = (*SPOKEN, *ONE_WORD, *EXAMPLES)
"""The first word or words of every command."""
BEGINNINGS = range(2, 0, -1)
"""How many words of a line are compared with the commands: two, then one."""
ROLL = re.compile(r"([1-6]{2}):?")
"""How a roll is written in front of a play: `31`, or `31:` as in a record."""
XGID_PREFIX = "XGID="
XGID_COLONS = 9
POSITION_ID_LENGTH, MATCH_ID_LENGTH = 14, 12
Names = Mapping[Player, str]
PLAYER_COLOURS: Names = {player: player.value for player in Player}


def parse_typed_command(
    line: str,
    state: RefereeState,
    question: Question | None,
    names: Names = PLAYER_COLOURS,
    more: Sequence[str] = (),
) -> Data:
    """The command as `controller.commands.people_commands.parse_command` takes it, without its time.

    question: the last one that was asked. names: of the players, which may stand for their colours. more:
    other words that may be typed here. Raises CommandError when the line is no known command.
    """
    words = _with_colours(line, names).split()
    lowered = [word.lower() for word in words]
    match lowered:
        case [number] if number.isdecimal():
            return _answer(int(number), question)
        case ["take", "back"]:
            return {"command": "take back"}
        case ["cocked"]:
            return {"command": "null throw", "player": _on_roll(state).value, "fault": TILTED}
        case ["alter"]:
            return {"command": "agree to alter"}
        case ["done" | "start" | "undo" as name]:
            return {"command": name}
        case ["right", "number", *player]:
            return {"command": "require right number", "player": _player(player, _on_roll(state), names)}
        case [name, *player] if name in SPOKEN and len(player) <= 1:
            return {"command": name, "player": _player(player, _who_says(name, state), names)}
        case ["resign", *rest]:
            return _resignation(rest, state, names)
        case ["correct", "game", game, number, *rest] if game.isdecimal() and number.isdecimal() and rest:
            return _correction(int(number), words[4:], state, int(game))
        case ["correct", number, *rest] if number.isdecimal() and rest:
            return _correction(int(number), words[2:], state)
        case ["set", "up", _, *_]:
            return {"command": "set up", **_typed_position(words[2:], _on_roll(state))}
        case ["start", _, *_]:
            return {"command": "start", **_typed_position(words[1:], _on_roll(state))}
        case ["null", "throw", player, *fault] if fault:
            who = _player([player], _on_roll(state), names)
            return {"command": "null throw", "player": who, "fault": " ".join(fault)}
        case ["up", player, count] if count.isdecimal():
            who = _player([player], _on_roll(state), names)
            return {"command": "put back up", "player": who, "count": int(count)}
    raise CommandError(_unknown(line, lowered, more))


def _unknown(line: str, words: Sequence[str], more: Sequence[str]) -> str:
    """What is wrong with a line that is no command, and the command that is nearest to it."""
    said = line.strip()
    for length in BEGINNINGS:
        if (example := EXAMPLES.get(" ".join(words[:length]))) is not None:
            return say("command_not_complete", said=said, example=example)
    known = (*COMMANDS, *more)
    for length in BEGINNINGS:
        near = get_close_matches(" ".join(words[:length]), known, n=1)
        if near:
            return say("command_unknown_but_near", said=said, near=near[0])
    return say("command_unknown", said=said)


def _with_colours(line: str, names: Names) -> str:
    """The line with the players' names replaced by their colours, whatever case they are typed in."""
    for player, name in sorted(names.items(), key=lambda one: -len(one[1])):
        if name.strip():
            line = re.sub(rf"(?<!\S){re.escape(name.strip())}(?!\S)", player.value, line, flags=re.IGNORECASE)
    return line


def _player(said: Sequence[str], otherwise: Player, names: Names) -> str:
    """The player that was named, or the one who is meant when none is."""
    if not said:
        return otherwise.value
    known = {player.value: player for player in Player}
    if said[0] not in known:
        called = dict.fromkeys([*known, *names.values()])
        raise CommandError(say("no_such_player", said=said[0], players=", ".join(called)))
    return said[0]


def _on_roll(state: RefereeState) -> Player:
    """Who is on roll. Before a game it is White, so that the referee refuses with the reason."""
    return state.on_roll if state.histories else Player.WHITE


def _who_says(name: str, state: RefereeState) -> Player:
    """Who is meant when a double, or an answer, is typed without a player."""
    if name == "double":
        over = state.phase is RefereePhase.ROLLED and _play_lies_complete(state)
        return _on_roll(state).opponent if over else _on_roll(state)
    return (state.game_by_rules.asked if state.histories else None) or _on_roll(state)


def _play_lies_complete(state: RefereeState) -> bool:
    """Whether the board shows a whole play of the roll, which may be none: the opponent doubles then."""
    return any(state.shown in state.likeliest.plays(dice) for dice in state.rolls)


def _resignation(words: Sequence[str], state: RefereeState, names: Names) -> Data:
    """`resign`, `resign gammon`, `resign white`, `resign white gammon`."""
    wins = [win.name.lower() for win in Win]
    win = words[-1] if words and words[-1] in wins else None
    rest = words[: len(words) - (win is not None)]
    if len(rest) > 1:
        raise CommandError(say("write_it_like", example=EXAMPLES["resign"]))
    data = {"command": "resign", "player": _player(rest, _on_roll(state), names)}
    return data if win is None else {**data, "win": win}


def _answer(number: int, question: Question | None) -> Data:
    if question is None:
        raise CommandError(say("no_question_asked", number=number))
    if not 1 <= number <= len(question.candidates):
        raise CommandError(say("answers_are", n_answers=len(question.candidates)))
    position = question.candidates[number - 1].position
    return {"command": "correct", "half_turn": question.index + 1, "position": str(position)}


def _correction(number: int, words: Sequence[str], state: RefereeState, game: int | None = None) -> Data:
    """A correction by position or by play, either of them after an optional roll; or by a roll alone.

    game: from 1, None for the present one.
    """
    data: Data = {"command": "correct", "half_turn": number} | ({} if game is None else {"game": game})
    if roll := ROLL.fullmatch(words[0]):
        data["dice"], words = roll[1], words[1:]
    if len(words) == 1 and ":" in words[0]:
        return {**data, "position": words[0]}
    course = course_of(state, None if game is None else game - 1)
    if course is None:
        raise CommandError(say("no_game_begun") if game is None else say("no_game_to_correct", game=game))
    turns = course.turns
    if not 1 <= number <= len(turns):
        raise CommandError(say("no_half_turn_so_far", number=number, n_turns=len(turns)))
    turn = turns[number - 1]
    if not words:
        return {**data, "position": str(turn.position)}
    dice = Dice.parse(data["dice"]) if "dice" in data else turn.dice
    if dice is None:
        raise CommandError(say("roll_not_known", number=number))
    try:
        position = _result(course_before(course, number), dice, " ".join(words))
    except PlayError as error:
        raise CommandError(said_of(error)) from None
    return {**data, "position": str(position)}


def help_lines(entries: Iterable[tuple[str, Key]]) -> list[str]:
    """A line for each entry: what is typed, and what it means."""
    return [f"{typed:<{HELP_COLUMN}}{say(meaning)}" for typed, meaning in entries]


def course_of(state: RefereeState, game: int | None) -> History | None:
    """The likeliest course of a game (from 0; None for the current one); None when there is no such game."""
    if game is None or game == state.game:
        return state.likeliest if state.histories else None
    return state.finished[game].course if 0 <= game < len(state.finished) else None


def _result(before: History, dice: Dice, play: str) -> Position:
    """The board after a play. In ordinary backgammon the play may be one that the laws do not allow."""
    if isinstance(before.rules.laws, EnteringLaws):
        return before.plays(dice).parse(play).result
    made, _ = parse_play(play, before.position, before.on_roll, dice)
    return made.result


def course_before(course: History, number: int) -> History:
    """The game before half-turn `number` (from 1)."""
    history: History | None = course
    later = len(course.turns)
    while history is not None and history.parent is not None and later >= number:
        later -= history.turn is not None
        history = history.parent
    assert history is not None
    return history


def _typed_position(words: Sequence[str], on_roll: Player) -> Data:
    """`position` and `on_roll` of a command. on_roll: who throws if the words do not say so.

    An ID of GNU Backgammon shows the board from the side of the player on roll. Only the board is taken from
    an ID: the cube and the score stay as they are. Raises CommandError when it is no position.
    """
    colours = {player.value: player for player in Player}
    named = colours.get(words[-1].lower()) if len(words) > 1 else None
    text = " ".join(words[:-1] if named else words)
    try:
        position, thrower = _position_and_thrower(text, named or on_roll)
    except (IdError, PositionError) as error:
        raise CommandError(say("no_typed_position", text=text, problem=error)) from None
    return {"position": str(position), "on_roll": (named or thrower).value}


def _position_and_thrower(text: str, on_roll: Player) -> tuple[Position, Player]:
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
