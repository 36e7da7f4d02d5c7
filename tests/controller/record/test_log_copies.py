"""All matches as one file, and back."""

import resource
from contextlib import closing

import pytest

from controller.cli.main import main
from controller.record.safety.salvage import saved_name
from controller.record.store import Store
from controller.service.matches.match_folder import LOG_NAME, LogLock


def rows_in(path):
    with closing(Store(path)) as store:
        return [entry.payload for number in store.matches() for entry in store.match(number).entries()]


def add_match(path, **payload):
    with closing(Store(path)) as store:
        store.new_match().append(0, "match", payload)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "kept"
    folder.mkdir()
    add_match(folder / LOG_NAME, name="first")
    return folder


def run(*arguments) -> int:
    return main(list(map(str, arguments)))


def test_what_was_backed_up_while_a_match_is_written_comes_back(folder, tmp_path, capsys):
    copy = tmp_path / "matches.db"
    with closing(Store(folder / LOG_NAME)) as writing:
        writing.new_match().append(0, "match", {"name": "second"})
        assert run("backup", copy, "--matches", folder) == 0
    assert capsys.readouterr().out == f"{copy} holds all matches: 2.\n"
    add_match(folder / LOG_NAME, name="third")
    assert run("restore", copy, "--matches", folder) == 0
    assert rows_in(folder / LOG_NAME) == [{"name": "first"}, {"name": "second"}]
    assert len(rows_in(folder / "blotlight-before-1.db")) == 3
    assert sorted(path.suffix for path in folder.iterdir()) == [".db", ".db", ".lock"]


def test_a_copy_comes_back_on_a_new_machine(folder, tmp_path):
    copy = tmp_path / "matches.db"
    run("backup", copy, "--matches", folder)
    assert run("restore", copy, "--matches", tmp_path / "new") == 0
    assert rows_in(tmp_path / "new" / LOG_NAME) == [{"name": "first"}]
    assert (tmp_path / "new" / LOG_NAME).stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"no log at all" * 1000,
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole.replace(b"first", b"worst"),
    ],
    ids=["garbage", "cut off", "a wrong row"],
)
def test_a_copy_comes_back_over_a_damaged_log_which_stays_beside_it(folder, tmp_path, capsys, damage):
    copy, log, aside = tmp_path / "matches.db", folder / LOG_NAME, folder / "blotlight-before-1.db"
    run("backup", copy, "--matches", folder)
    log.write_bytes(damage(log.read_bytes()))
    damaged = log.read_bytes()
    assert run("restore", copy, "--matches", folder) == 0
    assert rows_in(log) == [{"name": "first"}]
    assert aside.read_bytes() == damaged
    assert f"are kept as {aside}." in capsys.readouterr().out
    assert sorted(folder.glob("*.db")) == [aside, log]


def test_a_salvage_that_a_power_cut_interrupted_is_not_lost_by_a_restore(folder, tmp_path):
    """The one moment of a salvage when no log lies in its place."""
    copy, log = tmp_path / "matches.db", folder / LOG_NAME
    run("backup", copy, "--matches", folder)
    add_match(log, name="salvaged")
    log.rename(saved_name(log))
    assert run("restore", copy, "--matches", folder) == 0
    assert rows_in(log) == [{"name": "first"}]
    assert rows_in(folder / "blotlight-before-1.db") == [{"name": "first"}, {"name": "salvaged"}]


def test_of_a_damaged_log_no_copy_is_left_and_the_log_is_named(folder, tmp_path, capsys):
    copy, log = tmp_path / "matches.db", folder / LOG_NAME
    log.write_bytes(log.read_bytes().replace(b"first", b"worst"))
    assert run("backup", copy, "--matches", folder) == 1
    assert f"The record {log} is damaged" in capsys.readouterr().err
    assert not copy.exists()


def test_an_empty_file_is_no_record_of_matches(folder, tmp_path, capsys):
    (tmp_path / "empty.db").touch()
    assert run("restore", tmp_path / "empty.db", "--matches", folder) == 2
    assert "is no record of matches" in capsys.readouterr().err


def test_a_folder_is_no_copy(folder, tmp_path, capsys):
    assert run("restore", tmp_path, "--matches", folder) == 2
    assert f"{tmp_path} is a folder: name a file." in capsys.readouterr().err


def test_a_copy_that_is_not_whole_changes_nothing(folder, tmp_path, capsys):
    copy = tmp_path / "matches.db"
    run("backup", copy, "--matches", folder)
    copy.write_bytes(copy.read_bytes().replace(b"first", b"worst"))
    assert run("restore", copy, "--matches", folder) == 1
    assert f"The backup {copy} is damaged" in capsys.readouterr().err
    assert rows_in(folder / LOG_NAME) == [{"name": "first"}]


def test_nothing_is_restored_while_a_match_is_played(folder, tmp_path, capsys):
    copy = tmp_path / "matches.db"
    run("backup", copy, "--matches", folder)
    with closing(LogLock(folder / LOG_NAME, "Ada against Bert")):
        assert run("restore", copy, "--matches", folder) == 1
    assert "are being written by Ada against Bert" in capsys.readouterr().err


def test_a_backup_overwrites_nothing(folder, tmp_path, capsys):
    (tmp_path / "letter.txt").write_text("dear aunt")
    assert run("backup", tmp_path / "letter.txt", "--matches", folder) == 2
    assert (tmp_path / "letter.txt").read_text() == "dear aunt"
    assert run("restore", tmp_path / "letter.txt", "--matches", folder) == 2
    assert "is no record of matches" in capsys.readouterr().err


def test_a_backup_into_a_folder_that_is_not_there_says_so(folder, tmp_path, capsys):
    copy = tmp_path / "nowhere" / "matches.db"
    assert run("backup", copy, "--matches", folder) == 2
    said = f"{copy} cannot be written, for its folder {copy.parent} is not there: make it first."
    assert said in capsys.readouterr().err


def test_a_disk_that_fills_up_is_named_by_the_backup_that_was_asked_for(folder, tmp_path, capsys):
    add_match(folder / LOG_NAME, name="long" * 50_000)
    copy = tmp_path / "matches.db"
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most[1]))  # half of it
        assert run("backup", copy, "--matches", folder) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    said = capsys.readouterr().err
    assert str(copy) in said
    assert "half-" not in said
    assert not list(tmp_path.glob("*.db"))
