"""The command `blotlight explain`: why the referee took a half-turn of a recording for what it did.

It prints the candidate courses of the game with the factors of their scores.
"""

import argparse
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller.cli.terminal.progress import ProgressLine
from controller.errors import InputError
from controller.referee import HalfTurn, RefereePhase, RefereeState, priors
from controller.referee.events import place_of_row
from controller.referee.inference.board_memory import of_board
from controller.referee.inference.seen_plays import lawful_prior
from controller.service.recordings.recording import open_recording
from controller.service.recordings.report_file import unpacked
from controller.service.recordings.transcript import transcribe
from sentences import say

MOST_SHOWN = 8
"""Most courses that are printed."""

HEADING = f"{'course':34}{'score':>8}{'before':>8}{'play':>7}{'dice':>7}{'fault':>8}{'board':>8}  places"


@dataclass(frozen=True, kw_only=True)
class CandidateCourse:
    """One way in which the last half-turn may have gone.

    The factors in nats, whose sum is the weight. before: the course up to that half-turn. play: a legal play
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


def add_explain(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("explain", help="say why a half-turn was taken for what it was")
    parser.add_argument(
        "recording", type=Path, metavar="RECORDING", help="a film, a recording's folder, or a report"
    )
    parser.add_argument("--turn", type=int, required=True, metavar="N", help="the half-turn, from 1")
    parser.set_defaults(run=_run_explain)


def _run_explain(options: argparse.Namespace) -> None:
    moments: dict[int, RefereeState] = {}

    def note(state: RefereeState) -> None:
        is_over = state.phase is RefereePhase.BEFORE_ROLL
        if state.histories and (is_over or len(state.record) not in moments):
            moments[len(state.record)] = state

    with unpacked(options.recording) as folder, closing(ProgressLine("frame")) as progress:
        transcribe(open_recording(folder), progress=progress.show, note_state=note)
    if options.turn < 1 or options.turn not in moments:
        raise InputError(say("no_half_turn_to_explain", number=options.turn, n_turns=max(moments, default=0)))
    for line in explanation_lines(moments[options.turn]):
        print(line)


def candidate_courses(state: RefereeState) -> Iterator[CandidateCourse]:
    """One candidate for each history that has a half-turn, likeliest first."""
    for history in sorted(state.histories, key=lambda history: -history.weight):
        parent, turn, places = history.parent, history.turn, history.place_states
        if parent is None or turn is None:
            continue
        play = lawful_prior(parent, turn.position, turn.dice) if turn.legal else 0.0
        pictures = state.last_roll_evidence.log_likelihood_of(turn.dice) if turn.dice else 0.0
        nats = of_board(state.evidence.rows(places), history.expected_board)
        yield CandidateCourse(
            turn=turn,
            before=parent.weight,
            play=play,
            pictures=pictures,
            fault=history.past_weight - parent.weight - play - pictures,
            readings=history.log_likelihood,
            misread=tuple(row for row, of_row in enumerate(nats) if of_row < -priors.DOUBTFUL_COUNT_NATS),
            stuck=tuple(row for row, chance in enumerate(places.stuck) if chance > priors.STUCK_FROM),
        )


def explanation_lines(state: RefereeState) -> Iterator[str]:
    """The candidate courses, a line each; scores in nats below the likeliest."""
    courses = list(candidate_courses(state))[:MOST_SHOWN]
    best = max((course.weight for course in courses), default=0.0)
    first = max((course.before for course in courses), default=0.0)
    yield say("courses_explained", number=len(state.record))
    yield HEADING
    for course in courses:
        yield (
            f"{_said(course):34.33}{course.weight - best:8.1f}{course.before - first:8.1f}{course.play:7.1f}"
            f"{course.pictures:7.1f}{course.fault:8.1f}{course.readings:8.1f}  {_places(course)}".rstrip()
        )


def _said(course: CandidateCourse) -> str:
    turn = course.turn
    said = f"{turn.player.value} {turn.dice or '-'} {turn.play}"
    if not turn.legal:
        return say("illegal_course", course=said)
    return say("inferred_course", course=said) if turn.dice_inferred else said


def _places(course: CandidateCourse) -> str:
    """The places that are misread or stuck, as White's points."""
    misread = [say("place_misread", place=place_of_row(row).words) for row in course.misread]
    stuck = [say("place_stuck", place=place_of_row(row).words) for row in course.stuck]
    return ", ".join([*misread, *stuck])
