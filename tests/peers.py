"""Programs of others that our own is compared with: used where they are installed.

With BLOTLIGHT_PEERS=require in the environment a missing one fails the test instead of skipping it.
"""

import os
import re
import shutil
import subprocess

import pytest

GAMES_FOLDER = "/usr/games"


def require_peer(present, package):
    """Skip the test, or fail it where peers are required, naming the package to install."""
    if present:
        return
    message = f"needs {package}, which is not installed"
    if os.environ.get("BLOTLIGHT_PEERS") == "require":
        pytest.fail(message)
    pytest.skip(message)


def gnubg_path():
    """The path of GNU Backgammon; skips the test when it is not installed (Debian: gnubg)."""
    path = shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + GAMES_FOLDER)
    require_peer(path is not None, "Debian's package gnubg")
    return path


def gnubg(commands, folder):
    """What GNU Backgammon prints when it is given `commands`, run in `folder`."""
    run = subprocess.run(
        [gnubg_path(), "-t", "-q", "-r"],
        input="\n".join([*commands, "exit", "y", ""]),
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return run.stdout + run.stderr


def through_gnubg(text, suffix, folder):
    """`text`, a .mat or .sgf file, as SGF that GNU Backgammon saves after reading it; analysis taken out."""
    (folder / f"given{suffix}").write_text(text, encoding="utf-8")
    read = {".mat": "import mat", ".sgf": "load match"}[suffix]
    said = gnubg([f"{read} given{suffix}", "save match saved.sgf"], folder)
    saved = folder / "saved.sgf"
    assert saved.exists(), said
    return re.sub(r"(?<=\])(GS|DA|A)(\[[^\]]*\])+", "", saved.read_text(encoding="utf-8"))
