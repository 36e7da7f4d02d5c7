"""What was learnt of a board is kept, tried at the next start, and learnt anew when it does not fit."""

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import PATIENCE_MS, SavedCalibration
from controller.rules import Dice, Player, Position, legal_plays
from controller.simulation.screenplay import drawn_board_settings, scene_of
from hardware.camera import Frame
from hardware.simulated.drawn_table import BOARD_LOOKS, BoardLook, draw_table

SEATING = Orientation()
CORK, FELT = BOARD_LOOKS[0], BOARD_LOOKS[1]


def frame(position: Position, look: BoardLook, t_ms: int, hand: int | None = None) -> Frame:
    return Frame(t_ms=t_ms, image_bgr=draw_table(scene_of(position, SEATING, hand), look, seed=t_ms))


def after(n_turns: int, seed: int = 3) -> Position:
    """The board after some half-turns chosen by chance."""
    chance = random.Random(seed)
    position, player = Position.START, Player.WHITE
    for _ in range(n_turns):
        dice = Dice(*sorted((chance.randint(1, 6), chance.randint(1, 6)), reverse=True))
        position = chance.choice(sorted(legal_plays(position, player, dice), key=str)).result
        player = player.opponent
    return position


class Stand:
    """A board watcher over a board, opened anew at will over the same disk."""

    def __init__(self, folder) -> None:
        self.path = folder / "board.npz"
        self.said: list[str] = []

    def watcher(
        self,
        known: Position = Position.START,
        look: BoardLook = CORK,
        *,
        entering: bool = False,
        home_known: bool = True,
    ) -> SavedCalibration:
        board = replace(drawn_board_settings(look, SEATING), home_known=home_known)
        return SavedCalibration(board, self.path, Position.START, known, self.said.append, entering=entering)

    def learn(self) -> None:
        assert self.watcher().observe_frame(frame(Position.START, CORK, 0))
        assert self.path.exists()


def looked_long(watcher: SavedCalibration, position: Position) -> bool:
    """Whether the board is read within five seconds: what lies beside it is taken for a hand at first."""
    return any(watcher.observe_frame(frame(position, CORK, t_ms)) for t_ms in range(0, 5001, 500))


@pytest.fixture
def stand(tmp_path):
    return Stand(tmp_path)


def test_a_game_under_way_is_read_at_once_by_what_was_learnt_before(stand):
    stand.learn()
    watcher = stand.watcher(known=after(6))
    assert watcher.observe_frame(frame(after(6), CORK, 0))
    assert watcher.began_with == after(6)
    assert stand.said == []


def test_it_also_fits_a_board_that_was_moved_on_meanwhile(stand):
    stand.learn()
    watcher = stand.watcher(known=after(6))
    assert watcher.observe_frame(frame(after(8), CORK, 0))
    assert watcher.orientation.position(watcher.reading) == after(8)


@pytest.mark.parametrize("n_turns", [0, 2, 6, 7])
def test_a_play_made_meanwhile_does_not_spoil_what_was_learnt(stand, n_turns):
    stand.learn()
    watcher = stand.watcher(known=after(n_turns))
    assert watcher.observe_frame(frame(after(n_turns + 1), CORK, 0))
    assert watcher.orientation.position(watcher.reading) == after(n_turns + 1)


@pytest.mark.parametrize("home_known", [True, False])
def test_a_bare_board_begins_a_game_whose_checkers_are_entered_if_it_is_known_who_sits_where(
    stand, home_known
):
    stand.learn()
    bare = Position.of(Player.WHITE, (15, *25 * (0,)), (15, *25 * (0,)))
    watcher = stand.watcher(known=bare, entering=True, home_known=home_known)
    assert looked_long(watcher, bare) is home_known
    assert watcher.began_with == (bare if home_known else None)


def test_four_checkers_may_have_been_entered_meanwhile(stand):
    stand.learn()
    known = Position.of(Player.WHITE, (13, *22 * (0,), 1, 1, 0), (15, *25 * (0,)))
    seen = Position.of(Player.WHITE, (11, *21 * (0,), 1, 2, 1, 0), (13, *22 * (0,), 2, 0, 0))
    assert looked_long(stand.watcher(known=known, entering=True), seen)
    assert not looked_long(stand.watcher(known=known), seen)


def test_the_board_after_the_first_play_goes_on_with_the_game_though_it_is_much_like_the_start(stand):
    stand.learn()
    watcher = stand.watcher(known=after(1))
    assert watcher.observe_frame(frame(after(1), CORK, 0))
    assert watcher.began_with == after(1)


def test_a_board_furnished_after_the_first_play_begins_a_new_game(stand):
    stand.learn()
    watcher = stand.watcher(known=after(1))
    assert watcher.observe_frame(frame(Position.START, CORK, 0))
    assert watcher.began_with == Position.START


def test_a_hand_over_the_board_decides_nothing(stand):
    stand.learn()
    watcher = stand.watcher(known=after(6))
    assert watcher.observe_frame(frame(after(6), CORK, 0, hand=12)) is None
    assert watcher.observe_frame(frame(after(6), CORK, 500))


def black(picture):
    return np.zeros_like(picture)


def out_of_focus(picture):
    return cv2.GaussianBlur(picture, (0, 0), 15)


@pytest.mark.parametrize("spoilt", [black, out_of_focus])
def test_the_first_pictures_of_a_camera_decide_nothing_while_they_show_nothing(stand, spoilt):
    stand.learn()
    watcher = stand.watcher(known=after(6))
    whole = frame(after(8), CORK, 0)
    assert watcher.observe_frame(replace(whole, image_bgr=spoilt(whole.image_bgr))) is None
    assert watcher.observe_frame(frame(after(8), CORK, 500))
    assert watcher.orientation.position(watcher.reading) == after(8)
    assert stand.said == []


def test_a_camera_of_another_picture_size_is_said(stand):
    stand.learn()
    board = replace(drawn_board_settings(CORK, SEATING), corners_px=None)
    watcher = SavedCalibration(board, stand.path, Position.START, after(6), stand.said.append)
    small = cv2.resize(frame(after(6), CORK, 0).image_bgr, (960, 540))
    watcher.observe_frame(Frame(t_ms=0, image_bgr=small))
    assert len(stand.said) == 1
    assert "not 1280 x 720 pixels" in stand.said[0]


def test_a_board_furnished_for_a_new_game_is_known_as_such(stand):
    stand.learn()
    watcher = stand.watcher(known=after(6))
    assert watcher.observe_frame(frame(Position.START, CORK, 0))
    assert watcher.began_with == Position.START


def test_another_board_at_the_same_place_is_learnt_anew(stand):
    stand.learn()
    before = stand.path.read_bytes()
    other = replace(FELT, height_mm=CORK.height_mm, beside_mm=CORK.beside_mm)
    watcher = stand.watcher(known=after(6))
    assert watcher.observe_frame(frame(after(6), other, 0))
    assert watcher.began_with == after(6)
    assert stand.path.read_bytes() != before
    right = zip(watcher.reading.counts(), SEATING.counts(after(6)), strict=True)
    assert sum(seen == lies for seen, lies in right) >= 23


def test_corners_that_were_changed_in_the_settings_are_said(stand):
    stand.learn()
    watcher = stand.watcher(look=FELT)
    assert watcher.observe_frame(frame(Position.START, FELT, 0))
    assert stand.said == [
        "The corners are not those that the board was learnt with; it is learnt anew from the start position."
    ]


def test_a_file_that_holds_something_else_is_said(stand):
    stand.path.write_bytes(b"no calibration")
    assert stand.watcher().observe_frame(frame(Position.START, CORK, 0))
    (said,) = stand.said
    assert said.removeprefix(str(stand.path)) == (
        " is damaged or cannot be read, so the board is learnt anew: lay it as the start position."
    )


def test_a_disk_that_refuses_leaves_what_was_kept_and_is_said(stand):
    stand.learn()
    before = stand.path.read_bytes()
    stand.path.with_name("new-board.npz").mkdir()  # something is in the way
    assert stand.watcher(look=FELT).observe_frame(frame(Position.START, FELT, 0))
    assert stand.path.read_bytes() == before
    assert stand.said[-1].startswith("What was learnt of the board cannot be kept (Is a directory)")


def test_a_board_that_is_not_laid_as_it_should_be_is_asked_for_once(stand):
    watcher = stand.watcher(known=after(6))
    for t_ms in range(0, 2 * PATIENCE_MS, 4000):
        assert watcher.observe_frame(frame(after(20, seed=9), CORK, t_ms)) is None
    assert stand.said == [
        "The board does not look as it should: lay it as when the game stopped, or the start position for a "
        "new one and keep hands away."
    ]
