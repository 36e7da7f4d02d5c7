"""What is said to the players: in plain words, and in those of the old books."""

import json
from dataclasses import replace

import pytest

from controller.record.match_settings import MatchSettings
from controller.referee import GameWon, HalfTurn, OffenceShown, Question, RollCalled, TurnRecorded
from controller.referee.words.sentences import Speech, declared_sentence, effect_sentence, roll_and_play
from controller.rules import (
    LAWS,
    Beavered,
    Dice,
    Doubled,
    EditedBoard,
    Match,
    Offence,
    OffenceKind,
    Place,
    Player,
    Position,
    Took,
    Win,
    parse_play,
    parse_steps,
)
from controller.rules.openings.opening_book import Book, advice
from controller.service.book_hints import book_line, book_sentence
from controller.service.matches.played_matches import PlayedGame
from controller.service.recordings.transcript import Transcript
from controller.service.score_sheet import score_sheet, transcript_text
from sentences import speaking
from tests.controller.referee.table import Table, board

NAMES = {Player.WHITE: "Ada", Player.BLACK: "Bert"}


def turn(roll, play, *, player=Player.WHITE, legal=True):
    dice = Dice.parse(roll)
    after = parse_play(play, Position.START, player, dice)[0].result
    return HalfTurn(t_ms=0, player=player, dice=dice, steps=parse_steps(play), legal=legal, position=after)


BAR_POINT = turn("61", "13/7 8/7")
SAID = [
    (
        RollCalled(t_ms=0, player=Player.WHITE, dice=Dice(5, 3)),
        "Ada rolls 5-3.",
        "Ada rolls cinque-trois.",
    ),
    (
        TurnRecorded(t_ms=0, game=0, index=0, turn=BAR_POINT, mended=False),
        "Ada plays 13/7 8/7.",
        "Ada plays one man from the adversary's outer six point to the bar point, "
        "one man from the outer deuce point to the bar point.",
    ),
    (
        OffenceShown(
            t_ms=0,
            index=0,
            player=Player.BLACK,
            offences=(Offence(OffenceKind.ONTO_HELD_POINT, (Place(1), Place(6))),),
        ),
        "Bert: landed on a point the opponent holds (24, 19).",
        "Bert: landed on a point the opponent holds (adversary's ace point, adversary's six point).",
    ),
    (
        OffenceShown(
            t_ms=0,
            index=0,
            player=Player.WHITE,
            offences=(Offence(OffenceKind.BORE_OFF_TOO_EARLY, (Place(6), Place(0, Player.WHITE))),),
        ),
        "Ada: bore off before all checkers were home (6, off).",
        "Ada: bore off before all checkers were home (six point, off).",
    ),
    (
        Question(t_ms=0, index=0, candidates=(turn("21", "6/4 6/5"), turn("21", "6/3"))),
        "What did Ada play: 1 6/4 6/5, 2 6/3? Type its number.",
        "What did Ada play: 1 one man from the six point to the quatre point, one man from the six point to "
        "the cinque point, 2 one man from the six point to the trois point? Type its number.",
    ),
    (
        GameWon(t_ms=0, winner=Player.WHITE, win=Win.SINGLE, points=1, score=(1, 0), match_over=True),
        "Ada wins a single game and the match, 1 point: Ada 1, Bert 0.",
        "Ada wins a hit and the match, 1 point: Ada 1, Bert 0.",
    ),
]


@pytest.mark.parametrize(("effect", "plain", "old"), SAID)
def test_each_effect_is_told_in_the_words_chosen(effect, plain, old):
    assert effect_sentence(effect, NAMES) == plain
    assert effect_sentence(effect, NAMES, Speech.OLD) == old


def test_an_offence_of_two_checkers_is_told_once():
    offence = Offence(OffenceKind.ONTO_HELD_POINT, (Place(1), Place(6)))
    shown = OffenceShown(t_ms=0, index=0, player=Player.BLACK, offences=(offence, offence))
    assert effect_sentence(shown, NAMES) == "Bert: landed on a point the opponent holds (24, 19)."


def test_that_nothing_was_played_is_told_in_the_language_spoken():
    nothing = replace(BAR_POINT, steps=(), position=Position.START, legal=False)
    assert roll_and_play(nothing) == "61: no move"
    with speaking("de"):
        assert roll_and_play(nothing) == "61: nichts"


@pytest.mark.parametrize(
    ("roll", "played", "said"),
    [
        ("31", "8/5 6/5", "Hoyle would have played so too: 8/5 6/5."),
        ("31", "24/20", "Hoyle would have played 8/5 6/5."),
        ("21", "13/11 24/23", "Hoyle would have played so too for a hit, but 13/11 6/5 for a gammon."),
        ("21", "24/21", "Hoyle would have played 13/11 24/23 for a hit, 13/11 6/5 for a gammon."),
        ("32", "13/8", "Hoyle tells of this play, but would have played 13/10 13/11."),
    ],
)
def test_the_first_play_is_held_against_hoyle(roll, played, said):
    assert book_line([turn(roll, played)]) == said


def test_hoyle_speaks_of_the_first_play_alone_and_of_the_board_as_he_sets_it_up():
    first, second = turn("31", "8/5 6/5"), turn("42", "8/4 6/4", player=Player.BLACK)
    assert book_line([first, second]) == book_line([first])
    assert book_line([]) is None
    assert book_line([second], start=first.position) is None


def test_cady_is_quoted_for_the_one_aim_he_names():
    dice = Dice(3, 2)
    after = parse_play("24/21 13/11", Position.START, Player.WHITE, dice)[0].result
    said = advice(Position.START, Player.WHITE, dice, after, Book.CADY)
    assert said is not None
    assert book_sentence(said) == "Cady would have played 13/10 13/11 for a gammon."
    assert book_sentence(said, Speech.OLD) == (
        "Cady would have played one man from the adversary's outer six point to the outer quatre point, "
        "one man from the adversary's outer six point to the outer cinque point for a gammon."
    )


def test_the_score_sheet_in_old_words_has_a_line_for_each_half_turn():
    turns = [turn("31", "8/5 6/5"), turn("66", "24/18(2) 13/7(2)", player=Player.BLACK, legal=False)]
    assert score_sheet(turns, Speech.OLD) == [
        "  1. White, trois-ace: one man from the outer deuce point to the cinque point, "
        "one man from the six point to the cinque point",
        "  2. Black, sixes: two men from the adversary's ace point to the adversary's bar point, "
        "two men from the adversary's outer six point to the bar point !",
    ]
    assert score_sheet(turns) == ["  1) 31: 8/5 6/5" + " " * 25 + "66: 24/18(2) 13/7(2) !"]


def test_the_book_closes_the_transcript_when_asked_for():
    transcript = Transcript(games=(PlayedGame(start=Position.START, turns=(turn("31", "24/20"),)),))
    match = MatchSettings(white="Ada", black="Bert")
    assert "Hoyle" not in transcript_text(transcript, match)
    text = transcript_text(transcript, match, book=Book.HOYLE)
    assert text.endswith("\n\nHoyle would have played 8/5 6/5.")


def test_the_transcript_says_why_a_play_is_illegal_that_was_never_shown_to_be():
    table = Table()
    table.play(3, 1, board({6: 5, 7: 1, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}))
    transcript = Transcript()
    transcript.note_state(table.state)
    transcript.finish()
    (line,) = transcript.json_lines()
    (offence,) = json.loads(line)["offence"]
    assert (offence["kind"], offence["t_ms"], offence["shown"]) == (
        "whole_roll_not_played",
        table.t_ms,
        False,
    )
    *_, heading, told = transcript_text(transcript, MatchSettings(white="Ada", black="Bert")).splitlines()
    assert heading == "Illegal, but not shown:"
    assert told == "  1. Ada: did not play the whole roll though it can be played (24, 13, 8, 7, 6)."


def test_the_transcript_does_not_say_that_a_play_was_not_shown_before_the_recording_began():
    table = Table()
    table.play(3, 1, board({6: 5, 7: 1, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}))
    transcript = Transcript(restored=frozenset({(0, 0)}))
    transcript.note_state(table.state)
    transcript.finish()
    (line,) = transcript.json_lines()
    assert json.loads(line)["offence"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((Doubled(player=Player.WHITE), Took(player=Player.BLACK)), "Bert takes: Bert has the cube at 2."),
        (
            (Doubled(player=Player.WHITE), Beavered(player=Player.BLACK), Took(player=Player.WHITE)),
            "Ada takes: Bert has the cube at 4.",
        ),
    ],
)
def test_whoever_beavered_has_the_cube(words, said):
    game = Match.new(0, LAWS["modern-money"]).game.push(
        EditedBoard(position=Position.START, on_roll=Player.WHITE)
    )
    for word in words:
        game = game.push(word)
    assert declared_sentence(words[-1], game, NAMES) == said
