"""Reading Jellyfish match text, Snowie text and what XG writes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date as Date

from controller.record.matches import GameRecord, MatchFileError, MatchRecord, Problem, ReadMatch
from controller.rules import (
    AcceptedResignation,
    Action,
    Beavered,
    Cube,
    Dice,
    DidNotThrow,
    Doubled,
    EditedBoard,
    Game,
    IllegalAction,
    Match,
    Moved,
    MovedIrregularly,
    OfferedResignation,
    Passed,
    Phase,
    Player,
    Position,
    PositionError,
    Rolled,
    Took,
    Win,
    as_play,
    legal_plays,
    parse_steps,
)
from controller.rules.position import BAR, N_CHECKERS

_MATCH_LINE = re.compile(r"\s*(\d{1,5}) point match", re.IGNORECASE)
_GAME_LINE = re.compile(r"\s*Game \d+\s*$", re.IGNORECASE)
_HEADER = re.compile(r'\s*[;#]\s*\[([\w ]+?)\s+"(.*)"\]\s*$')
_SCORES = re.compile(r"\s*(.*?)\s*:\s*(\d{1,5})\s{2,}(.*?)\s*:\s*(\d{1,5})\s*$")
_ROW = re.compile(r"(?:\s*\d{1,4}\)|    (?=\s*Wins\b))(.*)", re.IGNORECASE)
"""What follows the row's number, or the four characters where it would stand."""
_CELL_START = re.compile(r"(?<!\S)(?:[1-6][1-6]:|(?:Doubles|Takes|Drops|Beavers|Wins)\b)", re.IGNORECASE)
_BOARD = re.compile(r"Illegal play \((.*?)\)", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,6})")
_RIGHT_COLUMN = 20
"""A single cell that starts this many characters after the row's number, or later, is the right player's."""
_PLACED_BY_HAND = Dice(1, 1)
_RESIGNED_AFTER_ROLL = ("???", "????")


def read(text: str) -> ReadMatch:
    """The match that `text` holds, with every problem found on the way; the reader goes on after each.

    Plays are checked against the laws: one that is not legal becomes MovedIrregularly. MatchFileError when
    the text has neither a match nor a game in it.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if not any(_MATCH_LINE.match(line) or _GAME_LINE.match(line) for line in lines):
        raise MatchFileError("no line says 'N point match' or 'Game 1': this is no match text")
    reader = _Reader()
    for number, line in enumerate(lines, start=1):
        reader.line(number, line)
    return reader.finished()


@dataclass
class _Reader:
    """The text line by line: the match around its games."""

    record: MatchRecord = field(default_factory=MatchRecord)
    match: Match = field(default_factory=lambda: Match.new(0))
    problems: list[Problem] = field(default_factory=list)
    games: list[GameRecord] = field(default_factory=list)
    game: _GameReader | None = None

    def line(self, number: int, line: str) -> None:
        if found := _HEADER.match(line):
            self._header(number, found[1], found[2])
        elif found := _MATCH_LINE.match(line):
            self.record = replace(self.record, length=int(found[1]))
            self.match = Match.new(int(found[1]), stakes=self.record.stakes, crawford=self.record.crawford)
        elif _GAME_LINE.match(line):
            self._end_game()
            self.game = _GameReader(self.match, self.problems)
        elif self.game is not None and line.strip() and not line.lstrip().startswith((";", "#")):
            self._line_of_game(number, line, self.game)

    def finished(self) -> ReadMatch:
        self._end_game()
        record = replace(self.record, games=tuple(self.games))
        jacoby = not record.length and any(game.stakes.jacoby for game in self.games)
        record = replace(record, stakes=replace(record.stakes, jacoby=jacoby or record.stakes.jacoby))
        return ReadMatch(record, tuple(sorted(self.problems)))

    def _line_of_game(self, number: int, line: str, game: _GameReader) -> None:
        if not game.rows and (scores := _SCORES.match(line)):
            self._scores(number, scores)
        elif row := _ROW.match(line):
            game.row(number, row[1])
        else:
            self.problems.append(Problem(number, f"not understood: {line.strip()[:60]!r}"))

    def _header(self, number: int, key: str, value: str) -> None:
        stakes = self.record.stakes
        on = value.lower() in ("on", "true", "1", "yes")
        match key:
            case "Event":
                self.record = replace(self.record, event=value)
            case "Round":
                self.record = replace(self.record, round=value)
            case "Site":
                self.record = replace(self.record, site=value)
            case "Transcriber":
                self.record = replace(self.record, transcriber=value)
            case "EventDate":
                self._date(number, value)
            case "Crawford":
                self.record = replace(self.record, crawford=on)
            case "Jacoby":
                self.record = replace(self.record, stakes=replace(stakes, jacoby=on))
            case "Beaver":
                self.record = replace(self.record, stakes=replace(stakes, beavers=on))
            case "Variation" if value.lower() not in ("", "backgammon", "standard"):
                self.problems.append(Problem(number, f"variation {value!r} is not known; read as backgammon"))

    def _date(self, number: int, value: str) -> None:
        try:
            self.record = replace(self.record, date=Date.fromisoformat(re.sub("[./]", "-", value)))
        except ValueError:
            self.problems.append(Problem(number, f"{value!r} is no date; it is written like 2026.11.21"))

    def _scores(self, number: int, found: re.Match[str]) -> None:
        if not self.games:
            self.record = replace(self.record, white=found[1] or "White", black=found[3] or "Black")
        stated = int(found[2]), int(found[4])
        if self.games and stated != self.match.score:
            told, due = ("-".join(map(str, score)) for score in (stated, self.match.score))
            self.problems.append(
                Problem(number, f"the score is given as {told}; the games before make it {due}")
            )
        self.match = self.match.with_score(*stated)
        self.game = _GameReader(self.match, self.problems)

    def _end_game(self) -> None:
        if self.game is None:
            return
        self.games.append(self.game.finished())
        if self.game.game.phase is Phase.OVER:
            self.match = self.match.after_game(self.game.game)
        self.game = None


class _GameReader:
    """One game, cell by cell; keeps the game as played so far."""

    def __init__(self, match: Match, problems: list[Problem]) -> None:
        self.game: Game = match.game
        self.score = match.score
        self.cube_at_start = 1
        self.rows = 0
        self._problems = problems
        self._number = 0

    def finished(self) -> GameRecord:
        return GameRecord(
            actions=self.game.actions,
            score=self.score,
            stakes=self.game.stakes,
            cube_at_start=self.cube_at_start,
        )

    def row(self, number: int, row: str) -> None:
        """Read the text of one row, after its number."""
        self.rows += 1
        self._number = number
        cells = list(_cells(row))
        if not cells and row.strip():
            self._problem(f"not understood: {row.strip()[:60]!r}")
        for player, cell in cells:
            self._cell(player, cell.strip())

    def _problem(self, message: str) -> None:
        self._problems.append(Problem(self._number, message))

    def _push(self, *actions: Action) -> bool:
        """Do the actions; where one cannot be done, name the problem and leave it and the rest out."""
        for action in actions:
            try:
                self.game = self.game.push(action)
            except (IllegalAction, PositionError) as error:
                self._problem(f"{type(action).__name__}: {error}")
                return False
        return True

    def _cell(self, player: Player, cell: str) -> None:
        word = cell.lower()
        if cell[:1].isdigit():
            self._half_turn(player, cell)
        elif word.startswith("wins"):
            self._wins(player, cell)
        elif self.game.phase is Phase.OVER:
            self._problem(f"{cell[:40]!r} comes after the end of the game")
        elif word.startswith("doubles"):
            self._double(player, cell)
        elif word.startswith("beavers"):
            self.game = replace(self.game, stakes=replace(self.game.stakes, beavers=True))
            self._push(Beavered(player=player))
        elif word.startswith("takes"):
            self._push(Took(player=player))
        else:
            self._push(Passed(player=player))

    def _half_turn(self, player: Player, cell: str) -> None:
        dice, text = Dice.parse(cell[:2]), cell[3:].strip()
        if self.game.phase is Phase.OVER:
            self._problem(f"{cell[:40]!r} comes after the end of the game")
            return
        board = _BOARD.match(text)
        if board and dice == _PLACED_BY_HAND and self._begins_or_repeats(player):
            self._edited(board[1], player.opponent)
            return
        self._answer_for(player)
        if self._due(player) and self._push(Rolled(player=player, dice=dice)):
            self._play(player, dice, text)

    def _begins_or_repeats(self, player: Player) -> bool:
        return self.game.phase is Phase.OPENING or self.game.turn is not player

    def _answer_for(self, player: Player) -> None:
        """A double or a beaver goes without a word when play simply goes on."""
        if self.game.phase is not Phase.DOUBLED or self.game.asked is None:
            return
        if self.game.asked is not player:
            self._problem(f"{self.game.asked.value} has not answered the double; taken to have accepted it")
        self._push(Took(player=self.game.asked))

    def _due(self, player: Player) -> bool:
        """Bring it about that `player` is to roll, when the half-turn before his is not written down."""
        game = self.game
        if game.phase is Phase.OPENING or game.turn is player or game.turn is None:
            return game.phase is not Phase.TO_MOVE or self._unplayed()
        if game.phase is Phase.TO_ROLL and game.is_closed_out(game.turn):
            return self._push(DidNotThrow(player=game.turn))
        self._problem(f"no play of {game.turn.value}'s before this one of {player.value}'s")
        return self._push(EditedBoard(position=game.position, on_roll=player))

    def _unplayed(self) -> bool:
        assert self.game.turn is not None
        return self._push(EditedBoard(position=self.game.position, on_roll=self.game.turn))

    def _play(self, player: Player, dice: Dice, text: str) -> None:
        if board := _BOARD.match(text):
            self._stood(board[1], player)
        elif text in _RESIGNED_AFTER_ROLL:
            return
        elif not text:
            self._play_left_blank(player, dice)
        else:
            self._steps(player, dice, text)

    def _play_left_blank(self, player: Player, dice: Dice) -> None:
        """No move, or the only one there is; where there are more the roll was resigned."""
        plays = list(legal_plays(self.game.position, player, dice, self.game.laws))
        if len(plays) == 1:
            self._push(Moved(player=player, steps=plays[0].steps))

    def _steps(self, player: Player, dice: Dice, text: str) -> None:
        try:
            play, legal = as_play(parse_steps(text), self.game.position, player, dice, self.game.laws)
        except ValueError as error:
            self._problem(f"{player.value}'s {dice}: {error}")
            return
        if legal:
            self._push(Moved(player=player, steps=play.steps))
            return
        self._problem(f"{player.value} cannot play {dice} as {play}; taken as an irregular play")
        self._push(MovedIrregularly(player=player, result=play.result, steps=play.steps))

    def _stood(self, fields: str, player: Player) -> None:
        board = self._board(fields)
        if board is not None:
            self._push(MovedIrregularly(player=player, result=board))

    def _edited(self, fields: str, on_roll: Player) -> None:
        board = self._board(fields)
        if board is not None:
            self._push(EditedBoard(position=board, on_roll=on_roll))

    def _board(self, fields: str) -> Position | None:
        try:
            return _snowie_board(fields)
        except ValueError as error:
            self._problem(f"the board of the illegal play: {error}")
            return None

    def _double(self, player: Player, cell: str) -> None:
        stated = _NUMBER.search(cell)
        value = self.game.cube.value
        if stated and int(stated[1]) != 2 * value:
            if value == 1 and self._is_power_of_two(int(stated[1])):
                self.cube_at_start = int(stated[1]) // 2
                self.game = replace(self.game, cube=Cube(self.cube_at_start))
            else:
                self._problem(f"doubles to {stated[1]}, but the cube shows {value}")
        if self.game.phase is Phase.TO_ROLL and self.game.turn is not player:
            self._due(player)
        self._push(Doubled(player=player))

    @staticmethod
    def _is_power_of_two(number: int) -> bool:
        return number > 2 and not number & (number - 1)

    def _wins(self, winner: Player, cell: str) -> None:
        stated = _NUMBER.search(cell)
        points = int(stated[1]) if stated else self.game.cube.value
        if self.game.outcome is None:
            self._resigned(winner, points)
        outcome = self.game.outcome
        if outcome is None:
            return
        if (winner, points) == (outcome.winner, outcome.points):
            return
        if winner is outcome.winner and self._is_jacoby(points):
            stakes = replace(self.game.stakes, jacoby=True)
            self.game = replace(
                self.game, stakes=stakes, outcome=replace(outcome, win=Win.SINGLE, points=points)
            )
            return
        due = f"{outcome.winner.value} has won {outcome.points}"
        self._problem(f"{winner.value} is said to win {points}, but {due}")

    def _is_jacoby(self, points: int) -> bool:
        """Whether only the Jacoby rule explains that an undoubled gammon counted as a single game."""
        return self.game.cube.owner is None and points == self.game.cube.value

    def _resigned(self, winner: Player, points: int) -> None:
        multiple, rest = divmod(points, self.game.cube.value)
        if rest or not 1 <= multiple <= 3:
            self._problem(
                f"nobody wins {points} with the cube at {self.game.cube.value}; read as a single game"
            )
            multiple = 1
        if self.game.phase is Phase.OPENING:
            self._problem("the game is won before it began")
            return
        self._push(
            OfferedResignation(player=winner.opponent, win=Win(multiple)), AcceptedResignation(player=winner)
        )


def _cells(row: str) -> Iterator[tuple[Player, str]]:
    """The cells of a row: what stands on the left is White's, all that comes after Black's."""
    hidden = _BOARD.sub(lambda board: "x" * len(board[0]), row)
    starts = [found.start() for found in _CELL_START.finditer(hidden)]
    for start, end in zip(starts, [*starts[1:], len(row)], strict=True):
        is_left = start == starts[0] and start < _RIGHT_COLUMN
        yield (Player.WHITE if is_left else Player.BLACK), row[start:end]


def _snowie_board(fields: str) -> Position:
    """The position in Snowie's fields: 12 of the game, 26 counts as the player on roll sees them, two dice.

    ValueError says what is wrong with them.
    """
    values = fields.rstrip(";").split(";")
    if len(values) != 12 + BAR + 1 + 2:
        raise ValueError(f"it has {len(values)} fields, not 40")
    on_roll = Player.WHITE if values[4] == "1" else Player.BLACK
    counts = [int(value) for value in values[12 : 12 + BAR + 1]]
    own = [0, *(max(count, 0) for count in counts[1:])]
    opposing = [0, *(max(-count, 0) for count in reversed(counts[:BAR]))]
    for side in (own, opposing):
        if sum(side) > N_CHECKERS:
            raise ValueError(f"{sum(side)} checkers on one side")
        side[0] = N_CHECKERS - sum(side)
    return Position.of(on_roll, own, opposing)
