"""The port through which the service shows the game to people, and the words that every display needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.perception.orientation import Orientation
from controller.referee import Effect, Lamp, Question, RefereePhase, RefereeState
from controller.referee.inference.corrections import CorrectionPreview
from controller.rules import GamePhase, Player
from sentences import Key, begun, say

NO_GAME_IN_HAND = {
    RefereePhase.IDLE: Key("no_game"),
    RefereePhase.BETWEEN: Key("between_games"),
    RefereePhase.OVER: Key("match_over"),
}
DEVICE_NAMES = {"camera": Key("camera"), "dice": Key("dice"), "lights": Key("lights")}


@dataclass(frozen=True, kw_only=True)
class DeviceState:
    """Whether a device is there, and since when. is_set_up: whether it is expected to be there.

    slow_a_second: pictures a second that the computer manages, if those are too few.
    """

    name: str
    is_here: bool
    since_ms: int
    is_set_up: bool = True
    slow_a_second: int | None = None


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What people are asked now. A field is None when they are not asked that.

    question: the last one of the referee. correction: the half-turn (from 0) that people want to correct, and
    what that would change; they choose between the board and their word. is_paused: the game waits until
    they say to go on.
    """

    question: Question | None = None
    correction: tuple[int, CorrectionPreview] | None = None
    is_paused: bool = False


NOTHING_ASKED = Asked()


class Display(Protocol):
    """Anything that shows a game being watched: a screen, a printed log.

    orientation: how the game lies in the picture; set once it is known. lamps: the lit lamps.
    """

    orientation: Orientation
    lamps: tuple[Lamp, ...]

    def note(self, effect: Effect) -> None:
        """Show one effect of the referee."""

    def say(self, t_ms: int, sentence: str) -> None:
        """Show a sentence that is no effect of the referee."""

    def draw(self, state: RefereeState, t_ms: int, devices: Sequence[DeviceState], asked: Asked) -> None:
        """Bring the display up to date with the state of game and devices, and with what people are asked."""

    def show_pages(self, lines: Sequence[str]) -> None:
        """Show a text that may fill several pages, from its beginning."""

    def turn_page(self) -> None:
        """Show the next page of that text; after the last one the game again."""


def turn_text(state: RefereeState, names: Mapping[Player, str], *, is_paused: bool = False) -> str:
    """Which half-turn of which game is being played, and what it waits for."""
    if is_paused:
        return say("paused_turn", turn=begun(turn_text(state, names)))
    if state.phase in NO_GAME_IN_HAND:
        return say(NO_GAME_IN_HAND[state.phase])
    number, what = len(state.record) + 1, _waits_for(state, names)
    return say("half_turn_of_game", game=state.game + 1, number=number, what=what)


def _waits_for(state: RefereeState, names: Mapping[Player, str]) -> str:
    game = state.game_by_rules
    if game.asked is not None:
        name = names[game.asked]
        is_double = game.phase is GamePhase.DOUBLED
        return say("to_take_or_pass", name=name) if is_double else say("to_accept_or_refuse", name=name)
    name = names[state.on_roll]
    if state.phase is RefereePhase.BEFORE_ROLL:
        return say("to_roll", name=name)
    if state.phase is RefereePhase.ROLLED and not state.is_winner_unknown:
        known = len(state.rolls) == 1
        return say("plays_roll", name=name, dice=state.rolls[0]) if known else say("plays", name=name)
    return say("opening_roll")


def score_text(state: RefereeState) -> str:
    """The score, and in a match its length."""
    white, black = state.match.score
    length = state.match.length
    if not length:
        return say("score_in_points", white=white, black=black)
    return say("score_of_length", white=white, black=black, length=length)


def is_crawford_game(state: RefereeState) -> bool:
    """Whether the game in hand is the Crawford game."""
    return state.match.is_crawford_game and not state.outcome


def device_text(device: DeviceState) -> str:
    """Whether a device is there, and since when."""
    name, since = say(DEVICE_NAMES[device.name]), clock_text(device.since_ms)
    if device.name == "dice" and not device.is_set_up:
        return say("dice_from_picture")
    if not device.is_set_up:
        return say("device_not_set_up", name=name)
    if device.is_here and device.slow_a_second is not None:
        return say("device_slow", name=name, number=device.slow_a_second)
    return (
        say("device_here", name=name, since=since)
        if device.is_here
        else say("device_gone", name=name, since=since)
    )


def clock_text(t_ms: int) -> str:
    """Minutes and seconds, from the first hour on with hours: 01:23, 2:01:23."""
    hours, minutes = divmod(t_ms // 60_000, 60)
    return f"{f'{hours}:' if hours else ''}{minutes:02}:{t_ms // 1000 % 60:02}"
