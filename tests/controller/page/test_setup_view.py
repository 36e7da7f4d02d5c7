"""What the page shows of a set-up."""

from dataclasses import replace

import pytest

from controller.page.setup_view import setup_view
from controller.perception.board_drawing import drawn_board
from controller.perception.board_settings import BoardSettings
from controller.perception.orientation import Orientation
from controller.record.match_settings import MatchSettings
from controller.referee.effects import Mode
from controller.rules import Position
from controller.service.setup.dice_test import ThrownDice
from controller.service.setup.setup_desk import LampWalk, SetupDraft, SetupState
from controller.service.setup.setup_words import SetupStep
from controller.service.setup.start_check import StartCheck, WrongPlace
from hardware.device_checks import CheckStatus, Finding

SEATED = Orientation(white_home="top-left")
BOARD = BoardSettings(corners_px=None, bar=(0.46, 0.54), orientation=Orientation(), home_known=False)
NEW = SetupState(step=SetupStep.BOARD, draft=SetupDraft(board=BOARD, match=MatchSettings(), mode=Mode.CLUB))
WRONG = tuple(WrongPlace(place=place, point=place + 1, due=2, seen=0) for place in range(3))


def marks(**more):
    steps = setup_view(replace(NEW, **more)).steps
    return {step.name: step.mark for step in steps if step.mark}


@pytest.mark.parametrize(
    ("status", "mark"), [(CheckStatus.OK, "well"), (CheckStatus.WRONG, "ill")], ids=["well", "ill"]
)
def test_a_step_is_marked_by_what_was_found_there(status, mark):
    assert marks() == {}
    assert marks(board=Finding(part="board", state=status, words="")) == {"board": mark}


def test_what_people_have_done_marks_its_step():
    assert marks(has_lights=True) == {}
    assert marks(draft=replace(NEW.draft, order=tuple(range(28)))) == {"lights": "well"}
    assert marks(draft=replace(NEW.draft, is_named=True)) == {"match": "well"}
    assert marks(dice=ThrownDice(faces=(3,))) == {}
    assert marks(dice=ThrownDice(is_well=True)) == {"dice": "well"}


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ((), {"sides": "well", "start": "well"}),
        (WRONG[:1], {"sides": "well", "start": "ill"}),
        (WRONG * 4, {"start": "ill"}),
    ],
    ids=["start", "nearly", "another board"],
)
def test_a_board_that_is_nearly_set_up_shows_the_sides(wrong, found):
    assert marks(start=StartCheck(orientation=SEATED, wrong=wrong)) == found


def test_the_start_position_is_shown_as_it_lies_while_nobody_has_chosen_a_home():
    found = setup_view(replace(NEW, start=StartCheck(orientation=SEATED)))
    assert found.home == ""
    assert found.board == drawn_board(Position.START, SEATED)


def test_during_a_walk_its_lamp_alone_is_shown():
    start = StartCheck(orientation=SEATED, wrong=WRONG)
    found = setup_view(replace(NEW, start=start))
    assert ([lamp.place for lamp in found.lamps], found.lamp) == ([0, 1, 2], -1)
    found = setup_view(replace(NEW, start=start, walk=LampWalk(place=0, n_seen=0, n=28)))
    assert ([lamp.place for lamp in found.lamps], found.lamp, found.is_walking) == ([0], 0, True)
