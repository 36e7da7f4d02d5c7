"""A game and a match as sequences of actions: turns, cube, resignations, score."""

from dataclasses import replace

import pytest

from controller.rules import (
    MODERN,
    AcceptedResignation,
    Beavered,
    Dice,
    DidNotThrow,
    Doubled,
    EditedBoard,
    Ending,
    Game,
    GamePhase,
    IllegalAction,
    Match,
    Moved,
    MovedIrregularly,
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

W, B = Player.WHITE, Player.BLACK


def moved(player, play):
    return Moved(player=player, steps=parse_steps(play))


OPENED = (OpeningThrow(white=3, black=1), moved(W, "8/5 6/5"))
"""White has opened, Black is to roll."""

ALMOST_OFF = Position.parse("e0100000000000000000000000:00000050300005000000000020")
"""White has one checker left; Black has borne off none, and has two in White's home."""


def won_by_white(position, **about):
    """The game in which White bears off his last checker from `position`."""
    board = EditedBoard(position=position, on_roll=W)
    return Game.replay([board, Rolled(player=W, dice=Dice(6, 5)), moved(W, "2/off")], **about)


def test_the_higher_die_begins_with_both_numbers():
    game = Game.new().push(OpeningThrow(white=2, black=5))
    assert (game.turn, game.dice, game.phase) == (B, Dice(5, 2), GamePhase.TO_MOVE)


def test_a_tie_is_thrown_again():
    game = Game.new().push(OpeningThrow(white=4, black=4))
    assert game.phase is GamePhase.OPENING
    assert game.cube.value == 1


def test_automatic_doubles_turn_the_cube_as_often_as_agreed():
    stakes = Stakes(automatic_doubles=1)
    tie = OpeningThrow(white=4, black=4)
    assert [Game.replay([tie] * n, stakes=stakes).cube.value for n in range(4)] == [1, 2, 2, 2]


def test_players_take_turns_and_who_cannot_move_passes_the_dice():
    game = Game.replay(OPENED)
    assert (game.turn, game.phase) == (B, GamePhase.TO_ROLL)
    closed = Position.parse("90000050000000000000000001:32222220000000000000000000")
    game = game.push(EditedBoard(position=closed, on_roll=W)).push(Rolled(player=W, dice=Dice(6, 1)))
    assert next(game.legal_actions()) == Moved(player=W, steps=())
    assert game.push(Moved(player=W, steps=())).turn is B


def test_a_player_closed_out_need_not_throw():
    closed = Position.parse("90000050000000000000000001:32222220000000000000000000")
    game = Game.replay([EditedBoard(position=closed, on_roll=W)])
    assert DidNotThrow(player=W) in game.legal_actions()
    assert game.push(DidNotThrow(player=W)).turn is B
    with pytest.raises(IllegalAction, match="closed out"):
        Game.replay(OPENED).push(DidNotThrow(player=B))


def test_what_cannot_be_done_raises_and_the_game_is_as_it_was():
    game = Game.replay(OPENED)
    for action in (
        OpeningThrow(white=1, black=2),
        Rolled(player=W, dice=Dice(2, 1)),
        moved(B, "24/23"),
        Took(player=B),
        Doubled(player=W),
        AcceptedResignation(player=W),
    ):
        with pytest.raises(IllegalAction):
            game.push(action)
    assert game == Game.replay(OPENED)


def test_an_illegal_play_is_refused_but_one_that_stood_is_taken():
    rolled = Game.replay([*OPENED, Rolled(player=B, dice=Dice(5, 4))])
    with pytest.raises(IllegalAction, match="black cannot play 54"):
        rolled.push(moved(B, "13/11 13/8"))
    with pytest.raises(IllegalAction, match="has no checker"):
        rolled.push(moved(B, "12/7 12/8"))
    stood = Position.parse("00000240200005000000000020:00000050400103000000000020")
    game = rolled.push(MovedIrregularly(player=B, result=stood))
    assert (game.position, game.turn) == (stood, W)


@pytest.mark.parametrize(
    ("loser", "win"),
    [
        ("10000050200005000000000020", Win.SINGLE),
        ("00000050500005000000000000", Win.GAMMON),
        ("00000050300005000000000020", Win.BACKGAMMON),
        ("00000050500004000000000001", Win.BACKGAMMON),
    ],
)
def test_the_size_of_a_game(loser, win):
    outcome = won_by_white(Position.parse(f"e0100000000000000000000000:{loser}")).outcome
    assert (outcome.winner, outcome.win, outcome.points, outcome.ending) == (
        W,
        win,
        win.value,
        Ending.BORNE_OFF,
    )


def test_a_board_set_up_with_all_men_of_a_side_borne_off_ends_the_game():
    borne_off = Position.parse("f0000000000000000000000000:00000050300005000000000020")
    for on_roll in Player:
        game = Game.replay([*OPENED, EditedBoard(position=borne_off, on_roll=on_roll)])
        assert game.outcome == won_by_white(ALMOST_OFF).outcome
        assert game.phase is GamePhase.OVER


def test_nobody_can_act_after_the_end():
    game = won_by_white(ALMOST_OFF)
    assert list(game.legal_actions()) == []
    for action in (Rolled(player=B, dice=Dice(2, 1)), EditedBoard(position=Position.START, on_roll=W)):
        with pytest.raises(IllegalAction):
            game.push(action)


def test_a_take_gives_the_cube_and_a_pass_loses_its_old_value():
    doubled = Game.replay([*OPENED, Doubled(player=B)])
    assert set(doubled.legal_actions()) >= {Took(player=W), Passed(player=W)}
    passed = doubled.push(Passed(player=W)).outcome
    assert (passed.winner, passed.points, passed.ending) == (B, 1, Ending.PASSED)
    taken = doubled.push(Took(player=W))
    assert (taken.cube.value, taken.cube.owner, taken.turn, taken.phase) == (2, W, B, GamePhase.TO_ROLL)


def test_only_the_owner_redoubles_and_only_before_his_own_roll():
    taken = Game.replay([*OPENED, Doubled(player=B), Took(player=W)])
    assert not taken.may_double(B)
    black_rolled = taken.push(Rolled(player=B, dice=Dice(3, 1)))
    assert not black_rolled.may_double(W)
    whites_turn = black_rolled.push(moved(B, "8/5 6/5"))
    assert whites_turn.may_double(W)
    passed = whites_turn.push(Doubled(player=W)).push(Passed(player=B))
    assert passed.outcome.points == 2


def test_a_beaver_keeps_the_cube_and_a_raccoon_turns_it_once_more():
    with pytest.raises(IllegalAction, match="not agreed"):
        Game.replay([*OPENED, Doubled(player=B), Beavered(player=W)])
    stakes = Stakes(beavers=True)
    beavered = Game.replay([*OPENED, Doubled(player=B), Beavered(player=W)], stakes=stakes)
    accepted = beavered.push(Took(player=B))
    assert (accepted.cube.value, accepted.cube.owner, accepted.turn) == (4, W, B)
    assert beavered.push(Passed(player=B)).outcome.points == 2
    raccoon = beavered.push(Beavered(player=B)).push(Took(player=W))
    assert (raccoon.cube.value, raccoon.cube.owner) == (8, W)


def test_under_jacoby_gammons_count_only_once_the_cube_is_turned():
    stakes = Stakes(jacoby=True)
    assert won_by_white(ALMOST_OFF, stakes=stakes).outcome.points == 1
    actions = [
        EditedBoard(position=ALMOST_OFF, on_roll=W),
        Doubled(player=W),
        Took(player=B),
        Rolled(player=W, dice=Dice(6, 5)),
        moved(W, "2/off"),
    ]
    assert Game.replay(actions, stakes=stakes).outcome.points == 6


def test_under_jacoby_a_cube_that_only_ties_have_turned_counts_no_gammon():
    tie = OpeningThrow(white=2, black=2)
    bearing = (
        EditedBoard(position=ALMOST_OFF, on_roll=W),
        Rolled(player=W, dice=Dice(6, 5)),
        moved(W, "2/off"),
    )
    game = Game.replay([tie, *bearing], stakes=Stakes(jacoby=True, automatic_doubles=1))
    assert game.outcome.points == 2


@pytest.mark.parametrize("win", Win)
def test_a_resignation_of_each_size_may_be_accepted_or_refused(win):
    offered = Game.replay([*OPENED, OfferedResignation(player=W, win=win)])
    assert list(offered.legal_actions()) == [AcceptedResignation(player=B), RefusedResignation(player=B)]
    outcome = offered.push(AcceptedResignation(player=B)).outcome
    assert (outcome.winner, outcome.points, outcome.ending) == (B, win.value, Ending.RESIGNED)
    assert offered.push(RefusedResignation(player=B)).phase is GamePhase.TO_ROLL


def test_a_roll_is_not_lost_by_a_refused_resignation():
    actions = [*OPENED, Rolled(player=B, dice=Dice(2, 1)), OfferedResignation(player=W, win=Win.SINGLE)]
    game = Game.replay(actions).push(RefusedResignation(player=B))
    assert (game.phase, game.dice) == (GamePhase.TO_MOVE, Dice(2, 1))


def test_who_resigns_while_his_opponent_plays_has_no_roll_of_his_own():
    actions = [*OPENED, Rolled(player=B, dice=Dice(2, 1)), OfferedResignation(player=W, win=Win.SINGLE)]
    situation = Game.replay(actions).situation()
    assert (situation.on_roll, situation.dice) == (W, None)


def test_a_resignation_on_offer_is_gone_when_the_board_is_set_up():
    offered = Game.replay([*OPENED, OfferedResignation(player=W, win=Win.GAMMON)])
    game = offered.push(EditedBoard(position=Position.START, on_roll=W))
    assert game.situation().resigned is None
    assert str(game).splitlines()[-1].startswith("white to roll")


def test_every_legal_action_can_be_pushed():
    games = [
        Game.new(),
        Game.replay(OPENED[:1]),
        Game.replay(OPENED, stakes=Stakes(beavers=True)),
        Game.replay([*OPENED, Doubled(player=B)], stakes=Stakes(beavers=True)),
        Game.replay([*OPENED, OfferedResignation(player=B, win=Win.GAMMON)]),
    ]
    for game in games:
        for action in game.legal_actions():
            assert game.push(action).actions[-1] == action


def test_a_game_is_replayed_from_its_actions():
    game = Game.replay([*OPENED, Doubled(player=B), Took(player=W)])
    assert Game.replay(game.actions) == game


def test_a_set_of_laws_may_begin_elsewhere_and_know_no_cube():
    nackgammon = replace(
        MODERN,
        name="nackgammon",
        start=Position.parse("00000040300004000000000220:00000040300004000000000220"),
        has_cube=False,
    )
    game = Game.replay(OPENED, laws=nackgammon)
    assert game.position.white[23] == 2
    assert not game.may_double(B)


def test_a_set_of_laws_may_let_the_first_player_throw_again():
    older = replace(MODERN, first_player_may_throw_again=True)
    opened = Game.new(older).push(OpeningThrow(white=3, black=1))
    assert Rolled(player=W, dice=Dice(6, 6)) in opened.legal_actions()
    again = opened.push(Rolled(player=W, dice=Dice(6, 6)))
    assert again.dice == Dice(6, 6)
    with pytest.raises(IllegalAction):
        again.push(Rolled(player=W, dice=Dice(2, 1)))
    with pytest.raises(IllegalAction):
        Game.new().push(OpeningThrow(white=3, black=1)).push(Rolled(player=W, dice=Dice(6, 6)))


def test_a_set_of_laws_may_count_a_backgammon_four():
    assert won_by_white(ALMOST_OFF, laws=replace(MODERN, points=(1, 2, 4))).outcome.points == 4


def test_a_set_of_laws_may_let_the_winner_of_a_single_game_begin_the_next():
    older = replace(MODERN, winner_of_single_begins=True)
    match = Match.replay(0, resigned(B), laws=older)
    assert (match.game.phase, match.game.turn) == (GamePhase.TO_ROLL, B)
    assert Match.replay(0, resigned(B, Win.GAMMON), laws=older).game.phase is GamePhase.OPENING
    assert Match.replay(0, resigned(B)).game.phase is GamePhase.OPENING


def resigned(winner, win=Win.SINGLE):
    """A game that ends at once."""
    loser = winner.opponent
    return [*OPENED, OfferedResignation(player=loser, win=win), AcceptedResignation(player=winner)]


def test_a_match_counts_points_and_ends_at_its_length():
    match = Match.replay(5, [*resigned(W, Win.BACKGAMMON), *resigned(B)])
    assert (match.score, match.winner) == ((3, 1), None)
    match = Match.replay(5, [*resigned(W, Win.BACKGAMMON), *resigned(B), *resigned(W, Win.GAMMON)])
    assert (match.score, match.winner) == ((5, 1), W)
    assert list(match.legal_actions()) == []
    with pytest.raises(IllegalAction, match="over"):
        match.push(OpeningThrow(white=3, black=1))


def test_the_crawford_game_is_the_one_after_a_player_first_needs_one_point():
    match = Match.replay(3, resigned(W, Win.GAMMON))
    assert match.is_crawford_game
    assert not match.game.stakes.cube
    assert Doubled(player=B) not in Match.replay(3, [*resigned(W, Win.GAMMON), *OPENED]).legal_actions()
    after = Match.replay(3, [*resigned(W, Win.GAMMON), *resigned(B)])
    assert not after.is_crawford_game
    assert Doubled(player=B) in Match.replay(3, [*after_actions(after), *OPENED]).legal_actions()


def test_a_match_has_one_crawford_game():
    match = Match.replay(5, [*resigned(W, Win.BACKGAMMON), *resigned(W), *resigned(B), *resigned(B)])
    assert match.score == (4, 2)
    assert match.game.stakes.cube


def after_actions(match):
    return [action for game in match.games for action in game.actions]


def test_a_session_for_money_has_no_end_and_no_crawford_game():
    match = Match.new(0)
    for _ in range(20):
        for action in resigned(W, Win.BACKGAMMON):
            match = match.push(action)
    assert (match.score, match.winner, match.is_crawford_game) == ((60, 0), None, False)


def test_a_match_of_one_point_has_no_crawford_game():
    assert not Match.new(1).is_crawford_game
