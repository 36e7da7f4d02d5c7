"""What .mat and .sgf have no words for: automatic doubles, refused resignations, boards set up in a game."""

import re
from dataclasses import replace

import pytest

from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.match_record import GameRecord, MatchRecord
from controller.record.sgf import format_sgf, parse_sgf
from controller.rules import (
    AcceptedResignation,
    Dice,
    Doubled,
    EditedBoard,
    Game,
    Match,
    Moved,
    OfferedResignation,
    OpeningThrow,
    Passed,
    Player,
    Position,
    RefusedResignation,
    Rolled,
    Stakes,
    Took,
    Win,
    parse_steps,
)
from tests.peers import through_gnubg

W, B = Player.WHITE, Player.BLACK
FORMS = [(format_mat, parse_mat), (format_sgf, parse_sgf)]
OPENING = (Rolled(player=W, dice=Dice(3, 1)), Moved(player=W, steps=parse_steps("8/5 6/5")))
AUTOMATIC = Stakes(automatic_doubles=2)


def money(*actions, cube=1, stakes=AUTOMATIC):
    return MatchRecord(games=(GameRecord(actions=actions, cube_at_start=cube, stakes=stakes),), stakes=stakes)


RESIGNED = (OfferedResignation(player=B, win=Win.SINGLE), AcceptedResignation(player=W))
PASSED = (Doubled(player=B), Passed(player=W))
TAKEN = (Doubled(player=B), Took(player=W), *RESIGNED)


@pytest.mark.parametrize("cube", [2, 4])
@pytest.mark.parametrize("end", [RESIGNED, PASSED, TAKEN])
def test_gnu_backgammon_counts_the_right_points_after_automatic_doubles(cube, end, tmp_path):
    record = money(*OPENING, *end, cube=cube)
    due = record.games[0].played().outcome
    saved = through_gnubg(format_mat(record), ".mat", tmp_path)
    (theirs,) = re.findall(r"RE\[([WB])\+(\d+)", saved)
    assert theirs == ("W" if due.winner is W else "B", str(due.points))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cube", [2, 4])
@pytest.mark.parametrize("end", [(), RESIGNED, PASSED, TAKEN])
def test_automatic_doubles_come_back(form, cube, end):
    write, parse = form
    record = money(*OPENING, *end, cube=cube)
    read = parse(write(record))
    assert read.problems == ()
    (game,) = read.record.games
    assert (game.cube_at_start, game.cube_owner_at_start) == (cube, None)
    assert game.actions == record.games[0].actions


def test_ties_of_the_opening_throw_turn_the_cube_in_the_file_as_well():
    ties = OpeningThrow(white=2, black=2), OpeningThrow(white=3, black=1)
    read = parse_mat(format_mat(money(*ties, OPENING[1], *RESIGNED)))
    assert read.problems == ()
    assert read.record.games[0].played().outcome.points == 2


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rolled", [False, True])
def test_a_refused_resignation_comes_back(form, rolled):
    write, parse = form
    offer = OfferedResignation(player=B, win=Win.GAMMON), RefusedResignation(player=W)
    roll, reply = Rolled(player=B, dice=Dice(4, 2)), Moved(player=B, steps=parse_steps("8/4 6/4"))
    actions = (*OPENING, roll, *offer, reply) if rolled else (*OPENING, *offer, roll, reply)
    read = parse(write(money(*actions, *RESIGNED)))
    assert read.problems == ()
    assert read.record.games[0].actions == (*actions, *RESIGNED)


def test_gnu_backgammon_skips_what_it_has_no_words_for(tmp_path):
    offer = OfferedResignation(player=B, win=Win.GAMMON), RefusedResignation(player=W)
    record = money(*OPENING, *offer, *RESIGNED)
    for write, suffix in ((format_mat, ".mat"), (format_sgf, ".sgf")):
        saved = through_gnubg(write(record), suffix, tmp_path)
        assert ";W[31hefe]" in saved
        assert "RE[W+1R]" in saved


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("on_roll", [W, B])
def test_a_board_set_up_in_the_middle_of_a_game_comes_back(form, on_roll):
    write, parse = form
    board = Game.replay(OPENING).position.mirrored()
    edit = EditedBoard(position=board, on_roll=on_roll)
    after = (Rolled(player=on_roll, dice=Dice(6, 1)), Moved(player=on_roll, steps=parse_steps("13/7 8/7")))
    read = parse(write(money(*OPENING, edit, *after)))
    assert read.problems == ()
    assert read.record.games[0].actions == (*OPENING, edit, *after)


@pytest.mark.parametrize("on_roll", [W, B])
def test_gnu_backgammon_goes_on_from_a_board_set_up_in_the_middle(on_roll, tmp_path):
    board = Position.parse("10000050300004000000000020:00000050300005000000000020")
    edit = EditedBoard(position=board, on_roll=on_roll)
    after = (Rolled(player=on_roll, dice=Dice(6, 1)), Moved(player=on_roll, steps=parse_steps("13/7 8/7")))
    record = money(*OPENING, edit, *after)
    theirs = parse_sgf(through_gnubg(format_mat(record), ".mat", tmp_path)).record.games[0].played()
    assert theirs.position == record.games[0].played().position


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("owner", [W, B])
def test_the_cube_of_a_game_taken_up_in_the_middle_keeps_its_owner(form, owner):
    write, read = form
    joined = EditedBoard(position=Position.START, on_roll=owner)
    game = GameRecord(actions=(joined, Doubled(player=owner)), cube_at_start=2, cube_owner_at_start=owner)
    (again,) = read(write(MatchRecord(games=(game,)))).record.games
    assert (again.cube_at_start, again.cube_owner_at_start) == (2, owner)
    assert again.played().asked is owner.opponent


def test_an_sgf_file_written_in_the_middle_of_a_game_says_whose_the_cube_is():
    match = Match.parse("XGID=-a---BD-B--aeE---c-e----B-:2:-1:1:00:2:1:0:5:10")
    game = GameRecord.of(match.game, match.score)
    text = format_sgf(replace(MatchRecord.under(match.laws, match.length), games=(game,)))
    assert "CV[4]" in text
    assert "CP[b]" in text
    assert parse_sgf(text).record.games[0].played().cube == match.game.cube
