"""Standings: by wins, then by the tie-breaks of the system; in a knock-out by how far a player came.

The tie-breaks follow the Tie-Break Regulations of FIDE, Handbook C.07 (https://handbook.fide.com): Buchholz,
Buchholz without the best and the worst opponent, Sonneborn-Berger, direct encounter. There a round without an
opponent counts as one against a player with the same score. In a round robin the matches of a player do not
count who withdrew before he had played half of them, as in FIDE's General Regulations for Competitions.
Backgammon has no draws.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum

from controller.club.tournament.fixtures import Fixture, FixtureEnd, Section
from controller.club.tournament.tournament import FixtureState, System, Tournament


class TieBreak(Enum):
    """What ranks players with equally many wins."""

    MEDIAN_BUCHHOLZ = "median-buchholz"
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"
    HEAD_TO_HEAD = "head-to-head"
    POINT_DIFFERENCE = "point-difference"


TIE_BREAKS = {
    System.SWISS: (
        TieBreak.MEDIAN_BUCHHOLZ,
        TieBreak.BUCHHOLZ,
        TieBreak.SONNEBORN_BERGER,
        TieBreak.HEAD_TO_HEAD,
        TieBreak.POINT_DIFFERENCE,
    ),
    System.ROUND_ROBIN: (TieBreak.HEAD_TO_HEAD, TieBreak.SONNEBORN_BERGER, TieBreak.POINT_DIFFERENCE),
}


@dataclass(frozen=True, kw_only=True)
class StandingRow:
    """An entrant in the standings. place: from 1; players who are equal in everything share a place.

    points: (won, lost) in all his matches. tie_breaks: their values, in the order of the system. is_in: in a
    knock-out whether he is not eliminated, elsewhere whether he has not withdrawn.
    """

    place: int
    number: int
    won: int
    lost: int
    points: tuple[int, int]
    tie_breaks: tuple[float, ...]
    is_in: bool


def standings(tournament: Tournament) -> list[StandingRow]:
    """The current standings of a tournament; in a knock-out those without the consolation bracket."""
    return _knockout_standings(tournament) if tournament.is_bracket else _round_standings(tournament)


def consolation_standings(tournament: Tournament) -> list[StandingRow]:
    """The standings of the players who have a fixture in the consolation bracket."""
    states = [one for one in tournament.outcomes if one.fixture.section is Section.CONSOLATION]
    players = sorted({number for state in states for number in state.fixture.players})
    return _by_elimination(tournament, players, states)


# -- rounds


def _round_standings(tournament: Tournament) -> list[StandingRow]:
    states = _counting(tournament)
    tally = _Tally(tournament, states)
    tie_breaks = TIE_BREAKS[tournament.plan.system]
    values = {
        entrant.number: tuple(tally.value(tie_break, entrant.number) for tie_break in tie_breaks)
        for entrant in tournament.entrants
    }
    left_early = _left_early(tournament)
    merits = {number: (number not in left_early, tally.wins[number], *values[number]) for number in values}
    out = {entrant.number for entrant in tournament.entrants if entrant.is_out}
    return _placed(tally, merits, out, values)


def _counting(tournament: Tournament) -> list[FixtureState]:
    """The finished fixtures; in a round robin without those of players who withdrew early, and with what
    others who withdrew forfeit."""
    ended = [state for state in tournament.outcomes if not state.is_open]
    if tournament.plan.system is not System.ROUND_ROBIN:
        return ended
    left_early = _left_early(tournament)
    # In a round robin a player with a bye rests: a bye is no win.
    counting = [
        state for state in ended if not state.fixture.is_bye and not state.fixture.players & left_early
    ]
    return counting + _undrawn_forfeits(tournament, left_early)


def _left_early(tournament: Tournament) -> Set[int]:
    """Who withdrew from a round robin before he had played half of his matches; nobody in other systems."""
    if tournament.plan.system is not System.ROUND_ROBIN:
        return set()
    drawn = Counter[int]()
    played = Counter[int]()
    for state in tournament.outcomes:
        drawn.update(state.fixture.players)
        if state.end is FixtureEnd.PLAYED:
            played.update(state.fixture.players)
    n_others = sum(not one.is_out or drawn[one.number] > 0 for one in tournament.entrants) - 1
    return {one.number for one in tournament.entrants if one.is_out and 2 * played[one.number] < n_others}


def _undrawn_forfeits(tournament: Tournament, left_early: Set[int]) -> list[FixtureState]:
    """What a player forfeits in a round robin who withdrew late: his matches that were never drawn."""
    met = tournament.met()
    gone = [one.number for one in tournament.entrants if one.is_out and one.number not in left_early]
    here = [one.number for one in tournament.entrants if not one.is_out]
    return [
        FixtureState(
            fixture=Fixture(key="", section=Section.ROUNDS, round=0, one=winner, other=loser, length=0),
            winner=winner,
            loser=loser,
            end=FixtureEnd.FORFEIT,
        )
        for loser in gone
        for winner in here
        if frozenset((winner, loser)) not in met
    ]


class _Tally:
    """Sums over the fixtures that count."""

    def __init__(self, tournament: Tournament, states: Sequence[FixtureState]) -> None:
        self.wins, self.losses = Counter[int](), Counter[int]()
        self.points_won, self.points_lost = Counter[int](), Counter[int]()
        self._met: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
        self._is_swiss = tournament.plan.system is System.SWISS
        self._n_rounds = len({state.fixture.round for state in states})
        for state in states:
            if not state.winner:
                continue
            self.wins[state.winner] += 1
            self.points_won[state.winner] += state.score[0]
            self.points_lost[state.winner] += state.score[1]
            if state.loser:
                self.losses[state.loser] += 1
                self.points_won[state.loser] += state.score[1]
                self.points_lost[state.loser] += state.score[0]
                if state.end is FixtureEnd.PLAYED:
                    self._met[state.winner].append((state.loser, True))
                    self._met[state.loser].append((state.winner, False))

    def value(self, tie_break: TieBreak, number: int) -> float:
        """The value of a tie-break for an entrant; higher is better."""
        met = self._met[number]
        opponents = [self.wins[other] for other, _ in met]
        n_idle = self._n_rounds - len(met) if self._is_swiss else 0
        scores = sorted(opponents + [self.wins[number]] * n_idle)
        match tie_break:
            case TieBreak.MEDIAN_BUCHHOLZ:
                return sum(scores[1:-1])
            case TieBreak.BUCHHOLZ:
                return sum(scores)
            case TieBreak.SONNEBORN_BERGER:
                beaten = sum(self.wins[other] for other, won in met if won)
                n_idle_won = self.wins[number] - sum(won for _, won in met) if self._is_swiss else 0
                return beaten + n_idle_won * self.wins[number]
            case TieBreak.HEAD_TO_HEAD:
                return sum(won for other, won in met if self.wins[other] == self.wins[number])
            case TieBreak.POINT_DIFFERENCE:
                return self.points_won[number] - self.points_lost[number]


# -- knock-outs


def _knockout_standings(tournament: Tournament) -> list[StandingRow]:
    states = [one for one in tournament.outcomes if one.fixture.section is not Section.CONSOLATION]
    return _by_elimination(tournament, [entrant.number for entrant in tournament.entrants], states)


def _by_elimination(
    tournament: Tournament, players: Sequence[int], states: Sequence[FixtureState]
) -> list[StandingRow]:
    """The standings by elimination: a player eliminated later is higher; the same round shares a place."""
    lives = 2 if tournament.plan.system is System.DOUBLE_KNOCKOUT else 1
    tally = _Tally(tournament, states)
    out_in: dict[int, tuple[int, int]] = {}
    losses = Counter[int]()
    for state in states:
        if state.loser:
            losses[state.loser] += 1
            if losses[state.loser] == lives:
                out_in[state.loser] = _stage(state)
    still, never = (99, 0), (-1, 0)
    absent = {one.number for one in tournament.entrants if one.is_out and one.number not in tournament.seats}
    merits = {number: never if number in absent else out_in.get(number, still) for number in players}
    return _placed(tally, merits, absent | set(out_in), {})


def _stage(state: FixtureState) -> tuple[int, int]:
    """How late a fixture is: (whether it is a final, its round)."""
    return int(state.fixture.section is Section.FINAL), state.fixture.round


def _placed(
    tally: _Tally,
    merits: Mapping[int, tuple[float, ...]],
    out: Set[int],
    tie_breaks: Mapping[int, tuple[float, ...]],
) -> list[StandingRow]:
    """A row for each entrant in `merits`, the highest first. Those with equal merits share a place."""
    ranked = sorted(sorted(merits), key=merits.__getitem__, reverse=True)
    found: list[StandingRow] = []
    for at, number in enumerate(ranked, start=1):
        same = at > 1 and merits[number] == merits[ranked[at - 2]]
        found.append(
            StandingRow(
                place=found[-1].place if same else at,
                number=number,
                won=tally.wins[number],
                lost=tally.losses[number],
                points=(tally.points_won[number], tally.points_lost[number]),
                tie_breaks=tie_breaks.get(number, ()),
                is_in=number not in out,
            )
        )
    return found
