"""The sentences of the program. Every sentence is in sentences.toml; `say` fills in its fields.

The table `do` holds sentences that tell people to do something, `tell` sentences that do not. `mend` holds
reasons within a sentence that tell people to do something, `part` other parts of a sentence: reasons, names,
words. A translation is the same file with other texts.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import NewType

FILE = "sentences.toml"
FILES = {"en": FILE, "de": "sentences.de.toml"}
"""The file of each language, by its code (ISO 639-1). The first language is the default."""
Key = NewType("Key", str)
"""The key of a text without fields, as kept in tables until `say` is called."""


class Said(str):
    """A text made by `say`. `said_again` can translate it into another language.

    key, fields: as given to `say`. is_begun: whether `begun` gave it a capital letter.
    """

    key: str
    fields: Mapping[str, object]
    is_begun: bool

    def __new__(cls, text: str, key: str, fields: Mapping[str, object], *, is_begun: bool = False) -> "Said":
        said = super().__new__(cls, text)
        said.key, said.fields, said.is_begun = key, fields, is_begun
        return said

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Copy and pickle as plain text."""
        return str, (str(self),)


@cache
def _tables(file: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((files("sentences") / file).read_text(encoding="utf-8"))


def _texts(file: str) -> dict[str, str]:
    return {key: text for table in _tables(file).values() for key, text in table.items()}


# Read at import, so that the program can still say so when no more files can be opened.
_TEXTS = {language: {**_texts(FILE), **_texts(file)} for language, file in FILES.items()}
_DEEDS = frozenset(_tables(FILE)["do"])
_FIRST = next(iter(FILES))
_spoken: ContextVar[str] = ContextVar("language", default=_FIRST)


class _GermanFormatter(Formatter):
    """Fills in fields like `str.format`, but writes numbers as in German: 0,43 and 99 %."""

    def format_field(self, value: object, form: str) -> str:
        text = str(super().format_field(value, form))
        return text.replace(".", ",").replace("%", " %") if isinstance(value, float) else text


_FILL_IN: dict[str, Callable[..., str]] = {"en": str.format, "de": _GermanFormatter().format}


def say(key: str, /, **fields: object) -> str:
    """The text of `key` in the current language as a Said, its fields filled in as by `str.format`."""
    language = _spoken.get()
    return Said(_FILL_IN[language](_TEXTS[language][key], **fields), key, fields)


def texts_of(prefix: str) -> dict[str, str]:
    """The texts without fields whose keys begin with `prefix`, by the rest of the key, as now spoken."""
    return {
        key.removeprefix(prefix): say(key)
        for key, text in _TEXTS[_spoken.get()].items()
        if key.startswith(prefix) and all(field is None for _, field, _, _ in Formatter().parse(text))
    }


def asks_for_deed(key: str) -> bool:
    """Whether the sentence of a key tells people to do something."""
    return key in _DEEDS


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Make a language of FILES the current one in this thread or task, inside the block."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def said_again(text: str) -> str:
    """A Said in the current language. Any other text is returned as it is."""
    if not isinstance(text, Said):
        return text
    again = say(text.key, **{name: _field_again(value) for name, value in text.fields.items()})
    return begun(again) if text.is_begun else again


def said_of(error: Exception) -> str:
    """What an error says; a Said stays one, which `str` would make plain text."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Said) else str(error)


def _field_again(value: object) -> object:
    if isinstance(value, Exception):
        value = said_of(value)
    return said_again(value) if isinstance(value, str) else value


def begun(sentence: str) -> str:
    """The sentence with a capital first letter, for sentences that begin with a field."""
    text = sentence[:1].upper() + sentence[1:]
    return Said(text, sentence.key, sentence.fields, is_begun=True) if isinstance(sentence, Said) else text
