"""The laws of Russian and Turkish backgammon are on the page as they are in the table."""

from dataclasses import fields
from enum import Enum

from controller.rules.entering.entering_laws import (
    ENTERING_LAWS,
    RUSSIAN_BRITANNICA,
    RUSSIAN_CADY,
    TURKISH_CADY,
    EnteringLaws,
    Placing,
)
from tests.paths import DOCS

PAGE = (DOCS / "laws.md").read_text(encoding="utf-8")


def in_words(value):
    match value:
        case bool() | None:
            return "yes" if value else "no"
        case Placing():
            return "yes"
        case Enum():
            return value.value
        case tuple():
            return ", ".join(map(str, value))
    return str(value)


def test_every_setting_of_every_row_is_on_the_page():
    rows = (RUSSIAN_BRITANNICA, RUSSIAN_CADY, TURKISH_CADY)
    for field in fields(EnteringLaws):
        if field.name not in ("name", "source"):
            values = " | ".join(in_words(getattr(laws, field.name)) for laws in rows)
            assert f"| {field.name} | {values} |" in PAGE


def test_every_setting_of_the_men_placed_is_on_the_page():
    for field in fields(Placing):
        assert f"| {field.name} | {in_words(getattr(TURKISH_CADY.placing, field.name))} |" in PAGE


def test_every_row_is_named_on_the_page_and_has_a_source():
    for laws in ENTERING_LAWS.values():
        assert f"`{laws.name}`" in PAGE
        assert laws.source
