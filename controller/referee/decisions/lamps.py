"""Which lamps are lit, by the state of the game, the mode and one table."""

from collections.abc import Iterable
from itertools import chain

from controller.referee import priors
from controller.referee.effects import Lamp, Meaning, Mode
from controller.referee.events import place_of_row
from controller.referee.inference.board_layouts import play_results
from controller.referee.inference.board_memory import columns
from controller.referee.inference.continuing import boards_under_way
from controller.referee.inference.histories import rival_histories
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import BAR, Place
from controller.rules.board.position import N_PLACES

SHOWN_IN: dict[Meaning, frozenset[Mode]] = {
    Meaning.OFFENCE: frozenset({Mode.COACH, Mode.CLUB}),
    Meaning.BLOT_AT_RISK: frozenset({Mode.COACH}),
    Meaning.MUST_ENTER: frozenset({Mode.COACH, Mode.CLUB}),
    Meaning.COMPLETE: frozenset({Mode.COACH, Mode.CLUB}),
    Meaning.UNSURE: frozenset({Mode.COACH, Mode.CLUB}),
}
"""The modes in which each meaning is lit."""


def lamps_to_light(state: RefereeState) -> tuple[Lamp, ...]:
    """The lamps to light. They do not change while the board is unsettled; a hand over it puts them out."""
    if state.phase in (RefereePhase.IDLE, RefereePhase.BETWEEN, RefereePhase.OVER) or state.memory.hand:
        return ()
    if not state.is_settled:
        return state.lamps
    if state.phase is RefereePhase.OPENING:
        lit = _unfurnished(state)
    elif state.offence:
        places = chain.from_iterable(offence.places for offence in state.offence.offences)
        lit = _lamps(dict.fromkeys(places), Meaning.OFFENCE)
    else:
        lit = chain(_unsure(state), _in_play(state))
    return tuple(lamp for lamp in lit if state.settings.mode in SHOWN_IN[lamp.meaning])


def _lamps(places: Iterable[Place], meaning: Meaning) -> Iterable[Lamp]:
    return (Lamp(place=place, meaning=meaning) for place in places)


def _unfurnished(state: RefereeState) -> Iterable[Lamp]:
    """The places where the board is not yet set up for the game."""
    due = columns(state.likeliest.position)
    wrong = [
        place_of_row(row)
        for row, content in enumerate(state.memory.table)
        if content[due[row]] < priors.NOT_FURNISHED_NATS
    ]
    return _lamps(wrong, Meaning.MUST_ENTER)


def _unsure(state: RefereeState) -> Iterable[Lamp]:
    """The points on which the two likeliest boards differ, if those are close."""
    likely = [columns(history.position) for history in rival_histories(state.histories)[:2]]
    contents = list(zip(*likely, strict=True))[: BAR - 1]
    return _lamps((Place(row + 1) for row, held in enumerate(contents) if len(set(held)) > 1), Meaning.UNSURE)


def _in_play(state: RefereeState) -> Iterable[Lamp]:
    """What the player on roll should know about the board as it is now.

    The strength of a blot's lamp is the share of the 36 rolls that hit it if he leaves the board so.
    """
    if len(state.rolls) != 1:
        return
    top, (dice,) = state.likeliest, state.rolls
    boards = boards_under_way(top, state.rolls, state.evidence)
    board, player = boards.likeliest(state.evidence.rows(top.place_states)), top.on_roll
    own, before = board.side(player), top.position.side(player)
    if board == top.position and not own[BAR]:
        return
    is_complete = play_results(top.rules, top.turn_state, dice).index(board) is not None
    if own[BAR] and not is_complete:
        yield Lamp(place=Place.of(player, BAR), meaning=Meaning.MUST_ENTER)
    if board == top.position:
        return
    if is_complete:
        filled = [number for number in range(N_PLACES) if own[number] > before[number]]
        yield from _lamps((Place.of(player, number) for number in filled), Meaning.COMPLETE)
    shots = top.rules.shots(top.turn_state.on_board(board), player)
    for point in shots.rolls:
        if n_hitting := shots.count(point):
            place, strength = Place.of(player, point), n_hitting / 36
            yield Lamp(place=place, meaning=Meaning.BLOT_AT_RISK, strength=strength)
