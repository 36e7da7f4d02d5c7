"""What goes wrong is said in one sentence that tells what to do, with the right status; nothing is lost."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli.main import main
from tests.controller.cli.test_transcribe import SHORT
from tests.paths import ROOT

MAT = " 1 point match\n\n Game 1\n Ada : 0              Bert : 0\n  1) 31: 8/5 6/5\n"
PICTURE = SHORT / "frames" / "0000002700.jpg"


@pytest.fixture(scope="module")
def things(tmp_path_factory) -> Path:
    """A folder of things that are not what they should be."""
    folder = tmp_path_factory.mktemp("things")
    (folder / "text.txt").write_text("milk\neggs\n")
    (folder / "empty.mp4").write_bytes(b"")
    (folder / "\udcff.mp4").write_bytes(b"film")
    (folder / "text.mp4").write_text("milk\n" * 1000)
    (folder / "blank.avi").write_bytes(film(folder / "film.avi").read_bytes())
    (folder / "torn.avi").write_bytes((folder / "film.avi").read_bytes()[:40])
    (folder / "cut.jpg").write_bytes(PICTURE.read_bytes()[:9000])
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "game.mat").write_text(MAT)
    (folder / "latin.mat").write_bytes(MAT.replace("Ada", "Zoë").encode("latin-1"))
    (folder / "bytes.mat").write_bytes(bytes(range(256)) * 50)
    (folder / "film").mkdir()
    (folder / "film" / "recording.toml").write_text("[board]\n")
    (folder / "text.db").write_text("milk\n" * 1000)
    for name, text in SETTINGS.items():
        (folder / f"{name}.toml").write_bytes(text)
    (folder / "huge.toml").write_text("# milk\n" * 2_000_000)
    return folder


SETTINGS = {
    "no-toml": b"[match\n",
    "unknown-table": b"[matsch]\n",
    "unknown-key": b"[match]\nlenght = 5\n",
    "wrong-type": b'[match]\nlength = "five"\n',
    "negative": b"[match]\nlength = -5\n",
    "too-large": b"[camera]\nevery_ms = 999999\n",
    "corners": b"[board]\ncorners_px = [[0, 0], [1, 1]]\n",
    "not-a-table": b"match = 5\n",
    "too-deep": b"a = " + b"[" * 9000 + b"]" * 9000 + b"\n",
    "too-long-number": b"[match]\nlength = " + b"1" * 5000 + b"\n",
    "not-utf8": b'[match]\nwhite = "Zo\xeb"\n',
}


def film(path: Path) -> Path:
    """Twenty pictures of nothing."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (320, 240))
    for _ in range(20):
        writer.write(np.full((240, 320, 3), 90, np.uint8))
    writer.release()
    return path


WRONG_INPUT, WORK_FAILED = 2, 1
CASES = [
    (WRONG_INPUT, ["transcribe", "nowhere.mp4"], "not there"),
    (WRONG_INPUT, ["transcribe", "text.mp4"], "no film"),
    (WRONG_INPUT, ["transcribe", "\udcff.mp4"], "UTF-8"),
    (WRONG_INPUT, ["transcribe", "empty.mp4"], "no film"),
    (WORK_FAILED, ["transcribe", "torn.avi"], "copy it again"),
    (WRONG_INPUT, ["transcribe", "."], "recording.toml"),
    (WORK_FAILED, ["transcribe", "blank.avi"], "film the start position"),
    (WRONG_INPUT, ["transcribe", str(SHORT), "--mat", "nowhere/game.mat"], "make it first"),
    (WRONG_INPUT, ["transcribe", str(SHORT), "--sgf", "film"], "name a file"),
    (WRONG_INPUT, ["transcribe", str(SHORT), "--log", "text.txt/log"], "check the name"),
    (WRONG_INPUT, ["transcribe", str(SHORT), "--record", "nowhere/log.db"], "make it first"),
    (WRONG_INPUT, ["simulate", "nowhere.mat", "--out", "new"], "nowhere.mat"),
    (WRONG_INPUT, ["simulate", "bytes.mat", "--out", "new"], "bytes.mat"),
    (WRONG_INPUT, ["simulate", "latin.mat", "--out", "new"], "UTF-8"),
    (WRONG_INPUT, ["simulate", "game.mat", "--out", "film"], "name a new one"),
    (WRONG_INPUT, ["simulate", "game.mat", "--out", "text.txt"], "name a folder"),
    (WRONG_INPUT, ["simulate", "game.mat", "--out", "new", "--game", "9"], "the match has 1"),
    (WRONG_INPUT, ["simulate", "game.mat", "--out", "new", "--game", "one"], "--help"),
    (WRONG_INPUT, ["simulate", "game.mat"], "--out"),
    (WRONG_INPUT, ["play", "--settings", "nowhere.toml"], "blotlight setup"),
    (WRONG_INPUT, ["play", "--settings", "film"], "name a file"),
    (WRONG_INPUT, ["play", "--simulated", "--speed", "0"], "--speed"),
    *(
        (WRONG_INPUT, ["play", f"--{name}=1"], f"--{name} is for a simulated table")
        for name in ("game", "speed")
    ),
    (WRONG_INPUT, ["play", "--simulated", "nowhere.mat"], "nowhere.mat"),
    (WRONG_INPUT, ["doctor", "--settings", "unknown-key.toml"], "lenght"),
    (WRONG_INPUT, ["play", "--settings", "huge.toml"], "huge.toml"),
    *((WRONG_INPUT, ["play", "--settings", f"{name}.toml"], f"{name}.toml") for name in SETTINGS),
    (WRONG_INPUT, ["matches", "--matches", "nowhere"], "blotlight play"),
    (WORK_FAILED, ["matches", "--matches", "text.db"], "no record of matches"),
    (WRONG_INPUT, ["export", "last", "game.doc", "--matches", "nowhere"], "blotlight play"),
    (WRONG_INPUT, ["export", "last", "--all", "--matches", "nowhere"], "unrecognized arguments: --all"),
    (WRONG_INPUT, ["backup", "new.db", "--matches", "nowhere"], "blotlight play"),
    (WRONG_INPUT, ["report", "new.zip", "--minutes", "0"], "minutes"),
    (WRONG_INPUT, ["analyse", "--matches", "nowhere"], "blotlight play"),
    (WRONG_INPUT, ["read", "nowhere.jpg"], "check the name"),
    (WRONG_INPUT, ["read", "text.txt"], "no picture"),
    (WRONG_INPUT, ["read", "empty.jpg"], "no picture"),
    (WRONG_INPUT, ["read", "cut.jpg"], "cut short"),
    (WRONG_INPUT, ["read", str(PICTURE), "--corners", "1,2 3,4"], "four pairs"),
    (WRONG_INPUT, ["read", str(PICTURE), "--corners", "inf,2 3,4 5,6 7,8"], "inf,2"),
    (WRONG_INPUT, ["read", str(PICTURE), "--corners", "20,10 80,10 90,90 10,90"], "in pixels"),
    (WRONG_INPUT, ["read", str(PICTURE), "--bar", "0.1,0.9"], "leave out corners and bar"),
    (WRONG_INPUT, ["read", str(PICTURE), "--bar", "0.6,0.4"], "two fractions in the field"),
    (WRONG_INPUT, ["read", str(SHORT), "--overlay", "read.png"], "for a photograph only"),
    (WRONG_INPUT, ["read", "."], "or a file"),
    (WRONG_INPUT, ["read", str(PICTURE), "--overlay", "read.xyz"], ".png"),
    (WRONG_INPUT, ["read", str(PICTURE), "--overlay", "read.pgm"], ".png"),
    (WRONG_INPUT, ["read", str(PICTURE), "--overlay", "nowhere/read.png"], "make it first"),
    (WRONG_INPUT, ["read", str(PICTURE), "--overlay", "\udcff.jpg"], "UTF-8"),
    (WRONG_INPUT, ["simulate", "game.mat", "--out", "\udcff"], "UTF-8"),
    *((WRONG_INPUT, ["demo", "--speed", speed], "--speed") for speed in ("1e-320", "-1", "nan", "inf")),
    (WRONG_INPUT, ["demo", "--speed", "0", "--picture", "nowhere/demo.png"], "make it first"),
    (WRONG_INPUT, ["chances", "--svg", "nowhere/chances.svg"], "make it first"),
    (WRONG_INPUT, ["chances", "--gammons", "1.5"], "from 0 to 1"),
    (WRONG_INPUT, ["book", "77"], "77"),
    (WRONG_INPUT, ["laws", "mine"], "mine"),
    (WRONG_INPUT, ["laws", "modern", "--against", "russian-cady"], "of this kind: name one of hoyle"),
    (WRONG_INPUT, ["laws", "russian-cady", "--against", "modern"], "of this kind: name one of russian"),
    (WRONG_INPUT, ["dance"], "--help"),
    (WRONG_INPUT, [], "--help"),
]


@pytest.mark.parametrize(
    ("status", "arguments", "said"),
    CASES,
    ids=lambda one: " ".join(map(str, one)) if isinstance(one, list) else "",
)
def test_a_wrong_input_gets_one_sentence(status, arguments, said, things, monkeypatch, capfd):
    monkeypatch.chdir(things)
    before = contents(things)
    try:
        given = main(arguments)
    except SystemExit as stopped:
        given = stopped.code
    printed = capfd.readouterr()
    assert given == status
    assert printed.err.startswith("blotlight: ")
    assert printed.err.count("\n") == 1, printed.err
    assert said in printed.err
    assert "Errno" not in printed.err
    assert "Traceback" not in printed.err
    assert contents(things) == before


def contents(folder: Path) -> dict[str, int]:
    """Every file with its size."""
    return {str(path): path.stat().st_size for path in sorted(folder.rglob("*")) if path.is_file()}


def run(*arguments, environment=None, **more):
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "blotlight", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
        **more,
    )


def test_a_reader_that_has_enough_ends_the_command_quietly():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        ended = run("book", stdout=closed)
    assert ended.stderr == b""
    assert ended.returncode == 128 + 13


def test_a_full_disk_behind_the_output_is_named():
    with open("/dev/full", "wb") as full:
        ended = run("book", stdout=full)
    assert ended.returncode == 1
    assert ended.stderr.count(b"\n") == 1
    assert b"free some space" in ended.stderr or b"make room" in ended.stderr


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_a_terminal_without_utf_8_is_no_reason_to_stop(variables):
    ended = run("book", "31", environment=variables, stdout=subprocess.PIPE)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"8/5 6/5" in ended.stdout


def test_bytes_that_are_no_text_are_a_wrong_command_and_the_next_one_is_obeyed(tmp_path):
    ended = run(
        *("play", "--simulated", "--matches", str(tmp_path)),
        environment={"PYTHONIOENCODING": "utf-8:strict"},
        stdout=subprocess.PIPE,
        input=b"\xff\xfe\nquit\n",
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"is no command" in ended.stdout


def test_closed_standard_streams_are_no_reason_to_stop():
    script = f"exec {sys.executable} -m blotlight book 31 <&- >&-"
    ended = subprocess.run(["sh", "-c", script], cwd=ROOT, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_without_a_home_the_place_of_the_matches_is_asked_for(tmp_path):
    ended = run(
        "matches", environment={"HOME": "", "XDG_DATA_HOME": ""}, stdout=subprocess.PIPE, cwd=tmp_path
    )
    assert ended.returncode == 2
    assert ended.stderr.count(b"\n") == 1


def test_a_full_disk_costs_no_match_file(tmp_path):
    link = tmp_path / "game.mat"
    link.symlink_to("/dev/full")
    ended = run("transcribe", str(SHORT), "--mat", str(link), stdout=subprocess.PIPE)
    assert ended.returncode == 1
    assert ended.stderr.count(b"\n") == 1
    assert b"free some space" in ended.stderr
