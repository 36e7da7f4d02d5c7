"""The laws of the three old books: Hoyle 1909, Britannica 1878, Cady 1895.

Where Hoyle's Games Modernized is silent, the laws "as given by Hoyle" in the Britannica fill the gap.
"""

from __future__ import annotations

from controller.rules.board.position import Position
from controller.rules.laws.law_answers import (
    LOSERS_BAR,
    WINNERS_HOME,
    WINNERS_OUTER,
    laws_of_text,
    says,
    silent,
)
from controller.rules.laws.law_terms import ClosedOut, PlayEnds, Series, ThrowFault, Touched, WrongPlay

_AS_HOYLE = "Hoyle's laws in britannica-1878 fill in"
_NO_CUBE = "the text knows no cube"
_WITHOUT_A_CUBE = {
    "has_cube": silent(False, _NO_CUBE),
    "automatic_doubles": silent(0, _NO_CUBE),
    "jacoby": silent(False, _NO_CUBE),
    "beavers": silent(False, _NO_CUBE),
    "crawford": silent(False, _NO_CUBE),
}


HOYLE_1909 = laws_of_text(
    "hoyle-1909",
    "Hoyle's Games Modernized, edited by Professor Louis Hoffmann, new edition, 1909",
    start=says(
        Position.START,
        "Backgammon",
        "two of White’s men are placed on the ace point in Black’s inner table, five are placed on the six "
        "point in Black’s outer table, three on the deuce point in White’s outer table, and five on the six "
        "point in White’s inner table",
    ),
    first_player_may_throw_again=says(
        True, "Playing", "may either adopt the points shown by the two dice as his own throw, or throw again"
    ),
    higher_number_compelled=says(
        False,
        "Playing",
        "every player is compelled to play the whole of his throw if it is possible to do so",
    ),
    higher_number_deemed_borne=silent(False, "the higher number is written first"),
    closed_out=says(
        ClosedOut.SUSPENDED,
        "Playing",
        "his play is altogether suspended, the adversary continuing to throw and move",
    ),
    points=says(
        (1, 2, 3),
        "Bearing off the Men",
        "pays double the agreed stake ... the loser pays either thrice or four times",
    ),
    backgammon_may_count=says(
        (3, 4), "Bearing off the Men", "either thrice or four times (as may have been agreed)"
    ),
    backgammon_places=says(
        (*WINNERS_HOME, *LOSERS_BAR),
        "Bearing off the Men",
        "has still a man or men “up” (i.e., on the bar) or in his (the winner’s) home table",
    ),
    backgammon_needs_none_borne=says(
        False,
        "Bearing off the Men",
        "while the adversary has still a man or men “up” (i.e., on the bar) or in his (the winner’s) home "
        "table, the game is a “backgammon,”",
    ),
    winner_of_single_begins=says(
        True, "Bearing off the Men", "the winner of a “hit” throws first in the game next following"
    ),
    **_WITHOUT_A_CUBE,
    wrong_play=silent(WrongPlay.BOTH_ONCE_THROWN, _AS_HOYLE),
    bystander_must_be_silent=silent(False, "nobody is forbidden to speak"),
    borne_with_man_up_enter_again=silent(True, _AS_HOYLE),
    touched=silent(Touched.TAKEN_FROM_POINT, _AS_HOYLE),
    may_announce_adjusting=silent(False, _AS_HOYLE),
    play_ends=silent(PlayEnds.MAN_QUITTED, _AS_HOYLE),
    null_throws=silent(frozenset(), "no throw is said to be void"),
    touched_die_named_by_adversary=silent(False, "nobody names a die"),
    furnishing_may_be_required=silent(True, "no text lets a wrong board stand before a throw"),
    omitted_men_stay_out=silent(True, _AS_HOYLE),
    series=says(
        (Series("rubber", 2),),
        "Hints for Play",
        "if he can secure a gammon (reckoning as a double game), he becomes the winner of the rubber",
    ),
)

BRITANNICA_1878 = laws_of_text(
    "britannica-1878",
    "Encyclopaedia Britannica, ninth edition, volume 3, article Backgammon, with the laws as given by Hoyle",
    start=says(
        Position.START, "page 197", "disposed at the commencement of a game in the manner shown above"
    ),
    first_player_may_throw_again=says(
        True,
        "page 197",
        "he may either adopt the throw originally made by the two players, each throwing one die; or he may "
        "throw again, using both dice",
    ),
    higher_number_compelled=says(
        False,
        "page 197",
        "it is compulsory for a player to move the whole throw if he can ... if ... white could move a six, "
        "and having done so could not move a five, his move is completed",
    ),
    higher_number_deemed_borne=silent(False, "the higher number is written first"),
    closed_out=says(
        ClosedOut.NEED_NOT_THROW,
        "page 198",
        "his adversary continues throwing until he is obliged to open a point",
    ),
    points=says((1, 2, 3), "page 198", "a single game or hit ... a double game or gammon ... a triple game"),
    backgammon_may_count=says((3,), "page 198", "a triple game or backgammon"),
    backgammon_places=says(WINNERS_HOME, "page 198", "has one in the winner’s inner table"),
    backgammon_needs_none_borne=says(True, "page 198", "his adversary, not having borne a man"),
    winner_of_single_begins=says(
        True, "page 198", "the winner of a hit has the first throw in the succeeding game"
    ),
    **_WITHOUT_A_CUBE,
    wrong_play=says(
        WrongPlay.BOTH_ONCE_THROWN,
        "law 5",
        "If he have mistaken his throw and played it, and his adversary have thrown, it is not in the choice "
        "of either of the players to alter it, unless they both agree so to do",
    ),
    bystander_must_be_silent=silent(False, "nobody is forbidden to speak"),
    borne_with_man_up_enter_again=says(
        True,
        "law 4",
        "such men so borne must be entered again in the adversary’s tables as well as the man taken up",
    ),
    touched=says(
        Touched.TAKEN_FROM_POINT,
        "law 1",
        "When a man is taken from any point, it must be played; when two men are taken from it, they also "
        "must be played",
    ),
    may_announce_adjusting=silent(False, "a man is bound once it is taken from its point, not before"),
    play_ends=says(
        PlayEnds.MAN_QUITTED,
        "law 2",
        "A man is not supposed to be played till it is placed upon a point and quitted",
    ),
    null_throws=silent(frozenset(), "no throw is said to be void"),
    touched_die_named_by_adversary=silent(False, "nobody names a die"),
    furnishing_may_be_required=silent(True, "no text lets a wrong board stand before a throw"),
    omitted_men_stay_out=says(
        True,
        "law 3",
        "If a player have only fourteen men in play, there is no penalty inflicted, because by his playing "
        "with a lesser number than he is entitled to, he plays to a disadvantage",
    ),
    series=says((), "page 198", "When a series of games is played"),
)

CADY_1895 = laws_of_text(
    "cady-1895",
    "A. Howard Cady, Backgammon, Spalding's Home Library, New York 1895",
    start=says(
        Position.START,
        "The Game",
        "White will place two men on the opponent’s ace point, five on his twelfth (or No. 6 outer table), "
        "three upon his own eighth, and five upon his sixth point",
    ),
    first_player_may_throw_again=says(
        True,
        "Throwing",
        "it being optional with him to adopt the numbers already thrown or taking up the pair of dice and "
        "casting again",
    ),
    higher_number_compelled=says(
        False,
        "The Restrictions in Playing",
        "he can play either trois or ace points, but not both, therefore he must decide which seems "
        "preferable and move accordingly",
    ),
    higher_number_deemed_borne=says(
        True,
        "law 10",
        "if a man is played, and another man or the same man is then borne from the highest occupied point, "
        "the highest number thrown is deemed to be borne",
    ),
    closed_out=says(
        ClosedOut.NEED_NOT_THROW,
        "Hitting a Blot, note",
        "it is useless for the player to throw, and his adversary, therefore, may continue to play until he "
        "opens a point",
    ),
    points=says((1, 2, 3), "Bearing", "It is a triple or quadruple game"),
    backgammon_may_count=says(
        (3, 4),
        "Bearing",
        "a triple or quadruple game (according to previous arrangement or agreement between the players)",
    ),
    backgammon_places=says(
        (*WINNERS_OUTER, *WINNERS_HOME, *LOSERS_BAR),
        "Bearing",
        "has carried all his men out of the winner’s tables",
    ),
    backgammon_needs_none_borne=says(
        True, "Bearing", "Should a player, having borne a man, be taken up, he can only lose a hit"
    ),
    winner_of_single_begins=says(
        True, "Bearing", "the winner of a hit has the right to the first throw in the new game"
    ),
    **_WITHOUT_A_CUBE,
    wrong_play=says(
        WrongPlay.ADVERSARY_UNTIL_HE_THROWS,
        "law 11",
        "the adversary may require the right number to be played, but he must do so before making his next "
        "throw",
    ),
    bystander_must_be_silent=silent(False, "nobody is forbidden to speak"),
    borne_with_man_up_enter_again=says(
        True,
        "law 12",
        "If a man is up and others are borne before the one up is entered, the men so borne must be entered "
        "again, as well as the man taken up",
    ),
    touched=says(Touched.TOUCHED, "law 8", "If the caster touches one of his own men he must play it"),
    may_announce_adjusting=says(
        True, "law 8", "unless, prior to touching it, he intimates his intention of adjusting it"
    ),
    play_ends=says(
        PlayEnds.MAN_QUITTED, "law 9", "A man is not played until it is placed on a point and quitted"
    ),
    null_throws=says(
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
    touched_die_named_by_adversary=says(
        True, "laws 5, 6", "the player not in fault may name the number that shall be played for that die"
    ),
    furnishing_may_be_required=says(
        True,
        "law 1",
        "the adversary, before he throws a die, may require the board to be properly furnished",
    ),
    omitted_men_stay_out=says(
        True,
        "law 2",
        "If a player does not place all his men before he throws a die, he cannot place those he has omitted",
    ),
    series=says(
        (Series("set", 3),),
        "Tactics, XV",
        "a set, *i. e.,* three games up of the best of five",
    ),
)
