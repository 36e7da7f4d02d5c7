"""Options of a settings file, checked by type and range. Errors name the option, its table and its line."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from controller.errors import InputError
from controller.printable import is_printable
from sentences import say


class TableError(InputError):
    """A table that cannot be used. `named_with_line` adds the line on which it begins."""

    def __init__(self, table: str, file: str, what: str) -> None:
        super().__init__(say("table_wrong", table=table, file=file, what=what))
        self.table, self.file, self.what = table, file, what

    def named_with_line(self, text: str) -> InputError:
        """The same error with the line of `text` on which the table begins, if it is found there."""
        line = line_of_table(text, self.table)
        if line is None:
            return self
        return InputError(say("table_on_line", table=self.table, file=self.file, line=line, what=self.what))


class OptionError(InputError):
    """An option that cannot be used. `named_with_line` adds the line on which it stands."""

    def __init__(self, table: str, option: str, file: str, what: str) -> None:
        super().__init__(say("option_wrong", option=option, table=table, file=file, what=what))
        self.table, self.option, self.file, self.what = table, option, file, what

    def named_with_line(self, text: str) -> InputError:
        """The same error with the line of `text` on which the option stands, if it is found there."""
        line = _line_of(text, self.table, self.option)
        if line is None:
            return self
        return InputError(
            say(
                "option_on_line",
                option=self.option,
                table=self.table,
                file=self.file,
                line=line,
                what=self.what,
            )
        )


@contextmanager
def naming_lines(path: Path) -> Iterator[None]:
    """Inside the block, errors about an option or a table of the file at `path` get its line."""
    try:
        yield
    except (OptionError, TableError) as error:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise error from None
        raise error.named_with_line(text) from None


def _line_of(text: str, table: str, option: str) -> int | None:
    """The line, from 1, on which an option of a table is set."""
    current = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[\s*([\w-]+)\s*\]", line):
            current = header[1]
        elif current == table and re.match(rf"\s*[\"']?{re.escape(option)}[\"']?\s*=", line):
            return number
    return None


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name with the most similar spelling; None when none is similar."""
    near = get_close_matches(name.lower(), list(known), n=1)
    return near[0] if near else None


def why_unknown(option: str, known: Sequence[str], elsewhere: Mapping[str, Sequence[str]]) -> str:
    """Why a table does not know an option, and which option was probably meant.

    elsewhere: the options of the other tables.
    """
    for table, options in elsewhere.items():
        if option in options:
            return say("option_of_other_table", other=table)
    stem, _, unit = option.rpartition("_")
    near = nearest_name(option, known)
    for name in known:
        same, _, right = name.rpartition("_")
        if near in (None, name) and right in UNITS and unit != right and same in (stem, option):
            return say("option_in_other_unit", unit=right, near=name)
    if near is None:
        return say("option_unknown", known=", ".join(known))
    return say("option_near", near=near)


UNITS = ("ms", "px", "mm", "ma", "bcm", "mb", "days")
"""Units at the end of an option's name for which `why_unknown` looks."""


def line_of_table(text: str, table: str) -> int | None:
    """The line, from 1, on which a table or an option outside all tables begins."""
    for number, line in enumerate(text.splitlines(), start=1):
        name = re.escape(table)
        if re.match(rf"""\s*(\[+\s*["']?{name}["']?\s*[].]|["']?{name}["']?\s*[=.])""", line):
            return number
    return None


@dataclass(frozen=True)
class OptionTable:
    """One table of a file, and the checks of its options."""

    name: str
    data: Mapping[str, Any]
    file: str

    def wrong(self, option: str, what: str) -> OptionError:
        """The error that says what an option must be."""
        return OptionError(self.name, option, self.file, what)

    def text(self, option: str, default: str, *, most: int) -> str:
        """A text of 1 to `most` characters on one line."""
        value = self.data.get(option, default)
        if not isinstance(value, str):
            raise self.wrong(option, say("must_be_text"))
        if not 0 < len(value.strip()) <= most or not is_printable(value):
            raise self.wrong(option, say("must_be_one_line", most=most))
        return value

    def whole_number(self, option: str, default: int, *, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.data.get(option, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(option, say("must_be_whole_number", least=least, most=most))
        return value

    def one_of(self, option: str, choices: Sequence[str]) -> str | None:
        """One of some texts; None when the option is left out."""
        value = self.data.get(option)
        if value is not None and value not in choices:
            raise self.wrong(option, say("must_be_one_of", value=value, known=", ".join(choices)))
        return value

    def number(self, option: str, *, least: float, most: float) -> float | None:
        """A number within bounds; None when the option is left out."""
        found = None if option not in self.data else self.numbers_in(option, [self.data[option]], least, most)
        return found[0] if found else None

    def pair(self, option: str, *, least: float, most: float) -> tuple[float, float] | None:
        """Two numbers within bounds; None when the option is left out."""
        if option not in self.data:
            return None
        value = self.data[option]
        if not isinstance(value, list) or len(value) != 2:
            raise self.wrong(option, say("must_be_two_numbers", least=least, most=most))
        one, other = self.numbers_in(option, value, least, most)
        return one, other

    def numbers_in(self, option: str, values: Sequence[object], least: float, most: float) -> list[float]:
        """The values of an option as numbers within bounds."""
        found = [
            float(value)
            for value in values
            if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        ]
        if len(found) != len(values):
            raise self.wrong(option, say("must_be_number", least=least, most=most))
        return found
