"""A game that begins without all its men, where the laws allow it."""

from controller.referee import priors
from controller.referee.inference.board_evidence import PlaceStates
from controller.referee.inference.histories import likeliest_history
from controller.referee.state import RefereeState
from controller.rules import OFF, Position


def with_men_omitted(state: RefereeState) -> Position | None:
    """The board of a game that begins without all its men; None when none is missing or all must be set up.

    By some laws a player who has thrown without all his men plays on with those he has.
    """
    start, memory = likeliest_history(state.histories).position, state.memory
    if state.other_rules or not state.match.laws.omitted_men_stay_out:
        return None
    if (
        not memory.settled(state.settings.settle_ms)
        or state.evidence.log_likelihood(start, PlaceStates.unknown(start)) > priors.BOARD_FITS_NATS
    ):
        return None
    seen = state.evidence.likeliest_board(PlaceStates.unknown(start), start)
    lying = Position(*((side[OFF], *there[OFF + 1 :]) for side, there in _sides(start, seen)))
    missing = [due - n for side, there in _sides(start, lying) for due, n in zip(side, there, strict=True)]
    only_missing = min(missing) >= 0 and 0 < sum(missing) <= priors.MOST_MEN_OMITTED
    return lying if only_missing else None


def _sides(one: Position, other: Position) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    return (one.white, other.white), (one.black, other.black)
