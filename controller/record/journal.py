"""Effects as rows of the log, and back: what the referee did, in the words of JSON."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from controller.record.store import MatchLog, Store
from controller.referee import (
    CommandRefused,
    Effect,
    GameWon,
    HalfTurn,
    LampsChanged,
    OffenceEnded,
    OffenceShown,
    Question,
    RollCalled,
    TurnRecorded,
)
from controller.rules import Dice, Player, Position, Step, TurnState

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


class Journal:
    """Writes every effect into the log of a match as it happens."""

    def __init__(self, log: MatchLog) -> None:
        self._log = log

    def note(self, effect: Effect) -> None:
        """Append one effect. Raises StoreError when the log cannot take it."""
        self._log.append(effect.t_ms, KINDS[type(effect)], payload(effect))

    def turns(self, game: int = 0) -> tuple[HalfTurn, ...]:
        """The half-turns of a game as they stand now: of the rows for one half-turn the last counts."""
        turns: dict[int, HalfTurn] = {}
        for entry in self._log.entries():
            if entry.kind == KINDS[TurnRecorded] and entry.payload["game"] == game:
                turns[entry.payload["index"]] = half_turn(entry.payload)
        return tuple(turns[index] for index in sorted(turns))


class EffectLog:
    """Writes every effect as a line of JSON: `t_ms`, `kind`, and what `payload` says of it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def note(self, effect: Effect) -> None:
        """Write one effect."""
        line = {"t_ms": effect.t_ms, "kind": KINDS[type(effect)], **payload(effect)}
        print(json.dumps(line), file=self._out)


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
        case TurnRecorded():
            place = {"game": effect.game, "index": effect.index, "mended": effect.mended}
            return place | _turn_payload(effect.turn)
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
            return {
                "winner": effect.winner.value,
                "win": effect.win.name.lower(),
                "points": effect.points,
                "score": list(effect.score),
                "match_over": effect.match_over,
            }
        case Question():
            return {"index": effect.index, "candidates": [_turn_payload(turn) for turn in effect.candidates]}
        case CommandRefused():
            return {"why": effect.why}


def _turn_payload(turn: HalfTurn) -> dict[str, Any]:
    return {
        "ended_ms": turn.t_ms,
        "player": turn.player.value,
        "dice": str(turn.dice) if turn.dice else None,
        "dice_inferred": turn.dice_inferred,
        "steps": [[step.source, step.target, step.hit] for step in turn.steps],
        "legal": turn.legal,
        "position": str(turn.position),
        **({"words": turn.words} if turn.words else {}),
        **({"stand": str(turn.turn_state)} if turn.turn_state else {}),
    }


def half_turn(data: Mapping[str, Any]) -> HalfTurn:
    """The half-turn that `payload` wrote."""
    return HalfTurn(
        t_ms=data["ended_ms"],
        player=Player(data["player"]),
        dice=Dice.parse(data["dice"]) if data["dice"] else None,
        dice_inferred=data["dice_inferred"],
        steps=tuple(Step(*step) for step in data["steps"]),
        legal=data["legal"],
        position=Position.parse(data["position"]),
        words=data.get("words", ""),
        turn_state=TurnState.parse(data["stand"]) if data.get("stand") else None,
    )
