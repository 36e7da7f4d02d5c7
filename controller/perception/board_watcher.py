"""From frames to what the referee is told of the board: learns the board first, then reads it."""

from controller.perception.board_settings import BoardSettings
from controller.perception.orientation import Orientation
from controller.referee import BoardSeen
from controller.rules import Position
from hardware.camera import Frame
from vision.appearance.calibration import Calibration, Calibrator
from vision.board_reading import BoardReading
from vision.dice.dice_reader import DiceReader, SeenDie
from vision.geometry import BoardGeometry
from vision.locate.board_finder import BoardNotFound, find_board
from vision.read.board_reader import BoardReader

UNFURNISHED = (
    "No frame shows the start position at the given corners, so the checkers could not be learnt; "
    "check corners_px, white_home and light in recording.toml."
)
"""What to say of a recording from which the board could not be learnt."""


class BoardWatcher:
    """Reads frames of one board, once a frame has shown it furnished for the game.

    Where the settings give no corners the board is looked for in each frame until it has been learnt. Raises
    GeometryError at the first frame when the corners that they give do not lie in the picture.
    """

    def __init__(self, board: BoardSettings, furnished: Position = Position.START) -> None:
        self.orientation = board.orientation
        """Who sits where; known once the board has been learnt."""
        self._board = board
        self._furnished = furnished
        self.began_with: Position | None = None
        """What the board showed when it was first read, None before."""
        self._found: BoardGeometry | None = None
        self._calibrators: dict[tuple[Position, Orientation], Calibrator] = {}
        self._reader: BoardReader | None = None
        self._dice_reader = DiceReader()
        self._dice: tuple[BoardReading, tuple[SeenDie, ...] | None] | None = None
        self.reading: BoardReading | None = None
        """What the last frame showed, None while the board is being learnt."""

    @property
    def calibrated(self) -> bool:
        return self._reader is not None

    @property
    def geometry(self) -> BoardGeometry | None:
        """Where the board lies in the last frame, None while the board is being learnt."""
        return self._reader.geometry if self._reader else None

    def observe_frame(self, frame: Frame) -> BoardSeen | None:
        """What the frame shows; None while the board is being learnt or when the frame cannot be read."""
        if self._reader is None:
            calibration = self._learn(frame)
            if calibration is None:
                return None
            self._reader = BoardReader(calibration=calibration)
        self.reading = self._reader.read(frame.image_bgr, frame.t_ms)
        if self.reading.refused:
            return None
        return self.orientation.board_seen(self.reading, frame.t_ms)

    def dice_on_field(self, frame: Frame) -> tuple[SeenDie, ...] | None:
        """The dice on the field in the frame last looked at; None when a hand or a blur keeps them hidden."""
        if self.reading is None or self.geometry is None or self.reading.refused or self.reading.hand:
            return None
        if self._dice is None or self._dice[0] is not self.reading:
            self._dice = self.reading, self._dice_reader.read(frame.image_bgr, self.geometry)
        return self._dice[1]

    @property
    def _candidates(self) -> tuple[tuple[Position, Orientation], ...]:
        """What the board may show furnished, and who may sit where."""
        return tuple((self._furnished, orientation) for orientation in self._board.orientations)

    def _learn(self, frame: Frame) -> Calibration | None:
        """What is learnt from this frame, if it shows the board furnished."""
        height, width = frame.image_bgr.shape[:2]
        told = self._board.geometry((width, height))
        if told:
            return self._learn_at(told, frame)
        learnt = self._learn_at(self._found, frame) if self._found else None
        if learnt is None:
            try:
                self._found = find_board(frame.image_bgr).geometry
            except BoardNotFound:
                return None
            self._calibrators = {}
            learnt = self._learn_at(self._found, frame)
        return learnt

    def _learn_at(self, geometry: BoardGeometry, frame: Frame) -> Calibration | None:
        for position, orientation in self._candidates:
            if not (any(position.white[1:]) and any(position.black[1:])):
                continue
            calibrator = self._calibrators.get((position, orientation))
            if calibrator is None:
                calibrator = Calibrator(geometry=geometry, start_counts=orientation.counts(position))
                self._calibrators[position, orientation] = calibrator
            learnt = calibrator.offer(frame.image_bgr, frame.t_ms)
            if learnt is not None:
                self.began_with, self.orientation = position, orientation
                return learnt
        return None
