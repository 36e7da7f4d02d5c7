"""The Debian package: its files, and what lintian says. `python -m tests.deb.clean_root` installs it."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tomllib

import pytest

from deb import build_deb
from tests.paths import ROOT
from tests.peers import require_peer


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    require_peer(shutil.which("dpkg-deb"), "dpkg-deb")
    return build_deb.build(tmp_path_factory.mktemp("built"), "0.1.0")


@pytest.fixture(scope="module")
def files(package):
    listed = subprocess.run(["dpkg-deb", "-c", str(package)], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return {row[5].removeprefix("."): (row[0], row[1]) for row in rows}


def test_every_module_is_in_it_and_nothing_that_is_not_installed(files):
    modules = {
        path.relative_to(ROOT)
        for folder in ("controller", "hardware", "sentences", "vision")
        for path in (ROOT / folder).rglob("*.py")
        if "training" not in path.parts
    }
    packed = {name for name in files if name.startswith("/usr/lib/blotlight/") and name.endswith(".py")}
    assert packed == {f"/usr/lib/blotlight/{path}" for path in modules} | {"/usr/lib/blotlight/blotlight.py"}


def test_the_data_of_pyproject_is_in_it(files):
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for package, patterns in named.items():
        folder = ROOT / package.replace(".", "/")
        for pattern in patterns if package != "*" else ():
            found = [
                path.relative_to(ROOT)
                for path in folder.glob(pattern)
                if path.is_file() and path.suffix != ".pyc"
            ]
            assert found, f"{package} has no {pattern}"
            for path in found:
                assert f"/usr/lib/blotlight/{path}" in files


@pytest.mark.parametrize("path", build_deb.INSTALLED_AS.values(), ids=str)
def test_what_the_machine_needs_is_in_its_place(files, path):
    assert f"/{path}" in files


def test_everything_belongs_to_root_and_only_the_command_is_run(files):
    assert {owner for _, owner in files.values()} == {"root/root"}
    run = {name for name, (mode, _) in files.items() if mode.startswith("-") and "x" in mode}
    assert run == {"/usr/bin/blotlight"}
    assert not [name for name, (mode, _) in files.items() if mode[8] == "w"]


def test_lintian_finds_no_error(package):
    require_peer(shutil.which("lintian"), "lintian")
    words = ["lintian", "--allow-root", "--fail-on", "error", str(package)]
    verdict = subprocess.run(words, capture_output=True, text=True)
    assert verdict.returncode == 0, verdict.stdout


def test_it_needs_nothing_but_debian(package):
    asked = ["dpkg-deb", "-f", str(package), "Architecture", "Depends"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert "Architecture: all" in told
    assert {
        "python3-numpy",
        "python3-opencv",
        "python3-serial",
        "python3-starlette",
        "python3-uvicorn",
    } <= set(told.replace(",", " ").split())


SYSTEM = ("systemd-sysusers", "install", "py3compile", "udevadm", "deb-systemd-helper", "deb-systemd-invoke")
"""Programs that a script asks to change the system. Here they only note how they are called."""


@pytest.fixture
def script_on_a_pi(tmp_path):
    """Runs a script of the package on a machine below tmp_path, on which the service never becomes ready.

    It gives the calls of SYSTEM.
    """
    programs, calls = tmp_path / "bin", tmp_path / "calls"
    programs.mkdir()
    calls.touch()
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    (tmp_path / "usr/lib/blotlight").mkdir(parents=True)
    for name in SYSTEM:
        (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >> {calls}\n')
    (programs / "systemctl").write_text('#!/bin/sh\n[ "$2" != is-active ]\n')
    for program in programs.iterdir():
        program.chmod(0o755)

    def run(name, *arguments):
        text = (build_deb.SOURCES / name).read_text()
        for folder in ("/var/", "/run/", "/usr/lib/"):
            text = text.replace(folder, f"{tmp_path}{folder}")
        environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
        subprocess.run(["sh", "-c", text, name, *arguments], env=environment, check=True)
        return calls.read_text().splitlines()

    return run


def log_of_version(path, version, *, killed=False):
    """Write a log whose tables are of this version; `killed` leaves the change in the write-ahead log."""
    script = f"""if True:
        import os, sqlite3
        db = sqlite3.connect({str(path)!r})
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA user_version={version}")
        os.kill(os.getpid(), {int(signal.SIGKILL)}) if {killed} else db.close()
    """
    subprocess.run([sys.executable, "-c", script], check=not killed)


def version_of(path):
    db = sqlite3.connect(path)
    ((version,),) = db.execute("PRAGMA user_version")
    db.close()
    return version


@pytest.mark.parametrize("killed", [False, True], ids=["failed", "killed by the watchdog"])
def test_the_version_before_gets_its_matches_back_when_the_new_one_changed_their_tables(
    script_on_a_pi, tmp_path, killed
):
    kept, used = (tmp_path / "var" / place for place in ("backups/blotlight", "lib/blotlight"))
    for folder in (kept / "previous", kept / "matches", used):
        folder.mkdir(parents=True)
    for folder in (kept / "matches", used):
        log_of_version(folder / "blotlight.db", 5)
    log_of_version(used / "blotlight.db", 6, killed=killed)
    script_on_a_pi("postinst", "configure", "0.1.0")
    assert (kept / "in-use").exists()
    assert version_of(used / "blotlight.db") == 5


@pytest.mark.parametrize("words", [("abort-upgrade", "0.1.1"), ("abort-remove",)], ids=lambda words: words[0])
def test_after_an_update_that_was_broken_off_the_service_runs_on(script_on_a_pi, words):
    assert script_on_a_pi("postinst", *words) == ["deb-systemd-invoke start blotlight.service"]


def test_a_version_that_a_cut_off_update_left_in_pieces_is_not_kept(script_on_a_pi, tmp_path):
    code, kept = tmp_path / "usr/lib/blotlight", tmp_path / "var/backups/blotlight/previous"
    (code / "blotlight.py").write_text("whole")
    script_on_a_pi("preinst", "upgrade", "0.1.0")
    (code / "blotlight.py").write_text("in pieces")
    (code / "0.1.1").mkdir()
    (code / "0.1.1/METADATA.dpkg-new").touch()
    script_on_a_pi("preinst", "upgrade", "0.1.0")
    assert (kept / "blotlight.py").read_text() == "whole"
    (code / "blotlight.py").write_text("whole again")
    script_on_a_pi("postinst", "configure", "0.1.0")
    (kept.parent / "in-use").unlink(missing_ok=True)
    assert not (code / "0.1.1").exists()
    script_on_a_pi("preinst", "upgrade", "0.1.1")
    assert (kept / "blotlight.py").read_text() == "whole again"
