"""The data of the hall's page, as values that become JSON. The browser only displays them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from controller.club.hall.evening import RunningTournament
from controller.club.hall.live_boards import LiveBoard
from controller.club.tournament.elo import Rating, highest_first
from controller.club.tournament.fixtures import Section
from controller.club.tournament.standings import (
    TIE_BREAKS,
    StandingRow,
    TieBreak,
    consolation_standings,
    standings,
)
from controller.club.tournament.tournament import FixtureState, System, Tournament
from sentences import Key, said_again, say, texts_of

SYSTEM_NAMES = {
    System.ROUND_ROBIN: Key("club_round_robin"),
    System.SWISS: Key("club_swiss"),
    System.SINGLE_KNOCKOUT: Key("club_knockout"),
    System.DOUBLE_KNOCKOUT: Key("club_double_knockout"),
    System.CONSOLATION: Key("club_knockout_consolation"),
}
SECTION_NAMES = {
    Section.ROUNDS: Key("club_section_rounds"),
    Section.MAIN: Key("club_section_main"),
    Section.LOSERS: Key("club_section_losers"),
    Section.FINAL: Key("club_section_final"),
    Section.CONSOLATION: Key("club_section_consolation"),
}
TIE_BREAK_NAMES = {
    TieBreak.MEDIAN_BUCHHOLZ: Key("club_median_buchholz"),
    TieBreak.BUCHHOLZ: Key("club_buchholz"),
    TieBreak.SONNEBORN_BERGER: Key("club_sonneborn_berger"),
    TieBreak.HEAD_TO_HEAD: Key("club_head_to_head"),
    TieBreak.POINT_DIFFERENCE: Key("club_point_difference"),
}


def hall_texts() -> dict[str, object]:
    """Every text of the page in the current language, by its key without its prefix."""
    systems = {system.value: say(SYSTEM_NAMES[system]) for system in System}
    return {**texts_of("page_"), **texts_of("club_"), "systems": systems}


def board_entry(one: LiveBoard) -> dict[str, Any]:
    """A board. missing: the devices that are set up but not connected."""
    devices = one.health["devices"] if one.health else []
    missing = [device["name"] for device in devices if device["is_set_up"] and not device["is_here"]]
    return {
        "board": one.board,
        "table": one.table,
        "is_online": one.is_online,
        "is_called": one.is_called,
        "missing": missing,
        "state": one.state,
    }


def tournament_view(running: RunningTournament, now_ms: int) -> dict[str, Any]:
    """A tournament with its fixtures, the newest round first, its standings and the time left at `now_ms`."""
    tournament = running.tournament
    states = list(tournament.outcomes)
    sections: dict[tuple[Section, int], list[FixtureState]] = {}
    for state in states:
        sections.setdefault((state.fixture.section, state.fixture.round), []).append(state)
    return {
        "number": running.number,
        "n_changes": running.n_changes,
        "name": tournament.plan.name,
        "system": say(SYSTEM_NAMES[tournament.plan.system]),
        "lengths": list(tournament.plan.lengths),
        "may_draw": not tournament.open_fixtures and not tournament.is_over and not tournament.seats,
        "may_undraw": tournament.may_undraw,
        "left_ms": running.clock.left_ms(now_ms) if running.clock else None,
        "entrants": [asdict(entrant) for entrant in tournament.entrants],
        "sections": [
            {
                "title": f"{say(SECTION_NAMES[section])} {number}",
                "fixtures": [_fixture_view(running, state) for state in found],
            }
            for (section, number), found in reversed(sections.items())
        ],
        "tie_breaks": [say(TIE_BREAK_NAMES[one]) for one in TIE_BREAKS.get(tournament.plan.system, ())],
        "standings": _standing_views(tournament, standings(tournament)),
        "consolation": _standing_views(tournament, consolation_standings(tournament)),
    }


def ratings_view(ratings: Mapping[str, Rating]) -> list[dict[str, Any]]:
    """The ratings, the highest first."""
    return [
        {"player": name, "rating": round(one.value), "experience": one.experience}
        for name, one in highest_first(ratings)
    ]


def _fixture_view(running: RunningTournament, state: FixtureState) -> dict[str, Any]:
    tournament, fixture = running.tournament, state.fixture
    return {
        "key": fixture.key,
        "length": fixture.length,
        "players": [fixture.one, fixture.other],
        "names": [tournament.entrant(one).name if one else "" for one in (fixture.one, fixture.other)],
        "table": running.tables.get(fixture.key),
        "winner": state.winner,
        "score": list(state.score),
        "end": state.end.value if state.end else None,
        "has_result": tournament.has_result(fixture),
        "doubt": said_again(running.doubts.get(fixture.key, "")),
    }


def _standing_views(tournament: Tournament, rows: list[StandingRow]) -> list[dict[str, Any]]:
    return [{**asdict(row), "name": tournament.entrant(row.number).name} for row in rows]
