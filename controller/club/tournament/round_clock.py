"""The clock of a round: how long its matches may take. The time is an argument, never read here."""

from dataclasses import dataclass, replace

from controller.club.tournament.changes import Change
from controller.club.tournament.fixtures import Section
from controller.club.tournament.tournament import Tournament

MS_A_MINUTE = 60_000
SECTIONS_IN_ORDER = (Section.ROUNDS, Section.MAIN, Section.LOSERS, Section.CONSOLATION, Section.FINAL)
"""Where several sections of a knock-out are played at once, the clock is that of the first in this order."""


@dataclass(frozen=True, kw_only=True)
class RoundClock:
    """A clock that counts down from the beginning of a round."""

    began_ms: int
    allowed_ms: int

    def left_ms(self, now_ms: int) -> int:
        """The time left; negative when the time is over."""
        return self.began_ms + self.allowed_ms - now_ms


def round_in_play(tournament: Tournament) -> tuple[int, int] | None:
    """(index of the section, round) of the first open fixtures; None when none is open."""
    return min((_stage(fixture.section, fixture.round) for fixture in tournament.open_fixtures), default=None)


def clock_after(
    clock: RoundClock | None, before: Tournament, after: Tournament, change: Change, at_ms: int
) -> RoundClock | None:
    """The clock after a change at `at_ms`: a new one for another round, None while no fixture is open."""
    stage = round_in_play(after)
    if stage is None:
        return None
    if clock is None or stage != round_in_play(before):
        lengths = [one.length for one in after.open_fixtures if _stage(one.section, one.round) == stage]
        minutes = max(lengths) * after.plan.minutes_a_point
        return RoundClock(began_ms=at_ms, allowed_ms=round(minutes * MS_A_MINUTE))
    if change["do"] == "prolong":
        more_ms = round(float(change["minutes"]) * MS_A_MINUTE)
        return replace(clock, allowed_ms=max(0, clock.allowed_ms + more_ms))
    return clock


def _stage(section: Section, round_number: int) -> tuple[int, int]:
    return SECTIONS_IN_ORDER.index(section), round_number
