"""What the referee has to say, one sentence for each effect, in the field's words or the old books'."""

import argparse
from collections.abc import Iterable, Mapping
from enum import Enum

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
from controller.referee.inference.corrections import CorrectionPreview
from controller.rules import (
    AcceptedResignation,
    Action,
    Beavered,
    Dice,
    Doubled,
    EditedBoard,
    Game,
    GamePhase,
    NullThrow,
    OfferedResignation,
    Passed,
    Place,
    Player,
    Position,
    RefusedResignation,
    Step,
    Took,
    Win,
    notation,
    parse_steps,
)
from controller.rules.notation import calls
from controller.rules.openings.opening_book import Advice, Aim, Book, advised


class Speech(Enum):
    """How throws, points and plays are spoken of: today's numbers, or the words of the old books."""

    PLAIN = "plain"
    OLD = "old"


PLURALS = ("aces", "deuces", "treys", "fours", "fives", "sixes")
WINS = {Win.SINGLE: "a single game", Win.GAMMON: "a gammon", Win.BACKGAMMON: "a backgammon"}
OLD_WINS = WINS | {Win.SINGLE: "a hit"}
WHO_SAYS = {
    Book.HOYLE: "Hoyle",
    Book.BRITANNICA: "The Britannica",
    Book.CADY: "Cady",
    Book.MODERN: "The modern page",
}


def add_words_option(parser: argparse.ArgumentParser) -> None:
    """Let a command be told how to speak; `options.words` is then a Speech."""
    parser.add_argument(
        "--words",
        type=Speech,
        default=Speech.PLAIN,
        metavar="plain|old",
        help="name throws and points in numbers, or as the old books do",
    )


def effect_sentence(effect: Effect, names: Mapping[Player, str], speech: Speech = Speech.PLAIN) -> str | None:
    """What to tell the players of an effect; None when there is nothing to say."""
    match effect:
        case RollCalled():
            return f"{names[effect.player]} rolls {call(effect.dice, speech)}."
        case TurnRecorded():
            return _recorded(effect, names[effect.turn.player], speech)
        case OffenceShown():
            wrong = "; ".join(
                f"{offence.kind.value} ({_places(offence.places, effect.player, speech)})"
                for offence in effect.offences
            )
            return f"{names[effect.player]}: {wrong}."
        case OffenceEnded():
            return "The play stands." if effect.stands else "That is put right."
        case GameWon():
            return _won(effect, names, speech)
        case Question():
            plays = ", ".join(
                f"{number} {turn.words or play_text(turn.steps, speech)}"
                for number, turn in enumerate(effect.candidates, start=1)
            )
            return f"What did {names[effect.candidates[0].player]} play: {plays}? Type its number."
        case CommandRefused():
            return effect.why
        case LampsChanged():
            return None


def declared_sentence(action: Action, game: Game, names: Mapping[Player, str]) -> str:
    """What people have just declared, and who answers. game: after the action."""
    match action:
        case Doubled(player=player) | Beavered(player=player):
            verb = "doubles" if isinstance(action, Doubled) else "beavers"
            answer = f": {names[game.asked]} to take or pass" if game.asked else ""
            return f"{names[player]} {verb} to {game.cube.value * 2}{answer}."
        case Took(player=player):
            return f"{names[player]} takes: the cube is his at {game.cube.value}."
        case Passed(player=player):
            return f"{names[player]} passes."
        case OfferedResignation(player=player, win=win):
            other = names[player.opponent]
            return f"{names[player]} resigns {WINS[win]}: {other} to accept or refuse."
        case AcceptedResignation(player=player):
            return f"{names[player]} accepts the resignation."
        case RefusedResignation(player=player):
            return f"{names[player]} refuses the resignation: the game goes on."
        case EditedBoard(on_roll=player):
            return f"The board is set up: {names[player]} to roll. Cube and score stay as they are."
        case NullThrow(player=player):
            return f"The throw is void: {names[player]} throws again."
        case _:
            return "That counts from now on."


TURN_IS_OVER = "The turn is over: {name} to roll."
GAME_BEGINS = "A new game begins."
BOARD_KEPT = "The board stays as it was seen: nothing is changed."
WORD_UNDONE = "Your last word is taken back."
PLAY_TAKEN_BACK = "The play is taken back: {name} plays {roll} again."
STAYS_SO = "Half-turn {number} stays as it is: {play}."
STOPPING = "The program ends; the match is kept."


def correction_question(preview: CorrectionPreview, index: int, names: Mapping[Player, str]) -> str:
    """What a correction would change, and the choice between the board and the word."""
    found = []
    if not preview.corrected.legal:
        found.append((index, preview.corrected))
    found += preview.broken
    would = [
        f"half-turn {number + 1} would become {_numbered(turn)}, which is illegal" for number, turn in found
    ]
    if preview.unlike_board:
        would.append(f"the camera sees another board after half-turn {index + 1}")
    text = "; ".join(would)
    return f"{text[0].upper()}{text[1:]}: 1 keep the board, 2 keep your word?"


def _numbered(turn: HalfTurn) -> str:
    return f"{turn.dice or '??'}: {turn.words or play_text(turn.steps)}"


def cube_text(game: Game, names: Mapping[Player, str], *, crawford: bool) -> str:
    """The cube's value and owner, and who has to answer: "Cube 2 Ada's", "Cube 1, Ada to take or pass"."""
    if not (game.laws.has_cube and game.stakes.cube) and not crawford:
        return "No cube"
    if crawford:
        return "Crawford game: no cube"
    owner = f" {names[game.cube.owner]}'s" if game.cube.owner else " in the middle"
    if game.phase is GamePhase.DOUBLED and game.asked:
        return f"Cube {game.cube.value}{owner}, {names[game.asked]} to take or pass {game.cube.value * 2}"
    if game.phase is GamePhase.RESIGNING and game.asked and game.offered:
        return f"Cube {game.cube.value}{owner}, {names[game.asked]} to accept or refuse {WINS[game.offered]}"
    return f"Cube {game.cube.value}{owner}"


def _won(effect: GameWon, names: Mapping[Player, str], speech: Speech) -> str:
    white, black = effect.score
    win = (OLD_WINS if speech is Speech.OLD else WINS)[effect.win]
    points = f"{effect.points} point{'s' * (effect.points > 1)}"
    score = f"{names[Player.WHITE]} {white}, {names[Player.BLACK]} {black}"
    match = " and the match" if effect.match_over else ""
    return f"{names[effect.winner]} wins {win}{match}, {points}: {score}."


def call(dice: Dice, speech: Speech = Speech.PLAIN) -> str:
    """A roll as it is called, the higher number first: "6-1", "double sixes"; of old "six-ace", "sixes"."""
    if speech is Speech.OLD:
        return calls.call_of_dice(dice)
    return f"double {PLURALS[dice.high - 1]}" if dice.is_double else f"{dice.high}-{dice.low}"


def play_text(steps: Iterable[Step], speech: Speech = Speech.PLAIN) -> str:
    """A play: "8/5 6/5"; of old "one man from the outer deuce point to the cinque point, ..."."""
    return calls.play_in_words(steps) if speech is Speech.OLD else notation(tuple(steps))


def book_sentence(advice: Advice, speech: Speech = Speech.PLAIN) -> str:
    """What a book says to a first play: "Hoyle would have played 13/11 24/23 for a hit, ..."."""
    who = WHO_SAYS[advice.book]
    if len(advice.same_for) == len(advice.plays):
        return f"{who} would have played so too: {advised_text(advice.plays, speech)}."
    if advice.same_for:
        (aim,) = advice.same_for
        others = {other: play for other, play in advice.plays.items() if other is not aim}
        return f"{who} would have played so too {aim.value}, but {advised_text(others, speech)}."
    knows = "tells of this play, but " if advice.mentioned else ""
    return f"{who} {knows}would have played {advised_text(advice.plays, speech)}."


def book_hint(before: Position, dice: Dice, book: Book, speech: Speech = Speech.PLAIN) -> str | None:
    """What to show at a first roll: "Hoyle plays 8/5 6/5."; None later on, or when the book is silent."""
    plays = advised(dice, book)
    if before != Position.START or not plays:
        return None
    return f"{WHO_SAYS[book]} plays {advised_text(plays, speech)}."


def advised_text(plays: Mapping[Aim, str], speech: Speech = Speech.PLAIN) -> str:
    """The plays a book advises, the aim named unless one play serves both: "8/5 6/5"."""
    told = {aim: play_text(parse_steps(play), speech) for aim, play in plays.items()}
    if len(told) == len(Aim) and len(set(told.values())) == 1:
        return told[Aim.HIT]
    return ", ".join(f"{play} {aim.value}" for aim, play in told.items())


def place_name(place: Place, player: Player) -> int | str:
    """A place in `player`'s numbering: 1 to 24, 25 his bar, 0 his tray; what is the opponent's in words."""
    if place.player not in (None, player):
        return str(place)
    return place.seen_by(player)


def _recorded(effect: TurnRecorded, name: str, speech: Speech) -> str:
    turn: HalfTurn = effect.turn
    play = turn.words or play_text(turn.steps, speech)
    illegal = "" if turn.legal else ", which is illegal"
    if effect.mended:
        return f"Corrected: {name} played {play}{illegal}."
    return f"{name} plays {play}{illegal}."


def _places(places: tuple[Place, ...], player: Player, speech: Speech) -> str:
    return ", ".join(place_text(place, player, speech) for place in places)


def place_text(place: Place, player: Player, speech: Speech = Speech.PLAIN) -> str:
    """A place in `player`'s numbering, in words: "13", "bar"; of old "adversary's outer six point", "bar"."""
    name = place_name(place, player)
    if isinstance(name, str):
        return name
    return calls.point_name(name) if speech is Speech.OLD else {25: "bar", 0: "off"}.get(name, str(name))
