"""The reading of one picture, as `blotlight read` prints it."""

from dataclasses import dataclass, field

import numpy as np

from controller.perception.orientation import Orientation
from controller.rules import Player, Position, Situation, position_id, xgid
from sentences import say
from vision.board_reading import BAR_PLACE, PLACES_IN_ROW, BoardReading


@dataclass(frozen=True)
class BoardReport:
    """A reading with its orientation. on_roll: the player on roll, used only for the IDs."""

    reading: BoardReading
    orientation: Orientation = field(default_factory=Orientation)
    on_roll: Player = Player.WHITE

    @property
    def confidence(self) -> float:
        """The probability (0 to 1) that the whole reading is right."""
        if self.reading.refused:
            return 0.0
        bar = np.exp(self.reading.bar.max(axis=1))
        return float(np.prod(self.reading.confidences()) * np.prod(bar))

    @property
    def hidden_by(self) -> str | None:
        """What hides places: "hand" or "thing". None if no place is hidden, or the picture is refused."""
        if self.reading.refused or not self.reading.unseen:
            return None
        return "hand" if self.reading.hand else "thing"

    @property
    def position(self) -> Position | None:
        """The position; invisible checkers count as borne off. None if not all was read, or if impossible."""
        if self.reading.refused or self.reading.unseen:
            return None
        position = self.orientation.position(self.reading)
        return None if position.problems() else position

    def as_json(self) -> dict[str, object]:
        """The keys of `blotlight read --json`; what was not read is null."""
        reading, position, places = self.reading, self.position, self._place_texts(None)
        light, dark = reading.bar_counts()
        refused = reading.refused is not None
        return {
            "hand": reading.hand,
            "top": None if refused else places[:PLACES_IN_ROW],
            "bottom": None if refused else places[PLACES_IN_ROW:],
            "bar": None if refused or BAR_PLACE in reading.unseen else {"light": light, "dark": dark},
            "hidden_by": self.hidden_by,
            "dice": list(reading.dice),
            "refused": reading.refused,
            "confidence": round(self.confidence, 4),
            "place_confidence": [round(value, 4) for value in reading.confidences()],
            "position": position and str(position),
            "position_id": position and position_id(position, self.on_roll),
            "xgid": position and xgid(Situation(position=position, on_roll=self.on_roll)),
        }

    def _place_texts(self, unseen: str | None) -> list[str | None]:
        """What lies on each of the 24 places; `unseen` for those that are not seen."""
        return [
            unseen if place in self.reading.unseen else place_text(count)
            for place, count in enumerate(self.reading.counts())
        ]

    def as_text(self) -> str:
        """Two rows of places, the bar and the IDs; or the reason why the picture cannot be read."""
        if self.reading.refused:
            return say("photograph_refused", problem=self.reading.refused)
        light, dark = self.reading.bar_counts()
        texts = self._place_texts("?")
        rows = [
            " ".join(f"{text:>3}" for text in row) for row in (texts[:PLACES_IN_ROW], texts[PLACES_IN_ROW:])
        ]
        bar = say("bar_holds", light=light, dark=dark)
        lines = [
            *rows,
            say("bar_hidden") if BAR_PLACE in self.reading.unseen else bar,
            say("confidence_is", confidence=self.confidence),
        ]
        if self.position:
            lines.append(say("position_id_is", id=position_id(self.position, self.on_roll)))
            lines.append(xgid(Situation(position=self.position, on_roll=self.on_roll)))
        return "\n".join(lines)

    def as_line(self) -> str:
        """ID and confidence in one line, for one picture among many."""
        if self.reading.refused:
            return say("refused_is", problem=self.reading.refused)
        found = position_id(self.position, self.on_roll) if self.position else say("no_position")
        return f"{found}  {self.confidence:4.0%}{'  hand' if self.reading.hand else ''}"


def place_text(count: int) -> str:
    """What lies on a place: "0", "5L" for five light, "2D" for two dark checkers."""
    return f"{count}L" if count > 0 else f"{-count}D" if count else "0"
