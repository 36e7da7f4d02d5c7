"""What a restart needs besides the plays, as rows of the log: the roll in play, and words to undo."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.record.journal import JOURNAL_CODEC, parse_half_turn
from controller.record.keeper import SHORTER_KIND, TRAY_KIND, UNSEEN_KIND, MatchKeeper
from controller.referee import HalfTurn, RefereePhase, RefereeState
from controller.referee.state import Word
from controller.rules import Dice, Player


class RestartNotes:
    """Logs what a restart needs besides effects: roll in play, shortened record, unseen half-turns."""

    def __init__(self, keeper: MatchKeeper, state: RefereeState) -> None:
        self._keeper = keeper
        self._game, self._n_turns = state.game, len(state.recorded)
        self._unseen = state.game, state.unseen_turns
        self._roll = _recorded_roll(state)

    def note(self, state: RefereeState, t_ms: int) -> None:
        """Log what has changed."""
        game = {"game": state.game}
        if self._game == state.game and len(state.recorded) < self._n_turns:
            self._keeper.note_row(t_ms, SHORTER_KIND, game | {"half_turns": len(state.recorded)})
        self._game, self._n_turns = state.game, len(state.recorded)
        unseen = state.unseen_turns
        if (state.game, unseen) != self._unseen and (unseen or state.game == self._unseen[0]):
            self._keeper.note_row(t_ms, UNSEEN_KIND, {"game": state.game, "half_turns": unseen})
        self._unseen = state.game, unseen
        roll = _recorded_roll(state)
        if roll is not None and roll != self._roll:
            self._keeper.note_row(t_ms, TRAY_KIND, game | roll)
        elif self._roll and roll is None and self._roll["half_turns"] == len(state.recorded):
            self._keeper.note_row(t_ms, TRAY_KIND, game | self._roll | {"faces": None})  # it did not count
        self._roll = roll


@dataclass(frozen=True, kw_only=True)
class LoggedRoll:
    """A roll in play: after how many half-turns, whose, and the faces in the tray, die 1 first."""

    half_turns: int
    player: Player
    faces: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class LoggedWord:
    """What people said, and what undoing it needs.

    declared: whether it is a declaration, not a change of what was played. kept: how many half-turns it left
    as they were. turns: the half-turns after those, as they were before the word. n_declared, roll, was_over:
    before the word, the number of declarations, the roll in play, and whether the game had ended. finished:
    half-turns of corrected earlier games before the word, by game. n_turns, rolls: after the word.
    """

    declared: bool
    kept: int
    turns: tuple[HalfTurn, ...]
    n_declared: int
    roll: LoggedRoll | None
    was_over: bool
    finished: Mapping[int, tuple[HalfTurn, ...]]
    n_turns: int
    rolls: tuple[Dice, ...]


def said_word(before: RefereeState, after: RefereeState) -> Word | None:
    """The word that a command has added to those that may be undone; None when it added none."""
    if after.refusal or not after.words or (before.words and after.words[-1] is before.words[-1]):
        return None
    return after.words[-1]


def word_payload(word: Word, after: RefereeState) -> dict[str, Any]:
    """What the log keeps of a word, besides the command. after: the state just after it."""
    before, then = word.before.record, after.record
    kept = next((n for n, pair in enumerate(zip(before, then, strict=False)) if pair[0] != pair[1]), None)
    kept = min(len(before), len(then)) if kept is None else kept
    finished = {
        str(number): _encoded(one.course.turns)
        for number, (one, other) in enumerate(zip(word.before.finished, after.finished, strict=False))
        if one.course.turns != other.course.turns
    }
    return {
        "kept": kept,
        "turns": _encoded(before[kept:]),
        "n_declared": len(word.before.declared),
        "is_declared": len(after.declared) > len(word.before.declared),
        "roll": roll_payload(word.before),
        "was_over": word.before.outcome is not None,
        "finished": finished,
        "n_turns": word.n_turns,
        "rolls": [str(dice) for dice in word.rolls],
    }


def parse_word(data: Mapping[str, Any]) -> LoggedWord | None:
    """The word in a row of the log; None in a row of an earlier version, which can no longer be undone."""
    if "n_turns" not in data:
        return None
    return LoggedWord(
        declared=data["is_declared"],
        kept=data["kept"],
        turns=tuple(map(parse_half_turn, data["turns"])),
        n_declared=data["n_declared"],
        roll=parse_roll(data["roll"]) if data["roll"] else None,
        was_over=data["was_over"],
        finished={
            int(number): tuple(map(parse_half_turn, turns)) for number, turns in data["finished"].items()
        },
        n_turns=data["n_turns"],
        rolls=tuple(map(Dice.parse, data["rolls"])),
    )


def restored_words(
    words: Sequence[LoggedWord | None], state_before: Callable[[LoggedWord], RefereeState]
) -> tuple[Word, ...]:
    """The words that may be undone, the last at the end.

    state_before: gives the state before a word; it is asked from the last word back to the first.
    """
    found: list[Word] = []
    for word in reversed(words):
        if word is None:
            break
        found.append(Word(state_before(word), word.n_turns, word.rolls))
    return tuple(reversed(found))


def roll_payload(state: RefereeState) -> dict[str, Any] | None:
    """The roll in play; None when there is none, or when it is not known."""
    if state.phase is not RefereePhase.ROLLED or len(state.rolls) != 1:
        return None
    faces = state.tray.roll or (state.rolls[0].high, state.rolls[0].low)
    return {"half_turns": len(state.record), "player": state.on_roll.value, "faces": list(faces)}


def _recorded_roll(state: RefereeState) -> dict[str, Any] | None:
    """The roll after the recorded half-turns. A half-turn not yet recorded counts as still being played."""
    n_recorded = len(state.recorded)
    if len(state.record) == n_recorded:
        return roll_payload(state)
    if len(state.record) < n_recorded:
        return None
    turn = state.record[n_recorded]
    if turn.dice is None or turn.dice_inferred:
        return None
    faces = [turn.dice.high, turn.dice.low]
    return {"half_turns": n_recorded, "player": turn.player.value, "faces": faces}


def parse_roll(data: Mapping[str, Any]) -> LoggedRoll:
    """The roll in a payload."""
    one, other = data["faces"]
    return LoggedRoll(half_turns=data["half_turns"], player=Player(data["player"]), faces=(one, other))


def _encoded(turns: Sequence[HalfTurn]) -> list[Any]:
    return [JOURNAL_CODEC.encode(turn) for turn in turns]
