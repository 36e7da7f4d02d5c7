"""Tests whether the tray reports thrown dice, or the picture shows them."""

from dataclasses import dataclass

from hardware.camera import Image
from hardware.dice_events import DiceEvent, DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from vision.dice.dice_reader import DiceReader, readable_faces
from vision.geometry import BoardGeometry


@dataclass(frozen=True, kw_only=True)
class ThrownDice:
    """The dice as they lie. has_tray: whether a tray reports them, not the picture. faces: those known.

    is_well: whether two faces were known at once since the test began; with a tray, after a die had moved.
    """

    has_tray: bool = False
    faces: tuple[int, ...] = ()
    is_well: bool = False


class DiceTest:
    """Follows the dice through the events of the tray and through pictures."""

    def __init__(self) -> None:
        self.thrown = ThrownDice()
        self._reader = DiceReader()
        self._lying: dict[int, int | None] = {}
        self._has_moved = False

    @property
    def has_tray(self) -> bool:
        return self.thrown.has_tray

    def hear(self, event: DiceEvent) -> None:
        """Take in an event of the tray."""
        match event:
            case SensorFound() | SensorLost():
                self._lying.clear()
                self.thrown = ThrownDice(has_tray=isinstance(event, SensorFound))
                return
            case DiceMoving(die=die):
                self._has_moved = True
                self._lying.pop(die, None)
            case DiceSettled(die=die, face=face):
                self._lying[die] = face
            case DiceLifted(die=die):
                self._lying.pop(die, None)
        faces = tuple(face for _, face in sorted(self._lying.items()) if face is not None)
        self._note(faces, counts=self._has_moved)

    def look(self, image_bgr: Image, geometry: BoardGeometry | None) -> None:
        """Take in the dice that a picture (h, w, 3) shows."""
        dice = self._reader.detect(image_bgr, geometry) if geometry else None
        if dice is not None:
            self._note(readable_faces(dice), counts=True)

    def _note(self, faces: tuple[int, ...], *, counts: bool) -> None:
        is_well = self.thrown.is_well or (counts and len(faces) == 2)
        self.thrown = ThrownDice(has_tray=self.thrown.has_tray, faces=faces, is_well=is_well)
