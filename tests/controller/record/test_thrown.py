"""Russian and Turkish backgammon are kept in a form of their own."""

import json
from dataclasses import replace

import pytest

from controller.record.match_record import MatchFileError
from controller.record.store import Store
from controller.record.thrown_games import (
    ThrownGame,
    cannot_carry,
    format_thrown_game,
    parse_thrown_game,
    thrown_game_rows,
)
from controller.rules import Dice, Player, PlayError, TurnState
from controller.rules.entering.entering_laws import (
    ENTERING_LAWS,
    RUSSIAN_BRITANNICA,
    RUSSIAN_CADY,
    TURKISH_CADY,
    Complement,
    Placing,
    ShiftEnds,
)
from tests.controller.rules.entering.entering_games import a_game

W = Player.WHITE


def played(laws, seed=1, most=500):
    stands, throws, texts = a_game(laws, seed, most)
    game = ThrownGame(laws=laws, leader=stands[0].on_roll, white="Ada", black="Bert")
    for dice, text in zip(throws, texts, strict=True):
        game = game.after(dice, text)
    return game


@pytest.mark.parametrize("laws", ENTERING_LAWS.values(), ids=lambda laws: laws.name)
def test_a_game_is_written_and_read_back_and_its_end_is_told(laws):
    game = played(laws)
    assert parse_thrown_game(format_thrown_game(game)) == game
    last = json.loads(format_thrown_game(game).splitlines()[-1])
    assert last["won"] == game.stand.winner.value
    assert last["points"] == {"single": 1, "gammon": 2, "backgammon": 3}[last["win"]]


@pytest.mark.parametrize(
    "laws",
    [
        replace(RUSSIAN_CADY, continuation=True, points=(1, 2, 4)),
        replace(RUSSIAN_BRITANNICA, deuce_ace=True, complement=Complement.OPTIONAL),
        replace(TURKISH_CADY, placing=Placing(shift_ends=ShiftEnds.ALL_IN, closed_while_entering=6)),
    ],
    ids=["continuation", "deuce-ace", "placing"],
)
def test_what_was_agreed_on_is_kept(laws):
    game = played(laws, most=40)
    assert parse_thrown_game(format_thrown_game(game)).laws == laws
    assert parse_thrown_game(format_thrown_game(game)) == game


def test_a_throw_is_a_line_that_people_can_read():
    game = (
        ThrownGame(laws=RUSSIAN_CADY, leader=W)
        .after(Dice(2, 1), "off/23 off/24")
        .after(Dice(6, 6), "off/19(4); off/24(4)")
    )
    _, thrown, chosen = thrown_game_rows(game)
    assert (thrown["player"], thrown["dice"], thrown["play"]) == ("white", "21", "off/23 off/24")
    assert (chosen["player"], chosen["chosen"], chosen["play"]) == ("white", "66", "off/19(4); off/24(4)")


def test_an_irregular_play_is_kept_with_the_board_that_stood():
    begun = ThrownGame(laws=RUSSIAN_BRITANNICA, leader=W)
    wrong = TurnState.parse(str(begun.after(Dice(6, 1), "off/19 off/24").stand))
    game = begun.after_irregular(Dice(6, 5), wrong)
    assert parse_thrown_game(format_thrown_game(game)) == game
    assert parse_thrown_game(format_thrown_game(game)).stand == wrong


def test_a_game_is_kept_in_the_log_row_by_row(tmp_path):
    game = played(RUSSIAN_CADY, most=20)
    store = Store(tmp_path / "log.sqlite")
    log = store.new_match()
    for row in thrown_game_rows(game):
        log.append(0, "thrown", row)
    kept = "".join(json.dumps(entry.payload) + "\n" for entry in log.entries())
    store.close()
    assert parse_thrown_game(kept) == game


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no game in it"),
        ("nonsense", "line 1"),
        ('{"laws": "modern", "leader": "white"}', "line 1: there are no laws 'modern' of this kind"),
        ('{"laws": "russian-cady"}', "line 1: 'leader' is missing"),
        ('{"laws": "russian-cady", "leader": "white", "settings": {"cube": true}}', "line 1: .*cube"),
        (
            '{"laws": "russian-cady", "leader": "white"}\n{"player": "black", "dice": "21", "play": ""}',
            "line 2: it is not black's turn",
        ),
        (
            '{"laws": "russian-cady", "leader": "white"}\n{"player": "white", "dice": "21", "play": "24/23"}',
            "line 2: White cannot play 21 so",
        ),
        (
            '{"laws": "russian-cady", "leader": "white"}\n{"won": "white"}',
            "line 2: white has not won, though the file says so",
        ),
    ],
)
def test_what_is_no_such_game_is_refused_with_the_line(text, why):
    with pytest.raises(MatchFileError, match=why):
        parse_thrown_game(text)


def test_an_illegal_play_cannot_be_added():
    with pytest.raises(PlayError):
        ThrownGame(laws=RUSSIAN_CADY, leader=W).after(Dice(2, 1), "off/22")


def test_other_programs_files_are_refused_in_one_sentence():
    assert str(cannot_carry(RUSSIAN_CADY, ".mat")) == (
        "A .mat file cannot carry russian-cady, in which the checkers are entered by throws and both players"
        " move the same way: export it as .jsonl."
    )
