"""Sentences of the commands that people read: what happened, and what to do next."""

import errno
from pathlib import Path

from controller.errors import os_error_sentence

STOPPED = "Stopped."
OUT_OF_MEMORY = "The memory of this computer does not suffice: close other programs, or give a smaller file."
NO_MATCHES = "No match is kept in {log} yet: play one with blotlight play."
KEPT_IN = "Matches are kept in {log}."
NOTHING_PLAYED = "No play was recorded: {why}."
NOBODY_THREW = "no throw was reported, and no checker moved from the start position before the end"
NO_PLAY_SEEN = "dice were thrown, but no checker moved before the end"
ENDED_EARLY = "the film breaks off before the first play"
UNSEEN_TURNS = "No picture shows {turns}: what stands there follows from the dice and the rules; check it."
GNUBG_MISSING = (
    "GNU Backgammon is not installed, and it does the analysis: install it with sudo apt-get install gnubg."
)
GNUBG_FAILED = (
    "GNU Backgammon could not analyse the match ({why}): try it with gnubg -t on the exported file."
)
ENTERING_NOT_ANALYSED = "GNU Backgammon does not know {laws}, so there is nothing to analyse."
NOTHING_TO_ANALYSE = "Match {number} holds no play yet, so there is nothing to analyse: choose another match."
FOLDER_IN_USE = "{folder} is not empty, and a film needs a folder of its own: name a new one."
NO_FOLDER = "{folder} is a file: name a folder for the film."
UNKNOWN_PICTURE = "{path} names no kind of picture that can be written: let it end in .png or .jpg."
UNKNOWN_FORMAT = "{path} must end in {known}: the ending says which format to write."


def unwritable(path: Path, error: OSError) -> str:
    """Why an output cannot be written; said before the work begins."""
    if error.errno == errno.ENOENT:
        return f"{path} cannot be written, for its folder {path.parent} is not there: make it first."
    return os_error_sentence(OSError(error.errno, error.strerror, str(path)))


def unseen_turns_sentence(turns: list[tuple[int, int]], n_games: int) -> str:
    """Names the half-turns that no picture shows, as (game, half-turn)."""
    names = [f"{turn} of game {game}" if n_games > 1 else str(turn) for game, turn in turns]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return UNSEEN_TURNS.format(turns=f"half-turn{'s' * (len(names) > 1)} {listed}")
