"""Runs GNU Backgammon over a match file and reads back what it says of each play."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from controller.errors import WorkError
from controller.record.mat_writer import format_mat
from controller.record.match_record import GameRecord, MatchRecord
from sentences import say

GAMES_FOLDER = "/usr/games"
"""Where Debian installs GNU Backgammon; not every user has it in his path."""
STEP_MARK = "blotlight-step"
"""A word that GNU Backgammon does not know. It repeats the word, which shows how far it has come."""
SLOWEST_STEP_S = 300
"""Seconds without output after which GNU Backgammon is stopped. Guess: a Pi takes some 5 s a play."""
WORST_SHOWN = 3
"""How many of the worst plays of a player are shown. The design says three."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class PlayerAnalysis:
    """How one player did. error_rate, luck: as GNU Backgammon prints them, with their units."""

    name: str
    error_rate: str
    rating: str
    luck: str
    luck_rating: str


class Decision(Enum):
    """What was decided."""

    PLAY = auto()
    NO_DOUBLE = auto()
    DOUBLE = auto()
    TAKE = auto()
    PASS = auto()


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """A play or a cube action that was not the best.

    loss: equity given away, in points of an undoubled game (EMG). game, half_turn: from 1. A cube action has
    the number of the half-turn that would be next. diagram: the board before it, in lines.
    """

    name: str
    game: int
    half_turn: int
    decision: Decision
    loss: float
    played: str
    better: str
    diagram: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PlayFigures:
    """A roll that was played. game, half_turn: from 1.

    win: the chance (0 to 1) of the player to win the game after his play. luck: of the roll, in EMG.
    """

    name: str
    game: int
    half_turn: int
    win: float
    luck: float


@dataclass(frozen=True, kw_only=True)
class MatchAnalysis:
    """What GNU Backgammon says of a match. mistakes: the worst first."""

    players: tuple[PlayerAnalysis, PlayerAnalysis]
    mistakes: tuple[Mistake, ...]
    figures: tuple[PlayFigures, ...] = ()

    @property
    def has_several_games(self) -> bool:
        """Whether a mistake was made after the first game."""
        return any(one.game > 1 for one in self.mistakes)

    def worst(self, name: str) -> tuple[Mistake, ...]:
        """The worst plays of one player, the worst first."""
        return tuple(one for one in self.mistakes if one.name == name)[:WORST_SHOWN]


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
    with tempfile.TemporaryDirectory(prefix="blotlight-analysis-") as made:
        folder = Path(made)
        (folder / "match.mat").write_text(format_mat(record), encoding="utf-8")
        steps = [_n_records(game) for game in record.games]
        said = _run(gnubg, list(_commands(steps, plies)), folder, sum(steps), progress)
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in _exported(folder)]
    if not texts:
        raise WorkError(say("gnubg_wrote_nothing"))
    players = parse_statistics(said)
    mistakes = sorted(
        (mistake for number, text in enumerate(texts, start=1) for mistake in parse_mistakes(text, number)),
        key=lambda mistake: -mistake.loss,
    )
    figures = [one for number, text in enumerate(texts, start=1) for one in parse_figures(text, number)]
    return MatchAnalysis(players=players, mistakes=tuple(mistakes), figures=tuple(figures))


def _n_records(game: GameRecord) -> int:
    """At least the number of records that GNU Backgammon makes of the game."""
    return len(game.actions) + 2


def _commands(steps: Iterable[int], plies: int | None) -> Iterator[str]:
    yield from ("set automatic roll off", "set automatic game off", "set display off", "import mat match.mat")
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
    command = [*(["nice", "-n", "19"] if shutil.which("nice") else []), gnubg, "-t", "-q", "-r"]
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


_BETWEEN_CELLS = re.compile(r"\s{2,}")


def parse_statistics(said: str) -> tuple[PlayerAnalysis, PlayerAnalysis]:
    """The two columns of `show statistics match`. Raises WorkError when they are not there."""
    start = said.rfind("\nPlayer ")
    if start < 0:
        raise WorkError(say("gnubg_without_statistics"))
    lines = said[start + 1 :].splitlines()
    table = {title: cells for line in lines if (title := _title(line)) and (cells := _cells(line))}
    try:
        overall = lines[lines.index("Overall statistics") :]
        rates = _cells(next(line for line in overall if line.startswith("Error rate mEMG")))
        names, rating = _cells(lines[0]), table["Overall rating"]
        luck, luck_rating = table["Luck total EMG"], table["Luck rating"]
        one, other = (
            PlayerAnalysis(
                name=names[n], error_rate=rates[n], rating=rating[n], luck=luck[n], luck_rating=luck_rating[n]
            )
            for n in range(2)
        )
    except (KeyError, IndexError, StopIteration, ValueError):
        raise WorkError(say("gnubg_other_version")) from None
    return one, other


def _title(line: str) -> str:
    """The first column without its unit: `Luck total EMG` of `Luck total EMG (MWC)`."""
    return _BETWEEN_CELLS.split(line.strip())[0].split(" (")[0]


def _cells(line: str) -> list[str]:
    """The columns after the first. `-3.2   ( -0.038%)` is one cell."""
    joined = re.sub(r"\s*\(\s*([^)]*)\)", r" (\1)", line[LABEL_WIDTH:])
    return [cell for cell in _BETWEEN_CELLS.split(joined.strip()) if cell]


LABEL_WIDTH = 40
"""Characters of the first column of GNU Backgammon's statistics."""


_MOVE = re.compile(r"^Move number \d+:(?:.* to play (\d\d))?", re.MULTILINE)
_DID = re.compile(
    r"^\* (.+?) (moves|doubles|redoubles|accepts|rejects|cannot move|takes|passes|drops)\b ?(.*)$", re.M
)
_CANDIDATE = re.compile(r"^(\*?)\s+(\d+)\. Cubeful \d-ply\s+(.+?)\s+Eq\.: +([+-]\d+\.\d+)", re.MULTILINE)
_CUBE = re.compile(
    r"^\d\. (No (?:re)?double|(?:Red|D)ouble, (?:take|pass|beaver))\s+([+-]\d+\.\d+)", re.MULTILINE
)
Loss = tuple[Decision, float, str, str]
LEAST_LOSS = 0.0005
"""Equity below which GNU Backgammon's three decimals show no loss."""


_LUCK = re.compile(r"^Rolled \d\d \(([+-]\d+\.\d+)\)", re.MULTILINE)
_CHANCES = re.compile(r"^\*\s+\d+\. Cubeful .*\n\s+(\d\.\d+) ", re.MULTILINE)


def parse_figures(text: str, game: int = 1) -> Iterator[PlayFigures]:
    """Luck and winning chances of every roll that could be played, in the text of one game."""
    for half_turn, did, section in _sections(text):
        luck, chances = _LUCK.search(section), _CHANCES.search(section)
        if luck and chances:
            yield PlayFigures(
                name=did[1], game=game, half_turn=half_turn, win=float(chances[1]), luck=float(luck[1])
            )


def _sections(text: str) -> Iterator[tuple[int, re.Match[str], str]]:
    """(half-turn, what was done, text) of each record of one game. A cube action has the next half-turn."""
    n_played = 0
    starts = [found.start() for found in _MOVE.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        section = text[start:end]
        moved, did = _MOVE.match(section), _DID.search(section)
        if moved is None or did is None:
            continue
        yield n_played + 1, did, section
        n_played += moved[1] is not None


def parse_mistakes(text: str, game: int = 1) -> Iterator[Mistake]:
    """Every play and cube action that was not the best, in the text of one game."""
    for half_turn, did, section in _sections(text):
        diagram = tuple(line for line in section[: did.start()].splitlines() if _is_of_diagram(line))
        for decision, loss, played, better in (*_cube_losses(section, did[2]), *_play_losses(section)):
            if loss > LEAST_LOSS:
                yield Mistake(
                    name=did[1],
                    game=game,
                    half_turn=half_turn,
                    decision=decision,
                    loss=loss,
                    played=played,
                    better=better,
                    diagram=diagram,
                )


def _is_of_diagram(line: str) -> bool:
    return line[1:2] in ("+", "|") or line[:2] in ("^|", "v|") or line.startswith("Pip counts")


def _play_losses(section: str) -> Iterator[Loss]:
    """(decision, loss, what was played, what was better) of the roll of a section."""
    candidates = _CANDIDATE.findall(section)
    played = next(((play, float(equity)) for mark, _, play, equity in candidates if mark), None)
    if played is None:
        return
    _, _, better, best = max(candidates, key=lambda one: float(one[3]))
    dice = re.search(r"^Rolled (\d\d)", section, re.MULTILINE)
    roll = f"{dice[1]}: " if dice else ""
    yield Decision.PLAY, float(best) - played[1], f"{roll}{played[0].strip()}", better.strip()


def _cube_losses(section: str, did: str) -> Iterator[Loss]:
    """(decision, loss, what was done, what was better) of the cube decision of a section.

    Equities are those of the player who decides. A doubled player decides in turn, and wants the larger one.
    """
    equities = {}
    for action, equity in _CUBE.findall(section):
        key = "none" if action.startswith("No") else action.rsplit(" ", 1)[1]
        equities[key] = float(equity)
    if not {"none", "take", "pass"} <= equities.keys():
        return
    none, take, drop = equities["none"], equities["take"], equities["pass"]
    doubled = min(take, drop)
    answer = "take" if take <= drop else "pass"
    match did:
        case "doubles" | "redoubles":
            yield Decision.DOUBLE, max(none, doubled) - doubled, say("doubles_cell"), say("not_to_double")
        case "accepts" | "takes":
            yield Decision.TAKE, max(take, drop) - take, say("takes_cell"), say("to_pass")
        case "rejects" | "passes" | "drops":
            yield Decision.PASS, max(take, drop) - drop, say("passes_cell"), say("to_take")
        case _:
            better = say("to_double", answer=answer)
            yield Decision.NO_DOUBLE, max(none, doubled) - none, say("does_not_double"), better
