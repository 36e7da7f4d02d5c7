"""The record of a game as people read it."""

from collections.abc import Sequence

from controller.recording import MatchSettings
from controller.referee import HalfTurn
from controller.rules import Player
from controller.transcript import Transcript
from controller.words import sentence

CELL = 36


def transcript_text(transcript: Transcript, match: MatchSettings) -> str:
    """The score sheet, and below it what was wrong and shown."""
    lines = [f"{match.white} (White) v. {match.black} (Black), {_length(match.length)}", ""]
    lines += score_sheet(transcript.turns)
    shown = [
        f"{index + 1:3}. {sentence(shown, match.names)}"
        for index, all_shown in sorted(transcript.shown.items())
        for shown in all_shown
    ]
    if shown:
        lines += ["", "Shown during half-turn:", *shown]
    return "\n".join(lines)


def score_sheet(turns: Sequence[HalfTurn]) -> list[str]:
    """Two half-turns a line, White on the left; `!` marks an illegal play that stood, `?` inferred dice."""
    rows: list[list[str]] = []
    for turn in turns:
        if not rows or turn.player is Player.WHITE or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][0 if turn.player is Player.WHITE else 1] = cell(turn)
    return [f"{n:3}) {left:<{CELL}}{right}".rstrip() for n, (left, right) in enumerate(rows, start=1)]


def cell(turn: HalfTurn) -> str:
    """One half-turn: `31: 8/5 6/5`."""
    dice = f"{turn.dice}{'?' if turn.dice_inferred else ''}" if turn.dice else "??"
    return f"{dice}: {turn.play}{'' if turn.legal else ' !'}"


def _length(length: int) -> str:
    return f"{length} point match" if length else "money session"
