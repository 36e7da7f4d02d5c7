"""Sets of laws in words, for people: the answer of each to every question, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from controller.rules.board.position import BAR, Position
from controller.rules.laws.common_laws import COMMON, CommonLaw
from controller.rules.laws.law_sets import BOOKS
from controller.rules.laws.law_terms import Citation, Laws, Series, ThrowFault


@dataclass(frozen=True, slots=True)
class LawQuestion:
    """A question that sets of laws answer.

    law: the field of Laws with the answer. text: the question. words: puts an answer into words.
    """

    law: str
    text: str
    words: Callable[[Any], str]


def _either(yes: str, no: str) -> Callable[[bool], str]:
    return lambda holds: yes if holds else no


def _counts(points: tuple[int, ...]) -> str:
    return ", ".join(map(str, points))


def _places(places: Collection[int]) -> str:
    names = {BAR: "up", 19: "in the winner's home table", 13: "in the winner's outer table"}
    return " or ".join(name for place, name in names.items() if place in places)


def _faults(faults: Collection[ThrowFault]) -> str:
    return "; ".join(fault.value for fault in ThrowFault if fault in faults) or "none"


def _men(start: Position) -> str:
    men = [f"{n} on {place}" for place, n in reversed(list(enumerate(start.white))) if n and place]
    return f"each player, by his own numbers: {', '.join(men)}"


def _series(series: tuple[Series, ...]) -> str:
    return "; ".join(f"{one.name}: {one.points} points" for one in series) or "none of a set length"


_YES_NO = _either("yes", "no")

QUESTIONS = (
    LawQuestion("start", "How are the men placed?", _men),
    LawQuestion(
        "first_player_may_throw_again",
        "What does the first player play?",
        _either(
            "the dice of the opening throw, or a throw of both, as he likes", "the dice of the opening throw"
        ),
    ),
    LawQuestion(
        "higher_number_compelled",
        "Which number, if either can be played but not both?",
        _either("the higher", "the one he chooses"),
    ),
    LawQuestion(
        "closed_out", "What if no throw can enter a man that is up?", lambda closed_out: closed_out.value
    ),
    LawQuestion(
        "higher_number_deemed_borne",
        "By which number is a man borne that was moved first?",
        _either("by the higher", "by the lower, if it can be told so"),
    ),
    LawQuestion("points", "What do a hit, a gammon and a backgammon count?", _counts),
    LawQuestion("backgammon_may_count", "What may a backgammon count by agreement?", _counts),
    LawQuestion("backgammon_places", "Where does a loser's man make it a backgammon?", _places),
    LawQuestion(
        "backgammon_needs_none_borne",
        "May a loser who has borne a man lose more than a hit?",
        _either("no", "a backgammon"),
    ),
    LawQuestion(
        "winner_of_single_begins",
        "Who begins the next game?",
        _either("the winner of a hit; after a gammon or backgammon it is thrown for", "it is thrown for"),
    ),
    LawQuestion("has_cube", "Is there a doubling cube?", _YES_NO),
    LawQuestion("automatic_doubles", "How many ties of the opening throw turn the cube?", str),
    LawQuestion(
        "jacoby",
        "Do gammons count before the cube is turned?",
        _either("no (Jacoby)", "yes"),
    ),
    LawQuestion("beavers", "May a double be beavered?", _YES_NO),
    LawQuestion("crawford", "Is one game of a match played without the cube (Crawford)?", _YES_NO),
    LawQuestion("wrong_play", "Who may have a wrong play altered?", lambda wrong_play: wrong_play.value),
    LawQuestion(
        "bystander_must_be_silent",
        "Who may point at a wrong play?",
        _either("the players only", "anyone"),
    ),
    LawQuestion(
        "borne_with_man_up_enter_again",
        "What of men borne while one was up?",
        _either("they are put up as well", "a wrong play like any other"),
    ),
    LawQuestion("touched", "Which man must be played?", lambda touched: touched.value),
    LawQuestion("may_announce_adjusting", "May a man be adjusted when this is said first?", _YES_NO),
    LawQuestion("play_ends", "What ends a play?", lambda ends: ends.value),
    LawQuestion("null_throws", "Which throws are void, and made again with both dice?", _faults),
    LawQuestion(
        "touched_die_named_by_adversary",
        "What if a die is touched too early?",
        _either("the player not in fault names its number", "nothing"),
    ),
    LawQuestion(
        "furnishing_may_be_required",
        "May a board wrongly furnished be required to be put right?",
        _either("yes, by a player who has not yet thrown a die", "no"),
    ),
    LawQuestion(
        "omitted_men_stay_out",
        "What of a man left out when the first die was thrown?",
        _either("it stays out, and the player plays on without it", "it is put on the board"),
    ),
    LawQuestion("series", "Which series of games are named?", _series),
)
"""Every question, in the order in which they come up in a game."""


def answers(laws: Laws) -> Iterator[tuple[LawQuestion, str, Citation | None]]:
    """(question, answer in words, citation) for every question."""
    for question in QUESTIONS:
        answer = question.words(getattr(laws, question.law))
        yield question, answer, laws.citations.get(question.law)


def table_of_laws() -> str:
    """The laws of the books as Markdown: first the common laws, then each question with its answers."""
    sections = [*map(_common_section, COMMON), *map(_section, QUESTIONS)]
    return "\n".join(sections)


def _common_section(law: CommonLaw) -> str:
    by_words: dict[Citation, list[str]] = {}
    for name, citation in law.citations.items():
        by_words.setdefault(citation, []).append(name)
    lines = [f"- {' and '.join(map(_code, names))}: {citation}" for citation, names in by_words.items()]
    return f"### All: {law.question}\n\n{law.answer.capitalize()}.\n\n" + "\n".join(lines) + "\n"


def _section(question: LawQuestion) -> str:
    by_answer: dict[tuple[str, Citation], list[str]] = {}
    for laws in BOOKS:
        answer = question.words(getattr(laws, question.law))
        by_answer.setdefault((answer, laws.citations[question.law]), []).append(laws.name)
    rows = [
        f"| {', '.join(map(_code, names))} | {answer} | {citation} |"
        for (answer, citation), names in by_answer.items()
    ]
    head = f"### {question.text}\n\n`{question.law}`\n\n| laws | answer | where |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def _code(name: str) -> str:
    return f"`{name}`"
