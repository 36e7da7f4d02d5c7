"""What the page shows while a board is set up, as one value that becomes JSON."""

from dataclasses import dataclass

from controller.page.lamp_view import LampView, lamp_view
from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import HOME_CORNERS
from controller.record.match_settings import MatchSettings
from controller.referee.effects import Meaning, Mode
from controller.rules import ALL_LAWS
from controller.service.setup.setup_desk import SetupState
from controller.service.setup.setup_texts import (
    dice_text,
    start_text,
    walk_text,
    wrong_place_text,
)
from controller.service.setup.setup_words import SetupStep
from hardware.device_checks import CheckStatus, Finding
from hardware.terminal_lights import DrawnBoard
from sentences import Key, said_again, say

STEP_TITLES = {
    SetupStep.BOARD: Key("setup_step_board"),
    SetupStep.SIDES: Key("setup_step_sides"),
    SetupStep.START: Key("setup_step_start"),
    SetupStep.DICE: Key("setup_step_dice"),
    SetupStep.LIGHTS: Key("setup_step_lights"),
    SetupStep.MATCH: Key("setup_step_match"),
}
MODE_TEXTS = {
    Mode.COACH: Key("setup_mode_coach"),
    Mode.CLUB: Key("setup_mode_club"),
    Mode.TOURNAMENT: Key("setup_mode_tournament"),
}
HOME_TEXTS = {
    "bottom-right": Key("setup_home_bottom_right"),
    "bottom-left": Key("setup_home_bottom_left"),
    "top-right": Key("setup_home_top_right"),
    "top-left": Key("setup_home_top_left"),
}


@dataclass(frozen=True, kw_only=True)
class StepView:
    """A step. mark: "well", "ill", or "" where nothing is known of it yet."""

    name: str
    title: str
    mark: str


@dataclass(frozen=True, kw_only=True)
class FindingView:
    """A sentence, and whether all is well with what it is about."""

    text: str
    is_well: bool


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


@dataclass(frozen=True, kw_only=True)
class SetupView:
    """What the page shows of a set-up.

    corners_px, bar: as in the settings; corners_px is () while it is not known. image_wh: the picture's size,
    () before the first one. board: the start position as it should lie. lamps: the points that are wrong, or
    during the walk its LED. wrong: the points that are wrong, in words. lamp: the place that should be lit
    now, -1 when none. home: a corner, or "" where the start position decides.
    """

    step: str
    steps: tuple[StepView, ...]
    image_wh: tuple[int, ...]
    corners_px: tuple[tuple[float, float], ...]
    bar: tuple[float, float]
    picture: tuple[FindingView, ...]
    light: str
    home: str
    homes: tuple[OptionView, ...]
    board: DrawnBoard
    lamps: tuple[LampView, ...]
    start: FindingView | None
    wrong: tuple[str, ...]
    dice: FindingView
    faces: tuple[int, ...]
    has_lights: bool
    is_walking: bool
    lamp: int
    walk: FindingView | None
    match: MatchChoice
    is_ready: bool
    refusal: str


def setup_view(state: SetupState) -> SetupView:
    """What the page shows of a set-up, in the current language."""
    draft = state.draft
    orientation, match = draft.board.orientation, draft.match
    walk, start = state.walk, state.start
    return SetupView(
        step=state.step.value,
        steps=tuple(_step_view(state, step) for step in SetupStep),
        image_wh=state.image_wh or (),
        corners_px=draft.board.corners_px or (),
        bar=draft.board.bar,
        picture=tuple(_finding_view(one) for one in (state.board, state.light, state.focus) if one),
        light=orientation.light.value,
        home=orientation.white_home if draft.board.home_known else "",
        homes=tuple(OptionView(value=one, text=say(HOME_TEXTS[one])) for one in HOME_CORNERS),
        board=drawn_board(match.furnished, start.orientation if start else orientation),
        lamps=_lamps(state),
        start=FindingView(text=start_text(start), is_well=start.is_well) if start else None,
        wrong=tuple(wrong_place_text(one) for one in start.wrong) if start else (),
        dice=FindingView(text=dice_text(state.dice), is_well=state.dice.is_well),
        faces=state.dice.faces,
        has_lights=state.has_lights,
        is_walking=walk is not None and walk.place is not None,
        lamp=-1 if walk is None or walk.place is None else walk.place,
        walk=FindingView(text=walk_text(walk), is_well=walk.place is None) if walk else None,
        match=match_choice(match, draft.mode),
        is_ready=state.is_ready,
        refusal=said_again(state.refusal),
    )


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


def _step_view(state: SetupState, step: SetupStep) -> StepView:
    found: bool | None = None
    match step:
        case SetupStep.BOARD if state.board:
            found = state.board.state is CheckStatus.OK
        case SetupStep.SIDES if state.start and state.start.shows_start:
            found = True
        case SetupStep.START if state.start:
            found = state.start.is_well
        case SetupStep.DICE if state.dice.is_well:
            found = True
        case SetupStep.LIGHTS if state.draft.order:
            found = True
        case SetupStep.MATCH if state.draft.is_named:
            found = True
    mark = "" if found is None else "well" if found else "ill"
    return StepView(name=step.value, title=say(STEP_TITLES[step]), mark=mark)


def _finding_view(finding: Finding) -> FindingView:
    return FindingView(text=said_again(finding.words), is_well=finding.state is CheckStatus.OK)


def _lamps(state: SetupState) -> tuple[LampView, ...]:
    """The points that are wrong, or during the walk the LED that is lit."""
    places = [one.place for one in state.start.wrong] if state.start else []
    if state.walk is not None and state.walk.place is not None:
        places = [state.walk.place]
    return tuple(lamp_view(place, Meaning.MUST_ENTER, say("setup_lamp")) for place in places)
