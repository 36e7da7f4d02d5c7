"""A board is set up over its devices: what is found, what is refused, what is written."""

import tomllib

import pytest

from controller.errors import InputError
from controller.perception.orientation import Orientation
from controller.rules import Player, Position
from controller.service.devices import Devices
from controller.service.settings import parse_settings
from controller.service.setup.dice_test import DiceTest
from controller.service.setup.setup_desk import SetupDesk
from controller.service.setup.setup_texts import start_text, walk_text, wrong_place_text
from controller.service.setup.setup_words import parse_setup_word
from controller.simulation.screenplay import scene_of
from hardware.camera import Frame
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from hardware.simulated.drawn_table import BOARD_LOOKS, draw_table
from sentences import say as sentence
from tests.hardware.hand_clock import HandClock

SEATING = Orientation(white_home="top-left")


class Table:
    """Camera, dice and lights of a drawn table. position: None where the camera sees nothing."""

    problems = ("The camera gives no pictures: check its cable.",)

    def __init__(self, clock, position=Position.START):
        self.clock, self.position, self.events, self.lit = clock, position, [], []
        self.is_covered = False

    def next_frame(self):
        if self.position is None:
            return None
        image_bgr = draw_table(scene_of(self.position, SEATING), BOARD_LOOKS[0], seed=1)
        if self.is_covered:
            image_bgr[:] = 128
        return Frame(t_ms=self.clock.t_ms, image_bgr=image_bgr)

    def events_until(self, t_ms):
        given, self.events = self.events, []
        return given

    def show(self, lamps):
        self.lit = [lamp.place for lamp in lamps]

    def close(self):
        pass


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def table(clock):
    return Table(clock)


@pytest.fixture
def desk(table, clock, tmp_path):
    settings = parse_settings({}, tmp_path / "blotlight.toml", tmp_path)
    devices = Devices(camera=table, dice=table, lights=(table,), lines=list)
    return SetupDesk(settings, tmp_path / "blotlight.toml", devices, clock)


def look(desk, clock):
    clock.t_ms += 1000
    desk.run_once()
    return desk.state


def say(desk, **data):
    desk.handle(parse_setup_word(data))
    return desk.state.refusal


def test_the_start_position_shows_where_the_home_lies(desk, clock):
    state = look(desk, clock)
    assert state.refusal == ""
    say(desk, word="step", step="start")
    state = look(desk, clock)
    assert state.start.is_well
    assert state.draft.board.orientation == SEATING
    assert start_text(state.start) == "Every point is as it should be."


def test_a_point_that_is_not_right_is_named_and_lit(desk, table, clock):
    wrong = list(Position.START.white)
    wrong[6], wrong[4] = 4, 1
    table.position = Position(tuple(wrong), Position.START.black)
    look(desk, clock)
    say(desk, word="step", step="start")
    state = look(desk, clock)
    said = [wrong_place_text(one) for one in state.start.wrong]
    assert said == ["Point 4: no checkers due, 1 light seen.", "Point 6: 5 light due, 4 light seen."]
    assert table.lit == [SEATING.place(4), SEATING.place(6)]
    say(desk, word="step", step="dice")
    assert look(desk, clock).step.value == "dice"
    assert table.lit == []


def test_dice_count_once_they_were_thrown(desk, table, clock):
    look(desk, clock)
    say(desk, word="step", step="dice")
    table.events = [
        SensorFound(t_ms=0),
        DiceSettled(t_ms=0, die=1, face=3),
        DiceSettled(t_ms=0, die=2, face=1),
    ]
    state = look(desk, clock)
    assert (state.dice.faces, state.dice.is_well) == ((3, 1), False)  # they lay there before
    table.events = [DiceMoving(t_ms=1, die=1), DiceSettled(t_ms=2, die=1, face=None)]
    assert not look(desk, clock).dice.is_well
    table.events = [DiceMoving(t_ms=3, die=1), DiceSettled(t_ms=4, die=1, face=5)]
    state = look(desk, clock)
    assert (state.dice.faces, state.dice.is_well) == ((5, 1), True)


def test_dice_of_a_tray_that_was_lifted_or_unplugged_are_forgotten():
    test = DiceTest()
    both = (DiceSettled(t_ms=1, die=1, face=3), DiceSettled(t_ms=1, die=2, face=1))
    faces = []
    for event in (
        *(SensorFound(t_ms=0), *both, DiceLifted(t_ms=2, die=1)),
        *(SensorLost(t_ms=3, reason="unplugged"), SensorFound(t_ms=4), DiceMoving(t_ms=5, die=1)),
        *(DiceSettled(t_ms=6, die=1, face=5), DiceSettled(t_ms=6, die=2, face=2)),
    ):
        test.hear(event)
        faces.append(test.thrown.faces)
    assert faces == [(), (3,), (3, 1), (1,), (), (), (), (5,), (5, 2)]
    assert test.thrown.is_well
    test.hear(DiceLifted(t_ms=7, die=2))
    assert test.thrown.is_well


def test_the_strip_is_walked_along(desk, table, clock, tmp_path):
    look(desk, clock)
    say(desk, word="step", step="lights")
    assert say(desk, word="walk") == ""
    assert walk_text(desk.state.walk).startswith("LED 1 of 28 is lit")
    asked, has_erred = [], False
    while (place := desk.state.walk.place) is not None:
        asked.append(place)
        assert table.lit == [place]
        assert say(desk, word="lamp", place=27 - place) == ""
        if len(asked) == 3 and not has_erred:
            has_erred = True
            assert "cannot both light" in say(desk, word="lamp", place=27 - place)
            assert say(desk, word="lamp back") == ""
            assert desk.state.walk.place == asked.pop()
    assert walk_text(desk.state.walk) == "Every LED has its place now."
    assert say(desk, word="keep") == ""
    written = tomllib.loads((tmp_path / "blotlight.toml").read_text())
    assert written["lights"]["order"] == [27 - place for place in asked]
    assert "match" not in written  # nobody named one


def test_a_walk_ends_when_people_go_to_another_step(desk, table, clock):
    look(desk, clock)
    say(desk, word="walk")
    assert table.lit
    say(desk, word="step", step="match")
    assert look(desk, clock).walk is None
    assert table.lit == []


def test_without_a_strip_no_walk_begins(table, clock, tmp_path):
    settings = parse_settings({}, tmp_path / "blotlight.toml", tmp_path)
    devices = Devices(camera=table, dice=table, lights=(), lines=list)
    desk = SetupDesk(settings, tmp_path / "blotlight.toml", devices, clock)
    assert say(desk, word="walk") == sentence("setup_no_lights")


def test_a_walk_that_is_not_over_or_was_given_up_leaves_the_order_of_the_strip(desk, clock):
    look(desk, clock)
    say(desk, word="walk")
    while (place := desk.state.walk.place) is not None:
        assert "lights" not in desk.state.draft.changes
        say(desk, word="lamp", place=27 - place)
    assert "lights" in desk.state.draft.changes
    say(desk, word="leave walk")
    assert "lights" not in desk.state.draft.changes


def test_an_answer_that_names_no_place_is_none(desk, clock):
    look(desk, clock)
    say(desk, word="step", step="lights")
    say(desk, word="walk")
    with pytest.raises(InputError, match="no word of the set-up"):
        say(desk, word="lamp")


def test_sides_are_chosen(desk, clock, tmp_path):
    look(desk, clock)
    say(desk, word="sides", light="black", white_home="bottom-left")
    say(desk, word="match", white=" Ada ", black="Bert", length=3, laws="modern", mode="club")
    say(desk, word="keep")
    written = tomllib.loads((tmp_path / "blotlight.toml").read_text())
    settings = parse_settings(written, tmp_path / "blotlight.toml", tmp_path)
    assert settings.board.orientation == Orientation(white_home="bottom-left", light=Player.BLACK)
    assert (settings.match.white, settings.match.length, settings.mode.value) == ("Ada", 3, "club")
    assert desk.is_over
    assert desk.is_kept


def test_a_home_that_was_chosen_is_left_to_the_start_position_again(desk, clock):
    look(desk, clock)
    say(desk, word="step", step="start")
    say(desk, word="sides", light="white", white_home="bottom-left")
    assert not look(desk, clock).start.shows_start
    say(desk, word="sides", light="white", white_home=None)
    assert desk.state.start is None
    assert look(desk, clock).start.is_well
    assert desk.state.draft.board.orientation == SEATING


def test_corners_stay_where_the_board_is_sought_in_vain(desk, table, clock):
    table.is_covered = True
    guessed = look(desk, clock).draft.board.corners_px
    table.is_covered = False
    say(desk, word="seek")
    found = look(desk, clock).draft.board.corners_px
    assert None not in (guessed, found)
    assert found != guessed
    table.is_covered = True
    say(desk, word="seek")
    assert look(desk, clock).draft.board.corners_px == found
    assert desk.state.refusal


def test_what_cannot_be_is_refused_and_changes_nothing(desk, table, clock, tmp_path):
    table.position = None
    assert look(desk, clock).refusal == table.problems[0]
    assert "put its four corners right" in say(desk, word="keep")
    assert not desk.is_over
    table.position = Position.START
    board = look(desk, clock).draft.board
    corners = [list(corner) for corner in board.corners_px]
    twisted = [corners[0], corners[2], corners[1], corners[3]]
    assert say(desk, word="place", corners_px=twisted, bar=list(board.bar)) != ""
    assert desk.state.draft.board == board
    say(desk, word="leave")
    assert desk.is_over
    assert not (tmp_path / "blotlight.toml").exists()


def test_corners_that_people_place_while_the_board_is_sought_stay(desk, clock):
    board = look(desk, clock).draft.board
    (x, y), *others = board.corners_px
    corners = [[x + 9.0, y], *map(list, others)]
    say(desk, word="seek")
    say(desk, word="place", corners_px=corners, bar=list(board.bar))
    assert [list(corner) for corner in look(desk, clock).draft.board.corners_px] == corners


def test_where_the_lens_was_focused_is_written(table, clock, tmp_path):
    file = tmp_path / "blotlight.toml"
    file.write_text("[camera]\nlens_dioptres = 9.0  # the old stand\n")
    settings = parse_settings(tomllib.loads(file.read_text()), file, tmp_path)
    assert settings.unfocused.camera.lens_dioptres is None
    devices = Devices(camera=table, dice=table, lights=(), lines=list, lens_dioptres=lambda: 1.3333)
    desk = SetupDesk(settings, file, devices, clock)
    look(desk, clock)
    say(desk, word="keep")
    assert desk.is_kept
    assert "lens_dioptres = 1.33  # the old stand\n" in file.read_text()
