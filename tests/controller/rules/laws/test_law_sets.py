"""Every law of every book, tried at the board: what may be done under it, and what may not.

Each test is named by the set and by where its text says so. That each would fail if the book's answer were
another is a test too.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import pytest

from controller.rules import (
    LAWS,
    AcceptedResignation,
    AgreedToAlter,
    Beavered,
    ClosedOut,
    Dice,
    DidNotThrow,
    Doubled,
    EditedBoard,
    Game,
    GamePhase,
    IllegalAction,
    Laws,
    Match,
    Moved,
    MovedIrregularly,
    NamedThrow,
    NullThrow,
    OfferedResignation,
    OpeningThrow,
    PlayEnds,
    Player,
    Position,
    PutBackUp,
    QuittedMan,
    RequiredFurnishing,
    RequiredRightNumber,
    Rolled,
    Series,
    Stakes,
    Step,
    ThrowFault,
    Touched,
    TouchedMan,
    Win,
    WrongPlay,
    legal_plays,
    parse_steps,
    unfurnished,
)
from controller.rules.laws.law_pages import answers
from controller.rules.laws.law_sets import BOOKS
from tests.controller.rules.boards import board

W, B = Player.WHITE, Player.BLACK


def moved(player, play):
    return Moved(player=player, steps=parse_steps(play))


def can(game, action):
    """Whether the laws of the game let this be done now."""
    try:
        game.push(action)
    except IllegalAction:
        return False
    return True


def on(position, laws, *actions, stakes=None):
    """The game of White to throw on `position`, after `actions`."""
    game = Game.new(laws, stakes)
    for action in (EditedBoard(position=position, on_roll=W), *actions):
        game = game.push(action)
    return game


PLAIN = Stakes()


def outcome(loser, laws, stakes=PLAIN):
    """How White's game ends when Black's men stand as `loser` while White bears his last."""
    rolled = Rolled(player=W, dice=Dice(6, 5))
    return on(board({1: 1}, loser), laws, rolled, moved(W, "1/off"), stakes=stakes).outcome


@dataclass(frozen=True)
class Trial:
    """A law at work.

    tried: plays by it and gives what came of that. due: what must come of it in each book.
    others: given a book's answer, other answers that the trial must tell from it.
    """

    tried: Callable[[Laws], object]
    due: dict[str, object]
    others: Callable[[object], list]


TRIALS: dict[str, Trial] = {}


def law(name, *, hoyle, britannica, cady, modern, money=None, others=lambda value: [not value]):
    """Register a trial of the law of this name."""
    due = {"hoyle-1909": hoyle, "britannica-1878": britannica, "cady-1895": cady, "modern-match": modern}

    def register(tried):
        TRIALS[name] = Trial(tried, {**due, "modern-money": modern if money is None else money}, others)
        return tried

    return register


def other_members(value):
    return [member for member in type(value) if member is not value]


ORDINARY = {24: 2, 13: 5, 8: 3, 6: 5}


@law(
    "start",
    hoyle=ORDINARY,
    britannica=ORDINARY,
    cady=ORDINARY,
    modern=ORDINARY,
    others=lambda start: [LAWS["nackgammon"].start, LAWS["hypergammon"].start],
)
def the_men_at_the_start(laws):
    position = Game.new(laws).position
    assert position.white == position.black
    return {place: n for place, n in enumerate(position.white) if n and place}


@law("first_player_may_throw_again", hoyle=True, britannica=True, cady=True, modern=False)
def throwing_both_dice_after_the_opening_throw(laws):
    opened = Game.new(laws).push(OpeningThrow(white=3, black=1))
    again = Rolled(player=W, dice=Dice(6, 6))
    assert (again in opened.legal_actions()) == can(opened, again)
    return can(opened, again)


@law("higher_number_compelled", hoyle=False, britannica=False, cady=False, modern=True)
def choosing_the_lower_where_either_number_can_be_played_but_not_both(laws):
    # Trois ace: from 6, the trois leads to 3, the ace to 5, and then 2 is held.
    plays = legal_plays(board({6: 1, 24: 1}, {23: 2, 4: 2, 2: 2}), W, Dice(3, 1), laws)
    assert "6/3" in map(str, plays)
    return "6/5" not in map(str, plays)


@law(
    "closed_out",
    hoyle=(False, True),
    britannica=(True, True),
    cady=(True, True),
    modern=(True, True),
    others=other_members,
)
def throwing_and_not_throwing_with_a_man_up_against_a_full_table(laws):
    full = dict.fromkeys(range(1, 7), 2)
    kinds = {type(action) for action in on(board({25: 1, 6: 3}, full), laws).legal_actions()}
    return Rolled in kinds, DidNotThrow in kinds


@law(
    "higher_number_deemed_borne",
    hoyle="6/1 1/off",
    britannica="6/1 1/off",
    cady="6/2 2/off",
    modern="6/1 1/off",
)
def bearing_the_man_that_was_moved(laws):
    # Cinque quatre: the man from the six point is moved by one number and borne by the other.
    plays = legal_plays(board({6: 1, 1: 2}), W, Dice(5, 4), laws)
    (play,) = plays.leading_to(board({1: 2}))
    return str(play)


AT_HOME, ONE_BORNE = {6: 15}, {6: 14}
STANDARD = (1, 2, 3)


@law(
    "points",
    hoyle=STANDARD,
    britannica=STANDARD,
    cady=STANDARD,
    modern=STANDARD,
    others=lambda points: [(2, 2, 3), (1, 3, 3), (1, 2, 4)],
)
def what_the_three_sizes_of_a_game_count(laws):
    return tuple(outcome(loser, laws).points for loser in (ONE_BORNE, AT_HOME, {6: 14, 24: 1}))


@law(
    "backgammon_may_count",
    hoyle=[3, 4],
    britannica=[3],
    cady=[3, 4],
    modern=[3],
    others=lambda counts: [(3,) if 4 in counts else (3, 4), (4,), (2, 3)],
)
def what_players_may_agree_that_a_backgammon_counts(laws):
    agreed = []
    for count in range(2, 6):
        try:
            played = outcome({6: 14, 24: 1}, laws, Stakes(backgammon=count))
        except ValueError:
            continue
        assert played.points == count
        agreed.append(count)
    return agreed


WINNERS_HOME = list(range(19, 25))


@law(
    "backgammon_places",
    hoyle=[*WINNERS_HOME, 25],
    britannica=WINNERS_HOME,
    cady=[*range(13, 19), *WINNERS_HOME, 25],
    modern=[*WINNERS_HOME, 25],
    others=lambda places: [tuple(sorted({*places} ^ {place})) for place in (12, 13, 18, 19, 24, 25)],
)
def where_the_losers_last_man_makes_it_a_backgammon(laws):
    sizes = {place: outcome({6: 14, place: 1}, laws).win for place in range(7, 26)}
    return [place for place, win in sizes.items() if win is Win.BACKGAMMON]


@law(
    "backgammon_needs_none_borne",
    hoyle=Win.BACKGAMMON,
    britannica=Win.SINGLE,
    cady=Win.SINGLE,
    modern=Win.SINGLE,
)
def losing_with_a_man_borne_and_another_taken_up_again(laws):
    return outcome({6: 13, 24: 1}, laws).win


@law(
    "winner_of_single_begins",
    hoyle=(B, None, None),
    britannica=(B, None, None),
    cady=(B, None, None),
    modern=(None, None, None),
)
def who_begins_after_black_has_won_a_hit_a_gammon_a_backgammon(laws):
    begins = []
    for win in Win:
        match = won(Match.new(0, laws, PLAIN), B, win)
        assert match.game.phase is (GamePhase.OPENING if match.game.turn is None else GamePhase.TO_ROLL)
        begins.append(match.game.turn)
    return tuple(begins)


def won(match, winner, win=Win.SINGLE):
    """The match after `winner` has won its next game by resignation."""
    if match.game.phase is GamePhase.OPENING:
        match = match.push(OpeningThrow(white=3, black=1))
    offered = match.push(OfferedResignation(player=winner.opponent, win=win))
    return offered.push(AcceptedResignation(player=winner))


@law("has_cube", hoyle=False, britannica=False, cady=False, modern=True)
def doubling_before_the_throw(laws):
    return can(on(Position.START, laws), Doubled(player=W))


@law(
    "automatic_doubles",
    hoyle=1,
    britannica=1,
    cady=1,
    modern=1,
    others=lambda ties: [ties + 1, ties + 2],
)
def the_cube_after_three_ties_in_a_session_were_there_a_cube(laws):
    match = Match.new(0, replace(laws, has_cube=True))
    for _ in range(3):
        match = match.push(OpeningThrow(white=4, black=4))
    return match.game.cube.value


@law("jacoby", hoyle=2, britannica=2, cady=2, modern=2, money=1)
def what_a_gammon_counts_in_a_session_when_nobody_has_doubled(laws):
    return won_on_the_board(Match.new(0, laws)).score[0]


def won_on_the_board(match):
    """The match after White has borne all his men and Black none."""
    for action in (
        EditedBoard(position=board({1: 1}, AT_HOME), on_roll=W),
        Rolled(player=W, dice=Dice(6, 5)),
        moved(W, "1/off"),
    ):
        match = match.push(action)
    return match


@law("beavers", hoyle=False, britannica=False, cady=False, modern=False, money=True)
def beavering_in_a_session_were_there_a_cube(laws):
    match = Match.new(0, replace(laws, has_cube=True))
    doubled = match.push(EditedBoard(position=Position.START, on_roll=W)).push(Doubled(player=W))
    return can(doubled, Beavered(player=B))


@law("crawford", hoyle=True, britannica=True, cady=True, modern=False, money=True)
def the_cube_once_a_player_needs_one_point_were_there_a_cube(laws):
    match = won(Match.new(3, replace(laws, has_cube=True)), W, Win.GAMMON)
    return match.game.stakes.cube


WRONG = MovedIrregularly(player=W, result=Position.START.mirrored())


@law(
    "wrong_play",
    hoyle=(True, True, True),
    britannica=(True, True, True),
    cady=(True, False, False),
    modern=(True, False, False),
    others=other_members,
)
def altering_a_wrong_play(laws):
    """Required by the adversary; by who made it; agreed to by both after the adversary's throw."""
    wrong = replace(WRONG, result=board({24: 2, 13: 4, 7: 1, 8: 3, 6: 5}, ORDINARY))
    played = on(Position.START, laws, Rolled(player=W, dice=Dice(6, 4)), wrong)
    for player in Player:
        if can(played, RequiredRightNumber(player=player)):
            again = played.push(RequiredRightNumber(player=player))
            assert (again.position, again.turn, again.dice) == (Position.START, W, Dice(6, 4))
            assert can(again, moved(W, "24/18 13/9"))
    thrown = played.push(Rolled(player=B, dice=Dice(2, 1)))
    assert not can(thrown, RequiredRightNumber(player=B))
    return (
        can(played, RequiredRightNumber(player=B)),
        can(played, RequiredRightNumber(player=W)),
        can(thrown, AgreedToAlter()),
    )


@law(
    "bystander_must_be_silent",
    hoyle="anyone",
    britannica="anyone",
    cady="anyone",
    modern="the players only",
)
def who_may_point_at_a_wrong_play(laws):
    return next(answer for question, answer, _ in answers(laws) if question.law == "bystander_must_be_silent")


@law("borne_with_man_up_enter_again", hoyle=2, britannica=2, cady=2, modern=1)
def men_up_after_one_was_borne_while_another_was_up(laws):
    before = board({25: 1, 6: 2, 5: 2}, {1: 2, 13: 2})
    after = board({25: 1, 6: 1, 5: 2}, {1: 2, 13: 2})
    wrong = MovedIrregularly(player=W, result=after)
    game = on(before, laws, Rolled(player=W, dice=Dice(6, 6)), wrong)
    put_up = PutBackUp(player=W, count=1)
    assert not can(game, PutBackUp(player=W, count=2))
    assert not can(game, PutBackUp(player=B, count=1))
    return (game.push(put_up) if can(game, put_up) else game).position.white[25]


def is_bound(game):
    """Whether White, who has thrown 3-1, may no longer choose to leave his eight point alone."""
    free = moved(W, "24/21 24/23")
    assert can(game, moved(W, "8/5 6/5"))
    assert can(game, free) == (free.steps in [a.steps for a in game.legal_actions() if isinstance(a, Moved)])
    return not can(game, free)


THROWN = Rolled(player=W, dice=Dice(3, 1))


@law(
    "touched",
    hoyle=(False, True),
    britannica=(False, True),
    cady=(True, True),
    modern=(False, False),
    others=other_members,
)
def changing_the_play_after_touching_a_man_and_after_taking_it(laws):
    thrown = on(Position.START, laws, THROWN)
    touches = [TouchedMan(player=W, place=8, taken=taken) for taken in (False, True)]
    return tuple(is_bound(thrown.push(touch)) for touch in touches)


@law("may_announce_adjusting", hoyle=True, britannica=True, cady=False, modern=True)
def being_bound_by_an_adjusted_man_were_each_man_touched_to_be_played(laws):
    thrown = on(Position.START, replace(laws, touched=Touched.TOUCHED), THROWN)
    return is_bound(thrown.push(TouchedMan(player=W, place=8, adjusting=True)))


@law(
    "play_ends",
    hoyle=False,
    britannica=False,
    cady=False,
    modern=True,
    others=other_members,
)
def changing_the_play_after_a_man_was_placed_and_quitted(laws):
    quitted = on(Position.START, laws, THROWN).push(QuittedMan(player=W, step=Step(8, 5)))
    return not is_bound(quitted)


CADY_NULL = {
    "a die jumps from one table to the other",
    "a die leaves the board",
    "a die comes to lie on the bar or the frame",
    "one die rests on the other",
    "a die is tilted",
}
MODERN_NULL = {
    "a die jumps from one table to the other",
    "thrown elsewhere than on the board to the thrower's right",
    "a die leaves the board",
    "a die is tilted",
    "a die lies on a man, even flat",
    "thrown before the adversary has picked up his dice",
}


@law(
    "null_throws",
    hoyle=set(),
    britannica=set(),
    cady=CADY_NULL,
    modern=MODERN_NULL,
    others=lambda faults: [faults ^ {fault} for fault in ThrowFault],
)
def throws_that_are_made_again(laws):
    thrown = on(Position.START, laws, THROWN)
    void = [fault for fault in ThrowFault if can(thrown, NullThrow(player=W, fault=fault))]
    for fault in void:
        again = thrown.push(NullThrow(player=W, fault=fault))
        assert (again.phase, again.turn, again.dice) == (GamePhase.TO_ROLL, W, None)
    return {fault.value for fault in void}


@law(
    "touched_die_named_by_adversary",
    hoyle=None,
    britannica=None,
    cady=Dice(6, 1),
    modern=None,
)
def naming_the_number_of_a_die_that_was_touched(laws):
    thrown = on(Position.START, laws, THROWN)
    named = NamedThrow(player=B, dice=Dice(6, 1))
    assert not can(thrown, NamedThrow(player=B, dice=Dice(6, 5)))
    return thrown.push(named).dice if can(thrown, named) else None


CROOKED = board({24: 2, 13: 5, 7: 3, 6: 5}, ORDINARY)


@law("furnishing_may_be_required", hoyle=True, britannica=True, cady=True, modern=True)
def requiring_that_the_board_be_furnished_before_throwing(laws):
    crooked = on(CROOKED, laws)
    required = RequiredFurnishing(player=B)
    assert can(crooked, required) == bool(unfurnished(CROOKED, laws))
    if can(crooked, required):
        assert crooked.push(required).position == Position.START
    late = crooked.push(Rolled(player=W, dice=Dice(2, 1))).push(moved(W, "6/4 6/5"))
    assert not can(late.push(Rolled(player=B, dice=Dice(2, 1))), required)
    assert unfurnished(CROOKED, laws, thrown={W, B}) == ()
    return can(crooked, required)


FOURTEEN = Position((0, *board({24: 2, 13: 5, 8: 3, 6: 4}).white[1:]), Position.START.black)


@law("omitted_men_stay_out", hoyle=True, britannica=True, cady=True, modern=False)
def playing_on_with_fourteen_men_once_a_die_is_thrown(laws):
    assert unfurnished(FOURTEEN, laws, thrown=())
    stays_out = not unfurnished(FOURTEEN, laws, thrown={W})
    thrown = on(FOURTEEN, laws, THROWN)
    assert can(thrown, RequiredFurnishing(player=B)) != stays_out
    return stays_out


@law(
    "series",
    hoyle={"rubber": (2, 1)},
    britannica={},
    cady={"set": (3, 2)},
    modern={},
    others=lambda series: [
        (*series, Series("chain", 9)),
        *([(Series(series[0].name, 4),)] if series else []),
    ],
)
def how_many_hits_and_how_many_gammons_win_a_series(laws):
    return {
        series.name: (games_to_win(series, laws, Win.SINGLE), games_to_win(series, laws, Win.GAMMON))
        for series in laws.series
    }


def games_to_win(series, laws, win):
    match = Match.new(laws.series_called(series.name).points, laws)
    while match.winner is None:
        match = won(match, W, win)
    return len(match.games)


CASES = [
    pytest.param(laws, question, id=f"{laws.name}, {citation.where or 'silent'}: {question}")
    for laws in BOOKS
    for question, citation in laws.citations.items()
]


@pytest.mark.parametrize(("laws", "question"), CASES)
def test_law(laws, question):
    assert TRIALS[question].tried(laws) == TRIALS[question].due[laws.name]


@pytest.mark.parametrize(("laws", "question"), CASES)
def test_law_would_be_missed_were_it_another(laws, question):
    trial = TRIALS[question]
    others = [other for other in trial.others(getattr(laws, question)) if other != getattr(laws, question)]
    assert others
    for other in others:
        came = trial.tried(replace(laws, **{question: other}))
        assert came != trial.due[laws.name], f"{question} = {other!r} makes no difference"


def test_every_question_is_tried_and_cited_in_every_book():
    asked = {field.name for field in fields(Laws)} - {"name", "source", "citations"}
    assert set(TRIALS) == asked
    for laws in BOOKS:
        assert set(laws.citations) == asked


def test_every_kind_of_answer_is_given_by_some_book():
    for kind, question in ((ClosedOut, "closed_out"), (WrongPlay, "wrong_play"), (Touched, "touched")):
        assert {getattr(laws, question) for laws in BOOKS} == set(kind)
    assert {laws.play_ends for laws in BOOKS} == set(PlayEnds)
    assert set().union(*(laws.null_throws for laws in BOOKS)) == set(ThrowFault)
