"""What people type while a game is watched: the commands of events.jsonl in fewer words.

done                                 the turn is over
double white · take black · pass black · beaver black
resign white gammon · accept black · refuse black
1 · 2 · 3                            answers the last question
correct 12 8/5 6/5                   half-turn 12 was this play; also: correct 12 WHITE:BLACK
set up WHITE:BLACK white             the board lies so now, White throws
start · start WHITE:BLACK black      a new game
right number black                   White's wrong play is taken back, he plays his throw again
alter                                the same, when both agree after the next throw
null throw black tilted              the throw is void: tilted, off board, on man, on die, premature ...
up white 1                           so many men borne while one was up are put up again
"""

from collections.abc import Sequence
from typing import Any

from controller.referee import Question, RefereeState
from controller.referee.inference.histories import History, likeliest_history
from controller.referee.words.people_commands import SPOKEN, CommandError
from controller.rules import Dice, EnteringLaws, PlayError, Position, parse_play

Data = dict[str, Any]

HELP = str(__doc__).split("\n", 2)[2].rstrip("\n")


def parse_typed_command(line: str, state: RefereeState, question: Question | None) -> Data:
    """The command in the form of `controller.referee.words.people_commands.command`, without its time.

    question: the last one that was asked. Raises CommandError when the line says nothing that is known.
    """
    words = line.split()
    match words:
        case [number] if number.isdecimal() and question is not None:
            return _answer(int(number), question)
        case [name, player] if name in SPOKEN:
            return {"command": name, "player": player}
        case ["resign", player]:
            return {"command": "resign", "player": player}
        case ["resign", player, win]:
            return {"command": "resign", "player": player, "win": win}
        case ["correct", number, *rest] if number.isdecimal() and rest:
            return _correction(int(number), rest, state)
        case ["set", "up", position, on_roll]:
            return {"command": "set up", "position": position, "on_roll": on_roll}
        case ["start", position, on_roll]:
            return {"command": "start", "position": position, "on_roll": on_roll}
        case ["right", "number", player]:
            return {"command": "require right number", "player": player}
        case ["alter"]:
            return {"command": "agree to alter"}
        case ["null", "throw", player, *fault]:
            return {"command": "null throw", "player": player, "fault": " ".join(fault)}
        case ["up", player, count] if count.isdecimal():
            return {"command": "put back up", "player": player, "count": int(count)}
        case ["done" | "start" as name]:
            return {"command": name}
    raise CommandError(f"{line.strip()!r} is no command; type help")


def _answer(number: int, question: Question) -> Data:
    if not 1 <= number <= len(question.candidates):
        raise CommandError(f"the question has the answers 1 to {len(question.candidates)}")
    position = question.candidates[number - 1].position
    return {"command": "correct", "half_turn": question.index + 1, "position": str(position)}


def _correction(number: int, words: Sequence[str], state: RefereeState) -> Data:
    """A correction by position, or by the play that led to it."""
    data = {"command": "correct", "half_turn": number}
    if len(words) == 1 and ":" in words[0]:
        return {**data, "position": words[0]}
    turns = state.record
    if not 1 <= number <= len(turns):
        raise CommandError(f"there is no half-turn {number}: {len(turns)} have been played")
    turn = turns[number - 1]
    if turn.dice is None:
        raise CommandError(f"the roll of half-turn {number} is not known; give the position after it")
    try:
        position = _result(_before(state, number), turn.dice, " ".join(words))
    except PlayError as error:
        raise CommandError(str(error)) from None
    return {**data, "position": str(position)}


def _result(before: History, dice: Dice, play: str) -> Position:
    """The board after a play; of the ordinary game also after one that the laws do not allow."""
    if isinstance(before.rules.laws, EnteringLaws):
        return before.plays(dice).parse(play).result
    made, _ = parse_play(play, before.position, before.on_roll, dice)
    return made.result


def _before(state: RefereeState, number: int) -> History:
    """The game before half-turn `number` (from 1)."""
    history: History | None = likeliest_history(state.histories)
    later = len(state.record)
    while history is not None and history.parent is not None and later >= number:
        later -= history.turn is not None
        history = history.parent
    assert history is not None
    return history
