"""What IDs cannot hold is refused by name, and what they hold is kept."""

from dataclasses import replace

import pytest

from controller.rules import (
    Cube,
    Dice,
    IdError,
    Player,
    Position,
    Situation,
    Win,
    gnubg_ids,
    match_id,
    parse_gnubg_ids,
    parse_match_id,
    parse_situation,
    parse_xgid,
    position_id,
    xgid,
)

W, B = Player.WHITE, Player.BLACK
START = Situation(position=Position.START)
PLACES = "-b----E-C---eE---c-e----B-"
SIXTEEN = Position.parse("00000060300005000000000020:00000050300005000000000020")
BOTH_ON_ONE = Position.parse("01000050300005000000000010:00000050300005000000000020")


@pytest.mark.parametrize("write", [xgid, match_id])
@pytest.mark.parametrize(
    ("situation", "why"),
    [
        (replace(START, cube=Cube(1 << 16)), "the cube shows 65536"),
        (replace(START, cube=Cube(3)), "the cube shows 3"),
        (replace(START, length=32768), "match length 32768"),
        (replace(START, length=5, score=(32768, 0)), "score 32768"),
        (replace(START, score=(-1, 0)), "0 or more"),
        (replace(START, position=SIXTEEN), "White has 1 checker too many"),
        (replace(START, position=BOTH_ON_ONE), "both players on White's 1 point"),
    ],
)
def test_what_no_id_can_hold_is_named(write, situation, why):
    with pytest.raises(IdError, match=why):
        write(situation)


@pytest.mark.parametrize("position", [SIXTEEN, BOTH_ON_ONE])
def test_a_position_id_is_refused_for_an_impossible_position(position):
    with pytest.raises(IdError, match="no ID can hold"):
        position_id(position, W)


@pytest.mark.parametrize("log2", range(16))
def test_every_cube_that_is_written_is_read(log2):
    situation = replace(START, cube=Cube(1 << log2, W), length=5)
    assert parse_xgid(xgid(situation)) == situation
    assert parse_match_id(match_id(situation), Position.START).cube == situation.cube


@pytest.mark.parametrize("dice", ["D", "B", "R"])
@pytest.mark.parametrize("largest", ["0", "7", "10", "15"])
def test_beavers_and_the_largest_cube_are_kept(dice, largest):
    text = f"XGID={PLACES}:1:1:1:{dice}:0:0:2:0:{largest}"
    assert xgid(parse_xgid(text)) == text


def test_a_match_id_holds_no_beaver_and_an_xgid_no_resignation():
    with pytest.raises(IdError, match="no beaver"):
        match_id(parse_xgid(f"XGID={PLACES}:1:1:1:B:0:0:2:0:10"))
    with pytest.raises(IdError, match="no resignation"):
        xgid(replace(START, resigned=Win.GAMMON))


@pytest.mark.parametrize("win", Win)
def test_a_resignation_is_kept_in_the_match_id(win):
    situation = replace(START, resigned=win, length=5)
    assert parse_match_id(match_id(situation), Position.START).resigned is win


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"XGID={PLACES}:0:0:1:31:0:0:0:5:10 and more", "largest cube: '10 and more'"),
        (f"XGID={PLACES}:0:0:1:31:0:0:0:5:10:7", "10 fields"),
        (f"XGID={PLACES}:0:0:1:31:0:0:0:5:", "largest cube: ''"),
        (f"XGID={PLACES}:0:0:1:31:0:0:2:5:10", "Crawford or Jacoby"),
        (f"XGID={PLACES}:16:0:1:31:0:0:0:5:10", "cube: '16'"),
        (f"XGID={PLACES[:25]}b:0:0:1:31:0:0:0:5:10", "26.*'b'"),
    ],
)
def test_a_field_that_is_wrong_is_named(text, why):
    with pytest.raises(IdError, match=why):
        parse_xgid(text)


@pytest.mark.parametrize("text", [f"xgid={PLACES}:0:0:1:31:0:0:0:5:10  ", f" {PLACES}:0:0:1:31:0:0:0:5:10\n"])
def test_small_letters_and_spaces_around_are_taken(text):
    assert parse_situation(text) == replace(START, dice=Dice(3, 1), length=5)


def test_position_and_match_id_are_taken_together():
    situation = replace(START, dice=Dice(3, 1), length=5, score=(1, 2), cube=Cube(2, B))
    text = gnubg_ids(situation)
    assert text.startswith("4HPwATDgc/ABMA:")
    again = parse_situation(text)
    assert replace(again, jacoby=False) == situation
    assert parse_gnubg_ids(f" {text} ") == again
    with pytest.raises(IdError, match="no colon"):
        parse_gnubg_ids("4HPwATDgc/ABMA")
