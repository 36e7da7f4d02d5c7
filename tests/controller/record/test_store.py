"""The log on disk: in order, never changed, nothing lost, and clear words when it cannot be kept."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.record.store import (
    LogEntry,
    Store,
    StoreDamaged,
    StoreError,
)
from tests.paths import ROOT


@pytest.fixture
def path(tmp_path):
    return tmp_path / "matches.db"


@pytest.fixture
def store(path):
    store = Store(path)
    yield store
    store.close()


def test_what_was_appended_is_read_back_in_order(store):
    log = store.new_match()
    log.append(0, "start", {"white": "Ada", "black": "Bert"})
    log.append(3445, "roll", {"dice": [6, 3]})
    assert log.entries() == [
        LogEntry(seq=0, t_ms=0, kind="start", payload={"white": "Ada", "black": "Bert"}),
        LogEntry(seq=1, t_ms=3445, kind="roll", payload={"dice": [6, 3]}),
    ]
    assert log.entries(since=1) == log.entries()[1:]


def test_matches_are_numbered_and_kept_apart(store):
    first = store.new_match()
    first.append(0, "start", {})
    second = store.new_match()
    second.append(5, "start", {})
    first.append(9, "end", {})
    assert store.matches() == (1, 2)
    assert [entry.t_ms for entry in store.match(1).entries()] == [0, 9]
    assert [entry.t_ms for entry in store.match(2).entries()] == [5]


def test_a_match_is_found_without_reading_all_the_others(store):
    with store.all_or_nothing():
        for _ in range(100):
            log = store.new_match()
            for t_ms in range(50):
                log.append(t_ms, "half-turn", {})
    hundreds_of_steps = []
    store._db.set_progress_handler(lambda: hundreds_of_steps.append(1), 100)
    store.match(70)
    assert len(hundreds_of_steps) <= 1


def test_a_match_that_does_not_exist_is_refused_with_those_that_do(store):
    store.new_match().append(0, "start", {})
    with pytest.raises(StoreError, match="holds no match 7: choose one of those it holds, 1"):
        store.match(7)


def test_the_log_is_there_after_closing_and_opening(path):
    store = Store(path)
    store.new_match().append(1, "start", {"name": "Ägir"})
    store.close()
    store.close()
    again = Store(path)
    assert again.match(1).entries()[0].payload == {"name": "Ägir"}
    again.close()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=4), st.integers(0, 2**40))
def test_any_json_object_comes_back_as_it_was(payload, t_ms):
    store = Store(Path(":memory:"))
    log = store.new_match()
    entry = log.append(t_ms, "any", payload)
    assert log.entries() == [entry]
    store.close()


@pytest.mark.parametrize("change", ["UPDATE log SET t_ms = 0", "DELETE FROM log"])
def test_nobody_changes_an_entry_not_even_with_sql(store, path, change):
    store.new_match().append(77, "roll", {})
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        other.execute(change)
    other.close()
    assert store.match(1).entries()[0].t_ms == 77


APPEND_FOREVER = """
import itertools, sys
from pathlib import Path
from controller.record.store import Store
log = Store(Path(sys.argv[1])).new_match()
for i in itertools.count():
    log.append(i, "roll", {"i": i})
    print(i, flush=True)
"""


def test_a_killed_process_loses_nothing_that_was_acknowledged(path):
    writer = subprocess.Popen(
        [sys.executable, "-c", APPEND_FOREVER, str(path)], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert writer.stdout is not None
    for _ in range(40):
        writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    acknowledged = 40 + len(writer.stdout.read().split())
    writer.stdout.close()
    assert writer.wait() == -signal.SIGKILL
    store = Store(path)
    kept = [entry.payload["i"] for entry in store.match(1).entries()]
    store.close()
    assert kept[:acknowledged] == list(range(acknowledged))
    assert len(kept) - acknowledged in (0, 1)


FILL_THE_DISK = """
import resource, signal, sys
from pathlib import Path
from controller.record.store import Store, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store(Path(sys.argv[1]))
log = store.new_match()
log.append(0, "start", {})
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
written = 1
try:
    while True:
        log.append(written, "filler", {"text": "x" * 5000})
        written += 1
except StoreError as problem:
    print(written, problem)
"""


def test_a_full_disk_is_said_in_one_sentence_and_what_was_kept_stays(path):
    told = subprocess.run(
        [sys.executable, "-c", FILL_THE_DISK, str(path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    written, _, sentence = told.stdout.strip().partition(" ")
    assert sentence == f"The disk refuses the record {path}: free some space, then check the disk."
    store = Store(path)
    assert [entry.t_ms for entry in store.match(1).entries()] == list(range(int(written)))
    store.close()


def test_a_log_that_another_program_holds_is_said_to_be_locked(path):
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = Store(path, lock_wait_s=0.01)
    with pytest.raises(StoreError, match="Another program is writing"):
        store.new_match().append(0, "start", {})
    other.close()
    store.close()


def test_a_folder_that_does_not_exist_is_said(tmp_path):
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "nowhere" / "matches.db")


READ_ONLY = """
import os, sys
from pathlib import Path
from controller.record.store import Store, StoreError
if os.geteuid() == 0:
    os.setuid(65534)
try:
    Store(Path(sys.argv[1])).match(1).append(1, "roll", {})
except StoreError as problem:
    print(problem)
"""


def test_a_copy_that_cannot_be_written_is_named_itself(store, tmp_path):
    copy = tmp_path / "nowhere" / "copy.db"
    with pytest.raises(StoreError, match=str(copy)):
        store.copy_to(copy, copy)


def test_a_log_that_may_not_be_written_is_said():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.db"
        store = Store(path)
        store.new_match().append(0, "start", {})
        store.close()
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        told = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path)], capture_output=True, text=True, cwd=ROOT, check=True
        )
        Path(folder).chmod(0o755)
    assert told.stdout == f"The record {path} may only be read: change its permissions.\n"


READ_AS_ANYBODY = """
import os, sys
from pathlib import Path
from controller.record.store import Store
if os.geteuid() == 0:
    os.setuid(65534)
print([entry.t_ms for entry in Store(Path(sys.argv[1]), read_only=True).match(1).entries()])
"""


@pytest.mark.parametrize("is_written", [True, False], ids=["while it is written", "closed"])
def test_who_may_only_read_reads_the_log(is_written):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matches.db"
        store = Store(path)
        store.new_match().append(77, "start", {})
        if not is_written:
            store.close()
        for file in Path(folder).iterdir():
            file.chmod(0o444)
        Path(folder).chmod(0o555)
        told = subprocess.run(
            [sys.executable, "-c", READ_AS_ANYBODY, str(path)], capture_output=True, text=True, cwd=ROOT
        )
        Path(folder).chmod(0o755)
        store.close()
    assert (told.stdout, told.stderr) == ("[77]\n", "")


@pytest.mark.parametrize(
    "content", [b"this is a shopping list, not a log\n" * 100, b"SQLite format 3\0" + b"\7" * 4000]
)
def test_a_file_that_is_no_log_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match="move it away"):
        Store(path)
    assert path.read_bytes() == content


def test_a_torn_file_is_said_to_be_damaged(path):
    store = Store(path)
    log = store.new_match()
    for i in range(200):
        log.append(i, "filler", {"text": "x" * 500})
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreDamaged, match="is damaged"):
        Store(path).match(1).entries()


def test_a_log_of_a_newer_program_is_not_touched(path):
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version=99")
    other.close()
    with pytest.raises(StoreError, match="newer program: update this one"):
        Store(path)


def test_a_disk_that_may_only_be_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "log.db").mkdir()  # what cannot be opened is no log
    read_only = SimpleNamespace(f_flag=os.ST_RDONLY)
    monkeypatch.setattr(os, "statvfs", lambda path: read_only)
    with pytest.raises(StoreError, match=r"log\.db may only be read: start the computer again"):
        Store(tmp_path / "log.db")
