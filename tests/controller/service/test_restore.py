"""From the log back to the match: score, half-turns, people's words and the roll in play."""

import io

import pytest

from controller.cli.screen import Screen
from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import SavedCalibration
from controller.record.keeper import MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.referee import RefereePhase, RefereeState, RollDropped, UndoPressed, step
from controller.referee.dice_tray import DiceTray
from controller.referee.inference.histories import likeliest_history
from controller.rules import Match, Player, Position, parse_steps
from controller.service.devices import Devices
from controller.service.live import MatchStart, Service
from controller.service.matches.kept_matches import mark_deleted
from controller.service.restore import restore_match
from controller.simulation.screenplay import StagedTurn, drawn_board_settings, film
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound
from hardware.simulated.drawn_table import BOARD_LOOKS
from hardware.simulated.simulated_table import SimulatedCamera
from tests.controller.referee.table import board, seen
from tests.durability.evening import NoCamera, ReadBoard, Silence, Tray
from tests.hardware.hand_clock import HandClock
from tests.hardware.stand_ins import MirrorLights, SimulatedDice

MATCH = MatchSettings(white="Ada", black="Bert", length=5)
FRESH = RefereeState(match=Match.new(5))
FURNISHED_MS = 1_000_000
"""When the board is set up for the next game: long after the film."""
PLAYS = (
    StagedTurn(player=Player.WHITE, dice=(3, 1), steps=parse_steps("8/5 6/5")),
    StagedTurn(player=Player.BLACK, dice=(5, 2), steps=parse_steps("13/8 13/11")),
)


class Evening:
    """A short game on a drawn table, watched without threads; the log is all that stays of it."""

    def __init__(self, folder, match=MATCH) -> None:
        self._folder, self.match = folder, match
        self._said = io.StringIO()
        script = film(PLAYS, Orientation())
        self._screen = Screen(self._said, Orientation(), MATCH.names, live=False)
        self._keeper = MatchKeeper(folder / "log.db", match, print)
        self._camera = SimulatedCamera(script, every_ms=500)
        self.service = Service(
            start=MatchStart(fresh=match.state()),
            devices=Devices(
                camera=self._camera,
                dice=SimulatedDice(script.dice),
                lights=(MirrorLights(HandClock()),),
                lines=list,
            ),
            watcher=SavedCalibration(
                drawn_board_settings(BOARD_LOOKS[0], Orientation()),
                folder / "board.npz",
                Position.START,
                Position.START,
                print,
            ),
            keeper=self._keeper,
            display=self._screen,
            clock_ms=HandClock(script.end_ms),
        )

    def watch(self, until: RefereePhase | None = None, half_turns: int = 9) -> None:
        """Until the game has come so far, or the film's end."""
        while not self._camera.ended:
            self.service.run_once()
            if self.service.state.phase is until and len(self.service.state.record) == half_turns:
                break

    def say(self, *lines: str) -> None:
        self.service.run_once(lines)

    def furnish(self) -> None:
        """The board is set up, and seen so for a while."""
        for later_ms in range(0, 3000, 500):
            self.service.loop.handle_event(seen(Position.START, FURNISHED_MS + later_ms))

    @property
    def said(self) -> str:
        return self._said.getvalue()

    def log(self):
        self._keeper.close()
        again = MatchKeeper(self._folder / "log.db", self.match, print)
        again.close()
        return again.earlier


@pytest.fixture
def evening(tmp_path):
    return Evening(tmp_path)


def test_a_log_without_a_game_is_nothing_to_go_on_with(tmp_path):
    MatchKeeper(tmp_path / "log.db", MATCH, print).close()
    again = MatchKeeper(tmp_path / "log.db", MATCH, print)
    again.close()
    assert restore_match(again.earlier, FRESH) is None


def test_between_two_turns_the_record_is_as_it_was(evening):
    evening.watch()
    found = restore_match(evening.log(), FRESH)
    assert found.state.phase is RefereePhase.BEFORE_ROLL
    assert found.state.record == evening.service.state.record
    assert found.state.on_roll is Player.WHITE
    assert [turn.play for turn in found.state.record] == ["8/5 6/5", "13/8 13/11"]
    assert found.t_ms > 0


def test_within_a_turn_the_roll_is_known_and_the_dice_still_lie_there(evening):
    evening.watch(until=RefereePhase.ROLLED, half_turns=1)
    found = restore_match(evening.log(), FRESH)
    assert found.state.phase is RefereePhase.ROLLED
    assert found.state.on_roll is Player.BLACK
    assert found.state.rolls == evening.service.state.rolls
    assert found.state.tray == evening.service.state.tray


def test_without_a_sensor_the_restored_roll_is_dropped(evening):
    evening.watch(until=RefereePhase.ROLLED, half_turns=1)
    found = restore_match(evening.log(), FRESH)
    dropped, effects = step(found.state, RollDropped(t_ms=found.t_ms))
    assert dropped.phase is RefereePhase.BEFORE_ROLL
    assert dropped.rolls == ()
    assert dropped.tray == DiceTray()
    assert dropped.record == found.state.record
    assert effects == ()


def test_a_roll_that_did_not_count_is_not_in_play_after_a_restart(evening):
    evening.watch(until=RefereePhase.ROLLED, half_turns=1)
    evening.say("cocked")
    live = evening.service.state
    found = restore_match(evening.log(), FRESH).state
    assert (live.phase, live.rolls) == (RefereePhase.BEFORE_ROLL, ())
    assert (found.phase, found.rolls) == (live.phase, live.rolls)


def test_a_cube_that_was_turned_still_counts(evening):
    evening.watch()
    evening.say("double white", "take black", "resign white gammon", "accept black")
    assert "Bert wins a gammon, 4 points: Ada 0, Bert 4." in evening.said
    found = restore_match(evening.log(), FRESH)
    assert found.state.phase is RefereePhase.BETWEEN
    assert found.state.match.score == (0, 4)
    assert found.state.match.is_crawford_game
    assert found.state.match == evening.service.state.match


def test_in_the_middle_of_a_game_what_people_said_is_known(evening):
    evening.watch()
    evening.say("double white", "take black")
    found = restore_match(evening.log(), FRESH)
    assert found.state.declared == evening.service.state.declared
    assert len(found.state.declared) == 2


def test_a_board_that_people_set_up_is_the_board(evening):
    evening.watch()
    before = likeliest_history(evening.service.state.histories).position
    moved = evening.service.state.record[0].position
    evening.say(f"set up {moved} black")
    found = restore_match(evening.log(), FRESH)
    assert before != moved
    assert likeliest_history(found.state.histories).position == moved
    assert found.state.on_roll is Player.BLACK


def test_a_correction_is_what_stands(evening):
    evening.watch()
    evening.say("correct 2 24/22 13/8")
    evening.say("word")
    found = restore_match(evening.log(), FRESH)
    assert [turn.play for turn in found.state.record] == ["8/5 6/5", "13/8 24/22"]


def quiet_service(keeper, tray, clock, start) -> Service:
    """A service that sees and shows nothing by itself."""
    return Service(
        start=start,
        devices=Devices(camera=NoCamera(), dice=tray, lights=(), lines=list),
        watcher=ReadBoard(),
        keeper=keeper,
        display=Silence(),
        clock_ms=clock,
    )


def test_a_play_taken_back_first_thing_after_a_restart_stays_taken_back(evening, tmp_path):
    evening.watch()
    evening.log()
    keeper = MatchKeeper(tmp_path / "log.db", MATCH, print)
    start = MatchStart(fresh=FRESH, resumed=restore_match(keeper.earlier, FRESH))
    service = quiet_service(keeper, Tray(), HandClock(), start)
    service.run_once(["take back"])
    assert [turn.play for turn in service.state.recorded] == ["8/5 6/5"]
    keeper.close()
    found = restore_match(evening.log(), FRESH)
    assert [turn.play for turn in found.state.recorded] == ["8/5 6/5"]


def test_a_match_that_was_deleted_is_not_gone_on_with(evening, tmp_path):
    evening.watch()
    evening.log()
    mark_deleted(tmp_path / "log.db", 1, deleted=True)
    assert restore_match(evening.log(), FRESH) is None
    mark_deleted(tmp_path / "log.db", 1, deleted=False)
    assert len(restore_match(evening.log(), FRESH).state.record) == 2


def test_a_match_that_was_won_is_over(evening):
    evening.watch()
    evening.say("resign white backgammon", "accept black")
    evening.say("start", f"set up {Position.START} white", "resign white backgammon", "accept black")
    assert "and the match" in evening.said
    assert restore_match(evening.log(), FRESH) is None


def after_undo(state: RefereeState, times: int) -> tuple:
    """What the state knows of the game after the last words were undone, and whether there was one more."""
    for n in range(times):
        state, _ = step(state, UndoPressed(t_ms=10_000_000 + n))
        assert not state.refusal
    cube = state.game_by_rules.cube if not state.outcome else None
    game = (state.phase, state.record, state.declared, state.rolls, state.on_roll, state.match, cube)
    return (*game, [one.course.turns for one in state.finished], len(state.words))


@pytest.mark.parametrize(
    ("lines", "n_words"),
    [
        (["double white"], 1),
        (["double white", "take black"], 2),
        (["double white", "pass black"], 2),
        (["correct 2 24/22 13/8", "word"], 1),
        (["correct 2 61: 24/18 24/23", "word"], 1),
        (["correct 2 24/22 13/8", "word", "double white", "take black"], 3),
        (["take back"], 1),
        (["double white", "undo", "correct 1 24/23 13/10", "word"], 1),
        (["resign white gammon", "accept black"], 2),
        (["resign white", "accept black", "correct game 1 2 24/22 13/8", "word"], 3),
    ],
)
def test_what_could_be_undone_before_a_restart_can_be_undone_after_it(evening, lines, n_words):
    evening.watch()
    for line in lines:
        evening.say(line)
    live = evening.service.state
    assert len(live.words) == n_words
    found = restore_match(evening.log(), FRESH).state
    for times in range(n_words + 1):
        assert after_undo(found, times) == after_undo(live, times)


@pytest.mark.parametrize(
    "lines", [["correct game 1 2 24/22 13/8", "word"], [f"set up {Position.START} black"]]
)
def test_a_word_before_the_first_roll_of_the_next_game_is_known_after_a_restart(evening, lines):
    evening.watch()
    evening.say("resign white", "accept black")
    evening.furnish()
    for line in lines:
        evening.say(line)
    live = evening.service.state
    assert (live.game, live.record) == (1, ())
    found = restore_match(evening.log(), FRESH).state
    assert len(live.words) == 1
    assert after_undo(found, 0) == after_undo(live, 0)
    assert after_undo(found, 1) == after_undo(live, 1)


def test_a_word_of_the_turn_in_play_can_be_undone_after_a_restart(evening):
    evening.watch(until=RefereePhase.ROLLED, half_turns=1)
    evening.say("correct 1 24/23 13/10", "word")
    live = evening.service.state
    found = restore_match(evening.log(), FRESH).state
    assert len(found.words) == len(live.words) == 1
    assert after_undo(found, 1) == after_undo(live, 1)


@pytest.mark.parametrize("n_undone", range(3))
def test_a_resignation_while_dice_lie_is_restored_and_can_be_undone(evening, n_undone):
    evening.watch(until=RefereePhase.ROLLED, half_turns=1)
    evening.say("resign white gammon", "accept black", *["undo"] * n_undone)
    found = restore_match(evening.log(), FRESH).state
    assert after_undo(found, 0) == after_undo(evening.service.state, 0)


def test_a_match_that_was_resigned_while_dice_lie_is_over(tmp_path):
    evening = Evening(tmp_path, MatchSettings(white="Ada", black="Bert", length=1))
    evening.watch(until=RefereePhase.ROLLED, half_turns=1)
    evening.say("resign white", "accept black")
    assert evening.service.state.phase is RefereePhase.OVER
    assert restore_match(evening.log(), evening.match.state()) is None


BEARING_OFF, ONE_LEFT, ALL_OFF = (
    board({1: 2}, {1: 1}),
    board({1: 1, 0: 1}, {1: 1}),
    board({0: 2}, {1: 1}),
)


class BearingOff:
    """White has two checkers left, or as a test says, and throws 2-1. The board is read as a test says."""

    def __init__(self, folder, position=BEARING_OFF) -> None:
        self._folder, self._clock, self._tray = folder, HandClock(), Tray()
        self._keeper = MatchKeeper(folder / "log.db", MATCH, print)
        self.service = quiet_service(self._keeper, self._tray, self._clock, MatchStart(fresh=FRESH))
        self.command("start", position=position, on_roll="white")
        self._feel(SensorFound(t_ms=0))
        self.show(position)
        self._feel(*(DiceMoving(t_ms=1500, die=die) for die in (1, 2)))
        self._feel(*(DiceSettled(t_ms=2000, die=die, face=die) for die in (1, 2)))

    def show(self, shown: str) -> None:
        for _ in range(2):
            self._clock.t_ms += 1000
            self.service.loop.handle_event(seen(Position.parse(shown), self._clock.t_ms))

    def lift(self) -> None:
        self._feel(*(DiceLifted(t_ms=self._clock.t_ms, die=die) for die in (1, 2)))

    def command(self, command: str, **more) -> None:
        self.service.handle_command({"t_ms": self._clock.t_ms, "command": command, **more})

    def _feel(self, *events) -> None:
        self._tray.waiting += events
        self.service.run_once()

    def log(self):
        self._keeper.close()
        again = MatchKeeper(self._folder / "log.db", MATCH, print)
        again.close()
        return again.earlier


def test_a_win_that_a_correction_brought_is_undone_with_it(tmp_path):
    """White bears off one checker too few and says that it was two; the other player objects."""
    table = BearingOff(tmp_path)
    table.show(ONE_LEFT)
    table.lift()
    table.command("correct", half_turn=1, position=ALL_OFF)
    table.show(ALL_OFF)
    assert table.service.state.phase is RefereePhase.BETWEEN
    table.command("undo")
    live = table.service.state
    assert (live.phase, [turn.play for turn in live.record]) == (RefereePhase.BEFORE_ROLL, ["1/off"])
    found = restore_match(table.log(), FRESH).state
    assert after_undo(found, 0) == after_undo(live, 0)


@pytest.mark.parametrize("is_lifted", [False, True], ids=["still lying", "lifted and thrown anew"])
def test_dice_that_lie_there_when_a_turn_was_said_to_be_over_are_no_roll_after_a_restart(tmp_path, is_lifted):
    table = BearingOff(tmp_path, board({1: 3}, {1: 1}))
    table.show(board({1: 1, 0: 2}, {1: 1}))
    table.command("done")
    table.show(board({1: 1, 0: 2}, {1: 1}))
    if is_lifted:
        table.lift()
    live = table.service.state
    assert (live.phase, [turn.play for turn in live.record]) == (RefereePhase.BEFORE_ROLL, ["1/off(2)"])
    state = restore_match(table.log(), FRESH).state
    for event in (SensorFound(t_ms=0), *(DiceSettled(t_ms=0, die=die, face=die) for die in (1, 2))):
        state, _ = step(state, event)
    assert (state.phase is RefereePhase.ROLLED) == is_lifted
    assert state.on_roll is Player.BLACK
