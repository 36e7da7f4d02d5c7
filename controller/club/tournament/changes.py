"""Changes of a tournament as JSON objects, so that a list of them is its whole history."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from controller.club.tournament.elo import FIRST_RATING
from controller.club.tournament.fixtures import FixtureEnd, MatchResult, TournamentError
from controller.club.tournament.tournament import Plan, System, Tournament
from controller.printable import is_printable
from sentences import say

Change = Mapping[str, Any]
"""`do` names the change; the other keys are its arguments, as `changed` reads them."""

LONGEST_NAME = 60
"""Most characters of a name. Guess."""
MOST_RATING, MOST_EXPERIENCE = 5000, 10_000_000
"""Largest rating and experience accepted: more than anybody has. Guess."""
LENGTHS = range(1, 100)
"""Match lengths accepted, in points."""
MOST_PROLONGED_MINUTES, MINUTES_OF_POINTS = 600.0, (1.0, 60.0)
"""Most minutes by which a change prolongs or shortens a round; least and most minutes for a point. Guess."""


def changed(tournament: Tournament, change: Change) -> Tournament:
    """The tournament after a change. Raises TournamentError when the change is invalid or not allowed."""
    try:
        match change["do"]:
            case "enter":
                return tournament.entered(_name(change["name"]), **_details(change))
            case "amend":
                return tournament.amended(int(change["number"]), _name(change["name"]), **_details(change))
            case "withdraw":
                return tournament.withdrawn(int(change["number"]))
            case "return":
                return tournament.returned(int(change["number"]))
            case "draw":
                return tournament.drawn([int(number) for number in change.get("order", ())])
            case "undraw":
                return tournament.undrawn()
            case "result" | "dispute" as do:
                won, lost = change["score"]
                result = MatchResult(
                    winner=int(change["winner"]),
                    loser=int(change["loser"]),
                    score=(int(won), int(lost)),
                    end=FixtureEnd(change.get("end", FixtureEnd.PLAYED.value)),
                )
                after = tournament.with_result(str(change["key"]), result)
                return after if do == "result" else tournament  # what stands is only disputed
            case "reopen":
                return tournament.without_result(str(change["key"]))
            case "prolong" if abs(float(change["minutes"])) <= MOST_PROLONGED_MINUTES:
                return tournament  # only the clock of the round changes
    except (KeyError, TypeError, ValueError, OverflowError):  # int of JSON's Infinity overflows
        pass
    raise TournamentError(say("club_no_change"))


def after_changes(plan: Plan, changes: Iterable[Change]) -> Tournament:
    """The tournament after all its changes in order."""
    tournament = Tournament(plan=plan)
    for change in changes:
        tournament = changed(tournament, change)
    return tournament


def plan_data(plan: Plan) -> dict[str, Any]:
    """A plan as a JSON object."""
    return {**asdict(plan), "system": plan.system.value}


def parse_plan(data: Mapping[str, Any]) -> Plan:
    """The plan in a JSON object. Raises TournamentError when it is invalid."""
    try:
        lengths, side = tuple(map(int, data["lengths"])), tuple(map(int, data.get("side_lengths", ())))
        n_rounds = int(data.get("n_rounds", Plan.n_rounds))
        minutes = float(data.get("minutes_a_point", Plan.minutes_a_point))
        is_right = 1 <= n_rounds <= 40 and MINUTES_OF_POINTS[0] <= minutes <= MINUTES_OF_POINTS[1]
        if lengths and all(length in LENGTHS for length in lengths + side) and is_right:
            return Plan(
                name=_name(data["name"]),
                system=System(data["system"]),
                lengths=lengths,
                side_lengths=side,
                n_rounds=n_rounds,
                minutes_a_point=minutes,
            )
    except (KeyError, TypeError, ValueError, OverflowError):  # int of JSON's Infinity overflows
        pass
    raise TournamentError(say("club_no_plan"))


def _name(given: object) -> str:
    if not isinstance(given, str) or not is_printable(given) or not 0 < len(given.strip()) <= LONGEST_NAME:
        raise TournamentError(say("club_no_name", most=LONGEST_NAME))
    return " ".join(given.split())


def _details(change: Change) -> dict[str, Any]:
    """The details of a player besides the name: rating, experience and home table."""
    rating, experience = float(change.get("rating", FIRST_RATING)), int(change.get("experience", 0))
    if not MOST_RATING >= rating >= 0 <= experience <= MOST_EXPERIENCE:
        raise ValueError(change)
    table = change.get("home_table")
    if table is not None and (not isinstance(table, int) or table < 1):
        raise ValueError(table)
    return {"rating": rating, "experience": experience, "home_table": table}
