"""Frozen dataclasses as JSON and back, by their type hints.

A dataclass becomes an object with a key for each field, a dict one with its keys as text, a tuple becomes a
list. Exceptions are given to the codec.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

V = TypeVar("V")

Json = Any
"""What json.loads gives: None, a bool, a number, text, a list or a dict."""
Decoded = Any
"""A value of the type that was asked for."""
TypeHint = Any
"""A type, or what stands for one in an annotation, such as `tuple[Step, ...] | None`."""


@dataclass(frozen=True, kw_only=True)
class FieldForm:
    """How the fields of one dataclass are written, where a field is not simply a key of the same name.

    keys: the keys of fields that have another name in JSON. left_out: fields that are never written.
    left_out_if_empty: fields that are written only when they hold something.
    inline: fields whose own keys stand in the same object, after all others.
    """

    keys: Mapping[str, str]
    left_out: frozenset[str] = frozenset()
    left_out_if_empty: frozenset[str] = frozenset()
    inline: frozenset[str] = frozenset()


PLAIN_FIELDS = FieldForm(keys={})


@dataclass(frozen=True, kw_only=True)
class JsonCodec:
    """Writes and reads dataclasses.

    writers: types that are written as one JSON value, and how. readers: how such a value is read back.
    forms: dataclasses whose fields are not simply written by their names.
    """

    writers: Mapping[type, Callable[[Any], Json]]
    readers: Mapping[type, Callable[[Json], Any]]
    forms: Mapping[type, FieldForm]

    def encode(self, value: object) -> Json:
        """The value as JSON data."""
        writer = self.writers.get(type(value))
        if writer is not None:
            return writer(value)
        if is_dataclass(value):
            return self._encode_fields(value)
        if isinstance(value, dict):
            return {str(key): self.encode(each) for key, each in value.items()}
        return [self.encode(each) for each in value] if isinstance(value, tuple) else value

    def _encode_fields(self, value: Decoded) -> dict[str, Json]:
        form = self.forms.get(type(value), PLAIN_FIELDS)
        own: dict[str, Any] = {}
        inlined: dict[str, Any] = {}
        for name in (field.name for field in fields(value)):
            part = getattr(value, name)
            if name in form.left_out or (name in form.left_out_if_empty and not part):
                continue
            if name in form.inline:
                inlined |= self.encode(part)
            else:
                own[form.keys.get(name, name)] = self.encode(part)
        return own | inlined

    def decode(self, kind: type[V], data: Json) -> V:
        """The value of type `kind` that `encode` wrote as `data`.

        Raises KeyError for a field that is missing and has no default, ValueError or TypeError for one that
        holds something else.
        """
        decoded: V = self._decode(kind, data)
        return decoded

    def _decode(self, hint: TypeHint, data: Json) -> Decoded:
        if data is None:
            return None
        if hint in self.readers:
            return self.readers[hint](data)
        if is_dataclass(hint):
            return self._decode_fields(hint, data)
        origin: TypeHint = get_origin(hint)
        if origin is tuple:
            each, *_ = get_args(hint)
            return tuple(self._decode(each, part) for part in data)
        if origin is Mapping:
            key, each = get_args(hint)
            return {key(name): self._decode(each, part) for name, part in data.items()}
        either = [part for part in get_args(hint) if part is not NoneType]
        return self._decode(either[0], data) if either else data

    def _decode_fields(self, kind: TypeHint, data: Mapping[str, Json]) -> Decoded:
        form, hints = self.forms.get(kind, PLAIN_FIELDS), _hints(kind)
        found = {}
        for field in fields(kind):
            key = form.keys.get(field.name, field.name)
            if field.name in form.inline:
                found[field.name] = self._decode(hints[field.name], data)
            elif key in data or _is_needed(field):
                found[field.name] = self._decode(hints[field.name], data[key])
        return kind(**found)


def _is_needed(field: "Field[Any]") -> bool:
    """Whether the field has no default."""
    return field.default is MISSING and field.default_factory is MISSING


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
