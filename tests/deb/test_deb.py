"""The Debian package: its files, and what lintian says. `python -m tests.deb.clean_root` installs it."""

import shutil
import subprocess
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
