"""Reads the figures and the mistakes in what GNU Backgammon prints and exports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from controller.errors import WorkError
from controller.rules import Action, Doubled, Passed, Took
from sentences import say

WORST_SHOWN = 3
"""How many of the worst plays of a player are shown. The design says three."""


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


DECIDED: dict[type[Action], Decision] = {
    Doubled: Decision.DOUBLE,
    Took: Decision.TAKE,
    Passed: Decision.PASS,
}


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
    match did:
        case "doubles" | "redoubles":
            yield Decision.DOUBLE, max(none, doubled) - doubled, say("doubles_cell"), say("not_to_double")
        case "accepts" | "takes":
            yield Decision.TAKE, max(take, drop) - take, say("takes_cell"), say("to_pass")
        case "rejects" | "passes" | "drops":
            yield Decision.PASS, max(take, drop) - drop, say("passes_cell"), say("to_take")
        case _:
            better = say("to_double_for_take") if take <= drop else say("to_double_for_pass")
            yield Decision.NO_DOUBLE, max(none, doubled) - none, say("does_not_double"), better
