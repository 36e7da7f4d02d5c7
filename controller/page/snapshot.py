"""Everything that the live view shows, as one value that becomes JSON. The browser decides nothing.

Every text is in the language that is current when the snapshot is made.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from controller.page.lamp_view import LampView, lamp_views
from controller.page.moment import Moment, Told
from controller.page.setup_view import SetupView, setup_view
from controller.perception.board_drawing import drawn_board
from controller.referee import (
    CommandRefused,
    GameWon,
    HalfTurn,
    OffenceShown,
    Question,
    RefereePhase,
    RefereeState,
)
from controller.referee.effects import Mode
from controller.referee.inference.histories import rival_histories
from controller.referee.words.sentences import (
    Speech,
    correction_changes,
    cube_text,
    effect_sentence,
    play_made,
)
from controller.rules import Game, GamePhase, Player
from controller.service.display import (
    NO_GAME_IN_HAND,
    DeviceState,
    clock_text,
    device_text,
    is_crawford_game,
    score_text,
    turn_text,
)
from hardware.light_port import BOTTOM_BAR, TOP_BAR
from hardware.terminal_lights import DrawnBoard
from sentences import begun, said_again, say

SURE_FROM = 0.9
"""Least probability of a place's likeliest content that counts as sure; as in the overlay of a picture."""


@dataclass(frozen=True, kw_only=True)
class PlayerView:
    """A player. colour: "white" or "black"; checkers: "light" or "dark", as on this board.

    seat: "top" or "bottom" of the picture, where his home lies.
    """

    colour: str
    name: str
    checkers: str
    seat: str
    score: int
    pips: int
    is_on_roll: bool


@dataclass(frozen=True, kw_only=True)
class CubeView:
    """The cube. place: "middle", "top", "bottom" of the board; owner: a colour, or None."""

    value: int
    owner: str | None
    place: str


@dataclass(frozen=True, kw_only=True)
class TurnView:
    """A half-turn. number: from 1. dice: two digits, or "" when not known."""

    number: int
    player: str
    dice: str
    play: str
    is_legal: bool
    is_inferred: bool
    is_unseen: bool


@dataclass(frozen=True, kw_only=True)
class ChoiceView:
    """A button. line: the words that it sends, as people may type them."""

    text: str
    line: str


@dataclass(frozen=True, kw_only=True)
class QuestionView:
    """A question with its answers. number: of the half-turn."""

    text: str
    number: int
    choices: tuple[ChoiceView, ...]


@dataclass(frozen=True, kw_only=True)
class ToldView:
    """A sentence. number: from 1 on; kind: "offence", "question", "refused", "won" or "said"."""

    number: int
    time: str
    text: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class DeviceView:
    """A device. name: "camera", "dice" or "lights"."""

    name: str
    is_here: bool
    is_set_up: bool
    text: str


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The live view.

    time: on the clock of the service. phase: the name of a RefereePhase. dice: the faces of the roll in play,
    0 for one that is not known. sureness: of each place 0 to 25, "sure", "unsure" or "hidden".
    desk: what people may say now; mend: what takes words or plays back, or pauses the game. game: from 1.
    setup: what to show while the board is set up. may_sound: whether browsers may speak or beep. is_paused:
    nothing counts until people say to go on.
    """

    turn: str
    score: str
    is_crawford: bool
    cube_text: str
    phase: str
    game: int
    players: tuple[PlayerView, ...]
    board: DrawnBoard
    dice: tuple[int, ...]
    cube: CubeView | None
    lamps: tuple[LampView, ...]
    sureness: tuple[str, ...]
    devices: tuple[DeviceView, ...]
    told: tuple[ToldView, ...]
    questions: tuple[QuestionView, ...]
    turns: tuple[TurnView, ...]
    desk: tuple[ChoiceView, ...]
    mend: tuple[ChoiceView, ...]
    setup: SetupView | None
    may_sound: bool
    is_paused: bool


def snapshot_of(moment: Moment, speech: Speech = Speech.PLAIN, *, follows_live: bool = True) -> Snapshot:
    """What the page shows of a moment. follows_live: whether people may answer and command."""
    state, game, names = moment.state, moment.state.game_by_rules, moment.names
    is_crawford = is_crawford_game(state)
    is_paused = moment.asked.is_paused
    has_cube = not state.other_rules and game.has_cube
    return Snapshot(
        turn=turn_text(state, names, is_paused=is_paused),
        score=score_text(state),
        is_crawford=is_crawford,
        cube_text="" if state.other_rules else cube_text(game, names, crawford=is_crawford),
        phase=state.phase.name,
        game=state.game + 1,
        players=tuple(_player_view(moment, player) for player in Player),
        board=drawn_board(state.shown, moment.orientation),
        dice=_faces(state),
        cube=_cube_view(game, moment) if has_cube else None,
        lamps=lamp_views(moment.lamps, moment.orientation),
        sureness=_sureness(moment),
        devices=tuple(_device_view(device) for device in moment.devices),
        told=tuple(view for told in moment.told if (view := _told_view(told, speech))),
        questions=tuple(_questions(moment, speech)) if follows_live else (),
        turns=turn_views(state.marked_record, speech),
        desk=tuple(_desk(state, game, is_paused=is_paused)) if follows_live else (),
        mend=tuple(_mend(state, is_paused=is_paused)) if follows_live else (),
        setup=setup_view(moment.setup) if moment.setup else None,
        may_sound=state.settings.mode is not Mode.TOURNAMENT,
        is_paused=is_paused,
    )


def turn_views(turns: tuple[HalfTurn, ...], speech: Speech) -> tuple[TurnView, ...]:
    """The half-turns of a game."""
    return tuple(
        TurnView(
            number=number,
            player=turn.player.value,
            dice=str(turn.dice) if turn.dice else "",
            play=play_made(turn, speech),
            is_legal=turn.legal,
            is_inferred=turn.dice_inferred,
            is_unseen=turn.unseen,
        )
        for number, turn in enumerate(turns, start=1)
    )


def _player_view(moment: Moment, player: Player) -> PlayerView:
    state = moment.state
    has_turn = state.phase in (RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED) and not state.is_winner_unknown
    is_on_roll = has_turn and state.on_roll is player
    return PlayerView(
        colour=player.value,
        name=moment.names[player],
        checkers="light" if player is moment.orientation.light else "dark",
        seat="top" if _is_top(moment, player) else "bottom",
        score=state.match.score[player is Player.BLACK],
        pips=state.shown.pip_count(player),
        is_on_roll=is_on_roll,
    )


def _faces(state: RefereeState) -> tuple[int, ...]:
    if state.phase is not RefereePhase.ROLLED:
        return ()
    if len(state.rolls) != 1:
        return (0, 0)
    return state.tray.roll or (state.rolls[0].high, state.rolls[0].low)


def _cube_view(game: Game, moment: Moment) -> CubeView:
    owner = game.cube.owner
    place = "middle"
    if owner is not None:
        place = "top" if _is_top(moment, owner) else "bottom"
    return CubeView(value=game.cube.value, owner=owner.value if owner else None, place=place)


def _sureness(moment: Moment) -> tuple[str, ...]:
    """How sure the reading of each place is, by the memory of the board."""
    memory = moment.state.memory
    if memory.t_ms is None:
        return ()
    best = 1 / np.exp(memory.table).sum(axis=1)
    words = [
        "hidden" if not memory.visible[row] else "sure" if best[row] >= SURE_FROM else "unsure"
        for row in range(len(best))
    ]
    places = [""] * len(words)
    for row, place in enumerate(moment.orientation.places):
        places[place] = words[row]
    white, black = (TOP_BAR, BOTTOM_BAR) if _is_top(moment, Player.WHITE) else (BOTTOM_BAR, TOP_BAR)
    places[white], places[black] = words[-2:]
    return tuple(places)


def _is_top(moment: Moment, player: Player) -> bool:
    """Whether a player's home lies in the upper half of the picture."""
    return moment.orientation.white_home.startswith("top") is (player is Player.WHITE)


def _device_view(device: DeviceState) -> DeviceView:
    return DeviceView(
        name=device.name, is_here=device.is_here, is_set_up=device.is_set_up, text=device_text(device)
    )


def _told_view(told: Told, speech: Speech) -> ToldView | None:
    match told.what:
        case str():
            kind, text = "said", said_again(told.what)
        case CommandRefused(why=why):
            kind, text = "refused", said_again(why)
        case _:
            kinds = {OffenceShown: "offence", Question: "question", GameWon: "won"}
            kind = kinds.get(type(told.what), "said")
            text = effect_sentence(told.what, told.names, speech) or ""
    return ToldView(number=told.number, time=clock_text(told.t_ms), text=text, kind=kind) if text else None


def _questions(moment: Moment, speech: Speech) -> Iterator[QuestionView]:
    """The choice between board and word, and the referee's question while it is still open."""
    state, asked, names = moment.state, moment.asked, moment.names
    if asked.correction is not None:
        index, preview = asked.correction
        yield QuestionView(
            text=begun(say("page_board_or_word", changes=correction_changes(preview, index))),
            number=index + 1,
            choices=(
                ChoiceView(text=say("page_keep_board"), line="keep board"),
                ChoiceView(text=say("page_keep_word"), line="keep word"),
            ),
        )
    question = asked.question
    if question is None or not _in_doubt(state, question.index):
        return
    name = names[question.candidates[0].player]
    yield QuestionView(
        text=say("page_what_was_played", name=name, number=question.index + 1),
        number=question.index + 1,
        choices=tuple(
            ChoiceView(
                text=play_made(turn, speech),
                line=f"correct game {state.game + 1} {question.index + 1} {turn.position}",
            )
            for turn in question.candidates
        ),
    )


def _in_doubt(state: RefereeState, index: int) -> bool:
    """Whether the boards still leave open what stood after half-turn `index`."""
    rivals = rival_histories(state.histories) if state.histories else ()
    turns = [history.turns for history in rivals]
    return len({played[index].position for played in turns if index < len(played)}) > 1


def _desk(state: RefereeState, game: Game, *, is_paused: bool) -> Iterator[ChoiceView]:
    """What people may say now. The referee may still refuse it."""
    if is_paused:
        yield ChoiceView(text=say("page_go_on"), line="go on")
        return
    if state.phase in NO_GAME_IN_HAND:
        yield ChoiceView(text=say("page_next_game"), line="start")
        return
    if state.phase is RefereePhase.OPENING or state.other_rules:
        return
    if game.asked is not None:
        if game.phase is GamePhase.DOUBLED:
            yield ChoiceView(text=say("page_take"), line="take")
            yield ChoiceView(text=say("page_pass"), line="pass")
            if game.stakes.beavers:
                yield ChoiceView(text=say("page_beaver"), line="beaver")
        else:
            yield ChoiceView(text=say("page_accept"), line="accept")
            yield ChoiceView(text=say("page_refuse"), line="refuse")
        return
    if state.phase is RefereePhase.ROLLED:
        yield ChoiceView(text=say("page_done"), line="done")
        yield ChoiceView(text=say("page_cocked"), line="cocked")
    doubler = state.on_roll.opponent if state.phase is RefereePhase.ROLLED else state.on_roll
    if game.has_cube_for(doubler):
        yield ChoiceView(text=say("page_double"), line="double")
    yield ChoiceView(text=say("page_resign"), line="resign")
    yield ChoiceView(text=say("page_resign_gammon"), line="resign gammon")
    yield ChoiceView(text=say("page_resign_backgammon"), line="resign backgammon")


def _mend(state: RefereeState, *, is_paused: bool) -> Iterator[ChoiceView]:
    if state.words:
        yield ChoiceView(text=say("page_undo"), line="undo")
    if is_paused:
        return
    if state.record and state.phase in (RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED):
        yield ChoiceView(text=say("page_take_back"), line="take back")
    if state.phase not in NO_GAME_IN_HAND:
        yield ChoiceView(text=say("page_pause"), line="pause")
