"""What the page tells of an analysis."""

import os
import threading
from dataclasses import replace

import pytest

from controller.page.matches.analysis_desk import AnalysisDesk
from controller.record.match_settings import MatchSettings
from controller.rules.entering.entering_laws import RUSSIAN_CADY
from controller.service.matches.gnubg import find_gnubg
from controller.service.matches.kept_matches import load_kept_matches
from sentences import speaking
from tests.controller.page.paged_table import paged_table
from tests.durability.evening import evening, evening_events
from tests.peers import require_peer

ANALYSIS_S = 240
"""How long GNU Backgammon may take for one half-turn on a busy machine."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A match in which something was played."""
    path = tmp_path_factory.mktemp("matches") / "blotlight.db"
    for _ in evening(evening_events(1)[:400], path):
        pass
    (found,) = load_kept_matches(path)
    return found


def wait_for_analysis():
    for thread in [one for one in threading.enumerate() if one.name == "analysis"]:
        thread.join(ANALYSIS_S)


def test_chances_are_those_of_white_though_his_name_has_a_comma(tmp_path):
    require_peer(find_gnubg() is not None, "Debian's package gnubg")
    with paged_table(tmp_path, MatchSettings(white="Byron, Ada", black="Bert", length=5)) as table:
        table.type("31: 8/5 6/5")
    (kept,) = load_kept_matches(tmp_path / "blotlight.db")
    desk = AnalysisDesk()
    assert desk.begin(kept)
    wait_for_analysis()
    found = desk.view(kept)
    assert [one.name for one in found.players] == ["Byron, Ada", "Bert"]
    with speaking("de"):
        assert desk.view(kept).players[0].rating == "übernatürlich"
    assert [0.5 < one.win < 0.6 for one in found.figures] == [True]  # 8/5 6/5 is the best play of 3-1


def test_only_a_match_that_gnu_backgammon_knows_and_in_which_something_was_played_can_be_analysed(kept):
    desk = AnalysisDesk(find=lambda: "/bin/false")
    russian = replace(kept.played, match=replace(kept.played.match, laws=RUSSIAN_CADY.name))
    entered = replace(kept, played=russian)
    bare = replace(kept, n_half_turns=0)
    assert [desk.view(one).state for one in (kept, entered, bare)] == ["none", "absent", "absent"]
    assert [desk.begin(one) for one in (entered, bare)] == [False, False]
    assert AnalysisDesk(find=lambda: None).view(kept).state == "absent"


def test_an_analysis_that_failed_says_why_and_may_be_begun_again(kept):
    desk = AnalysisDesk(find=lambda: "/bin/false")
    for _ in range(2):
        assert desk.begin(kept)
        wait_for_analysis()
        assert desk.view(kept).state == "failed"
        assert desk.view(kept).problem


def test_one_match_is_analysed_at_a_time(kept, tmp_path):
    gate, slow = tmp_path / "gate", tmp_path / "gnubg"
    os.mkfifo(gate)
    slow.write_text(f"#!/bin/sh\nread word < {gate}\n")
    slow.chmod(0o755)
    desk, other = AnalysisDesk(find=lambda: str(slow)), replace(kept, number=kept.number + 1)
    assert desk.begin(kept)
    assert desk.view(kept).state == "running"
    assert not desk.begin(other)
    gate.write_text("on\n")
    wait_for_analysis()
    assert desk.begin(other)
    gate.write_text("on\n")
    wait_for_analysis()
