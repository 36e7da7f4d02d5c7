"""Tables and round clocks."""

from controller.club.tournament.round_clock import RoundClock
from controller.club.tournament.table_allocation import allocated
from controller.club.tournament.tournament import System
from tests.controller.club.tournament.evenings import begun, result


def test_tables_go_by_the_draw_and_who_sits_stays():
    tournament = begun(System.SWISS, 8).drawn()
    tables = allocated(tournament, range(1, 5), {})
    assert tables == {"R1.1": 1, "R1.2": 2, "R1.3": 3, "R1.4": 4}
    fixture = tournament.open_fixtures[0]
    later = tournament.with_result(fixture.key, result(fixture, fixture.one))
    assert allocated(later, range(1, 5), tables) == {"R1.2": 2, "R1.3": 3, "R1.4": 4}


def test_matches_wait_where_tables_are_few_and_get_the_first_that_is_free():
    tournament = begun(System.SWISS, 8).drawn()
    tables = allocated(tournament, [1, 2], {})
    assert tables == {"R1.1": 1, "R1.2": 2}
    fixture = tournament.open_fixtures[1]
    later = tournament.with_result(fixture.key, result(fixture, fixture.one))
    assert allocated(later, [1, 2], tables) == {"R1.1": 1, "R1.3": 2}


def test_a_player_with_a_home_table_plays_there_and_no_other_sits_there():
    tournament = begun(System.SWISS, 5)
    tournament = tournament.entered("wheelchair", home_table=1).drawn()
    tables = allocated(tournament, [1, 2, 3], {})
    (his,) = [one.key for one in tournament.open_fixtures if 6 in one.players]
    assert tables[his] == 1
    assert sorted(tables.values()) == [1, 2, 3]
    assert his not in allocated(tournament, [2, 3], {})


def test_the_match_for_the_broadcast_is_in_front():
    tournament = begun(System.SWISS, 8).drawn()
    assert allocated(tournament, [1, 2, 3, 4], {}, first=["R1.3"])["R1.3"] == 1


def test_a_clock_runs_stands_and_is_prolonged():
    clock = RoundClock.for_length(5, minutes_a_point=2)
    assert clock.left_ms(99) == 600_000
    running = clock.started(1000)
    assert running.left_ms(61_000) == 540_000
    assert running.started(50_000) == running
    standing = running.stopped(61_000)
    assert standing.left_ms(10**9) == 540_000
    assert standing.prolonged(5).left_ms(0) == 840_000
    assert standing.started(0).left_ms(600_000) == -60_000
    assert clock.prolonged(-20).left_ms(0) == 0
