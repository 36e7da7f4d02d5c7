"""From frames to what the referee is told of the board: learns the board first, then reads it."""

from controller.recording import BoardSettings
from controller.referee import BoardSeen
from controller.rules import Position
from controller.seating import Seating
from hardware.camera import Frame
from vision.calibration import Calibration, Calibrator
from vision.dice import DiceReader, SeenDie
from vision.geometry import BoardGeometry
from vision.reader import BoardReader
from vision.reading import BoardReading


class Eyes:
    """Reads frames of one board, once a frame has shown it furnished for the game.

    Raises GeometryError at the first frame when the board's corners do not lie in the picture.
    """

    def __init__(self, board: BoardSettings, furnished: Position = Position.START) -> None:
        self.seating = board.seating
        """Who sits where; known once the board has been learnt."""
        self._board = board
        self._furnished = furnished
        self._calibrators: dict[Seating, Calibrator] = {}
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

    def look(self, frame: Frame) -> BoardSeen | None:
        """What the frame shows; None while the board is being learnt or when the frame cannot be read."""
        if self._reader is None:
            calibration = self._learn(frame)
            if calibration is None:
                return None
            self._reader = BoardReader(calibration=calibration)
        self.reading = self._reader.read(frame.image_bgr, frame.t_ms)
        if self.reading.refused:
            return None
        return self.seating.sighting(self.reading, frame.t_ms)

    def dice(self, frame: Frame) -> tuple[SeenDie, ...] | None:
        """The dice on the field in the frame last looked at; None when a hand or a blur keeps them hidden."""
        if self.reading is None or self.geometry is None or self.reading.refused or self.reading.hand:
            return None
        if self._dice is None or self._dice[0] is not self.reading:
            self._dice = self.reading, self._dice_reader.read(frame.image_bgr, self.geometry)
        return self._dice[1]

    def _learn(self, frame: Frame) -> Calibration | None:
        height, width = frame.image_bgr.shape[:2]
        for seating in self._board.seatings:
            if seating not in self._calibrators:
                geometry = self._board.geometry((width, height))
                counts = seating.counts(self._furnished)
                self._calibrators[seating] = Calibrator(geometry=geometry, start_counts=counts)
            calibration = self._calibrators[seating].offer(frame.image_bgr, frame.t_ms)
            if calibration is not None:
                self.seating = seating
                return calibration
        return None
