"""Why the referee believes what it does: the candidate courses with the factors of their scores."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_layouts import play_results
from controller.referee.inference.board_memory import of_board
from controller.referee.inference.histories import History
from controller.referee.state import RefereeState


@dataclass(frozen=True, kw_only=True)
class CandidateCourse:
    """One way in which the last half-turn may have gone.

    The factors in nats, whose sum is the weight. before: the course up to that half-turn. play: this play
    among those that the roll allows. pictures: the dice as seen in pictures. fault: the roll, and all that
    went wrong. readings: the board as seen since. misread: rows of BoardSeen that do not fit; stuck: rows
    whose reading says little.
    """

    turn: HalfTurn
    before: float
    play: float
    pictures: float
    fault: float
    readings: float
    misread: tuple[int, ...]
    stuck: tuple[int, ...]

    @property
    def weight(self) -> float:
        """The sum of the factors' logarithms."""
        return self.before + self.play + self.pictures + self.fault + self.readings


def candidate_courses(state: RefereeState) -> Iterator[CandidateCourse]:
    """One candidate for each history that has a half-turn, likeliest first."""
    for history in sorted(state.histories, key=lambda history: -history.weight):
        if history.turn is not None and history.parent is not None:
            yield _explained(state, history, history.parent, history.turn)


def _explained(state: RefereeState, history: History, parent: History, turn: HalfTurn) -> CandidateCourse:
    play = _play_nats(parent, turn)
    pictures = state.last_roll_evidence.log_likelihood_of(turn.dice) if turn.dice else 0.0
    nats = of_board(state.evidence.rows(history.place_states), history.expected_board)
    return CandidateCourse(
        turn=turn,
        before=parent.weight,
        play=play,
        pictures=pictures,
        fault=history.past_weight - parent.weight - play - pictures,
        readings=history.log_likelihood,
        misread=tuple(row for row, of_row in enumerate(nats) if of_row < -priors.DOUBTFUL_COUNT_NATS),
        stuck=tuple(
            row for row, chance in enumerate(history.place_states.stuck) if chance > priors.STUCK_FROM
        ),
    )


def _play_nats(parent: History, turn: HalfTurn) -> float:
    """Log-prior of a legal play; 0 for an illegal one, whose prior belongs to the fault."""
    if not turn.legal or turn.dice is None:
        return 0.0
    found = play_results(parent.rules, parent.turn_state, turn.dice)
    return found.log_prior_of(turn.position, parent.p_bears_all)
