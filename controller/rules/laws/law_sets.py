"""Every set of laws as data: the answer of each text to every question, where, and in which words.

There is one table for each set; the old books are in `old_laws`. Where the modern page is silent, whatever is
not forbidden is allowed. The tables in `docs/laws.md` are printed from these.
"""

from __future__ import annotations

from controller.rules.board.position import Position
from controller.rules.laws.law_answers import (
    LOSERS_BAR,
    WINNERS_HOME,
    laws_of_text,
    says,
    silent,
    varied_laws,
)
from controller.rules.laws.law_terms import ClosedOut, PlayEnds, ThrowFault, Touched, WrongPlay
from controller.rules.laws.old_laws import BRITANNICA_1878 as BRITANNICA_1878
from controller.rules.laws.old_laws import CADY_1895 as CADY_1895
from controller.rules.laws.old_laws import HOYLE_1909 as HOYLE_1909

_TOURNAMENTS = "tournament and money practice"


MODERN = laws_of_text(
    "modern-match",
    "the modern rules page, with tournament practice in match play",
    start=says(Position.START, "The Men", "To start the game, they are set up as shown in Diagram 3"),
    first_player_may_throw_again=says(
        False,
        "To Begin",
        "the first move is determined by these two dice: his own die, and his opponent’s",
    ),
    higher_number_compelled=says(
        True,
        "The Moves",
        "if it is possible for you to make one move or the other, but not both, then you must make the move "
        "shown by the higher of the two dice",
    ),
    higher_number_deemed_borne=silent(False, "the higher number is written first"),
    closed_out=says(ClosedOut.NEED_NOT_THROW, "Making Points", "he need not even pick up the dice"),
    points=says(
        (1, 2, 3), "Gammons and Backgammons", "a gammon — a double game ... a backgammon — or triple game"
    ),
    backgammon_may_count=says(
        (3,), "Gammons and Backgammons", "a backgammon — or triple game. And triple the bet"
    ),
    backgammon_places=says(
        (*WINNERS_HOME, *LOSERS_BAR),
        "Gammons and Backgammons",
        "he still has one or more of his men in your inner board or on the bar",
    ),
    backgammon_needs_none_borne=says(
        True, "Gammons and Backgammons", "before your opponent has taken any of his men off"
    ),
    winner_of_single_begins=says(False, "To Begin", "The game is begun by each player throwing a single die"),
    has_cube=says(
        True, "The Doubling Cube", "the cube can be turned by a player only before it is his turn to throw"
    ),
    automatic_doubles=says(0, "Automatic Doubles", "should be discussed and settled before the game begins"),
    jacoby=silent(False, _TOURNAMENTS),
    beavers=silent(False, _TOURNAMENTS),
    crawford=silent(True, _TOURNAMENTS),
    wrong_play=says(
        WrongPlay.ADVERSARY_UNTIL_HE_THROWS,
        "Incorrect Moves",
        "they must be corrected before the subsequent throw of the opposing player. Once this throw has been "
        "made, all moves — correct or incorrect — are final",
    ),
    bystander_must_be_silent=says(
        True,
        "Kibitzers",
        "The only person who can or should call attention to a mistaken move is the opposing player",
    ),
    borne_with_man_up_enter_again=silent(False, "a wrong play like any other"),
    touched=says(
        Touched.NONE, "Throwing the Dice", "the rules allow a player to change his move, even several times"
    ),
    may_announce_adjusting=silent(False, "no man need be played because it was touched"),
    play_ends=says(
        PlayEnds.DICE_PICKED_UP,
        "Throwing the Dice",
        "picking up his dice is the signal that he has completed his move",
    ),
    null_throws=says(
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
    touched_die_named_by_adversary=silent(False, "nobody names a die"),
    furnishing_may_be_required=silent(True, "no text lets a wrong board stand before a throw"),
    omitted_men_stay_out=silent(False, "a missing man is put on the board"),
    series=silent((), "a match is of as many points as are agreed on"),
)

MODERN_MONEY = varied_laws(
    MODERN,
    "modern-money",
    "the modern rules page, with the practice of play for money",
    jacoby=silent(True, _TOURNAMENTS),
    beavers=silent(True, _TOURNAMENTS),
    crawford=silent(False, _TOURNAMENTS),
)

NACKGAMMON = varied_laws(
    MODERN,
    "nackgammon",
    "Nack Ballard's start position, otherwise as modern-match",
    start=silent(
        Position.parse("00000040300004000000000220:00000040300004000000000220"),
        "two men each on the 24 and 23 points, four on the 13 and 6 points, three on the 8 point",
    ),
)

HYPERGAMMON = varied_laws(
    MODERN,
    "hypergammon",
    "three men a side, otherwise as modern-match",
    start=silent(
        Position.parse("c0000000000000000000001110:c0000000000000000000001110"),
        "one man each on the 24, 23 and 22 points; the other twelve lie off the board from the start",
    ),
)

BOOKS = (HOYLE_1909, BRITANNICA_1878, CADY_1895, MODERN_MONEY, MODERN)
"""The sets of laws that the source texts give."""

LAWS = {laws.name: laws for laws in (*BOOKS, NACKGAMMON, HYPERGAMMON)} | {"modern": MODERN}
"""Every set of laws of the ordinary game by name; `modern` is another name for modern-match."""
