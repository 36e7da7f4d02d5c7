"""Whatever text a parser is handed, it gives a value or its one named error."""

import random

import pytest

from controller.record.match_record import GameRecord, MatchFileError, MatchRecord, Problem
from controller.rules import (
    DefectKind,
    Dice,
    DiceError,
    EditedBoard,
    Game,
    IdError,
    Player,
    PlayError,
    Position,
    PositionError,
    draw_diagram,
    parse_diagram,
    parse_match_id,
    parse_position_id,
    parse_steps,
    parse_xgid,
)
from tests.controller.record.match_forms import MAT, SGF

N_INPUTS = 10_000
ALPHABET = "0123456789abcdefXOW:;/*()[]|+-= \n\t\\\"'.,é\u2028\0?barofDoublesTakes>Illegal play"

GAME = """; [EventDate "2026.11.21"]

 5 point match

 Game 1
 Ada : 0                        Bert : 0
  1)                             31: 8/5 6/5
  2) 63: 24/18 18/15             52: 13/8 24/22
  3) 66: 13/7 13/7 7/1* 7/1      44: 25/21 22/18 18/14 14/10*
  4) 21: 25/24 6/4*               Doubles => 2
  5)  Takes                      52: 25/23* 13/8
  6) 32: Illegal play (5;0;0;0;0;B;A;0;0;0;2;1;-1;-1;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;1;1;0;0;)
      Wins 4 points
"""
TREE = """(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ada]PB[Bert]DT[2026-11-21]RU[Crawford]CV[2]RE[W+4R]
;B[31qtst]C[fine \\] play]
;W[63xrro]
;PL[B]DI[52]
;PL[W]AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][y]AB[s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]
;W[double]
;B[take](;W[66])(;W[61]))
"""


@pytest.mark.parametrize(
    ("parse", "errors", "samples"),
    [
        (Position.parse, PositionError, [str(Position.START)]),
        (Dice.parse, DiceError, ["31", "66"]),
        (parse_steps, PlayError, ["bar/21 24/20*", "6/off(2)", "24/18*/14", "no move"]),
        (parse_position_id, IdError, ["4HPwATDgc/ABMA"]),
        (lambda text: parse_match_id(text, Position.START), IdError, ["cAmgAAAAAAAE", "QQn7AEAACAAE"]),
        (parse_xgid, IdError, ["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"]),
        (parse_diagram, PositionError, [draw_diagram(Position.START)]),
    ],
    ids=["position", "dice", "steps", "position ID", "match ID", "XGID", "diagram"],
)
def test_a_parser_gives_a_value_or_its_named_error(parse, errors, samples):
    complaints = []
    for text in garbled(samples):
        try:
            parse(text)
        except errors as error:
            complaints.append(str(error))
    assert 0 < len(complaints) < N_INPUTS
    assert all(complaints)


@pytest.mark.parametrize(("form", "sample"), [(MAT, GAME), (SGF, TREE)], ids=["mat", "sgf"])
def test_a_reader_of_matches_gathers_problems_and_never_dies(form, sample):
    with_problems = 0
    for text in garbled([sample]):
        try:
            read = form.parse(text)
        except MatchFileError:
            continue
        with_problems += bool(read.problems)
        assert all(isinstance(problem, Problem) and problem.line > 0 for problem in read.problems)
    assert 0 < with_problems < N_INPUTS


@pytest.mark.parametrize("form", [MAT, SGF], ids=["mat", "sgf"])
def test_what_was_read_from_garbled_text_can_be_written_and_read_again(form):
    compared = 0
    for text in garbled([GAME if form is MAT else TREE], n=400):
        try:
            record = form.parse(text).record
        except MatchFileError:
            continue
        if form is MAT and any(both_on_one_point(game) for game in record.games):
            continue
        compared += 1
        again = form.parse(form.format(record)).record
        assert final_positions(again) == final_positions(record)
    assert compared > 120


def final_positions(record):
    return [game.played().position for game in record.games]


def both_on_one_point(record):
    """Whether at some time both players stand on one point, which match text cannot say."""
    game = record.begun()
    for action in record.actions:
        game = game.push(action)
        if any(defect.kind is DefectKind.BOTH_ON_ONE_POINT for defect in game.position.problems()):
            return True
    return False


def garbled(samples, n=N_INPUTS):
    """Texts near to the samples, and some far from any."""
    chance = random.Random(8)
    for number in range(n):
        text = list(chance.choice(samples))
        for _ in range(number % 7):
            at = chance.randrange(len(text) + 1)
            length = chance.choice((0, 0, 1, 1, 2, 30))
            text[at : at + length] = chance.choices(ALPHABET, k=chance.choice((0, 1, 1, 3)))
        if number % 50 == 49:
            text = chance.choices(ALPHABET, k=chance.randrange(60))
        yield "".join(text)


def test_an_unfinished_game_of_an_edited_board_is_no_problem():
    board = EditedBoard(position=Position.START, on_roll=Player.BLACK)
    record = MatchRecord(games=(GameRecord(actions=(board,)),))
    for form in (MAT, SGF):
        read = form.parse(form.format(record))
        assert read.problems == ()
        assert Game.replay(read.record.games[0].actions).turn is Player.BLACK
