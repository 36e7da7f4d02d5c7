"""Installs Blotlight in a clean Debian as the README says; updates, rolls back, removes and purges it there.

    python -m tests.deb.clean_root bookworm

Needs root, git and mmdebstrap. What the package only recommends is left out. systemd does not run there:
tests/deb/stand_in_systemctl.py runs the unit.
--tree: a .tar of the root, used where it exists and written where it does not.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from deb import build_deb
from tests.paths import ROOT

HERE = Path(__file__).resolve().parent
MOST_LINES = 3
"""Lines that the README asks people to type until the first roll is recorded."""
PAGE = "http://127.0.0.1:18017/"
LONG_MATCH = ROOT / "tests" / "data" / "engine" / "matches" / "m03_03.mat"
"""Its first game takes 17 minutes at the speed of the drop-in, longer than the service has to run."""
MATCH = """ 5 point match

 Game 1
 Ada : 0    Bert : 0
  1) 31: 8/5 6/5    52: 13/8 13/11
  2) 61: 13/7 8/7   43: 24/20 13/10
"""
TABLE = """[Service]
ExecStart=
ExecStart=/usr/bin/blotlight play --simulated /opt/long.mat --speed 0.3 --page 127.0.0.1:18017
"""
BROKEN = '''
def add_play(commands):
    """A version that changes the tables of the log and then fails."""
    import sqlite3, pathlib
    play = commands.add_parser("play")
    play.add_argument("rest", nargs="*")
    for option in ("--simulated", "--speed", "--page"):
        play.add_argument(option)
    def run(options):
        db = sqlite3.connect("/var/lib/blotlight/simulated.db")
        db.execute("PRAGMA user_version=99")
        db.close()
        return 1
    play.set_defaults(run=run)
'''


class CleanRoot:
    """A clean Debian in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told = ""
        """What the last command printed."""

    def run(self, *command: str, must: bool = True) -> str:
        """What a command in the root prints, errors too."""
        environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "DEBIAN_FRONTEND": "noninteractive",
            "LC_ALL": "C.UTF-8",
        }
        done = subprocess.run(
            ["chroot", str(self.folder), *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.told = done.stdout
        if must and done.returncode:
            sys.exit(f"{' '.join(command)} failed with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def apt(self, *words: str) -> str:
        return self.run("apt-get", "-qq", "-y", "--allow-downgrades", *words)

    def type(self, line: str, must: bool = True) -> str:
        """What a line prints that the user pi types, who has just logged in."""
        return self.run("runuser", "-l", "pi", "-c", line, must=must)

    def install(self, package: Path) -> str:
        shutil.copy(package, self.folder / "opt")
        return self.apt("install", f"/opt/{package.name}")

    def path(self, name: str) -> Path:
        return self.folder / name.lstrip("/")


def is_so_in_good_time(holds: Callable[[], bool], wait_s: float = 60) -> bool:
    give_up_s = time.monotonic() + wait_s
    while time.monotonic() < give_up_s:
        if holds():
            return True
        time.sleep(0.5)
    return False


def page_answers(wait_s: float = 60) -> bool:
    """Whether the page is served."""

    def answers() -> bool:
        try:
            with urllib.request.urlopen(PAGE, timeout=10) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    return is_so_in_good_time(answers, wait_s)


def readme_lines() -> list[str]:
    """The lines that the README asks people to type on a Pi, without their comments."""
    blocks = (ROOT / "README.md").read_text().split("```")[1::2]
    (block,) = [block for block in blocks if "make -C blotlight install" in block]
    return [line.partition("  #")[0].strip() for line in block.strip().splitlines()]


def packages(folder: Path) -> dict[str, Path]:
    """Three later versions, of which 0.1.2 does not become ready."""
    found = {version: build_deb.build(folder, version) for version in ("0.1.1", "0.1.3")}
    tree = folder / "broken"
    build_deb.lay_out(tree, "0.1.2")
    (tree / "usr/lib/blotlight/controller/cli/play.py").write_text(BROKEN)
    found["0.1.2"] = build_deb.pack(tree, folder / "blotlight_0.1.2_all.deb")
    return found


def prove(root: CleanRoot, built: dict[str, Path], say: Callable[[str], None]) -> None:
    """The whole life of the package on one machine."""

    def expect(what: str, is_so: bool) -> None:
        say(f"{'ok' if is_so else 'FAILED'}: {what}")
        if not is_so:
            journal = root.path("/run/stand-in/journal")
            said = journal.read_text()[-3000:] if journal.exists() else "the service was never started"
            sys.exit(f"{root.told[-3000:]}\n{said}")

    def version() -> str:
        return root.run("blotlight", "--version").strip()

    lines = readme_lines()
    for line in lines:
        told = root.type(line.replace("ADDRESS", "file:///opt/blotlight.git"))
    expect("installed, started, and the page answers", page_answers())
    token = root.path("/var/lib/blotlight/page-token").read_text().strip()
    expect("the address that lets a browser command is told", f":8017/#token={token}\n" in told)
    show = "blotlight show 1 --matches /var/lib/blotlight/simulated.db"

    def is_roll_recorded() -> bool:
        return re.search(r"1\) .*\b[1-6]{2}: ", root.type(show, must=False)) is not None

    expect(
        f"{len(lines)} lines of the README lead to the first recorded roll",
        len(lines) <= MOST_LINES and is_so_in_good_time(is_roll_recorded, 300),
    )
    outsider = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups")
    told = root.run(*outsider, *show.split(), must=False)
    expect("others do not read the matches", "Ada" not in told and "Traceback" not in told)
    told = root.type("blotlight play --simulated /opt/match.mat --speed 8")
    own = root.path("/home/pi/.local/share/blotlight/simulated.db")
    expect("what a user plays is kept in his own place", "belong to the service" in told and own.exists())
    root.install(built["0.1.1"])
    expect("updated, and the page answers", version() == "blotlight 0.1.1" and page_answers())
    told = root.install(built["0.1.2"])
    expect("a version that does not become ready is said", "did not become ready" in told)
    expect("the version before runs again", version() == "blotlight 0.1.1" and page_answers())
    expect("with the matches as it left them", is_roll_recorded())
    root.install(built["0.1.3"])
    expect("the next version is taken", version() == "blotlight 0.1.3" and page_answers())
    camera = root.run("blotlight", "doctor", must=False)
    expect("picamera2 fits Debian's numpy", "gives pictures" in camera)
    expect(
        "the settings can be written by the page",
        root.path("/etc/blotlight").stat().st_mode & 0o7777 == 0o2775,
    )
    root.apt("remove", "blotlight")
    expect(
        "removed, and nothing runs or lies about",
        not page_answers(1) and not root.path("/usr/lib/blotlight").exists(),
    )
    expect("the matches stay", root.path("/var/lib/blotlight/simulated.db").exists())
    told = root.apt("purge", "blotlight")
    expect(
        "purged",
        not root.path("/etc/blotlight").exists() and not root.path("/var/backups/blotlight").exists(),
    )
    expect("and told where the matches stay", "The matches stay in /var/lib/blotlight" in told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", choices=("bookworm", "trixie"))
    parser.add_argument("--tree", type=Path)
    options = parser.parse_args()
    if "BLOTLIGHT_UNSHARED" not in os.environ:  # mounts that vanish with this program
        os.environ["BLOTLIGHT_UNSHARED"] = "1"
        os.execvp(
            "unshare",
            ["unshare", "--mount", "--", sys.executable, "-m", "tests.deb.clean_root", *sys.argv[1:]],
        )
    with tempfile.TemporaryDirectory(prefix="blotlight-root-", ignore_cleanup_errors=True) as place:
        folder = Path(place) / "root"
        make_root(options.suite, folder, options.tree)
        root = CleanRoot(folder)
        furnish(root)
        try:
            prove(root, packages(Path(place)), lambda line: print(line, flush=True))
        finally:
            root.run("systemctl", "stop", "blotlight.service", must=False)
            for mounted in ("dev", "proc"):  # before the folder is deleted
                subprocess.run(["umount", "--recursive", "--lazy", str(folder / mounted)], check=True)


def make_root(suite: str, folder: Path, tree: Path | None) -> None:
    if tree is None or not tree.exists():
        target = tree or folder
        needed = "systemd,passwd,python3-dev,python3-numpy,gcc,libc6-dev,ca-certificates"
        subprocess.run(
            ["mmdebstrap", "--mode=root", "--variant=apt", f"--include={needed}", suite, str(target)],
            check=True,
            stderr=subprocess.DEVNULL,
        )
    if tree is not None:
        folder.mkdir()
        subprocess.run(["tar", "-C", str(folder), "-xf", str(tree)], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", str(folder / "proc")], check=True)
    subprocess.run(["mount", "--rbind", "/dev", str(folder / "dev")], check=True)


def furnish(root: CleanRoot) -> None:
    """Put a simulated table, the stand-in of systemctl and a camera's library there."""
    root.path("/run/systemd/system").mkdir(parents=True, exist_ok=True)
    drop_in = root.path("/etc/systemd/system/blotlight.service.d/table.conf")
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text(TABLE)
    root.path("/opt/match.mat").write_text(MATCH)
    shutil.copy(LONG_MATCH, root.path("/opt/long.mat"))
    shutil.copy("/etc/resolv.conf", root.path("/etc/resolv.conf"))
    root.path("/etc/apt/apt.conf.d/50short").write_text('APT::Install-Recommends "false";\n')
    root.run("apt-get", "-qq", "update")
    root.apt("install", "gcc", "libc6-dev", "python3-dev", "python3-numpy", "sudo", "systemd")
    root.run("useradd", "--create-home", "--shell", "/bin/bash", "pi")
    root.path("/etc/sudoers.d/pi").write_text("pi ALL=(ALL) NOPASSWD: ALL\n")
    clone = ["git", "clone", "--quiet", "--bare", "--depth", "1", f"file://{ROOT}"]
    trusting = root.path("/opt/gitconfig")  # the sources may belong to another user
    trusting.write_text("[safe]\ndirectory = *\n")
    environment = os.environ | {"GIT_CONFIG_GLOBAL": str(trusting)}
    subprocess.run([*clone, str(root.path("/opt/blotlight.git"))], check=True, env=environment)
    root.run("chown", "-R", "pi:", "/opt/blotlight.git")
    systemctl = root.path("/usr/bin/systemctl")  # apt gives scripts a path of its own, so it takes that place
    shutil.copy(HERE / "stand_in_systemctl.py", systemctl)
    systemctl.chmod(0o755)
    stub = root.path("/usr/lib/python3/dist-packages/picamera2")
    shutil.copytree(HERE / "picamera2_stub", stub)
    include = root.run(
        "python3", "-c", "import numpy, sysconfig; print(numpy.get_include(), sysconfig.get_path('include'))"
    )
    paths = [f"-I{path}" for path in include.split()]
    where = "/usr/lib/python3/dist-packages/picamera2"
    root.run("gcc", "-shared", "-fPIC", "-O1", *paths, f"{where}/_frames.c", "-o", f"{where}/_frames.so")


if __name__ == "__main__":
    main()
