"""Corrections: people's final word on what was rolled in a half-turn and what stood after it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import lawful_turn
from controller.referee.inference.histories import History, likeliest_history
from controller.rules import Dice, Position, steps_between


def with_correction(
    histories: tuple[History, ...], index: int, position: Position, dice: Dice | None = None
) -> tuple[History, ...] | None:
    """The histories after people have said what stood after half-turn `index`; None if there is no such one.

    dice: what they say was rolled; None for what is recorded. The histories that agree stay. If none does,
    the likeliest one is built again from there, with that roll and board and all that followed.
    """
    agreeing = [one for one in histories if _agrees(one, index, position, dice)]
    if agreeing:
        return tuple(_by_word(history, index) for history in agreeing)
    later = likeliest_history(histories).chain_after(index) if index >= 0 else ()
    if not later or later[0].turn is None or later[0].parent is None:
        return None
    corrected = replace(later[0], turn=_as_told(later[0].turn, position, dice))
    return (_by_word(continued(later[0].parent, (corrected, *later[1:])), index),)


def _agrees(history: History, index: int, position: Position, dice: Dice | None) -> bool:
    """Whether half-turn `index` of a history is as people say."""
    turns = history.turns
    return 0 <= index < len(turns) and turns[index] == _as_told(turns[index], position, dice)


def _as_told(turn: HalfTurn, position: Position, dice: Dice | None) -> HalfTurn:
    turn = replace(turn, position=position)
    return replace(turn, dice=dice, dice_inferred=False) if dice else turn


def _by_word(history: History, index: int) -> History:
    """The history, marked as by word if its last half-turn is number `index`."""
    return replace(history, by_word=history.by_word or index == len(history.turns) - 1)


def continued(course: History, later: Iterable[History]) -> History:
    """`course` continued like `later`: by their half-turns, derived anew, and the boards that were set up."""
    for history in later:
        if history.turn:
            course = course.after_told_turn(_derived_anew(history.turn, course))
        else:
            course = replace(history, parent=course)
    return course


def _derived_anew(turn: HalfTurn, parent: History) -> HalfTurn:
    """`turn`, with the same dice and board, as a half-turn that follows `parent`."""
    if turn.dice and (plays := parent.plays(turn.dice).leading_to(turn.position)):
        return lawful_turn(parent, turn.dice, plays[0], turn.t_ms, inferred=turn.dice_inferred)
    if turn.legal and turn.dice is None and turn.position == parent.position:
        return turn  # he did not throw
    steps = steps_between(parent.position, turn.player, turn.position)
    return replace(turn, steps=steps, legal=False, words="", turn_state=None)


@dataclass(frozen=True, kw_only=True)
class CorrectionPreview:
    """What a correction would change.

    corrected: the half-turn as it would be. broken: later half-turns, each with its index, that would become
    illegal. unlike_board: whether the board as seen now contradicts the correction.
    """

    corrected: HalfTurn
    broken: tuple[tuple[int, HalfTurn], ...] = ()
    unlike_board: bool = False

    @property
    def is_harmless(self) -> bool:
        """Whether nothing speaks against it, so that people need not be asked."""
        return not self.broken and not self.unlike_board and self.corrected.legal


def preview_correction(
    histories: tuple[History, ...],
    index: int,
    position: Position,
    memory: BoardMemory | None,
    dice: Dice | None = None,
) -> CorrectionPreview | None:
    """What `with_correction` would change; None when there is no such half-turn.

    memory: the board as seen now, if nobody has played since the last half-turn; else None.
    """
    found = with_correction(histories, index, position, dice)
    if found is None:
        return None
    turns, before = likeliest_history(found).turns, likeliest_history(histories).turns
    broken = tuple(
        (number, turn)
        for number, turn in enumerate(turns)
        if number > index and not turn.legal and (number >= len(before) or before[number].legal)
    )
    fit = 0.0
    if memory and memory.fully_visible and index == len(turns) - 1:
        states = likeliest_history(histories).place_states
        fit = BoardEvidence(now=memory).log_likelihood(position, states)
    return CorrectionPreview(corrected=turns[index], broken=broken, unlike_board=fit < priors.BOARD_FITS_NATS)
