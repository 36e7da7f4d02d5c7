"""Whole games from recordings: half-turns recorded rightly, and illegal plays reported.

Needs a folder `recordings` of labelled recordings in the data folder; `tests.benchmarks.rendered_games` makes
more of them.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from controller.errors import BlotlightError
from controller.perception.board_settings import parse_board_settings
from controller.rules import Player, Position
from controller.service.recordings.recording import Recording, open_recording
from controller.service.recordings.transcript import Transcript, transcribe
from tests.benchmarks.referee import aligned_boards

NO_OFFENCES = ("missing", "ambiguous")
"""Faults of recordings that may be reported as an illegal play without being a false alarm."""


def run(data: Path | None) -> None:
    """Print a row for each recording under `data`: with corners and dice, unaided, and without dice."""
    folders = sorted(path.parent for path in (data or Path()).glob("recordings/*/truth.jsonl"))
    if not folders:
        print("no labelled recordings: give --data FOLDER with recordings/NAME/truth.jsonl in it")
        return
    cv2.setNumThreads(1)
    for name, change in (
        ("with corners and dice", _as_it_is),
        ("unaided", without_geometry),
        ("no dice", without_dice),
    ):
        print(f"{name}:")
        for folder in folders:
            print(
                f"  {folder.name:24s} {recorded_rightly(folder, change(open_recording(folder)))}", flush=True
            )


def _as_it_is(recording: Recording) -> Recording:
    return recording


def without_geometry(recording: Recording) -> Recording:
    """The recording without corners, bar and orientation."""
    light = {"light": recording.board.orientation.light.value}
    return replace(recording, board=parse_board_settings(light, recording.name))


def without_dice(recording: Recording) -> Recording:
    """The recording without a dice sensor."""
    return replace(recording, dice=None)


def recorded_rightly(folder: Path, recording: Recording) -> str:
    """One line on how much of the truth in `folder` is in the record of a recording."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    truth = [turn for turn in truth if turn["position"]]
    try:
        transcript = transcribe(recording)
    except BlotlightError as problem:
        return f"0/{len(truth)}: {problem}"
    played = [(Player(turn["player"]), Position.parse(turn["position"])) for turn in truth]
    matched = aligned_boards(played, [(turn.player, turn.position) for turn in transcript.turns])
    told = {place for place, index in enumerate(matched) if _is_told(transcript, index)}
    wrong = {place for place, turn in enumerate(truth) if not turn["legal"] or turn["illegal_first"]}
    alarms = [place for place in told - wrong if not _is_fault(truth[place])]
    right = sum(index is not None for index in matched)
    return (
        f"half-turns {right}/{len(truth)}, recorded {len(transcript.turns)}, "
        f"illegal plays told {len(told & wrong)}/{len(wrong)}, false alarms {len(alarms)}"
    )


def _is_told(transcript: Transcript, index: int | None) -> bool:
    return index is not None and (len(transcript.games) - 1, index) in transcript.shown


def _is_fault(turn: dict[str, Any]) -> bool:
    return any(fault in (turn["fault"] or "") for fault in NO_OFFENCES)
