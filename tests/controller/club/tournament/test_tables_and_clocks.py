"""Tables and round clocks."""

from controller.club.tournament.changes import changed
from controller.club.tournament.round_clock import clock_after, round_in_play
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


def test_others_sit_at_a_home_table_only_where_its_player_does_not_need_it():
    tournament = begun(System.SWISS, 3).entered("wheelchair", home_table=1)
    assert allocated(tournament.drawn(), [1], {}) == {"R1.2": 1}
    assert allocated(tournament.withdrawn(4).drawn(), [1, 2], {}) == {"R1.1": 1}
    two_homes = tournament.entered("guide dog", home_table=2)
    assert allocated(two_homes.drawn([4, 5, 1, 2, 3]), [1, 2], {}) == {"R1.1": 1, "R1.2": 2}


def ran(tournament, *timed_changes, clock=None):
    """(tournament, clock) after changes, each with its minute."""
    for minute, change in timed_changes:
        after = changed(tournament, change)
        clock = clock_after(clock, tournament, after, change, minute * 60_000)
        tournament = after
    return tournament, clock


def minutes_left(clock, minute):
    return clock.left_ms(minute * 60_000) / 60_000


def won(fixture):
    score = [fixture.length, 0]
    return {"do": "result", "key": fixture.key, "winner": fixture.one, "loser": fixture.other, "score": score}


def test_a_round_has_its_time_and_is_prolonged_or_shortened():
    tournament, clock = ran(begun(System.SWISS, 4, lengths=(5,), minutes_a_point=2), (10, {"do": "draw"}))
    assert minutes_left(clock, 13) == 7
    tournament, clock = ran(tournament, (13, {"do": "prolong", "minutes": 5}), clock=clock)
    assert minutes_left(clock, 13) == 12
    tournament, clock = ran(tournament, (14, {"do": "prolong", "minutes": -10}), clock=clock)
    assert minutes_left(clock, 16) == -1
    one, other = tournament.open_fixtures
    tournament, clock = ran(tournament, (20, won(one)), clock=clock)
    assert minutes_left(clock, 16) == -1
    tournament, clock = ran(tournament, (21, won(other)), clock=clock)
    assert clock is None
    tournament, clock = ran(tournament, (30, {"do": "draw"}), clock=clock)
    assert minutes_left(clock, 30) == 10


def test_a_knockout_has_the_clock_of_its_earliest_open_round():
    tournament = begun(System.DOUBLE_KNOCKOUT, 4, lengths=(5, 7, 9), side_lengths=(3,), minutes_a_point=1)
    tournament, clock = ran(tournament, (0, {"do": "draw"}))
    first, second = tournament.open_fixtures
    tournament, clock = ran(tournament, (3, won(first)), clock=clock)
    assert minutes_left(clock, 3) == 2
    tournament, clock = ran(tournament, (6, won(second)), clock=clock)
    assert [fixture.key for fixture in tournament.open_fixtures] == ["M2.1", "L1.1"]
    assert minutes_left(clock, 6) == 7
    tournament, clock = ran(tournament, (8, won(tournament.open_fixtures[0])), clock=clock)
    assert minutes_left(clock, 8) == 3
    while tournament.open_fixtures:
        tournament, clock = ran(tournament, (20, won(tournament.open_fixtures[0])), clock=clock)
    assert (clock, round_in_play(tournament)) == (None, None)
