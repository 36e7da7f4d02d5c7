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
    the likeliest is built again with that roll, that board and the boards of its later half-turns.
    """
    agreeing = tuple(history for history in histories if _agrees(history, index, position, dice))
    if agreeing:
        return tuple(_by_word(history, index) for history in agreeing)
    top = likeliest_history(histories)
    turns = list(top.turns)
    if not 0 <= index < len(turns):
        return None
    turns[index] = replace(turns[index], position=position)
    if dice is not None:
        turns[index] = replace(turns[index], dice=dice, dice_inferred=False)
    return (_by_word(with_later_turns(top.root, turns), index),)


def _agrees(history: History, index: int, position: Position, dice: Dice | None) -> bool:
    """Whether half-turn `index` left this board in `history`, and with `dice` not inferred, if given."""
    turns = history.turns
    if not 0 <= index < len(turns) or turns[index].position != position:
        return False
    return dice is None or (turns[index].dice == dice and not turns[index].dice_inferred)


def _by_word(history: History, index: int) -> History:
    """The history, marked as by word if its last half-turn is number `index`."""
    return replace(history, by_word=history.by_word or index == len(history.turns) - 1)


def with_later_turns(course: History, turns: Iterable[HalfTurn]) -> History:
    """`course` continued by `turns`, each derived anew from the board that it left."""
    for turn in turns:
        course = course.after_told_turn(_turn_leading_to(course, turn, turn.position))
    return course


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
    is_last = index == len(turns) - 1
    fit = 0.0
    if memory and memory.fully_visible and is_last:
        states = likeliest_history(histories).place_states
        fit = BoardEvidence(now=memory).log_likelihood(position, states)
    return CorrectionPreview(corrected=turns[index], broken=broken, unlike_board=fit < priors.BOARD_FITS_NATS)


def _turn_leading_to(parent: History, turn: HalfTurn, board: Position) -> HalfTurn:
    """`turn` as the half-turn that leads from `parent` to `board`."""
    plays = parent.plays(turn.dice).leading_to(board) if turn.dice else ()
    if turn.dice and plays:
        return lawful_turn(parent, turn.dice, plays[0], turn.t_ms, inferred=turn.dice_inferred)
    steps = steps_between(parent.position, turn.player, board)
    return replace(turn, steps=steps, legal=False, position=board, words="", turn_state=None)
