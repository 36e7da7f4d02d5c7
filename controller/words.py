"""What the referee has to say, one sentence for each effect, in the field's words."""

from collections.abc import Mapping

from controller.referee import (
    Effect,
    GameWon,
    HalfTurn,
    LampsChanged,
    OffenceEnded,
    OffenceShown,
    Question,
    Recorded,
    Refused,
    RollCalled,
)
from controller.rules import Dice, Place, Player, Win

PLURALS = ("aces", "deuces", "treys", "fours", "fives", "sixes")
WINS = {Win.SINGLE: "a single game", Win.GAMMON: "a gammon", Win.BACKGAMMON: "a backgammon"}


def sentence(effect: Effect, names: Mapping[Player, str]) -> str | None:
    """What to tell the players of an effect; None when there is nothing to say."""
    match effect:
        case RollCalled():
            return f"{names[effect.player]} rolls {call(effect.dice)}."
        case Recorded():
            return _recorded(effect, names[effect.turn.player])
        case OffenceShown():
            wrong = "; ".join(
                f"{offence.kind.value} ({_places(offence.places, effect.player)})"
                for offence in effect.offences
            )
            return f"{names[effect.player]}: {wrong}."
        case OffenceEnded():
            return "The play stands." if effect.stands else "That is put right."
        case GameWon():
            return _won(effect, names)
        case Question():
            plays = " or ".join(turn.play for turn in effect.candidates)
            return f"What did {names[effect.candidates[0].player]} play: {plays}?"
        case Refused():
            return effect.why
        case LampsChanged():
            return None


def _won(effect: GameWon, names: Mapping[Player, str]) -> str:
    white, black = effect.score
    points = f"{effect.points} point{'s' * (effect.points > 1)}"
    score = f"{names[Player.WHITE]} {white}, {names[Player.BLACK]} {black}"
    match = " and the match" if effect.match_over else ""
    return f"{names[effect.winner]} wins {WINS[effect.win]}{match}, {points}: {score}."


def call(dice: Dice) -> str:
    """A roll as it is called, the higher number first: "6-1", "double sixes"."""
    return f"double {PLURALS[dice.high - 1]}" if dice.is_double else f"{dice.high}-{dice.low}"


def place_name(place: Place, player: Player) -> int | str:
    """A place in `player`'s numbering: 1 to 24, 25 his bar, 0 his tray; what is the opponent's in words."""
    if place.player not in (None, player):
        return str(place)
    return place.seen_by(player)


def _recorded(effect: Recorded, name: str) -> str:
    turn: HalfTurn = effect.turn
    illegal = "" if turn.legal else ", which is illegal"
    if effect.mended:
        return f"Corrected: {name} played {turn.play}{illegal}."
    return f"{name} plays {turn.play}{illegal}."


def _places(places: tuple[Place, ...], player: Player) -> str:
    names = {25: "bar", 0: "off"}
    numbers = [place_name(place, player) for place in places]
    return ", ".join(
        names.get(number, str(number)) if isinstance(number, int) else number for number in numbers
    )
