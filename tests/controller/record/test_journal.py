"""What the referee did, kept in the log."""

import json
import shutil

import cv2
import pytest

from controller.cli.main import main
from controller.record.journal import KINDS, effect_payload, journal_in, parse_half_turn
from controller.record.store import Store
from controller.referee import (
    CommandRefused,
    GameWon,
    HalfTurn,
    Lamp,
    LampsChanged,
    Meaning,
    OffenceEnded,
    OffenceShown,
    Question,
    RollCalled,
    TurnRecorded,
)
from controller.rules import Dice, Offence, OffenceKind, Place, Player, Position, Step, TurnState, Win
from controller.service.matches.match_folder import LOG_NAME
from controller.service.restore import LoggedMatch
from tests.controller.cli.test_transcribe import SHORT, truth

TURN = HalfTurn(
    t_ms=1200,
    player=Player.BLACK,
    dice=Dice(6, 4),
    steps=(Step(24, 18, True), Step(13, 9)),
    legal=True,
    position=Position.START,
)
OFFENCE = Offence(OffenceKind.WRONG_DISTANCE, (Place(6), Place(25, Player.WHITE)))
EFFECTS = [
    TurnRecorded(t_ms=1200, index=0, turn=TURN),
    RollCalled(t_ms=10, player=Player.WHITE, dice=Dice(3, 1)),
    OffenceShown(t_ms=20, index=0, player=Player.WHITE, offences=(OFFENCE,)),
    OffenceEnded(t_ms=30, index=0, stands=True),
    LampsChanged(t_ms=40, lamps=(Lamp(place=Place(6), meaning=Meaning.OFFENCE),)),
    GameWon(t_ms=50, winner=Player.BLACK, win=Win.GAMMON, points=4, score=(0, 4), match_over=False),
    Question(t_ms=60, index=0, candidates=(TURN,)),
    CommandRefused(t_ms=70, why="There is no half-turn 9 to correct: 1 have been played."),
]


ENTERED = TurnState.parse("d0000000000000000000000110:f0000000000000000000000000 white chooses 13-15 4-4")
CHOSEN = HalfTurn(
    t_ms=900,
    player=Player.WHITE,
    dice=None,
    dice_inferred=True,
    steps=(),
    legal=False,
    position=ENTERED.position,
    words="off/23 off/24",
    turn_state=ENTERED,
)
TURN_TEXT = (
    '"ended_ms":1200,"player":"black","dice":"64","dice_inferred":false,"steps":[[24,18,true],[13,9,false]],'
    '"legal":true,"position":"00000050300005000000000020:00000050300005000000000020"'
)
RISK = Lamp(place=Place(6), meaning=Meaning.BLOT_AT_RISK, strength=11 / 36)
TRAY = Lamp(place=Place(0, Player.BLACK), meaning=Meaning.OFFENCE)
STORED = [
    (EFFECTS[0], f'{{"game":0,"index":0,"mended":false,{TURN_TEXT}}}'),
    (
        TurnRecorded(t_ms=1200, game=1, index=3, turn=CHOSEN, mended=True),
        '{"game":1,"index":3,"mended":true,"ended_ms":900,"player":"white","dice":null,"dice_inferred":true,'
        '"steps":[],"legal":false,"position":"d0000000000000000000000110:f0000000000000000000000000",'
        '"words":"off/23 off/24",'
        '"stand":"d0000000000000000000000110:f0000000000000000000000000 white chooses 13-15 4-4"}',
    ),
    (EFFECTS[1], '{"player":"white","dice":"31"}'),
    (
        EFFECTS[2],
        '{"index":0,"player":"white","offences":[{"kind":"wrong_distance",'
        '"places":["point 6","white bar"]}]}',
    ),
    (EFFECTS[3], '{"index":0,"stands":true}'),
    (
        LampsChanged(t_ms=40, lamps=(RISK, TRAY)),
        '{"lamps":[{"place":"point 6","meaning":"blot at risk","strength":0.306},'
        '{"place":"black tray","meaning":"offence","strength":1.0}]}',
    ),
    (EFFECTS[5], '{"winner":"black","win":"gammon","points":4,"score":[0,4],"match_over":false}'),
    (EFFECTS[6], f'{{"index":0,"candidates":[{{{TURN_TEXT}}}]}}'),
    (EFFECTS[7], '{"why":"There is no half-turn 9 to correct: 1 have been played."}'),
]
"""Rows as the first version of the program wrote them; logs on disk hold such rows."""


@pytest.mark.parametrize(("effect", "stored"), STORED, ids=lambda value: type(value).__name__)
def test_a_row_is_written_as_in_every_log_before(effect, stored):
    assert json.dumps(effect_payload(effect), separators=(",", ":")) == stored


def test_a_stored_row_of_every_kind_is_compared():
    assert {type(effect) for effect, _ in STORED} == set(KINDS)


@pytest.mark.parametrize(("effect", "stored"), STORED[:2])
def test_a_half_turn_is_read_from_a_stored_row(effect, stored):
    read = parse_half_turn(json.loads(stored))
    assert (read, read.turn_state) == (effect.turn, effect.turn.turn_state)


def test_a_row_that_lacks_a_field_is_no_half_turn():
    with pytest.raises(KeyError, match="legal"):
        parse_half_turn({"ended_ms": 1, "player": "white", "dice": None, "steps": []})


def test_every_kind_of_effect_is_kept_with_its_time(tmp_path):
    with journal_in(tmp_path / "log.sqlite") as log:
        for effect in EFFECTS:
            log.append(effect.t_ms, KINDS[type(effect)], effect_payload(effect))
    entries = Store(tmp_path / "log.sqlite").match(1).entries()
    assert [(entry.t_ms, entry.kind) for entry in entries] == [(e.t_ms, KINDS[type(e)]) for e in EFFECTS]
    assert {type(effect) for effect in EFFECTS} == set(KINDS)


def half_turns_in(path):
    """The half-turns of the only game in a log, as a restart finds them."""
    logged = LoggedMatch()
    for entry in Store(path).match(1).entries():
        logged.take(entry)
    (game,) = logged.games
    return game.turns


@pytest.mark.parametrize("dice", [Dice(6, 4), None])
def test_a_half_turn_comes_back_as_it_was_written(dice):
    turn = HalfTurn(t_ms=5, player=Player.WHITE, dice=dice, steps=(), legal=False, position=Position.START)
    assert parse_half_turn(effect_payload(TurnRecorded(t_ms=5, index=0, turn=turn))) == turn


def test_a_mended_half_turn_replaces_the_earlier_one_but_the_log_keeps_both(tmp_path):
    other = HalfTurn(**{**vars(TURN), "dice": Dice(5, 5)})
    with journal_in(tmp_path / "log.sqlite") as log:
        for effect in (
            TurnRecorded(t_ms=1, index=0, turn=TURN),
            TurnRecorded(t_ms=2, index=0, turn=other, mended=True),
        ):
            log.append(effect.t_ms, KINDS[TurnRecorded], effect_payload(effect))
    assert half_turns_in(tmp_path / "log.sqlite") == [other]
    assert len(Store(tmp_path / "log.sqlite").match(1).entries()) == 2


def test_a_transcribed_game_is_in_the_log_as_it_was_played(tmp_path):
    path = tmp_path / "games.sqlite"
    assert main(["transcribe", str(SHORT), "--record", str(path)]) == 0
    assert [str(turn.position) for turn in half_turns_in(path)] == [turn["position"] for turn in truth()]


def test_a_transcribed_game_is_kept_in_the_log_as_it_was_filmed(tmp_path, capsys):
    film, log = tmp_path / "film.mat", tmp_path / "log.mat"
    assert main(["transcribe", str(SHORT), "--record", str(tmp_path / LOG_NAME), "--mat", str(film)]) == 0
    assert main(["export", "last", str(log), "--matches", str(tmp_path)]) == 0
    assert log.read_text() == film.read_text()
    capsys.readouterr()
    assert main(["matches", "--matches", str(tmp_path)]) == 0
    assert "Ada v. Bert                  1 point " in capsys.readouterr().out


def test_a_last_half_turn_that_is_not_sure_yet_is_kept_in_the_log_too(tmp_path):
    """The film ends with something over a part of the board, and the dice are lifted."""
    folder, film, log = tmp_path / "recording", tmp_path / "film.mat", tmp_path / "log.mat"
    shutil.copytree(SHORT, folder)
    for frame in (folder / "frames").glob("*.jpg"):
        if int(frame.stem) > 54_500:
            frame.unlink()
    last = folder / "frames" / "0000054500.jpg"
    image = cv2.imread(str(last))
    image[90:340, 330:520] = (60, 90, 140)
    cv2.imwrite(str(last), image)
    lines = (folder / "dice.log").read_text().splitlines(keepends=True)
    (folder / "dice.log").write_text("".join(line for line in lines if int(line.split()[0]) < 55_300))
    assert main(["transcribe", str(folder), "--record", str(tmp_path / LOG_NAME), "--mat", str(film)]) == 0
    assert "33: 8/5" in film.read_text()
    assert main(["export", "last", str(log), "--matches", str(tmp_path)]) == 0
    assert log.read_text() == film.read_text()


DOUBLE, TAKE = {"command": "double", "player": "white"}, {"command": "take", "player": "black"}
RESIGN = {"command": "resign", "player": "white", "win": "gammon"}
ACCEPT, UNDO, TAKE_BACK = (
    {"command": "accept", "player": "black"},
    {"command": "undo"},
    {"command": "take back"},
)


@pytest.mark.parametrize(
    ("t_ms", "said"),
    [
        (43_000, [DOUBLE, TAKE]),
        (43_000, [DOUBLE, TAKE, UNDO, UNDO]),
        (43_000, [TAKE_BACK]),
        (58_000, [RESIGN, ACCEPT]),
    ],
)
def test_what_people_said_in_a_recording_is_kept_in_its_log(t_ms, said, tmp_path):
    folder, film, log = tmp_path / "recording", tmp_path / "film.sgf", tmp_path / "log.sgf"
    shutil.copytree(SHORT, folder)
    settings = folder / "recording.toml"
    settings.write_text(settings.read_text().replace("length = 1", "length = 5"))
    commands = [json.dumps(command | {"t_ms": t_ms}) for command in said]
    (folder / "events.jsonl").write_text("\n".join(commands))
    assert main(["transcribe", str(folder), "--record", str(tmp_path / LOG_NAME), "--sgf", str(film)]) == 0
    assert main(["export", "last", str(log), "--matches", str(tmp_path)]) == 0
    assert log.read_text() == film.read_text()


def test_a_log_that_cannot_be_kept_is_said_in_one_sentence(capsys):
    assert main(["transcribe", str(SHORT), "--record", "/nowhere/games.sqlite"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "/nowhere/games.sqlite" in error
