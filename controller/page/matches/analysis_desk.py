"""Lets GNU Backgammon analyse a kept match in a thread of its own, one match at a time."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.errors import BlotlightError
from controller.service.matches.gnubg import analyse_match, find_gnubg
from controller.service.matches.gnubg_analysis import (
    MatchAnalysis,
    Mistake,
    PlayerAnalysis,
    PlayFigures,
)
from controller.service.matches.kept_matches import KeptMatch
from controller.service.matches.played_matches import match_record
from sentences import Key, said_again, said_of, say

MOST_KEPT_ANALYSES = 20
"""Analyses that are remembered until the program ends. Guess."""
RATINGS = {
    "Awful": Key("rating_awful"),
    "Beginner": Key("rating_beginner"),
    "Casual player": Key("rating_casual"),
    "Intermediate": Key("rating_intermediate"),
    "Advanced": Key("rating_advanced"),
    "Expert": Key("rating_expert"),
    "World class": Key("rating_world_class"),
    "Supernatural": Key("rating_supernatural"),
}
"""What GNU Backgammon calls players by their error rate. It has no word for who decided nothing."""


@dataclass(frozen=True, kw_only=True)
class MistakeView:
    """A mistake. game, number: from 1. loss: in points of an undoubled game."""

    game: int
    number: int
    name: str
    loss: float
    played: str
    better: str


@dataclass(frozen=True, kw_only=True)
class FiguresView:
    """A played roll. win: White's chance (0 to 1) after it. luck: of the roll, for its player."""

    game: int
    number: int
    win: float
    luck: float


@dataclass(frozen=True, kw_only=True)
class PlayerFigures:
    """How well a player did, as GNU Backgammon words it."""

    name: str
    error_rate: str
    rating: str
    luck: str


@dataclass(frozen=True, kw_only=True)
class AnalysisView:
    """An analysis. state: "absent", "none" (not begun), "running", "done" or "failed".

    "absent": GNU Backgammon is not installed, or cannot analyse the match. share: how much of it is done,
    0 to 1. mistakes: the worst first.
    """

    state: str
    share: float = 0.0
    problem: str = ""
    players: tuple[PlayerFigures, ...] = ()
    mistakes: tuple[MistakeView, ...] = ()
    figures: tuple[FiguresView, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Work:
    """How far the analysis of a match has come. found: None until it is done."""

    share: float = 0.0
    problem: str = ""
    found: MatchAnalysis | None = None

    @property
    def state(self) -> str:
        return "failed" if self.problem else "done" if self.found else "running"


class AnalysisDesk:
    """Keeps the analyses. find: gives the path of GNU Backgammon, None where it is not installed."""

    def __init__(self, find: Callable[[], str | None] = find_gnubg) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._known: dict[tuple[int, int], _Work] = {}
        """By the match and its number of half-turns: a match that has gone on counts as another."""

    def view(self, kept: KeptMatch) -> AnalysisView:
        """How far the analysis of a match has come, in the language spoken now."""
        work = self._known.get((kept.number, kept.n_half_turns))
        if work is None:
            can = kept.played.laws is None and kept.n_half_turns and self._find() is not None
            return AnalysisView(state="none" if can else "absent")
        progress = AnalysisView(state=work.state, share=work.share, problem=said_again(work.problem))
        if work.found is None:
            return progress
        white = kept.played.match.white
        return replace(
            progress,
            players=tuple(map(_player_figures, work.found.players)),
            mistakes=tuple(map(_mistake_view, work.found.mistakes)),
            figures=tuple(_figures_view(one, white) for one in work.found.figures),
        )

    def begin(self, kept: KeptMatch) -> bool:
        """Begin the analysis of a match. False when one is running or nothing can be analysed."""
        gnubg = self._find()
        with self._lock:
            is_busy = any(work.state == "running" for work in self._known.values())
            if is_busy or gnubg is None or self.view(kept).state not in ("none", "failed"):
                return False
            while len(self._known) >= MOST_KEPT_ANALYSES:
                del self._known[next(iter(self._known))]
            self._known[kept.number, kept.n_half_turns] = _Work()
        threading.Thread(target=self._analyse, args=(kept, gnubg), name="analysis", daemon=True).start()
        return True

    def _analyse(self, kept: KeptMatch, gnubg: str) -> None:
        key = kept.number, kept.n_half_turns

        def note(done: int, total: int) -> None:
            self._known[key] = _Work(share=round(done / total, 2))

        try:
            self._known[key] = _Work(share=1.0, found=analyse_match(match_record(kept.played), gnubg, note))
        except (BlotlightError, ValueError, OSError) as error:
            self._known[key] = _Work(problem=said_of(error))


def _player_figures(one: PlayerAnalysis) -> PlayerFigures:
    rating = one.rating.rstrip(".!")
    return PlayerFigures(
        name=one.name,
        error_rate=one.error_rate.removeprefix("-").split(" (")[0],
        rating=say(RATINGS[rating]) if rating in RATINGS else rating,
        luck=one.luck.split(" (")[0],
    )


def _figures_view(one: PlayFigures, white: str) -> FiguresView:
    return FiguresView(
        game=one.game,
        number=one.half_turn,
        win=round(one.win if one.name == white else 1 - one.win, 3),
        luck=one.luck,
    )


def _mistake_view(mistake: Mistake) -> MistakeView:
    return MistakeView(
        game=mistake.game,
        number=mistake.half_turn,
        name=mistake.name,
        loss=round(mistake.loss, 3),
        played=said_again(mistake.played),
        better=said_again(mistake.better),
    )
