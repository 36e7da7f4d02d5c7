"""Tells from the opening throw who has which checkers, where their colours leave it open."""

from controller.perception.orientation import Orientation
from controller.referee import RefereePhase, RefereeState
from controller.rules import Player
from vision.board_reading import BoardReading

EXCHANGED_FROM_NATS = 5.0
"""How much likelier the board must be with the players exchanged. Nats; guess."""
UNPLAYED_NATS = -10.0
"""Log-prior of dice that are taken up before they were played. Nats; guess."""


def opening_shows_exchange(
    reading: BoardReading, orientation: Orientation, state: RefereeState, *, is_played: bool
) -> bool:
    """Whether a reading shows a play of the opening throw only if the players are exchanged.

    Die 1 is White's, and the higher die begins. A start position that is the same for both sides looks the
    same with the players exchanged, so that only the first play shows it. is_played: whether the dice are
    taken up, so that the throw has been played.
    """
    faces = state.tray.roll
    lies = state.sensor and state.from_opening and state.phase is RefereePhase.ROLLED and not state.record
    if not lies or faces is None or reading.hand:
        return False
    white, black = faces
    start = state.rules.start(Player.WHITE if white > black else Player.BLACK)
    if start.position.white != start.position.black:
        return False
    boards = {play.result: 0.0 for play in state.rules.plays(start, state.rolls[0])}
    boards.setdefault(start.position, UNPLAYED_NATS if is_played else 0.0)

    def likeliest_nats(one: Orientation) -> float:
        return max(reading.log_likelihood(one.counts(board)) + prior for board, prior in boards.items())

    return likeliest_nats(orientation.exchanged) - likeliest_nats(orientation) > EXCHANGED_FROM_NATS
