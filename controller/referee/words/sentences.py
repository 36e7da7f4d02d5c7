"""What the referee says: one sentence for each effect, in the words of today or of the old books."""

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import reduce

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
    BAR,
    OFF,
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
    Outcome,
    Passed,
    Place,
    Player,
    RefusedResignation,
    Step,
    Took,
    Win,
    notation,
)
from controller.rules.notation import calls
from controller.rules.plays.steps import NO_MOVE
from sentences import Key, begun, say


class Speech(Enum):
    """How throws, points and plays are spoken of: today's numbers, or the words of the old books."""

    PLAIN = "plain"
    OLD = "old"


PLURALS = (Key("aces"), Key("deuces"), Key("treys"), Key("fours"), Key("fives"), Key("sixes"))
WINS = {Win.SINGLE: Key("single_game"), Win.GAMMON: Key("gammon"), Win.BACKGAMMON: Key("backgammon")}
OLD_WINS = WINS | {Win.SINGLE: Key("hit")}


def effect_sentence(effect: Effect, names: Mapping[Player, str], speech: Speech = Speech.PLAIN) -> str | None:
    """What to tell the players about an effect; None when there is nothing to say."""
    match effect:
        case RollCalled():
            roll = call(effect.dice, speech)
            if effect.player is None:
                return say("opening_roll_is", roll=roll)
            return say("rolls", name=names[effect.player], roll=roll)
        case TurnRecorded():
            return _recorded(effect, names[effect.turn.player], speech)
        case OffenceShown():
            found = []
            for offence in effect.offences:
                places = ", ".join(_place_text(place, effect.player, speech) for place in offence.places)
                found.append(say("offence_at", offence=offence.kind, places=places))
            return say("offences", name=names[effect.player], offences="; ".join(dict.fromkeys(found)))
        case OffenceEnded():
            return say("play_stands") if effect.stands else say("put_right")
        case GameWon():
            return _won(effect, names, speech)
        case Question():
            plays = ", ".join(
                f"{number} {play_made(turn, speech)}"
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
            owner = names[game.cube.owner or player]
            return say("takes", name=names[player], owner=owner, value=game.cube.value)
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


def correction_question(preview: CorrectionPreview, index: int) -> str:
    """What a correction would change, and how people type whether the board or their word shall count."""
    return begun(say("board_or_word", changes=correction_changes(preview, index)))


def correction_changes(preview: CorrectionPreview, index: int) -> str:
    """What a correction would change, as part of a sentence."""
    would = [
        say("half_turn_would_become", number=number + 1, turn=roll_and_play(turn))
        for number, turn in ((index, preview.corrected), *preview.broken)
        if not turn.legal
    ]
    if preview.unlike_board:
        would.append(say("camera_sees_other", number=index + 1))
    return reduce(lambda first, other: say("and_also", first=first, other=other), would)


def cube_text(game: Game, names: Mapping[Player, str], *, crawford: bool) -> str:
    """The cube's value and owner, and who has to answer: "Cube 2 Ada's", "Cube 1, Ada to take or pass"."""
    if crawford:
        return say("crawford_no_cube")
    if not game.has_cube:
        return say("no_cube_used")
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


def outcome_text(outcome: Outcome, names: Mapping[Player, str]) -> str:
    """How a game ended: "Ada wins a gammon: 4 points."."""
    name, win = names[outcome.winner], say(WINS[outcome.win])
    return say("game_ended", name=name, win=win, points=points_text(outcome.points))


def points_text(n_points: int) -> str:
    """`1 point`, `3 points`."""
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


def play_made(turn: HalfTurn, speech: Speech = Speech.PLAIN) -> str:
    """The play of a half-turn, in the notation of its game if that is not the standard one."""
    play = turn.words or play_text(turn.steps, speech)
    return say("no_move") if play in NO_MOVE else play


def roll_and_play(turn: HalfTurn, speech: Speech = Speech.PLAIN) -> str:
    """A half-turn: "31: 8/5 6/5"; "??" for dice that are not known."""
    return say("roll_and_play", dice=turn.dice or "??", play=play_made(turn, speech))


def _recorded(effect: TurnRecorded, name: str, speech: Speech) -> str:
    turn: HalfTurn = effect.turn
    play = play_made(turn, speech)
    if effect.mended:
        legal = say("corrected", name=name, play=play)
        return legal if turn.legal else say("corrected_illegal", name=name, play=play)
    return say("played", name=name, play=play) if turn.legal else say("played_illegal", name=name, play=play)


def _place_text(place: Place, player: Player, speech: Speech) -> str:
    """A place in `player`'s numbering, in words: "13", "bar"; old: "adversary's outer six point", "bar"."""
    if place.player not in (None, player):
        return place.words
    number = place.seen_by(player)
    if speech is Speech.OLD:
        return calls.point_name(number)
    return {BAR: say("bar"), OFF: say("off")}.get(number, str(number))
