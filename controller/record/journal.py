"""Effects of the referee as rows of the log, and half-turns read back from there."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TextIO

from controller.record.json_codec import FieldForm, JsonCodec
from controller.record.store import LogEntry, MatchLog, Store
from controller.referee import (
    CommandRefused,
    Effect,
    GameWon,
    HalfTurn,
    LampsChanged,
    Meaning,
    OffenceEnded,
    OffenceShown,
    Question,
    RollCalled,
    TurnRecorded,
)
from controller.rules import Dice, OffenceKind, Place, Player, Position, Step, TurnState, Win

KINDS: dict[type, str] = {
    TurnRecorded: "half-turn",
    RollCalled: "roll",
    OffenceShown: "offence",
    OffenceEnded: "offence ended",
    LampsChanged: "lamps",
    Question: "question",
    CommandRefused: "refused",
    GameWon: "won",
}
"""The kind of the log row that holds each effect."""


class EffectLog:
    """Writes every effect as a line of JSON: `t_ms`, `kind`, and the fields of `effect_payload`."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def note(self, effect: Effect) -> None:
        line = {"t_ms": effect.t_ms, "kind": KINDS[type(effect)], **effect_payload(effect)}
        print(json.dumps(line), file=self._out)


@contextmanager
def journal_in(path: Path, begun: Iterable[LogEntry] = ()) -> Iterator[MatchLog]:
    """Gives a new match in the log at `path`, with the rows `begun`.

    Both raise StoreError when the log cannot be used.
    """
    with closing(Store(path)) as store:
        log = store.new_match()
        for row in begun:
            log.append(row.t_ms, row.kind, row.payload)
        yield log


JOURNAL_CODEC = JsonCodec(
    writers={
        Player: lambda player: player.value,
        Meaning: lambda meaning: meaning.value,
        Win: lambda win: win.name.lower(),
        OffenceKind: lambda kind: kind.name.lower(),
        Dice: str,
        Place: str,
        Position: str,
        TurnState: str,
        Step: lambda step: [step.source, step.target, step.hit],
        float: lambda number: round(number, 3),
    },
    readers={
        Player: Player,
        Dice: Dice.parse,
        Position: Position.parse,
        TurnState: TurnState.parse,
        Step: lambda data: Step(*data[:2], *map(bool, data[2:])),
    },
    forms={
        **dict.fromkeys(KINDS, FieldForm(keys={}, left_out=frozenset({"t_ms"}))),
        TurnRecorded: FieldForm(keys={}, left_out=frozenset({"t_ms"}), inline=frozenset({"turn"})),
        HalfTurn: FieldForm(
            keys={"t_ms": "ended_ms", "turn_state": "stand"},
            left_out=frozenset({"unseen"}),  # later pictures may still show it; a row of its own says so
            left_out_if_empty=frozenset({"words", "turn_state"}),
        ),
    },
)
"""How effects are written in the log. It also reads logs of earlier versions: only add to it."""


def effect_payload(effect: Effect) -> dict[str, Any]:
    """The fields of an effect as the log keeps them; its time and kind stand beside them."""
    payload: dict[str, Any] = JOURNAL_CODEC.encode(effect)
    return payload


def parse_half_turn(payload: Mapping[str, Any]) -> HalfTurn:
    """The half-turn in the payload of a TurnRecorded."""
    return JOURNAL_CODEC.decode(HalfTurn, payload)
