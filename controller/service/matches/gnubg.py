"""Runs GNU Backgammon over a match, and relates what it says to the record of the match."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from controller.errors import WorkError
from controller.record.irregular_text import plain_steps
from controller.record.match_record import GameRecord, MatchRecord, ends_half_turn
from controller.record.sgf import format_sgf
from controller.rules import Moved, MovedIrregularly, Player
from controller.rules.board.position import OFF
from controller.service.matches.gnubg_analysis import (
    DECIDED,
    Decision,
    MatchAnalysis,
    Mistake,
    PlayFigures,
    parse_figures,
    parse_mistakes,
    parse_statistics,
)
from sentences import say

GAMES_FOLDER = "/usr/games"
"""Where Debian installs GNU Backgammon; not every user has it in his path."""
STEP_MARK = "blotlight-step"
"""A word that GNU Backgammon does not know. It repeats the word, which shows how far it has come."""
SLOWEST_STEP_S = 300
"""Seconds without output after which GNU Backgammon is stopped. Guess: a Pi takes some 5 s a play."""
PUT_ASIDE_BY = (("setpriv", "--pdeathsig", "KILL"), ("nice", "-n", "19"))
"""Commands that run GNU Backgammon at the lowest priority, and end it when this program is ended."""
STAND_INS = {Player.WHITE: "White", Player.BLACK: "Black"}
"""What GNU Backgammon calls the players. Of long and odd names, what it prints cannot be read back."""

Progress = Callable[[int, int], None]


def find_gnubg() -> str | None:
    """The path of GNU Backgammon; None where it is not installed."""
    return shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + GAMES_FOLDER)


def analyse_match(
    record: MatchRecord,
    gnubg: str,
    progress: Progress = lambda done, total: None,
    *,
    plies: int | None = None,
) -> MatchAnalysis:
    """What GNU Backgammon says of a match. It runs as a separate process, at the lowest priority.

    plies: depth of its search; None for its own setting. Raises WorkError when it fails.
    """
    white, black = STAND_INS.values()
    nameless = replace(record, white=white, black=black, chouette=())
    with tempfile.TemporaryDirectory(prefix="blotlight-analysis-") as made:
        folder = Path(made)
        (folder / "match.sgf").write_text(format_sgf(nameless), encoding="utf-8")
        steps = [_n_records(game) for game in record.games]
        said = _run(gnubg, list(_commands(steps, plies)), folder, sum(steps), progress)
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in _exported(folder)]
    if not texts:
        raise WorkError(say("gnubg_wrote_nothing"))
    numbered = list(enumerate(texts, start=1))
    mistakes = [mistake for number, text in numbered for mistake in parse_mistakes(text, number)]
    figures = [one for number, text in numbered for one in parse_figures(text, number)]
    if not figures and record.laws.start.side(Player.WHITE)[OFF]:
        raise WorkError(say("gnubg_without_database", laws=record.laws.name))
    found = MatchAnalysis(
        players=parse_statistics(said),
        mistakes=tuple(sorted(mistakes, key=lambda mistake: -mistake.loss)),
        figures=tuple(figures),
    )
    return _in_terms_of(record, found)


def _in_terms_of(record: MatchRecord, found: MatchAnalysis) -> MatchAnalysis:
    """The analysis with the names and the half-turns of the record in place of GNU Backgammon's own."""
    names = {stand_in: record.name(player) for player, stand_in in STAND_INS.items()}
    half_turns = [_half_turns(game.as_it_stood()) for game in record.games]

    def half_turn(of: Mistake | PlayFigures, decision: Decision) -> int:
        return half_turns[of.game - 1].get((of.half_turn, decision), of.half_turn)

    one, other = (replace(player, name=names[player.name]) for player in found.players)
    mistakes = (
        replace(
            mistake,
            name=names[mistake.name],
            half_turn=half_turn(mistake, mistake.decision),
            diagram=tuple(_STAND_IN.sub(lambda name: names[name[0]], line) for line in mistake.diagram),
        )
        for mistake in found.mistakes
    )
    figures = (
        replace(roll, name=names[roll.name], half_turn=half_turn(roll, Decision.PLAY))
        for roll in found.figures
    )
    return MatchAnalysis(players=(one, other), mistakes=tuple(mistakes), figures=tuple(figures))


_STAND_IN = re.compile(rf"(?<=    [OX]: )({'|'.join(STAND_INS.values())})\Z")


def _half_turns(game: GameRecord) -> dict[tuple[int, Decision], int]:
    """The half-turns of a game by the numbers that GNU Backgammon gives to what is decided in them.

    It counts neither plays that are written as boards nor turns without a throw.
    """
    found: dict[tuple[int, Decision], int] = {}
    now, n_counted, n_played = game.begun(), 0, 0
    for action in game.actions:
        if decision := DECIDED.get(type(action)):
            found[n_counted + 1, decision] = n_played + 1
        n_played += ends_half_turn(now, action)
        if isinstance(action, Moved) or (
            isinstance(action, MovedIrregularly) and plain_steps(now.position, action)
        ):
            n_counted += 1
            found |= dict.fromkeys([(n_counted, Decision.PLAY), (n_counted, Decision.NO_DOUBLE)], n_played)
        now = now.push(action)
    return found


def _n_records(game: GameRecord) -> int:
    """At least the number of records that GNU Backgammon makes of the game."""
    return len(game.actions) + 2


def _commands(steps: Iterable[int], plies: int | None) -> Iterator[str]:
    yield from ("set automatic roll off", "set automatic game off", "set display off", "load match match.sgf")
    if plies is not None:
        yield f"set analysis chequerplay evaluation plies {plies}"
        yield f"set analysis cubedecision evaluation plies {plies}"
    yield "first game"
    for number, n_steps in enumerate(steps):
        if number:
            yield "next game"
        for _ in range(n_steps):
            yield from ("analyse move", STEP_MARK, "next")
    yield from ("show statistics match", "export match text match.txt", "exit", "y")


def _run(gnubg: str, commands: list[str], folder: Path, total: int, progress: Progress) -> str:
    """What GNU Backgammon prints. It writes to a pseudo-terminal, so that its output comes line by line."""
    main, other = os.openpty()
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C", "TERM": "dumb"}
    aside = [word for words in PUT_ASIDE_BY if shutil.which(words[0]) for word in words]
    command = [*aside, gnubg, "-t", "-q", "-r"]
    (folder / "commands").write_text("\n".join([*commands, ""]), encoding="utf-8")
    try:
        with (folder / "commands").open(encoding="utf-8") as typed:
            process = subprocess.Popen(
                command, stdin=typed, stdout=other, stderr=other, cwd=folder, env=environment
            )
    except OSError as error:
        os.close(main)
        raise WorkError(say("gnubg_not_started", reason=error.strerror)) from None
    finally:
        os.close(other)
    try:
        return _listen(main, total, progress)
    finally:
        os.close(main)
        if process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()


def _listen(output: int, total: int, progress: Progress) -> str:
    """What comes out of the pseudo-terminal until its other end is closed."""
    import select

    said, done = b"", 0
    while True:
        ready, _, _ = select.select([output], [], [], SLOWEST_STEP_S)
        if not ready:
            raise WorkError(say("gnubg_silent", seconds=SLOWEST_STEP_S))
        try:
            part = os.read(output, 65536)
        except OSError:  # Linux reports the closed end of a terminal as EIO
            part = b""
        if not part:
            return said.decode("utf-8", errors="replace").replace("\r\n", "\n")
        said += part
        now = said.count(STEP_MARK.encode())
        if now != done:
            done = now
            progress(min(done, total), total)


def _exported(folder: Path) -> list[Path]:
    """The files of the games, in order."""
    return [path for path in [folder / "match.txt", *sorted(folder.glob("match_*.txt"))] if path.exists()]
