"""The library as a programmer uses it: plays pushed, IDs taken up, errors told apart, games as text."""

import random
from dataclasses import replace

import pytest

from controller.rules import (
    AmbiguousPlay,
    Dice,
    Doubled,
    Game,
    GamePhase,
    IllegalAction,
    IllegalPlay,
    InvalidPlay,
    Match,
    Moved,
    OpeningThrow,
    Player,
    PlayError,
    Position,
    Rolled,
    Step,
    Took,
    Win,
    explain,
    legal_plays,
    parse_gnubg_ids,
    parse_play,
    parse_xgid,
    shots,
    unfurnished,
    win_on,
)
from controller.rules.entering.entering_laws import RUSSIAN_CADY
from controller.rules.laws.law_terms import WrongGame

W, B = Player.WHITE, Player.BLACK
BEGUN = Game.new().push(OpeningThrow(white=3, black=1))


def alone(point, dice, then=0):
    """White has one checker left, Black one on his ace point."""
    return Position.of(
        W, [14, *(int(n == point) for n in range(1, 26))], [14, *(int(n == 1) for n in range(1, 26))]
    )


def test_a_play_or_its_text_can_be_pushed():
    play = next(play for play in legal_plays(Position.START, W, Dice(3, 1)) if str(play) == "8/5 6/5")
    assert BEGUN.push(play) == BEGUN.push("8/5 6/5")
    assert BEGUN.push(play).turn is B


@pytest.mark.parametrize("wrong", ["8/5 6/4", "24/22", "nonsense", 7, None])
def test_what_is_no_legal_play_raises_and_changes_nothing(wrong):
    before = repr(BEGUN)
    with pytest.raises(IllegalAction):
        BEGUN.push(wrong)
    assert repr(BEGUN) == before


def test_no_play_is_pushed_while_a_roll_is_due():
    with pytest.raises(IllegalAction, match="waits for a roll"):
        BEGUN.push("8/5 6/5").push("8/5 6/5")


def test_a_text_is_among_the_plays_or_not():
    plays = legal_plays(Position.START, W, Dice(3, 1))
    assert "8/5 6/5" in plays
    assert "6/5 8/5" in plays
    assert "24/20" in plays
    assert "8/5 6/4" not in plays
    assert "nonsense" not in plays


def test_three_errors_tell_what_is_wrong_with_a_play():
    plays = legal_plays(Position.START, W, Dice(3, 1))
    with pytest.raises(InvalidPlay):
        plays.parse("8-5")
    with pytest.raises(IllegalPlay):
        plays.parse("8/5 6/4")
    two_blots = Position.of(
        W,
        [13, *(2 * (n == 24) for n in range(1, 26))],
        [13, *(int(n in (25 - 23, 25 - 19)) for n in range(1, 26))],
    )
    with pytest.raises(AmbiguousPlay, match=r"24/19\* 19/18 or 24/23\* 23/18"):
        legal_plays(two_blots, W, Dice(5, 1)).parse("24/18")
    assert all(issubclass(error, PlayError) for error in (InvalidPlay, IllegalPlay, AmbiguousPlay))
    assert issubclass(PlayError, ValueError)


def test_a_consolidated_play_is_no_action():
    rolled = Game.new().push(Rolled(player=W, dice=Dice(6, 5)))
    with pytest.raises(IllegalAction, match="each step plays one number"):
        rolled.push(Moved(player=W, steps=(Step(24, 13),)))
    assert rolled.push("24/13") == rolled.push(Moved(player=W, steps=(Step(24, 18), Step(18, 13))))


@pytest.mark.parametrize("steps", [(Step(8, 5, True), Step(6, 5)), (Step(8, 5), Step(6, 5, True))])
def test_a_hit_that_does_not_happen_is_refused(steps):
    with pytest.raises(IllegalAction, match="with its hits this play is 8/5 6/5"):
        BEGUN.push(Moved(player=W, steps=steps))


def test_a_hit_that_happens_must_be_marked():
    slot = BEGUN.push("6/5 6/3").push(Rolled(player=B, dice=Dice(4, 1)))
    hit = slot.push("24/20* 24/23")
    assert hit.position.white[25] == 1
    unmarked = tuple(Step(step.source, step.target) for step in hit.actions[-1].steps)
    with pytest.raises(IllegalAction, match="with its hits"):
        slot.push(Moved(player=B, steps=unmarked))


def test_the_last_checker_borne_off_in_two_steps_stays_so():
    board, dice = alone(4, (4, 3)), Dice(4, 3)
    play, legal = parse_play("4/1 1/off", board, W, dice)
    assert legal
    assert str(play) == "4/1 1/off"
    assert str(legal_plays(board, W, dice).parse("4/off")) == "4/off"


XGIDS = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10",
    "XGID=-b----E-C---eE---c-e----B-:1:1:-1:00:3:2:0:7:8",
    "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:0:0:3:0:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:65:6:2:1:7:10",
)


@pytest.mark.parametrize("text", XGIDS)
def test_a_match_is_taken_up_from_an_xgid_and_played_on(text):
    match = Match.parse(text)
    assert match.situation() == parse_xgid(match.xgid())
    assert parse_xgid(text) == parse_xgid(match.xgid().rsplit(":", 1)[0] + ":" + text.rsplit(":", 1)[1])
    on_roll = match.situation().on_roll
    assert parse_gnubg_ids(match.gnubg_ids(), on_roll).cube == match.game.cube
    rng = random.Random(5)
    for _ in range(300):
        actions = list(match.legal_actions())
        if match.games or not actions:
            break
        match = match.push(rng.choice(actions))
    assert match.games or match.winner


def test_cube_and_score_count_in_a_match_taken_up():
    match = Match.parse("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:7:10")
    assert match.push(Doubled(player=W)).push(Took(player=B)).game.cube.value == 4
    assert [action for action in match.legal_actions() if isinstance(action, Doubled)] != []
    other = Match.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:3:2:0:7:10")
    assert [action for action in other.legal_actions() if isinstance(action, Doubled)] == []


@pytest.mark.parametrize(("flag", "is_crawford"), [(1, True), (0, False)])
def test_a_match_taken_up_knows_whether_this_is_the_crawford_game(flag, is_crawford):
    match = Match.parse(f"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:{flag}:5:10")
    assert match.is_crawford_game is is_crawford


def test_a_match_id_that_does_not_deny_jacoby_brings_none_into_a_match():
    match = Match.from_situation(replace(parse_xgid(XGIDS[0]), jacoby=True))
    assert not match.game.stakes.jacoby


def test_where_nothing_can_be_played_on_says_why():
    with pytest.raises(ValueError, match="the match is over"):
        Match.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:5:0:0:5:10")
    with pytest.raises(ValueError, match="no Crawford game"):
        Match.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:5:10")
    with pytest.raises(ValueError, match="nobody is on roll"):
        Match.new(5).xgid()


def test_actions_of_a_match_come_once_each():
    match = Match.new(1)
    rng = random.Random(1)
    done = []
    while not match.winner:
        action = rng.choice(list(match.legal_actions()))
        done.append(action)
        match = match.push(action)
    assert list(match.actions) == done


def test_a_game_reads_as_text():
    assert str(BEGUN).endswith("+\nwhite to play 31; cube 1")
    assert str(BEGUN.push("8/5 6/5")).endswith("black to roll; cube 1")
    assert str(Match.new(5)).startswith("5 point match, white 0, black 0\n+13")
    doubled = BEGUN.push("8/5 6/5").push(Doubled(player=B))
    assert "white to answer: a take or a pass" in str(doubled)
    assert str(doubled.push(Took(player=W))).endswith("black to roll; cube 2, white's")
    assert doubled.phase is GamePhase.DOUBLED


@pytest.mark.parametrize(
    "enter",
    [
        lambda: legal_plays(Position.START, W, Dice(3, 1), RUSSIAN_CADY),
        lambda: explain(Position.START, W, Dice(3, 1), Position.START, RUSSIAN_CADY),
        lambda: shots(Position.START, W, RUSSIAN_CADY),
        lambda: unfurnished(Position.START, RUSSIAN_CADY),
        lambda: parse_play("8/5", Position.START, W, Dice(3, 1), RUSSIAN_CADY),
        lambda: win_on(Position.START, W, RUSSIAN_CADY),
        lambda: Game.new(RUSSIAN_CADY),
        lambda: Match.new(5, RUSSIAN_CADY),
        lambda: Game.from_situation(parse_xgid(XGIDS[0]), RUSSIAN_CADY),
    ],
)
def test_entry_points_of_the_ordinary_game_name_the_error_for_others(enter):
    with pytest.raises(WrongGame, match=r"russian-cady .* rules_of"):
        enter()


def test_a_resignation_that_waits_is_in_the_match_id():
    offered = parse_xgid(XGIDS[1])
    game = Game.from_situation(offered)
    assert game.turn is B
    assert game.situation().resigned is None
    assert Win.GAMMON.value == 2
