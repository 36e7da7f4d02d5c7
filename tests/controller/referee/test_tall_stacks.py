"""Plays that look alike because nobody can count a tall stack."""

from dataclasses import replace

import pytest

from controller.referee import GameWon
from controller.referee.inference.histories import likeliest_history
from controller.rules import Player, Position
from tests.controller.referee.table import SURE, Table, board, seen

BLACK = {6: 10, 8: 5}
ACE_POINT = frozenset({0})


def table_with(white: dict[int, int]) -> Table:
    table = Table(Position.parse(board(white, BLACK)), on_roll=Player.WHITE)
    table.show(board(white, BLACK), blurred=ACE_POINT)
    return table


def test_half_a_play_is_found_as_soon_as_the_stack_it_left_can_be_counted():
    table = table_with({0: 10, 1: 4, 2: 1})
    table.roll(3, 2)
    table.show(board({0: 11, 1: 4}, BLACK), blurred=ACE_POINT)
    table.lift()
    assert table.plays == ["white 32 2/off 1/off"]
    after_black = {6: 9, 8: 5, 1: 1}
    table.roll(4, 1)
    table.show(board({0: 11, 1: 4}, after_black), blurred=ACE_POINT)
    table.lift()
    table.roll(6, 5)
    table.show(board({0: 13, 1: 2}, after_black))
    table.lift()
    table.show(board({0: 13, 1: 2}, after_black))
    assert [turn.play for turn in table.state.record] == ["2/off", "6/2 2/1", "1/off(2)"]
    assert [turn.legal for turn in table.state.record] == [False, True, True]


@pytest.mark.parametrize(
    ("hand_over", "looks_like", "play"),
    [
        (({2, 3, 4}, {0, 1}, {1, 2, 3}), 7, "4/1 3/off"),
        (({2, 3, 4}, {24, 25}, {1, 2, 3}), 6, "4/off 3/off"),
    ],
)
def test_where_the_hand_was_tells_plays_apart_that_look_alike(
    hand_over: tuple[set[int], ...], looks_like: int, play: str
):
    before = board({0: 1, 1: 6, 2: 2, 3: 5, 4: 1}, BLACK)
    table = table_with({0: 1, 1: 6, 2: 2, 3: 5, 4: 1})
    table.roll(5, 3)
    table.show(before, blurred=ACE_POINT)
    for places in hand_over:
        table.show(before, for_ms=250, hand=True, hidden=frozenset(places), blurred=ACE_POINT)
    after = {0: 9 - looks_like, 1: looks_like, 2: 2, 3: 4}
    table.show(board(after, BLACK), blurred=ACE_POINT)
    table.lift()
    assert table.plays == [f"white 53 {play}"]


def tall(table: Table, place: int, lying: str, doubt: float = 0.3) -> None:
    """The camera sees `lying`, where on one of White's points five checkers lie, or more.

    doubt: by how many nats each checker more is less likely; likelier below 0.
    """
    for wait_ms in (250, 1000):
        table.t_ms += wait_ms
        sight = seen(Position.parse(lying), table.t_ms)
        rows = list(sight.rows)
        rows[place - 1] = tuple(-doubt * (n - 5) if n >= 5 else SURE for n in range(-15, 16))
        table.tell(replace(sight, rows=tuple(rows)))


def test_a_roll_that_nobody_heard_may_have_been_played_from_a_stack_that_nobody_can_count():
    table = Table(Position.parse(board({0: 4, 2: 11}, BLACK)), on_roll=Player.WHITE)
    tall(table, 2, board({0: 4, 2: 11}, BLACK))
    tall(table, 2, board({0: 6, 2: 9}, BLACK), doubt=0.6)
    table.roll(4, 1)
    tall(table, 2, board({0: 6, 2: 9}, BLACK), doubt=0.6)
    tall(table, 2, board({0: 6, 2: 9}, {6: 9, 8: 5, 1: 1}), doubt=0.6)
    table.lift()
    assert [(turn.player, turn.legal) for turn in table.state.record] == [
        (Player.WHITE, True),
        (Player.BLACK, True),
    ]


def test_of_bear_offs_that_look_alike_the_one_of_more_checkers_is_recorded():
    before = {0: 2, 1: 9, 3: 1, 4: 2, 5: 1}
    table = Table(Position.parse(board(before, BLACK)), on_roll=Player.WHITE)
    tall(table, 1, board(before, BLACK))
    table.roll(6, 1)
    tall(table, 1, board({0: 4, 1: 8, 3: 1, 4: 2}, BLACK), doubt=0.5)
    table.lift()
    tall(table, 1, board({0: 4, 1: 8, 3: 1, 4: 2}, BLACK), doubt=0.5)
    assert table.plays == ["white 61 5/off 1/off"]


@pytest.mark.parametrize(("doubt", "play"), [(0.3, "4/off 3/off"), (-0.3, "4/1 3/off")])
def test_a_stack_that_looks_exactly_as_before_was_left_alone_and_one_that_looks_taller_was_not(
    doubt: float, play: str
):
    before = {0: 1, 1: 6, 2: 2, 3: 5, 4: 1}
    table = Table(Position.parse(board(before, BLACK)), on_roll=Player.WHITE)
    tall(table, 1, board(before, BLACK))
    table.roll(5, 3)
    for _ in range(3):
        tall(table, 1, board({0: 2, 1: 7, 2: 2, 3: 4}, BLACK), doubt)
    table.lift()
    assert table.plays == [f"white 53 {play}"]


@pytest.mark.parametrize(
    ("left", "bears_all"), [({0: 7, 1: 3, 2: 4, 6: 1}, True), ({0: 6, 1: 5, 2: 3, 6: 1}, False)]
)
def test_how_a_player_bears_off_is_learnt_from_his_plays(left: dict[int, int], bears_all: bool):
    before = {0: 5, 1: 4, 2: 4, 6: 2}
    table = Table(Position.parse(board(before, BLACK)), on_roll=Player.WHITE)
    table.show(board(before, BLACK))
    table.play(6, 1, board(left, BLACK))
    table.show(board(left, BLACK))
    odds = likeliest_history(table.state.histories).bearing_log_odds
    assert (odds[Player.WHITE] > 0, odds[Player.WHITE] < 0) == (bears_all, not bears_all)
    assert Player.BLACK not in odds


def test_a_checker_left_on_a_stack_that_became_tall_is_a_wrong_play():
    before = board({1: 2, 2: 4, 3: 4, 4: 2, 5: 2, 7: 1}, BLACK)
    wrong = board({0: 1, 1: 3, 2: 5, 3: 2, 4: 2, 5: 2}, BLACK)
    table = Table(Position.parse(before), on_roll=Player.WHITE)
    table.show(before)
    table.roll(3, 3)
    tall(table, 2, wrong)
    table.lift()
    tall(table, 2, wrong)
    (turn,) = table.state.record
    assert (turn.legal, str(turn.position)) == (False, wrong)


def test_a_place_misread_beside_a_tall_stack_is_no_offence():
    white = {3: 2, 5: 2, 6: 5, 8: 2, 14: 1}
    before = board({**white, 11: 1, 16: 1, 22: 1}, BLACK)
    seen_so = board({**white, 0: 1, 16: 1}, BLACK)
    table = Table(Position.parse(before), on_roll=Player.WHITE)
    tall(table, 6, before)
    table.roll(6, 5)
    for _ in range(3):
        tall(table, 6, seen_so)
    assert table.offences == []


def test_who_forgot_a_checker_is_told_apart_from_who_had_one_more_before():
    table = table_with({0: 9, 1: 6})
    table.roll(5, 1)
    table.show(board({0: 10, 1: 5}, BLACK), blurred=ACE_POINT)
    table.lift()
    table.roll(6, 3)
    after_black = {6: 10, 8: 3, 5: 1, 2: 1}
    table.show(board({0: 10, 1: 5}, after_black))
    table.lift()
    table.show(board({0: 10, 1: 5}, after_black))
    assert [turn.play for turn in table.state.record] == ["1/off", "8/2 8/5"]


def test_nobody_has_won_while_his_last_checker_is_seen_to_lie_there():
    table = Table(Position.parse(board({0: 13, 1: 2}, BLACK)), on_roll=Player.WHITE)
    table.show(board({0: 13, 1: 2}, BLACK))
    table.roll(2, 1)
    table.show(board({0: 14, 1: 1}, BLACK))
    table.lift()
    table.show(board({0: 14, 1: 1}, BLACK))
    assert not [effect for effect in table.effects if isinstance(effect, GameWon)]
    assert [turn.legal for turn in table.state.record] == [False]


def test_nobody_has_won_by_a_play_whose_end_was_not_seen():
    table = Table(Position.parse(board({0: 13, 1: 1, 2: 1}, BLACK)), on_roll=Player.WHITE)
    table.show(board({0: 13, 1: 1, 2: 1}, BLACK))
    table.roll(6, 1)
    table.show(board({0: 14, 2: 1}, BLACK))
    table.t_ms += 5000
    table.lift()
    table.show(board({0: 14, 1: 1}, BLACK))
    assert table.plays == ["white 61 2/1 1/off"]
    assert not [effect for effect in table.effects if isinstance(effect, GameWon)]


@pytest.mark.parametrize("seen_there", [10, 6])
def test_a_stack_counted_wrongly_is_no_offence(seen_there: int):
    lying = {10: 9, 6: 5}[seen_there]
    before = board({1: lying, 5: 2, 8: 15 - lying - 2}, BLACK)
    table = Table(Position.parse(before), on_roll=Player.WHITE)
    table.show(before)
    table.roll(2, 1)
    table.show(board({1: seen_there, 4: 1, 3: 1, 8: 15 - lying - 2}, BLACK))
    assert table.offences == []


def test_a_game_that_is_played_on_is_not_won():
    """White has two men left and bears off one of them with 6-3. Nobody can tell, until Black plays."""
    table = table_with({0: 13, 1: 2})
    table.roll(6, 3)
    table.show(board({0: 14, 1: 1}, BLACK), blurred=ACE_POINT)
    table.lift()
    after_black = board({0: 14, 1: 1}, {6: 9, 8: 5, 1: 1})
    table.roll(4, 1)
    table.show(after_black, blurred=ACE_POINT)
    table.lift()
    table.show(after_black, blurred=ACE_POINT)
    assert [(turn.play, turn.legal) for turn in table.state.record] == [("1/off", False), ("6/2 2/1", True)]
    assert not any(isinstance(effect, GameWon) for effect in table.effects)
