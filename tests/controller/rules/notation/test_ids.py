"""Position ID, match ID, XGID and diagram: what other programs write is read, and written the same."""

import gzip
import json

import pytest

from controller.rules import (
    Cube,
    Dice,
    IdError,
    Player,
    Position,
    Situation,
    draw_diagram,
    match_id,
    parse_diagram,
    parse_match_id,
    parse_position_id,
    parse_xgid,
    position_id,
    xgid,
)
from tests.paths import ENGINE

OWNERS = {"bottom": Player.WHITE, "top": Player.BLACK, None: None}


def situations():
    """(situation, row) of every row; the bottom player is White."""
    with gzip.open(ENGINE / "position_ids.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            on_roll = Player.WHITE if row["turn"] == 1 else Player.BLACK
            own_first = Position.parse(row["pos"])
            yield (
                Situation(
                    position=own_first if on_roll is Player.WHITE else own_first.mirrored(),
                    on_roll=on_roll,
                    dice=Dice(*row["dice"]) if row["dice"] else None,
                    cube=Cube(row["cube"], OWNERS[row["cube_owner"]]),
                    length=row["match_length"],
                    score=(row["score"]["bottom"], row["score"]["top"]),
                    crawford=row["crawford"],
                    jacoby=bool(row["jacoby"]),
                    beavers=bool(row["beavers"]),
                ),
                row,
            )


def test_all_ids_are_written_as_gnu_backgammon_prints_them():
    for situation, row in situations():
        assert xgid(situation) == row["xgid"]
        assert position_id(situation.position, situation.on_roll) == row["position_id"]
        assert match_id(situation) == row["match_id"]


def test_all_ids_are_read_back():
    for situation, row in situations():
        assert parse_xgid(row["xgid"]) == situation
        position = parse_position_id(row["position_id"], situation.on_roll)
        assert position == situation.position
        from_ids = parse_match_id(row["match_id"], position, situation.on_roll)
        assert (from_ids.cube, from_ids.dice) == (situation.cube, situation.dice)
        assert (from_ids.length, from_ids.score) == (situation.length, situation.score)
        assert (from_ids.crawford, from_ids.jacoby) == (situation.crawford, situation.jacoby)


def test_every_position_can_be_drawn_and_the_drawing_read():
    for situation, _ in situations():
        assert parse_diagram(draw_diagram(situation.position)) == situation.position


def test_the_start_position_drawn():
    assert draw_diagram(Position.START).splitlines()[:6] == [
        "+13-14-15-16-17-18-+BAR+19-20-21-22-23-24-+",
        "| O           X    |   | X              O | 0 X off",
        "| O           X    |   | X              O |",
        "| O           X    |   | X                |",
        "| O                |   | X                |",
        "| O                |   | X                |",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4HPwATDgc/ABM", "has 13 characters"),
        ("4HPwATDgc!ABMA", "character 10"),
        ("//////////////", "checkers on one side|sets bits"),
        ("4HPwATDgc/ABMB", "character 14"),
    ],
)
def test_a_wrong_position_id_is_refused_with_the_place(text, complaint):
    with pytest.raises(IdError, match=complaint):
        parse_position_id(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5", "10 fields"),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:31:0:0:0:5:10", "25 characters"),
        ("XGID=-b----E-C---eE---c-e-?--B-:0:0:1:31:0:0:0:5:10", "character 22"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:37:0:0:0:5:10", "dice: '37'"),
        ("XGID=-b----E-C---eE---c-e----B-:0:2:1:31:0:0:0:5:10", "cube owner"),
        ("XGID=-b----O-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10", "bottom player has 25"),
    ],
)
def test_a_wrong_xgid_is_refused_with_the_field(text, complaint):
    with pytest.raises(IdError, match=complaint):
        parse_xgid(text)
