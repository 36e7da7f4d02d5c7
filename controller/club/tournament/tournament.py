"""A tournament as one value: plan, entrants, draws and results."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from controller.club.tournament.brackets import (
    Bracket,
    consolation_bracket,
    double_bracket,
    seat_order,
    single_bracket,
)
from controller.club.tournament.elo import FIRST_RATING
from controller.club.tournament.fixtures import (
    NOBODY,
    Entrant,
    Fixture,
    FixtureEnd,
    MatchResult,
    Section,
    TournamentError,
    fixture_key,
    folded,
)
from controller.club.tournament.pairing import Pair, circle_round, remaining_round, swiss_round
from sentences import say

MOST_ENTRANTS = 1024
"""Most players of one tournament. Guess."""
MINUTES_A_POINT = 9.0
"""Minutes that a match without clocks takes for each point: about an hour for seven points. Guess."""


class System(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    SINGLE_KNOCKOUT = "knockout"
    DOUBLE_KNOCKOUT = "double-knockout"
    CONSOLATION = "knockout-consolation"


BRACKETS = {
    System.SINGLE_KNOCKOUT: single_bracket,
    System.DOUBLE_KNOCKOUT: double_bracket,
    System.CONSOLATION: consolation_bracket,
}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is fixed before the first draw.

    lengths: points of a match in the first round, in the second, ...; the last holds for all further rounds,
    and for the finals. side_lengths: the same for losers' and consolation brackets; empty for the lengths of
    the main bracket. n_rounds: of a Swiss tournament. minutes_a_point: how long a round may take, for each
    point of its longest match.
    """

    name: str
    system: System
    lengths: tuple[int, ...] = (5,)
    side_lengths: tuple[int, ...] = ()
    n_rounds: int = 5
    minutes_a_point: float = MINUTES_A_POINT

    def length_of(self, section: Section, round_number: int) -> int:
        """The points of a match."""
        lengths = self.lengths
        if section in (Section.LOSERS, Section.CONSOLATION) and self.side_lengths:
            lengths = self.side_lengths
        if section is Section.FINAL:
            return lengths[-1]
        return lengths[min(round_number, len(lengths)) - 1]


@dataclass(frozen=True, kw_only=True)
class FixtureState:
    """A fixture and how it stands. loser: NOBODY for a bye.

    winner: None while the fixture is open, and in a round when both players have withdrawn.
    """

    fixture: Fixture
    winner: int | None = None
    loser: int | None = None
    end: FixtureEnd | None = None
    score: tuple[int, int] = (0, 0)

    @property
    def is_open(self) -> bool:
        return self.end is None


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A tournament. rounds: the pairs drawn in each round. seats: those of a bracket, () before the draw.

    results: the last result given for each fixture, by its key. After the correction of an earlier result
    other players may meet in a fixture. Its result is then ignored until the same players meet there again.
    """

    plan: Plan
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[Pair, ...], ...] = ()
    seats: tuple[int, ...] = ()
    results: Mapping[str, MatchResult] = field(default_factory=dict)

    @property
    def is_bracket(self) -> bool:
        return self.plan.system in BRACKETS

    @property
    def is_drawn(self) -> bool:
        return bool(self.rounds or self.seats)

    def entrant(self, number: int) -> Entrant:
        """The entrant with a number. Raises TournamentError when there is none."""
        if not 1 <= number <= len(self.entrants):
            raise TournamentError(say("club_no_entrant", number=number))
        return self.entrants[number - 1]

    @cached_property
    def _bracket(self) -> Bracket:
        out = {entrant.number for entrant in self.entrants if entrant.is_out}
        nodes = BRACKETS[self.plan.system](len(self.seats)) if self.seats else ()
        return Bracket(nodes, self.seats, self.results, out)

    # -- what stands

    @cached_property
    def outcomes(self) -> tuple[FixtureState, ...]:
        """Every fixture whose players are known, with its result, in the order of the draw."""
        if self.is_bracket:
            return tuple(map(self._in_bracket, self._bracket.fixtures(self.plan.length_of)))
        return tuple(
            self._in_rounds(
                Fixture(
                    key=fixture_key(Section.ROUNDS, number, place),
                    section=Section.ROUNDS,
                    round=number,
                    one=one,
                    other=other,
                    length=self.plan.length_of(Section.ROUNDS, number),
                )
            )
            for number, pairs in enumerate(self.rounds, start=1)
            for place, (one, other) in enumerate(pairs, start=1)
        )

    @cached_property
    def open_fixtures(self) -> list[Fixture]:
        """The fixtures that can be played now."""
        return [outcome.fixture for outcome in self.outcomes if outcome.is_open]

    @cached_property
    def is_over(self) -> bool:
        """Whether nothing is left to play or to draw."""
        if not self.is_drawn or self.open_fixtures:
            return False
        if self.is_bracket:
            return True
        try:
            return not self._next_round()
        except TournamentError:
            return True  # in any further round somebody would meet an opponent again

    def met(self) -> set[frozenset[int]]:
        """Every pair that was drawn in a Swiss or round robin round."""
        return {
            outcome.fixture.players
            for outcome in self.outcomes
            if not self.is_bracket and not outcome.fixture.is_bye
        }

    def _in_bracket(self, fixture: Fixture) -> FixtureState:
        winner, loser, end = self._bracket.outcome(fixture.key)
        score = self.results[fixture.key].score if self.has_result(fixture) else (0, 0)
        return FixtureState(fixture=fixture, winner=winner, loser=loser, end=end, score=score)

    def _in_rounds(self, fixture: Fixture) -> FixtureState:
        if fixture.is_bye:
            return FixtureState(fixture=fixture, winner=fixture.one, loser=NOBODY, end=FixtureEnd.BYE)
        if self.has_result(fixture):
            result = self.results[fixture.key]
            return FixtureState(
                fixture=fixture, winner=result.winner, loser=result.loser, end=result.end, score=result.score
            )
        here = [number for number in (fixture.one, fixture.other) if not self.entrant(number).is_out]
        if len(here) == 2:
            return FixtureState(fixture=fixture)
        if not here:
            return FixtureState(fixture=fixture, end=FixtureEnd.FORFEIT)
        (gone,) = fixture.players - set(here)
        return FixtureState(fixture=fixture, winner=here[0], loser=gone, end=FixtureEnd.FORFEIT)

    def has_result(self, fixture: Fixture) -> bool:
        """Whether a result was given for the players who now meet in a fixture."""
        result = self.results.get(fixture.key)
        return result is not None and result.players == fixture.players

    # -- changes

    def entered(
        self, name: str, *, rating: float = FIRST_RATING, experience: int = 0, home_table: int | None = None
    ) -> "Tournament":
        """With one more entrant, who gets the next number. In a drawn bracket he takes the place of a bye.

        Raises TournamentError when there is no place for him, or his name is taken.
        """
        self._check_free(name)
        if len(self.entrants) >= MOST_ENTRANTS:
            raise TournamentError(say("club_full", most=MOST_ENTRANTS))
        newcomer = Entrant(
            number=len(self.entrants) + 1,
            name=name,
            rating=rating,
            experience=experience,
            home_table=home_table,
        )
        with_him = replace(self, entrants=(*self.entrants, newcomer))
        return with_him._seated_late(newcomer.number) if self.seats else with_him

    def _seated_late(self, number: int) -> "Tournament":
        """With a late entrant on the first empty seat that faces a player and changes no played match."""
        counting = {one.fixture.key for one in self.outcomes if self.has_result(one.fixture)}
        for seat, sits in enumerate(self.seats):
            if sits != NOBODY:
                continue
            seated = replace(self, seats=(*self.seats[:seat], number, *self.seats[seat + 1 :]))
            still = {one.fixture.key for one in seated.outcomes if seated.has_result(one.fixture)}
            neighbour = self.seats[seat ^ 1]
            if counting <= still and neighbour != NOBODY and not self.entrant(neighbour).is_out:
                return seated
        raise TournamentError(say("club_no_seat", name=self.entrant(number).name))

    def _check_free(self, name: str, number: int = NOBODY) -> None:
        """Raise TournamentError when another entrant than `number` has the name."""
        if any(folded(one.name) == folded(name) and one.number != number for one in self.entrants):
            raise TournamentError(say("club_name_taken", name=name))

    def amended(
        self, number: int, name: str, *, rating: float, experience: int, home_table: int | None
    ) -> "Tournament":
        """With the details of an entrant corrected. Raises TournamentError when the name is taken."""
        self._check_free(name, number)
        return self._with(
            replace(
                self.entrant(number), name=name, rating=rating, experience=experience, home_table=home_table
            )
        )

    def withdrawn(self, number: int) -> "Tournament":
        """With an entrant withdrawn: he forfeits the matches that he has not played."""
        return self._with(replace(self.entrant(number), is_out=True))

    def returned(self, number: int) -> "Tournament":
        """With a withdrawn entrant back; in a bracket drawn without him in a bye's place if one is left."""
        back = self._with(replace(self.entrant(number), is_out=False))
        if not self.seats or number in self.seats:
            return back
        try:
            return back._seated_late(number)
        except TournamentError:
            return back

    def _with(self, one: Entrant) -> "Tournament":
        return replace(self, entrants=(*self.entrants[: one.number - 1], one, *self.entrants[one.number :]))

    def with_result(self, key: str, result: MatchResult) -> "Tournament":
        """With a result given or corrected. Raises TournamentError when it does not fit the fixture."""
        fixture = next((one.fixture for one in self.outcomes if one.fixture.key == key), None)
        if fixture is None or fixture.is_bye:
            raise TournamentError(say("club_no_fixture", key=key))
        if result.players != fixture.players:
            raise TournamentError(say("club_other_players", key=key))
        won, lost = result.score
        if result.end is FixtureEnd.BYE or not 0 <= lost <= won <= fixture.length or won == lost > 0:
            raise TournamentError(say("club_no_score", key=key, length=fixture.length))
        if result.end is FixtureEnd.PLAYED and won != fixture.length:
            raise TournamentError(say("club_no_score", key=key, length=fixture.length))
        return replace(self, results={**self.results, key: result})

    def without_result(self, key: str) -> "Tournament":
        """With the result of a fixture removed."""
        return replace(self, results={name: one for name, one in self.results.items() if name != key})

    def drawn(self, order: Sequence[int] = ()) -> "Tournament":
        """With the next round, or with the bracket, drawn.

        order: the entrants by lot or seed, for the first draw; those left out follow by number.
        Raises TournamentError with fewer than two entrants, when one is listed twice, while matches are open,
        and when nothing is left to draw.
        """
        if len(set(order)) < len(order):
            raise TournamentError(say("club_no_change"))
        here = [entrant.number for entrant in self.entrants if not entrant.is_out]
        if len(here) < 2:
            raise TournamentError(say("club_too_few"))
        if self.open_fixtures:
            raise TournamentError(say("club_round_open", n=len(self.open_fixtures)))
        if self.seats:
            raise TournamentError(say("club_nothing_to_draw"))
        listed = [number for number in order if number in here] + [n for n in here if n not in order]
        if self.is_bracket:
            n_seats = 1 << max(1, (len(listed) - 1).bit_length())
            ranks = seat_order(n_seats)
            return replace(
                self, seats=tuple(listed[rank] if rank < len(listed) else NOBODY for rank in ranks)
            )
        pairs = self._next_round(listed)
        if not pairs:
            raise TournamentError(say("club_nothing_to_draw"))
        return replace(self, rounds=(*self.rounds, tuple(pairs)))

    @property
    def may_undraw(self) -> bool:
        """Whether something was drawn, and the last round, or the bracket, has no result."""
        last = [one.fixture for one in self.outcomes if self.seats or one.fixture.round == len(self.rounds)]
        return self.is_drawn and not any(self.has_result(fixture) for fixture in last)

    def undrawn(self) -> "Tournament":
        """Without the last round, or the bracket. Raises TournamentError when `may_undraw` is False."""
        if not self.may_undraw:
            raise TournamentError(say("club_round_played"))
        ended = fixture_key(Section.ROUNDS, len(self.rounds), 0).removesuffix("0")
        earlier = {key: one for key, one in self.results.items() if self.rounds and not key.startswith(ended)}
        return replace(self, rounds=self.rounds[:-1], seats=(), results=earlier)

    def _next_round(self, first_order: Sequence[int] = ()) -> list[Pair]:
        """The pairs of the next round; none when everything is drawn. first_order: for the first round.

        Raises TournamentError when somebody would have to meet an opponent again.
        """
        is_swiss = self.plan.system is System.SWISS
        n_here = sum(not entrant.is_out for entrant in self.entrants)
        if n_here < 2 or (is_swiss and len(self.rounds) >= self.plan.n_rounds):
            return []
        if is_swiss:
            return self._next_swiss_round(first_order)
        return self._next_robin_round() if self.rounds else circle_round(first_order, 1)

    def _next_swiss_round(self, first_order: Sequence[int]) -> list[Pair]:
        here = {entrant.number for entrant in self.entrants if not entrant.is_out}
        scores = Counter(outcome.winner for outcome in self.outcomes if outcome.winner)
        lots = [number for pair in self.rounds[0] for number in pair] if self.rounds else first_order
        lot = {number: place for place, number in enumerate(lots)}
        order = sorted(here, key=lambda number: (-scores[number], lot.get(number, len(lots)), number))
        byes = Counter(outcome.fixture.one for outcome in self.outcomes if outcome.fixture.is_bye)
        return swiss_round(order, scores, self.met(), byes)

    def _next_robin_round(self) -> list[Pair]:
        """The next pairs: by `circle_round` while all entrants are those of the first round and all rounds
        came from it, else by `remaining_round`."""
        here = [entrant.number for entrant in self.entrants if not entrant.is_out]
        first = self.rounds[0]
        began = [one for one, _ in first] + [other for _, other in reversed(first) if other != NOBODY]
        number = len(self.rounds) + 1
        is_circle = all(
            circle_round(began, at) == list(pairs) for at, pairs in enumerate(self.rounds, start=1)
        )
        if is_circle and sorted(began) == sorted(here) == sorted(e.number for e in self.entrants):
            return circle_round(began, number) if number < len(began) + len(began) % 2 else []
        return remaining_round(here, self.met())
