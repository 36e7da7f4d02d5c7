"""Kills and power cuts in the middle of a game: the short form of `python -m tests.durability.cuts`."""

import shutil

from tests.durability.cuts import judge, kills, power_cuts
from tests.durability.evening import evening, evening_events
from tests.peers import require_peer

SHORT = ("--most", "40")


def test_a_power_cut_loses_nothing_that_was_shown_as_recorded():
    require_peer(shutil.which("cc"), "a C compiler")
    assert set(power_cuts(60, 1, *SHORT)) == {""}


def test_a_record_that_does_not_wait_for_the_disk_would_be_found_out():
    require_peer(shutil.which("cc"), "a C compiler")
    assert set(power_cuts(60, 1, *SHORT, "--careless")) != {""}


def test_a_kill_loses_nothing_that_was_shown_as_recorded():
    assert set(kills(5, 1)) == {""}


def test_dice_that_lay_there_at_a_restart_and_did_not_count_are_forgotten(tmp_path):
    events, log, looked_at = evening_events(3), tmp_path / "a.db", tmp_path / "looked_at"
    for number, _ in evening(events, log):
        if number == 34:
            break
    phases = set()
    for number, now in evening(events, log, 34):
        shutil.rmtree(looked_at, ignore_errors=True)
        looked_at.mkdir()
        for path in tmp_path.glob("a.db*"):
            shutil.copy(path, looked_at)
        assert not judge(looked_at / "a.db", [now], [now])
        phases.add(now[0])
        if number == 44:
            break
    assert len(phases) == 2
