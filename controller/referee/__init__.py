"""The referee: works out the game from what camera, dice sensor and people report.

`step(state, event) -> (state, effects)` is pure; clocks, cameras and wires stay outside.
"""

from controller.referee.decisions.announcements import last_recordings as last_recordings
from controller.referee.decisions.judging import recorded_offences as recorded_offences
from controller.referee.effects import CommandRefused as CommandRefused
from controller.referee.effects import Effect as Effect
from controller.referee.effects import GameWon as GameWon
from controller.referee.effects import Lamp as Lamp
from controller.referee.effects import LampsChanged as LampsChanged
from controller.referee.effects import Meaning as Meaning
from controller.referee.effects import Mode as Mode
from controller.referee.effects import OffenceEnded as OffenceEnded
from controller.referee.effects import OffenceShown as OffenceShown
from controller.referee.effects import Question as Question
from controller.referee.effects import RollCalled as RollCalled
from controller.referee.effects import TurnRecorded as TurnRecorded
from controller.referee.events import ActionDeclared as ActionDeclared
from controller.referee.events import BoardSeen as BoardSeen
from controller.referee.events import DonePressed as DonePressed
from controller.referee.events import Event as Event
from controller.referee.events import GameRestored as GameRestored
from controller.referee.events import GameStarted as GameStarted
from controller.referee.events import InputEnded as InputEnded
from controller.referee.events import MatchBegan as MatchBegan
from controller.referee.events import PlayTakenBack as PlayTakenBack
from controller.referee.events import RollDropped as RollDropped
from controller.referee.events import TurnCorrected as TurnCorrected
from controller.referee.events import UndoPressed as UndoPressed
from controller.referee.half_turn import HalfTurn as HalfTurn
from controller.referee.referee import UnexpectedEventError as UnexpectedEventError
from controller.referee.referee import step as step
from controller.referee.state import RefereePhase as RefereePhase
from controller.referee.state import RefereeSettings as RefereeSettings
from controller.referee.state import RefereeState as RefereeState
