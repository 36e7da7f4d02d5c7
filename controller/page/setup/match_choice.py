"""A match as people may name it: who plays, how long, under which laws, and what the lamps show."""

from dataclasses import dataclass

from controller.record.match_settings import MatchSettings
from controller.referee.effects import Mode
from controller.rules import ALL_LAWS
from sentences import Key, say

MODE_TEXTS = {
    Mode.COACH: Key("setup_mode_coach"),
    Mode.CLUB: Key("setup_mode_club"),
    Mode.TOURNAMENT: Key("setup_mode_tournament"),
}


@dataclass(frozen=True, kw_only=True)
class OptionView:
    """One choice of several."""

    value: str
    text: str


@dataclass(frozen=True, kw_only=True)
class MatchChoice:
    """The match as it is named so far, and what may be chosen."""

    white: str
    black: str
    length: int
    laws: str
    mode: str
    all_laws: tuple[OptionView, ...]
    all_modes: tuple[OptionView, ...]


def match_choice(match: MatchSettings, mode: Mode) -> MatchChoice:
    """The choices for a match, in the current language."""
    return MatchChoice(
        white=match.white,
        black=match.black,
        length=match.length,
        laws=match.laws,
        mode=mode.value,
        all_laws=tuple(OptionView(value=name, text=name) for name in ALL_LAWS),
        all_modes=tuple(OptionView(value=mode.value, text=say(MODE_TEXTS[mode])) for mode in Mode),
    )
