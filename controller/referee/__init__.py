"""The referee: holds the true game through everything seen and heard at the table.

`step(state, event) -> (state, effects)` is pure; clocks, cameras and wires stay outside.
"""

from controller.referee.effects import (
    Effect,
    GameWon,
    Lamp,
    LampsChanged,
    Meaning,
    OffenceEnded,
    OffenceShown,
    Recorded,
    RollCalled,
)
from controller.referee.events import BoardSeen, Done, Event, Finished, Started
from controller.referee.referee import Phase, State, step
from controller.referee.turns import HalfTurn

__all__ = [
    "BoardSeen",
    "Done",
    "Effect",
    "Event",
    "Finished",
    "GameWon",
    "HalfTurn",
    "Lamp",
    "LampsChanged",
    "Meaning",
    "OffenceEnded",
    "OffenceShown",
    "Phase",
    "Recorded",
    "RollCalled",
    "Started",
    "State",
    "step",
]
