"""A damaged log: what is whole is saved from it, and nothing else."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from random import Random

import pytest

from controller.record.keeper import HEADING_KIND, MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.record.safety.salvage import (
    put_saved_in_place,
    replace_durably,
    resume_salvage,
    salvage,
    saved_name,
)
from controller.record.store import MatchLog, Store, StoreDamaged
from tests.paths import ROOT

N_MATCHES, N_ROWS, PAGE_BYTES = 12, 300, 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A log of several matches, closed."""
    path = tmp_path_factory.mktemp("whole") / "blotlight.db"
    with closing(Store(path)) as store:
        for match in range(N_MATCHES):
            with store.all_or_nothing():
                log = store.new_match()
                for row in range(N_ROWS):
                    log.append(row, "half-turn", {"match": match, "text": f"row {row} " * 8})
    return path


@pytest.fixture
def path(whole, tmp_path):
    return shutil.copy(whole, tmp_path / "blotlight.db")


def rows_in(path) -> dict[int, list]:
    with closing(Store(path)) as store:
        return {number: store.match(number).entries() for number in store.matches()}


LEAF, LEADING_ON = 0x0A, 0x02
"""The first byte of a page with rows, and of one that leads to others (SQLite's file format, 1.6)."""


def spoil(path, random: Random, kind: int, n_pages: int) -> None:
    """Overwrite pages with garbage, as a worn card does."""
    content = bytearray(path.read_bytes())
    pages = [at for at in range(PAGE_BYTES, len(content), PAGE_BYTES) if content[at] == kind]
    for page in random.sample(pages, n_pages):
        content[page : page + PAGE_BYTES] = random.randbytes(PAGE_BYTES)
    path.write_bytes(content)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", [LEAF, LEADING_ON])
def test_what_is_saved_is_the_beginning_of_each_match_and_never_a_wrong_row(whole, path, kind, seed):
    n_pages = 1 + seed % 3 if kind == LEAF else 1
    spoil(path, Random(seed), kind, n_pages)
    damaged = path.read_bytes()
    before = rows_in(whole)
    found = salvage(path)
    assert found.aside.read_bytes() == damaged
    saved = rows_in(path)
    assert found.n_rows == sum(map(len, saved.values()))
    for number, rows in saved.items():
        assert rows == before[number][: len(rows)]
    if kind == LEAF:  # a page holds rows of two matches at most
        assert sum(saved.get(number) == rows for number, rows in before.items()) >= N_MATCHES - 2 * n_pages


def test_a_bit_that_flips_within_a_row_is_found(path):
    """SQLite itself has no checksums, so its own check does not find it."""
    content = path.read_bytes()
    path.write_bytes(content.replace(b"row 200 ", b"row 300 ", 1))
    with closing(Store(path)) as store, pytest.raises(StoreDamaged, match="is damaged"):
        store.check()
    with pytest.raises(StoreDamaged, match="is damaged"):
        rows_in(path)
    salvage(path)
    assert sorted(map(len, rows_in(path).values()))[:2] == [200, N_ROWS]


def test_a_row_whose_match_number_has_flipped_is_found_where_no_search_leads_to_it(tmp_path):
    path = tmp_path / "blotlight.db"
    with closing(Store(path)) as store:
        for log in (store.new_match(), MatchLog(store, 2)):
            for row in range(5):
                log.append(row, "half-turn", {})
    path.write_bytes(path.read_bytes().replace(b"\2\4\4half-turn", b"\0\4\4half-turn"))
    with closing(Store(path)) as store, pytest.raises(StoreDamaged):
        store.check()


def test_a_byte_that_is_no_letter_is_damage_too(path):
    path.write_bytes(path.read_bytes().replace(b"row 200 ", b"row\xa0200 ", 1))
    with pytest.raises(StoreDamaged, match="is damaged"):
        rows_in(path)


def test_tables_whose_description_is_damaged_are_said_to_be_so(path):
    path.write_bytes(path.read_bytes().replace(b"BEGIN SELECT", b"BEG\xceN SELECT"))
    with pytest.raises(StoreDamaged, match="is damaged"):
        Store(path)
    assert salvage(path).n_matches == 0
    assert rows_in(path) == {}


@pytest.mark.parametrize("number", [1 << 40, "one"])
def test_a_wild_number_of_a_match_neither_holds_up_a_salvage_nor_stops_it(whole, path, number):
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO log SELECT ?, seq, t_ms, kind, payload, crc FROM log LIMIT 1", (number,))
        db.commit()
    with closing(Store(path)) as store, pytest.raises(StoreDamaged):
        store.check()
    salvage(path)
    assert rows_in(path) == rows_in(whole)


@pytest.mark.parametrize("seed", range(60))
def test_after_a_start_every_match_is_readable_whichever_bit_has_flipped(tmp_path, seed):
    """Also in matches that do not go on. What is read is the beginning of each."""
    path, said = tmp_path / "blotlight.db", []
    for white in ("Ada", "Bert"):
        with closing(MatchKeeper(path, MatchSettings(white=white), said.append)) as keeper:
            for row in range(5):
                keeper.note_row(row, "half-turn", {"row": row})
    before, content = rows_in(path), bytearray(path.read_bytes())
    rows_begin = content.index(b"half-turn") - 20
    content[Random(seed).randrange(rows_begin, len(content))] ^= 1 << seed % 8
    path.write_bytes(content)
    MatchKeeper(path, MatchSettings(white="Bert"), said.append).close()
    for number, rows in rows_in(path).items():
        assert rows == before.get(number, before[2])[: len(rows)]


def test_the_keeper_saves_what_is_whole_and_goes_on_with_it(tmp_path):
    path, said = tmp_path / "blotlight.db", []
    match = MatchSettings(white="Ada", black="Bert")
    with closing(MatchKeeper(path, match, said.append)) as keeper:
        for number in range(400):
            keeper.note_row(number, "half-turn", {"text": f"row {number} " * 8})
    content = path.read_bytes()
    path.write_bytes(content.replace(b"row 250 ", b"row 350 ", 1))
    with closing(MatchKeeper(path, match, said.append)) as keeper:
        assert [entry.kind for entry in keeper.earlier] == [HEADING_KIND] + ["half-turn"] * 250
        keeper.note_row(1000, "half-turn", {})
    aside = tmp_path / "blotlight-damaged-1.db"
    assert said == [
        "The record was damaged: what is whole was saved from it (matches: 1, entries: 251), and the damaged "
        f"file is kept as {aside}."
    ]
    assert len(rows_in(path)[1]) == 252


def test_a_salvage_that_a_power_cut_interrupts_is_finished_at_the_next_start(whole, path):
    """The one moment when no log lies in its place: the damaged one is aside, the new one not yet there."""
    saved = path.with_name(f"saved-{path.name}")
    shutil.copy(whole, saved)
    replace_durably(path, path.with_name("blotlight-damaged-1.db"))
    resume_salvage(path)
    assert rows_in(path) == rows_in(whole)
    assert not saved.exists()


def test_rows_that_only_the_write_ahead_log_holds_are_saved_too(path):
    """After a power cut the newest rows lie there."""
    store = Store(path)
    store.new_match().append(7, "half-turn", {"new": True})
    copied = path.with_name("cut.db")
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{copied}{suffix}")
    store.close()
    salvage(copied)
    assert [row.payload for row in rows_in(copied)[N_MATCHES + 1]] == [{"new": True}]
    assert not copied.with_name("cut.db-wal").exists()


def test_a_log_is_moved_aside_to_no_name_of_which_anything_is_left(whole, path):
    shutil.copy(whole, saved_name(path))
    left = path.with_name("blotlight-before-1.db-wal")
    left.write_bytes(b"of another log")
    assert put_saved_in_place(path, "before") == path.with_name("blotlight-before-2.db")
    assert left.read_bytes() == b"of another log"


CUT_SHORT = """
import os, sys
from pathlib import Path
from controller.record.safety.salvage import put_saved_in_place

def count_step(event, arguments):
    global n_steps
    if event in ("os.rename", "os.remove", "shutil.copyfile"):
        if n_steps == 0:
            os._exit(9)
        n_steps -= 1

n_steps = int(sys.argv[2])
sys.addaudithook(count_step)
put_saved_in_place(Path(sys.argv[1]), "before")
"""
"""Puts a saved log in place, but ends before a step at which it moves, copies or removes a file."""


@pytest.mark.parametrize("n_steps", range(5))
def test_a_power_cut_never_parts_a_log_from_its_write_ahead_log(whole, path, n_steps):
    with closing(Store(path)) as store:
        store.new_match().append(7, "half-turn", {"new": True})
        old = path.with_name("blotlight") / "blotlight.db"
        old.parent.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{old}{suffix}")
    shutil.copy(whole, saved_name(old))
    ended = subprocess.run([sys.executable, "-c", CUT_SHORT, old, str(n_steps)], cwd=ROOT, check=False)
    assert ended.returncode == 9
    is_moved = not old.exists()
    resume_salvage(old)
    if is_moved:
        assert rows_in(old) == rows_in(whole)
    assert rows_in(old.with_name("blotlight-before-1.db") if is_moved else old) == rows_in(path)


@pytest.fixture
def of_version_1(path):
    """The same log as the first version of the program wrote it."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE log DROP COLUMN crc")
        db.execute("PRAGMA user_version=1")
        db.commit()
    return path


def test_a_log_of_the_first_version_is_read_by_who_may_not_write_it(whole, of_version_1):
    with closing(Store(of_version_1, read_only=True)) as store:
        assert store.match(3).entries() == rows_in(whole)[3]
        assert store.version == 1


def test_a_log_of_the_first_version_gets_checksums_from_now_on(whole, of_version_1):
    with closing(Store(of_version_1)) as store:
        store.match(3).append(9, "half-turn", {"new": True})
    assert rows_in(of_version_1)[3][:-1] == rows_in(whole)[3]
    of_version_1.write_bytes(of_version_1.read_bytes().replace(b'{"new":true}', b'{"new":null}'))
    with closing(Store(of_version_1)) as store, pytest.raises(StoreDamaged):
        store.match(3).entries()
