"""What the journal of systemd gets, by its native protocol."""

import json
import os
import socket
import sys

import pytest

from controller.referee import LampsChanged, RollCalled
from controller.referee.words.sentences import Speech
from controller.rules import Dice, Player
from controller.service.health.systemd_log import SystemdLog, open_systemd_log
from sentences import say


@pytest.fixture
def journal(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "socket"))
        listening.settimeout(5)
        yield listening


def fields(journal):
    """The fields of the next entry, taken apart as the protocol says."""
    data, found = journal.recv(65_536), {}
    while data:
        name, _, rest = data.partition(b"\n")
        size = int.from_bytes(rest[:8], "little")
        found[name.decode()] = rest[8 : 8 + size].decode()
        assert rest[8 + size : 9 + size] == b"\n"
        data = rest[9 + size :]
    return found


@pytest.fixture
def log(journal, tmp_path):
    log = SystemdLog(str(tmp_path / "socket"))
    yield log
    log.close()


def test_an_effect_has_its_kind_and_its_fields(journal, log):
    log.names = {Player.WHITE: "Ada", Player.BLACK: "Bert"}
    log.note(RollCalled(t_ms=1234, player=Player.WHITE, dice=Dice(6, 4)))
    found = fields(journal)
    assert found.pop("BLOTLIGHT_DATA")
    assert found == {
        "MESSAGE": "Ada rolls 6-4.",
        "PRIORITY": "6",
        "SYSLOG_IDENTIFIER": "blotlight",
        "BLOTLIGHT_T_MS": "1234",
        "BLOTLIGHT_KIND": "roll",
    }


def test_the_fields_of_an_effect_are_those_of_the_record(journal, log):
    log.note(RollCalled(t_ms=1, player=Player.BLACK, dice=Dice(3, 1)))
    assert json.loads(fields(journal)["BLOTLIGHT_DATA"]) == {"player": "black", "dice": "31"}


def test_what_asks_people_to_do_something_is_a_warning(journal, log):
    log.say(1, say("camera_silent"))
    log.say(2, say("board_is_read"))
    log.say(3, "a sentence\nof two lines")
    warning, news, other = fields(journal), fields(journal), fields(journal)
    assert (warning["PRIORITY"], warning["BLOTLIGHT_KIND"]) == ("4", "camera_silent")
    assert (news["PRIORITY"], news["BLOTLIGHT_KIND"]) == ("6", "board_is_read")
    assert other["MESSAGE"] == "a sentence\nof two lines"


def test_effects_without_a_sentence_are_no_lines(journal, log):
    log.note(LampsChanged(t_ms=1, lamps=()))
    log.say(2, "next")
    assert fields(journal)["MESSAGE"] == "next"


def test_a_journal_that_is_gone_loses_no_sentence(journal, log, capsys):
    journal.close()
    log.say(1, "still said")
    assert capsys.readouterr().out == "still said\n"


def test_the_journal_is_used_only_where_it_reads_what_is_printed(journal, tmp_path, monkeypatch):
    path = str(tmp_path / "socket")
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        found = os.fstat(out.fileno())
        ours = {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}
        opened = open_systemd_log(ours, Speech.PLAIN, path)
        assert opened is not None
        opened.close()
        assert open_systemd_log({"JOURNAL_STREAM": "1:2"}, Speech.PLAIN, path) is None
        assert open_systemd_log({}, Speech.PLAIN, path) is None
        assert open_systemd_log(ours, Speech.PLAIN, str(tmp_path / "none")) is None
