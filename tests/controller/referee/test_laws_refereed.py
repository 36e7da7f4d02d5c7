"""Each set of laws before the referee: what he takes for legal, and what he lets be set right."""

import pytest

from controller.referee import ActionDeclared, GameStarted, TurnCorrected, TurnRecorded
from controller.referee.effects import CommandRefused
from controller.referee.state import RefereePhase
from controller.rules import (
    LAWS,
    AcceptedResignation,
    AgreedToAlter,
    Dice,
    Moved,
    NullThrow,
    OffenceKind,
    OfferedResignation,
    Player,
    Position,
    PutBackUp,
    RequiredRightNumber,
    Rolled,
    ThrowFault,
    Win,
)
from tests.controller.referee.table import Table, board
from tests.controller.referee.test_people import won
from tests.controller.referee.test_referee import AFTER_31, START, START_SIDE

W, B = Player.WHITE, Player.BLACK
OLD = ["hoyle-1909", "britannica-1878", "cady-1895"]
SIXES = {7: 2, 13: 3, 18: 2, 6: 5, 8: 3}
"""24/18(2) 13/7(2)."""


def says(table, action):
    table.tell(ActionDeclared(t_ms=table.t_ms, action=action))


def refusals(table):
    return [effect.why for effect in table.effects if isinstance(effect, CommandRefused)]


# -- which number is played when only one can be


def either_number(laws):
    """Trois ace: White's trois leads to 3, his ace to 5, and from there on Black holds 2."""
    black = {2: 2, 4: 2, 23: 2, 0: 9}
    before = board({6: 1, 24: 1, 0: 13}, black)
    table = Table(Position.parse(before), on_roll=W, laws=LAWS[laws])
    table.show(before)
    after = board({5: 1, 24: 1, 0: 13}, black)
    table.play(3, 1, after)
    table.show(after)
    return table


@pytest.mark.parametrize("laws", OLD)
def test_by_the_old_laws_he_plays_whichever_number_he_likes(laws):
    table = either_number(laws)
    assert table.plays == ["white 31 6/5"]
    assert table.state.record[0].legal
    assert table.offences == []


def test_by_the_modern_laws_he_must_play_the_higher_number():
    table = either_number("modern")
    assert not table.state.record[0].legal
    (shown,) = table.offences
    assert [offence.kind for offence in shown.offences] == [OffenceKind.HIGHER_NUMBER_NOT_PLAYED]


# -- the first throw


def thrown_over(laws, lifted=True):
    table = Table(laws=LAWS[laws])
    table.show(START)
    table.roll(3, 1)
    table.show(START, for_ms=500)
    if lifted:
        table.lift()
        table.show(START, for_ms=500)
    table.play(6, 6, board(SIXES, START_SIDE))
    table.show(board(SIXES, START_SIDE))
    return table


@pytest.mark.parametrize("laws", OLD)
@pytest.mark.parametrize("lifted", [True, False], ids=["lifted", "snatched up"])
def test_who_has_the_first_turn_may_throw_both_dice_instead(laws, lifted):
    table = thrown_over(laws, lifted)
    assert table.plays == ["white 66 24/18(2) 13/7(2)"]
    assert table.state.record[0].legal
    assert table.offences == []


def test_by_the_modern_laws_the_opening_throw_is_played():
    assert thrown_over("modern").plays != ["white 66 24/18(2) 13/7(2)"]


@pytest.mark.parametrize("laws", OLD)
def test_the_opening_throw_is_played_as_well(laws):
    table = Table(laws=LAWS[laws])
    table.show(START)
    table.play(3, 1, AFTER_31)
    assert table.plays == ["white 31 8/5 6/5"]
    table.show(AFTER_31)
    table.play(6, 6, board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, SIXES))
    assert table.plays == ["white 31 8/5 6/5", "black 66 24/18(2) 13/7(2)"]


def test_only_the_opening_throw_is_thrown_over():
    table = Table(laws=LAWS["cady-1895"])
    table.show(START)
    table.roll(3, 1)
    table.lift()
    table.show(START)
    table.roll(4, 2)
    table.show(START)
    table.lift()
    table.play(6, 6, board(START_SIDE, SIXES))
    table.show(board(START_SIDE, SIXES))
    assert [turn.player for turn in table.state.record] == [W, B]


# -- who begins the next game


def after_a_game(laws, winner, win):
    table = Table(laws=LAWS[laws])
    table.show(START)
    table.play(3, 1, AFTER_31)
    says(table, OfferedResignation(player=winner.opponent, win=win))
    says(table, AcceptedResignation(player=winner))
    assert table.state.phase is RefereePhase.BETWEEN
    table.show(START)
    return table


@pytest.mark.parametrize("laws", OLD)
def test_who_won_a_hit_begins_the_next_game_with_both_dice(laws):
    table = after_a_game(laws, B, Win.SINGLE)
    assert (table.state.phase, table.state.on_roll) == (RefereePhase.BEFORE_ROLL, B)
    table.play(6, 6, board(START_SIDE, SIXES))
    table.show(board(START_SIDE, SIXES))
    (first,) = [e for e in table.effects if isinstance(e, TurnRecorded) and e.game == 1]
    assert (first.index, first.turn.player, first.turn.dice, first.turn.legal) == (0, B, Dice(6, 6), True)
    says(table, OfferedResignation(player=W, win=Win.SINGLE))
    says(table, AcceptedResignation(player=B))
    sixes, play, *_ = table.state.match.games[1].actions
    assert sixes == Rolled(player=B, dice=Dice(6, 6))
    assert isinstance(play, Moved)


@pytest.mark.parametrize(
    ("laws", "win"), [("cady-1895", Win.GAMMON), ("hoyle-1909", Win.BACKGAMMON), ("modern", Win.SINGLE)]
)
def test_after_a_gammon_or_by_the_modern_laws_the_first_turn_is_thrown_for(laws, win):
    assert after_a_game(laws, B, win).state.phase is RefereePhase.OPENING


# -- a man up that no throw can enter


FULL = {**dict.fromkeys(range(1, 7), 2), 8: 3}
UP = {6: 5, 8: 3, 13: 6, 25: 1}


def closed_out(laws):
    """Black has a man up, and White has all the points of his table."""
    before = board(FULL, UP)
    table = Table(Position.parse(before), on_roll=B, laws=LAWS[laws])
    table.show(before)
    return table


def whites_51(table):
    after = board({**FULL, 8: 1, 7: 1, 3: 3}, UP)
    table.play(5, 1, after)
    table.show(after)


@pytest.mark.parametrize("laws", [*OLD, "modern"])
def test_a_closed_out_player_lets_his_throw_be(laws):
    table = closed_out(laws)
    whites_51(table)
    assert table.plays == ["black None no move", "white 51 8/3 8/7"]


@pytest.mark.parametrize("laws", [*OLD, "modern"])
def test_a_throw_that_a_closed_out_player_makes_all_the_same_changes_nothing(laws):
    table = closed_out(laws)
    table.play(6, 5, board(FULL, UP))
    table.show(board(FULL, UP))
    whites_51(table)
    assert table.plays == ["black 65 no move", "white 51 8/3 8/7"]


@pytest.mark.parametrize(("laws", "thrower"), [("hoyle-1909", W), ("cady-1895", B), ("modern", B)])
def test_only_where_his_play_is_suspended_is_a_throw_taken_for_his_adversarys_at_once(laws, thrower):
    table = closed_out(laws)
    table.roll(5, 1)
    assert table.state.on_roll is thrower


# -- another start


HYPER = {22: 1, 23: 1, 24: 1, 0: 12}


def test_a_game_of_three_men_a_side_is_played_from_its_own_start():
    table = Table(LAWS["hypergammon"].start, laws=LAWS["hypergammon"])
    table.show(board(HYPER, HYPER))
    table.play(6, 1, board({22: 1, 17: 1, 23: 1, 0: 12}, HYPER))
    table.play(5, 3, board({22: 1, 17: 1, 23: 1, 0: 12}, {24: 1, 18: 1, 19: 1, 0: 12}))
    assert table.plays == ["white 61 24/18 18/17", "black 53 23/18 22/19"]
    assert all(turn.legal for turn in table.state.record)
    assert table.offences == []


def test_men_that_lie_off_from_the_start_are_not_borne():
    table = Table(LAWS["hypergammon"].start, laws=LAWS["hypergammon"])
    ending = Position.parse(board({1: 1, 0: 14}, HYPER))
    table.tell(GameStarted(t_ms=0, position=ending, on_roll=W))
    table.show(str(ending))
    table.play(6, 1, board({0: 15}, HYPER))
    assert won(table) == [(W, Win.BACKGAMMON, 3, (3, 0))]


def test_the_next_game_of_three_men_a_side_begins_from_its_own_start():
    table = Table(LAWS["hypergammon"].start, laws=LAWS["hypergammon"])
    table.show(board(HYPER, HYPER))
    table.play(6, 1, board({22: 1, 17: 1, 23: 1, 0: 12}, HYPER))
    says(table, OfferedResignation(player=B, win=Win.SINGLE))
    says(table, AcceptedResignation(player=W))
    table.show(START)
    assert table.state.phase is RefereePhase.BETWEEN
    table.show(board(HYPER, HYPER))
    assert table.state.phase is RefereePhase.OPENING


# -- a wrong play


AFTER_64 = board({6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}, START_SIDE)
AS_65 = board({6: 5, 8: 4, 13: 4, 18: 1, 24: 1}, START_SIDE)
"""24/18 13/8: he took his quatre for a cinque."""
AS_21 = board({6: 5, 8: 3, 11: 1, 13: 4, 23: 1, 24: 1}, START_SIDE)
"""24/23 13/11: neither die is played."""
BLACK_31 = {5: 2, 6: 4, 8: 2, 13: 5, 24: 2}


def played_wrongly(laws, wrong=AS_21):
    table = Table(laws=LAWS[laws])
    table.show(START)
    table.play(6, 4, wrong)
    table.show(wrong)
    assert str(table.state.record[0].position) == wrong
    return table


def put_right(table):
    """White plays 24/18 13/9 after all, and Black throws and plays 31."""
    table.show(AFTER_64)
    after = board({6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}, BLACK_31)
    table.roll(1, 3)
    table.show(after)
    table.lift()
    table.show(after)
    return table


@pytest.mark.parametrize("wrong", [AS_65, AS_21], ids=["as 65", "as 21"])
@pytest.mark.parametrize("laws", [*OLD, "modern"])
def test_the_adversary_may_require_the_right_number_before_he_throws(laws, wrong):
    table = played_wrongly(laws, wrong)
    says(table, RequiredRightNumber(player=B))
    assert (table.plays, table.state.on_roll, table.state.rolls) == ([], W, (Dice(6, 4),))
    put_right(table)
    assert refusals(table) == []
    assert table.plays == ["white 64 24/18 13/9", "black 31 8/5 6/5"]
    assert all(turn.legal for turn in table.state.record)


def test_only_by_hoyles_laws_may_who_made_a_wrong_play_require_it_himself():
    whites_word = {laws: played_wrongly(laws) for laws in [*OLD, "modern"]}
    for table in whites_word.values():
        says(table, RequiredRightNumber(player=W))
    assert [laws for laws, table in whites_word.items() if not refusals(table)] == [
        "hoyle-1909",
        "britannica-1878",
    ]


@pytest.mark.parametrize("laws", [*OLD, "modern"])
def test_after_the_next_throw_nobody_alone_may_require_the_right_number(laws):
    table = played_wrongly(laws)
    table.roll(3, 1)
    says(table, RequiredRightNumber(player=B))
    assert refusals(table) == ["That cannot be: a throw has followed: the play stands."]
    assert not table.state.record[0].legal


def test_after_the_next_throw_both_may_agree_to_alter_a_play_and_that_is_thrown_again():
    table = played_wrongly("britannica-1878")
    table.roll(6, 6)
    says(table, AgreedToAlter())
    assert (table.plays, table.state.on_roll, table.state.rolls) == ([], W, (Dice(6, 4),))
    table.lift()
    assert table.plays == []
    put_right(table)
    assert table.plays == ["white 64 24/18 13/9", "black 31 8/5 6/5"]


@pytest.mark.parametrize("laws", ["cady-1895", "modern"])
def test_elsewhere_even_both_cannot_alter_a_play_after_the_next_throw(laws):
    table = played_wrongly(laws)
    table.roll(3, 1)
    says(table, AgreedToAlter())
    assert refusals(table) == ["That cannot be: the play stands."]


def test_a_legal_play_cannot_be_altered():
    table = Table()
    table.show(START)
    table.play(6, 4, AFTER_64)
    table.show(AFTER_64)
    says(table, RequiredRightNumber(player=B))
    assert refusals(table) == ["That cannot be: no wrong play can be altered now."]
    assert table.plays == ["white 64 24/18 13/9"]


def test_while_the_dice_lie_a_wrong_play_is_simply_played_otherwise():
    table = Table(laws=LAWS["cady-1895"])
    table.show(START)
    table.roll(6, 4)
    table.show(AS_21)
    says(table, RequiredRightNumber(player=B))
    assert refusals(table) == []
    table.show(AFTER_64)
    table.lift()
    assert table.plays == ["white 64 24/18 13/9"]


# -- a void throw


def test_a_throw_that_the_laws_make_void_is_thrown_again():
    table = Table()
    table.show(START)
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.roll(6, 6)
    says(table, NullThrow(player=B, fault=ThrowFault.OFF_BOARD))
    assert table.state.phase is RefereePhase.BEFORE_ROLL
    table.lift()
    table.show(AFTER_31)
    assert table.plays == ["white 31 8/5 6/5"]
    after = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})
    table.play(6, 4, after)
    table.show(after)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


@pytest.mark.parametrize("thrower", Player)
def test_a_void_opening_throw_is_thrown_again_by_both(thrower):
    table = Table()
    table.show(START)
    table.roll(6, 4)
    says(table, NullThrow(player=thrower, fault=ThrowFault.OFF_BOARD))
    assert table.state.phase is RefereePhase.OPENING
    table.lift()
    table.show(START)
    table.play(1, 3, board(START_SIDE, BLACK_31))
    assert table.plays == ["black 31 8/5 6/5"]


def test_where_the_laws_know_no_such_fault_the_throw_stands():
    table = Table(laws=LAWS["hoyle-1909"])
    table.show(START)
    table.roll(6, 4)
    says(table, NullThrow(player=W, fault=ThrowFault.TILTED))
    assert refusals(table) == ["That cannot be: a die is tilted: the throw stands."]
    assert table.state.phase is RefereePhase.ROLLED


# -- men borne while one was up


BEARING = {25: 1, 6: 2, 5: 2, 0: 10}
HELD = {**dict.fromkeys(range(2, 7), 2), 13: 5}
BORNE_WRONGLY = {25: 1, 6: 1, 5: 2, 0: 11}


def borne_with_a_man_up(laws):
    """White, a man up that a six cannot enter, bears one with it; Black throws and plays 13/7 13/8.

    A man that is gone may only be hidden: that it was borne people say.
    """
    table = Table(Position.parse(board(BEARING, HELD)), on_roll=W, laws=LAWS[laws])
    table.show(board(BEARING, HELD))
    table.play(6, 6, board(BORNE_WRONGLY, HELD))
    table.show(board(BORNE_WRONGLY, HELD))
    moved = {**HELD, 13: 3, 7: 1, 8: 1}
    table.play(6, 5, board(BORNE_WRONGLY, moved))
    table.show(board(BORNE_WRONGLY, moved))
    table.tell(TurnCorrected(t_ms=table.t_ms, index=0, position=Position.parse(board(BORNE_WRONGLY, HELD))))
    assert [turn.legal for turn in table.state.record] == [False, True]
    return table, moved


@pytest.mark.parametrize("laws", OLD)
def test_men_borne_while_one_was_up_are_put_up_again_at_peoples_word(laws):
    table, moved = borne_with_a_man_up(laws)
    says(table, PutBackUp(player=W, count=1))
    assert refusals(table) == []
    up = board({25: 2, 6: 1, 5: 2, 0: 10}, moved)
    table.show(up)
    entered = board({25: 1, 24: 1, 6: 1, 5: 2, 0: 10}, moved)
    table.play(1, 2, entered)
    table.show(entered)
    assert table.plays[2:] == ["white 21 bar/24"]
    assert table.state.record[2].legal
    assert table.state.actions[-3] == PutBackUp(player=W, count=1)


def test_by_the_modern_laws_they_are_not():
    table, _ = borne_with_a_man_up("modern")
    says(table, PutBackUp(player=W, count=1))
    assert refusals(table) == ["That cannot be: no law puts men up that were borne."]


# -- fourteen men


def with_fourteen(laws):
    """A white man is missing from 6, and White opens with 31: 8/5 6/5; Black answers 64: 24/18 13/9."""
    table = Table(laws=LAWS[laws])
    table.show(board({**START_SIDE, 6: 4}, START_SIDE))
    opened = {5: 2, 6: 3, 8: 2, 13: 5, 24: 2}
    table.play(3, 1, board(opened, START_SIDE))
    table.show(board(opened, START_SIDE))
    answered = {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}
    table.play(6, 4, board(opened, answered))
    table.show(board(opened, answered))
    table.play(6, 5, board({5: 2, 6: 3, 8: 2, 13: 6, 24: 1}, answered))
    table.show(board({5: 2, 6: 3, 8: 2, 13: 6, 24: 1}, answered))
    return table


@pytest.mark.parametrize("laws", OLD)
def test_who_has_thrown_without_all_his_men_plays_on_with_fourteen(laws):
    table = with_fourteen(laws)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9", "white 65 24/18 18/13"]
    assert all(turn.legal for turn in table.state.record)
    assert sum(table.state.record[-1].position.white) == 14
    assert table.offences == []


def test_a_void_opening_throw_without_all_men_is_thrown_again_by_both():
    lacking = {**START_SIDE, 6: 4}
    void = NullThrow(player=W, fault=ThrowFault.TILTED)
    table = Table(laws=LAWS["cady-1895"])
    table.show(board(lacking, START_SIDE))
    table.roll(6, 1)
    says(table, void)
    assert table.state.phase is RefereePhase.OPENING
    table.lift()
    table.show(board(lacking, START_SIDE))
    after = board(lacking, {6: 5, 8: 4, 11: 1, 13: 3, 24: 2})
    table.play(2, 5, after)
    table.show(after)
    assert table.plays == ["black 52 13/8 13/11"]
    assert sum(table.state.record[0].position.white) == 14
    assert table.state.declared == ((0, void),)
    assert table.state.game_by_rules.turn is W


def test_a_wrong_play_is_told_with_fourteen_men():
    table = with_fourteen("cady-1895")
    last = table.state.record[-1].position
    table.roll(2, 1)
    table.show(str(Position(last.white, (0, *last.black[1:6], 4, *last.black[7:9], 2, *last.black[10:]))))
    assert table.offences
    assert table.offences[-1].index == 3


def test_by_the_modern_laws_the_missing_man_belongs_on_the_board():
    table = with_fourteen("modern")
    assert [sum(turn.position.white) for turn in table.state.record] == [15, 15, 15]


def test_a_winner_of_fourteen_men_wins_a_gammon_of_a_loser_who_bore_none():
    table = Table(laws=LAWS["cady-1895"])
    ending = Position.parse(board({1: 1, 0: 13}, {6: 14, 12: 1}))
    table.tell(GameStarted(t_ms=0, position=ending, on_roll=W))
    table.show(str(ending))
    table.play(6, 1, board({0: 14}, {6: 14, 12: 1}))
    assert won(table) == [(W, Win.GAMMON, 2, (2, 0))]
