"""What the referee makes of a game whose dice nobody hears: turns are inferred from the board alone."""

import numpy as np

from controller.referee import BoardSeen, GameStarted, InputEnded, OffenceEnded
from controller.referee.state import RefereePhase
from controller.rules import OffenceKind, Player, Position
from hardware.dice_events import DiceMoving, DiceSettled, SensorFound, SensorLost
from tests.controller.referee.table import Table, board, seen

START_SIDE = {6: 5, 8: 3, 13: 5, 24: 2}
START = str(Position.START)
HALF_31 = board({5: 1, 6: 5, 8: 2, 13: 5, 24: 2}, START_SIDE)
AFTER_31 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)
AFTER_31_64 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})


def unheard_table(position: Position = Position.START, on_roll: Player | None = None) -> Table:
    table = Table(position, on_roll)
    table.tell(SensorLost(t_ms=0, reason="unplugged"))
    return table


def test_a_play_seen_half_made_is_one_play():
    table = unheard_table()
    for shown in (START, HALF_31, AFTER_31, AFTER_31_64):
        table.show(shown)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert all(turn.dice_inferred for turn in table.state.record)


def show_in_doubt(table: Table, shown: str, before: str, doubt_nats: float) -> None:
    """Two pictures of `shown`. The content of `before` is that much less likely on each place."""
    for wait_ms in (250, 1000):
        table.t_ms += wait_ms
        now, then = (seen(Position.parse(one), table.t_ms).rows for one in (shown, before))
        rows = tuple(np.maximum(a, np.subtract(b, doubt_nats)) for a, b in zip(now, then, strict=True))
        table.tell(BoardSeen(t_ms=table.t_ms, rows=rows))


def test_a_play_that_is_seen_in_doubt_counts():
    table = unheard_table()
    for _ in range(2):
        table.show(START)
    show_in_doubt(table, AFTER_31, START, 2.5)
    assert str(table.state.likeliest.expected_board) == AFTER_31


def test_a_play_taken_back_is_no_play():
    table = unheard_table()
    for shown in (START, HALF_31, START, AFTER_31, AFTER_31_64):
        table.show(shown)
    assert table.plays == ["white 31 8/5 6/5"]


def test_two_half_turns_between_two_boards_are_both_found():
    table = unheard_table()
    for shown in (START, AFTER_31_64):
        table.show(shown)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert [str(turn.position) for turn in table.state.record] == [AFTER_31, AFTER_31_64]


def test_a_player_who_cannot_enter_is_passed_over():
    closed = {**dict.fromkeys(range(1, 7), 2), 8: 3}
    waiting = {6: 5, 8: 3, 13: 6, 25: 1}
    boards = [
        board(waiting, closed | moved)
        for moved in ({}, {8: 2, 3: 3}, {8: 1, 3: 3, 2: 3})  # 8/3, then 8/2
    ]
    table = unheard_table(Position.parse(boards[0]), Player.BLACK)
    for shown in boards:
        table.show(shown)
    table.tell(InputEnded(t_ms=table.t_ms))
    last = table.state.record[-1]
    assert (last.player, str(last.position)) == (Player.BLACK, boards[-1])


def test_nothing_is_inferred_before_the_board_was_furnished():
    table = unheard_table(Position.parse(AFTER_31_64), Player.WHITE)
    table.show(START)
    table.show(AFTER_31_64)
    assert (table.state.record, table.state.phase) == ((), RefereePhase.BEFORE_ROLL)


def test_bearing_off_the_last_checker_ends_the_game():
    table = unheard_table(Position.parse(board({0: 14, 1: 1}, {6: 10, 8: 5})), Player.WHITE)
    table.show(board({0: 14, 1: 1}, {6: 10, 8: 5}))
    table.show(board({0: 15}, {6: 10, 8: 5}))
    assert table.state.outcome is not None
    table.tell(GameStarted(t_ms=table.t_ms))
    assert table.state.phase is RefereePhase.OPENING


ON_BAR = {6: 5, 8: 3, 13: 5, 24: 1, 25: 1}
NOT_ENTERED = board({**ON_BAR, 8: 2, 6: 4, 5: 1, 4: 1}, START_SIDE)  # 8/5 6/4


def table_with_white_on_the_bar() -> Table:
    table = unheard_table(Position.parse(board(ON_BAR, START_SIDE)), Player.WHITE)
    table.show(board(ON_BAR, START_SIDE))
    return table


def test_what_no_roll_allows_is_shown_until_it_is_put_right():
    table = table_with_white_on_the_bar()
    table.show(NOT_ENTERED)
    (shown,) = table.offences
    assert (shown.player, shown.index) == (Player.WHITE, 0)
    assert {offence.kind for offence in shown.offences} == {OffenceKind.MOVED_WITH_CHECKER_ON_BAR}
    table.show(board({**ON_BAR, 25: 0, 22: 1}, START_SIDE))
    (ended,) = (effect for effect in table.effects if isinstance(effect, OffenceEnded))
    assert not ended.stands
    assert table.state.offence is None


def test_what_no_roll_allows_stands_when_the_opponent_plays_on():
    table = table_with_white_on_the_bar()
    table.show(NOT_ENTERED)
    table.show(board({**ON_BAR, 8: 2, 6: 4, 5: 1, 4: 1}, {**START_SIDE, 24: 1, 18: 1, 13: 4, 9: 1}))
    (ended,) = (effect for effect in table.effects if isinstance(effect, OffenceEnded))
    assert ended.stands
    assert [turn.legal for turn in table.state.record] == [False]


def test_what_some_roll_allows_is_not_shown():
    table = unheard_table()
    for shown in (START, HALF_31, AFTER_31):
        table.show(shown)
    assert not table.offences


def table_with_sensor_lost_after_31() -> Table:
    table = Table(Position.START, Player.WHITE)
    table.show(START)
    table.roll(3, 1)
    table.tell(SensorLost(t_ms=table.t_ms, reason="unplugged"))
    table.show(START)
    return table


def test_a_game_goes_on_when_the_sensor_is_lost_while_a_roll_is_played():
    table = table_with_sensor_lost_after_31()
    table.show(HALF_31)
    assert table.state.phase is RefereePhase.ROLLED
    for shown in (AFTER_31, AFTER_31_64):
        table.show(shown)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert [turn.dice_inferred for turn in table.state.record] == [False, True]


def test_an_illegal_play_of_a_roll_is_shown_though_the_sensor_is_lost():
    wrong_distance = board({4: 1, 5: 1, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)  # 8/5 6/4
    table = table_with_sensor_lost_after_31()
    table.show(wrong_distance)
    (shown,) = table.offences
    assert {offence.kind for offence in shown.offences} == {OffenceKind.WRONG_DISTANCE}


def test_a_sensor_that_is_back_before_the_play_ends_the_turn_as_ever():
    table = table_with_sensor_lost_after_31()
    table.tell(SensorFound(t_ms=table.t_ms))
    table.show(AFTER_31)
    assert table.state.phase is RefereePhase.ROLLED
    table.lift()
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_the_dice_sensor_may_come_back_in_the_middle_of_a_game():
    table = unheard_table()
    for shown in (START, AFTER_31):
        table.show(shown)
    table.tell(SensorFound(t_ms=table.t_ms))
    table.show(AFTER_31)
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def unsure(*faces: int) -> tuple[float, ...]:
    """The odds of a die that shows one of these faces, each as likely."""
    return tuple(0.97 / len(faces) if face in faces else 0.03 / (7 - len(faces)) for face in range(1, 8))


def throw_in_pictures(table: Table, surely: int, *rather: int) -> None:
    """Pictures show two dice that lie still: one surely, of the other several faces are as likely."""
    table.t_ms += 800
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=surely, odds=unsure(surely), thrower_known=False))
    table.tell(DiceMoving(t_ms=table.t_ms, die=2, odds=unsure(*rather)))


def test_an_opening_throw_of_which_pictures_show_one_die_surely_is_played():
    """Five of six men on Black's six-point are seen: without the throw, nobody would have played."""
    seen_short = board(START_SIDE, {6: 5, 8: 3, 13: 4, 24: 2})
    table = unheard_table()
    table.show(START)
    throw_in_pictures(table, 4, 3, 6)
    table.show(seen_short, blurred=frozenset({18}))
    table.lift()
    throw_in_pictures(table, 6, 2, 5)
    table.show(board({**START_SIDE, 24: 1, 16: 1}, {6: 6, 8: 3, 13: 4, 24: 2}), blurred=frozenset({18}))
    table.lift()
    table.show(board({**START_SIDE, 24: 1, 16: 1}, {6: 6, 8: 3, 13: 4, 24: 2}))
    assert table.plays == ["black 43 13/9 9/6", "white 62 24/18 18/16"]


def test_a_tie_of_which_one_die_is_not_sure_is_no_opening():
    table = unheard_table()
    table.show(START)
    throw_in_pictures(table, 4, 4)
    table.show(START)
    table.lift()
    table.show(START)
    assert table.plays == []


def test_one_die_in_pictures_shows_no_throw():
    table = unheard_table()
    table.show(START)
    table.tell(DiceMoving(t_ms=table.t_ms, die=1, odds=unsure(2, 5)))
    table.show(AFTER_31)
    table.show(AFTER_31_64)
    assert not table.state.sensor
    assert table.plays == ["white 31 8/5 6/5"], "Black's may go on"


def test_two_dice_of_which_pictures_are_sure_of_neither_show_no_throw():
    table = unheard_table()
    table.show(START)
    for die in (1, 2):
        table.tell(DiceMoving(t_ms=table.t_ms, die=die, odds=unsure(2, 5)))
    assert not table.state.sensor


def test_a_die_that_lay_there_when_the_sensor_was_lost_is_none_of_the_next_throw():
    table = Table()
    table.show(START)
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=3))
    table.tell(SensorLost(t_ms=table.t_ms, reason="unplugged"))
    table.tell(SensorFound(t_ms=table.t_ms))
    table.tell(DiceSettled(t_ms=table.t_ms, die=2, face=1))
    assert table.state.rolls == ()
