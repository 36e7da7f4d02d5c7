"""Effects as rows of the log, and back: what the referee did, in the words of JSON."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.record.store import MatchLog, Store
from controller.referee import (
    Effect,
    GameWon,
    HalfTurn,
    LampsChanged,
    OffenceEnded,
    OffenceShown,
    Recorded,
    RollCalled,
)
from controller.rules import Dice, Player, Position, Step

KINDS: dict[type, str] = {
    Recorded: "half-turn",
    RollCalled: "roll",
    OffenceShown: "offence",
    OffenceEnded: "offence ended",
    LampsChanged: "lamps",
    GameWon: "won",
}


class Journal:
    """Writes every effect into the log of a match as it happens."""

    def __init__(self, log: MatchLog) -> None:
        self._log = log

    def note(self, effect: Effect) -> None:
        """Append one effect. Raises StoreError when the log cannot take it."""
        self._log.append(effect.t_ms, KINDS[type(effect)], payload(effect))

    def turns(self) -> tuple[HalfTurn, ...]:
        """The half-turns as they stand now: a later row for the same half-turn replaces the earlier."""
        turns: dict[int, HalfTurn] = {}
        for entry in self._log.entries():
            if entry.kind == KINDS[Recorded]:
                turns[entry.payload["index"]] = half_turn(entry.payload)
        return tuple(turns[index] for index in sorted(turns))


@contextmanager
def journal_in(path: Path) -> Iterator[Journal]:
    """A journal of a new match in the log at `path`. Raises StoreError when the log cannot be used."""
    store = Store(path)
    try:
        yield Journal(store.new_match())
    finally:
        store.close()


def payload(effect: Effect) -> dict[str, Any]:
    """What the log keeps of an effect, besides its time and kind."""
    match effect:
        case Recorded():
            turn = effect.turn
            return {
                "index": effect.index,
                "mended": effect.mended,
                "t_ms": turn.t_ms,
                "player": turn.player.value,
                "dice": str(turn.dice) if turn.dice else None,
                "dice_inferred": turn.dice_inferred,
                "steps": [[step.source, step.target, step.hit] for step in turn.steps],
                "legal": turn.legal,
                "position": str(turn.position),
            }
        case RollCalled():
            return {"player": effect.player.value, "dice": str(effect.dice)}
        case OffenceShown():
            offences = [
                {"kind": offence.kind.name.lower(), "places": [str(place) for place in offence.places]}
                for offence in effect.offences
            ]
            return {"index": effect.index, "player": effect.player.value, "offences": offences}
        case OffenceEnded():
            return {"index": effect.index, "stands": effect.stands}
        case LampsChanged():
            return {
                "lamps": [
                    {
                        "place": str(lamp.place),
                        "meaning": lamp.meaning.value,
                        "strength": round(lamp.strength, 3),
                    }
                    for lamp in effect.lamps
                ]
            }
        case GameWon():
            return {"winner": effect.winner.value, "points": effect.points}


def half_turn(data: Mapping[str, Any]) -> HalfTurn:
    """The half-turn that `payload` wrote."""
    return HalfTurn(
        t_ms=data["t_ms"],
        player=Player(data["player"]),
        dice=Dice.parse(data["dice"]) if data["dice"] else None,
        dice_inferred=data["dice_inferred"],
        steps=tuple(Step(*step) for step in data["steps"]),
        legal=data["legal"],
        position=Position.parse(data["position"]),
    )
