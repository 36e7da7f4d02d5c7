"""What the program says to people. Every sentence is in sentences.toml; `say` fills in its fields.

`do` holds sentences that name what to do, `tell` sentences after which nothing is to be done, `mend` reasons
within a sentence that name what to do, and `part` what else stands within one: a reason, a name, a word. A
translation is the same file with other texts.
"""

import tomllib
from importlib.resources import files
from typing import NewType

FILE = "sentences.toml"
Key = NewType("Key", str)
"""The key of a text without fields, kept in a table until it is said."""

# Read at once: when no more files can be opened, that too is to be said.
_TABLES = tomllib.loads((files("sentences") / FILE).read_text(encoding="utf-8"))
_TEXTS: dict[str, str] = {key: text for table in _TABLES.values() for key, text in table.items()}


def say(key: str, /, **fields: object) -> str:
    """The text of `key`, with its fields filled in as `str.format` does."""
    return _TEXTS[key].format(**fields)


def begun(sentence: str) -> str:
    """The sentence with a capital letter at its beginning, where a field stands."""
    return sentence[:1].upper() + sentence[1:]
