"""How much of a game the referee gets right at a table where everything sometimes goes wrong.

`python -m tests.benchmarks.referee --games 1000` plays that many simulated games under each condition; see
tests.benchmarks.table_faults for what goes wrong in them.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import median

import numpy as np

from controller.referee import BoardSeen, Effect, Event, HalfTurn, OffenceShown, RefereeState, step
from controller.referee.events import N_ROWS
from controller.referee.inference.histories import History, likeliest_history
from controller.rules import BAR, ENTERING_LAWS, EnteringLaws, Player, Position
from tests.benchmarks.sensor_troubles import with_dice_read_late, with_sensor_unplugged
from tests.benchmarks.simulated_games import (
    SimulatedGame,
    TrueTurn,
    Wrong,
    simulate,
)
from tests.benchmarks.simulated_reader import (
    AS_MEASURED,
    FLAWLESS,
    ON_UNSEEN_BOARDS,
    Reader,
    ReaderFaults,
    contents,
)
from tests.benchmarks.table_faults import NO_FAULTS, USUAL_FAULTS, TableFaults
from tests.controller.referee.table import EnteringTable
from tests.controller.rules.entering.entering_games import a_game

A_FEW = (0, 2)
"""The games that are played by default: short ones, of two sensible players, and of a sensible and a random
one. They show in two minutes that nothing is broken; percentages need a hundred."""

LATE_MS = 1000
"""Time after the board was put right in which a warning is still deserved: the camera sees it later."""

STUCK_CONTENTS = tuple(range(-3, 4))
"""Contents that a stuck point may be read as; see BoardSeen."""

CERTAIN = 0.99
"""Least probability of a half-turn that is called certain; fewer than one in a hundred may then be wrong."""

LOST_TURNS = 3
"""A game is lost if its last half-turns, this many, are all wrong."""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """The conditions of the games of one line of the table.

    sensor: there is a dice sensor. dice_in_sight: pictures show the dice; without either, dice are inferred.
    stuck: in each game one place, in turn, is misread from beginning to end. unplugged: once in a game the
    sensor is lost, and comes back. read_late: some faces are reported late or never.
    """

    name: str
    table: TableFaults = USUAL_FAULTS
    reader: ReaderFaults = AS_MEASURED
    sensor: bool = True
    dice_in_sight: bool = True
    stuck: bool = False
    unplugged: bool = False
    read_late: bool = False

    def reader_faults(self, seed: int) -> ReaderFaults:
        """How the reader errs in game `seed`."""
        return replace(self.reader, stuck=stuck_place(seed)) if self.stuck else self.reader


def stuck_place(seed: int) -> tuple[int, int]:
    """The row of a reading that is misread all through game `seed`, and the content that is read there."""
    row = seed % N_ROWS
    if row >= BAR - 1:
        return row, 1
    wrong = [n for n in STUCK_CONTENTS if n != contents(Position.START)[row]]
    return row, Random(f"{seed} stuck").choice(wrong)


CONDITIONS = (
    Condition(name="nothing goes wrong", table=NO_FAULTS, reader=FLAWLESS),
    Condition(name="usual faults"),
    Condition(name="usual, dice out of sight", dice_in_sight=False),
    Condition(name="usual, bridging piles", reader=replace(AS_MEASURED, piles="bridging")),
    Condition(name="usual, boards never seen", reader=ON_UNSEEN_BOARDS),
    Condition(name="usual, misreading x3", reader=AS_MEASURED.worse(3)),
    Condition(name="usual, misreading x10", reader=AS_MEASURED.worse(10)),
    Condition(
        name="no dice, nothing goes wrong",
        table=NO_FAULTS,
        reader=FLAWLESS,
        sensor=False,
        dice_in_sight=False,
    ),
    Condition(name="no dice, usual faults", sensor=False, dice_in_sight=False),
    Condition(name="a place told wrongly", stuck=True),
    Condition(name="usual, tray unplugged", unplugged=True),
    Condition(name="usual, dice read late", read_late=True),
)


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One game: what the referee made of it, and what happened.

    matched: for each true half-turn the index of the recorded one that matches it, None for none.
    false_alarms, missed: offences shown where there was none, and illegal boards of which nothing was said
        though pictures show them.
    """

    seed: int
    game: SimulatedGame
    record: tuple[HalfTurn, ...]
    effects: tuple[Effect, ...]
    matched: tuple[int | None, ...]
    false_alarms: tuple[OffenceShown, ...]
    missed: tuple[Wrong, ...]
    step_ms: tuple[float, ...]
    certain: tuple[HalfTurn, ...]
    """The half-turns that were certain when the next one was recorded, or when they were corrected."""

    @property
    def n_certain_and_wrong(self) -> int:
        """Certain half-turns that nobody played."""
        played = {(turn.player, turn.position) for turn in self.game.turns}
        return sum((turn.player, turn.position) not in played for turn in self.certain)

    @property
    def n_right(self) -> int:
        """Recorded half-turns with the right player and board, in the right order, in any place."""
        return sum(index is not None for index in self.matched)

    @property
    def n_right_in_place(self) -> int:
        """Those of them that also have the right number in the record."""
        return sum(index == place for place, index in enumerate(self.matched))

    @property
    def n_extra(self) -> int:
        """Half-turns in the record that nobody played."""
        return len(self.record) - self.n_right

    @property
    def n_sure_of_wrong_dice(self) -> int:
        """Recorded half-turns with other dice than were thrown, not marked as inferred."""
        pairs = zip(self.game.turns, self.matched, strict=True)
        return sum(
            index is not None
            and self.record[index].dice != turn.dice
            and not self.record[index].dice_inferred
            for turn, index in pairs
        )

    @property
    def lost(self) -> bool:
        return all(index is None for index in self.matched[-LOST_TURNS:])

    @property
    def n_misheard_alarms(self) -> int:
        """False alarms in or just after a half-turn of which a die was reported with another face."""
        return sum("misread_roll" in self._faults_at(shown.t_ms) for shown in self.false_alarms)

    def _faults_at(self, t_ms: int) -> frozenset[str]:
        """What went wrong in the half-turn being played at that time, and in the one before."""
        turns = self.game.turns
        now = next((i for i, turn in enumerate(turns) if turn.t_ms >= t_ms), len(turns) - 1)
        return frozenset().union(*(turn.faults for turn in turns[max(0, now - 1) : now + 1]))

    @property
    def n_questions(self) -> int:
        return sum(type(effect).__name__ == "Question" for effect in self.effects)


def judge(seed: int, condition: Condition) -> Judged:
    """Give game `seed` to the referee and compare its record with the truth."""
    game = simulate(seed, condition.table, sensor=condition.sensor)
    if condition.unplugged:
        game = with_sensor_unplugged(game, seed)
    if condition.read_late:
        game = with_dice_read_late(game, seed)
    reader = Reader.of_game(seed, condition.reader_faults(seed), dice_in_sight=condition.dice_in_sight)
    gc.freeze()  # Keeps the time of steps free of collecting what is kept of earlier games.
    state, effects, step_ms = RefereeState(), list[Effect](), list[float]()
    told, certain = tuple[HalfTurn, ...](), list[HalfTurn]()
    for event in game.events(reader):
        start_s = time.process_time()
        state, new = step(state, event)
        step_ms.append(1000 * (time.process_time() - start_s))
        effects += new
        if isinstance(event, BoardSeen) and (known := state.known_board):
            reader.know(known)
        if state.record[:-1] != told:
            before, told = told, state.record[:-1]
            sure = certainties(state.histories)
            new_ones = (i for i, turn in enumerate(told) if turn not in before[i : i + 1])
            certain += [told[i] for i in new_ones if sure[i] >= CERTAIN]
    shown = [effect for effect in effects if isinstance(effect, OffenceShown)]
    return Judged(
        seed=seed,
        game=game,
        record=state.record,
        effects=tuple(effects),
        matched=aligned(game.turns, state.record),
        false_alarms=tuple(one for one in shown if not any(_deserved(one, wrong) for wrong in game.wrongs)),
        missed=tuple(
            wrong
            for wrong in game.wrongs
            if _can_be_told(wrong) and not any(_deserved(one, wrong) for one in shown)
        ),
        step_ms=tuple(step_ms),
        certain=tuple(certain),
    )


def certainties(histories: Sequence[History]) -> tuple[float, ...]:
    """Posterior probability of the player and board of each half-turn of the likeliest history; 0 to 1.

    It is the share of the histories, by weight, that have the same player and board there.
    """
    top = likeliest_history(histories)
    shares = np.exp([history.weight - top.weight for history in histories])
    agreed = [0.0] * len(top.turns)
    for share, history in zip(shares / shares.sum(), histories, strict=True):
        for index, (turn, other) in enumerate(zip(top.turns, history.turns, strict=False)):
            agreed[index] += float(share) * ((turn.player, turn.position) == (other.player, other.position))
    return tuple(agreed)


def _can_be_told(wrong: Wrong) -> bool:
    """Whether it is an illegal play that some picture shows."""
    return not wrong.knocked and not wrong.unwatched


def _deserved(shown: OffenceShown, wrong: Wrong) -> bool:
    return wrong.from_ms <= shown.t_ms <= wrong.to_ms + LATE_MS


def aligned(turns: Sequence[TrueTurn], record: Sequence[HalfTurn]) -> tuple[int | None, ...]:
    """For each true half-turn the index of the recorded one with its player and board: most, in order."""
    return aligned_boards(
        [(turn.player, turn.position) for turn in turns], [(turn.player, turn.position) for turn in record]
    )


def aligned_boards(
    truth: Sequence[tuple[Player, Position]], told: Sequence[tuple[Player, Position]]
) -> tuple[int | None, ...]:
    """As `aligned`, for players and the boards that they left: a longest common subsequence."""
    longest = [[0] * (len(told) + 1) for _ in range(len(truth) + 1)]
    for i in reversed(range(len(truth))):
        for j in reversed(range(len(told))):
            same = truth[i] == told[j]
            longest[i][j] = longest[i + 1][j + 1] + 1 if same else max(longest[i + 1][j], longest[i][j + 1])
    matched: list[int | None] = [None] * len(truth)
    i = j = 0
    while i < len(truth) and j < len(told):
        if truth[i] == told[j]:
            matched[i] = j
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return tuple(matched)


def run(data: Path | None) -> None:
    """Print the table."""
    print_table(A_FEW, CONDITIONS)
    print_old_games(A_FEW)


def print_table(seeds: Iterable[int], conditions: Iterable[Condition], jobs: int = 1) -> None:
    seeds = tuple(seeds)
    print(f"{len(seeds)} games under each condition; right: half-turns with player and board as they were;")
    print("alarms: undeserved, in ten games, and how many of them because a die was heard with another face;")
    print("unseen: illegal boards that pictures show and of which nothing was said;")
    print("false dice: wrong and not marked as inferred;")
    print(f"certain: half-turns called so ({CERTAIN:.0%} or more), and how many of them nobody played")
    print(
        f"{'':29}{'right':>8}{'in place':>10}{'extra':>6}{'lost':>5}{'asked':>6}{'alarms (dice)':>14}"
        f"{'unseen':>9}{'false dice':>11}{'certain':>15}{'step ms: median':>17}{'99 %':>7}{'max':>7}"
    )
    for condition in conditions:
        print(_line(condition.name, judge_all(seeds, condition, jobs)), flush=True)


def print_old_games(seeds: Iterable[int]) -> None:
    """Print the time of a step in games whose doublets may be played in tens of thousands of ways."""
    print(
        f"{'games in which checkers are entered':37}{'right':>12}{'step ms: median':>17}{'99 %':>7}{'max':>7}"
    )
    for name, laws in ENTERING_LAWS.items():
        step_ms, n_right, n_turns = list[float](), 0, 0
        for seed in seeds:
            stands, throws, _ = a_game(laws, seed=seed, most=60)
            table = TimedTable(laws, on_roll=stands[0].on_roll)
            table.watch(stands, throws)
            boards = [after.position for after in stands[1:]]
            pairs = zip(table.state.record, boards, strict=False)
            n_right += sum(turn.position == board for turn, board in pairs)
            n_turns += len(boards)
            step_ms += table.step_ms
        step_ms.sort()
        print(
            f"{name:37}{n_right:5} of {n_turns:<4}"
            f"{median(step_ms):17.2f}{step_ms[int(0.99 * len(step_ms))]:7.1f}{step_ms[-1]:7.0f}"
        )


class TimedTable(EnteringTable):
    """A table that keeps the processor time of each step, in milliseconds."""

    def __init__(self, laws: EnteringLaws, on_roll: Player) -> None:
        self.step_ms: list[float] = []
        super().__init__(laws, on_roll)

    def tell(self, event: Event) -> None:
        start_s = time.process_time()
        super().tell(event)
        self.step_ms.append(1000 * (time.process_time() - start_s))


def judge_all(seeds: Sequence[int], condition: Condition, jobs: int = 1) -> list[Judged]:
    if jobs == 1:
        return [judge(seed, condition) for seed in seeds]
    with Pool(jobs) as pool:
        return pool.starmap(judge, [(seed, condition) for seed in seeds], chunksize=1)


def _line(name: str, judged: Sequence[Judged]) -> str:
    n_turns = sum(len(one.game.turns) for one in judged)
    n_illegal = sum(_can_be_told(wrong) for one in judged for wrong in one.game.wrongs)
    step_ms = sorted(ms for one in judged for ms in one.step_ms)
    alarms, misheard = (
        10 * sum(counts) / len(judged)
        for counts in ([len(one.false_alarms) for one in judged], [one.n_misheard_alarms for one in judged])
    )
    return (
        f"{name:29}"
        f"{sum(one.n_right for one in judged) / n_turns:8.2%}"
        f"{sum(one.n_right_in_place for one in judged) / n_turns:10.2%}"
        f"{sum(one.n_extra for one in judged):6}"
        f"{sum(one.lost for one in judged):5}"
        f"{median(one.n_questions for one in judged):6.0f}"
        f"{alarms:7.1f} ({misheard:4.1f})"
        f"{sum(len(one.missed) for one in judged):4} of {n_illegal:<2}"
        f"{sum(one.n_sure_of_wrong_dice for one in judged):10}"
        f"{sum(one.n_certain_and_wrong for one in judged):7} of {sum(len(one.certain) for one in judged):<5}"
        f"{median(step_ms):17.2f}{step_ms[int(0.99 * len(step_ms))]:7.1f}{step_ms[-1]:7.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.referee", description=__doc__)
    parser.add_argument("--games", type=int, default=0, help="games under each condition; without it, a few")
    parser.add_argument("--first", type=int, default=0, help="number of the first of them")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    parser.add_argument("--only", default="", help="conditions whose name begins with this")
    arguments = parser.parse_args()
    conditions = [condition for condition in CONDITIONS if condition.name.startswith(arguments.only)]
    seeds = range(arguments.first, arguments.first + arguments.games) or A_FEW
    print_table(seeds, conditions, arguments.jobs)
    if not arguments.only:
        print_old_games(seeds)


if __name__ == "__main__":
    main()
