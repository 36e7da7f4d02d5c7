"""From frames to what the referee is told of the board: learns the board first, then reads it."""

from controller.recording import BoardSettings
from controller.referee import BoardSeen
from controller.rules import Position
from controller.seating import Seating
from hardware.camera import Frame
from vision.calibration import Calibration, Calibrator
from vision.geometry import BoardGeometry
from vision.reader import BoardReader
from vision.reading import BoardReading


class Eyes:
    """Reads frames of one board, once a frame has shown it furnished for the game.

    Raises GeometryError at the first frame when the board's corners do not lie in the picture.
    """

    def __init__(self, board: BoardSettings, furnished: Position = Position.START) -> None:
        self._board = board
        self._start_counts = board.seating.counts(furnished)
        self._calibrator: Calibrator | None = None
        self._reader: BoardReader | None = None
        self.reading: BoardReading | None = None
        """What the last frame showed, None while the board is being learnt."""

    @property
    def seating(self) -> Seating:
        return self._board.seating

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
        return self._board.seating.sighting(self.reading, frame.t_ms)

    def _learn(self, frame: Frame) -> Calibration | None:
        if self._calibrator is None:
            height, width = frame.image_bgr.shape[:2]
            geometry = self._board.geometry((width, height))
            self._calibrator = Calibrator(geometry=geometry, start_counts=self._start_counts)
        return self._calibrator.offer(frame.image_bgr, frame.t_ms)
