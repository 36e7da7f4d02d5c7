"""One known place for matches, and one program that writes there."""

import os
from pathlib import Path

import pytest

from controller.errors import WorkError
from controller.service.matches.match_folder import LogLock, log_in, matches_folder, own_folder
from controller.service.settings import find_settings


def test_matches_lie_with_the_data_of_the_user():
    assert matches_folder(None, {"XDG_DATA_HOME": "/data"}) == Path("/data/blotlight")
    assert matches_folder(None, {}) == Path.home() / ".local/share/blotlight"


def test_a_relative_data_folder_is_ignored_as_the_specification_says():
    assert matches_folder(None, {"XDG_DATA_HOME": "data"}) == Path.home() / ".local/share/blotlight"


def test_systemd_names_the_place_and_the_option_beats_it():
    systemd = {"STATE_DIRECTORY": "/var/lib/blotlight", "XDG_DATA_HOME": "/data"}
    assert matches_folder(None, systemd) == Path("/var/lib/blotlight")
    assert matches_folder(Path("/here"), systemd) == Path("/here")


def test_nobody_writes_where_the_matches_of_another_user_lie(tmp_path, monkeypatch):
    data = {"XDG_DATA_HOME": "/data"}
    assert own_folder(tmp_path, data) == tmp_path
    assert own_folder(tmp_path / "still to be made", data) == tmp_path / "still to be made"
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert own_folder(tmp_path, data) == Path("/data/blotlight")


def test_a_folder_in_the_settings_starts_where_the_settings_lie(tmp_path):
    settings = tmp_path / "blotlight.toml"
    settings.write_text('[record]\nfolder = "kept"\n')
    assert find_settings(settings, None, {}).folder == tmp_path / "kept"
    assert find_settings(settings, tmp_path / "other", {}).folder == tmp_path / "other"


def test_the_simulated_table_has_a_log_of_its_own(tmp_path):
    assert log_in(tmp_path) != log_in(tmp_path, simulated=True)
    assert log_in(tmp_path / "mine.db") == tmp_path / "mine.db"


def test_a_second_program_is_refused_with_the_name_of_the_first(tmp_path):
    log = tmp_path / "blotlight.db"
    first = LogLock(log, "Ada v. Bert")
    with pytest.raises(WorkError, match=rf"Ada v\. Bert \(process {os.getpid()}\).*--matches"):
        LogLock(log, "Carl v. Dora")
    first.close()
    LogLock(log, "Carl v. Dora").close()


def test_where_no_lock_can_be_written_the_game_goes_on():
    LogLock(Path("/proc/nowhere/blotlight.db"), "Ada v. Bert").close()
