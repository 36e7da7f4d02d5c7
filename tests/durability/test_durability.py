"""Kills and power cuts in the middle of a game: the short form of `python -m tests.durability.cuts`."""

import shutil

import pytest

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


@pytest.mark.parametrize(
    ("seed", "restarted", "until"),
    [
        pytest.param(3, 34, 50, id="dice lie there that did not count"),
        pytest.param(38, 1099, 1112, id="a half-turn is believed and then not any more"),
        pytest.param(22, 1279, 1301, id="two half-turns are believed since the last recorded one"),
        pytest.param(31, 606, 618, id="a recorded half-turn is doubted"),
    ],
)
def test_a_match_goes_on_after_a_second_restart(tmp_path, seed, restarted, until):
    events, log, looked_at = evening_events(seed), tmp_path / "a.db", tmp_path / "looked_at"
    for number, _ in evening(events, log):
        if number == restarted:
            break
    shown = []
    for number, now in evening(events, log, restarted):
        shutil.rmtree(looked_at, ignore_errors=True)
        looked_at.mkdir()
        for path in tmp_path.glob("a.db*"):
            shutil.copy(path, looked_at)
        assert not judge(looked_at / "a.db", [now], [now])
        shown.append(now)
        if number == until:
            break
    assert any(now != shown[0] for now in shown)
