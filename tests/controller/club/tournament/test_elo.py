"""Ratings by the formula of FIBS."""

import pytest

from controller.club.tournament.elo import RatedMatch, Rating, rated, rated_in_order, win_chance

VETERANS = 1000
"""Points of experience of players without a ramp-up."""


def test_equals_with_experience_win_and_lose_two_points_in_a_match_to_one():
    winner, loser = rated(Rating(experience=VETERANS), Rating(experience=VETERANS), 1)
    assert winner == Rating(value=1502.0, experience=VETERANS + 1)
    assert loser == Rating(value=1498.0, experience=VETERANS + 1)


@pytest.mark.parametrize(
    ("difference", "length", "chance"),
    [
        (0, 7, 0.500), (100, 1, 0.529), (100, 11, 0.594), (300, 5, 0.684), (400, 7, 0.772), (700, 3, 0.802),
        (700, 11, 0.935),
    ],
)  # fmt: skip
def test_chances_are_those_of_the_published_table(difference, length, chance):
    """From https://bkgm.com/rgb/rgb.cgi?view+45."""
    assert win_chance(1500 + difference, 1500, length) == pytest.approx(chance, abs=0.0006)
    assert win_chance(1500, 1500 + difference, length) == pytest.approx(1 - chance, abs=0.0006)


def test_the_favourite_gains_little_and_the_underdog_much():
    strong, weak = Rating(value=1900, experience=VETERANS), Rating(value=1500, experience=VETERANS)
    gained = rated(strong, weak, 7)[0].value - 1900
    upset = rated(weak, strong, 7)[0].value - 1500
    assert gained == pytest.approx(4 * 7**0.5 * 0.2283, abs=0.01)
    assert upset == pytest.approx(4 * 7**0.5 * 0.7717, abs=0.01)
    assert gained + upset == pytest.approx(4 * 7**0.5)


def test_a_newcomer_moves_faster_until_he_has_400_points():
    newcomer, veteran = rated(Rating(), Rating(experience=VETERANS), 4)
    assert newcomer.value == pytest.approx(1500 + 4 * (5 - 4 / 100) * 2 * 0.5)
    assert veteran.value == pytest.approx(1496)
    assert rated(Rating(experience=396), Rating(), 4)[0].value == pytest.approx(1504)


def test_ratings_follow_the_order_of_the_matches():
    matches = [
        RatedMatch(winner="Ada", loser="Bert", length=5),
        RatedMatch(winner="Bert", loser="Cleo", length=3),
    ]
    found = rated_in_order({"Bert": Rating(value=1600, experience=500)}, matches)
    ada, bert = rated(Rating(), Rating(value=1600, experience=500), 5)
    assert found["Ada"] == ada
    assert (found["Bert"], found["Cleo"]) == rated(bert, Rating(), 3)
    assert found["Cleo"].experience == 3


def test_a_match_without_length_counts_for_nothing():
    with pytest.raises(ValueError):
        rated(Rating(), Rating(), 0)
