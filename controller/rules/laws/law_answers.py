"""Helpers to write down a set of laws: an answer to each question, with the place in the text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from controller.rules.laws.law_terms import Citation, Laws


@dataclass(frozen=True, slots=True)
class LawAnswer:
    value: Any
    citation: Citation


def says(value: object, where: str, words: str) -> LawAnswer:
    """An answer that the text gives at `where`, in these words; "..." marks an omission."""
    return LawAnswer(value, Citation(where, words))


def silent(value: object, why: str) -> LawAnswer:
    """An answer to a question on which the text is silent."""
    return LawAnswer(value, Citation("", why))


def laws_of_text(name: str, source: str, **answers: LawAnswer) -> Laws:
    values = {question: answer.value for question, answer in answers.items()}
    citations = {question: answer.citation for question, answer in answers.items()}
    return Laws(name=name, source=source, citations=citations, **values)


def varied_laws(laws: Laws, name: str, source: str, **answers: LawAnswer) -> Laws:
    """`laws` with other answers to some questions."""
    citations = {**laws.citations, **{question: answer.citation for question, answer in answers.items()}}
    values = {question: answer.value for question, answer in answers.items()}
    return replace(laws, name=name, source=source, citations=citations, **values)


WINNERS_HOME = tuple(range(19, 25))
"""The winner's home table, in the loser's numbering."""

WINNERS_OUTER = tuple(range(13, 19))
"""The winner's outer table, in the loser's numbering."""

LOSERS_BAR = (25,)
"""The bar, in the loser's numbering."""
