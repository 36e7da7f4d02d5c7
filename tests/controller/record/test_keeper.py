"""The live record: on the disk at once, and nothing lost when the disk refuses for a while."""

import sqlite3
from datetime import date

import pytest

from controller.record.keeper import DATE_KEY, HEADING_KIND, RETRY_MS, MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.record.store import Store, StoreError
from controller.referee import CommandRefused
from controller.service.clock import known_day

ADA_V_BERT = MatchSettings(white="Ada", black="Bert", length=5)


def kept(path) -> list[tuple[int, str]]:
    """(match, kind) of everything in the log."""
    store = Store(path)
    try:
        return [(n, entry.kind) for n in store.matches() for entry in store.match(n).entries()]
    finally:
        store.close()


def test_a_match_begun_before_the_clock_is_right_has_no_date(tmp_path):
    MatchKeeper(tmp_path / "log.db", ADA_V_BERT, print, today=lambda: known_day(date(1970, 1, 1))).close()
    again = MatchKeeper(tmp_path / "log.db", ADA_V_BERT, print, today=lambda: known_day(date(2027, 3, 1)))
    (heading,) = again.earlier
    assert DATE_KEY not in heading.payload
    again.begin_anew(0)
    assert again.entries()[0].payload[DATE_KEY] == "2027-03-01"
    again.close()


def effect(t_ms: int) -> CommandRefused:
    return CommandRefused(t_ms=t_ms, why="That cannot be.")


def test_what_happens_can_be_read_while_the_program_still_runs(tmp_path):
    keeper = MatchKeeper(tmp_path / "log.db", ADA_V_BERT, print)
    keeper.note(effect(1000))
    assert kept(tmp_path / "log.db") == [(1, HEADING_KIND), (1, "refused")]
    keeper.close()


def test_the_same_match_goes_on_and_another_one_begins_anew(tmp_path):
    path = tmp_path / "log.db"
    MatchKeeper(path, ADA_V_BERT, print).close()
    again = MatchKeeper(path, ADA_V_BERT, print)
    assert [entry.kind for entry in again.earlier] == [HEADING_KIND]
    again.close()
    other = MatchKeeper(path, MatchSettings(white="Ada", black="Carl"), print)
    assert other.earlier == []
    other.note(effect(1000))
    other.close()
    assert kept(path) == [(1, HEADING_KIND), (2, HEADING_KIND), (2, "refused")]
    rematch = MatchKeeper(path, ADA_V_BERT, print)
    assert rematch.number == 3
    rematch.close()


def test_on_demand_a_new_match_begins(tmp_path):
    MatchKeeper(tmp_path / "log.db", ADA_V_BERT, print).close()
    keeper = MatchKeeper(tmp_path / "log.db", ADA_V_BERT, print, new=True)
    keeper.begin_anew(5000)
    keeper.close()
    assert kept(tmp_path / "log.db") == [(1, HEADING_KIND), (2, HEADING_KIND), (3, HEADING_KIND)]


def test_while_the_disk_refuses_one_sentence_says_so_and_later_everything_is_there(tmp_path):
    path, said = tmp_path / "log.db", []
    keeper = MatchKeeper(path, ADA_V_BERT, said.append)
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("PRAGMA max_page_count = 1")
    keeper._store._db.execute("PRAGMA max_page_count = 1")  # the disk is full for this program
    for n in range(40):
        keeper.note_row(1000 + n, "note", {"text": "x" * 1000})
    assert len(said) == 1
    assert said[0].startswith("No room is left for the record")
    assert said[0].endswith("The game goes on, and what happens is written later.")
    n_kept = len(kept(path))
    assert n_kept < 41
    keeper._store._db.execute("PRAGMA max_page_count = 1000000")
    keeper.note(effect(1000 + RETRY_MS + 100))
    assert said[1:] == ["The record is written again; nothing is missing."]
    assert len(kept(path)) == 42
    blocker.close()
    keeper.close()


def test_a_file_that_is_no_log_is_left_alone_and_the_game_goes_on(tmp_path):
    path, said = tmp_path / "log.db", []
    path.write_text("this is a letter to my aunt, and no record of matches at all" * 20)
    keeper = MatchKeeper(path, ADA_V_BERT, said.append)
    keeper.note(effect(1000))
    with pytest.raises(
        StoreError, match=r"log\.db is no record of matches: name another file.* What happened last is lost"
    ):
        keeper.close()
    assert len(said) == 1
    assert "is no record of matches" in said[0]
    assert path.read_text().startswith("this is a letter")
