"""What the loop of the service hands to the page at one moment: references to values that never change."""

from dataclasses import dataclass, field

from controller.commands.typed_commands import PLAYER_COLOURS, Names
from controller.perception.orientation import Orientation
from controller.record.match_settings import MatchSettings
from controller.referee import Effect, Lamp, RefereeState
from controller.service.display import NOTHING_ASKED, Asked, DeviceState
from controller.service.setup.setup_desk import SetupState
from hardware.camera import Frame
from vision.board_reading import BoardReading
from vision.geometry import BoardGeometry


@dataclass(frozen=True, kw_only=True)
class Told:
    """Something that people were told: an effect of the referee, or a sentence.

    number: from 1. names: of the players then.
    """

    number: int
    t_ms: int
    what: Effect | str
    names: Names = field(default_factory=lambda: PLAYER_COLOURS)


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """The last frame and what was read in it; None while the board is being learnt."""

    frame: Frame
    reading: BoardReading | None
    geometry: BoardGeometry | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Moment:
    """The game at one moment. told: the newest last. picture: None before the first frame.

    names: of the players. match: its settings; None where people may not name one. match_number: its number
    in the log; None where it has none. setup: the state of the set-up, while there is one.
    """

    t_ms: int
    state: RefereeState
    orientation: Orientation
    names: Names = field(default_factory=lambda: PLAYER_COLOURS)
    match: MatchSettings | None = None
    match_number: int | None = None
    lamps: tuple[Lamp, ...] = ()
    devices: tuple[DeviceState, ...] = ()
    asked: Asked = NOTHING_ASKED
    told: tuple[Told, ...] = ()
    picture: Picture | None = None
    setup: SetupState | None = None

    def shows_same_as(self, other: "Moment | None") -> bool:
        """Whether people would see the same, apart from the camera's picture."""
        return (
            other is not None
            and self.state is other.state
            and self.orientation == other.orientation
            and self.lamps == other.lamps
            and self.devices == other.devices
            and self.asked == other.asked
            and self.told == other.told
            and self.setup == other.setup
        )
