"""Single and double knock-outs, and consolation."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.tournament.brackets import seat_order
from controller.club.tournament.fixtures import Section, TournamentError
from controller.club.tournament.standings import consolation_standings, standings
from controller.club.tournament.tournament import System
from tests.controller.club.tournament.evenings import (
    KNOCKOUTS,
    begun,
    played,
    played_out,
    result,
    winner_of,
)


def places(tournament):
    return {row.number: row.place for row in standings(tournament)}


def losses(tournament):
    found = dict.fromkeys(range(1, len(tournament.entrants) + 1), 0)
    for one in tournament.outcomes:
        if one.loser and one.fixture.section is not Section.CONSOLATION:
            found[one.loser] += 1
    return found


def test_the_best_seats_are_far_apart_and_the_last_ones_empty():
    assert seat_order(2) == (0, 1)
    assert seat_order(8) == (0, 7, 3, 4, 1, 6, 2, 5)
    tournament = begun(System.SINGLE_KNOCKOUT, 5).drawn()
    assert [sorted(one.players) for one in tournament.open_fixtures] == [[4, 5], [2, 3]]


def test_in_a_knockout_of_eight_places_go_by_the_round_of_the_loss():
    tournament = played_out(begun(System.SINGLE_KNOCKOUT, 8))
    assert places(tournament) == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5, 6: 5, 7: 5, 8: 5}
    assert winner_of(tournament) == 1


def test_lengths_go_by_the_round():
    tournament = played_out(begun(System.CONSOLATION, 8, lengths=(5, 7, 9), side_lengths=(3,)))
    lengths = {
        (one.fixture.section.value, one.fixture.round): one.fixture.length for one in tournament.outcomes
    }
    assert lengths == {("M", 1): 5, ("M", 2): 7, ("M", 3): 9, ("C", 1): 3, ("C", 2): 3}


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(KNOCKOUTS), st.integers(2, 40), st.randoms())
def test_everybody_but_the_winner_is_out_in_the_end(system, n, chance):
    tournament = played_out(
        begun(system, n), lambda fixture: result(fixture, chance.choice(sorted(fixture.players)))
    )
    lives = 2 if system is System.DOUBLE_KNOCKOUT else 1
    lost = losses(tournament)
    winner = winner_of(tournament)
    assert lost.pop(winner) < lives
    assert set(lost.values()) == {lives}
    assert places(tournament)[winner] == 1
    assert [row.is_in for row in standings(tournament)].count(True) == 1


def test_a_double_knockout_is_decided_by_a_second_final():
    def decide(fixture):
        if fixture.section is Section.FINAL:
            return result(fixture, max(fixture.players))
        return result(fixture, min(fixture.players))

    tournament = played_out(begun(System.DOUBLE_KNOCKOUT, 8), decide)
    finals = [one.fixture.key for one in tournament.outcomes if one.fixture.section is Section.FINAL]
    assert finals == ["F1.1", "F2.1"]
    assert winner_of(tournament) == 2
    assert places(tournament)[1] == 2
    once = played_out(begun(System.DOUBLE_KNOCKOUT, 8))
    assert [one.fixture.key for one in once.outcomes if one.fixture.section is Section.FINAL] == ["F1.1"]


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 33), st.randoms())
def test_whoever_loses_his_first_match_has_a_consolation(n, chance):
    tournament = played_out(
        begun(System.CONSOLATION, n), lambda fixture: result(fixture, chance.choice(sorted(fixture.players)))
    )
    first_lost, seen = set(), set()
    for one in tournament.outcomes:
        if one.fixture.section is Section.MAIN:
            first_lost |= {one.loser} - seen
            seen |= one.fixture.players
    came = {row.number for row in consolation_standings(tournament)}
    # One alone has nobody to play with.
    assert came == (first_lost if len(first_lost) > 1 else set())
    if len(first_lost) > 1:
        assert [row.is_in for row in consolation_standings(tournament)].count(True) == 1


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(KNOCKOUTS), st.integers(3, 24), st.randoms(), st.integers(0, 3))
def test_late_entrants_and_withdrawals_leave_every_played_match_alone(system, n, chance, n_rounds):
    def decide(fixture):
        return result(fixture, chance.choice(sorted(fixture.players)))

    tournament = begun(system, n).drawn()
    for _ in range(n_rounds):
        tournament = played(tournament, decide)
    before = {one.fixture.key: one for one in tournament.outcomes if one.fixture.key in tournament.results}
    try:
        late = tournament.entered("late")
    except TournamentError:
        late = tournament
    late = late.withdrawn(chance.randint(1, n))
    after = {one.fixture.key: one for one in late.outcomes}
    assert {key: after[key] for key in before} == before
    ended = played_out(late, decide)
    assert winner_of(ended) is not None
    assert [row.is_in for row in standings(ended)].count(True) == 1


def test_a_corrected_result_puts_the_right_player_into_the_next_round():
    tournament = played(played(begun(System.SINGLE_KNOCKOUT, 4).drawn()))
    assert winner_of(tournament) == 1
    fixture = tournament.outcomes[0].fixture
    mended = tournament.with_result(fixture.key, result(fixture, 4))
    assert winner_of(mended) is None
    (final,) = mended.open_fixtures
    assert final.players == {4, 2}
    back = mended.with_result(fixture.key, result(fixture, 1))
    assert winner_of(back) == 1


def test_a_late_entrant_takes_a_bye_and_then_there_is_none_left():
    tournament = begun(System.SINGLE_KNOCKOUT, 7).drawn().entered("late")
    assert len(tournament.open_fixtures) == 4
    with pytest.raises(TournamentError, match="no free place"):
        tournament.entered("later")


@pytest.mark.parametrize("system", KNOCKOUTS)
def test_who_withdrew_before_the_draw_is_last_and_not_beside_the_winner(system):
    over = played_out(begun(system, 6).withdrawn(6).drawn())
    assert places(over)[winner_of(over)] == 1
    assert places(over)[6] == 6
    assert list(places(over).values()).count(1) == 1


@pytest.mark.parametrize("system", KNOCKOUTS)
def test_who_comes_back_after_the_draw_takes_the_place_of_a_bye(system):
    drawn = begun(system, 8).withdrawn(4).withdrawn(8).drawn()
    back = drawn.returned(8)
    assert any(8 in fixture.players for fixture in back.open_fixtures)
    assert back.withdrawn(8).returned(8).seats == back.seats
    with pytest.raises(TournamentError, match="no free place"):
        back.returned(4).entered("late")


@pytest.mark.parametrize("system", KNOCKOUTS)
def test_who_comes_back_to_a_full_bracket_has_no_place_there(system):
    full = begun(system, 9).withdrawn(9).drawn()
    assert full.returned(9).seats == full.seats
