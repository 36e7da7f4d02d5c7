"""Games of Russian and Turkish backgammon played at random."""

from random import Random

from controller.rules import Dice, EnteringLaws, Player, PlayError, Step, TurnState
from controller.rules.entering.circuit import circuit
from controller.rules.entering.throw_plays import StagedPlay, ThrowPlays, throw_plays

PATIENCE = 30


def a_throw(turn_state: TurnState, rng: Random) -> Dice:
    """Two dice, or where doublets are to be chosen any."""
    first, second = rng.randint(1, 6), rng.randint(1, 6)
    return Dice(first, first if turn_state.choosing else second)


def a_play(plays: ThrowPlays, rng: Random) -> StagedPlay:
    """Some legal play: one that was walked to where it can be, for there may be 100,000."""
    for _ in range(PATIENCE):
        try:
            return plays.made_by(a_walk(plays, rng))
        except PlayError:
            continue
    return rng.choice(list(plays))


def a_walk(plays: ThrowPlays, rng: Random) -> list[Step]:
    """Steps made at random, in one of the orders of the numbers, until none can be made."""
    packed = plays.circuit.pack(plays.turn_state, plays.player)
    steps = []
    for number in rng.choice(plays.orders):
        choices = list(plays.circuit.steps(packed, number))
        if not choices:
            break
        step, packed = rng.choice(choices)
        steps.append(step)
    return [Step(*step) for step in steps]


def a_game(laws: EnteringLaws, seed: int, most: int = 5000) -> tuple[list[TurnState], list[Dice], list[str]]:
    """(stands, throws, plays as written) of a game; the stands are one more than the throws."""
    rng = Random(seed)
    turn_state = circuit(laws).start(rng.choice(list(Player)))
    stands, throws, texts = [turn_state], list[Dice](), list[str]()
    while turn_state.winner is None and len(throws) < most:
        dice = a_throw(turn_state, rng)
        play = a_play(throw_plays(turn_state, dice, laws), rng)
        turn_state = play.turn_state
        stands.append(turn_state)
        throws.append(dice)
        texts.append(str(play))
    return stands, throws, texts
