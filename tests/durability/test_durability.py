"""Kills and power cuts in the middle of a game: the short form of `python -m tests.durability.cuts`."""

import shutil

from tests.durability.cuts import kills, power_cuts
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
