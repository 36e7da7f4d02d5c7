"""The evening of a club: what a hall that was restarted finds again, and the ratings."""

import threading
from contextlib import contextmanager
from dataclasses import replace
from queue import Queue

import pytest

from controller.club.hall.evening import Evening
from controller.club.hall.exports import ratings_table
from controller.club.hall_store.store_of_hall import BoardRow, ChangedMeanwhile, HallStore, LogPlace
from controller.club.tournament.elo import Rating, rated
from controller.club.tournament.fixtures import TournamentError
from controller.errors import WorkError

MINUTE_MS = 60_000
TABLES = {f"board-{table:02}": table for table in range(1, 7)}
TWO_TABLES = {"board-01": 1, "board-02": 2}


class WallClock:
    """A clock that stands until it is turned on."""

    now_ms = 1_700_000_000_000

    def __call__(self):
        return self.now_ms


@pytest.fixture
def clock():
    return WallClock()


@pytest.fixture
def store(url):
    found = HallStore(url)
    yield found
    found.close()


def begun(evening, clock, name, players, *, system="swiss", **more):
    number = evening.begin({"name": name, "system": system, "lengths": [5], **more})
    for player in players:
        evening.change(number, {"do": "enter", "name": player})
    clock.now_ms += MINUTE_MS
    evening.change(number, {"do": "draw"})
    return number


def of_number(evening, number):
    return next(one for one in evening.tournaments() if one.number == number)


def finish(evening, number, winner, loser, key="R1.1"):
    won = {"do": "result", "key": key, "winner": winner, "loser": loser, "score": [5, 2]}
    evening.change(number, won)


def test_a_restarted_hall_shows_the_same_time_left_and_the_same_tables(store, clock):
    evening = Evening(store, TABLES, clock)
    over = begun(evening, clock, "Over", ["Ida", "Jens"], n_rounds=1)
    first = begun(evening, clock, "First", ["Ada", "Bert", "Cleo", "Dora"])
    second = begun(evening, clock, "Second", ["Emil", "Fritz", "Gerda", "Hans"], system="knockout")
    finish(evening, over, 1, 2)
    finish(evening, first, 1, 2)
    clock.now_ms += 7 * MINUTE_MS
    evening.change(first, {"do": "prolong", "minutes": 15})
    evening.change(second, {"do": "prolong", "minutes": -5})
    before = {number: of_number(evening, number) for number in (over, first, second)}
    assert before[first].tables == {"R1.2": 3}
    assert before[second].tables == {"M1.1": 4, "M1.2": 5}
    assert before[first].clock.left_ms(clock()) == (5 * 9 - 1 - 7 + 15) * MINUTE_MS
    assert before[second].clock.left_ms(clock()) == (5 * 9 - 7 - 5) * MINUTE_MS
    clock.now_ms += 3 * MINUTE_MS
    again = Evening(store, TABLES, clock)
    for number in (first, second):
        assert of_number(again, number).tables == before[number].tables
        left_ms = of_number(again, number).clock.left_ms(clock())
        assert left_ms == before[number].clock.left_ms(clock()) < before[number].clock.allowed_ms
    assert again.tournaments() == evening.tournaments()


def test_a_table_that_one_tournament_leaves_serves_another_that_waits(store, clock):
    evening = Evening(store, TWO_TABLES, clock)
    first = begun(evening, clock, "First", ["Ada", "Bert", "Cleo", "Dora"], n_rounds=1)
    second = begun(evening, clock, "Second", ["Emil", "Fritz", "Gerda", "Hans"], n_rounds=1)
    assert of_number(evening, second).tables == {}
    for key, winner, loser, tables in (("R1.1", 1, 2, {"R1.1": 1}), ("R1.2", 3, 4, {"R1.1": 1, "R1.2": 2})):
        finish(evening, first, winner, loser, key)
        assert of_number(evening, second).tables == tables
        assert Evening(store, TWO_TABLES, clock).tournaments() == evening.tournaments()


def test_spectators_see_results_standings_and_ratings_late_and_the_director_at_once(store, clock):
    evening = Evening(store, TABLES, clock, delay_s=120)

    def seen(hall, **how):
        return [(one.tournament.plan.name, one.n_changes) for one in hall.tournaments(**how)]

    number = begun(evening, clock, "Club", ["Ada", "Bert"], n_rounds=1)
    assert seen(evening) == [("Club", 3)]
    assert seen(evening, is_late=True) == []
    clock.now_ms += MINUTE_MS + 1000
    assert seen(evening, is_late=True) == [("Club", 2)]
    finish(evening, number, 1, 2)
    assert seen(evening) == [("Club", 4)]
    for minutes, late in ((0, 2), (1, 3), (2, 4)):
        clock.now_ms += MINUTE_MS if minutes else 0
        for hall in (evening, Evening(store, TABLES, clock, delay_s=120)):
            assert seen(hall) == [("Club", 4)]
            assert seen(hall, is_late=True) == [("Club", late)]
            assert set(hall.ratings()) == {"Ada", "Bert"}
            assert set(hall.ratings(is_late=True)) == ({"Ada", "Bert"} if late == 4 else set())


@contextmanager
def answers_lost(store, monkeypatch):
    """The database stores changes, and its answers do not arrive."""
    add_change = store.add_change

    def stored_without_answer(*change):
        add_change(*change)
        raise WorkError("The database refuses.")

    with monkeypatch.context() as patched:
        patched.setattr(store, "add_change", stored_without_answer)
        yield


def test_after_a_change_that_was_stored_without_an_answer_the_director_goes_on(store, clock, monkeypatch):
    """As where the connection to PostgreSQL breaks between the commit and its answer."""
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert", "Cleo", "Dora"], n_rounds=1)
    with answers_lost(store, monkeypatch), pytest.raises(WorkError, match="refuses"):
        finish(evening, number, 1, 2)
    with pytest.raises(ChangedMeanwhile):
        finish(evening, number, 3, 4, "R1.2")
    assert of_number(evening, number).tables == {"R1.2": 2}
    finish(evening, number, 3, 4, "R1.2")
    assert of_number(evening, number).tournament.is_over
    assert Evening(store, TABLES, clock).tournaments() == evening.tournaments()


@pytest.mark.parametrize("minutes", [None, "x", 601, float("nan"), float("inf")])
def test_a_round_is_not_prolonged_by_nonsense(store, clock, minutes):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"])
    with pytest.raises(TournamentError):
        evening.change(number, {"do": "prolong", "minutes": minutes})


def rows_of_match(score, match=1):
    """The rows of a match to five points between Ada and Bert: its heading and its end."""
    heading = {"white": "Ada", "black": "Bert", "length": 5}
    rows = (("match", heading), ("won", {"match_over": True, "score": score}))
    return [
        BoardRow(
            board="board-01", stream="a", place=LogPlace(match, seq), t_ms=seq, kind=kind, payload=payload
        )
        for seq, (kind, payload) in enumerate(rows)
    ]


def stored(store, score, match=1):
    rows = rows_of_match(score, match)
    store.add_rows(rows, [rows[-1]])
    return rows


def play(store, evening, score, match=1):
    evening.note_rows(stored(store, score, match))


@pytest.mark.parametrize("score", [None, 5, [5], [None, 5], ["5", 2], [[], {}], [5.5, 2], [5, 5], [9, 9, 9]])
def test_a_board_that_tells_no_score_gives_no_result_and_stops_no_other(store, clock, score):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"], n_rounds=1)
    play(store, evening, score)
    assert not of_number(evening, number).tournament.is_over
    play(store, evening, [2, 5], match=2)
    (state,) = of_number(evening, number).tournament.outcomes
    assert (state.winner, state.score) == (2, (5, 2))


def test_a_second_result_of_a_match_that_contradicts_the_first_is_told_to_the_director(store, clock):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"], n_rounds=1)
    play(store, evening, [5, 2])
    play(store, evening, [5, 2], match=2)
    assert of_number(evening, number).doubts == {}
    play(store, evening, [3, 5], match=3)
    for hall in (evening, Evening(store, TABLES, clock)):
        hall.note_rows([])
        (state,) = of_number(hall, number).tournament.outcomes
        assert (state.winner, state.score) == (1, (5, 2))
        assert of_number(hall, number).doubts == {
            "R1.1": "At board-01 Bert has won 5–3, but the result above stands: save the right one."
        }
    evening.change(number, {"do": "prolong", "minutes": 5})
    assert of_number(evening, number).doubts
    finish(evening, number, 2, 1)
    assert of_number(evening, number).doubts == {}


def test_a_result_from_another_table_than_that_of_the_match_counts_and_is_told_to_the_director(store, clock):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Cleo", "Dora", "Ada", "Bert"], n_rounds=1)
    assert of_number(evening, number).tables == {"R1.1": 1, "R1.2": 2}
    play(store, evening, [5, 2])
    for hall in (evening, Evening(store, TABLES, clock)):
        assert [fixture.key for fixture in of_number(hall, number).tournament.open_fixtures] == ["R1.1"]
        assert of_number(hall, number).doubts == {
            "R1.2": "The result above came from board-01, not from table 2: save it again if it is right."
        }
    finish(evening, number, 3, 4, "R1.2")
    assert of_number(evening, number).doubts == {}


def test_a_match_of_another_evening_disputes_no_result(store, clock):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"], n_rounds=1)
    finish(evening, number, 1, 2)
    clock.now_ms += 7 * 24 * 60 * MINUTE_MS
    play(store, evening, [3, 5])
    assert of_number(evening, number).doubts == {}


def test_a_result_that_does_not_fit_its_match_disputes_nothing(store, clock):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"])
    for wrong in ({"score": [4, 2]}, {"winner": 3}, {"key": "R9.9"}, {"score": 5}):
        dispute = {"do": "dispute", "key": "R1.1", "winner": 1, "loser": 2, "score": [5, 2], **wrong}
        with pytest.raises(TournamentError):
            evening.change(number, dispute)


def test_a_name_is_the_same_in_capitals_and_however_its_accents_and_spaces_are_stored(store, clock):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Zoe\u0301 Quin", "Bert"])
    with pytest.raises(TournamentError):
        evening.change(number, {"do": "enter", "name": "ZO\u00c9 QUIN"})
    heading, end = rows_of_match([5, 2])
    rows = [replace(heading, payload={**heading.payload, "white": "Zo\u00e9  Quin"}), end]
    store.add_rows(rows, [end])
    evening.note_rows(rows)
    (state,) = of_number(evening, number).tournament.outcomes
    assert (state.winner, state.score) == (1, (5, 2))


def test_a_hall_that_was_killed_before_it_noted_a_result_notes_it_when_it_opens_again(store, clock):
    number = begun(Evening(store, TABLES, clock), clock, "Club", ["Ada", "Bert"], n_rounds=1)
    stored(store, [2, 5])
    for _ in range(2):
        again = Evening(store, TABLES, clock)
        again.note_rows([])
        (state,) = of_number(again, number).tournament.outcomes
        assert (state.winner, state.score) == (2, (5, 2))
        assert of_number(again, number).n_changes == 4


def test_a_result_that_the_database_refuses_is_noted_later(store, clock, monkeypatch):
    """As where the disk is full after the rows of the match."""
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"], n_rounds=1)

    def refuse(*change):
        raise WorkError("The database refuses.")

    with monkeypatch.context() as patched:
        patched.setattr(store, "add_change", refuse)
        play(store, evening, [5, 2])
    assert not of_number(evening, number).tournament.is_over
    evening.note_rows([])
    assert of_number(evening, number).tournament.is_over


def test_a_result_is_noted_once_though_the_same_players_meet_again(store, clock, monkeypatch):
    """The database stores the result of the first final without an answer. The second final stays open."""
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"], system="double-knockout")
    finish(evening, number, 1, 2, "M1.1")
    with answers_lost(store, monkeypatch):
        play(store, evening, [2, 5])
    for _ in range(2):
        evening.note_rows([])
    (final,) = of_number(evening, number).tournament.open_fixtures
    assert (final.key, of_number(evening, number).n_changes) == ("F2.1", 5)
    assert Evening(store, TABLES, clock).tournaments() == evening.tournaments()


def test_a_match_that_ended_before_its_round_was_drawn_is_no_result_of_it(store, clock):
    evening = Evening(store, TABLES, clock)
    play(store, evening, [5, 2])
    number = begun(evening, clock, "Club", ["Ada", "Bert"], n_rounds=1)
    for hall in (evening, Evening(store, TABLES, clock)):
        hall.note_rows([])
        assert not of_number(hall, number).tournament.is_over


def test_everybody_sees_the_tournaments_while_the_database_does_not_answer(store, clock, monkeypatch):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert"], n_rounds=1)
    seen = Queue()

    def silent(*change):
        look = threading.Thread(target=lambda: seen.put(evening.tournaments()), daemon=True)
        look.start()
        seen.put(seen.get(timeout=10))

    monkeypatch.setattr(store, "add_change", silent)
    finish(evening, number, 1, 2)
    assert [one.n_changes for one in seen.get()] == [3]


def test_ratings_follow_from_the_results_and_from_their_corrections(store, clock):
    evening = Evening(store, TABLES, clock)
    number = begun(evening, clock, "Club", ["Ada", "Bert", "Cleo"], n_rounds=1)
    assert evening.ratings() == {}
    finish(evening, number, 1, 2)
    ada, bert = rated(Rating(), Rating(), 5)
    assert evening.ratings() == {"Ada": ada, "Bert": bert}
    finish(evening, number, 2, 1)
    assert evening.ratings() == {"Bert": ada, "Ada": bert}
    second = evening.begin({"name": "Next", "system": "swiss", "lengths": [5], "n_rounds": 1})
    evening.change(second, {"do": "enter", "name": "Ada", "rating": 1900, "experience": 900})
    evening.change(second, {"do": "enter", "name": "Dora", "rating": 1700, "experience": 700})
    evening.change(second, {"do": "draw"})
    finish(evening, second, 2, 1)
    dora, beaten = rated(Rating(value=1700, experience=700), bert, 5)
    assert evening.ratings() == {"Bert": ada, "Ada": beaten, "Dora": dora}
    assert Evening(store, TABLES, clock).ratings() == evening.ratings()
    assert ratings_table(evening.ratings()).splitlines() == [
        "place,player,rating,experience",
        f"1,Dora,{dora.value:.2f},705",
        f"2,Bert,{ada.value:.2f},5",
        f"3,Ada,{beaten.value:.2f},10",
    ]
