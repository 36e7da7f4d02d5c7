"""A recording turned into the record of its game."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from controller.errors import WorkError
from controller.eyes import Eyes
from controller.record.matches import GameRecord, MatchRecord
from controller.recording import MatchSettings, Recording
from controller.referee import Effect, HalfTurn, OffenceShown, State
from controller.referee.game import actions
from controller.rules import LAWS, Match
from controller.watch import Sink, Watch, play_back
from controller.words import place_name

Progress = Callable[[int, int], None]
"""Told how many frames are done, and of how many."""


@dataclass
class Transcript:
    """The record of a game, with the offences that were shown during each half-turn."""

    turns: tuple[HalfTurn, ...] = ()
    shown: dict[int, list[OffenceShown]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def note(self, effect: Effect) -> None:
        """Keep an effect that belongs in the transcript."""
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
    """The game as the only one, so far, of its match."""
    record = MatchRecord.under(LAWS[match.laws], match.length, match.white, match.black)
    played = actions(turns, start=match.position, on_roll=match.on_roll)
    game = GameRecord(actions=played, stakes=record.stakes, laws=record.laws)
    return replace(record, games=(game,))


def transcribe(
    recording: Recording, sinks: Sequence[Sink] = (), progress: Progress = lambda done, total: None
) -> Transcript:
    """Play a recording through the referee; `sinks` are told of every effect as well.

    Raises WorkError when no frame shows the board furnished, GeometryError when the corners lie elsewhere.
    """
    transcript = Transcript()
    laws = LAWS[recording.match.laws]
    watch = Watch(
        Eyes(recording.board, laws.start),
        sinks=(transcript.note, *sinks),
        state=State(match=Match.new(recording.match.length, laws)),
        picture_dice=recording.dice is None or not recording.dice.events,
    )
    for done, _ in enumerate(play_back(recording, watch), start=1):
        progress(done, len(recording.camera))
    if not watch.eyes.calibrated:
        raise WorkError(
            "No frame shows the start position at the given corners, so the checkers could not be learnt; "
            "check corners_px, white_home and light in recording.toml."
        )
    transcript.turns = watch.state.record
    dice_problems = recording.dice.problems if recording.dice else ()
    transcript.problems = (*recording.problems, *recording.camera.problems, *dice_problems)
    return transcript
