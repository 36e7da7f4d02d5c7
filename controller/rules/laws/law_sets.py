"""Sets of laws as data: what each book says to every question, where, and in which words.

One table for each set; nothing else in the package knows a set by its name. Where Hoyle's Games Modernized
is silent it is filled in from the laws "as given by Hoyle" in the Britannica, and where the modern page is
silent nobody is bound. `docs/laws.md` is printed from these tables.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from controller.rules.board.position import Position
from controller.rules.laws.law_terms import (
    Citation,
    ClosedOut,
    PlayEnds,
    Series,
    ThrowFault,
    Touched,
    WrongPlay,
)
from controller.rules.laws.law_terms import Laws as Laws


@dataclass(frozen=True, slots=True)
class _Answer:
    value: Any
    citation: Citation


def _says(value: object, where: str, words: str) -> _Answer:
    """An answer that the text gives in these words; "..." where they are shortened."""
    return _Answer(value, Citation(where, words))


def _silent(value: object, why: str) -> _Answer:
    """An answer to what the text does not ask."""
    return _Answer(value, Citation("", why))


def _laws(name: str, source: str, **answers: _Answer) -> Laws:
    values = {question: answer.value for question, answer in answers.items()}
    citations = {question: answer.citation for question, answer in answers.items()}
    return Laws(name=name, source=source, citations=citations, **values)


_HOME = tuple(range(19, 25))
_OUTER = tuple(range(13, 19))
_BAR = (25,)
_TOURNAMENTS = "tournament and money practice"
_AS_HOYLE = "Hoyle's laws in britannica-1878 fill in"
_NO_CUBE = "the text knows no cube"


HOYLE_1909 = _laws(
    "hoyle-1909",
    "Hoyle's Games Modernized, edited by Professor Louis Hoffmann, new edition, 1909",
    start=_says(
        Position.START,
        "Backgammon",
        "two of White’s men are placed on the ace point in Black’s inner table, five are placed on the six "
        "point in Black’s outer table, three on the deuce point in White’s outer table, and five on the six "
        "point in White’s inner table",
    ),
    first_player_may_throw_again=_says(
        True, "Playing", "may either adopt the points shown by the two dice as his own throw, or throw again"
    ),
    higher_number_compelled=_says(
        False,
        "Playing",
        "every player is compelled to play the whole of his throw if it is possible to do so",
    ),
    higher_number_deemed_borne=_silent(False, "the higher number is written first"),
    closed_out=_says(
        ClosedOut.SUSPENDED,
        "Playing",
        "his play is altogether suspended, the adversary continuing to throw and move",
    ),
    points=_says(
        (1, 2, 3),
        "Bearing off the Men",
        "pays double the agreed stake ... the loser pays either thrice or four times",
    ),
    backgammon_may_count=_says(
        (3, 4), "Bearing off the Men", "either thrice or four times (as may have been agreed)"
    ),
    backgammon_places=_says(
        (*_HOME, *_BAR),
        "Bearing off the Men",
        "has still a man or men “up” (i.e., on the bar) or in his (the winner’s) home table",
    ),
    backgammon_needs_none_borne=_says(
        False,
        "Bearing off the Men",
        "while the adversary has still a man or men “up” (i.e., on the bar) or in his (the winner’s) home "
        "table, the game is a “backgammon,”",
    ),
    winner_of_single_begins=_says(
        True, "Bearing off the Men", "the winner of a “hit” throws first in the game next following"
    ),
    has_cube=_silent(False, _NO_CUBE),
    automatic_doubles=_silent(0, _NO_CUBE),
    jacoby=_silent(False, _NO_CUBE),
    beavers=_silent(False, _NO_CUBE),
    crawford=_silent(False, _NO_CUBE),
    wrong_play=_silent(WrongPlay.BOTH_ONCE_THROWN, _AS_HOYLE),
    bystander_must_be_silent=_silent(False, "nobody is forbidden to speak"),
    borne_with_man_up_enter_again=_silent(True, _AS_HOYLE),
    touched=_silent(Touched.TAKEN_FROM_POINT, _AS_HOYLE),
    may_announce_adjusting=_silent(False, _AS_HOYLE),
    play_ends=_silent(PlayEnds.MAN_QUITTED, _AS_HOYLE),
    null_throws=_silent(frozenset(), "no throw is said to be void"),
    touched_die_named_by_adversary=_silent(False, "nobody names a die"),
    furnishing_may_be_required=_silent(True, "no text lets a wrong board stand before a throw"),
    omitted_men_stay_out=_silent(True, _AS_HOYLE),
    series=_says(
        (Series("rubber", 2),),
        "Hints for Play",
        "if he can secure a gammon (reckoning as a double game), he becomes the winner of the rubber",
    ),
)

BRITANNICA_1878 = _laws(
    "britannica-1878",
    "Encyclopaedia Britannica, ninth edition, volume 3, article Backgammon, with the laws as given by Hoyle",
    start=_says(
        Position.START, "page 197", "disposed at the commencement of a game in the manner shown above"
    ),
    first_player_may_throw_again=_says(
        True,
        "page 197",
        "he may either adopt the throw originally made by the two players, each throwing one die; or he may "
        "throw again, using both dice",
    ),
    higher_number_compelled=_says(
        False,
        "page 197",
        "it is compulsory for a player to move the whole throw if he can ... if ... white could move a six, "
        "and having done so could not move a five, his move is completed",
    ),
    higher_number_deemed_borne=_silent(False, "the higher number is written first"),
    closed_out=_says(
        ClosedOut.NEED_NOT_THROW,
        "page 198",
        "his adversary continues throwing until he is obliged to open a point",
    ),
    points=_says((1, 2, 3), "page 198", "a single game or hit ... a double game or gammon ... a triple game"),
    backgammon_may_count=_says((3,), "page 198", "a triple game or backgammon"),
    backgammon_places=_says(_HOME, "page 198", "has one in the winner’s inner table"),
    backgammon_needs_none_borne=_says(True, "page 198", "his adversary, not having borne a man"),
    winner_of_single_begins=_says(
        True, "page 198", "the winner of a hit has the first throw in the succeeding game"
    ),
    has_cube=_silent(False, _NO_CUBE),
    automatic_doubles=_silent(0, _NO_CUBE),
    jacoby=_silent(False, _NO_CUBE),
    beavers=_silent(False, _NO_CUBE),
    crawford=_silent(False, _NO_CUBE),
    wrong_play=_says(
        WrongPlay.BOTH_ONCE_THROWN,
        "law 5",
        "If he have mistaken his throw and played it, and his adversary have thrown, it is not in the choice "
        "of either of the players to alter it, unless they both agree so to do",
    ),
    bystander_must_be_silent=_silent(False, "nobody is forbidden to speak"),
    borne_with_man_up_enter_again=_says(
        True,
        "law 4",
        "such men so borne must be entered again in the adversary’s tables as well as the man taken up",
    ),
    touched=_says(
        Touched.TAKEN_FROM_POINT,
        "law 1",
        "When a man is taken from any point, it must be played; when two men are taken from it, they also "
        "must be played",
    ),
    may_announce_adjusting=_silent(False, "a man is bound once it is taken from its point, not before"),
    play_ends=_says(
        PlayEnds.MAN_QUITTED,
        "law 2",
        "A man is not supposed to be played till it is placed upon a point and quitted",
    ),
    null_throws=_silent(frozenset(), "no throw is said to be void"),
    touched_die_named_by_adversary=_silent(False, "nobody names a die"),
    furnishing_may_be_required=_silent(True, "no text lets a wrong board stand before a throw"),
    omitted_men_stay_out=_says(
        True,
        "law 3",
        "If a player have only fourteen men in play, there is no penalty inflicted, because by his playing "
        "with a lesser number than he is entitled to, he plays to a disadvantage",
    ),
    series=_says((), "page 198", "When a series of games is played"),
)

CADY_1895 = _laws(
    "cady-1895",
    "A. Howard Cady, Backgammon, Spalding's Home Library, New York 1895",
    start=_says(
        Position.START,
        "The Game",
        "White will place two men on the opponent’s ace point, five on his twelfth (or No. 6 outer table), "
        "three upon his own eighth, and five upon his sixth point",
    ),
    first_player_may_throw_again=_says(
        True,
        "Throwing",
        "it being optional with him to adopt the numbers already thrown or taking up the pair of dice and "
        "casting again",
    ),
    higher_number_compelled=_says(
        False,
        "The Restrictions in Playing",
        "he can play either trois or ace points, but not both, therefore he must decide which seems "
        "preferable and move accordingly",
    ),
    higher_number_deemed_borne=_says(
        True,
        "law 10",
        "if a man is played, and another man or the same man is then borne from the highest occupied point, "
        "the highest number thrown is deemed to be borne",
    ),
    closed_out=_says(
        ClosedOut.NEED_NOT_THROW,
        "Hitting a Blot, note",
        "it is useless for the player to throw, and his adversary, therefore, may continue to play until he "
        "opens a point",
    ),
    points=_says((1, 2, 3), "Bearing", "It is a triple or quadruple game"),
    backgammon_may_count=_says(
        (3, 4),
        "Bearing",
        "a triple or quadruple game (according to previous arrangement or agreement between the players)",
    ),
    backgammon_places=_says(
        (*_OUTER, *_HOME, *_BAR), "Bearing", "has carried all his men out of the winner’s tables"
    ),
    backgammon_needs_none_borne=_says(
        True, "Bearing", "Should a player, having borne a man, be taken up, he can only lose a hit"
    ),
    winner_of_single_begins=_says(
        True, "Bearing", "the winner of a hit has the right to the first throw in the new game"
    ),
    has_cube=_silent(False, _NO_CUBE),
    automatic_doubles=_silent(0, _NO_CUBE),
    jacoby=_silent(False, _NO_CUBE),
    beavers=_silent(False, _NO_CUBE),
    crawford=_silent(False, _NO_CUBE),
    wrong_play=_says(
        WrongPlay.ADVERSARY_UNTIL_HE_THROWS,
        "law 11",
        "the adversary may require the right number to be played, but he must do so before making his next "
        "throw",
    ),
    bystander_must_be_silent=_silent(False, "nobody is forbidden to speak"),
    borne_with_man_up_enter_again=_says(
        True,
        "law 12",
        "If a man is up and others are borne before the one up is entered, the men so borne must be entered "
        "again, as well as the man taken up",
    ),
    touched=_says(Touched.TOUCHED, "law 8", "If the caster touches one of his own men he must play it"),
    may_announce_adjusting=_says(
        True, "law 8", "unless, prior to touching it, he intimates his intention of adjusting it"
    ),
    play_ends=_says(
        PlayEnds.MAN_QUITTED, "law 9", "A man is not played until it is placed on a point and quitted"
    ),
    null_throws=_says(
        frozenset(
            {
                ThrowFault.OTHER_TABLE,
                ThrowFault.OFF_BOARD,
                ThrowFault.ON_BAR_OR_FRAME,
                ThrowFault.ON_DIE,
                ThrowFault.TILTED,
            }
        ),
        "laws 3, 4",
        "If a die jumps from one table to the other, or off the board, or on to the bar or frame, the throw "
        "is null and void, and the caster throws again ... If one die rests on top of the other, or tilts",
    ),
    touched_die_named_by_adversary=_says(
        True, "laws 5, 6", "the player not in fault may name the number that shall be played for that die"
    ),
    furnishing_may_be_required=_says(
        True,
        "law 1",
        "the adversary, before he throws a die, may require the board to be properly furnished",
    ),
    omitted_men_stay_out=_says(
        True,
        "law 2",
        "If a player does not place all his men before he throws a die, he cannot place those he has omitted",
    ),
    series=_says(
        (Series("set", 3),),
        "Tactics, XV",
        "a set, *i. e.,* three games up of the best of five",
    ),
)

MODERN = _laws(
    "modern-match",
    "the modern rules page, with tournament practice in match play",
    start=_says(Position.START, "The Men", "To start the game, they are set up as shown in Diagram 3"),
    first_player_may_throw_again=_says(
        False,
        "To Begin",
        "the first move is determined by these two dice: his own die, and his opponent’s",
    ),
    higher_number_compelled=_says(
        True,
        "The Moves",
        "if it is possible for you to make one move or the other, but not both, then you must make the move "
        "shown by the higher of the two dice",
    ),
    higher_number_deemed_borne=_silent(False, "the higher number is written first"),
    closed_out=_says(ClosedOut.NEED_NOT_THROW, "Making Points", "he need not even pick up the dice"),
    points=_says(
        (1, 2, 3), "Gammons and Backgammons", "a gammon — a double game ... a backgammon — or triple game"
    ),
    backgammon_may_count=_says(
        (3,), "Gammons and Backgammons", "a backgammon — or triple game. And triple the bet"
    ),
    backgammon_places=_says(
        (*_HOME, *_BAR),
        "Gammons and Backgammons",
        "he still has one or more of his men in your inner board or on the bar",
    ),
    backgammon_needs_none_borne=_says(
        True, "Gammons and Backgammons", "before your opponent has taken any of his men off"
    ),
    winner_of_single_begins=_says(
        False, "To Begin", "The game is begun by each player throwing a single die"
    ),
    has_cube=_says(
        True, "The Doubling Cube", "the cube can be turned by a player only before it is his turn to throw"
    ),
    automatic_doubles=_says(0, "Automatic Doubles", "should be discussed and settled before the game begins"),
    jacoby=_silent(False, _TOURNAMENTS),
    beavers=_silent(False, _TOURNAMENTS),
    crawford=_silent(True, _TOURNAMENTS),
    wrong_play=_says(
        WrongPlay.ADVERSARY_UNTIL_HE_THROWS,
        "Incorrect Moves",
        "they must be corrected before the subsequent throw of the opposing player. Once this throw has been "
        "made, all moves — correct or incorrect — are final",
    ),
    bystander_must_be_silent=_says(
        True,
        "Kibitzers",
        "The only person who can or should call attention to a mistaken move is the opposing player",
    ),
    borne_with_man_up_enter_again=_silent(False, "a wrong play like any other"),
    touched=_says(
        Touched.NONE, "Throwing the Dice", "the rules allow a player to change his move, even several times"
    ),
    may_announce_adjusting=_silent(False, "no man need be played because it was touched"),
    play_ends=_says(
        PlayEnds.DICE_PICKED_UP,
        "Throwing the Dice",
        "picking up his dice is the signal that he has completed his move",
    ),
    null_throws=_says(
        frozenset(
            {
                ThrowFault.WRONG_SIDE,
                ThrowFault.OTHER_TABLE,
                ThrowFault.OFF_BOARD,
                ThrowFault.ON_MAN,
                ThrowFault.TILTED,
                ThrowFault.PREMATURE,
            }
        ),
        "Throwing the Dice",
        "onto the board on his right, and that if a die jumps the bar, goes off the board, comes to rest on "
        "a checker (even if it lands flat) or is tilted in any way, both dice have to be re-thrown ... if "
        "the opposing player should throw his dice before the player making the move picks up his own, he "
        "must throw over",
    ),
    touched_die_named_by_adversary=_silent(False, "nobody names a die"),
    furnishing_may_be_required=_silent(True, "no text lets a wrong board stand before a throw"),
    omitted_men_stay_out=_silent(False, "a missing man is put on the board"),
    series=_silent((), "a match is of as many points as are agreed on"),
)

_MODERN_MONEY = {
    "jacoby": _silent(True, _TOURNAMENTS),
    "beavers": _silent(True, _TOURNAMENTS),
    "crawford": _silent(False, _TOURNAMENTS),
}


def _varied(laws: Laws, name: str, source: str, **answers: _Answer) -> Laws:
    """`laws` with other answers to some questions."""
    citations = {**laws.citations, **{question: answer.citation for question, answer in answers.items()}}
    values = {question: answer.value for question, answer in answers.items()}
    return replace(laws, name=name, source=source, citations=citations, **values)


MODERN_MONEY = _varied(
    MODERN, "modern-money", "the modern rules page, with the practice of play for money", **_MODERN_MONEY
)

NACKGAMMON = _varied(
    MODERN,
    "nackgammon",
    "Nack Ballard's start position, otherwise as modern-match",
    start=_silent(
        Position.parse("00000040300004000000000220:00000040300004000000000220"),
        "two men each on the 24 and 23 points, four on the 13 and 6 points, three on the 8 point",
    ),
)

HYPERGAMMON = _varied(
    MODERN,
    "hypergammon",
    "three men a side, otherwise as modern-match",
    start=_silent(
        Position.parse("c0000000000000000000001110:c0000000000000000000001110"),
        "one man each on the 24, 23 and 22 points; the other twelve lie off the board from the start",
    ),
)

BOOKS = (HOYLE_1909, BRITANNICA_1878, CADY_1895, MODERN_MONEY, MODERN)
"""The sets of laws that the source texts give."""

LAWS = {laws.name: laws for laws in (*BOOKS, NACKGAMMON, HYPERGAMMON)} | {"modern": MODERN}
"""Every set of laws by its name; `modern` is another name for modern-match."""
