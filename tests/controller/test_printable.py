"""Names with emoji are taken, names with anything else that is invisible are not."""

import tomllib

import pytest

from controller.club.tournament.changes import changed
from controller.club.tournament.fixtures import TournamentError
from controller.errors import InputError
from controller.perception.board_settings import parse_board_settings
from controller.record.match_settings import parse_match_settings
from controller.service.recordings.recorder import recording_toml
from tests.controller.club.tournament.evenings import KNOCKOUTS, begun

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
TAKEN = {
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "skin tone": "Ada \U0001f44d\U0001f3fd",
    "skin tone, joined": "\U0001f469\U0001f3fd\u200d\U0001f680 Ada",
    "rainbow": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "heart on fire": "Ada \u2764\ufe0f\u200d\U0001f525 Bert",
    "nodding": "\U0001f642\u200d\u2195\ufe0f",
    "Germany": "\U0001f1e9\U0001f1ea",
    "England": f"Bert {ENGLAND}",
}
REFUSED = {
    "joiner in a word": "A\u200dda",
    "joiner at the end": "Ada \U0001f642\u200d",
    "joiner at the beginning": "\u200d\U0001f642",
    "two joiners": "\U0001f468\u200d\u200d\U0001f469",
    "joined override": "\U0001f468\u200d\u202e\U0001f469",
    "override": "Ada \u202e\U0001f642",
    "isolate": "\u2066Ada",
    "no space": "\U0001f642\u200b\U0001f642",
    "flag without an end": ENGLAND[:-1],
    "region without a flag": f"Ada{ENGLAND[1:]}",
    "bell": "\U0001f642\u0007",
    "line end": "Ada\n\U0001f642",
}


@pytest.mark.parametrize("name", TAKEN.values(), ids=TAKEN)
def test_a_name_with_any_emoji_is_taken_by_the_club_and_by_a_board(name):
    entered = changed(begun(KNOCKOUTS[0], 0), {"do": "enter", "name": name})
    assert entered.entrant(1).name == name
    match = parse_match_settings({"white": name}, "settings")
    assert match.white == name
    recorded = recording_toml(parse_board_settings({}, "settings"), match)
    assert tomllib.loads(recorded)["match"]["white"] == name


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_a_name_with_what_is_invisible_is_refused_by_both(name):
    with pytest.raises(TournamentError, match="invisible"):
        changed(begun(KNOCKOUTS[0], 0), {"do": "enter", "name": name})
    with pytest.raises(InputError, match="one line"):
        parse_match_settings({"white": name}, "settings")
