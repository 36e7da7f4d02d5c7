"""The referee: holds the true game through everything seen and heard at the table.

`step(state, event) -> (state, effects)` is pure; clocks, cameras and wires stay outside.
"""

from controller.referee.effects import Effect as Effect
from controller.referee.effects import GameWon as GameWon
from controller.referee.effects import Lamp as Lamp
from controller.referee.effects import LampsChanged as LampsChanged
from controller.referee.effects import Meaning as Meaning
from controller.referee.effects import OffenceEnded as OffenceEnded
from controller.referee.effects import OffenceShown as OffenceShown
from controller.referee.effects import Question as Question
from controller.referee.effects import Recorded as Recorded
from controller.referee.effects import Refused as Refused
from controller.referee.effects import RollCalled as RollCalled
from controller.referee.events import BoardSeen as BoardSeen
from controller.referee.events import Corrected as Corrected
from controller.referee.events import Done as Done
from controller.referee.events import Event as Event
from controller.referee.events import Finished as Finished
from controller.referee.events import Said as Said
from controller.referee.events import Started as Started
from controller.referee.half_turn import HalfTurn as HalfTurn
from controller.referee.referee import step as step
from controller.referee.state import Phase as Phase
from controller.referee.state import Settings as Settings
from controller.referee.state import State as State
