"""Legal plays against GNU Backgammon's own generator, and the laws a player knows by heart."""

import gzip
import json

import pytest

from controller.rules import Dice, Player, Position, legal_plays
from tests.paths import ENGINE


def rows(name):
    with gzip.open(ENGINE / name, "rt") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("player", Player)
def test_all_plays_are_those_of_gnu_backgammon(player):
    for row in rows("legal_plays.jsonl.gz"):
        position = Position.parse(row["pos"])
        expected = {Position.parse(text) for text in row.get("results_relaxed", row["results"])} or {position}
        if player is Player.BLACK:
            position, expected = position.mirrored(), {result.mirrored() for result in expected}
        plays = legal_plays(position, player, Dice(*row["dice"]))
        assert {play.result for play in plays} == expected, row["id"]
        assert len(plays) == len(expected)


def test_the_steps_of_each_play_lead_to_its_result():
    for row in rows("legal_plays.jsonl.gz")[:600]:
        start = Position.parse(row["pos"])
        for play in legal_plays(start, Player.WHITE, Dice(*row["dice"])):
            own, opposing = list(start.white), list(start.black)
            for step in play.steps:
                own[step.source] -= 1
                own[step.target] += 1
                if step.target:
                    assert opposing[25 - step.target] == int(step.hit)
                    opposing[25 - step.target] -= step.hit
                    opposing[25] += step.hit
                assert min(own) >= 0
            assert Position(tuple(own), tuple(opposing)) == play.result
