"""Which fixture is played at which table."""

from collections.abc import Mapping, Sequence

from controller.club.tournament.fixtures import Fixture
from controller.club.tournament.tournament import Tournament


def allocated(tournament: Tournament, tables: Sequence[int], taken: Mapping[str, int]) -> dict[str, int]:
    """The table of each open fixture, by its key. Fixtures for which no table is free are left out.

    tables: the tables to use, the front one first. taken: the tables allocated before; a fixture keeps its
    table. A player with a home table plays there. Other tables are given in the order of the draw.
    """
    waiting = tournament.open_fixtures
    kept = {fixture.key: taken[fixture.key] for fixture in waiting if fixture.key in taken}
    free = [table for table in tables if table not in kept.values()]
    found = dict(kept)
    needing = sorted(
        (fixture for fixture in waiting if fixture.key not in kept),
        key=lambda fixture: _home(tournament, fixture) is None,
    )
    homes = {entrant.home_table for entrant in tournament.entrants if not entrant.is_out} - {None}
    for fixture in needing:
        home = _home(tournament, fixture)
        if home is not None:
            if home not in free:
                continue  # the home table is in use: the fixture waits for it
            table = home
        else:
            usable = [table for table in free if table not in homes] or free
            if not usable:
                continue
            table = usable[0]
        free.remove(table)
        found[fixture.key] = table
    return found


def _home(tournament: Tournament, fixture: Fixture) -> int | None:
    """The home table of the players; that of the first where both have one; None where neither has."""
    homes = [tournament.entrant(number).home_table for number in (fixture.one, fixture.other) if number]
    return next((home for home in homes if home is not None), None)
