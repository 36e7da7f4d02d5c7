"""Shots at blots, against counts made with GNU Backgammon's move generator and against the old books."""

import gzip
import json

from controller.rules import Dice, Player, Position, shots
from tests.paths import ENGINE


def test_every_row_counts_the_same_shots_at_each_blot_and_at_any():
    with gzip.open(ENGINE / "hit_shots.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    assert len(rows) == 200
    for row in rows:
        found = shots(Position.parse(row["pos"]), Player.WHITE)
        assert {str(point): found.count(point) for point in found.rolls} == row["blots"], row["id"]
        assert found.any_count == row["any"], row["id"]


def lone_blot(distance, blocked=()):
    """White's blot that many points in front of Black's only checker on the board, White holding points."""
    white, black = [0] * 26, [0] * 26
    black[24] = 1
    black[0] = 14
    white[1 + distance] = 1
    for between in blocked:
        white[1 + between] = 2
    white[0] = 15 - sum(white)
    return shots(Position(tuple(white), tuple(black)), Player.WHITE), 1 + distance


def test_chances_of_being_hit_at_each_distance_with_nothing_between():
    counts = [lone_blot(distance)[0].count(1 + distance) for distance in range(1, 24)]
    assert counts[:12] == [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]
    assert counts[12:] == [0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0]


def test_eight_away_with_the_four_point_between_held_is_four_of_36():
    found, point = lone_blot(8, blocked=[4])
    assert found.rolls[point] == (Dice(5, 3), Dice(6, 2))
    assert found.count(point) == 4


def test_a_blot_behind_every_hostile_checker_is_safe():
    white, black = [0] * 26, [0] * 26
    white[3], white[0], black[6], black[0] = 1, 14, 2, 13
    found = shots(Position(tuple(white), tuple(black)), Player.WHITE)
    assert found.rolls == {3: ()}
    assert found.any_count == 0


def test_nothing_to_hit_where_there_is_no_blot():
    assert shots(Position.START, Player.WHITE).rolls == {}
    assert shots(Position.START, Player.BLACK).any_count == 0
