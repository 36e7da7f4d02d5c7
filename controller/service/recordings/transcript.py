"""Turns a recording into the record of its game."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from controller.errors import InputError, WorkError
from controller.perception.board_watcher import BOARD_NOT_LEARNT, BoardWatcher
from controller.record.match_record import GameRecord, MatchRecord
from controller.record.match_settings import MatchSettings
from controller.record.thrown_games import ThrownGame, cannot_carry
from controller.referee import Effect, HalfTurn, OffenceShown
from controller.referee.game_actions import actions
from controller.referee.words.sentences import place_name
from controller.rules import LAWS, EnteringLaws, Player, PlayError
from controller.service.loop import GameLoop, Sink, play_back
from controller.service.recordings.recording import Recording

Progress = Callable[[int, int], None]
"""Called with the number of frames done and the number of all."""


@dataclass
class Transcript:
    """The record of a game, with the offences that were shown during each half-turn."""

    turns: tuple[HalfTurn, ...] = ()
    shown: dict[int, list[OffenceShown]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def note(self, effect: Effect) -> None:
        """Keep the effect if it is an offence that was shown."""
        if isinstance(effect, OffenceShown):
            self.shown.setdefault(effect.index, []).append(effect)

    def json_lines(self) -> list[str]:
        """One JSON object a half-turn."""
        return [json.dumps(self._object(index)) for index in range(len(self.turns))]

    def _object(self, index: int) -> dict[str, object]:
        turn = self.turns[index]
        return {
            "t_ms": turn.t_ms,
            "player": turn.player.value,
            "dice": [turn.dice.high, turn.dice.low] if turn.dice else None,
            "dice_inferred": turn.dice_inferred,
            "play": turn.play,
            "legal": turn.legal,
            "position": str(turn.position),
            "offence": [
                {
                    "t_ms": shown.t_ms,
                    "kind": offence.kind.name.lower(),
                    "places": [place_name(place, shown.player) for place in offence.places],
                }
                for shown in self.shown.get(index, ())
                for offence in shown.offences
            ]
            or None,
        }


def match_record(turns: Sequence[HalfTurn], match: MatchSettings) -> MatchRecord:
    """The match with this game as its only one.

    Raises InputError when the checkers are entered by throws; use `thrown_game` for such a game.
    """
    if isinstance(match.rules.laws, EnteringLaws):
        raise InputError(str(cannot_carry(match.rules.laws, ".mat")))
    record = MatchRecord.under(LAWS[match.laws], match.length, match.white, match.black)
    played = actions(turns, start=match.position, on_roll=match.on_roll)
    game = GameRecord(actions=played, stakes=record.stakes, laws=record.laws)
    return replace(record, games=(game,))


def thrown_game(turns: Sequence[HalfTurn], match: MatchSettings) -> ThrownGame:
    """The record of a game in which the checkers are entered by throws.

    Raises InputError when they are set up at first; use `match_record` for such a game.
    """
    laws = match.rules.laws
    if not isinstance(laws, EnteringLaws):
        raise InputError(f"By {laws.name} the checkers are set up at first: write the game as .mat.")
    leader = turns[0].player if turns else match.on_roll or Player.WHITE
    game = ThrownGame(laws=laws, leader=leader, white=match.white, black=match.black)
    for turn in turns:
        game = _with_turn(game, turn)
    return game


def _with_turn(game: ThrownGame, turn: HalfTurn) -> ThrownGame:
    """The game after one more half-turn. What cannot be written as a play is written as the board."""
    if turn.legal and turn.dice:
        with suppress(PlayError):
            return game.after(turn.dice, turn.words)
    on_board = replace(game.stand.on_board(turn.position), on_roll=turn.player.opponent, choosing=False)
    return game.after_irregular(turn.dice, turn.turn_state or on_board)


def transcribe(
    recording: Recording, sinks: Sequence[Sink] = (), progress: Progress = lambda done, total: None
) -> Transcript:
    """Play a recording through the referee. The sinks get every effect as well.

    Raises WorkError when no frame shows the start position, GeometryError when the corners do not fit.
    """
    transcript = Transcript()
    loop = GameLoop(
        BoardWatcher(recording.board, recording.match.furnished),
        sinks=(transcript.note, *sinks),
        state=recording.match.state(),
        picture_dice=recording.dice is None or not recording.dice.events,
    )
    for done, _ in enumerate(play_back(recording, loop), start=1):
        progress(done, len(recording.camera))
    if not loop.watcher.calibrated:
        raise WorkError(BOARD_NOT_LEARNT)
    transcript.turns = loop.state.record
    dice_problems = recording.dice.problems if recording.dice else ()
    transcript.problems = (*recording.problems, *recording.camera.problems, *dice_problems)
    return transcript
