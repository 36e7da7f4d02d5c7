"""People fill a row before they lay checkers on others: where a row has room, all its checkers are visible.

This holds on a board that was learnt from its start position. In a photograph a wall may hide checkers.
"""

from dataclasses import replace

import numpy as np

from vision.board_reading import MAX_COUNT, BoardReading
from vision.geometry import ROW_LENGTH, BoardGeometry

ROOM_FOR = 4
"""Checkers for which a point's row has room on every board; guess."""
FIELD_MIDDLE = 0.5
"""How far a row may reach, in field heights: opposite rows of five must not meet."""
PILED_EARLY_SHARE = 0.1
"""How often checkers lie on others while the row has room, over how often the networks assume it: they were
trained on boards on which people pile anyhow. Guess: on 31 recordings, in sight, 0.01 to 0.3 give the same
counts; on ten of them the true counts are likeliest at 0.03 to 0.1."""


def room_in_row(geometry: BoardGeometry) -> int:
    """The number of checkers for which a row has room: a full row if it ends before the field's middle."""
    return ROW_LENGTH if geometry.row_reach(ROW_LENGTH) <= FIELD_MIDDLE else ROOM_FOR


def with_rows_filled_first(reading: BoardReading, room: int) -> BoardReading:
    """Lower the likelihood of more checkers than are visible on a point whose row still has room.

    Points with both colours are left as they are: their rows count only one of the colours.
    room: the number of checkers for which a row has room.
    """
    counts = np.arange(-MAX_COUNT, MAX_COUNT + 1)
    seen = counts[reading.points.argmax(axis=1)][:, None]
    piled = (np.abs(counts) > np.abs(seen)) & (counts * seen > 0) & (np.abs(seen) < room)
    piled[sorted(reading.mixed)] = False
    weighed = reading.points + np.where(piled, np.log(PILED_EARLY_SHARE), 0.0)
    return replace(reading, points=weighed - np.logaddexp.reduce(weighed, axis=1)[:, None])
