"""The syntax of Smart Game Format: trees of nodes, nodes of properties, properties of values."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from controller.record.match_record import MOST_GAMES, MatchFileError, refuse_lone_surrogates
from sentences import say

_WHITE_SPACE = re.compile(r"\s*")
_BEGINNINGS = re.compile(r"[(;\s]++")
"""Beginnings of branches and of nodes: only the last of these nodes may have properties."""
_KEY = re.compile(r"[A-Za-z]+")
_PLAIN_PROPERTY = re.compile(r"([A-Za-z]++)\s*+\[([^\]\\]*+)\]\s*+")
"""A key and a value without escapes, as nearly all properties of a file are."""
_END_OR_ESCAPE = re.compile(r"[\]\\]")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|\n|\r|.)", re.DOTALL)


class Node(NamedTuple):
    """One node: its properties with their values, and the line it begins on."""

    line: int
    properties: dict[str, list[str]]

    def first(self, key: str) -> str | None:
        """The first value of a property, or None."""
        values = self.properties.get(key)
        return values[0] if values else None


def parse_trees(text: str) -> list[list[Node]]:
    """The main line of every game tree. Raises MatchFileError with the line where the text is no SGF."""
    refuse_lone_surrogates(text)
    return _SgfParser(text.removeprefix("\ufeff")).collection()


def escape_value(text: str) -> str:
    """`text` as the value of a property, with its escapes."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


class _SgfParser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted_to = 0
        self._line = 1
        self._skip_space()

    def collection(self) -> list[list[Node]]:
        found: list[list[Node]] = []
        while self._peek() == "(":
            if len(found) == MOST_GAMES:
                raise MatchFileError(say("too_many_games", most=MOST_GAMES))
            found.append(self._main_line())
        if not found or self._at < len(self._text):
            self._fail(say("sgf_begins"))
        return found

    def _main_line(self) -> list[Node]:
        """The nodes of the tree that begins here and of its first branches; other branches are skipped."""
        nodes: list[Node] = []
        depth, on_main_line, closed = 0, True, False
        while depth or not closed:
            char = self._peek()
            if nodes and (empty := self._empty_nodes()):
                n_branches = empty.count("(")
                on_main_line = on_main_line and not (n_branches and closed)
                depth += n_branches
                self._at += len(empty)
            elif char == "(":
                # A branch that begins after another has ended is not the first of its fork.
                on_main_line = on_main_line and not closed
                depth += 1
                self._advance(1)
            elif char == ")":
                depth, closed = depth - 1, True
                self._advance(1)
            elif char == ";":
                node = self._node()
                if on_main_line:
                    nodes.append(node)
            else:
                self._fail(say("sgf_node_begins") if char else say("sgf_ends_early"))
        return nodes

    def _empty_nodes(self) -> str:
        """The brackets and the nodes without properties before the next node that may have some."""
        begun = _BEGINNINGS.match(self._text, self._at)
        if begun is None:
            return ""
        last = begun[0].rfind(";")
        return begun[0] if last < 0 else begun[0][:last]

    def _node(self) -> Node:
        line = self._line_number()
        self._advance(1)
        properties: dict[str, list[str]] = {}
        while self._peek().isalpha() and (found := self._property()):
            key, value = found
            name = key if key.isupper() else "".join(char for char in key if char.isupper())
            values = properties.setdefault(name, [])
            values.append(value)
            while self._peek() == "[":
                values.append(self._value())
        return Node(line, properties)

    def _property(self) -> tuple[str, str] | None:
        """The key and the first value of the property that begins here, if one does."""
        if plain := _PLAIN_PROPERTY.match(self._text, self._at):
            self._at = plain.end()
            return plain[1], plain[2]
        key = _KEY.match(self._text, self._at)
        if key is None:
            return None
        self._advance(len(key[0]))
        if self._peek() != "[":
            self._fail(say("sgf_without_value", name=key[0][:10]))
        return key[0], self._value()

    def _value(self) -> str:
        """The value in brackets that begins here."""
        at = self._at + 1
        while found := _END_OR_ESCAPE.search(self._text, at):
            if found[0] == "]":
                value = self._text[self._at + 1 : found.start()]
                self._advance(found.end() - self._at)
                return _unescape(value) if "\\" in value else value
            at = found.end() + 1
        return self._fail(say("sgf_ends_in_value"))

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _advance(self, n: int) -> None:
        self._at += n
        if self._peek().isspace():
            self._skip_space()

    def _skip_space(self) -> None:
        space = _WHITE_SPACE.match(self._text, self._at)
        assert space is not None
        self._at = space.end()

    def _line_number(self) -> int:
        self._line += self._text.count("\n", self._counted_to, self._at)
        self._counted_to = self._at
        return self._line

    def _fail(self, why: str) -> NoReturn:
        raise MatchFileError(
            say(
                "sgf_not_understood",
                line=self._line_number(),
                problem=why,
                text=self._text[self._at : self._at + 20],
            )
        )


def _unescape(value: str) -> str:
    return _ESCAPED.sub(lambda found: "" if found[1] in "\r\n\n\r" else found[1], value)
