"""What players agree on besides the laws, and what binds or frees them at the table."""

from dataclasses import replace

import pytest

from controller.rules import (
    LAWS,
    AgreedToAlter,
    Dice,
    Doubled,
    EditedBoard,
    Game,
    GamePhase,
    IllegalAction,
    Match,
    Moved,
    MovedIrregularly,
    NullThrow,
    OpeningThrow,
    Passed,
    Player,
    Position,
    PutBackUp,
    QuittedMan,
    RequiredFurnishing,
    RequiredRightNumber,
    Rolled,
    Stakes,
    Step,
    ThrowFault,
    Took,
    TouchedMan,
    Win,
    after_steps,
    legal_plays,
    parse_steps,
    win_on,
)
from controller.rules.plays.touched_men import bound_plays

W, B = Player.WHITE, Player.BLACK
HOYLE, BRITANNICA, CADY, MODERN, MONEY = (
    LAWS[name] for name in ("hoyle-1909", "britannica-1878", "cady-1895", "modern", "modern-money")
)
OPENED = OpeningThrow(white=3, black=1)
SIXES = Rolled(player=W, dice=Dice(6, 6))


def moved(player, play):
    return Moved(player=player, steps=parse_steps(play))


def after(laws, *actions, stakes=None):
    game = Game.new(laws, stakes)
    for action in actions:
        game = game.push(action)
    return game


# -- the opening throw


def test_some_let_the_first_player_throw_over_and_some_turn_the_cube_for_it():
    thrown_over = after(MODERN, OPENED, SIXES, stakes=Stakes(throw_over=True))
    assert (thrown_over.dice, thrown_over.cube.value) == (Dice(6, 6), 1)
    dear = Stakes(throw_over=True, throw_over_turns_cube=True)
    assert after(MODERN, OPENED, SIXES, stakes=dear).cube.value == 2
    assert after(HOYLE, OPENED, SIXES, stakes=dear).cube.value == 1


def test_a_throw_over_is_itself_not_thrown_over():
    thrown_over = after(HOYLE, OPENED, SIXES)
    with pytest.raises(IllegalAction):
        thrown_over.push(SIXES)


def test_who_did_not_win_the_opening_throw_cannot_throw_it_over():
    with pytest.raises(IllegalAction):
        after(HOYLE, OPENED, Rolled(player=B, dice=Dice(6, 6)))


def test_a_first_roll_whose_opening_throw_is_not_known_may_be_a_double_only_where_it_may_be_thrown_over():
    assert after(CADY, SIXES).dice == Dice(6, 6)
    with pytest.raises(IllegalAction, match="a tie is thrown again"):
        after(MODERN, SIXES)


def test_the_second_throw_of_the_game_is_nobody_s_to_repeat():
    played = after(HOYLE, OPENED, moved(W, "8/5 6/5"), Rolled(player=B, dice=Dice(2, 1)))
    with pytest.raises(IllegalAction):
        played.push(Rolled(player=B, dice=Dice(6, 6)))


# -- throws that are void


def test_a_premature_throw_stands_where_players_agreed_so():
    null = NullThrow(player=B, fault=ThrowFault.PREMATURE)
    assert after(MODERN, OPENED, null).dice == Dice(3, 1)
    with pytest.raises(IllegalAction, match="stands"):
        after(MODERN, OPENED, null, stakes=Stakes(premature_throw_stands=True))


@pytest.mark.parametrize("thrower", Player)
def test_an_opening_throw_of_which_one_die_is_void_is_an_opening_throw_again(thrower):
    again = after(CADY, OPENED, NullThrow(player=thrower, fault=ThrowFault.OFF_BOARD))
    assert (again.phase, again.turn) == (GamePhase.OPENING, None)
    assert again.push(OpeningThrow(white=1, black=2)).turn is B


@pytest.mark.parametrize(
    "mishap",
    [TouchedMan(player=W, place=24), QuittedMan(player=W, step=Step(24, 21))],
    ids=["touched", "quitted"],
)
def test_a_void_throw_frees_the_men_that_were_touched_or_let_go_of(mishap):
    throw = Rolled(player=W, dice=Dice(3, 1))
    thrown = after(CADY, EditedBoard(position=Position.START, on_roll=W), throw)
    bound = thrown.push(mishap)
    assert {*bound.legal_actions()} < {*thrown.legal_actions()}
    again = bound.push(NullThrow(player=W, fault=ThrowFault.TILTED)).push(throw)
    assert {*again.legal_actions()} == {*thrown.legal_actions()}


def test_a_man_touched_does_not_bind_the_throw_that_is_made_over():
    over = after(HOYLE, OPENED, TouchedMan(player=W, place=24), SIXES)
    assert over.touched == ()


def test_who_is_given_aces_has_them_again_after_a_void_throw():
    aces = Rolled(player=B, dice=Dice(1, 1))
    void = NullThrow(player=B, fault=ThrowFault.OFF_BOARD)
    again = after(MODERN, aces, void, stakes=Stakes(aces_to=B))
    with pytest.raises(IllegalAction, match="given aces as odds"):
        again.push(Rolled(player=B, dice=Dice(6, 6)))
    assert again.push(aces).dice == Dice(1, 1)


def test_no_aces_are_due_once_the_board_is_set_up():
    board = EditedBoard(position=Position.START, on_roll=B)
    assert after(MODERN, board, Rolled(player=B, dice=Dice(6, 6)), stakes=Stakes(aces_to=B)).dice == Dice(
        6, 6
    )


# -- a board set up by hand


def test_a_man_touched_binds_nobody_once_the_board_is_set_up():
    edited = after(
        CADY,
        OPENED,
        TouchedMan(player=W, place=24),
        EditedBoard(position=Position.START, on_roll=B),
        Rolled(player=B, dice=Dice(3, 1)),
    )
    assert edited.push("8/5 6/5").turn is W


def test_a_wrong_play_is_not_altered_once_the_board_is_set_up():
    edited = after(BRITANNICA, THROWN, WRONG, EditedBoard(position=Position.START, on_roll=B))
    with pytest.raises(IllegalAction, match="no wrong play"):
        edited.push(RequiredRightNumber(player=B))


def test_men_borne_unduly_are_not_put_up_once_the_board_is_set_up():
    up = Position.parse("91000020000000000000000002:00000050300005000000000020")
    borne = Position.parse("a1000010000000000000000002:00000050300005000000000020")
    unduly = after(
        CADY, EditedBoard(position=up, on_roll=W), THROWN, MovedIrregularly(player=W, result=borne)
    )
    put_up = PutBackUp(player=W, count=1)
    assert sum(unduly.push(put_up).position.white) == sum(borne.white)
    with pytest.raises(IllegalAction):
        unduly.push(EditedBoard(position=Position.START, on_roll=W)).push(put_up)


def test_men_borne_once_the_bar_is_empty_are_not_put_up():
    up = Position.parse("d1000000000000000000000001:00000050300005000000000020")
    borne = Position.parse("e0000000000000000000000010:00000050300005000000000020")
    played = MovedIrregularly(player=W, result=borne)
    with pytest.raises(IllegalAction, match="borne"):
        after(CADY, EditedBoard(position=up, on_roll=W), THROWN, played, PutBackUp(player=W, count=1))


def test_the_board_of_a_game_that_is_over_is_not_furnished():
    passed = Game.new(MODERN, first=W).push(Doubled(player=W)).push(Passed(player=B))
    with pytest.raises(IllegalAction, match="the game waits for nothing"):
        passed.push(RequiredFurnishing(player=B))


def test_a_man_touched_binds_nobody_once_the_board_is_furnished():
    thrown = Game.new(CADY, first=W).push(SIXES).push(TouchedMan(player=W, place=24))
    assert thrown.push(RequiredFurnishing(player=B)).touched == ()


# -- wrong plays

WRONG = MovedIrregularly(player=W, result=after_steps(Position.START, W, parse_steps("24/18 13/8")))
THROWN = Rolled(player=W, dice=Dice(6, 4))


def test_a_wrong_play_that_was_doubled_on_stands():
    doubled = after(MODERN, THROWN, WRONG, Doubled(player=B), Took(player=W))
    with pytest.raises(IllegalAction):
        doubled.push(RequiredRightNumber(player=B))


@pytest.mark.parametrize("laws", [CADY, MODERN], ids=["cady", "modern"])
def test_a_void_throw_is_none_and_the_right_number_may_still_be_required(laws):
    void = NullThrow(player=B, fault=ThrowFault.TILTED)
    thrown = after(laws, THROWN, WRONG, Rolled(player=B, dice=Dice(3, 1)), void)
    assert thrown.push(RequiredRightNumber(player=B)).dice == Dice(6, 4)


def test_a_right_play_is_not_taken_back():
    right = after(CADY, THROWN, moved(W, "24/18 13/9"))
    with pytest.raises(IllegalAction, match="no wrong play"):
        right.push(RequiredRightNumber(player=B))


def test_a_wrong_play_that_both_agree_to_alter_is_the_last_one():
    answered = after(BRITANNICA, THROWN, WRONG, Rolled(player=B, dice=Dice(3, 1)), moved(B, "8/5 6/5"))
    with pytest.raises(IllegalAction, match="no wrong play"):
        answered.push(AgreedToAlter())


# -- men touched and let go of


def white_plays(position, roll):
    return legal_plays(position, W, Dice.parse(roll))


def texts(plays):
    return {str(play) for play in plays}


def test_britannica_law_1_two_men_taken_from_a_point_must_both_be_played():
    plays = white_plays(Position.START, "62")
    assert texts(bound_plays(plays, [13, 13], [])) == {"13/7 13/11"}
    assert all("24/" in text for text in texts(bound_plays(plays, [24], [])))


def test_cady_law_8_a_man_that_cannot_be_played_binds_to_nothing():
    plays = white_plays(Position.START, "55")
    assert texts(bound_plays(plays, [24], [])) == texts(plays)


def test_of_two_men_touched_of_which_one_can_be_played_that_one_is():
    plays = white_plays(Position.START, "55")
    assert texts(bound_plays(plays, [24, 8], [])) == {text for text in texts(plays) if "8/3" in text}


def test_a_man_let_go_of_stays_and_only_the_other_number_is_free():
    plays = white_plays(Position.START, "31")
    bound = bound_plays(plays, [], [Step(24, 21)])
    assert {play.result for play in bound} < {play.result for play in plays}
    assert texts(bound) == {text for text in texts(plays) if "24/21" in text or text == "24/20"}


def test_a_man_placed_wrongly_binds_to_nothing():
    plays = white_plays(Position.START, "31")
    assert texts(bound_plays(plays, [], [Step(24, 22)])) == texts(plays)


def test_what_was_touched_in_one_turn_does_not_bind_in_the_next():
    touched = after(CADY, OPENED, TouchedMan(player=W, place=8), moved(W, "8/5 6/5"))
    assert touched.touched == ()
    quitted = after(CADY, OPENED, QuittedMan(player=W, step=Step(8, 5)), moved(W, "8/5 6/5"))
    assert quitted.quitted == ()


# -- what a game counts


@pytest.mark.parametrize(("count", "points"), [(None, 3), (3, 3), (4, 4)])
def test_a_backgammon_counts_what_was_agreed(count, points):
    lost = Position.parse("e1000000000000000000000000:000000e0000000000000000010")
    bearing = EditedBoard(position=lost, on_roll=W), THROWN, moved(W, "1/off")
    assert after(HOYLE, *bearing, stakes=Stakes(backgammon=count)).outcome.points == points


def test_a_match_proposes_no_jacoby_and_a_session_under_the_same_laws_does():
    assert MONEY.stakes(0).jacoby
    assert not MONEY.stakes(5).jacoby
    assert Match.new(5, MODERN).crawford
    assert not Match.new(5, MONEY).crawford


@pytest.mark.parametrize("name", ["hoyle-1909", "britannica-1878", "cady-1895"])
def test_under_the_old_laws_no_agreement_brings_a_cube(name):
    game = Game.new(LAWS[name], Stakes(cube=True, automatic_doubles=3)).push(OpeningThrow(white=2, black=2))
    assert game.cube.value == 1


# -- variants that only begin elsewhere


def test_hypergammon_is_lost_as_a_gammon_until_one_of_the_three_is_borne():
    laws = LAWS["hypergammon"]
    none = Position.parse("f0000000000000000000000000:c0000030000000000000000000")
    one = Position.parse("f0000000000000000000000000:d0000020000000000000000000")
    far = Position.parse("f0000000000000000000000000:c0000020000000000000000010")
    assert [win_on(position, W, laws) for position in (none, one, far)] == [
        Win.GAMMON,
        Win.SINGLE,
        Win.BACKGAMMON,
    ]


@pytest.mark.parametrize("name", ["nackgammon", "hypergammon"])
def test_a_variant_begins_furnished(name):
    start = LAWS[name].start
    assert start.problems() == ()
    assert start.white == start.black
    assert replace(LAWS[name], name="", source="", start=Position.START) == replace(
        MODERN, name="", source=""
    )
