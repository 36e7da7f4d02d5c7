"""Russian and Turkish backgammon held against a second, plain writing of them, and played at random."""

from dataclasses import replace
from random import Random

import pytest

from controller.rules import DefectKind, Dice, Player
from controller.rules.board.turn_state import TurnState
from controller.rules.entering.circuit import circuit
from controller.rules.entering.entering_laws import (
    ENTERING_LAWS,
    RUSSIAN_BRITANNICA,
    RUSSIAN_CADY,
    TURKISH_CADY,
    Complement,
    Placing,
    ShiftEnds,
)
from controller.rules.entering.throw_plays import throw_plays
from tests.controller.rules.entering.entering_games import a_game, a_throw
from tests.controller.rules.entering.plain_entering import from_stand, new_game, plain_plays

ROLLS = tuple(Dice.rolls())
N_GAMES = 60
"""Of each game here. A thousand of each were played once, with the same seeds and on."""

AGREED = [
    *ENTERING_LAWS.values(),
    replace(RUSSIAN_CADY, name="continued", continuation=True),
    replace(RUSSIAN_BRITANNICA, name="continued, higher", continuation=True, higher_number_compelled=True),
    replace(RUSSIAN_BRITANNICA, name="agreed", deuce_ace=True, throws_again=False),
    replace(
        TURKISH_CADY,
        name="otherwise",
        placing=Placing(
            shift_ends=ShiftEnds.ALL_IN,
            closed_while_entering=6,
            hit_may_cover=False,
            twelfth_must_be_held=True,
        ),
    ),
    replace(
        TURKISH_CADY,
        name="one table",
        entrances_opposite=False,
        complement=Complement.NONE,
        placing=Placing(leader_only=True, binds_to_the_end=True),
    ),
]


def ends_of(plays):
    return {from_stand(play.turn_state, plays.circuit.laws).key() for play in plays}


@pytest.mark.parametrize(
    ("laws", "after_one_throw"),
    [(RUSSIAN_BRITANNICA, 660), (RUSSIAN_CADY, 60), (TURKISH_CADY, 99)],
    ids=lambda given: getattr(given, "name", given),
)
def test_as_many_plays_of_the_first_throw_as_plain_rules_find(laws, after_one_throw):
    start = circuit(laws).start(Player.WHITE)
    assert from_stand(start, laws).key() == new_game(laws, "white").key()
    plain = [plain_plays(new_game(laws, "white"), (dice.high, dice.low)) for dice in ROLLS]
    fast = [throw_plays(start, dice, laws) for dice in ROLLS]
    assert sum(map(len, fast)) == sum(map(len, plain)) == after_one_throw
    assert [ends_of(plays) for plays in fast] == [set(ends) for ends in plain]


@pytest.mark.parametrize(
    ("laws", "rolls", "after_two_throws"),
    [
        (RUSSIAN_CADY, ROLLS, 8470),
        (RUSSIAN_BRITANNICA, [dice for dice in ROLLS if not dice.is_double], 875),
        (TURKISH_CADY, [dice for dice in ROLLS if not dice.is_double], 720),
    ],
    ids=["russian-cady", "russian-britannica, no doublets", "turkish-cady, no doublets"],
)
def test_as_many_plays_of_two_throws_as_plain_rules_find(laws, rolls, after_two_throws):
    def after(turn_state):
        return [play.turn_state for dice in rolls for play in throw_plays(turn_state, dice, laws)]

    def plainly_after(game):
        return [end for dice in rolls for end in plain_plays(game, (dice.high, dice.low)).values()]

    def second_rolls(choosing):
        return [dice for dice in rolls if dice.is_double or not choosing]

    fast = sum(
        len(throw_plays(turn_state, dice, laws))
        for turn_state in set(after(circuit(laws).start(Player.WHITE)))
        for dice in second_rolls(turn_state.choosing)
    )
    firsts = {end.key(): end for end in plainly_after(new_game(laws, "white"))}
    plain = sum(
        len(plain_plays(game, (dice.high, dice.low)))
        for game in firsts.values()
        for dice in second_rolls(game.choosing)
    )
    assert fast == plain == after_two_throws


@pytest.mark.parametrize("laws", AGREED, ids=lambda laws: laws.name)
def test_plays_in_the_course_of_games_are_those_that_plain_rules_find(laws):
    stands, _, _ = a_game(laws, seed=9, most=400)
    rng = Random(len(stands))
    compared = 0
    for turn_state in rng.sample(stands[:-1], min(12, len(stands) - 1)):
        dice = a_throw(turn_state, rng)
        plays = throw_plays(turn_state, dice, laws)
        if len(plays) > 300:
            continue
        assert ends_of(plays) == set(plain_plays(from_stand(turn_state, laws), (dice.high, dice.low)))
        compared += 1
    assert compared > 5


@pytest.mark.parametrize("laws", ENTERING_LAWS.values(), ids=lambda laws: laws.name)
def test_games_played_at_random_end_conserve_men_and_replay(laws):
    for seed in range(N_GAMES):
        stands, throws, texts = a_game(laws, seed)
        assert stands[-1].winner is not None
        replayed = [stands[0]]
        for dice, text in zip(throws, texts, strict=True):
            replayed.append(throw_plays(replayed[-1], dice, laws).parse(text).turn_state)
        assert replayed == stands
        for turn_state in stands:
            assert sum(turn_state.position.white) == sum(turn_state.position.black) == 15
            assert (
                min(
                    count
                    for player in Player
                    for count in (turn_state.waiting_of(player), turn_state.borne(player))
                )
                >= 0
            )
            assert all(defect.kind is DefectKind.BOTH_BORNE_OFF for defect in turn_state.position.problems())


@pytest.mark.parametrize("laws", AGREED, ids=lambda laws: laws.name)
def test_stands_are_written_and_read_back(laws):
    for turn_state in a_game(laws, seed=4, most=60)[0]:
        assert TurnState.parse(str(turn_state)) == turn_state


@pytest.mark.parametrize("laws", AGREED, ids=lambda laws: laws.name)
def test_every_play_that_is_written_is_read_back(laws):
    stands, throws, _ = a_game(laws, seed=6, most=80)
    for turn_state, dice in zip(stands[::7], throws[::7], strict=False):
        plays = throw_plays(turn_state, dice, laws)
        for play in list(plays)[:20]:
            assert plays.parse(str(play)) == play
            assert play.result in plays
            assert play in plays.leading_to(play.result)


@pytest.mark.parametrize("laws", ENTERING_LAWS.values(), ids=lambda laws: laws.name)
def test_what_lies_on_the_way_begins_with_the_board_and_ends_with_the_plays(laws):
    stands, throws, _ = a_game(laws, seed=5, most=40)
    turn_state, dice = next((s, d) for s, d in zip(stands[10:], throws[10:], strict=False) if not d.is_double)
    plays = throw_plays(turn_state, dice, laws)
    boards = {
        board.packed.to_bytes(52, "little")
        for board in (turn_state.position, *(play.result for play in plays))
    }
    assert boards <= plays.on_the_way()
    assert b"".join(play.result.packed.to_bytes(52, "little") for play in plays) == plays.boards()
    assert [plays[i] for i in range(len(plays))] == list(plays)
