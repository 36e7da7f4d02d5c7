"""Whatever went wrong, the record finds back to the board within three half-turns that are plainly seen."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from controller.referee.inference.continuing import lawful_turn
from controller.referee.inference.histories import likeliest_history
from controller.rules import Dice, Player, Position, legal_plays
from tests.benchmarks.players import sensibly
from tests.controller.referee.table import Table, board

SOON = 3
"""Half-turns within which the record must be right again."""


class PlayedGame:
    """A game that two sensible players play, from a board that they came to before."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(f"{seed} coming back")
        self.board, self.player = Position.START, self.chance.choice(tuple(Player))
        self.plays = legal_plays(self.board, self.player, Dice(3, 1))
        for _ in range(self.chance.randrange(40)):
            self.advance()
            if self.board.winner:
                self.board = Position.START
        self.table = Table(self.board, on_roll=self.player)
        self.table.show(str(self.board))

    def advance(self) -> tuple[int, int]:
        """One half-turn is played; its faces."""
        faces = self.chance.randint(1, 6), self.chance.randint(1, 6)
        self.plays = legal_plays(self.board, self.player, Dice(*faces))
        self.board = sensibly(self.plays, self.chance).result
        self.player = self.player.opponent
        return faces

    def play(self) -> None:
        """One half-turn is played, heard and seen."""
        self.table.play(*self.advance(), str(self.board))
        self.table.show(str(self.board))

    def another(self) -> Position:
        """The board after another play of the last roll; the same if there is none."""
        others = sorted({play.result for play in self.plays} - {self.board}, key=lambda board: board.packed)
        return self.chance.choice(others) if others else self.board

    @property
    def is_known(self) -> bool:
        """Whether the record's last half-turn is the one that was played last."""
        record = self.table.state.record
        return bool(record) and (record[-1].player.opponent, record[-1].position) == (self.player, self.board)


def half_turn_missed(game: PlayedGame) -> None:
    game.advance()
    game.table.t_ms += 6000


def play_unseen(game: PlayedGame) -> None:
    game.table.t_ms += 2000
    game.table.roll(*game.advance())
    game.table.t_ms += 3000
    game.table.lift()


def two_plays_unseen(game: PlayedGame) -> None:
    play_unseen(game)
    play_unseen(game)


def roll_missed(game: PlayedGame) -> None:
    game.advance()
    game.table.t_ms += 2000
    game.table.show(str(game.board))


def die_misread(game: PlayedGame) -> None:
    first, second = game.advance()
    wrong = game.chance.choice([face for face in range(1, 7) if face not in (first, second)])
    game.table.play(wrong, second, str(game.board))
    game.table.show(str(game.board))


def seen_otherwise(game: PlayedGame) -> None:
    """The board reads as after another play, until somebody touches it again."""
    faces = game.advance()
    other = str(game.another())
    game.table.play(*faces, other)
    game.table.show(other)


def believed_otherwise(game: PlayedGame) -> None:
    """Every course that the referee follows has another play."""
    game.play()
    top = likeliest_history(game.table.state.histories)
    other = game.another()
    if top.parent is None or top.turn is None or top.turn.dice is None or other == game.board:
        return
    play = top.parent.plays(top.turn.dice).leading_to(other)[0]
    turn = lawful_turn(top.parent, top.turn.dice, play, top.turn.t_ms, inferred=False)
    wrong = top.parent.after_turn(turn, 0.0, 0.0)
    game.table.state = replace(game.table.state, histories=(wrong,))


MISHAPS = (
    half_turn_missed,
    play_unseen,
    two_plays_unseen,
    roll_missed,
    die_misread,
    seen_otherwise,
    believed_otherwise,
)


def turns_until_known(mishap: Callable[[PlayedGame], None], seed: int) -> int | None:
    """After how many plainly seen half-turns the record is right, and stays so; None if later than `SOON`."""
    game = PlayedGame(seed)
    for _ in range(2):
        game.play()
    mishap(game)
    known = []
    for _ in range(SOON + 1):
        if game.board.winner:
            return 0
        game.play()
        known.append(game.is_known)
    return next((n for n in range(1, SOON + 1) if all(known[n - 1 :])), None)


@pytest.mark.parametrize("mishap", MISHAPS, ids=lambda mishap: mishap.__name__)
@pytest.mark.parametrize("seed", range(4))
def test_the_record_is_mended_within_three_half_turns(mishap, seed):
    assert turns_until_known(mishap, seed) is not None


PLAYED = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2})
"""White has played 8/5 6/5."""
SLIPPED = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 7: 1, 8: 2, 13: 5, 24: 2})
"""A checker of Black's has slipped from his 8-point to his 7-point."""


def test_a_checker_knocked_before_the_dice_are_lifted_is_no_play():
    """White plays 8/5 6/5. A checker of Black's slips from his 8-point to his 7-point, and is put back."""
    table = Table()
    table.show(str(Position.START))
    table.roll(3, 1)
    table.show(PLAYED)
    table.show(SLIPPED)
    table.lift()
    for lying in (SLIPPED, PLAYED):
        table.show(lying)
        assert table.plays == ["white 31 8/5 6/5"]
        assert table.state.record[0].legal


def test_a_checker_knocked_after_a_play_lies_there_until_it_is_put_back():
    """The same slips after the dice were lifted, and is put back when Black has thrown."""
    table = Table()
    table.show(str(Position.START))
    table.play(3, 1, PLAYED)
    table.show(PLAYED)
    table.show(SLIPPED)
    assert table.state.shown == Position.parse(SLIPPED)
    table.roll(6, 4)
    table.show(SLIPPED)
    table.show(PLAYED)
    table.show(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}))
    table.lift()
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert table.state.record[1].legal


def test_a_course_pays_for_the_view_that_it_does_not_explain_once_the_board_is_touched():
    """White plays 8/5 6/5 in full sight. A course that was likelier has 24/20 instead."""
    table = Table()
    table.show(str(Position.START))
    table.play(3, 1, PLAYED)
    top = likeliest_history(table.state.histories)
    other = Position.parse(board({6: 5, 8: 3, 13: 5, 20: 1, 24: 1}, {6: 5, 8: 3, 13: 5, 24: 2}))
    play = top.parent.plays(Dice(3, 1)).leading_to(other)[0]
    turn = lawful_turn(top.parent, Dice(3, 1), play, top.turn.t_ms, inferred=False)
    wrong = top.parent.after_turn(turn, top.weight + 20, 0.0)
    table.state = replace(table.state, histories=(wrong, top))
    table.show(PLAYED)
    before = next(one for one in table.state.histories if one.position == other)
    table.show(SLIPPED)
    assert likeliest_history(table.state.histories).position == Position.parse(PLAYED)
    assert all(one.past_weight <= before.weight for one in table.state.histories if one.position == other)
