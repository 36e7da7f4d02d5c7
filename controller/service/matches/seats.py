"""Who sits at the board in a chouette: the winner of a game is in the box for the next."""

from controller.record.match_settings import MatchSettings
from controller.rules import Chouette, Match, Player
from sentences import Key

SEATS_WORD = "chouette"
SEATS_HELP: tuple[tuple[str, Key], ...] = ((SEATS_WORD, Key("help_seats")),)


class Seats:
    """Keeps the names of the two at the board as the games of a chouette end.

    names: White's is that of the box, Black's that of the captain; changed in place.
    """

    def __init__(self, match: MatchSettings) -> None:
        self.names: dict[Player, str] = match.names_after(())
        self.match = match
        self._chouette: Chouette | None = None

    @property
    def sentence(self) -> str:
        """Who is in the box, who is captain, and the points of everyone."""
        return f"{self._chouette}."

    def after(self, match: Match) -> str | None:
        """Seat people by the games of `match`. Returns a sentence that says so, None if nothing changed."""
        chouette = self.match.chouette_after(game.outcome for game in match.games)
        if chouette is None or chouette == self._chouette:
            return None
        self._chouette = chouette
        self.names.update({player: chouette.name(player) for player in Player})
        return self.sentence
