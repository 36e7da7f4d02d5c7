"""Turns a recording into the record of its game."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.errors import WorkError
from controller.record.keeper import NoteRow
from controller.record.match_settings import MatchSettings
from controller.referee import (
    Effect,
    HalfTurn,
    OffenceShown,
    RefereeState,
    RollCalled,
    recorded_offences,
)
from controller.rules import Place, Player
from controller.service.loop import GameLoop, Sink, play_back
from controller.service.matches.played_matches import PlayedGame, PlayedMatch, played_game
from controller.service.recordings.recording import Recording
from controller.service.recordings.recording_log import RecordingLog

Progress = Callable[[int, int], None]
"""Called with the number of frames done and the number of all."""


@dataclass
class Transcript:
    """The record of a game, with the offences of each half-turn."""

    games: tuple[PlayedGame, ...] = ()
    shown: dict[tuple[int, int], list[OffenceShown]] = field(default_factory=dict)
    """Those that were shown, by game and half-turn, both from 0."""
    not_shown: dict[tuple[int, int], list[OffenceShown]] = field(default_factory=dict)
    """Those of the half-turns that are recorded as illegal though no offence was shown."""
    restored: frozenset[tuple[int, int]] = frozenset()
    """The half-turns that were played before the recording begins. What was shown then is not in it."""
    problems: tuple[str, ...] = ()
    broke_off: bool = False
    """Whether the film broke off before its end."""
    n_rolls: int = 0
    """How many throws were reported or read from the pictures."""
    _states: dict[int, RefereeState] = field(default_factory=dict)

    def note(self, effect: Effect) -> None:
        """Keep the effect if it is an offence that was shown, and count throws."""
        self.n_rolls += isinstance(effect, RollCalled)
        if isinstance(effect, OffenceShown):
            self.shown.setdefault((max(self._states, default=0), effect.index), []).append(effect)

    def note_state(self, state: RefereeState) -> None:
        """Keep the state of the referee's current game."""
        if state.histories:
            self._states[state.game] = state

    def finish(self) -> None:
        """Make the games from the last states. No more states follow."""
        self.games = tuple(played_game(self._states[number]) for number in sorted(self._states))
        for number, state in self._states.items():
            for offence in recorded_offences(state):
                key = number, offence.index
                if key not in self.shown and key not in self.restored:
                    self.not_shown[key] = [offence]

    @property
    def turns(self) -> tuple[HalfTurn, ...]:
        """The half-turns of the last game."""
        return self.games[-1].turns if self.games else ()

    def played(self, match: MatchSettings) -> PlayedMatch:
        return PlayedMatch(match=match, games=self.games)

    def json_lines(self) -> list[str]:
        """One JSON object a half-turn."""
        return [
            json.dumps(self._object(game, index))
            for game, played in enumerate(self.games)
            for index in range(len(played.turns))
        ]

    def _object(self, game: int, index: int) -> dict[str, object]:
        turn, key = self.games[game].turns[index], (game, index)
        return {
            "game": game + 1,
            "t_ms": turn.t_ms,
            "player": turn.player.value,
            "dice": [turn.dice.high, turn.dice.low] if turn.dice else None,
            "dice_inferred": turn.dice_inferred,
            "play": turn.play,
            "legal": turn.legal,
            "position": str(turn.position),
            "seen": not turn.unseen,
            "offence": [
                {
                    "t_ms": found.t_ms,
                    "kind": offence.kind.name.lower(),
                    "places": [_place_name(place, found.player) for place in offence.places],
                    "shown": key in self.shown,
                }
                for found in self.shown.get(key) or self.not_shown.get(key) or []
                for offence in found.offences
            ]
            or None,
        }


def _place_name(place: Place, player: Player) -> int | str:
    """A place in `player`'s numbering: 1 to 24, 25 his bar, 0 his tray; the opponent's two in words."""
    return place.seen_by(player) if place.player in (None, player) else str(place)


def transcribe(
    recording: Recording,
    sinks: Sequence[Sink] = (),
    progress: Progress = lambda done, total: None,
    note_state: Callable[[RefereeState], None] = lambda state: None,
    note_row: NoteRow | None = None,
) -> Transcript:
    """Play a recording through the referee.

    The sinks get every effect, note_state every state, note_row every row that the service would log.

    Raises WorkError when no frame shows a position to learn from, GeometryError when the corners do not fit.
    """
    resumed = recording.resumed
    earlier = (*resumed.finished, resumed.state) if resumed else ()
    transcript = Transcript(
        restored=frozenset((state.game, n) for state in earlier for n in range(len(state.record)))
    )

    def noted(state: RefereeState) -> None:
        transcript.note_state(state)
        log.note_state(state)
        note_state(state)

    begun = resumed.state if resumed else recording.fresh
    log = RecordingLog(note_row or (lambda t_ms, kind, payload: None), begun)
    for finished in resumed.finished if resumed else ():
        transcript.note_state(finished)
    loop = GameLoop(
        recording.watcher(),
        sinks=(transcript.note, *sinks),
        state=begun,
        picture_dice=recording.dice is None or not recording.dice.events,
        note_state=noted,
        keep=log.keep,
    )
    noted(loop.state)
    for done, _ in enumerate(play_back(recording, loop, log.note_command), start=1):
        progress(done, done + len(recording.camera))
    if not loop.watcher.calibrated:
        raise WorkError(" ".join([*recording.camera.problems, recording.not_learnt]))
    loop.record_rest()
    transcript.finish()
    transcript.broke_off = recording.camera.broke_off
    dice_problems = recording.dice.problems if recording.dice else ()
    told = [sentence for sentence in (loop.watcher.elsewhere, loop.watcher.exchanged) if sentence]
    transcript.problems = (*recording.problems, *recording.camera.problems, *dice_problems, *told)
    return transcript
