"""The IDs of the positions of a kept game, for other programs."""

from controller.record.match_record import GameRecord
from controller.rules import (
    DidNotThrow,
    EditedBoard,
    IllegalAction,
    Moved,
    MovedIrregularly,
    position_id,
    xgid,
)

NO_ID = ("", "")


def ids_of(record: GameRecord, n_turns: int, length: int) -> tuple[tuple[str, str], ...]:
    """(position ID, XGID) after each half-turn, for the player then on roll; ("", "") where there is none.

    record: as it stood, with `n_turns` half-turns. () where it has fewer, or an illegal action.
    """
    game, found = record.begun(), list[tuple[str, str]]()
    for action in record.actions:
        try:
            game = game.push(action)
        except IllegalAction:
            return ()
        if isinstance(action, Moved | MovedIrregularly | DidNotThrow | EditedBoard):
            try:
                situation = game.situation(length, record.score)
                found.append((position_id(situation.position, situation.on_roll), xgid(situation)))
            except ValueError:  # the game is over, or the board holds what no ID can
                found.append(NO_ID)
    return tuple(found[-n_turns:]) if n_turns and len(found) >= n_turns else ()
