"""Which lamps are lit, by the state of the game, the mode and one table."""

from collections.abc import Iterator

from controller.referee import priors
from controller.referee.effects import Lamp, Meaning, Mode, OffenceShown
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import play_results
from controller.referee.inference.board_memory import BoardMemory, columns
from controller.referee.inference.continuing import boards_under_way
from controller.referee.inference.histories import History, lead_nats, likeliest_history
from controller.rules import BAR, Dice, Place, Player, Position

SHOWN_IN: dict[Meaning, frozenset[Mode]] = {
    Meaning.OFFENCE: frozenset({Mode.COACH, Mode.CLUB}),
    Meaning.BLOT_AT_RISK: frozenset({Mode.COACH}),
    Meaning.MUST_ENTER: frozenset({Mode.COACH, Mode.CLUB}),
    Meaning.COMPLETE: frozenset({Mode.COACH, Mode.CLUB}),
    Meaning.UNSURE: frozenset({Mode.COACH, Mode.CLUB}),
}
"""The modes in which each meaning is lit."""


def lamps(
    mode: Mode,
    offence: OffenceShown | None,
    histories: tuple[History, ...],
    rolls: tuple[Dice, ...],
    evidence: BoardEvidence,
) -> tuple[Lamp, ...]:
    """The lamps to light over a settled board, in `mode`."""
    if offence:
        lit = list(_offending(offence))
    else:
        lit = [*_unsure(histories), *_in_play(likeliest_history(histories), rolls, evidence)]
    return tuple(lamp for lamp in lit if mode in SHOWN_IN[lamp.meaning])


def unfurnished_lamps(mode: Mode, start: Position, memory: BoardMemory) -> tuple[Lamp, ...]:
    """The lamps at places where the board is not yet set up as `start`."""
    if mode not in SHOWN_IN[Meaning.MUST_ENTER]:
        return ()
    due = columns(start)
    wrong = [row for row, content in enumerate(memory.table) if content[due[row]] < priors.NOT_FURNISHED_NATS]
    bars = {BAR - 1: Place(BAR, Player.WHITE), BAR: Place(BAR, Player.BLACK)}
    return tuple(Lamp(place=bars.get(row, Place(row + 1)), meaning=Meaning.MUST_ENTER) for row in wrong)


def _offending(offence: OffenceShown) -> Iterator[Lamp]:
    places = {place: None for found in offence.offences for place in found.places}
    return (Lamp(place=place, meaning=Meaning.OFFENCE) for place in places)


def _unsure(histories: tuple[History, ...]) -> Iterator[Lamp]:
    """The points on which the two likeliest boards differ, if those are close."""
    if lead_nats(histories) >= priors.UNSURE_WITHIN_NATS:
        return
    first = likeliest_history(histories).position
    second = next(history.position for history in histories if history.position != first)
    for row, (one, other) in enumerate(zip(columns(first), columns(second), strict=True)):
        if one != other and row < BAR - 1:
            yield Lamp(place=Place(row + 1), meaning=Meaning.UNSURE)


def _in_play(history: History, rolls: tuple[Dice, ...], evidence: BoardEvidence) -> Iterator[Lamp]:
    """What the player on roll should know about the board as it is now."""
    if len(rolls) != 1:
        return
    player, (dice,) = history.on_roll, rolls
    boards = boards_under_way(history, rolls, evidence)
    board = boards.likeliest(evidence.rows(history.place_states))
    if board == history.position and not board.side(player)[BAR]:
        return
    complete = play_results(history.rules, history.turn_state, dice).index(board) is not None
    if not complete and board.side(player)[BAR]:
        yield Lamp(place=Place.of(player, BAR), meaning=Meaning.MUST_ENTER)
    if complete and board != history.position:
        for number, (now, then) in enumerate(
            zip(board.side(player), history.position.side(player), strict=True)
        ):
            if now > then:
                yield Lamp(place=Place.of(player, number), meaning=Meaning.COMPLETE)
    if board != history.position:
        yield from _at_risk(history, board)


def _at_risk(history: History, board: Position) -> Iterator[Lamp]:
    """The blots of the player on roll if he leaves `board`; strength: share of the 36 rolls that hit it."""
    player = history.on_roll
    found = history.rules.shots(history.turn_state.on_board(board), player)
    for point in found.rolls:
        if found.count(point):
            place, strength = Place.of(player, point), found.count(point) / 36
            yield Lamp(place=place, meaning=Meaning.BLOT_AT_RISK, strength=strength)
