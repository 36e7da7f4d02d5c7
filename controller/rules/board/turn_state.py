"""The state of a game between two throws: the board, and what the board does not show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntFlag

from controller.rules.board.position import BAR, OFF, Player, Position, PositionError
from sentences import say


class Marks(IntFlag):
    """What a player has done that still matters for later plays; the record writes the number."""

    NONE = 0
    HAD_DOUBLETS = 1
    """He has thrown his first doublets; set only under laws that withhold their complement."""
    ALL_ENTERED = 2
    """All his checkers have been entered."""
    MOVED_OUT = 4
    """The two checkers placed on his first point have left it, or he has placed none."""
    COVERED_TWELFTH = 8
    """He has covered his twelfth point."""


@dataclass(frozen=True, slots=True)
class TurnState:
    """The state of a game between two throws: everything that decides what may be played next.

    position: the board. Checkers not yet entered lie off it and are counted with those borne off.
    on_roll: who throws next.
    waiting: how many checkers of White and of Black are not yet entered.
    marks: the marks of White and of Black.
    choosing: the player on roll has played a deuce-ace and chooses doublets instead of throwing.
    """

    position: Position
    on_roll: Player
    waiting: tuple[int, int] = (0, 0)
    marks: tuple[Marks, Marks] = (Marks.NONE, Marks.NONE)
    choosing: bool = False

    def waiting_of(self, player: Player) -> int:
        """How many checkers of `player` have not yet been entered."""
        return self.waiting[player is Player.BLACK]

    def marks_of(self, player: Player) -> Marks:
        """The marks of `player`."""
        return self.marks[player is Player.BLACK]

    def borne(self, player: Player) -> int:
        """How many checkers `player` has borne off."""
        return self.position.side(player)[OFF] - self.waiting_of(player)

    @property
    def winner(self) -> Player | None:
        """Who has borne off all his checkers, or None."""
        for player in Player:
            on_board = sum(self.position.side(player)[1 : BAR + 1])
            if not on_board and not self.waiting_of(player) and self.borne(player):
                return player
        return None

    def on_board(self, position: Position) -> TurnState:
        """The same turn state with another board, as corrected by people or a camera.

        Of the checkers off the board, at most as many count as waiting as were waiting before.
        """
        white, black = (min(self.waiting_of(player), position.side(player)[OFF]) for player in Player)
        return replace(self, position=position, waiting=(white, black))

    @classmethod
    def parse(cls, text: str) -> TurnState:
        """Read the text that `str` gives; PositionError when it is no turn state."""
        try:
            board, player, due, waiting, marks = text.split()
            white, black = (int(number) for number in waiting.split("-"))
            white_marks, black_marks = (Marks(int(number)) for number in marks.split("-"))
            return cls(
                Position.parse(board),
                Player(player),
                (white, black),
                (white_marks, black_marks),
                choosing={"throws": False, "chooses": True}[due],
            )
        except PositionError:
            raise
        except (ValueError, KeyError) as error:
            raise PositionError(say("no_turn_state", text=text[:90], problem=error)) from None

    def __str__(self) -> str:
        """`WHITE:BLACK white throws 13-12 0-1`: board, who throws or chooses, checkers waiting, marks."""
        due = "chooses" if self.choosing else "throws"
        waiting = "-".join(map(str, self.waiting))
        marks = "-".join(str(int(mark)) for mark in self.marks)
        return f"{self.position} {self.on_roll.value} {due} {waiting} {marks}"
