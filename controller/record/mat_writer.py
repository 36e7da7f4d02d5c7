"""Jellyfish match text (`.mat`), as GNU Backgammon writes and reads it.

    record = MatchRecord(white="Ada", black="Bert", length=5, games=(GameRecord(actions=(...)),))
    text = format_mat(record)
    record, problems = parse_mat(text).record, parse_mat(text).problems

White is the left column. A play that cannot be written as steps (an irregular play onto a held point, a
checker that vanished) and an edited board are written as in Snowie text: `52: Illegal play (...)` with the
resulting board. GNU Backgammon reads this and continues from that board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from controller.record.irregular_text import plain_steps
from controller.record.match_record import GameRecord, MatchRecord
from controller.record.unwritten import cube_at_first_roll, cube_text, edits_in_play, refused_offers
from controller.record.variations import mat_headers
from controller.rules import (
    Action,
    Beavered,
    Dice,
    Doubled,
    EditedBoard,
    Game,
    Moved,
    MovedIrregularly,
    Passed,
    Player,
    Position,
    Step,
    Took,
    legal_plays,
)
from controller.rules.board.position import BAR, OFF

NAME_BYTES = 31
"""Longest name that GNU Backgammon keeps, in bytes."""
EDITED = Dice(1, 1)
"""The roll written before an edited board: a double, which cannot begin a game. No play follows it."""


def format_mat(record: MatchRecord) -> str:
    """The match as text. Raises IllegalAction when its actions do not form a game,
    MatchFileError when a name cannot be written."""
    record.require_text()
    record = replace(record, games=tuple(game.as_it_stood() for game in record.games))
    games = [_game_text(record, number, game) for number, game in enumerate(record.games, start=1)]
    return f"{_header_lines(record)} {record.length} point match\n\n" + "".join(games)


def plain_name(name: str) -> str:
    """`name` cut to 31 bytes, without characters that parsers misread, such as colons and commas."""
    plain = "".join(" " if char in ":,;()" else char for char in name)
    return " ".join(plain.split()).encode()[:NAME_BYTES].decode(errors="ignore").strip() or "?"


def _header_lines(record: MatchRecord) -> str:
    texts = {
        "Site": record.site,
        "Event": record.event,
        "Round": record.round,
        "EventDate": record.date.strftime("%Y.%m.%d") if record.date else "",
        "Transcriber": record.transcriber,
        "Crawford": "Off" if record.length and not record.crawford else "",
        "Jacoby": "On" if record.stakes.jacoby else "",
        "Beaver": "On" if record.stakes.beavers else "",
        **mat_headers(record.laws),
        "Chouette": ", ".join(record.chouette),
        "CubeAtStart": _cubes(record),
        "EditedBoards": _of_games(record, edits_in_play),
        "RefusedResignations": _of_games(record, refused_offers),
    }
    lines = [f'; [{key} "{_header_text(text)}"]\n' for key, text in texts.items() if text]
    return "".join(lines) + "\n" * bool(lines)


def _of_games(record: MatchRecord, found_in: Callable[[GameRecord], Iterable[object]]) -> str:
    """What is found in the games, each with the number of its game: `2/17`."""
    return " ".join(
        f"{number}/{found}" for number, game in enumerate(record.games, start=1) for found in found_in(game)
    )


def _cubes(record: MatchRecord) -> str:
    """The cube at the first roll of each game; "" when it shows 1 in all of them."""
    cubes = [cube_at_first_roll(game) for game in record.games]
    return " ".join(map(cube_text, cubes)) if any(cube.value > 1 for cube in cubes) else ""


def _header_text(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _game_text(record: MatchRecord, number: int, game: GameRecord) -> str:
    white = f"{plain_name(record.white)} : {game.score[0]}"
    black = f"{plain_name(record.black)} : {game.score[1]}"
    return f" Game {number}\n {white:<29}  {black}\n{_GameTable(record, game).text()}"


@dataclass(frozen=True)
class _GameTable:
    """The two columns of a game."""

    record: MatchRecord
    game: GameRecord

    def text(self) -> str:
        rows = in_two_columns(self._game_cells())
        lines = [f"{number:3d}) {left:<27} {right}" for number, (left, right) in enumerate(rows, start=1)]
        right_is_free = bool(rows) and not rows[-1][1]
        return "".join(f"{line}\n" for line in [*self._with_result(lines, right_is_free), ""])

    def _with_result(self, lines: list[str], right_is_free: bool) -> list[str]:
        """The lines with the result: White's win below his column, Black's in his last cell if free."""
        outcome = self.game.played().outcome
        if outcome is None:
            return lines
        wins = f"Wins {outcome.points} point{'s' * (outcome.points != 1)}"
        if outcome.winner is Player.WHITE:
            return [*lines, f"      {wins}"]
        if right_is_free:
            return [*lines[:-1], f"{lines[-1]} {wins}{' ' * (outcome.points == 1)}"]
        return [*lines, f"{'':34}{wins}"]

    def _game_cells(self) -> Iterator[tuple[Player, str]]:
        """(player, text) of every cell, in the order of play."""
        yield from self._cells_of_first_cube()
        game = self.game.begun()
        for action in self.game.actions:
            after = game.push(action)
            cell = self._action_cell(game, action, after)
            if cell is not None:
                yield cell
            game = after
        if game.dice and game.turn:
            # Readers take an empty cell for the only legal play, where there is just one.
            is_forced = len(legal_plays(game.position, game.turn, game.dice, game.laws)) == 1
            yield game.turn, f"{game.dice}: {'????' * is_forced}"

    def _cells_of_first_cube(self) -> Iterator[tuple[Player, str]]:
        """Doubles and takes that turn the cube to its value at the first roll.

        Match text has no automatic doubles. With these cells other programs count the right points, and allow
        the next double. To them the cube has an owner, so that under the Jacoby rule they count a gammon in
        full although no player doubled.
        """
        cube = cube_at_first_roll(self.game)
        doubled = (action.player for action in self.game.actions if isinstance(action, Doubled))
        owner = cube.owner or next(doubled, Player.BLACK)
        n_turns = cube.value.bit_length() - 1
        for n in range(n_turns):
            taker = owner if (n_turns - n) % 2 else owner.opponent
            yield taker.opponent, f" Doubles => {2 << n}"
            yield taker, " Takes"

    def _action_cell(self, before: Game, action: Action, after: Game) -> tuple[Player, str] | None:
        match action:
            case Moved(player=player, steps=steps):
                return player, f"{before.dice}: {_steps_text(steps)}"
            case MovedIrregularly(player=player):
                return player, f"{before.dice}: {self._irregular(before, action)}"
            case Doubled(player=player):
                return player, f" Doubles => {before.cube.value * 2}"
            case Beavered(player=player):
                return player, f" Beavers => {after.cube.value * 2}"
            case Took(player=player) if player is not before.turn:
                return player, " Takes"
            case Passed(player=player):
                return player, " Drops"
            case EditedBoard(position=position, on_roll=on_roll):
                return on_roll.opponent, f"{EDITED}: {self._snowie_board_text(position, on_roll, after)}"
        return None

    def _irregular(self, before: Game, action: MovedIrregularly) -> str:
        """The steps if they lead to the resulting board, else that board itself."""
        steps = plain_steps(before.position, action)
        return (
            _steps_text(steps)
            if steps
            else self._snowie_board_text(action.result, action.player.opponent, before)
        )

    def _snowie_board_text(self, position: Position, on_roll: Player, game: Game) -> str:
        """The board in Snowie's fields, as `on_roll` sees it.

        They hold one number for each point: where both players have checkers, the fewer are left out.
        """
        own, opposing = position.side(on_roll), position.side(on_roll.opponent)
        counts = [0] * (BAR + 1)
        for place in range(BAR + 1):
            mine, theirs = own[place] * (place > OFF), opposing[BAR - place] * (place < BAR)
            counts[place] = mine if mine > theirs else -theirs
        is_white = on_roll is Player.WHITE
        names = [plain_name(self.record.name(player)) for player in (on_roll, on_roll.opponent)]
        score = self.game.score if is_white else self.game.score[::-1]
        owner = 0 if game.cube.owner is None else 1 if game.cube.owner is on_roll else -1
        crawford = self.record.crawford and self.record.stakes.cube and not self.game.stakes.cube
        before = [
            self.record.length,
            int(game.stakes.jacoby),
            0,
            0,
            int(is_white),
            *names,
            int(crawford),
            *score,
        ]
        fields = [*before, game.cube.value, owner, *counts, 0, 0]
        return f"Illegal play ({''.join(f'{field};' for field in fields)})"


def in_two_columns(cells: Iterable[tuple[Player, str]]) -> list[list[str]]:
    """The texts of half-turns in rows of two, White's on the left."""
    rows: list[list[str]] = []
    for player, text in cells:
        if not rows or player is Player.WHITE or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][player is Player.BLACK] = text
    return rows


def _steps_text(steps: tuple[Step, ...]) -> str:
    """At most four steps, each written by itself and padded as GNU Backgammon does."""
    words = [f"{step.source}/{step.target}{'*' * step.hit}" for step in steps]
    return " ".join(words) + " " * (0 < len(words) < 4)
