"""The loop that brings eyes, ears and referee together."""

import json
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from controller.perception.board_watcher import BoardWatcher
from controller.perception.orientation import Orientation
from controller.referee import BoardSeen, DonePressed, GameStarted, RefereePhase
from controller.rules import Dice, Player, Position
from controller.service.loop import GameLoop, play_back
from controller.service.recordings.recording import open_recording
from controller.service.recordings.transcript import transcribe
from hardware.camera import Frame
from hardware.dice_events import DiceMoving, DiceSettled, SensorFound
from tests.controller.cli.test_transcribe import SHORT
from tests.controller.perception.test_picture_dice import die
from tests.controller.referee.table import board, seen
from vision.dice.dice_reader import SeenDie, readable_faces
from vision.read import side_colours

SIX_THREE = (die(6, 0.2), die(3, 0.3))
"""White's dice."""
FIVE_TWO = (die(5, 0.7), die(2, 0.8))
"""Black's dice."""
RAN = board({24: 1, 15: 1, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
"""White has played 24/18/15 from the start."""
ANSWERED = board({24: 1, 15: 1, 13: 5, 8: 3, 6: 5}, {24: 1, 22: 1, 13: 4, 8: 4, 6: 5})
"""Black has then played 13/8 24/22."""


@dataclass
class Watched:
    """Stands in for a watcher: what the next frame shows is set by the test."""

    board: BoardSeen | None
    dice: tuple[SeenDie, ...] | None = ()
    orientation: Orientation = field(default_factory=Orientation)
    exchangeable: bool = False
    known: list[Position] = field(default_factory=list)
    """The positions that the loop said to be sure."""

    def know(self, position: Position) -> None:
        self.known.append(position)

    def observe_frame(self, frame: Frame) -> BoardSeen | None:
        return self.board

    def dice_on_field(self, frame: Frame) -> tuple[SeenDie, ...] | None:
        return self.dice

    def dice_thrown_last(self, frame: Frame, least: float) -> tuple[int, ...]:
        return readable_faces(self.dice or (), least)


def watch(loop: GameLoop, t_ms: int, position: str | None, dice: tuple[SeenDie, ...]) -> None:
    """The next frame. position: None if the board cannot be read in it."""
    loop.watcher.board = seen(Position.parse(position), t_ms) if position else None
    loop.watcher.dice = dice
    loop.handle_frame(Frame(t_ms=t_ms, image_bgr=np.zeros((1, 1, 3), np.uint8)))


def watched_game() -> GameLoop:
    """A game without a dice sensor in which White has thrown 63 and played, and his dice lie there."""
    loop = GameLoop(Watched(seen(Position.START, 0)), picture_dice=True)
    loop.handle_event(GameStarted(t_ms=0, position=Position.START, on_roll=Player.WHITE))
    for t_ms in range(1000, 5000, 1000):
        watch(loop, t_ms, str(Position.START), SIX_THREE)
    for t_ms in range(8000, 12000, 1000):
        watch(loop, t_ms, RAN, SIX_THREE)
    return loop


def test_pictures_bear_witness_to_dice_that_were_heard():
    recording = open_recording(SHORT)
    loop = GameLoop(BoardWatcher(recording.board))
    seen = {}
    for _ in play_back(recording, loop):
        state = loop.state
        if state.phase is RefereePhase.ROLLED and state.roll_evidence.roll:
            seen[len(state.record)] = (state.roll_evidence.roll, state.rolls)
    assert seen
    assert all(rolls == (roll,) for roll, rolls in seen.values())


@pytest.mark.parametrize("light", list(Player))
@pytest.mark.parametrize("most_apart", [0, 100])
def test_the_opening_throw_shows_who_has_which_of_two_nearly_equal_colours(monkeypatch, light, most_apart):
    monkeypatch.setattr(side_colours, "NEARLY_AS_BRIGHT", most_apart)
    recording = open_recording(SHORT)
    truth = [json.loads(line) for line in (SHORT / "truth.jsonl").read_text().splitlines()]
    board = replace(recording.board, orientation=Orientation(light=light), home_known=False)
    transcript = transcribe(replace(recording, board=board))
    is_wrong = recording.board.orientation.light is not light
    positions = [str(turn.position) for turn in transcript.turns]
    assert (positions == [turn["position"] for turn in truth]) is (not is_wrong or most_apart > 0)
    is_said = any("the lighter ones belong to White" in problem for problem in transcript.problems)
    assert is_said is (is_wrong and most_apart > 0)


@pytest.mark.parametrize("is_heard", [True, False])
def test_only_an_opening_throw_that_a_sensor_reported_shows_who_has_which_colour(monkeypatch, is_heard):
    monkeypatch.setattr(side_colours, "NEARLY_AS_BRIGHT", 100)
    monkeypatch.setattr("controller.service.loop.opening_shows_exchange", lambda *_, **__: True)
    recording = open_recording(SHORT)
    board = replace(recording.board, home_known=False)
    dice = recording.dice if is_heard else None
    transcript = transcribe(replace(recording, board=board, dice=dice))
    assert any("the lighter ones belong to" in problem for problem in transcript.problems) is is_heard


def test_a_known_home_leaves_no_doubt_who_has_which_checkers(monkeypatch):
    monkeypatch.setattr(side_colours, "NEARLY_AS_BRIGHT", 100)
    recording = open_recording(SHORT)
    exchanged = replace(recording.board, orientation=recording.board.orientation.exchanged)
    assert not transcribe(replace(recording, board=exchanged)).problems


@pytest.mark.parametrize(("sureness", "shown"), [(0.95, Dice(6, 3)), (0.8, None)])
def test_only_faces_that_are_surely_read_bear_witness(sureness, shown):
    loop = GameLoop(Watched(seen(Position.START, 0)))
    loop.handle_event(GameStarted(t_ms=0, position=Position.START, on_roll=Player.WHITE))
    loop.handle_event(SensorFound(t_ms=0))
    for number, face in enumerate((6, 2), start=1):
        loop.handle_event(DiceMoving(t_ms=1000, die=number))
        loop.handle_event(DiceSettled(t_ms=2000, die=number, face=face))
    watch(loop, 3000, str(Position.START), (die(6, 0.2, sureness=sureness), die(3, 0.3, sureness=sureness)))
    assert loop.state.phase is RefereePhase.ROLLED
    assert loop.state.roll_evidence.roll == shown


def test_dice_first_seen_in_the_picture_that_shows_their_play_were_thrown_before_it():
    loop = watched_game()
    for t_ms in range(20_000, 23_000, 1000):
        watch(loop, t_ms, ANSWERED, (*SIX_THREE, *FIVE_TWO))
    watch(loop, 23_000, ANSWERED, ())
    watch(loop, 24_000, ANSWERED, ())
    assert [str(turn.dice) for turn in loop.state.record] == ["63", "52"]
    assert [str(turn.position) for turn in loop.state.record] == [RAN, ANSWERED]
    assert all(turn.legal and not turn.dice_inferred for turn in loop.state.record)


def test_the_watcher_learns_what_lies_there_from_the_next_roll_on_until_somebody_touches_the_board():
    loop = watched_game()
    assert loop.watcher.known == []
    for t_ms in range(13000, 17000, 1000):
        watch(loop, t_ms, RAN, FIVE_TWO)
    assert set(loop.watcher.known) == {Position.parse(RAN)}
    learnt = len(loop.watcher.known)
    watch(loop, 17000, ANSWERED, FIVE_TWO)
    assert len(loop.watcher.known) == learnt


def test_the_board_waits_for_one_picture_only():
    loop = watched_game()
    times = []
    for t_ms in (12_000, 13_000, 14_000):
        watch(loop, t_ms, RAN, ())
        times.append(loop.state.memory.t_ms)
    assert times == [11_000, 13_000, 14_000]


def test_the_board_does_not_wait_for_a_picture_that_can_be_read():
    loop = watched_game()
    watch(loop, 12_000, RAN, ())
    watch(loop, 13_000, None, ())
    assert loop.state.memory.t_ms == 12_000


def test_what_people_say_comes_after_the_board_that_was_seen_before():
    loop = watched_game()
    watch(loop, 12_000, RAN, ())
    loop.handle_event(DonePressed(t_ms=12_500))
    assert loop.state.memory.t_ms == 12_000


def test_a_sensor_that_is_plugged_in_does_not_drop_the_board_that_waits():
    loop = watched_game()
    watch(loop, 12_000, RAN, ())
    loop.use_picture_dice(False)
    assert loop.state.memory.t_ms == 12_000
