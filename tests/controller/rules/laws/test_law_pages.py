"""docs/laws.md says what the tables of laws say."""

import pytest

from controller.rules import LAWS
from controller.rules.laws.law_pages import QUESTIONS, answers, table_of_laws
from tests.paths import DOCS

PAGE = DOCS / "laws.md"
BEGINNING = "<!-- what follows, down to the next mark, is printed from the tables -->\n"
END = "\n<!-- end of the tables -->"


def test_the_page_holds_the_tables_as_they_are():
    """Run as a program, this file prints them anew."""
    text = PAGE.read_text(encoding="utf-8")
    printed = text.partition(BEGINNING)[2].partition(END)[0]
    assert printed == table_of_laws()


def test_every_set_of_laws_is_named_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in LAWS if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", LAWS)
def test_every_answer_is_in_words_and_has_a_source(name):
    for question, answer, citation in answers(LAWS[name]):
        assert answer, question
        assert citation is not None, question
        assert citation.words, question


def test_no_two_questions_are_the_same():
    assert len({question.text for question in QUESTIONS}) == len(QUESTIONS)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGINNING)[0], page.split(END)[1]
    PAGE.write_text(before + BEGINNING + table_of_laws() + END + rest, encoding="utf-8")
