"""Parses Jellyfish match text (`.mat`), Snowie text, and XG's variants of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date as Date

from controller.record.file_reading import GameBeingRead
from controller.record.match_record import (
    MOST_ACTIONS,
    MOST_GAMES,
    GameRecord,
    MatchFileError,
    MatchRecord,
    ParsedMatch,
    Problem,
    ProblemList,
    refuse_lone_surrogates,
)
from controller.record.unwritten import (
    CHOUETTE,
    RefusedOffer,
    parse_chouette,
    parse_cube,
    plays_and_doubles,
)
from controller.record.variations import MAT_NAMES
from controller.rules import (
    LAWS,
    Cube,
    Dice,
    GamePhase,
    Laws,
    Match,
    Player,
    PlayError,
    Position,
    legal_plays,
    parse_steps,
)
from controller.rules.board.position import BAR, N_CHECKERS
from sentences import say

_MATCH_LINE = re.compile(
    r"\s*(?:(?P<before>\d{1,5})[ -]points? match|match to (?P<after>\d{1,5})\b)", re.IGNORECASE
)
"""Programs write `5 point match`, people also `5-point match` and `Match to 5 points`."""
_GAME_LINE = re.compile(r"\s*Game \d+\s*$", re.IGNORECASE)
_HEADER_KEY = re.compile(r"[\w ]+")
_LEFT_SCORE = re.compile(r":\s*(\d{1,5})\s\s")
_CROWDED_LEFT_SCORE = re.compile(r"\s:\s*(\d{1,5})\s?")
"""Where the left name is so long that GNU Backgammon leaves one space after the score, or none."""
_SCORE = re.compile(r"\d{1,5}")
_EDIT = re.compile(r"\d{1,5}/\d{1,5}", re.ASCII)
_GAP = re.compile(r"\s\s")
_FIRST_ROW = re.compile(r"\s*1\) ")
_ROW = re.compile(r"(?:\s*\d{1,4}\)|    (?=\s*Wins\b))(.*)", re.IGNORECASE)
"""The text after the row's number, or after the four spaces in its place."""
_CELL_START = re.compile(r"(?<!\S)(?:[1-6][1-6]:|(?:Doubles|Takes|Drops|Beavers|Wins)\b)", re.IGNORECASE)
_BOARD = re.compile(r"Illegal play \(([^()]*)\)", re.IGNORECASE)
_NUMBER = re.compile(r"(\d{1,6})")
_RIGHT_COLUMN = 20
"""A row's first cell is the right player's if it starts at least this many characters after the row's number.
The left column is 28 wide; some programs write narrower ones. Guess."""
_SET_BOARD = "Set Pos="
_PLACED_BY_HAND = Dice(1, 1)
"""The roll that mat_writer puts before an edited board."""
_RESIGNED_AFTER_ROLL = ("???", "????")


def parse_mat(text: str) -> ParsedMatch:
    """The match in `text`, with every problem found; parsing goes on after each.

    A play that is not legal becomes MovedIrregularly. Raises MatchFileError when the text holds neither a
    match nor a game.
    """
    refuse_lone_surrogates(text)
    lines = text.removeprefix("\ufeff").splitlines()
    signs = (_MATCH_LINE, _GAME_LINE, _FIRST_ROW)
    if not any(sign.match(line) for line in lines for sign in signs):
        raise MatchFileError(say("no_match_text"))
    parser = _MatParser()
    for number, line in enumerate(lines, start=1):
        parser.parse_line(number, line)
    return parser.finished()


@dataclass
class _MatParser:
    """Parses the lines of a match. Passes the rows of each game to its _GameRows."""

    record: MatchRecord = field(default_factory=MatchRecord)
    match: Match = field(default_factory=lambda: Match.new(0))
    problems: ProblemList = field(default_factory=ProblemList)
    games: list[GameRecord] = field(default_factory=list)
    game: _GameRows | None = None
    line_before: str = ""
    cubes: tuple[Cube, ...] = ()
    refused: dict[int, list[RefusedOffer]] = field(default_factory=dict)
    edits: set[str] = field(default_factory=set)

    def parse_line(self, number: int, line: str) -> None:
        if header := _split_header(line):
            self._parse_header(number, *header)
        elif found := _MATCH_LINE.match(line):
            self.record = replace(self.record, length=int(found["before"] or found["after"]))
            self.match = self.record.begun()
        elif _GAME_LINE.match(line):
            self._end_game()
            if len(self.games) == MOST_GAMES:
                raise MatchFileError(say("too_many_games_at_line", number=number, most=MOST_GAMES))
            self.game = self._game_begun()
        elif self.game is not None and line.strip():
            self._line_of_game(number, line, self.game)
        elif _FIRST_ROW.match(line):
            self._lone_game(number, line)
        self.line_before = line

    def finished(self) -> ParsedMatch:
        self._end_game()
        record = replace(self.record, games=tuple(self.games))
        jacoby = not record.length and any(game.stakes.jacoby for game in self.games)
        record = replace(record, stakes=replace(record.stakes, jacoby=jacoby or record.stakes.jacoby))
        return ParsedMatch(record, tuple(sorted(self.problems)))

    def _lone_game(self, number: int, line: str) -> None:
        """A game without a match, number or score; only the names stand above it."""
        white, *others = _GAP.split(self.line_before.strip(), maxsplit=1)
        if others:
            self.record = replace(self.record, white=white, black=others[0].strip())
        self.game = self._game_begun()
        self._line_of_game(number, line, self.game)

    def _line_of_game(self, number: int, line: str, game: _GameRows) -> None:
        if line.lstrip().startswith((";", "#")):
            if _SET_BOARD in line:
                self.problems.append(Problem(number, say("xg_setup_passed_over")))
        elif not game.count and (scores := _split_scores(line)):
            self._parse_scores(number, scores)
        elif row := _ROW.match(line):
            game.row(number, row[1])
        elif not self.problems.is_full:
            self.problems.append(Problem(number, say("line_not_understood", text=line.strip()[:60])))

    def _parse_header(self, number: int, key: str, value: str) -> None:
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
                self._parse_date(number, value)
            case "CubeAtStart":
                self._parse_cubes(number, value)
            case "EditedBoards":
                self.edits = {word for word in value.split()[:MOST_GAMES] if _EDIT.fullmatch(word)}
            case "RefusedResignations":
                self._parse_refused(number, value)
            case "Chouette":
                people = parse_chouette(CHOUETTE + value, number, self.problems)
                self.record = replace(self.record, chouette=people)
            case "Crawford":
                self.record = replace(self.record, crawford=on)
            case "Jacoby":
                self.record = replace(self.record, stakes=replace(stakes, jacoby=on))
            case "Beaver":
                self.record = replace(self.record, stakes=replace(stakes, beavers=on))
            case "Variation" if value in MAT_NAMES:
                self._under(MAT_NAMES[value])
            case "Laws" if value in LAWS:
                self._under(LAWS[value])
            case "Variation" if value.lower() not in ("", "backgammon", "standard"):
                self.problems.append(Problem(number, say("variation_unknown", value=value)))

    def _under(self, laws: Laws) -> None:
        stakes = replace(self.record.stakes, cube=laws.has_cube)
        self.record = replace(self.record, laws=laws, stakes=stakes)
        self.match = self.record.begun()

    def _parse_date(self, number: int, value: str) -> None:
        try:
            self.record = replace(self.record, date=Date.fromisoformat(re.sub("[./]", "-", value)))
        except ValueError:
            self.problems.append(Problem(number, say("no_date_in_mat", value=value)))

    def _parse_scores(self, number: int, found: tuple[str, int, str, int]) -> None:
        white, white_score, black, black_score = found
        if not self.games:
            self.record = replace(self.record, white=white or "White", black=black or "Black")
        stated = white_score, black_score
        if self.games and stated != self.match.score:
            given, due = ("-".join(map(str, score)) for score in (stated, self.match.score))
            self.problems.append(Problem(number, say("score_differs", given=given, due=due)))
        self.match = self.match.with_score(*stated)
        self.game = self._game_begun()

    def _game_begun(self) -> _GameRows:
        index = len(self.games)
        cube = self.cubes[index] if index < len(self.cubes) else Cube()
        game = _GameRows(self.match, self.problems, cube, self.refused.get(index + 1, []))
        game.edits = {
            int(n) for word in self.edits for g, _, n in [word.partition("/")] if g == str(index + 1)
        }
        return game

    def _parse_refused(self, number: int, value: str) -> None:
        for word in value.split()[:MOST_GAMES]:
            game, _, offer = word.partition("/")
            try:
                self.refused.setdefault(int(game[:6]), []).append(RefusedOffer.parse(offer))
            except ValueError:
                self.problems.append(Problem(number, say("no_refusal_in_mat", text=word[:20])))

    def _parse_cubes(self, number: int, value: str) -> None:
        try:
            self.cubes = tuple(map(parse_cube, value.split()[:MOST_GAMES]))
        except (ValueError, KeyError):
            self.problems.append(Problem(number, say("no_cubes", text=value[:40])))

    def _end_game(self) -> None:
        if self.game is None:
            return
        self.games.append(self.game.read.record())
        if self.game.read.game.phase is GamePhase.OVER:
            self.match = self.match.after_game(self.game.read.game)
        self.game = None


class _GameRows:
    """The rows of one game's table."""

    def __init__(
        self, match: Match, problems: list[Problem], cube: Cube, refused: list[RefusedOffer]
    ) -> None:
        self.read = GameBeingRead(match, problems)
        self.count = 0
        self.edits: set[int] = set()
        self._cells_of_first_cube = 2 * (cube.value.bit_length() - 1)
        if self._cells_of_first_cube:
            self.read.cube_was(cube)
        self.read.refused = list(refused)

    def row(self, number: int, row: str) -> None:
        """Read the text of one row, after its number."""
        self.count += 1
        self.read.line = number
        if len(self.read.game.actions) >= MOST_ACTIONS:
            self.read.problem(say("too_many_actions", most=MOST_ACTIONS))
            return
        cells = list(_split_cells(row))
        if not cells and row.strip():
            self.read.problem(say("line_not_understood", text=row.strip()[:60]))
        for player, cell in cells:
            self._parse_cell(player, cell.strip())

    def _parse_cell(self, player: Player, cell: str) -> None:
        word, stated = cell.lower(), _NUMBER.search(cell)
        if self._cells_of_first_cube:
            self._cells_of_first_cube -= 1
            if word.startswith(("doubles", "takes")):
                return
        number = int(stated[1]) if stated else None
        if cell[0].isdigit():
            self._half_turn(player, Dice.parse(cell[:2]), cell[3:].strip())
        elif word.startswith("wins"):
            self.read.won(player, number or self.read.game.cube.value)
        elif word.startswith("doubles"):
            self.read.double(player, number)
        elif word.startswith("beavers"):
            self.read.beaver(player)
        elif word.startswith("takes"):
            self.read.take(player)
        else:
            self.read.drop(player)

    def _half_turn(self, player: Player, dice: Dice, text: str) -> None:
        board = _BOARD.match(text)
        if board and dice == _PLACED_BY_HAND and self._is_no_turn_of(player):
            self._with_board(board[1], lambda position: self.read.edited(position, player.opponent))
        elif self.read.roll(player, dice):
            self._play(player, dice, text)

    def _is_no_turn_of(self, player: Player) -> bool:
        game = self.read.game
        is_marked = plays_and_doubles(game.actions) in self.edits
        return is_marked or game.phase is GamePhase.OPENING or game.turn is not player

    def _play(self, player: Player, dice: Dice, text: str) -> None:
        if board := _BOARD.match(text):
            self._with_board(board[1], lambda position: self.read.stood(player, position))
        elif not text:
            self._play_left_blank(player, dice)
        elif text not in _RESIGNED_AFTER_ROLL:
            self._play_steps(player, text)

    def _play_left_blank(self, player: Player, dice: Dice) -> None:
        """No move, or the only legal play; where there are several, the player resigned after the roll."""
        plays = list(legal_plays(self.read.game.position, player, dice, self.read.game.laws))
        if len(plays) == 1:
            self.read.play(player, plays[0].steps)

    def _play_steps(self, player: Player, text: str) -> None:
        try:
            self.read.play(player, parse_steps(text))
        except PlayError as error:
            self.read.problem(str(error))

    def _with_board(self, fields: str, use: Callable[[Position], None]) -> None:
        try:
            position = _parse_snowie_board(fields)
        except ValueError as error:
            self.read.problem(say("board_of_illegal_play", problem=error))
        else:
            use(position)


def _split_header(line: str) -> tuple[str, str] | None:
    """Key and value of `; [Key "value"]`; None where the line is no header."""
    line = line.strip()
    inner = line[1:].lstrip()
    if line[:1] not in (";", "#") or inner[:1] != "[" or not inner.endswith('"]'):
        return None
    key, quote, value = inner[1:-2].partition('"')
    if not quote or not key[-1:].isspace() or not _HEADER_KEY.fullmatch(key.strip()):
        return None
    return key.strip(), value


def _split_scores(line: str) -> tuple[str, int, str, int] | None:
    """Names and scores of `Ada : 0    Bert : 0`; None where the line holds no scores."""
    left, colon, last = line.rstrip().rpartition(":")
    score = _LEFT_SCORE.search(left) or _CROWDED_LEFT_SCORE.search(left)
    if not colon or not score or not _SCORE.fullmatch(last.lstrip()):
        return None
    return left[: score.start()].strip(), int(score[1]), left[score.end() :].strip(), int(last)


def _split_cells(row: str) -> Iterator[tuple[Player, str]]:
    """The cells of a row: the left one is White's, all others Black's."""
    hidden = _BOARD.sub(lambda board: "x" * len(board[0]), row)
    starts = [found.start() for found in _CELL_START.finditer(hidden)]
    for start, end in zip(starts, [*starts[1:], len(row)], strict=False):
        is_left = start == starts[0] and start < _RIGHT_COLUMN
        yield (Player.WHITE if is_left else Player.BLACK), row[start:end]


def _parse_snowie_board(fields: str) -> Position:
    """The position in Snowie's fields: 12 of the game, 26 counts as the player on roll sees them, two dice.

    ValueError says what is wrong with them.
    """
    values = fields.rstrip(";").split(";")
    if len(values) != 12 + BAR + 1 + 2:
        raise ValueError(say("wrong_number_of_fields", number=len(values)))
    on_roll = Player.WHITE if values[4] == "1" else Player.BLACK
    counts = [int(value) for value in values[12 : 12 + BAR + 1]]
    own = [0, *(max(count, 0) for count in counts[1:])]
    opposing = [0, *(max(-count, 0) for count in reversed(counts[:BAR]))]
    for side in (own, opposing):
        if sum(side) > N_CHECKERS:
            raise ValueError(say("checkers_on_one_side", number=sum(side)))
        side[0] = N_CHECKERS - sum(side)
    return Position.of(on_roll, own, opposing)
