"""What the referee says: one sentence for each effect, in the words of today or of the old books."""

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
from sentences import Key, begun, say


class Speech(Enum):
    """How throws, points and plays are spoken of: today's numbers, or the words of the old books."""

    PLAIN = "plain"
    OLD = "old"


PLURALS = (Key("aces"), Key("deuces"), Key("treys"), Key("fours"), Key("fives"), Key("sixes"))
WINS = {Win.SINGLE: Key("single_game"), Win.GAMMON: Key("gammon"), Win.BACKGAMMON: Key("backgammon")}
OLD_WINS = WINS | {Win.SINGLE: Key("hit")}
WHO_SAYS = {
    Book.HOYLE: Key("hoyle"),
    Book.BRITANNICA: Key("the_britannica"),
    Book.CADY: Key("cady"),
    Book.MODERN: Key("modern_page"),
}


def add_words_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the way of speaking; `options.words` is then a Speech."""
    parser.add_argument(
        "--words",
        type=Speech,
        default=Speech.PLAIN,
        metavar="plain|old",
        help="name throws and points in numbers, or as the old books do",
    )


def effect_sentence(effect: Effect, names: Mapping[Player, str], speech: Speech = Speech.PLAIN) -> str | None:
    """What to tell the players about an effect; None when there is nothing to say."""
    match effect:
        case RollCalled():
            return say("rolls", name=names[effect.player], roll=call(effect.dice, speech))
        case TurnRecorded():
            return _recorded(effect, names[effect.turn.player], speech)
        case OffenceShown():
            wrong = "; ".join(
                say(
                    "offence_at",
                    offence=offence.kind,
                    places=_places(offence.places, effect.player, speech),
                )
                for offence in effect.offences
            )
            return say("offences", name=names[effect.player], offences=wrong)
        case OffenceEnded():
            return say("play_stands") if effect.stands else say("put_right")
        case GameWon():
            return _won(effect, names, speech)
        case Question():
            plays = ", ".join(
                f"{number} {turn.words or play_text(turn.steps, speech)}"
                for number, turn in enumerate(effect.candidates, start=1)
            )
            return say("what_was_played", name=names[effect.candidates[0].player], plays=plays)
        case CommandRefused():
            return effect.why
        case LampsChanged():
            return None


def declared_sentence(action: Action, game: Game, names: Mapping[Player, str]) -> str:
    """What people have just declared, and who has to answer. game: the game after the action."""
    match action:
        case Doubled(player=player) | Beavered(player=player):
            name, value = names[player], game.cube.value * 2
            if game.asked is None:
                return say("beavers", name=name, value=value)
            other = names[game.asked]
            if isinstance(action, Doubled):
                return say("doubles", name=name, value=value, other=other)
            return say("beavers_and_waits", name=name, value=value, other=other)
        case Took(player=player):
            return say("takes", name=names[player], value=game.cube.value)
        case Passed(player=player):
            return say("passes", name=names[player])
        case OfferedResignation(player=player, win=win):
            other = names[player.opponent]
            return say("resigns", name=names[player], win=say(WINS[win]), other=other)
        case AcceptedResignation(player=player):
            return say("accepts_resignation", name=names[player])
        case RefusedResignation(player=player):
            return say("refuses_resignation", name=names[player])
        case EditedBoard(on_roll=player):
            return say("board_set_up", name=names[player])
        case NullThrow(player=player):
            return say("throw_void", name=names[player])
        case _:
            return say("counts_from_now")


def correction_question(preview: CorrectionPreview, index: int, names: Mapping[Player, str]) -> str:
    """What a correction would change, and whether the board or the correction shall count."""
    found = []
    if not preview.corrected.legal:
        found.append((index, preview.corrected))
    found += preview.broken
    would = [say("half_turn_would_become", number=number + 1, turn=_numbered(turn)) for number, turn in found]
    if preview.unlike_board:
        would.append(say("camera_sees_other", number=index + 1))
    return begun(say("board_or_word", changes="; ".join(would)))


def _numbered(turn: HalfTurn) -> str:
    return f"{turn.dice or '??'}: {turn.words or play_text(turn.steps)}"


def cube_text(game: Game, names: Mapping[Player, str], *, crawford: bool) -> str:
    """The cube's value and owner, and who has to answer: "Cube 2 Ada's", "Cube 1, Ada to take or pass"."""
    if not (game.laws.has_cube and game.stakes.cube) and not crawford:
        return say("no_cube_used")
    if crawford:
        return say("crawford_no_cube")
    value, owner = game.cube.value, game.cube.owner
    cube = say("cube_of", value=value, name=names[owner]) if owner else say("cube_in_middle", value=value)
    if game.phase is GamePhase.DOUBLED and game.asked:
        return say("cube_to_take", cube=cube, name=names[game.asked], value=value * 2)
    if game.phase is GamePhase.RESIGNING and game.asked and game.offered:
        return say("cube_to_accept", cube=cube, name=names[game.asked], win=say(WINS[game.offered]))
    return cube


def _won(effect: GameWon, names: Mapping[Player, str], speech: Speech) -> str:
    white, black = effect.score
    name, win = names[effect.winner], say((OLD_WINS if speech is Speech.OLD else WINS)[effect.win])
    points = points_text(effect.points)
    score = say(
        "score_by_names", white=names[Player.WHITE], n_white=white, black=names[Player.BLACK], n_black=black
    )
    if effect.match_over:
        return say("wins_match", name=name, win=win, points=points, score=score)
    return say("wins_game", name=name, win=win, points=points, score=score)


def points_text(n_points: int) -> str:
    """A number of points of a match."""
    return say("one_point") if n_points == 1 else say("points", number=n_points)


def call(dice: Dice, speech: Speech = Speech.PLAIN) -> str:
    """A roll as it is called, the higher number first: "6-1", "double sixes"; old: "six-ace", "sixes"."""
    if speech is Speech.OLD:
        return calls.call_of_dice(dice)
    return (
        say("double_called", number=say(PLURALS[dice.high - 1]))
        if dice.is_double
        else f"{dice.high}-{dice.low}"
    )


def play_text(steps: Iterable[Step], speech: Speech = Speech.PLAIN) -> str:
    """A play: "8/5 6/5"; old: "one man from the outer deuce point to the cinque point, ..."."""
    return calls.play_in_words(steps) if speech is Speech.OLD else notation(tuple(steps))


def book_sentence(advice: Advice, speech: Speech = Speech.PLAIN) -> str:
    """What a book says about a first play: "Hoyle would have played 13/11 24/23 for a hit, ..."."""
    who = say(WHO_SAYS[advice.book])
    if len(advice.same_for) == len(advice.plays):
        return say("book_played_so", book=who, plays=advised_text(advice.plays, speech))
    if advice.same_for:
        (aim,) = advice.same_for
        others = {other: play for other, play in advice.plays.items() if other is not aim}
        return say("book_played_so_for", book=who, aim=aim, others=advised_text(others, speech))
    plays = advised_text(advice.plays, speech)
    if advice.mentioned:
        return say("book_tells_but_played", book=who, plays=plays)
    return say("book_played", book=who, plays=plays)


def book_hint(before: Position, dice: Dice, book: Book, speech: Speech = Speech.PLAIN) -> str | None:
    """What to show at a first roll: "Hoyle plays 8/5 6/5."; None later on, or when the book is silent."""
    plays = advised(dice, book)
    if before != Position.START or not plays:
        return None
    return say("book_plays", book=say(WHO_SAYS[book]), plays=advised_text(plays, speech))


def advised_text(plays: Mapping[Aim, str], speech: Speech = Speech.PLAIN) -> str:
    """The plays a book advises, the aim named unless one play serves both: "8/5 6/5"."""
    told = {aim: play_text(parse_steps(play), speech) for aim, play in plays.items()}
    if len(told) == len(Aim) and len(set(told.values())) == 1:
        return told[Aim.HIT]
    return ", ".join(f"{play} {aim}" for aim, play in told.items())


def place_name(place: Place, player: Player) -> int | str:
    """A place in `player`'s numbering: 1 to 24, 25 his bar, 0 his tray; the opponent's two in words."""
    if place.player not in (None, player):
        return str(place)
    return place.seen_by(player)


def _recorded(effect: TurnRecorded, name: str, speech: Speech) -> str:
    turn: HalfTurn = effect.turn
    play = turn.words or play_text(turn.steps, speech)
    if effect.mended:
        legal = say("corrected", name=name, play=play)
        return legal if turn.legal else say("corrected_illegal", name=name, play=play)
    return say("played", name=name, play=play) if turn.legal else say("played_illegal", name=name, play=play)


def _places(places: tuple[Place, ...], player: Player, speech: Speech) -> str:
    return ", ".join(place_text(place, player, speech) for place in places)


def place_text(place: Place, player: Player, speech: Speech = Speech.PLAIN) -> str:
    """A place in `player`'s numbering, in words: "13", "bar"; old: "adversary's outer six point", "bar"."""
    name = place_name(place, player)
    if isinstance(name, str):
        return place.words
    return (
        calls.point_name(name)
        if speech is Speech.OLD
        else {25: say("bar"), 0: say("off")}.get(name, str(name))
    )
