"""Tournaments played by script."""

from controller.club.tournament.fixtures import FixtureEnd, MatchResult
from controller.club.tournament.standings import standings
from controller.club.tournament.tournament import Plan, System, Tournament


def begun(system, n, **more):
    """A tournament with players P01, P02, ... before the draw."""
    tournament = Tournament(plan=Plan(name="Club evening", system=system, **more))
    for number in range(1, n + 1):
        tournament = tournament.entered(f"P{number:02}")
    return tournament


def result(fixture, winner, *, lost=0, end=FixtureEnd.PLAYED):
    """The winner's result: his full points against `lost`; a forfeit is 0-0."""
    (loser,) = fixture.players - {winner}
    score = (fixture.length, lost) if end is FixtureEnd.PLAYED else (0, 0)
    return MatchResult(winner=winner, loser=loser, score=score, end=end)


def lower_number_wins(fixture):
    """The stronger player wins; the weaker one gets as many points as he is close to him."""
    strong, weak = sorted(fixture.players)
    return result(fixture, strong, lost=max(0, fixture.length - 1 - (weak - strong) // 8))


def played(tournament, decide=lower_number_wins):
    """With every open fixture played, those that open up by it not among them."""
    for fixture in tournament.open_fixtures:
        tournament = tournament.with_result(fixture.key, decide(fixture))
    return tournament


def played_out(tournament, decide=lower_number_wins):
    """Drawn and played until nothing is left."""
    while not tournament.is_over:
        if not tournament.open_fixtures:
            tournament = tournament.drawn()
        tournament = played(tournament, decide)
    return tournament


def winner_of(tournament):
    """The winner of a knock-out; None while it is open."""
    left = [row.number for row in standings(tournament) if row.is_in]
    return left[0] if len(left) == 1 and tournament.is_over else None


def pairs_of(tournament):
    """Every pair that met, a pair as often as it met."""
    return [tuple(sorted(one.fixture.players)) for one in tournament.outcomes if not one.fixture.is_bye]


KNOCKOUTS = (System.SINGLE_KNOCKOUT, System.DOUBLE_KNOCKOUT, System.CONSOLATION)
