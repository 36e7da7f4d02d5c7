"""What the page tells of an analysis."""

import threading

from controller.page.history.analysis_desk import AnalysisDesk
from controller.record.match_settings import MatchSettings
from controller.service.matches.gnubg import find_gnubg
from controller.service.matches.kept_matches import load_kept_matches
from sentences import speaking
from tests.controller.page.paged_table import paged_table
from tests.peers import require_peer

ANALYSIS_S = 240
"""How long GNU Backgammon may take for one half-turn on a busy machine."""


def test_chances_are_those_of_white_though_his_name_has_a_comma(tmp_path):
    require_peer(find_gnubg() is not None, "Debian's package gnubg")
    with paged_table(tmp_path, MatchSettings(white="Byron, Ada", black="Bert", length=5)) as table:
        table.type("31: 8/5 6/5")
    (kept,) = load_kept_matches(tmp_path / "blotlight.db")
    desk = AnalysisDesk()
    assert desk.begin(kept)
    for thread in [one for one in threading.enumerate() if one.name == "analysis"]:
        thread.join(ANALYSIS_S)
    found = desk.view(kept)
    assert [one.name for one in found.players] == ["Byron, Ada", "Bert"]
    with speaking("de"):
        assert desk.view(kept).players[0].rating == "übernatürlich"
    assert [0.5 < one.win < 0.6 for one in found.figures] == [True]  # 8/5 6/5 is the best play of 3-1
