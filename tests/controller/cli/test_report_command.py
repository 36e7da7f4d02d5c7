"""`blotlight report`: the last minutes as one file, which tells what the service told and names nobody."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.record.journal import KINDS
from controller.record.match_settings import MatchSettings
from controller.referee import OffenceShown, TurnRecorded
from controller.service.recordings.pruning import PictureLimits
from controller.service.recordings.recording import open_recording
from controller.service.recordings.report_file import newest_recording
from controller.service.recordings.transcript import transcribe
from tests.controller.service.matches.table_in_hand import TableInHand

NAMES = ("Zaphod", "Beeblebrox", "Trillian", "Astra")
PLAYS = ("31: 8/5 6/5", "64: 24/18 13/9", "52: 13/8 13/12", "41")
"""White's second play is wrong: 13/12 is no two, and Black holds the point. It stands, for Black throws."""


def told_of(pack: zipfile.ZipFile) -> list[dict]:
    return [json.loads(line) for line in pack.read("told.jsonl").splitlines()]


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A folder with settings, matches and the recording of a table in hand."""
    folder = tmp_path_factory.mktemp("evening")
    white, black = " ".join(NAMES[:2]), " ".join(NAMES[2:])
    (folder / "blotlight.toml").write_text(
        f'[match]\nwhite = "{white}"\nblack = "{black}"\nlength = 3\n'
        f'[record]\nfolder = "{folder}"\n[camera]\ndevice = "Bert\'s camera"\n'
        '[club]\nlink = "Ada.toml"\n'
    )
    table = TableInHand(folder, MatchSettings(white=white, black=black, length=3), record=True)
    table.type(*PLAYS)
    table.break_off()
    return folder


def reported(evening: Path, out: Path, *options: str) -> zipfile.ZipFile:
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(evening)  # where the settings are
        named = ["--recording", str(evening / "film-0")]
        assert main(["report", str(out), *named, "--matches", str(evening), *options]) == 0
    return zipfile.ZipFile(out)


def test_the_newest_recording_is_the_last_in_the_log_though_the_clock_was_set_back(tmp_path):
    for name, place in (("12-40", "match = 7\nbegan_ms = 100"), ("12-05", "match = 7\nbegan_ms = 2000")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "recording.toml").write_text(f"[log]\n{place}\n")
    (tmp_path / "13-00").mkdir()
    (tmp_path / "13-00" / "recording.toml").write_bytes(bytes(40))  # as a power cut leaves it
    assert newest_recording(tmp_path) == tmp_path / "12-05"


def replayed(out: Path, folder: Path, capsys) -> tuple[list[dict], list[dict]]:
    """The half-turns that a replay prints, and every effect that it brings."""
    capsys.readouterr()
    assert main(["transcribe", str(out), "--json", "--log", str(folder / "log.jsonl")]) == 0
    turns = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return turns, [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def last_turns(rows: list[dict]) -> dict[int, tuple]:
    """By number what was recorded last."""
    return {
        row["index"]: (row["player"], str(row["steps"]), row["position"], row["legal"])
        for row in rows
        if row["kind"] == KINDS[TurnRecorded]
    }


@pytest.mark.parametrize("minutes", ["60", "0.2"], ids=["from the beginning", "in mid-match"])
def test_a_replay_tells_what_the_service_told(evening, tmp_path, capsys, minutes):
    with reported(evening, tmp_path / "pack.zip", "--minutes", minutes) as pack:
        told = [row["payload"] | {"kind": row["kind"]} for row in told_of(pack)]
        is_cut = "earlier.jsonl" in pack.namelist()
    assert is_cut is (minutes == "0.2")
    turns, effects = replayed(tmp_path / "pack.zip", tmp_path, capsys)
    assert last_turns(told)
    assert last_turns(effects) == last_turns(told)
    offences = [row["offences"] for row in told if row["kind"] == KINDS[OffenceShown]]
    assert offences
    assert [row["offences"] for row in effects if row["kind"] == KINDS[OffenceShown]] == offences
    assert [turn["play"] for turn in turns[:2]] == ["8/5 6/5", "24/18 13/9"]


def test_a_match_that_was_interrupted_is_replayed_from_where_it_goes_on(tmp_path, capsys):
    match = MatchSettings(white="Ada", black="Bert", length=3)
    table = TableInHand(tmp_path, match, record=True)
    table.type("31: 8/5 6/5", "64: 24/18 13/9")
    table.break_off()
    table = TableInHand(tmp_path, match, new=False, record=True)
    table.type("52: 13/8 13/11", "41: 24/23 13/9")
    table.break_off()
    capsys.readouterr()
    assert main(["transcribe", str(table.recorder.folder), "--json"]) == 0
    turns = [json.loads(line)["play"] for line in capsys.readouterr().out.splitlines()]
    assert turns == [turn.play for turn in table.service.state.record]
    assert len(turns) == 4


def test_each_match_has_a_recording_of_its_own(tmp_path):
    table = TableInHand(tmp_path, MatchSettings(length=1), record=True)
    first = table.recorder.folder
    table.type("31: 8/5 6/5", "resign black single", "accept white")
    table.hands.do_line("furnish")
    table.wait(6000)
    second = table.recorder.folder
    assert "new match begins" in table.said.getvalue()
    table.type("42: 8/4 6/4")
    table.break_off()
    assert second != first
    played = [[turn.play for turn in transcribe(open_recording(film)).turns] for film in (first, second)]
    assert played == [["8/5 6/5"], ["8/4 6/4"]]


def test_a_match_without_end_goes_on_in_further_recordings_of_which_the_oldest_go(tmp_path, capsys):
    limits = PictureLimits(most_bytes=8_000_000)
    table = TableInHand(tmp_path, MatchSettings(), record=True, limits=limits)
    first, folders, most_bytes = table.recorder.folder, set(), 0
    for play in (*PLAYS[:3], "41: 24/23 13/9"):
        table.type(play)
        table.wait(16_000)
        folders.add(table.recorder.folder)
        kept = tmp_path.glob("*/frames/*.jpg")
        most_bytes = max(most_bytes, sum(path.stat().st_size for path in kept))
    table.break_off()
    assert len(folders) > 2
    assert not first.exists()
    assert limits.most_bytes / 2 < most_bytes <= limits.most_bytes
    capsys.readouterr()
    assert main(["transcribe", str(table.recorder.folder), "--json"]) == 0
    turns = [json.loads(line)["play"] for line in capsys.readouterr().out.splitlines()]
    assert turns == [turn.play for turn in table.service.state.record]


def test_a_half_turn_that_was_still_in_doubt_is_found_in_the_recording_that_goes_on(tmp_path, monkeypatch):
    table = TableInHand(tmp_path, MatchSettings(), record=True, limits=PictureLimits(most_bytes=8_000_000))
    first = table.recorder.folder
    for play in PLAYS[:3]:
        table.type(play)
        table.wait(16_000)
    with monkeypatch.context() as doubting:
        doubting.setattr("controller.referee.priors.RECORD_LEAD_NATS", 99.0)
        table.type("41: 24/23 13/9")
        table.wait(16_000)
        assert len(table.service.state.recorded) == 3
        table.break_off()
    assert table.recorder.folder != first
    turns = transcribe(open_recording(table.recorder.folder)).turns
    assert [turn.play for turn in turns] == [turn.play for turn in table.service.state.record]
    times_ms = [turn.t_ms for turn in turns]
    assert times_ms == sorted(times_ms)


def test_a_report_names_nobody(evening, tmp_path):
    with reported(evening, tmp_path / "pack.zip") as pack:
        names = [*NAMES, "Bert's camera", str(evening), evening.name]
        for entry in pack.namelist():
            content = pack.read(entry)
            assert [name for name in names if name.encode() in content] == [], entry
        about = json.loads(pack.read("about.json"))
    assert about["settings"] == {"match": {"length": 3}, "record": {}, "camera": {}, "club": {}}
    assert about["numpy"]


@pytest.mark.parametrize(
    "settings", ['[match\nwhite = "Zaphod"', '[matsch]\nwhite = "Zaphod"', 'match = "Zaphod"']
)
@pytest.mark.parametrize("is_named", [True, False], ids=["with --matches", "in the usual place"])
def test_a_report_is_made_though_the_settings_are_wrong(
    evening, tmp_path, capsys, monkeypatch, settings, is_named
):
    broken = shutil.copytree(evening, tmp_path / "broken")
    (broken / "blotlight.toml").write_text(settings)
    monkeypatch.setenv("STATE_DIRECTORY", str(broken))
    monkeypatch.chdir(broken)
    named = ["--matches", str(broken)] if is_named else []
    assert main(["report", str(tmp_path / "pack.zip"), "--recording", str(broken / "film-0"), *named]) == 0
    told = capsys.readouterr()
    assert "pack.zip holds the last" in told.out
    assert "The settings are left out of the report" in told.err
    assert "blotlight.toml" in told.err
    with zipfile.ZipFile(tmp_path / "pack.zip") as pack:
        about = json.loads(pack.read("about.json"))
        assert told_of(pack)
    assert (about["settings_usable"], about["settings"]) == (False, {})


def test_a_command_that_a_power_cut_left_half_written_is_left_out(evening, tmp_path):
    torn = shutil.copytree(evening, tmp_path / "torn")
    (torn / "film-0" / "events.jsonl").write_text('{"command": "done", "t_ms": 90}\n{"command": "do')
    with reported(torn, tmp_path / "pack.zip") as pack:
        assert json.loads(pack.read("events.jsonl")) == {"command": "done", "t_ms": 90}


def test_without_a_recording_one_sentence_says_how_to_keep_one(tmp_path, capsys):
    assert main(["report", str(tmp_path / "pack.zip"), "--matches", str(tmp_path)]) == 2
    assert "write pictures = true into [record]" in capsys.readouterr().err
    assert not (tmp_path / "pack.zip").exists()


def test_a_report_replaces_no_file(evening, tmp_path):
    (tmp_path / "pack.zip").write_text("mine")
    assert main(["report", str(tmp_path / "pack.zip"), "--matches", str(evening)]) == 2
    assert (tmp_path / "pack.zip").read_text() == "mine"


def test_a_damaged_report_is_named(evening, tmp_path, capsys):
    reported(evening, tmp_path / "pack.zip").close()
    data = bytearray((tmp_path / "pack.zip").read_bytes())
    data[200:260] = bytes(60)
    (tmp_path / "torn.zip").write_bytes(data)
    assert main(["transcribe", str(tmp_path / "torn.zip")]) == 2
    assert "is damaged" in capsys.readouterr().err
