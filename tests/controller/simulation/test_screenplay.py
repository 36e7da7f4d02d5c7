"""The script of a game: which game of a file, in which order, and where the hand is."""

import pytest

from controller.errors import InputError
from controller.perception.orientation import Orientation
from controller.record.mat_writer import format_mat
from controller.record.match_record import GameRecord, MatchRecord
from controller.record.thrown_games import ThrownGame, format_thrown_game
from controller.rules import ENTERING_LAWS, EditedBoard, Game, Player, Position, Step, after_steps
from controller.simulation.game_files import load_screenplay
from controller.simulation.screenplay import Director, StagedTurn, film, scene_of
from tests.controller.referee.table import board

SEATING = Orientation()
W, B = Player.WHITE, Player.BLACK
LAST_MEN = Position.parse(board({6: 1, 25: 1}, {6: 1, 25: 1}))


@pytest.mark.parametrize(
    ("player", "step", "over"),
    [
        (W, Step(25, 20), (24, 20)),
        (B, Step(25, 20), (1, 5)),
        (W, Step(6, 0), (6, 1)),
        (B, Step(6, 0), (19, 24)),
    ],
)
def test_a_hand_is_over_the_place_that_a_checker_leaves_and_then_over_the_one_that_it_reaches(
    player, step, over
):
    """Over the points next to the bar and the tray for those that come from the one or go to the other."""
    director = Director(SEATING, LAST_MEN)
    director.carry_checkers(player, [step])
    hands = [arranged.scene.hand for arranged in director.script().scenes]
    assert hands == [None, *(SEATING.place(number) for number in over), None]


def test_a_play_that_is_taken_back_leaves_the_board_as_it_was_until_the_next_one():
    first, then = (Step(24, 18), Step(13, 10)), (Step(8, 5), Step(6, 5))
    script = film([StagedTurn(player=W, dice=(3, 1), steps=then, first=first)], SEATING)
    rested = [arranged.scene for arranged in script.scenes if arranged.scene.hand is None]
    boards = (Position.START, after_steps(Position.START, W, first), Position.START)
    assert rested == [scene_of(one, SEATING) for one in (*boards, after_steps(Position.START, W, then))]


def test_doublets_of_ones_choice_are_neither_thrown_nor_lifted():
    script = film([StagedTurn(player=W, dice=None, steps=(Step(8, 5), Step(6, 5)))], SEATING)
    assert script.dice == ()
    assert script.scenes[-1].scene == scene_of(
        after_steps(Position.START, W, (Step(8, 5), Step(6, 5))), SEATING
    )


def test_checkers_are_learnt_from_a_board_shown_before_the_game():
    begun = Position.parse(board({24: 1}, {24: 1}))
    script = film([], SEATING, start=begun, furnished=Position.START)
    rested = [arranged.scene for arranged in script.scenes if arranged.scene.hand is None]
    assert rested == [scene_of(one, SEATING) for one in (Position.START, begun)]
    assert film([], SEATING).scenes[-1].scene == scene_of(Position.START, SEATING)


TWO_GAMES = """\
 3 point match

 Game 1
 Ada : 0              Bert : 0
  1) 41: 13/9 24/23              53: 24/21 21/16*
      Wins 1 point

 Game 2
 Ada : 1              Bert : 0
  1) 64: 24/14                   31: 8/5 6/5
  2) 21: 13/11 6/5
"""


@pytest.mark.parametrize(
    ("number", "most", "dice"),
    [(1, None, [(4, 1), (5, 3)]), (2, None, [(6, 4), (3, 1), (2, 1)]), (2, 1, [(6, 4)])],
)
def test_the_game_of_a_match_that_is_asked_for_is_played_as_far_as_is_asked_for(tmp_path, number, most, dice):
    (tmp_path / "match.mat").write_text(TWO_GAMES)
    play = load_screenplay(tmp_path / "match.mat", number, most)
    assert play.problems == ()
    assert [turn.dice for turn in play.turns] == dice
    assert play.script(SEATING).dice[-1].state == "-"


@pytest.mark.parametrize("number", [0, 3])
def test_a_game_that_a_match_does_not_have_is_not_played(tmp_path, number):
    (tmp_path / "match.mat").write_text(TWO_GAMES)
    with pytest.raises(InputError, match=f"There is no game {number}: the match has 2"):
        load_screenplay(tmp_path / "match.mat", number)


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Game.new(), "nobody plays a roll in it"),
        (
            Game.new().push(EditedBoard(position=LAST_MEN, on_roll=W)),
            "its board is set up by hand before the first play",
        ),
    ],
    ids=["no play", "set up by hand"],
)
def test_a_game_without_a_play_to_film_is_refused_with_the_reason(tmp_path, game, why):
    record = MatchRecord(games=(GameRecord.of(game, (0, 0)),))
    (tmp_path / "match.mat").write_text(format_mat(record))
    with pytest.raises(InputError, match=f"Game 1 of .* cannot be filmed, for {why}: name another"):
        load_screenplay(tmp_path / "match.mat")


def test_a_game_by_throws_whose_first_dice_are_unknown_is_refused_with_the_reason(tmp_path):
    laws = ENTERING_LAWS["russian-cady"]
    game = ThrownGame(laws=laws, leader=W, white="Ada", black="Bert")
    for thrown, why in (
        (game, "nobody plays a roll in it"),
        (game.after_irregular(None, game.stand), "the dice of its first throw are not known"),
    ):
        (tmp_path / "game.jsonl").write_text(format_thrown_game(thrown))
        with pytest.raises(InputError, match=f"cannot be filmed, for {why}: name another"):
            load_screenplay(tmp_path / "game.jsonl")
