"""The page as a Display: what the loop of the service tells it goes to a feed. The loop never waits."""

from collections import deque
from collections.abc import Callable, Sequence

from controller.commands.typed_commands import PLAYER_COLOURS, Names
from controller.page.moment import Moment, Picture, Told
from controller.perception.board_watcher import BoardWatcher
from controller.perception.orientation import Orientation
from controller.record.match_settings import MatchSettings
from controller.referee import Effect, Lamp, LampsChanged, RefereeState
from controller.service.display import Asked, DeviceState, Display

KEPT_TELLINGS = 30
"""Newest sentences that the page shows. Guess."""


class PageDisplay:
    """Keeps what the page shows. publish: gets each moment, at once."""

    def __init__(self, publish: Callable[[Moment], None]) -> None:
        self.orientation = Orientation()
        self.lamps: tuple[Lamp, ...] = ()
        self._watcher: BoardWatcher | None = None
        self._names: Names = PLAYER_COLOURS
        self._match: MatchSettings | None = None
        self._number: Callable[[], int | None] = lambda: None
        self._publish = publish
        self._told: deque[Told] = deque(maxlen=KEPT_TELLINGS)
        self._n_told = 0

    def watch(
        self,
        watcher: BoardWatcher,
        orientation: Orientation,
        names: Names,
        match: MatchSettings | None = None,
        number: Callable[[], int | None] = lambda: None,
    ) -> None:
        """Show the game of these players from now on. watcher: gives the last frame.

        match: its settings; None where people may not name one. number: gives the number of the match in the
        log.
        """
        self._watcher, self.orientation, self._names = watcher, orientation, names
        self._match, self._number = match, number
        self.lamps = ()

    def note(self, effect: Effect) -> None:
        """Show one effect of the referee."""
        if isinstance(effect, LampsChanged):
            self.lamps = effect.lamps
        else:
            self._tell(effect.t_ms, effect)

    def say(self, t_ms: int, sentence: str) -> None:
        """Show a sentence that is no effect of the referee."""
        self._tell(t_ms, sentence)

    def _tell(self, t_ms: int, what: Effect | str) -> None:
        self._n_told += 1
        self._told.append(Told(number=self._n_told, t_ms=t_ms, what=what, names=dict(self._names)))

    def draw(self, state: RefereeState, t_ms: int, devices: Sequence[DeviceState], asked: Asked) -> None:
        """Publish the game at this moment."""
        watcher = self._watcher
        picture = None
        if watcher is not None and watcher.frame is not None:
            picture = Picture(frame=watcher.frame, reading=watcher.reading, geometry=watcher.geometry)
        self._publish(
            Moment(
                t_ms=t_ms,
                state=state,
                orientation=self.orientation,
                names=self._names,
                match=self._match,
                match_number=self._number(),
                lamps=self.lamps,
                devices=tuple(devices),
                asked=asked,
                told=tuple(self._told),
                picture=picture,
            )
        )

    def show_pages(self, lines: Sequence[str]) -> None:
        """Pages of help belong to the terminal."""

    def turn_page(self) -> None:
        """Pages of help belong to the terminal."""


class DisplayGroup:
    """Several displays of one game. What is said to it is said to each, in order."""

    def __init__(self, display: Display) -> None:
        self._displays = [display]

    def add(self, display: Display) -> None:
        self._displays.append(display)

    def remove(self, display: Display) -> None:
        self._displays.remove(display)

    @property
    def orientation(self) -> Orientation:
        return self._displays[0].orientation

    @orientation.setter
    def orientation(self, orientation: Orientation) -> None:
        for display in self._displays:
            display.orientation = orientation

    @property
    def lamps(self) -> tuple[Lamp, ...]:
        return self._displays[0].lamps

    @lamps.setter
    def lamps(self, lamps: tuple[Lamp, ...]) -> None:
        for display in self._displays:
            display.lamps = lamps

    def note(self, effect: Effect) -> None:
        for display in self._displays:
            display.note(effect)

    def say(self, t_ms: int, sentence: str) -> None:
        for display in self._displays:
            display.say(t_ms, sentence)

    def draw(self, state: RefereeState, t_ms: int, devices: Sequence[DeviceState], asked: Asked) -> None:
        for display in self._displays:
            display.draw(state, t_ms, devices, asked)

    def show_pages(self, lines: Sequence[str]) -> None:
        for display in self._displays:
            display.show_pages(lines)

    def turn_page(self) -> None:
        for display in self._displays:
            display.turn_page()
