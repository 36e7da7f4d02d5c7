"""Loads games from files, to be played on a simulated table."""

from dataclasses import dataclass, replace
from pathlib import Path

from controller.errors import InputError
from controller.perception.orientation import Orientation
from controller.record.mat_reader import parse_mat
from controller.record.match_record import GameRecord, MatchFileError, MatchRecord, ParsedMatch
from controller.record.match_settings import MatchSettings
from controller.record.thrown_games import parse_thrown_game
from controller.rules import ENTERING_LAWS, EditedBoard, rules_of
from controller.service.recordings.recording import load_text
from controller.simulation.screenplay import StagedTurn, film, staged_throws, staged_turns
from hardware.simulated.simulated_table import Script
from sentences import say


@dataclass(frozen=True, kw_only=True)
class Screenplay:
    """A game to be played on a simulated table: its settings and its half-turns.

    problems: what is wrong in its file, a sentence each.
    """

    match: MatchSettings
    turns: tuple[StagedTurn, ...]
    problems: tuple[str, ...] = ()

    def script(self, orientation: Orientation) -> Script:
        """The script of scenes and dice."""
        return film(self.turns, orientation, self.match.position, self.match.furnished)


def load_screenplay(path: Path, number: int = 1, most: int | None = None) -> Screenplay:
    """Game `number` (from 1) of a file, or its first half-turns.

    most: the number of half-turns. Raises InputError when there is no such game, or nothing to film in it.
    """
    play = _of_thrown_game(path) if path.suffix == ".jsonl" else _of_match(path, number)
    return replace(play, turns=play.turns[:most])


def _of_match(path: Path, number: int) -> Screenplay:
    parsed = load_match(path)
    record = parsed.record
    match = MatchSettings(
        white=record.white,
        black=record.black,
        length=record.length,
        laws=record.laws.name,
        position=record.laws.start,
    )
    game = game_numbered(record, number)
    turns = tuple(staged_turns(game))
    if not turns:
        is_set_up = any(isinstance(action, EditedBoard) for action in game.actions)
        reason = say("board_set_up_first") if is_set_up else say("no_roll_played")
        raise InputError(say("game_not_filmed", number=number, path=path, reason=reason))
    return Screenplay(match=match, turns=turns, problems=tuple(map(str, parsed.problems)))


def _of_thrown_game(path: Path) -> Screenplay:
    """A game whose checkers are entered by throws. The throw for the lead is not filmed."""
    try:
        game = parse_thrown_game(load_text(path))
    except MatchFileError as error:
        raise InputError(say("no_readable_game", path=path, problem=error)) from None
    if game.laws != ENTERING_LAWS[game.laws.name]:
        raise InputError(say("settings_of_its_own", path=path, laws=game.laws.name))
    position = rules_of(game.laws).start(game.leader).position
    match = MatchSettings(
        white=game.white, black=game.black, laws=game.laws.name, position=position, on_roll=game.leader
    )
    turns = tuple(staged_throws(game))
    if not turns:
        reason = say("first_dice_unknown") if game.throws else say("no_roll_played")
        raise InputError(say("game_not_filmed", number=1, path=path, reason=reason))
    return Screenplay(match=match, turns=turns)


def load_match(path: Path) -> ParsedMatch:
    """The match in a file, with its problems. Raises InputError when there is none."""
    try:
        return parse_mat(load_text(path))
    except MatchFileError as error:
        raise InputError(say("no_readable_match", path=path, problem=error)) from None


def game_numbered(record: MatchRecord, number: int) -> GameRecord:
    """Game `number` (from 1) of a match. Raises InputError when there is none."""
    if not 1 <= number <= len(record.games):
        raise InputError(say("no_such_game", number=number, n_games=len(record.games)))
    return record.games[number - 1]
