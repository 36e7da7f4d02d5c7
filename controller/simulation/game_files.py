"""Games from files, to be filmed on a simulated table."""

from dataclasses import dataclass, replace
from pathlib import Path

from controller.errors import InputError
from controller.perception.orientation import Orientation
from controller.record import mat_reader
from controller.record import thrown_games as thrown
from controller.record.match_record import GameRecord, MatchFileError, MatchRecord
from controller.record.match_settings import MatchSettings
from controller.rules import ENTERING_LAWS, rules_of
from controller.simulation.screenplay import Shown, film, throws_of, turns_of
from hardware.simulated.simulated_table import Script


@dataclass(frozen=True, kw_only=True)
class Screenplay:
    """A game to be filmed: who plays what, and what they do."""

    match: MatchSettings
    turns: tuple[Shown, ...]

    def script(self, orientation: Orientation) -> Script:
        """What happens on the table."""
        return film(self.turns, orientation, self.match.position, self.match.furnished)


def screenplay(path: Path, number: int = 1, most: int | None = None) -> Screenplay:
    """The game of that number in a file, or its first half-turns. Raises InputError when there are none."""
    play = _thrown(path) if path.suffix == ".jsonl" else _of_match(match_in(path), number)
    play = replace(play, turns=play.turns[:most])
    if not play.turns:
        raise InputError(f"Game {number} of {path} has no plays to film; name another game.")
    return play


def _of_match(record: MatchRecord, number: int) -> Screenplay:
    match = MatchSettings(
        white=record.white,
        black=record.black,
        length=record.length,
        laws=record.laws.name,
        position=record.laws.start,
    )
    return Screenplay(match=match, turns=tuple(turns_of(game_in(record, number))))


def _thrown(path: Path) -> Screenplay:
    """A game whose checkers are entered; nobody films the throw for the lead."""
    try:
        game = thrown.read(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, MatchFileError) as error:
        raise InputError(f"{path} is no game that can be read: {error}.") from None
    if game.laws != ENTERING_LAWS[game.laws.name]:
        raise InputError(
            f"{path} has settings of its own, which a recording cannot name; film {game.laws.name}."
        )
    position = rules_of(game.laws).start(game.leader).position
    match = MatchSettings(
        white=game.white, black=game.black, laws=game.laws.name, position=position, on_roll=game.leader
    )
    return Screenplay(match=match, turns=tuple(throws_of(game)))


def match_in(path: Path) -> MatchRecord:
    """The match in a file. Raises InputError when there is none."""
    try:
        return mat_reader.read(path.read_text(encoding="utf-8")).record
    except (OSError, UnicodeDecodeError, MatchFileError) as error:
        raise InputError(f"{path} is no match file that can be read: {error}.") from None


def game_in(record: MatchRecord, number: int) -> GameRecord:
    """The game of that number, from 1. Raises InputError when there is none."""
    if not 1 <= number <= len(record.games):
        raise InputError(f"There is no game {number}: the match has {len(record.games)}.")
    return record.games[number - 1]
