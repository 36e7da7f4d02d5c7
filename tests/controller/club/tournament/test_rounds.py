"""Round robins and Swiss rounds."""

import json
import re
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.tournament.changes import changed, parse_plan
from controller.club.tournament.fixtures import Entrant, FixtureEnd, TournamentError
from controller.club.tournament.standings import standings
from controller.club.tournament.tournament import System
from sentences import FILES, speaking, texts_of
from tests.controller.club.tournament.evenings import KNOCKOUTS, begun, pairs_of, played, played_out, result


@pytest.mark.parametrize("n", range(2, 14))
def test_in_a_round_robin_everybody_meets_everybody_once(n):
    tournament = played_out(begun(System.ROUND_ROBIN, n))
    assert sorted(pairs_of(tournament)) == sorted(combinations(range(1, n + 1), 2))
    assert len(tournament.rounds) == n - 1 + n % 2
    assert [row.won for row in standings(tournament)] == list(range(n - 1, -1, -1))


@pytest.mark.parametrize("n", range(2, 20))
def test_a_swiss_round_has_one_bye_where_the_number_is_odd(n):
    tournament = begun(System.SWISS, n, n_rounds=1).drawn()
    assert sum(one.fixture.is_bye for one in tournament.outcomes) == n % 2
    assert sorted(number for pair in tournament.rounds[0] for number in pair if number) == list(
        range(1, n + 1)
    )


@pytest.mark.parametrize("system", System)
def test_nobody_is_drawn_twice(system):
    tournament = begun(system, 4)
    with pytest.raises(TournamentError):
        tournament.drawn([1, 2, 2, 3])
    tournament = tournament.drawn([3, 1])
    seated = [number for fixture in tournament.open_fixtures for number in fixture.players]
    assert sorted(seated) == [1, 2, 3, 4]


def test_after_the_first_round_winners_meet_winners():
    tournament = played(begun(System.SWISS, 16).drawn()).drawn()
    winners = {one.winner for one in tournament.outcomes if one.fixture.round == 1}
    for one, other in tournament.rounds[1]:
        assert (one in winners) == (other in winners)


def test_seven_rounds_of_eight_are_a_round_robin_and_there_is_no_eighth():
    tournament = played_out(begun(System.SWISS, 8, n_rounds=7))
    assert sorted(pairs_of(tournament)) == sorted(combinations(range(1, 9), 2))
    tournament = played(begun(System.SWISS, 2, n_rounds=3).drawn())
    with pytest.raises(TournamentError, match="meet an opponent again"):
        tournament.drawn()


EVENINGS = st.lists(
    st.tuples(st.sampled_from(["enter", "withdraw", "correct", "none"]), st.integers(0, 10_000)), max_size=9
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([System.SWISS, System.ROUND_ROBIN]), st.integers(2, 15), EVENINGS, st.randoms())
def test_no_pairing_repeats_whoever_comes_late_leaves_or_is_corrected(system, n, happenings, chance):
    tournament = begun(system, n, n_rounds=9)

    def decide(fixture):
        return result(fixture, chance.choice(sorted(fixture.players)))

    for what, number in happenings:
        try:
            tournament = played(tournament.drawn(), decide)
        except TournamentError:
            break
        if what == "enter":
            tournament = tournament.entered(f"late {len(tournament.entrants)}")
        elif what == "withdraw":
            tournament = tournament.withdrawn(number % len(tournament.entrants) + 1)
        elif what == "correct" and tournament.results:
            key = sorted(tournament.results)[number % len(tournament.results)]
            old = tournament.results[key]
            (fixture,) = [one.fixture for one in tournament.outcomes if one.fixture.key == key]
            tournament = tournament.with_result(key, result(fixture, old.loser))
    met = pairs_of(tournament)
    assert len(met) == len(set(met))
    for pairs in tournament.rounds:
        players = [one for pair in pairs for one in pair if one]
        assert len(players) == len(set(players))
    rows = standings(tournament)
    assert sorted(row.number for row in rows) == [one.number for one in tournament.entrants]
    n_decided = sum(one.winner is not None for one in tournament.outcomes if not one.fixture.is_bye)
    if system is System.SWISS:
        assert sum(row.lost for row in rows) == n_decided


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 12), st.integers(1, 3), st.integers(1, 3))
def test_who_comes_late_to_a_round_robin_meets_everybody(n, n_late, after):
    tournament = begun(System.ROUND_ROBIN, n)
    for _ in range(min(after, n - 1)):
        tournament = played(tournament.drawn())
    for number in range(n_late):
        tournament = tournament.entered(f"late {number}")
    tournament = played_out(tournament)
    assert sorted(pairs_of(tournament)) == sorted(combinations(range(1, n + n_late + 1), 2))
    assert len(tournament.rounds) <= 2 * (n + n_late)


def test_nobody_has_a_second_bye_before_everybody_had_one():
    tournament = played_out(begun(System.SWISS, 7, n_rounds=6))
    byes = [one.fixture.one for one in tournament.outcomes if one.fixture.is_bye]
    assert len(byes) == len(set(byes)) == 6
    assert byes[0] == 7


def test_who_left_a_round_robin_before_half_of_it_counts_for_nobody():
    tournament = played(begun(System.ROUND_ROBIN, 6).drawn())
    (first,) = [one.loser for one in tournament.outcomes if one.winner == 1]
    left = played_out(tournament.withdrawn(first))
    assert [row.won for row in standings(left) if row.number == 1] == [4]
    assert [(row.won, row.lost) for row in standings(left) if row.number == first] == [(0, 0)]


@pytest.mark.parametrize(("n_played", "n_lost"), [(2, 0), (3, 5)])
def test_in_a_round_robin_of_six_half_is_three_matches(n_played, n_lost):
    tournament = begun(System.ROUND_ROBIN, 6)
    for _ in range(n_played):
        tournament = played(tournament.drawn())
    over = played_out(tournament.withdrawn(6))
    assert [(row.won, row.lost) for row in standings(over) if row.number == 6] == [(0, n_lost)]


def test_in_a_round_robin_half_is_counted_without_those_who_never_came():
    tournament = begun(System.ROUND_ROBIN, 8)
    for absent in (6, 7, 8):
        tournament = tournament.withdrawn(absent)
    tournament = played(played(tournament.drawn()).drawn())
    twice = next(n for n in range(1, 6) if sum(n in pair for pair in pairs_of(tournament)) == 2)
    over = played_out(tournament.withdrawn(twice))
    assert [row.won + row.lost for row in standings(over) if row.number == twice] == [4]


def test_who_is_ignored_in_a_round_robin_stands_below_those_who_play():
    over = played_out(begun(System.ROUND_ROBIN, 4).withdrawn(1))
    assert [(row.number, row.place) for row in standings(over)] == [(2, 1), (3, 2), (4, 3), (1, 4)]


@pytest.mark.parametrize("n", range(4, 10))
def test_who_comes_back_to_a_round_robin_meets_everybody_once(n):
    tournament = played(begun(System.ROUND_ROBIN, n).drawn()).withdrawn(n)
    tournament = played(tournament.drawn()).returned(n)
    tournament = played_out(tournament)
    assert sorted(pairs_of(tournament)) == sorted(combinations(range(1, n + 1), 2))


def test_who_leaves_a_round_robin_late_loses_also_what_was_not_drawn():
    tournament = played(played(begun(System.ROUND_ROBIN, 4).drawn()).drawn())
    (missed,) = {2, 3, 4} - {number for pair in pairs_of(tournament) if 1 in pair for number in pair}
    over = played_out(tournament.withdrawn(1))
    won = {row.number: (row.won, row.lost) for row in standings(over)}
    assert won[1] == (2, 1)
    assert won == {row.number: (row.won, row.lost) for row in standings(played_out(tournament, lost_by_1))}
    assert (missed, won[missed]) == (3, (2, 1))


def lost_by_1(fixture):
    """The first player loses; else the lower number wins."""
    return result(fixture, max(fixture.players) if 1 in fixture.players else min(fixture.players))


@pytest.mark.parametrize(("n", "n_possible"), [(2, 1), (3, 3), (4, 3), (5, 5), (6, 5)])
def test_a_swiss_tournament_is_over_when_everybody_has_met_everybody(n, n_possible):
    tournament = begun(System.SWISS, n, n_rounds=9)
    for _ in range(n_possible):
        assert not tournament.is_over
        tournament = played(tournament.drawn())
    assert tournament.is_over


def test_a_swiss_tournament_that_all_but_one_have_left_is_over():
    tournament = played(begun(System.SWISS, 3).drawn())
    assert not tournament.is_over
    assert tournament.withdrawn(1).withdrawn(2).is_over


def test_an_open_match_of_who_withdraws_is_won_by_the_other():
    tournament = begun(System.SWISS, 4).drawn()
    gone = tournament.withdrawn(2)
    (state,) = [one for one in gone.outcomes if 2 in one.fixture.players]
    assert state.end is FixtureEnd.FORFEIT
    assert state.winner != 2
    assert gone.returned(2) == tournament


def test_a_draw_is_taken_back_while_nothing_of_it_is_played():
    for system in System:
        before = begun(system, 5) if system in KNOCKOUTS else played(begun(system, 5).drawn())
        drawn = before.drawn()
        assert drawn.undrawn() == before
        late = drawn.undrawn().entered("Late").drawn()
        assert any(6 in fixture.players for fixture in late.open_fixtures)
        begun_again = played(drawn)
        with pytest.raises(TournamentError, match="take those away"):
            begun_again.undrawn()
        for fixture in drawn.open_fixtures:
            begun_again = begun_again.without_result(fixture.key)
        assert begun_again == drawn
    with pytest.raises(TournamentError):
        begun(System.SWISS, 5).undrawn()


def test_what_is_known_of_a_player_is_corrected():
    tournament = begun(System.SWISS, 4).drawn()
    known = {"rating": 1700.0, "experience": 300, "home_table": 2}
    change = {"do": "amend", "number": 2, "name": " Ada  Byron ", **known}
    corrected = changed(tournament, change)
    assert corrected.entrant(2) == Entrant(number=2, name="Ada Byron", **known)
    assert corrected.rounds == tournament.rounds
    for wrong in (
        {"name": "P01"},
        {"rating": float("nan")},
        {"rating": -1},
        {"experience": -1},
        {"home_table": 0},
        {"number": 9},
    ):
        with pytest.raises(TournamentError):
            changed(tournament, {**change, **wrong})


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e999", f"1{'0' * 400}"])
def test_numbers_without_bounds_are_refused(number):
    tournament = begun(System.SWISS, 4).drawn()
    result_of = '{"do": "result", "key": "R1.1", "score": [NUMBER, 0], "winner": 1, "loser": 2}'
    for text in (
        result_of,
        '{"do": "withdraw", "number": NUMBER}',
        '{"do": "draw", "order": [NUMBER]}',
        '{"do": "enter", "name": "Ada", "rating": NUMBER}',
        '{"do": "enter", "name": "Ada", "experience": NUMBER}',
        '{"do": "prolong", "minutes": NUMBER}',
    ):
        with pytest.raises(TournamentError):
            changed(tournament, json.loads(text.replace("NUMBER", number)))
    plan = '{"name": "Club", "system": "swiss", "lengths": [5], "FIELD": NUMBER}'
    for field in ("n_rounds", "minutes_a_point", "side_lengths"):
        wrong = f"[{number}]" if field == "side_lengths" else number
        with pytest.raises(TournamentError):
            parse_plan(json.loads(plan.replace("FIELD", field).replace("NUMBER", wrong)))


def test_results_that_do_not_fit_are_refused():
    tournament = begun(System.SWISS, 4, lengths=(7,)).drawn()
    fixture = tournament.open_fixtures[0]
    good = result(fixture, fixture.one, lost=6)
    assert tournament.with_result(fixture.key, good).open_fixtures[0].key != fixture.key
    for wrong in (
        result(fixture, fixture.one, lost=7),
        result(fixture, fixture.one, lost=8),
        result(fixture, fixture.one, lost=-1),
        result(fixture, fixture.one, end=FixtureEnd.BYE),
    ):
        with pytest.raises(TournamentError, match="correct the score"):
            tournament.with_result(fixture.key, wrong)
    other = tournament.open_fixtures[1]
    with pytest.raises(TournamentError, match="Others play"):
        tournament.with_result(fixture.key, result(other, other.one))
    with pytest.raises(TournamentError, match="No match is called"):
        tournament.with_result("R9.9", good)
    with pytest.raises(TournamentError, match="still open: 2"):
        tournament.drawn()
    with pytest.raises(TournamentError, match="in the list already"):
        tournament.entered("P01")
    with pytest.raises(TournamentError, match="No player has the number"):
        tournament.withdrawn(9)


@pytest.mark.parametrize("language", FILES)
def test_no_plural_follows_the_number_one(language):
    tournament = begun(System.ROUND_ROBIN, 2, lengths=(1,)).drawn()
    too_low = {"do": "result", "key": "R1.1", "winner": 1, "loser": 2, "score": [0, 0]}
    with speaking(language):
        said = [texts_of("club_")["match_to"].replace("%", "1")]
        for change in (too_low, {"do": "draw"}):
            with pytest.raises(TournamentError) as wrong:
                changed(tournament, change)
            said.append(str(wrong.value))
    assert all("1" in text for text in said)
    assert [text for text in said if re.search(r"(?<!\.)\b1 \w+[es]\b", text)] == []
