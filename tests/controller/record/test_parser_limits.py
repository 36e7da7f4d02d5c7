"""Parsers take linear time and bounded memory, whatever they are given."""

import time
from contextlib import suppress

import pytest

from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.match_record import MOST_ACTIONS, MOST_PROBLEMS, MatchFileError, MatchRecord
from controller.record.sgf import format_sgf, parse_sgf
from controller.record.thrown_games import parse_thrown_game
from controller.rules import InvalidPlay, Position, PositionError, TurnState, parse_steps

N = 200_000
MOST_SECONDS = 10.0
"""A flood takes up to three seconds of a slow and busy machine. In quadratic time it takes far more."""

FLOODS = {
    "spaces after Game 1": (parse_mat, " Game 1\n" + " " * N),
    "spaces between scores": (parse_mat, " Game 1\n a : 0" + " " * N + "b : 0 x"),
    "many colons": (parse_mat, " Game 1\n" + ": 1  " * (N // 5)),
    "Illegal play (": (parse_mat, " Game 1\n 1) 31: " + "Illegal play (" * (N // 14)),
    "spaces between names": (parse_mat, "a b" + " " * N + "c\n 1) 31: 8/5 6/5"),
    "spaces in a header": (parse_mat, "; [a" + " " * N + "x\n Game 1\n"),
    "quotes in a header": (parse_mat, '; [a "' + '"]   ' * (N // 5) + "x\n Game 1\n"),
    "lines that say nothing": (parse_mat, " Game 1\n" + "x\n" * (N // 2)),
    "rolls without plays": (parse_mat, " Game 1\n" + " 1) 31:  31: \n" * (N // 14)),
    "games of one row": (parse_mat, " Game 1\n 1) Wins 1\n" * (N // 22)),
    "SGF properties": (parse_sgf, "(;" + "A[]" * (N // 3) + ")"),
    "SGF nodes": (parse_sgf, "(;" + ";W[31]" * (N // 6) + ")"),
    "SGF openings of games": (parse_sgf, "(;)" * (N // 3)),
    "SGF numbers of dice": (parse_sgf, "(;" + ";B[1]" * (N // 5) + ")"),
    "SGF nodes that say nothing": (parse_sgf, "(;" + "; " * (N * 2) + ")"),
    "SGF games of boards": (parse_sgf, ("(;" + ";AE[a:y]AW[a][a][a]AB[b]" * 5 + ")") * 1900),
    "SGF games of doubles": (parse_sgf, ("(;" + ";W[double];B[double]" * 6 + ")") * 1900),
    "SGF lines": (parse_sgf, "(;" + "\n;A[]" * (N // 5) + ")"),
    "SGF boards": (parse_sgf, "(;" + ";AE[a:y]" * (N // 8) + ")"),
    "SGF escapes": (parse_sgf, "(;C[" + "\\]" * (N // 2) + "])"),
    "SGF brackets": (parse_sgf, "(" * N),
    "SGF brackets after a node": (parse_sgf, "(;A[]" + "(" * N),
    "SGF branches": (parse_sgf, "(;" * N * 2 + ")"),
    "nested JSON": (parse_thrown_game, "[" * N),
    "turn state": (TurnState.parse, "0 " * (N // 2)),
    "position": (Position.parse, "0" * N),
    "strokes": (parse_steps, "8/5" + "/1" * (N // 2)),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_is_parsed_or_refused_in_linear_time(name):
    parse, text = FLOODS[name]
    begun_s = time.process_time()
    with suppress(ValueError):
        parse(text)
    assert time.process_time() - begun_s < MOST_SECONDS


def test_problems_are_listed_up_to_a_number():
    problems = parse_mat(" Game 1\n" + "x\n" * 5000).problems
    assert len(problems) == MOST_PROBLEMS + 1
    assert "not listed" in problems[-1].message


def test_a_game_ends_at_its_last_possible_action():
    game = parse_mat(" Game 1\n" + " 1) 31:  31: \n" * (2 * MOST_ACTIONS)).record.games[0]
    assert len(game.actions) == MOST_ACTIONS


def test_a_node_that_says_nothing_changes_nothing():
    plain, padded = (parse_sgf(f"(;PW[Ada]{gap};W[31hefe]{gap};B[52lqln])") for gap in ("", "; ;\n;;"))
    assert plain == padded
    assert padded.record.games[0].actions


def test_branches_that_begin_with_nothing_change_nothing():
    plain = parse_sgf("(;PW[Ada];W[31hefe];B[52lqln])")
    assert parse_sgf("(;PW[Ada];W[31hefe](;( ;\n;B[52lqln])(;B[11]))(;;(;B[22])))") == plain
    assert len(plain.record.games[0].actions) == 4


def test_a_large_value_is_kept_whole():
    comment = "a \\] b" * 1000
    assert parse_sgf(f"(;EV[{comment}])").record.event == comment.replace("\\", "")


@pytest.mark.parametrize("parse", [parse_mat, parse_sgf, parse_thrown_game])
def test_a_lone_surrogate_is_one_named_error(parse):
    with pytest.raises(MatchFileError, match=r"line 2: .* lone surrogate"):
        parse(" Game 1\n \ud800 : 0    b : 0\n")


@pytest.mark.parametrize("write", [format_mat, format_sgf])
def test_a_name_with_a_lone_surrogate_is_refused(write):
    with pytest.raises(MatchFileError, match="lone surrogate"):
        write(MatchRecord(white="A\ud800da"))


def test_a_text_far_too_long_to_be_a_play_is_not_quoted_whole():
    with pytest.raises(InvalidPlay) as raised:
        parse_steps("8/5" * 1000)
    assert len(str(raised.value)) < 100
    with pytest.raises(PositionError) as refused:
        TurnState.parse("0" * 10_000)
    assert len(str(refused.value)) < 300
