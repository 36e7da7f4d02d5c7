"""Games whose checkers are entered by throws. `.mat` and `.sgf` cannot hold them.

A game is written as one JSON object a line:

{"laws": "russian-cady", "settings": {...}, "leader": "white", "white": "Ada", "black": "Bert"}
{"player": "white", "dice": "21", "play": "off/23 off/24", "stand": "..."}
{"player": "white", "chosen": "66", "play": "off/19(4); off/24(4)", "stand": "..."}
{"player": "black", "dice": "65", "irregular": true, "stand": "..."}
{"won": "white", "win": "gammon", "points": 2}

Plays are in the notation of docs/laws.md and `stand` is `str(TurnState)`. `settings` are the fields of the
laws, because players may agree to differ from the laws as written. The plays alone give the game; `stand` is
for programs that do not know the rules, and for irregular plays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any

from controller.record.match_record import MatchFileError, refuse_lone_surrogates
from controller.rules import Dice, Player, TurnState
from controller.rules.entering.entering_laws import (
    ENTERING_LAWS,
    Complement,
    EnteringLaws,
    Placing,
    ShiftEnds,
)
from controller.rules.games import rules_of
from sentences import say


@dataclass(frozen=True, kw_only=True)
class ThrowRecord:
    """One throw and its play.

    dice: None when the board changed without a known throw.
    chosen: the dice were not thrown but chosen, after a deuce-ace.
    play: as it is written; None for an irregular play.
    stand: the state after it.
    """

    player: Player
    dice: Dice | None
    chosen: bool = False
    play: str | None
    stand: TurnState


@dataclass(frozen=True, kw_only=True)
class ThrownGame:
    """A game whose checkers are entered by throws."""

    laws: EnteringLaws
    leader: Player
    throws: tuple[ThrowRecord, ...] = ()
    white: str = "White"
    black: str = "Black"

    @property
    def stand(self) -> TurnState:
        """The state after the last throw."""
        return self.throws[-1].stand if self.throws else rules_of(self.laws).start(self.leader)

    def after(self, dice: Dice, play: str) -> ThrownGame:
        """The game after one more throw. Raises PlayError when the play is not legal."""
        made = rules_of(self.laws).plays(self.stand, dice).parse(play)
        return self._with_throw(dice, str(made), made.turn_state)

    def after_irregular(self, dice: Dice | None, stand: TurnState) -> ThrownGame:
        """The game after an irregular play, which stood; `stand` is the state after it."""
        return self._with_throw(dice, None, stand)

    def _with_throw(self, dice: Dice | None, play: str | None, stand: TurnState) -> ThrownGame:
        before = self.stand
        thrown = ThrowRecord(player=before.on_roll, dice=dice, chosen=before.choosing, play=play, stand=stand)
        return replace(self, throws=(*self.throws, thrown))


def format_thrown_game(game: ThrownGame) -> str:
    """The game as lines of JSON."""
    return "".join(json.dumps(line) + "\n" for line in thrown_game_rows(game))


def thrown_game_rows(game: ThrownGame) -> Iterator[dict[str, Any]]:
    """The game as JSON objects, one for each row of the log."""
    yield {
        "laws": game.laws.name,
        "settings": _settings(game.laws),
        "leader": game.leader.value,
        "white": game.white,
        "black": game.black,
    }
    for thrown in game.throws:
        dice = str(thrown.dice) if thrown.dice else None
        made = {"irregular": True} if thrown.play is None else {"play": thrown.play}
        throw = {"chosen" if thrown.chosen else "dice": dice}
        yield {"player": thrown.player.value, **throw, **made, "stand": str(thrown.stand)}
    win, winner = rules_of(game.laws).win(game.stand), game.stand.winner
    if win and winner:
        points = game.laws.points[win.value - 1]
        yield {"won": winner.value, "win": win.name.lower(), "points": points}


def parse_thrown_game(text: str) -> ThrownGame:
    """The game that `format_thrown_game` wrote, replayed. Raises MatchFileError that names the wrong line."""
    game: ThrownGame | None = None
    refuse_lone_surrogates(text)
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            data = json.loads(line)
            game = _begun(data) if game is None else _continued(game, data)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            what = say("key_missing", key=error.args[0]) if isinstance(error, KeyError) else str(error)
            raise MatchFileError(say("line_and_problem", line=number, problem=what)) from None
    if game is None:
        raise MatchFileError(say("no_game_in_file"))
    return game


def _begun(data: Mapping[str, Any]) -> ThrownGame:
    named = ENTERING_LAWS.get(data["laws"])
    if named is None:
        raise MatchFileError(say("laws_unknown_in_file", name=data["laws"], known=", ".join(ENTERING_LAWS)))
    return ThrownGame(
        laws=_with_settings(named, data.get("settings", {})),
        leader=Player(data["leader"]),
        white=data.get("white", "White"),
        black=data.get("black", "Black"),
    )


def _continued(game: ThrownGame, data: Mapping[str, Any]) -> ThrownGame:
    if "won" in data:
        winner = game.stand.winner
        if winner is None or winner.value != data["won"]:
            raise MatchFileError(say("has_not_won", name=data["won"]))
        return game
    if data["player"] != game.stand.on_roll.value:
        raise MatchFileError(say("not_on_turn", name=data["player"]))
    dice = data["chosen"] if game.stand.choosing else data["dice"]
    if data.get("irregular"):
        return game.after_irregular(Dice.parse(dice) if dice else None, TurnState.parse(data["stand"]))
    return game.after(Dice.parse(dice), data["play"])


def _settings(laws: EnteringLaws) -> dict[str, object]:
    """The fields of `laws` as JSON."""
    return {name: _plain(value) for name, value in asdict(laws).items() if name not in ("name", "source")}


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value.name.lower() if isinstance(value, Enum) else value


def _with_settings(laws: EnteringLaws, settings: Mapping[str, Any]) -> EnteringLaws:
    """`laws` with the fields that `_settings` wrote."""
    changes = dict(settings)
    if "complement" in changes:
        changes["complement"] = Complement[changes["complement"].upper()]
    if "points" in changes:
        changes["points"] = tuple(changes["points"])
    if changes.get("placing"):
        shift_ends = ShiftEnds[changes["placing"]["shift_ends"].upper()]
        changes["placing"] = Placing(**{**changes["placing"], "shift_ends": shift_ends})
    return replace(laws, **changes)


def cannot_carry(laws: EnteringLaws, suffix: str) -> MatchFileError:
    """The error for a match file of another program, which cannot hold a game under `laws`."""
    return MatchFileError(say("suffix_cannot_carry", suffix=suffix, laws=laws.name))
