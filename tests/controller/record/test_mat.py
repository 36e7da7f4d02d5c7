"""Match text: names, columns, irregular plays and edited boards, and what is wrong in a file."""

from dataclasses import replace
from datetime import date

import pytest

from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat, plain_name
from controller.record.match_record import GameRecord, MatchFileError, MatchRecord, file_name
from controller.record.sgf import format_sgf, parse_sgf
from controller.rules import (
    AcceptedResignation,
    Beavered,
    Dice,
    DidNotThrow,
    Doubled,
    EditedBoard,
    Moved,
    MovedIrregularly,
    OfferedResignation,
    OpeningThrow,
    Passed,
    Player,
    Position,
    Rolled,
    Stakes,
    Took,
    Win,
    after_steps,
    parse_steps,
)
from tests.controller.record.match_forms import MAT, SGF, match_of_actions
from tests.peers import through_gnubg

W, B = Player.WHITE, Player.BLACK


def roll_and_move(player, dice, play):
    return Rolled(player=player, dice=Dice.parse(dice)), Moved(player=player, steps=parse_steps(play))


def record_of(*actions, **about):
    return MatchRecord(white="Ada", black="Bert", length=5, games=(GameRecord(actions=actions),), **about)


def table(text):
    """The rows of the only game."""
    return [line for line in text.splitlines() if line[3:4] == ")"]


OPENING = (*roll_and_move(W, "31", "8/5 6/5"), *roll_and_move(B, "64", "24/18 18/14"))


def test_the_first_mover_may_be_the_right_player():
    text = format_mat(record_of(*roll_and_move(B, "31", "8/5 6/5"), *roll_and_move(W, "64", "24/18 18/14")))
    assert table(text) == [
        "  1)                             31: 8/5 6/5 ",
        "  2) 64: 24/18 18/14             ",
    ]


def test_a_drop_by_the_right_player():
    text = format_mat(record_of(*OPENING, Doubled(player=W), Passed(player=B)))
    assert table(text)[-1] == "  2)  Doubles => 2                Drops"
    assert "\n      Wins 1 point\n" in text


def test_a_drop_by_the_left_player_is_won_in_the_same_line():
    opening = (*roll_and_move(B, "31", "8/5 6/5"), *roll_and_move(W, "64", "24/18 18/14"))
    text = format_mat(record_of(*opening, Doubled(player=B), Passed(player=W)))
    assert table(text)[-1] == "  3)  Drops                       Wins 1 point "


def test_a_beaver_is_accepted_without_a_word():
    actions = (*OPENING, Doubled(player=W), Beavered(player=B), Took(player=W))
    actions = (*actions, *roll_and_move(W, "52", "13/8 13/11*"))
    game = GameRecord(actions=actions, stakes=Stakes(beavers=True))
    text = format_mat(MatchRecord(games=(game,)))
    assert table(text)[1:] == [
        "  2)  Doubles => 2                Beavers => 4",
        "  3) 52: 13/8 13/11*             ",
    ]
    assert parse_mat(text).record.games[0].actions == actions


def test_an_irregular_play_of_plain_steps_is_written_as_steps():
    short = parse_steps("13/11 13/8")
    result = after_steps(after_steps(Position.START, W, parse_steps("8/5 6/5")), B, short)
    actions = (*OPENING[:2], Rolled(player=B, dice=Dice(5, 4)), MovedIrregularly(player=B, result=result))
    text = format_mat(record_of(*actions))
    assert table(text) == ["  1) 31: 8/5 6/5                 54: 13/11 13/8 "]
    read = parse_mat(text)
    assert read.record.games[0].played().position == result
    assert [str(problem) for problem in read.problems] == [
        "line 5: black cannot play 54 as 13/11 13/8; taken as an irregular play"
    ]


VANISHED = Position.parse("00000050300005000000000020:00000050300004000000000020")
"""A black checker has fallen from his midpoint."""


def test_an_irregular_play_that_is_no_steps_is_written_as_the_board_that_stood():
    actions = (*OPENING[:2], Rolled(player=B, dice=Dice(5, 4)), MovedIrregularly(player=B, result=VANISHED))
    text = format_mat(record_of(*actions))
    assert "54: Illegal play (" in table(text)[0]
    stood = parse_mat(text).record.games[0].played().position
    assert stood.white == VANISHED.white
    assert stood.black[1:] == VANISHED.black[1:]


JOINED = Position.parse("00000232200005100000000000:00000050310004000000000011")


@pytest.mark.parametrize("on_roll", Player)
def test_a_game_joined_in_progress_begins_with_its_board(on_roll):
    board = JOINED if on_roll is B else JOINED.mirrored()
    play = parse_steps("bar/23 13/8")
    actions = (EditedBoard(position=board, on_roll=on_roll), Rolled(player=on_roll, dice=Dice(5, 2)))
    actions = (*actions, Moved(player=on_roll, steps=play))
    assert parse_mat(format_mat(record_of(*actions))).problems == ()
    assert parse_mat(format_mat(record_of(*actions))).record.games[0].actions == actions


@pytest.mark.parametrize(("form", "suffix"), [(MAT, ".mat"), (SGF, ".sgf")], ids=["mat", "sgf"])
def test_gnu_backgammon_plays_on_from_the_board_that_stood(form, suffix, tmp_path):
    far_too_far = Position.parse("00000332200005000000000000:00000050410003000000000110")
    actions = (
        EditedBoard(position=JOINED, on_roll=B),
        *roll_and_move(B, "52", "bar/23 13/8"),
        Rolled(player=W, dice=Dice(6, 1)),
        MovedIrregularly(player=W, result=far_too_far),
        *roll_and_move(B, "62", "8/2 8/6"),
        EditedBoard(position=Position.START, on_roll=B),
        *roll_and_move(B, "61", "13/7 8/7"),
    )
    record = record_of(*actions)
    ours = [action for action in actions if isinstance(action, Moved)]
    theirs = parse_sgf(through_gnubg(form.format(record), suffix, tmp_path)).record.games[0]
    assert [set(a.steps) for a in theirs.actions if isinstance(a, Moved)] == [set(a.steps) for a in ours]
    assert theirs.played().position == record.games[0].played().position


@pytest.mark.parametrize(
    ("on_roll", "seen"), [(W, "1;Ada;Bert;0;3;2;2;1;"), (B, "0;Bert;Ada;0;2;3;2;-1;")], ids=["white", "black"]
)
def test_names_score_and_cube_of_a_written_board_are_as_the_player_on_roll_sees_them(on_roll, seen):
    board = EditedBoard(position=JOINED, on_roll=on_roll)
    game = GameRecord(actions=(board,), score=(3, 2), cube_at_start=2, cube_owner_at_start=W)
    assert f"(5;0;0;0;{seen}" in format_mat(replace(record_of(), games=(game,)))


def test_a_player_who_did_not_throw_leaves_his_cell_blank():
    closed_out = Position.parse("90000050000000000000000001:02222220300000000000000000")
    start = EditedBoard(position=closed_out, on_roll=B)
    first = roll_and_move(B, "11", "8/7 8/7 7/6 7/6")
    actions = (start, *first, DidNotThrow(player=W), *roll_and_move(B, "21", "8/6 6/5"))
    read = parse_mat(format_mat(record_of(*actions)))
    assert read.problems == ()
    assert read.record.games[0].actions == actions


def test_a_roll_resigned_over_is_kept_though_it_is_forced():
    position = Position.parse("e0100000000000000000000000:00000050300005000000000020")
    actions = (
        EditedBoard(position=position, on_roll=W),
        Rolled(player=W, dice=Dice(6, 5)),
        OfferedResignation(player=B, win=Win.BACKGAMMON),
        AcceptedResignation(player=W),
    )
    read = parse_mat(format_mat(record_of(*actions)))
    assert read.problems == ()
    assert read.record.games[0].actions == actions


def test_a_roll_left_blank_that_could_be_played_was_resigned_over():
    game = " 5 point match\n\n Game 1\n Ada : 0                        Bert : 0\n"
    read = parse_mat(f"{game}  1) 31:                         Wins 1 point\n")
    assert read.problems == ()
    played = read.record.games[0].played()
    assert (played.position, played.dice, played.outcome.winner) == (Position.START, Dice(3, 1), B)


def test_the_cube_of_automatic_doubles_is_known_from_the_first_double():
    stakes = Stakes(automatic_doubles=1)
    tie = OpeningThrow(white=2, black=2)
    actions = (tie, *OPENING, Doubled(player=W), Took(player=B))
    record = replace(record_of(*actions), length=0, games=(GameRecord(actions=actions, stakes=stakes),))
    assert "Doubles => 4" in format_mat(record)
    again = parse_mat(format_mat(record)).record.games[0]
    assert again.cube_at_start == 2
    assert again.played().cube.value == 4


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ada: the great", "Ada the great"),
        ("Smith, 1700", "Smith 1700"),
        ("Ünicödé ßtraße " * 3, "Ünicödé ßtraße Ünicödé"),
        (" : ", "?"),
    ],
)
def test_names_are_written_so_that_gnu_backgammon_survives_them(name, written):
    assert plain_name(name) == written
    assert len(plain_name(name).encode()) <= 31


def test_gnu_backgammon_reads_the_names(tmp_path):
    record = replace(record_of(*OPENING), white="Ada: 1st", black="Zoë " * 12)
    theirs = parse_sgf(through_gnubg(format_mat(record), ".mat", tmp_path)).record
    assert (theirs.white, theirs.black) == ("Ada 1st", plain_name("Zoë " * 12))
    theirs = parse_sgf(through_gnubg(format_sgf(record), ".sgf", tmp_path)).record
    assert theirs.white == "Ada: 1st"


@pytest.mark.parametrize("length", [26, 27, 31])
def test_a_long_name_leaves_the_other_name_and_both_scores_readable(length, tmp_path):
    game = replace(record_of(*OPENING).games[0], score=(3, 2))
    record = replace(record_of(*OPENING), white="A" * length, black="Bert", length=5, games=(game,))
    text = format_mat(record)
    theirs = parse_sgf(through_gnubg(text, ".mat", tmp_path)).record
    for read in (parse_mat(text).record, theirs):
        assert (read.white, read.black, read.games[0].score) == ("A" * length, "Bert", (3, 2))


@pytest.mark.parametrize("gap", ["", " "])
def test_gnu_backgammons_own_long_names_are_read(gap):
    name = "A" * 27
    read = parse_mat(f" 5 point match\n\n Game 1\n {name} : 3{gap}Bert : 2\n  1) 31: 8/5 6/5\n")
    assert not read.problems
    assert (read.record.white, read.record.black, read.record.games[0].score) == (name, "Bert", (3, 2))


@pytest.mark.parametrize(
    "line", [" 5 point match", "5 points match", "5-point match", "Match to 5", "Match to 5 points"]
)
def test_the_length_of_a_match_is_read_however_people_write_it(line):
    read = parse_mat(f"{line}\n\n Game 1\n Ada : 0                        Bert : 0\n  1) 31: 8/5 6/5\n")
    assert not read.problems
    assert read.record.length == 5


XG = """; [Site "XG Mobile"]\r
; [Match ID "1"]\r
; [Player 1 "Zoë"]\r
; [EventDate "2020.02.03"]\r
; [Crawford "On"]\r
; [CubeLimit "1024"]\r
\r
5 point match\r
\r
 Game 1\r
 Zoë : 0                              Bert: the 2nd : 0\r
  1) 31: 8/5 6/5                       64: 24/14\r
  2) 66: 24/18(2) 13/7(2)              52: Cannot Move\r
  3) 21: ????\r
                                       Wins 1 point\r
"""


def test_the_text_of_xg_is_read_too():
    read = parse_mat(XG)
    assert (read.record.white, read.record.black) == ("Zoë", "Bert: the 2nd")
    assert read.record.date == date(2020, 2, 3)
    assert read.record.site == "XG Mobile"
    actions = read.record.games[0].actions
    assert [str(step) for step in actions[3].steps] == ["24/18", "18/14"]
    assert actions[5].steps == parse_steps("24/18 24/18 13/7 13/7")
    # 52 can be played: that the file says otherwise is a problem, and an irregular play.
    assert [problem.line for problem in read.problems] == [13]
    assert isinstance(actions[7], MovedIrregularly)
    outcome = read.record.games[0].played().outcome
    assert (outcome.winner, outcome.win) == (B, Win.SINGLE)


def test_a_game_by_itself_is_read_with_its_players():
    read = parse_mat(
        " Ada L                          Bert\n  1)                             21: 24/23 13/11\n"
    )
    assert read.problems == ()
    assert (read.record.white, read.record.black, len(read.record.games)) == ("Ada L", "Bert", 1)
    assert read.record.games[0].played().turn is W


def test_a_board_set_up_in_xgs_way_is_not_passed_over_in_silence():
    game = " 3 point match\n\n Game 1\n A : 0                          B : 0\n"
    read = parse_mat(f"{game}; a remark\n; Set Pos=-b----E-C---eE---c-e----B-/1\n  1) 31: 8/5 6/5\n")
    assert [str(problem) for problem in read.problems] == [
        "line 6: a board set up in XG's way is passed over"
    ]


def test_a_run_hits_on_its_way_only_where_the_text_says_so():
    game = " 3 point match\n\n Game 1\n A : 0                          B : 0\n"
    blot_on_18 = "  1) 41: 24/23 13/9              52: 13/8 8/6\n"
    # White's 24/18*/14 would hit on Black's 7 point; here nothing stands there.
    read = parse_mat(f"{game}{blot_on_18}  2) 64: 24/18/14\n")
    assert read.problems == ()
    assert [str(step) for step in read.record.games[0].actions[-1].steps] == ["24/18", "18/14"]


def test_problems_are_gathered_with_their_lines_and_reading_goes_on():
    text = """ 3 point match

 Game 1
 Ada : 0                        Bert : 0
  1) 31: 8/5 6/5                 64: 24/18 18/15
  2) 52: 13/8 eleven             31: 8/5 6/5
what is this
      Wins 9 points
"""
    read = parse_mat(text)
    assert [str(problem) for problem in read.problems] == [
        "line 5: black cannot play 64 as 24/18 18/15; taken as an irregular play",
        "line 6: 'eleven' is no step; write it like 8/5, bar/21*, 6/off or 13/7(2)",
        "line 6: white's 52 has not been played",
        "line 7: not understood: 'what is this'",
        "line 8: nobody wins 9 with the cube at 1; taken as single",
        "line 8: white wins 9 by the file, but white has won 1",
    ]


def test_a_gammon_that_counts_too_little_is_no_jacoby_where_a_player_doubled():
    board = Position.parse("e1000000000000000000000000:00000050700003000000000000")
    begun = EditedBoard(position=board, on_roll=W), Doubled(player=W), Took(player=B)
    text = format_mat(replace(record_of(*begun, *roll_and_move(W, "65", "1/off")), length=0))
    read = parse_mat(text.replace("Wins 4", "Wins 2"))
    assert [problem.message for problem in read.problems] == ["white wins 2 by the file, but white has won 4"]


def test_a_cube_that_players_have_turned_did_not_begin_higher():
    doubled = (*OPENING, Doubled(player=W), Took(player=B), *roll_and_move(W, "52", "13/8 13/11*"))
    read = parse_mat(format_mat(record_of(*doubled, Doubled(player=B))).replace("=> 4", "=> 8"))
    assert [problem.line for problem in read.problems] == [7]
    assert read.record.games[0].cube_at_start == 1


def test_a_text_that_is_no_match_is_refused():
    with pytest.raises(MatchFileError, match="no match text"):
        parse_mat("Dear Ada,\nlet us play.\n")


def test_the_games_of_a_match_follow_from_its_actions():
    won_by_white = (
        *OPENING,
        OfferedResignation(player=B, win=Win.GAMMON),
        AcceptedResignation(player=W),
    )
    about = MatchRecord(white="Ada", black="Bert", length=3)
    record = match_of_actions([*won_by_white, *OPENING], about)
    assert [game.score for game in record.games] == [(0, 0), (2, 0)]
    assert [game.stakes.cube for game in record.games] == [True, False]
    text = format_mat(record)
    assert " Game 2\n Ada : 2                        Bert : 0\n" in text
    assert parse_mat(text).record == record


def test_of_the_games_at_one_point_short_only_the_first_is_written_as_the_crawford_game():
    gammon = OfferedResignation(player=B, win=Win.GAMMON), AcceptedResignation(player=W)
    single = OfferedResignation(player=W, win=Win.SINGLE), AcceptedResignation(player=B)
    record = match_of_actions([*OPENING, *gammon, *OPENING, *single, *OPENING], MatchRecord(length=3))
    trees = format_sgf(record).split("\n(")
    assert ["CrawfordGame" in tree for tree in trees] == [False, True, False]


def test_files_are_named_for_players_and_date():
    record = MatchRecord(white="A/da", black="Bert: II", date=date(2026, 11, 21))
    assert file_name(record, ".mat") == "2026-11-21 A_da - Bert_ II.mat"


def test_long_names_make_no_file_name_that_a_disk_refuses(tmp_path):
    record = MatchRecord(white="Ж" * 60, black="Щ" * 60, date=date(2026, 11, 21))
    (tmp_path / f"001 {file_name(record, '.mat')}").write_text("")
    assert "ЖЖЖ - ЩЩЩ" in file_name(record, ".mat")
