"""Facts that match files have no standard form for, in a form of our own that other programs skip.

They are the players of a chouette, the cube after automatic doubles, refused resignations, and which of the
boards written as illegal plays were set up by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from controller.record.match_record import GameRecord, MatchRecord, Problem
from controller.rules import (
    Action,
    Beavered,
    Chouette,
    ChouetteError,
    Cube,
    Doubled,
    EditedBoard,
    GamePhase,
    Moved,
    MovedIrregularly,
    OfferedResignation,
    Player,
    RefusedResignation,
    Win,
)
from sentences import say

CHOUETTE = "Chouette: "
"""Begins the line that names the players of a chouette."""
MOST_IN_CHOUETTE = 100
"""Most names that are read of a chouette. Guess: the largest have about ten."""
_COUNTED = (Moved, MovedIrregularly, Doubled, Beavered)
_LETTERS = {None: "", Player.WHITE: "w", Player.BLACK: "b"}
_PLAYERS = {letter: player for player, letter in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class RefusedOffer:
    """A resignation that was refused.

    n_before: plays and doubles made before it. rolled: whether it came between a roll and its play.
    """

    n_before: int
    rolled: bool
    player: Player
    win: Win

    @classmethod
    def parse(cls, text: str) -> RefusedOffer:
        """Parse what `str` gives. Raises ValueError for other text."""
        place, player, win = text.split(":")
        return cls(int(place.removesuffix("r")[:6]), place.endswith("r"), Player(player), Win(int(win[:2])))

    def __str__(self) -> str:
        """`12r:white:2`: after twelve plays and a roll White offered a gammon."""
        return f"{self.n_before}{'r' * self.rolled}:{self.player.value}:{self.win.value}"

    def actions(self) -> tuple[Action, Action]:
        """The offer and the refusal."""
        offer = OfferedResignation(player=self.player, win=self.win)
        return offer, RefusedResignation(player=self.player.opponent)


def refused_offers(record: GameRecord) -> Iterator[RefusedOffer]:
    """The resignations of a game that were refused, in order."""
    game, offered = record.begun(), None
    for action in record.actions:
        if isinstance(action, OfferedResignation):
            rolled = game.phase is GamePhase.TO_MOVE
            offered = RefusedOffer(plays_and_doubles(game.actions), rolled, action.player, action.win)
        elif isinstance(action, RefusedResignation) and offered:
            yield offered
        game = game.push(action)


def edits_in_play(record: GameRecord) -> Iterator[int]:
    """For each board set up after a game's first action: the number of plays and doubles before it."""
    n_before = 0
    for index, action in enumerate(record.actions):
        if isinstance(action, EditedBoard) and index:
            yield n_before
        n_before += isinstance(action, _COUNTED)


def chouette_text(record: MatchRecord) -> str:
    """`Chouette: Ada, Bert, Cleo`; "" where two play."""
    return CHOUETTE + ", ".join(record.chouette) if record.chouette else ""


def parse_chouette(text: str | None, line: int, problems: list[Problem]) -> tuple[str, ...]:
    """The names in what `chouette_text` wrote; () where there are none."""
    if text is None or not text.startswith(CHOUETTE):
        return ()
    try:
        return Chouette.new(text.removeprefix(CHOUETTE).split(", ")[:MOST_IN_CHOUETTE]).line
    except ChouetteError as error:
        problems.append(Problem(line, str(error)))
        return ()


def plays_and_doubles(actions: Iterable[Action]) -> int:
    """How many plays and doubles there are among `actions`."""
    return sum(isinstance(action, _COUNTED) for action in actions)


def cube_at_first_roll(record: GameRecord) -> Cube:
    """The cube after automatic doubles, including those whose throws are recorded."""
    now = record.begun()
    for action in record.actions:
        if now.phase is not GamePhase.OPENING:
            break
        now = now.push(action)
    return now.cube


def cube_text(cube: Cube) -> str:
    """`2w`: the cube has been doubled twice and is White's."""
    return f"{cube.value.bit_length() - 1}{_LETTERS[cube.owner]}"


def parse_cube(text: str) -> Cube:
    """Parse what `cube_text` gives. Raises ValueError or KeyError for other text."""
    log2 = int(text.rstrip("wb"))
    if not 0 <= log2 <= 15:
        raise ValueError(say("no_cube", text=text[:20]))
    return Cube(1 << log2, _PLAYERS[text[len(text.rstrip("wb")) :]])
