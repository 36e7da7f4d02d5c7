"""Simulated whole games: what sensor and camera get, with the faults of a real table, and the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import merge
from random import Random

from controller.referee import Event, GameStarted, InputEnded
from controller.referee.events import N_ROWS
from controller.rules import (
    BAR,
    OFF,
    Dice,
    LegalPlays,
    Offence,
    Play,
    Player,
    Position,
    after_steps,
    explain,
    legal_plays,
)
from hardware.dice_events import SensorFound
from tests.benchmarks.illegal_plays import illegal_play
from tests.benchmarks.players import Chooser, at_random, sensibly
from tests.benchmarks.simulated_reader import AS_MEASURED, Reader, ReaderFaults, Scene
from tests.benchmarks.simulated_sensor import SimulatedSensor
from tests.benchmarks.table_faults import FATES, USUAL_FAULTS, TableFaults

MOST_HALF_TURNS = 400
"""A game ends here without a winner: random players may go on for ever."""

PAIRS: tuple[tuple[Chooser, Chooser], ...] = (
    (sensibly, sensibly),
    (at_random, at_random),
    (sensibly, at_random),
)
"""Players of White and Black in games 0, 1 and 2; game 3 is as 0, and so on."""

SLOW = 0.3
"""Probability that a player takes his hand away between two steps."""


@dataclass(frozen=True, kw_only=True)
class TrueTurn:
    """What really was played in a half-turn.

    t_ms: when the play had been made. faults: names of TableFaults' fields, as they were drawn for it.
    shown_first: an illegal board that was put right.
    offences: what was illegal about `position`, or about `shown_first`; () when nothing was.
    """

    t_ms: int
    player: Player
    dice: Dice
    play: str
    position: Position
    legal: bool
    faults: frozenset[str]
    shown_first: Position | None = None
    offences: tuple[Offence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """The board is wrong from from_ms to to_ms: a checker was knocked, or an illegal play lies there.

    turn: index of the half-turn. unwatched: no picture is taken in that time.
    """

    from_ms: int
    to_ms: int
    turn: int
    knocked: bool
    unwatched: bool = False


@dataclass(frozen=True, kw_only=True)
class Glance:
    """A picture taken at t_ms: what it shows of the table, and the faces that lie flat there."""

    t_ms: int
    scene: Scene
    faces: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class SimulatedGame:
    """A game: what the sensor reports and what pictures show, in order of time, and what really happened.

    end_ms: when the last event comes.
    """

    sensor: tuple[Event, ...]
    glances: tuple[Glance, ...]
    end_ms: int
    turns: tuple[TrueTurn, ...]
    wrongs: tuple[Wrong, ...]

    def events(self, reader: Reader) -> Iterator[Event]:
        """What the referee is told. Each picture is read when its turn comes, with what is known by then."""
        yield GameStarted(t_ms=0, position=Position.START)
        read = (reader.read(glance.scene, glance.t_ms, glance.faces) for glance in self.glances)
        yield from merge(self.sensor, read, key=lambda event: event.t_ms)
        yield InputEnded(t_ms=self.end_ms)


def simulate(
    seed: int, table: TableFaults = USUAL_FAULTS, *, sensor: bool = True, interval_ms: int = 250
) -> SimulatedGame:
    """Game number `seed`. sensor: there is a dice sensor. Its dice and plays do not depend on that."""
    script = _Script(seed, table)
    script.play_game()
    reported = (SensorFound(t_ms=0), *script.sensor.events) if sensor else ()
    glances = tuple(_glances(script, Random(f"{seed} camera"), interval_ms))
    wrongs = tuple(
        replace(wrong, unwatched=not any(wrong.from_ms <= one.t_ms <= wrong.to_ms for one in glances))
        for wrong in script.wrongs
    )
    return SimulatedGame(
        sensor=reported,
        glances=glances,
        end_ms=max(event.t_ms for event in (*reported[-1:], glances[-1])),
        turns=tuple(script.turns),
        wrongs=wrongs,
    )


def simulated_events(
    seed: int, table: TableFaults = USUAL_FAULTS, faults: ReaderFaults = AS_MEASURED, interval_ms: int = 250
) -> tuple[Event, ...]:
    """What is told of game `seed` by a reader that never learns what is known of the board."""
    return tuple(simulate(seed, table, interval_ms=interval_ms).events(Reader.of_game(seed, faults)))


def _glances(script: _Script, chance: Random, interval_ms: int) -> Iterator[Glance]:
    """The pictures, one every interval_ms."""
    scenes, now = script.scenes, 0
    lying, thrown = script.dice, 0
    for t_ms in range(interval_ms, script.t_ms, interval_ms):
        while now + 1 < len(scenes) and scenes[now + 1].t_ms <= t_ms:
            now += 1
        while thrown + 1 < len(lying) and lying[thrown + 1][0] <= t_ms:
            thrown += 1
        lost = chance.random() < script.faults.missed_reading
        if not lost and not any(start <= t_ms < end for start, end in script.unwatched):
            yield Glance(t_ms=t_ms, scene=scenes[now], faces=lying[thrown][1])


class _Script:
    """A game as it happens: scenes on the table and events of the sensor. `t_ms` is the present time."""

    def __init__(self, seed: int, faults: TableFaults) -> None:
        self.faults = faults
        self.t_ms = 0
        self.board = Position.START
        self.scenes = [Scene(t_ms=0, board=Position.START)]
        self.dice: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        """Times in ms, and the faces that lie flat on the table from then on."""
        self.turns: list[TrueTurn] = []
        self.wrongs: list[Wrong] = []
        self.unwatched: list[tuple[int, int]] = []
        self.sensor = SimulatedSensor(Random(f"{seed} tray"))
        self._game = Random(f"{seed} game")
        self._luck = Random(f"{seed} faults")
        self._pace = Random(f"{seed} pace")
        self._choosers = dict(zip(Player, PAIRS[seed % len(PAIRS)], strict=True))
        self._unwatched_ms: int | None = None
        self._knocked_ms: int | None = None
        self._undisturbed: Position | None = None
        self._standing_ms: int | None = None

    def play_game(self) -> None:
        """Play from the opening roll until somebody has won, or for MOST_HALF_TURNS."""
        self._wait(1500, 2500)
        fate = self._fate()
        faces, player = self._opening(fate)
        while True:
            self._half_turn(player, faces, fate)
            if self.board.winner or len(self.turns) == MOST_HALF_TURNS:
                break
            player, fate = player.opponent, self._fate()
            faces = (self._die(), self._die())
            self._change_turns(fate)
            self._throw(faces, fate)
        self._wait(300, 800)
        self._lift()
        self._wait(2000, 3000)
        self._watch_again()

    def _fate(self) -> frozenset[str]:
        """What goes wrong in one half-turn."""
        fate = {name for name in FATES if self._luck.random() < getattr(self.faults, name)}
        if "missed_roll" in fate:
            fate -= {"half_heard", "misread_roll", "cocked", "early_roll"}
        return frozenset(fate - {"knocked"} if "early_roll" in fate else fate)

    def _die(self) -> int:
        return self._game.randint(1, 6)

    def _wait(self, least_ms: int, most_ms: int) -> None:
        self.t_ms += self._pace.randint(least_ms, most_ms)

    # The dice

    def _opening(self, fate: frozenset[str]) -> tuple[tuple[int, int], Player]:
        """Die 1 is White's and die 2 Black's; equal dice are thrown again."""
        while True:
            white, black = self._die(), self._die()
            if white != black:
                self._throw((white, black), fate)
                return (white, black), Player.WHITE if white > black else Player.BLACK
            self._throw((white, black), frozenset())
            self._wait(300, 800)
            self._lift()
            self._wait(300, 800)

    def _throw(self, faces: tuple[int, int], fate: frozenset[str]) -> None:
        """Throw the dice until they lie flat. An illegal play that stands counts as wrong until then."""
        self.dice.append((self.t_ms, ()))
        if "cocked" in fate:
            self.t_ms = self.sensor.throw(self.t_ms, (None, faces[0]))
            self._wait(600, 1500)
            self._lift()
            self._wait(300, 900)
        if "missed_roll" in fate:
            self._wait(700, 1000)
        elif "half_heard" in fate:
            self.t_ms = self.sensor.throw_half_reported(self.t_ms, faces)
        elif "misread_roll" in fate:
            self.t_ms = self.sensor.throw_misreported(self.t_ms, faces)
        else:
            self.t_ms = self.sensor.throw(self.t_ms, faces)
        self.dice.append((self.t_ms, faces))
        if self._standing_ms is not None:
            self._note_wrong(self._standing_ms, len(self.turns) - 1)
            self._standing_ms = None

    def _lift(self) -> None:
        self.dice.append((self.t_ms, ()))
        self.t_ms = self.sensor.lift(self.t_ms)

    def _change_turns(self, fate: frozenset[str]) -> None:
        """Pass from the end of one play to the next throw. `fate` is that of the half-turn to come."""
        if "early_roll" in fate:
            self._wait(0, 300)
            return
        if "knocked" in fate and self._luck.random() < 0.5:
            self._knock()
        self._wait(300, 1500)
        self._lift()
        if "knocked" in fate and self._knocked_ms is None:
            self._wait(200, 600)
            self._knock()
        self._wait(300, 2500)
        if self._luck.random() < 0.5:
            self._put_back()

    # The checkers

    def _half_turn(self, player: Player, faces: tuple[int, int], fate: frozenset[str]) -> None:
        """Play a half-turn whose dice lie there: think, play, and perhaps correct an illegal play."""
        plays = legal_plays(self._undisturbed or self.board, player, Dice(*faces))
        play = self._choosers[player](plays, self._game)
        stands = self._luck.random() >= self.faults.corrected
        bad = illegal_play(play, plays, self._luck, stands=stands) if "illegal" in fate else None
        self._begin_unwatched(fate)
        self._wait(400, 2000)
        self._put_back()
        if "taken_back" in fate and bad is None:
            self._try_another(plays)
        from_ms = self.t_ms
        self._make(bad or play, plays, pauses="paused" in fate)
        if bad and not stands:
            self._wait(1500, 4000)
            self._rearrange(play.result)
            self._note_wrong(from_ms, len(self.turns))
        self._standing_ms = from_ms if bad and stands else None
        self._turn_played(bad if bad and stands else play, plays, fate, bad)

    def _turn_played(self, play: Play, plays: LegalPlays, fate: frozenset[str], bad: Play | None) -> None:
        self._end_unwatched(fate)
        happened = fate if bad else fate - {"illegal"}
        self.turns.append(
            TrueTurn(
                t_ms=self.t_ms,
                player=plays.player,
                dice=plays.dice,
                play=str(play),
                position=play.result,
                legal=play is not bad,
                faults=happened,
                shown_first=bad.result if bad and play is not bad else None,
                offences=explain(plays.position, plays.player, plays.dice, bad.result) if bad else (),
            )
        )

    def _make(self, play: Play, plays: LegalPlays, *, pauses: bool) -> None:
        """Make the steps one by one. A slow player takes his hand away between them, too."""
        before = plays.position
        for i, step in enumerate(play.steps):
            if i and (pauses or self._pace.random() < SLOW):
                self._show(before)
                self._wait(*((1500, 4000) if pauses else (300, 900)))
            after = after_steps(before, plays.player, (step,))
            self._reach(_common(before, after), plays.player, step.source)
            self._reach(after, plays.player, step.target)
            before = after
        self._show(before)
        self._wait(100, 400)

    def _try_another(self, plays: LegalPlays) -> None:
        """Make another legal play, look at it and take it back."""
        others = sorted(plays, key=lambda play: play.result.packed)
        self._make(self._luck.choice(others), plays, pauses=False)
        self._wait(800, 2500)
        self._rearrange(plays.position)
        self._wait(300, 1200)

    def _reach(self, board: Position, player: Player, place: int) -> None:
        """Show `board` with a hand over a place (in the player's numbering)."""
        point = place if player is Player.WHITE else BAR - place
        near = (point - 2, point - 1, point) if OFF < point < BAR else (N_ROWS - 2, N_ROWS - 1)
        covered = tuple(row for row in near if 0 <= row < N_ROWS)
        self.scenes.append(Scene(t_ms=self.t_ms, board=board, covered=covered))
        self.board = board
        self._wait(250, 600)

    def _show(self, board: Position) -> None:
        """Show `board` without a hand."""
        self.scenes.append(Scene(t_ms=self.t_ms, board=board))
        self.board = board

    def _rearrange(self, board: Position) -> None:
        """Take checkers up and put them down so that the board becomes `board`."""
        if board == self.board:
            return
        for arranged in (_common(self.board, board), board):
            self._reach(arranged, Player.WHITE, _first_difference(self.board, board))
        self._show(board)
        self._wait(100, 400)

    # What befalls the board

    def _knock(self) -> None:
        """Let a sleeve sweep a checker to the floor or to the next point."""
        player = self._luck.choice(tuple(Player))
        own, opposing = list(self.board.side(player)), self.board.side(player.opponent)
        place = self._luck.choice([place for place in range(1, BAR) if own[place]])
        target = place + self._luck.choice((-1, 1))
        own[place] -= 1
        if self._luck.random() < 0.5 and OFF < target < BAR and not opposing[BAR - target]:
            own[target] += 1
        self._undisturbed, self._knocked_ms = self.board, self.t_ms
        self._reach(Position.of(player, own, opposing), player, place)
        self._show(self.board)

    def _put_back(self) -> None:
        """Put the knocked checker back, if there is one."""
        if self._knocked_ms is not None and self._undisturbed is not None:
            self._wait(500, 3000)
            self._rearrange(self._undisturbed)
            self._note_wrong(self._knocked_ms, len(self.turns), knocked=True)
            self._knocked_ms, self._undisturbed = None, None

    def _note_wrong(self, from_ms: int, turn: int, *, knocked: bool = False) -> None:
        self.wrongs.append(Wrong(from_ms=from_ms, to_ms=self.t_ms, turn=turn, knocked=knocked))

    def _begin_unwatched(self, fate: frozenset[str]) -> None:
        if "unwatched" in fate and self._unwatched_ms is None:
            self._unwatched_ms = self.t_ms

    def _end_unwatched(self, fate: frozenset[str]) -> None:
        """Watch again, unless this play is unwatched: then the next one is not seen either."""
        if "unwatched" not in fate:
            self._watch_again()

    def _watch_again(self) -> None:
        if self._unwatched_ms is not None:
            self.unwatched.append((self._unwatched_ms, self.t_ms))
        self._unwatched_ms = None


def _common(one: Position, other: Position) -> Position:
    """The checkers that lie on both boards: those that are moved are in somebody's hand."""
    white = tuple(map(min, one.white, other.white))
    black = tuple(map(min, one.black, other.black))
    return Position(white, black)


def _first_difference(one: Position, other: Position) -> int:
    """White's number of the first point on which two boards differ; his bar if no point differs."""
    for point in range(1, BAR):
        if (one.white[point], one.black[BAR - point]) != (other.white[point], other.black[BAR - point]):
            return point
    return BAR
