"""Match files of games under other laws: who begins, variations, what was set right at the table."""

from dataclasses import replace

import pytest

from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.match_record import GameRecord, MatchRecord
from controller.record.sgf import parse_sgf
from controller.rules import (
    LAWS,
    AcceptedResignation,
    AgreedToAlter,
    Dice,
    EditedBoard,
    Game,
    Moved,
    MovedIrregularly,
    NamedThrow,
    NullThrow,
    OfferedResignation,
    OpeningThrow,
    Player,
    Position,
    PutBackUp,
    QuittedMan,
    RefusedResignation,
    RequiredFurnishing,
    RequiredRightNumber,
    Rolled,
    Stakes,
    Step,
    ThrowFault,
    TouchedMan,
    Win,
    legal_plays,
    parse_steps,
)
from tests.controller.record.match_forms import MAT, SGF, match_of_actions
from tests.peers import through_gnubg

W, B = Player.WHITE, Player.BLACK
CADY = LAWS["cady-1895"]
BOTH_FORMS = pytest.mark.parametrize(("form", "suffix"), [(MAT, ".mat"), (SGF, ".sgf")], ids=["mat", "sgf"])


def turn(player, dice, play):
    return Rolled(player=player, dice=Dice.parse(dice)), Moved(player=player, steps=parse_steps(play))


def resigned(winner, win=Win.SINGLE):
    offered = OfferedResignation(player=winner.opponent, win=win)
    return offered, AcceptedResignation(player=winner)


HIT_THEN_ANOTHER_GAME = (
    *turn(W, "31", "8/5 6/5"),
    *turn(B, "64", "24/18 18/14"),
    *resigned(B),
    *turn(B, "66", "24/18(2) 13/7(2)"),
    *turn(W, "31", "8/5 6/5"),
)


@pytest.mark.parametrize("name", ["hoyle-1909", "britannica-1878", "cady-1895"])
@BOTH_FORMS
def test_the_winner_of_a_hit_begins_the_next_game_with_any_throw(form, suffix, name):
    record = match_of_actions(HIT_THEN_ANOTHER_GAME, MatchRecord.under(LAWS[name], 3, "Ada", "Bert"))
    assert [game.first for game in record.games] == [None, B]
    read = form.parse(form.format(record))
    assert read.problems == ()
    assert read.record.laws is LAWS[name]
    assert [(game.first, game.actions) for game in read.record.games] == [
        (game.first, game.actions) for game in record.games
    ]


@BOTH_FORMS
def test_gnubg_reads_a_game_that_begins_with_sixes(form, suffix, tmp_path):
    record = match_of_actions(HIT_THEN_ANOTHER_GAME, MatchRecord.under(CADY, 3, "Ada", "Bert"))
    theirs = through_gnubg(form.format(record), suffix, tmp_path)
    assert ";B[66" in theirs.partition("[game:1]")[2]


def opening_of(laws, *rolls):
    """The game in which every roll is played in the first way there is."""
    game = Game.new(laws)
    for player, dice in zip((W, B) * len(rolls), rolls, strict=False):
        game = game.push(Rolled(player=player, dice=Dice.parse(dice)))
        assert game.dice is not None
        play = min(legal_plays(game.position, player, game.dice, laws), key=lambda play: str(play.result))
        game = game.push(Moved(player=player, steps=play.steps))
    return game


@pytest.mark.parametrize("name", ["nackgammon", "hypergammon"])
@BOTH_FORMS
def test_variations_go_through_gnubg_and_back(form, suffix, name, tmp_path):
    laws = LAWS[name]
    game = opening_of(laws, "31", "64", "52", "11")
    record = match_of_actions(game.actions, MatchRecord.under(laws, 5, "Ada", "Bert"))
    ours, theirs = (
        form.parse(form.format(record)),
        parse_sgf(through_gnubg(form.format(record), suffix, tmp_path)),
    )
    for read in (ours, theirs):
        assert read.problems == ()
        assert read.record.laws is laws
        assert read.record.games[0].played().position == game.position


@BOTH_FORMS
def test_a_set_of_laws_with_the_start_of_a_variation_keeps_its_name(form, suffix, monkeypatch):
    """The file names the start for other programs, and the set for ours."""
    laws = replace(LAWS["nackgammon"], name="nackgammon-money", jacoby=True)
    monkeypatch.setitem(LAWS, laws.name, laws)
    text = form.format(match_of_actions(opening_of(laws, "31").actions, MatchRecord.under(laws)))
    assert "nackgammon" in text.lower().replace(laws.name, "")
    assert form.parse(text).record.laws is laws


def test_a_file_without_a_word_about_laws_is_read_by_the_modern_ones():
    assert parse_mat(format_mat(MatchRecord(games=(GameRecord(),)))).record.laws is LAWS["modern"]


@BOTH_FORMS
def test_a_backgammon_of_four_is_written_and_read(form, suffix):
    stakes = replace(CADY.stakes(0), backgammon=4)
    lost = Position.parse("e1000000000000000000000000:00000073000000000000000005")
    record = replace(MatchRecord.under(CADY), stakes=stakes)
    actions = (EditedBoard(position=lost, on_roll=W), *turn(W, "65", "1/off"))
    record = replace(record, games=(GameRecord(actions=actions, laws=CADY, stakes=stakes),))
    assert record.games[0].played().outcome.points == 4
    (read,) = form.parse(form.format(record)).record.games
    assert read.played().outcome.points == 4


THROWN = Rolled(player=W, dice=Dice(3, 1))
WRONG = MovedIrregularly(
    player=W, result=Position.parse("00000060200005000000000020:00000050300005000000000020")
)
RIGHT = Moved(player=W, steps=parse_steps("8/5 6/5"))
REFUSED = OfferedResignation(player=W, win=Win.SINGLE), RefusedResignation(player=B)
TOUCHED = TouchedMan(player=W, place=8)
CROOKED = EditedBoard(
    position=Position.parse("00000050030005000000000020:00000050300005000000000020"), on_roll=W
)
UP = Position.parse("b0000020000000000000000002:00000050300005000000000020")
BORE_WHILE_UP = Position.parse("c0000010000000000000000002:00000050300005000000000020")


@pytest.mark.parametrize(
    ("laws", "actions", "kept"),
    [
        (CADY, (NullThrow(player=W, fault=ThrowFault.TILTED), THROWN, RIGHT), (THROWN, RIGHT)),
        (CADY, (THROWN, NullThrow(player=W, fault=ThrowFault.ON_DIE), THROWN, RIGHT), (THROWN, RIGHT)),
        (
            CADY,
            (Rolled(player=W, dice=Dice(3, 2)), NamedThrow(player=B, dice=Dice(3, 1)), RIGHT),
            (THROWN, RIGHT),
        ),
        (CADY, (THROWN, TOUCHED, QuittedMan(player=W, step=Step(8, 5)), RIGHT), (THROWN, RIGHT)),
        (CADY, (THROWN, WRONG, RequiredRightNumber(player=B), RIGHT), (THROWN, RIGHT)),
        (
            LAWS["britannica-1878"],
            (THROWN, WRONG, Rolled(player=B, dice=Dice(6, 5)), AgreedToAlter(), RIGHT),
            (THROWN, RIGHT),
        ),
        (CADY, (CROOKED, RequiredFurnishing(player=B), THROWN, RIGHT), (THROWN, RIGHT)),
        (
            CADY,
            (OpeningThrow(white=3, black=1), NullThrow(player=W, fault=ThrowFault.TILTED), THROWN, RIGHT),
            (THROWN, RIGHT),
        ),
        (
            CADY,
            (THROWN, *REFUSED, NullThrow(player=W, fault=ThrowFault.TILTED), THROWN, RIGHT),
            (THROWN, RIGHT),
        ),
        (
            CADY,
            (Rolled(player=W, dice=Dice(3, 2)), *REFUSED, NamedThrow(player=B, dice=Dice(3, 1)), RIGHT),
            (THROWN, *REFUSED, RIGHT),
        ),
    ],
    ids=lambda value: " ".join(type(a).__name__ for a in value) if isinstance(value, tuple) else "",
)
def test_what_was_set_right_at_the_table_is_not_in_the_file(laws, actions, kept):
    game = GameRecord(actions=actions, laws=laws)
    assert game.as_it_stood().actions == kept
    assert game.as_it_stood().played().position == game.played().position
    assert format_mat(MatchRecord(laws=laws, games=(game,))) == format_mat(
        MatchRecord(laws=laws, games=(replace(game, actions=kept),))
    )


@pytest.mark.parametrize("has_thrown", [False, True])
@BOTH_FORMS
def test_men_put_up_again_are_written_as_the_board_that_stood(form, suffix, has_thrown):
    (roll, play), put_up = turn(B, "31", "8/5 6/5"), PutBackUp(player=W, count=1)
    actions = (
        EditedBoard(position=UP, on_roll=W),
        Rolled(player=W, dice=Dice(6, 6)),
        MovedIrregularly(player=W, result=BORE_WHILE_UP),
        *((roll, put_up) if has_thrown else (put_up, roll)),
        play,
    )
    game = GameRecord(actions=actions, laws=CADY, stakes=Stakes(cube=False))
    assert game.played().position.white[25] == 3
    (read,) = form.parse(form.format(MatchRecord(laws=CADY, games=(game,)))).record.games
    assert read.played().position == game.played().position


@BOTH_FORMS
@pytest.mark.parametrize("name", ["modern-money", "hoyle-1909"])
def test_whether_there_is_a_cube_and_may_be_beavers_is_read_back(form, suffix, name):
    record = match_of_actions(turn(W, "31", "8/5 6/5"), MatchRecord.under(LAWS[name]))
    assert form.parse(form.format(record)).record.stakes == record.stakes
