"""Simulated games are games: lawful where they say so, no checker made or lost, and the same every time."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from controller.referee import BoardSeen
from controller.referee.events import MAX_COUNT
from controller.referee.inference.board_memory import columns
from controller.rules import N_CHECKERS, Player, Position, legal_plays
from hardware.dice_events import DiceMoving, DiceSettled, SensorLost
from tests.benchmarks import simulated_reader
from tests.benchmarks.referee import CONDITIONS, Condition, aligned, judge
from tests.benchmarks.simulated_games import simulate, simulated_events
from tests.benchmarks.simulated_reader import (
    AS_MEASURED,
    FLAWLESS,
    FULL_ROW,
    SURE_NATS,
    Piles,
    Reader,
    Scene,
    measured_piles,
)
from tests.benchmarks.table_faults import NO_FAULTS, TableFaults

HARD = TableFaults(illegal=0.2, knocked=0.2, misread_roll=0.1, missed_roll=0.1, half_heard=0.1, unwatched=0.1)
"""A table at which something goes wrong in most half-turns."""

NOTHING_WRONG = CONDITIONS[0]


def starts(game):
    """The board from which each half-turn was played."""
    return [Position.START, *(turn.position for turn in game.turns[:-1])]


@pytest.mark.parametrize("seed", range(4))
def test_the_same_seed_gives_the_same_game(seed):
    assert simulate(seed, HARD) == simulate(seed, HARD)
    assert simulated_events(seed, HARD) == simulated_events(seed, HARD)


def test_another_seed_gives_another_game():
    assert simulate(0).turns != simulate(3).turns


@pytest.mark.parametrize("seed", range(6))
def test_every_play_is_lawful_exactly_where_it_is_said_to_be(seed):
    game = simulate(seed, HARD)
    for before, turn in zip(starts(game), game.turns, strict=True):
        plays = legal_plays(before, turn.player, turn.dice)
        assert (turn.position in plays) == turn.legal
        assert turn.shown_first is None or turn.shown_first not in plays
        assert bool(turn.offences) == (not turn.legal or turn.shown_first is not None)


@pytest.mark.parametrize("seed", range(6))
def test_no_checker_is_made_or_lost_and_players_alternate(seed):
    turns = simulate(seed, HARD).turns
    for turn in turns:
        assert sum(turn.position.white) == sum(turn.position.black) == N_CHECKERS
        assert turn.position.problems() == ()
    assert all(one.player is other.player.opponent for one, other in pairwise(turns))


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_played_to_its_end(seed):
    turns = simulate(seed, NO_FAULTS).turns
    assert turns[-1].position.winner is turns[-1].player


def test_the_higher_die_of_the_opening_roll_begins():
    for seed in range(6):
        game = simulate(seed, NO_FAULTS)
        faces = [event.face for event in game.sensor if isinstance(event, DiceSettled)]
        white, black = next(pair for pair in zip(faces[::2], faces[1::2], strict=True) if pair[0] != pair[1])
        assert game.turns[0].player is (Player.WHITE if white > black else Player.BLACK)


def test_events_come_in_order_of_time():
    times_ms = [event.t_ms for event in simulated_events(2, HARD)]
    assert times_ms == sorted(times_ms)


def test_a_flawless_reader_says_what_lies_there_when_each_play_is_complete():
    game = simulate(0, NO_FAULTS)
    read = game.events(Reader.of_game(0, FLAWLESS))
    pictures = [event for event in read if isinstance(event, BoardSeen)]
    for turn in game.turns:
        last = [picture for picture in pictures if picture.t_ms <= turn.t_ms + 250][-1]
        read = tuple(row.index(max(row)) for row in last.rows)
        points = columns(turn.position)
        assert not last.hand
        assert read == points


def test_a_reader_errs_about_as_often_as_it_is_told_to():
    reader = AS_MEASURED.worse(10)
    wrong = places = 0
    for seed in range(3):
        right = simulated_events(seed, NO_FAULTS, FLAWLESS)
        read = simulated_events(seed, NO_FAULTS, reader)
        for truth, told in zip(right, read, strict=True):
            if not isinstance(truth, BoardSeen) or truth.hand:
                continue
            for row, other in zip(truth.rows[:24], told.rows[:24], strict=True):
                column = row.index(0.0)
                if abs(column - MAX_COUNT) < FULL_ROW:
                    places += 1
                    wrong += other.index(max(other)) != column
    assert 0.002 < wrong / places < 0.008


def seen_at_first_sight(position):
    """What each of a hundred readers says of `position`."""
    scene = Scene(t_ms=0, board=position)
    return [Reader(AS_MEASURED, Random(seed), Random(seed)).read(scene, 250) for seed in range(100)]


def test_how_many_lie_on_a_second_layer_is_told_as_often_as_was_measured():
    at_home = (*Position.START.black[:24], 0, 0)
    eight = Position((0, 8, *Position.START.white[2:6], 0, *Position.START.white[7:]), at_home)
    likeliest = Counter(
        seen.rows[0].index(max(seen.rows[0])) - MAX_COUNT for seen in seen_at_first_sight(eight)
    )
    miscounted = measured_piles(AS_MEASURED.piles, known=False).miscounted[8 - FULL_ROW]
    assert likeliest[8] / 100 == pytest.approx(1 - miscounted, abs=0.12)


def test_a_stack_left_alone_mostly_reads_as_before_and_one_that_changes_seldom_does():
    one = Position((0, 8, *Position.START.white[2:6], 0, *Position.START.white[7:]), Position.START.black)
    more = Position((0, 9, *one.white[2:8], 2, *one.white[9:]), one.black)
    same = changed = 0
    for seed in range(100):
        reader = Reader(AS_MEASURED, Random(seed), Random(seed))
        before = reader.read(Scene(t_ms=0, board=one), 250).rows
        after = reader.read(Scene(t_ms=300, board=more), 500).rows
        same += before[12] == after[12]
        changed += before[0] != after[0]
    assert same > 85
    rarest, commonest = sorted(measured_piles(AS_MEASURED.piles, known=False).alike)
    assert 1 - commonest - 0.1 < changed / 100 < 1 - rarest


@pytest.mark.parametrize(("known", "told"), [(None, 9), (6, 9), (7, 8)])
def test_a_stack_is_counted_from_its_number_before_where_that_is_known(monkeypatch, known, told):
    """Seven become eight. The reader is right only if it knew the seven."""
    row = {n: [SURE_NATS] * (n - FULL_ROW) + [0.0] + [SURE_NATS] * (MAX_COUNT - n) for n in (7, 8, 9)}
    said = [(7, True, row[7]), (8, True, row[8]), (8, False, row[9])]
    right = Piles(miscounted=[0.0], recounted=[1.0], alike=[0.0, 0.0], said=said)
    wrong = Piles(miscounted=[0.0, 0.0, 0.0, 1.0], recounted=[0.0], alike=[0.0, 0.0], said=said)
    monkeypatch.setattr(simulated_reader, "measured_piles", lambda _, *, known: right if known else wrong)

    def on_the_ace_point(count):
        return Position((0, count, *[0] * 23, 15 - count), (0, 15, *[0] * 24))

    reader = Reader(AS_MEASURED, Random(1), Random(1))
    reader.read(Scene(t_ms=0, board=on_the_ace_point(7)), 250)
    if known:
        reader.know(on_the_ace_point(known))
    seen = reader.read(Scene(t_ms=300, board=on_the_ace_point(8)), 500).rows[0]
    assert seen.index(max(seen)) - MAX_COUNT == told


def test_that_both_colours_lie_on_a_point_is_seen_mostly_and_nowhere_else():
    both = Position((0, 1, *Position.START.white[2:24], 1, 0), Position.START.black)
    seen = Counter(reading.mixed for reading in seen_at_first_sight(both))
    assert set(seen) == {frozenset({0}), frozenset()}
    assert 70 < seen[frozenset({0})] < 96


def test_a_lost_half_turn_spoils_no_other():
    turns = simulate(0, NO_FAULTS).turns
    record = judge(0, NOTHING_WRONG).record
    assert aligned(turns, record[:5] + record[6:]) == (*range(5), None, *range(5, len(turns) - 1))


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_a_game_in_which_nothing_goes_wrong_is_recorded_play_by_play(seed):
    judged = judge(seed, NOTHING_WRONG)
    told = [(turn.player, turn.dice, turn.position, turn.legal) for turn in judged.record]
    assert told == [(turn.player, turn.dice, turn.position, True) for turn in judged.game.turns]
    assert judged.false_alarms == ()


@pytest.mark.parametrize("seed", [0, 2])
def test_a_sensor_that_is_unplugged_for_a_while_changes_no_board_in_the_record(seed):
    judged = judge(seed, Condition(name="unplugged", table=NO_FAULTS, reader=FLAWLESS, unplugged=True))
    assert any(isinstance(event, SensorLost) for event in judged.game.sensor)
    assert judged.n_right_in_place == len(judged.game.turns) == len(judged.record)


@pytest.mark.parametrize("seed", [0, 2])
def test_dice_that_are_read_late_change_no_board_in_the_record(seed):
    judged = judge(seed, Condition(name="read late", table=NO_FAULTS, reader=FLAWLESS, read_late=True))
    of_dice = [[one for one in judged.game.sensor if getattr(one, "die", 0) == die] for die in (1, 2)]
    assert any(
        isinstance(before, DiceMoving) and before.odds and isinstance(after, DiceSettled)
        for of_die in of_dice
        for before, after in pairwise(of_die)
    )
    assert judged.n_right_in_place == len(judged.game.turns) == len(judged.record)
    assert judged.false_alarms == ()


@pytest.mark.parametrize("seed", [1005014, 1005048])
def test_dice_that_were_never_read_are_thrown_again_after_their_play(seed):
    """The next player throws before they are taken up; the play is not told as one of the turn before."""
    judged = judge(seed, next(one for one in CONDITIONS if one.read_late))
    assert judged.n_right == len(judged.game.turns) == len(judged.record)


def test_a_misreading_here_and_there_changes_nothing_in_the_record():
    judged = judge(0, Condition(name="misread", table=NO_FAULTS))
    assert judged.n_right_in_place == len(judged.game.turns) == len(judged.record)
