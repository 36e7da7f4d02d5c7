"""How long it takes to enumerate legal plays, compared with other engines that a Python program can install.

All enumerate the same rolls on the same positions, of games played at random, in one run. The table names
what each returns: numbers standing for plays, boards, or plays that can be printed. OpenSpiel plays a double
as two turns of two steps, so for doubles it finds only half of each play. Install the others with

    pip install open_spiel gnubg-nn bgsage gammonview gym-backgammon gym "pyglet<2"
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from controller.rules import (
    ENTERING_LAWS,
    Dice,
    EnteringLaws,
    Game,
    GamePhase,
    OpeningThrow,
    Player,
    Position,
    Rolled,
    legal_plays,
    rules_of,
)
from controller.rules.entering.throw_plays import throw_plays
from tests.benchmarks.plain import plain_plays
from tests.benchmarks.timing import interleaved_medians_s

N_POSITIONS = 1000
N_GAMES = 40
N_OLD_GAMES = 15
SEED = 20

Case = tuple[Position, Player, Dice]
Way = Callable[[], object]


def run(data: Path | None) -> None:
    """Print the table."""
    cases, open_spiel = _cases()
    ways: dict[str, Way] = {
        "blotlight: positions, counted": lambda: [len(legal_plays(*case)) for case in cases],
        "blotlight: plays, listed": lambda: [list(legal_plays(*case)) for case in cases],
        "blotlight: plays with all results as Position": lambda: [
            [play.result for play in legal_plays(*case)] for case in cases
        ],
        "blotlight: plays, all as text": lambda: [
            [str(play) for play in legal_plays(*case)] for case in cases
        ],
        "plain recursion in Python: boards": _plain(cases),
    }
    ways |= open_spiel
    for peer, package, module in (
        (_gnubg_nn, "gnubg-nn", "gnubg_nn"),
        (_bgsage, "bgsage", "bgsage"),
        (_gvformat, "gammonview", "gvformat.legality"),
        (_gym_backgammon, "gym-backgammon and pyglet<2", "gym_backgammon.envs.backgammon"),
    ):
        installed = _import(module)
        if installed is None:
            print(f"(not installed: {package})")
        else:
            ways |= peer(installed, cases)
    _print(interleaved_medians_s(ways), len(cases))
    _print_self_play()
    _print_old_games()


def _print_self_play() -> None:
    """Time games played at random through Game.push, with the plays of each roll listed."""
    times_s = sorted(_timed(partial(_random_game, random.Random(seed))) for seed in range(N_GAMES))
    print(f"\nself-play through Game.push: {times_s[N_GAMES // 2] * 1e3:.1f} ms a game, median of {N_GAMES}")


def _random_game(chance: random.Random) -> Game:
    game = Game.new()
    while game.phase is not GamePhase.OVER:
        if game.phase is GamePhase.OPENING:
            game = game.push(OpeningThrow(white=chance.randint(1, 6), black=chance.randint(1, 6)))
        elif game.phase is GamePhase.TO_ROLL and game.turn:
            dice = Dice(chance.randint(1, 6), chance.randint(1, 6))
            game = game.push(Rolled(player=game.turn, dice=dice))
        elif game.turn and game.dice:
            game = game.push(chance.choice(list(legal_plays(game.position, game.turn, game.dice))))
    return game


def _print_old_games() -> None:
    """Time counting the plays of each throw in random games of Russian and Turkish backgammon."""
    print(f"{'throws, plays counted':58}{'throws':>8}{'median ms':>11}{'worst ms':>10}{'its plays':>11}")
    for name, laws in ENTERING_LAWS.items():
        rows = sorted(row for seed in range(N_OLD_GAMES) for row in _old_game(laws, random.Random(seed)))
        (median_s, _), (worst_s, n) = rows[len(rows) // 2], rows[-1]
        print(f"{name:58}{len(rows):8}{median_s * 1e3:11.2f}{worst_s * 1e3:10.0f}{n:11}")


def _old_game(laws: EnteringLaws, chance: random.Random) -> Iterator[tuple[float, int]]:
    """(seconds, number of plays) for each throw of a game, for at most 120 throws."""
    rules = rules_of(laws)
    turn_state = rules.start(Player.WHITE)
    for _ in range(120):
        if turn_state.winner:
            return
        plays = throw_plays(turn_state, chance.choice(rules.throws(turn_state)), laws)
        yield _timed(partial(len, plays)), len(plays)
        turn_state = plays[chance.randrange(len(plays))].turn_state


def _timed(work: Way) -> float:
    begun_s = time.process_time()
    work()
    return time.process_time() - begun_s


def _print(medians_s: dict[str, float], n: int) -> None:
    ours_s = medians_s["blotlight: plays, listed"]
    print(f"{'':58}{'ms per 1,000':>14}{'to ours':>10}")
    for name, seconds in sorted(medians_s.items(), key=lambda row: row[1]):
        print(f"{name:58}{seconds * 1e3 * 1000 / n:14.1f}{seconds / ours_s:10.2f}")


def _import(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:
        return None


def _cases() -> tuple[list[Case], dict[str, Way]]:
    """The positions and rolls; with OpenSpiel, which takes none from outside, those of its own games."""
    pyspiel = _import("pyspiel")
    if pyspiel is None:
        print("(not installed: open_spiel)")
        return random_games(), {}
    states = _spiel_states(pyspiel)
    cases = [_case_of_spiel(state) for state in states]
    return cases, {
        "OpenSpiel legal_actions(), C++: numbers": lambda: [state.legal_actions() for state in states]
    }


def random_games() -> list[Case]:
    chance = random.Random(SEED)
    cases: list[Case] = []
    position, player = Position.START, Player.WHITE
    while len(cases) < N_POSITIONS:
        dice = Dice(chance.randint(1, 6), chance.randint(1, 6))
        cases.append((position, player, dice))
        position = chance.choice(sorted((play.result for play in legal_plays(*cases[-1])), key=str))
        player = player.opponent
        if position.winner:
            position = Position.START
    return cases


def _spiel_states(pyspiel: ModuleType) -> list[Any]:
    chance = random.Random(SEED)
    game = pyspiel.load_game("backgammon")
    states: list[Any] = []
    state = game.new_initial_state()
    while len(states) < N_POSITIONS:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            state.apply_action(chance.choice([action for action, _ in state.chance_outcomes()]))
        else:
            if "Extra turn: 1" not in str(state):
                states.append(state.clone())
            state.apply_action(chance.choice(state.legal_actions()))
    return states


def _case_of_spiel(state: Any) -> Case:
    """The case of a state. OpenSpiel's player 0 (x) moves up its 24 numbers and is White, player 1 down."""
    white = [0, *(state.board(0, 24 - point) for point in range(1, 25)), 0]
    black = [0, *(state.board(1, point - 1) for point in range(1, 25)), 0]
    lines = dict(line.split(":", 1) for line in str(state).splitlines() if ":" in line and "|" not in line)
    white[25], black[25] = lines["Bar"].count("x"), lines["Bar"].count("o")
    white[0], black[0] = 15 - sum(white), 15 - sum(black)
    high, low = map(int, lines["Dice"].strip())
    player = Player.WHITE if state.current_player() == 0 else Player.BLACK
    return Position(tuple(white), tuple(black)), player, Dice(high, low)


def _plain(cases: list[Case]) -> Way:
    given = [
        (position.side(player), position.side(player.opponent), (dice.high, dice.low))
        for position, player, dice in cases
    ]
    return lambda: [plain_plays(*case) for case in given]


def _gnubg_nn(gnubg_nn: ModuleType, cases: list[Case]) -> dict[str, Way]:
    given = [
        ([list(position.side(who)[1:]) for who in (player.opponent, player)], dice.high, dice.low)
        for position, player, dice in cases
    ]
    return {"gnubg-nn moves(), C++: keys of boards": lambda: [gnubg_nn.moves(*case) for case in given]}


def _bgsage(bgsage: ModuleType, cases: list[Case]) -> dict[str, Way]:
    given = []
    for position, player, dice in cases:
        own, opposing = position.side(player), position.side(player.opponent)
        board = [own[place] - opposing[25 - place] if 0 < place < 25 else 0 for place in range(26)]
        board[25], board[0] = own[25], opposing[25]
        given.append((board, dice.high, dice.low))
    return {"bgsage possible_moves(), C++: boards": lambda: [bgsage.possible_moves(*case) for case in given]}


def _gvformat(legality: ModuleType, cases: list[Case]) -> dict[str, Way]:
    given = [
        (list(position.side(player)), list(position.side(player.opponent)[::-1]), dice.high, dice.low)
        for position, player, dice in cases
    ]
    return {
        "gammonview legal_plays(), Python: plays": lambda: [legality.legal_plays(*case) for case in given]
    }


def _gym_backgammon(module: ModuleType, cases: list[Case]) -> dict[str, Way]:
    """Its points count from 0. Its white moves down, by negative numbers, and is the mover in all cases."""
    given = []
    for position, player, dice in cases:
        own, opposing = position.side(player), position.side(player.opponent)
        game = module.Backgammon()
        game.board = [
            (own[point], module.WHITE)
            if own[point]
            else (opposing[25 - point], module.BLACK if opposing[25 - point] else None)
            for point in range(1, 25)
        ]
        game.bar, game.off = [own[25], opposing[25]], [own[0], opposing[0]]
        game.players_positions = game.get_players_positions()
        game.state = game.save_state()
        given.append((game, (-dice.high, -dice.low)))
    return {
        "gym-backgammon get_valid_plays(), Python: plays": lambda: [
            game.get_valid_plays(module.WHITE, roll) for game, roll in given
        ]
    }
