"""A tournament of 64 with late entries, byes, a withdrawal and a corrected result, played by script.

Its table is tests/data/club/swiss_64.csv. `plain_table` counts it again as one does on paper. Rows by hand:

1 beat 2 (4 wins in the end), 3 (5), 5 (4), 9 (3), 17 (5), 4 (4): Buchholz 25, without 5 and 3 17, and
Sonneborn-Berger 25; points 1 + 1 + 1 + 2 + 3 + 1 = 9.
3 met 4 (4), 1 (6, lost), 7 (3), 5 (4), 33 (4), 12 (4): 25, without 6 and 3 16, and 25 - 6 = 19;
points 1 - 1 + 1 + 1 + 4 + 2 = 8.
17 met 18 (2), 19 (5), 21 (2), 25 (3), 1 (6, lost), 28 (4): 22, without 6 and 2 14, and 22 - 6 = 16;
points 1 + 1 + 1 + 2 - 3 + 2 = 4.
64 was not there twice and had a bye, his one win: 3 times 1; he lost to 62 (2), 58 (1), 63 (2): 8, without
2 and 1 5, and 1 for the bye; points -3.
"""

import csv
from collections import Counter
from fractions import Fraction

from controller.club.tournament.fixtures import FixtureEnd
from controller.club.tournament.standings import standings
from controller.club.tournament.tournament import System
from tests.controller.club.tournament.evenings import (
    begun,
    lower_number_wins,
    pairs_of,
    played,
    played_out,
    result,
    winner_of,
)
from tests.paths import ROOT

TABLE = ROOT / "tests" / "data" / "club" / "swiss_64.csv"
N_ROUNDS = 6


def swiss_evening():
    """61 begin; two come after the first round, one after the second; 20 leaves in the fourth.

    After the fourth round the director corrects the second: 2 had lost to his opponent there.
    """
    tournament = played(begun(System.SWISS, 61, n_rounds=N_ROUNDS, lengths=(5,)).drawn())
    tournament = tournament.entered("P62").entered("P63")
    tournament = played(tournament.drawn())
    tournament = tournament.entered("P64")
    tournament = played(tournament.drawn()).drawn()
    tournament = played(tournament.withdrawn(20))
    second = [one.fixture for one in tournament.outcomes if one.fixture.round == 2]
    (fixture,) = [fixture for fixture in second if 2 in fixture.players]
    (other,) = fixture.players - {2}
    tournament = tournament.with_result(fixture.key, result(fixture, other, lost=4))
    return played_out(tournament)


def plain_table(tournament):
    """(wins, losses, median, Buchholz, Sonneborn-Berger, points) of each entrant, counted as on paper.

    Each player's card: one line a round, with the opponent and 1 or 0. A round without an opponent is a line
    against himself.
    """
    cards = {entrant.number: ["idle"] * N_ROUNDS for entrant in tournament.entrants}
    for one in tournament.outcomes:
        row, fixture = one.fixture.round - 1, one.fixture
        if fixture.is_bye:
            cards[fixture.one][row] = "bye"
        elif one.end is FixtureEnd.FORFEIT:
            cards[one.winner][row], cards[one.loser][row] = "bye", "gone"
        else:
            won, lost = one.score
            cards[one.winner][row], cards[one.loser][row] = (
                (one.loser, 1, won - lost),
                (one.winner, 0, lost - won),
            )
    wins = {
        number: sum(line == "bye" or (isinstance(line, tuple) and line[1]) for line in card)
        for number, card in cards.items()
    }
    table = {}
    for number, card in cards.items():
        scores = sorted(wins[line[0]] if isinstance(line, tuple) else wins[number] for line in card)
        beaten = sum(wins[line[0]] for line in card if isinstance(line, tuple) and line[1])
        beaten += sum(wins[number] for line in card if line == "bye")
        losses = sum(line == "gone" or (isinstance(line, tuple) and not line[1]) for line in card)
        points = sum(line[2] for line in card if isinstance(line, tuple))
        table[number] = (wins[number], losses, sum(scores[1:-1]), sum(scores), beaten, points)
    return table


def test_the_standings_are_those_of_the_table():
    rows = standings(swiss_evening())
    with TABLE.open(encoding="utf-8", newline="") as file:
        wanted = [tuple(map(Fraction, row)) for row in list(csv.reader(file))[1:]]
    found = [
        (row.place, row.number, row.won, row.lost, *row.tie_breaks[:3], row.tie_breaks[4]) for row in rows
    ]
    assert found == wanted


def test_the_table_is_what_one_counts_on_paper():
    plain = plain_table(swiss_evening())
    with TABLE.open(encoding="utf-8", newline="") as file:
        kept = {int(row[1]): tuple(int(float(one)) for one in row[2:]) for row in list(csv.reader(file))[1:]}
    assert kept == plain


def test_the_evening_has_what_makes_evenings_hard():
    tournament = swiss_evening()
    met = pairs_of(tournament)
    assert len(tournament.entrants) == 64
    assert len(met) == len(set(met))
    byes = Counter(one.fixture.one for one in tournament.outcomes if one.fixture.is_bye)
    # Rounds 1, 2 and 5, 6 have an odd number: 61, 63, then 64, 64, then 63, 63.
    by_round = Counter(one.fixture.round for one in tournament.outcomes if one.fixture.is_bye)
    assert by_round == {1: 1, 2: 1, 5: 1, 6: 1}
    assert set(byes.values()) == {1}
    forfeits = [one for one in tournament.outcomes if one.end is FixtureEnd.FORFEIT]
    assert [one.loser for one in forfeits] == [20]


def test_a_knockout_of_64_ends_as_its_bracket_says():
    """60 begin, four come late and take the byes of the first four; 5 leaves before the second round.

    The lower number wins, but the final is first written down the wrong way round and then corrected. So the
    places are those of the seeds: 1, 2, then 3 and 4, then the losers of the quarter-finals. 5 has won his
    first match; 12, whom he would have met in the third round, goes on to the quarter-final in his place.
    """
    tournament = begun(System.CONSOLATION, 60, lengths=(5, 7, 9)).drawn()
    for number in range(61, 65):
        tournament = tournament.entered(f"P{number}")
    tournament = played(tournament).withdrawn(5)
    tournament = played_out(tournament)
    (final,) = [one.fixture for one in tournament.outcomes if one.fixture.key == "M6.1"]
    tournament = tournament.with_result("M6.1", result(final, max(final.players)))
    assert winner_of(tournament) == 2
    tournament = tournament.with_result("M6.1", lower_number_wins(final))
    rows = {row.number: row for row in standings(tournament)}
    assert [number for number, row in rows.items() if row.place == 1] == [1]
    assert [number for number, row in rows.items() if row.place == 2] == [2]
    assert [number for number, row in rows.items() if row.place == 3] == [3, 4]
    assert [number for number, row in rows.items() if row.place == 5] == [6, 7, 8, 12]
    assert rows[5].place == 17
    assert (rows[1].won, rows[1].lost) == (6, 0)
    assert Counter(row.place for row in rows.values()) == {1: 1, 2: 1, 3: 2, 5: 4, 9: 8, 17: 16, 33: 32}
