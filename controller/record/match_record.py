"""The record of a match: the players, the stakes, and the actions of each game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date as Date

from controller.rules import (
    MODERN,
    Action,
    AgreedToAlter,
    DidNotThrow,
    EditedBoard,
    Game,
    GamePhase,
    Laws,
    Match,
    Moved,
    MovedIrregularly,
    NamedThrow,
    NullThrow,
    OpeningThrow,
    Player,
    PutBackUp,
    QuittedMan,
    RequiredFurnishing,
    RequiredRightNumber,
    Rolled,
    Stakes,
    TouchedMan,
)
from controller.rules.board.cube import Cube
from controller.rules.match.game_state import PLAIN_STAKES
from sentences import say


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One game of a match.

    actions: in order of time. A game joined in progress begins with EditedBoard.
    score: points of White and of Black before the game.
    stakes: those of this game; a Crawford game has no cube.
    cube_at_start: the cube after automatic doubles whose throws are not known.
    cube_owner_at_start: its owner, in a game joined in progress; None while both may double.
    first: who had the first turn without an opening throw; under some laws the winner of a single game.
    """

    actions: tuple[Action, ...] = ()
    score: tuple[int, int] = (0, 0)
    stakes: Stakes = PLAIN_STAKES
    cube_at_start: int = 1
    cube_owner_at_start: Player | None = None
    laws: Laws = MODERN
    first: Player | None = None

    @classmethod
    def of(cls, game: Game, score: tuple[int, int]) -> GameRecord:
        """The record of a game, as far as it has come. score: before it."""
        return cls(
            actions=game.actions,
            score=score,
            stakes=game.stakes,
            cube_at_start=game.cube_at_start.value,
            cube_owner_at_start=game.cube_at_start.owner,
            laws=game.laws,
            first=game.first,
        )

    def begun(self) -> Game:
        """The game before its first action."""
        game = Game.new(self.laws, self.stakes, self.first)
        cube = Cube(self.cube_at_start, self.cube_owner_at_start)
        return game.changed(cube=cube, cube_at_start=cube)

    def as_it_stood(self) -> GameRecord:
        """The game without what was corrected at the table: throws made again, plays taken back."""
        return replace(self, actions=_without_mishaps(self.begun(), self.actions))

    def played(self) -> Game:
        """The game after its last action; IllegalAction when the actions do not form a game."""
        game = self.begun()
        for action in self.actions:
            game = game.push(action)
        return game


def ends_half_turn(now: Game, action: Action) -> bool:
    """Whether a half-turn ends with `action`. One of unknown dice is written as the board that it left.

    A board without a change of turn was set up by hand, or is where a game was joined.
    """
    if isinstance(action, EditedBoard):
        return now.turn is action.on_roll.opponent
    return isinstance(action, Moved | MovedIrregularly | DidNotThrow)


def _without_mishaps(game: Game, actions: Iterable[Action]) -> tuple[Action, ...]:
    """Actions that lead from `game` to the same end as `actions`, without mishaps."""
    kept: list[Action] = []
    for action in actions:
        after = game.push(action)
        kept = _kept(kept, game, action, after)
        game = after
    return tuple(kept)


def _kept(kept: list[Action], before: Game, action: Action, after: Game) -> list[Action]:
    match action:
        case TouchedMan() | QuittedMan():
            return kept
        case NullThrow():
            return kept if before.phase is after.phase else kept[: _last(kept, OpeningThrow, Rolled)]
        case NamedThrow(dice=dice):
            assert after.turn is not None
            thrown = _last(kept, OpeningThrow, Rolled)
            return [*kept[:thrown], Rolled(player=after.turn, dice=dice), *kept[thrown + 1 :]]
        case RequiredRightNumber() | AgreedToAlter():
            return kept[: _last(kept, MovedIrregularly)]
        case PutBackUp():
            assert after.turn is not None
            edited = EditedBoard(position=after.position, on_roll=after.turn)
            rolled = [Rolled(player=after.turn, dice=after.dice)] if after.dice else []
            return [*kept, edited, *rolled]
        case RequiredFurnishing():
            return [
                done for done in kept if isinstance(done, OpeningThrow) and before.phase is GamePhase.OPENING
            ]
    return [*kept, action]


def _last(actions: list[Action], *kinds: type[Action]) -> int:
    """Where the last action of these kinds stands."""
    return max(n for n, action in enumerate(actions) if isinstance(action, kinds))


@dataclass(frozen=True, kw_only=True)
class MatchRecord:
    """A match, or a money session (length 0), with the headers of its file.

    laws: those of the whole match. Each game has its own copy, because a game may be taken out of its match.
    chouette: the names of its players: the first box, the first captain, then the others; () where two play.
    """

    white: str = "White"
    black: str = "Black"
    length: int = 0
    crawford: bool = True
    stakes: Stakes = PLAIN_STAKES
    laws: Laws = MODERN
    games: tuple[GameRecord, ...] = ()
    date: Date | None = None
    event: str = ""
    round: str = ""
    site: str = ""
    transcriber: str = ""
    chouette: tuple[str, ...] = ()

    @classmethod
    def under(cls, laws: Laws, length: int = 0, white: str = "White", black: str = "Black") -> MatchRecord:
        """A match under `laws`, with the stakes that they propose."""
        stakes, crawford = laws.stakes(length), laws.crawford
        return cls(white=white, black=black, length=length, crawford=crawford, stakes=stakes, laws=laws)

    def begun(self) -> Match:
        """The match before its first game."""
        return Match.new(self.length, self.laws, self.stakes, self.crawford)

    def require_text(self) -> None:
        """Raise MatchFileError where a name or a header holds a lone surrogate, which no file can hold."""
        for text in (
            self.white,
            self.black,
            self.event,
            self.round,
            self.site,
            self.transcriber,
            *self.chouette,
        ):
            refuse_lone_surrogates(text)

    def name(self, player: Player) -> str:
        return self.white if player is Player.WHITE else self.black


@dataclass(frozen=True, order=True)
class Problem:
    """Something wrong in a file that could still be read; `line` counts from 1."""

    line: int
    message: str = field(compare=False)

    def __str__(self) -> str:
        return say("line_and_problem", line=self.line, problem=self.message)


MOST_PROBLEMS = 1000
"""Most problems that are listed of one file. Guess: nobody reads more, and memory stays bounded."""

MOST_GAMES = 2000
"""Most games in a match file. Guess: the longest sessions have some hundreds."""

MOST_ACTIONS = 5000
"""Most actions of a game in a file. Guess: the longest games have some hundreds."""

MOST_NODES = 4 * MOST_ACTIONS
"""Most SGF nodes that are read of a game; some hold no action. Guess."""


class ProblemList(list[Problem]):
    """Problems; after the first MOST_PROBLEMS one more says that the rest are not listed."""

    @property
    def is_full(self) -> bool:
        """Whether no further problem is listed."""
        return len(self) > MOST_PROBLEMS

    def append(self, problem: Problem) -> None:
        if len(self) < MOST_PROBLEMS:
            super().append(problem)
        elif len(self) == MOST_PROBLEMS:
            super().append(Problem(problem.line, say("more_problems")))


@dataclass(frozen=True)
class ParsedMatch:
    """The match in a file, as far as it could be read, and its problems."""

    record: MatchRecord
    problems: tuple[Problem, ...] = ()


class MatchFileError(ValueError):
    """The text is not a match file of this kind."""


def refuse_lone_surrogates(text: str) -> None:
    """Raise MatchFileError where `text` holds a lone surrogate, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise MatchFileError(say("half_a_character", line=line, char=text[error.start])) from None


MOST_NAME_BYTES = 100
"""Most bytes of each player's name in the name of a file: file systems take 255 in all. Guess."""


def file_name(record: MatchRecord, suffix: str) -> str:
    """`2026-11-21 Ada - Bert.mat`: date and players, without characters that file systems refuse."""
    day = f"{record.date.isoformat()} " if record.date else ""
    stem = f"{day}{_name_in_file(record.white)} - {_name_in_file(record.black)}"
    return f"{stem.strip(' .') or 'match'}{suffix}"


def _name_in_file(name: str) -> str:
    safe = "".join("_" if char in '<>:"/\\|?*' or not char.isprintable() else char for char in name)
    return safe.encode()[:MOST_NAME_BYTES].decode(errors="ignore")
