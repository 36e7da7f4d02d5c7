"""Changes options in a file of settings and leaves everything else in it unchanged, comments too."""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from controller.errors import InputError, WorkError
from hardware.device_errors import disk_remedy
from sentences import say

Value = str | int | float | bool | tuple["Value", ...]
Changes = Mapping[str, Mapping[str, Value | None]]
"""New values of options by their tables; None removes an option."""

_HEADER = re.compile(r"\s*\[\s*([\w-]+)\s*\]\s*(#.*)?")


def write_settings(path: Path, changes: Changes) -> None:
    """Change the file, or write a new one. It is replaced atomically: a crash leaves a complete file.

    Raises InputError when the file cannot be changed like this, WorkError when it cannot be written.
    """
    written = path.with_name(f".new-{path.name}")
    try:
        old = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        text = changed_settings(old, changes, path.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with written.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):  # the service, whose group it is, reads what root has written
            written.chmod((path if path.exists() else written).stat().st_mode & 0o777 | 0o040)
        written.replace(path)
    except OSError as error:
        with suppress(OSError):
            written.unlink()
        reason, remedy = error.strerror, disk_remedy(error)
        raise WorkError(say("settings_not_written", file=path, reason=reason, remedy=remedy)) from None
    except UnicodeDecodeError:
        raise InputError(say("settings_not_changed", file=path.name)) from None


def changed_settings(text: str, changes: Changes, file: str) -> str:
    """The text of a file of settings with changed options.

    Raises InputError when that cannot be done line by line.
    """
    with suppress(ValueError, RecursionError):  # a text that load_toml refuses
        wanted = tomllib.loads(text)
        if not all(isinstance(wanted.get(table, {}), dict) for table in changes):
            raise InputError(say("settings_not_changed", file=file))
        for table, options in changes.items():
            for option, value in options.items():
                text = _changed(text, table, option, value)
                inner = {**wanted.get(table, {}), option: _plain(value)}
                wanted[table] = {name: kept for name, kept in inner.items() if kept is not None}
        if _filled(tomllib.loads(text)) == _filled(wanted):
            return text
    raise InputError(say("settings_not_changed", file=file))


def _filled(data: Mapping[str, object]) -> dict[str, object]:
    """The tables that are not empty."""
    return {name: table for name, table in data.items() if table}


def _changed(text: str, table: str, option: str, value: Value | None) -> str:
    """The text with one option changed where it stands, or else added at the end of its table."""
    lines = text.removesuffix("\n").split("\n") if text else []
    begin = next((n for n, line in enumerate(lines) if _is_header(line, table)), None)
    made = [] if value is None else [f"{option} = {toml_text(value)}"]
    if begin is None:
        return "\n".join([*lines, *([""] if lines else []), f"[{table}]", *made, ""]) if made else text
    end = next((n for n in range(begin + 1, len(lines)) if _HEADER.fullmatch(lines[n])), len(lines))
    for first in range(begin + 1, end):
        if re.match(rf"\s*[\"']?{re.escape(option)}[\"']?\s*=", lines[first]):
            after = _end_of_value(lines, first, end)
            return "\n".join([*lines[:first], *_with_comment(made, lines[first:after]), *lines[after:], ""])
    while end > begin + 1 and not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[:end], *made, *lines[end:], ""])


def _is_header(line: str, table: str) -> bool:
    found = _HEADER.fullmatch(line)
    return found is not None and found[1] == table


def _end_of_value(lines: list[str], first: int, end: int) -> int:
    """The line after the value that begins on line `first`. A list may take several lines."""
    for after in range(first + 1, end + 1):
        with suppress(tomllib.TOMLDecodeError):
            tomllib.loads("\n".join(lines[first:after]))
            return after
    return first + 1


def _with_comment(made: list[str], old: list[str]) -> list[str]:
    """The new line with the comment that followed the old value, if that took one line."""
    if len(old) == 1:
        for mark in re.finditer(r"\s*#", old[0]):
            with suppress(tomllib.TOMLDecodeError):
                tomllib.loads(old[0][: mark.start()])
                return [line + old[0][mark.start() :] for line in made]
    return made


def toml_text(value: Value) -> str:
    """A value as TOML writes it. A text on one line is written as in JSON."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_text, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _plain(value: Value | None) -> object:
    return list(map(_plain, value)) if isinstance(value, tuple) else value
