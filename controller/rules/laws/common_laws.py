"""The laws that all the books share: the rules of play, and where each book gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.rules.laws.law_terms import Citation


@dataclass(frozen=True, slots=True)
class CommonLaw:
    """A law that holds under every set of laws.

    citations: by name of each set that states it, where and in which words.
    """

    question: str
    answer: str
    citations: Mapping[str, Citation]


def _law(
    question: str,
    answer: str,
    *,
    hoyle: tuple[str, str] | None = None,
    britannica: tuple[str, str] | None = None,
    cady: tuple[str, str] | None = None,
    modern: tuple[str, str] | None = None,
) -> CommonLaw:
    given = {"hoyle-1909": hoyle, "britannica-1878": britannica, "cady-1895": cady}
    given |= {"modern-money": modern, "modern-match": modern}
    citations = {
        name: Citation(*where_and_words) for name, where_and_words in given.items() if where_and_words
    }
    return CommonLaw(question, answer, citations)


COMMON = (
    _law(
        "who begins",
        "each throws one die, the higher begins; a tie is thrown again",
        hoyle=(
            "Playing",
            "each player throwing on the centre of the board a single die, the higher throw of the two "
            "giving the right to begin. In the event of a tie, the players throw again",
        ),
        britannica=("page 197", "the one who throws the higher number has the right of playing first"),
        cady=("Throwing", "The player who has thrown the higher number has the first play"),
        modern=("To Begin", "The one who gets the higher number makes the opening move"),
    ),
    _law(
        "where a man may land",
        "on a point not held by two or more of the adversary's men",
        hoyle=(
            "Playing",
            "a man can only be played to a point which is either vacant or occupied by one or more men of "
            "the player, or by ... one man only of the adversary",
        ),
        britannica=("page 197", "the board is not blocked by two or more of his adversary’s men"),
        cady=("The Restrictions in Playing", "already in possession of his adversary"),
        modern=("The Moves", "If the point has two or more of his men on it"),
    ),
    _law(
        "both numbers with one man",
        "he must be able to land after the first",
        britannica=(
            "page 198",
            "A player in moving must not skip a point which is blocked by his adversary’s men",
        ),
        cady=("Playing", "the play is lost, although the six, ninth, and twelfth points are uncovered"),
        modern=("The Moves", "a move is prevented because several intervening points are covered"),
    ),
    _law(
        "doublets",
        "the number is played four times",
        hoyle=("Playing", "he is entitled to play the throw twice over"),
        britannica=("page 198", "if he throws aces he has to move four aces instead of two"),
        cady=("Playing", "the player is entitled to double what he throws"),
        modern=("The Moves", "you must move that number of points four times"),
    ),
    _law(
        "whole throw",
        "both numbers must be played where they can be, in whichever order",
        hoyle=(
            "Playing",
            "every player is compelled to play the whole of his throw if it is possible to do so",
        ),
        britannica=(
            "page 198",
            "If, however, by moving the five first, he can afterwards move a six, he may be required to make "
            "the move in that manner",
        ),
        cady=(
            "The Restrictions in Playing",
            "if, by playing the ace first, he can play the trey afterward, he must do so",
        ),
        modern=("The Moves", "you cannot refuse to make your move if one is possible"),
    ),
    _law(
        "hitting a blot",
        "never compulsory where the throw can be played otherwise",
        cady=(
            "Hitting a Blot",
            "It is never compulsory to hit a blot if the throw can be played without touching the point",
        ),
        modern=("The Moves", "It is not necessary to hit a blot"),
    ),
    _law(
        "a man up",
        "must be entered before any other is moved",
        hoyle=("Playing", "Until he does this, the play of his other men is suspended"),
        britannica=("page 198", "He is not allowed to move any man while he has one to enter"),
        cady=(
            "Hitting a Blot",
            "the player to whom it belongs cannot play again until the man is entered",
        ),
        modern=("Entering a Man from the Bar", "you cannot make any other move until he (or they) gets back"),
    ),
    _law(
        "bearing",
        "from the point of the number, once all men are home; or a man is moved up by it instead",
        hoyle=("Bearing off the Men", "he may either remove a man from the quatre point or advance a man"),
        britannica=(
            "page 198",
            "A player has the option of moving a man when he can, instead of bearing it",
        ),
        cady=("Bearing", "For every number thrown a man is removed from the corresponding point, or"),
        modern=("Bearing Off", "you may instead move a man within the board the proper number of points"),
    ),
    _law(
        "a number too high",
        "bears from the highest point occupied; one that can be moved must be",
        hoyle=("Bearing off the Men", "he is entitled to bear off a man from his highest occupied point"),
        britannica=("page 198", "provided the numbers thrown are higher than the points occupied"),
        cady=("Bearing", "the player must bear a man from the highest point occupied"),
        modern=("Bearing Off", "you must bear off a man from the highest point on which you have men"),
    ),
    _law(
        "hit while bearing",
        "no more men are borne until that man has come round again",
        hoyle=("Playing", "has to begin its journey anew from the inner table of the adversary"),
        britannica=(
            "page 198",
            "must bring the man taken up into his own inner table before he can bear any more",
        ),
        cady=("Bearing", "he cannot bear any more men until this one taken up has been carried into"),
        modern=(
            "Bearing Off",
            "this man must re-enter the board and get back into your inner board before you are allowed",
        ),
    ),
    _law(
        "direction of play",
        "from the adversary's inner table round to one's own, the two players in opposite directions",
        hoyle=(
            "Playing",
            "from the ace point in his opponent's home table towards the like point in his own",
        ),
        britannica=("page 197", "All white's moves must be in the direction indicated"),
        cady=("Throwing", "both the white and the black pieces are moved in the same way—only in opposite"),
        modern=("The Objective", "you must move your men around the board in the direction shown"),
    ),
    _law(
        "calling the throw",
        "the thrower calls it, the higher number first",
        hoyle=("Playing", "he calls the number of the throw, the higher number first"),
        cady=("Throwing", "the higher number being named first"),
    ),
    _law(
        "men on one point",
        "there is no limit",
        modern=("The Moves", "There is no limit to the number of men of one color that may be on a point"),
    ),
    _law(
        "several blots",
        "each that the throw lands on is taken up",
        britannica=(
            "page 198",
            "Two blots may be taken up at once if the adversary throws numbers that will hit them both",
        ),
        cady=("Hitting a Blot", "Two or more blots can be taken up at the same time"),
    ),
    _law(
        "a part that cannot be played",
        "is lost; what can be played must be",
        hoyle=("Playing", "Any part of a throw which cannot be played is lost to the thrower"),
        britannica=("page 198", "Any part of the throw which cannot be moved is of no effect"),
        cady=("The Restrictions in Playing", "Any part of a throw which cannot be played is lost"),
    ),
    _law(
        "aces given as odds",
        "by agreement a weaker player begins, and his first throw is aces",
        britannica=("page 199", "This throw is often given to inferior players by way of odds"),
    ),
    _law(
        "abiding by the call",
        "a throw that was called is played as it was called, if the dice are touched afterwards",
        cady=("law 7", "The caster must abide by his call if the dice are subsequently touched"),
    ),
    _law(
        "touching other men",
        "a man of the adversary, or one that cannot be played, is touched without penalty",
        cady=("law 8", "If an adverse man, or a man that cannot be played is touched, there is no penalty"),
    ),
    _law(
        "shaking the dice early",
        "may be done while the adversary plays; they are thrown when he has finished",
        cady=(
            "Playing",
            "the adversary (black) may put the dice in his box and shake them, that thus, when the first "
            "named player has finished his play—or moves—the latter may throw",
        ),
    ),
    _law(
        "who may turn the cube again",
        "the player who accepted it, before a throw of his own; where there is a cube",
        modern=(
            "The Doubling Cube",
            "the cube is in his control, and only he can throw it the next notch to 4",
        ),
    ),
    _law(
        "a double refused",
        "costs what the cube showed before it",
        modern=(
            "The Doubling Cube",
            "he can refuse the cube and give up the game, thereby losing the initial dollar bet",
        ),
    ),
    _law(
        "cube and gammon",
        "a gammon or backgammon counts its multiple of the cube",
        modern=(
            "The Doubling Cube",
            "if the cube is at 16, for example, and the game ends as a gammon or double game, the winner has "
            "made 32 dollars",
        ),
    ),
    _law(
        "throwing over",
        "by agreement, whoever begins may throw both dice instead, and the cube may be turned for it",
        modern=(
            "Automatic Doubles",
            "throwing both dice over to determine his first move. In some places the doubling cube is also "
            "turned up one notch in this case",
        ),
    ),
)
"""Every law that is the same in all sets."""
