#!/usr/bin/python3
"""Stands in for systemctl where systemd is not the first process: runs the ExecStart of Blotlight's unit.

It starts the program as the user of the unit, tells it where to report READY=1 and waits for that, as the
type `notify` asks. What the program says goes to /run/stand-in/journal.
"""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

UNIT = "blotlight.service"
FILES = (Path("/usr/lib/systemd/system") / UNIT, Path(f"/etc/systemd/system/{UNIT}.d/table.conf"))
WANTED = Path("/etc/systemd/system/multi-user.target.wants") / UNIT
PLACE = Path("/run/stand-in")
NOTIFY, PROCESS, READY = PLACE / "notify", PLACE / "process", PLACE / "ready"


def settings() -> dict[str, str]:
    """The last value of each setting of the unit and its drop-in."""
    found = {}
    for file in FILES:
        if file.exists():
            found |= dict(re.findall(r"^(\w+)=(.+)$", file.read_text(), flags=re.MULTILINE))
    return found


def is_running() -> bool:
    if not PROCESS.exists():
        return False
    try:
        state = Path(f"/proc/{PROCESS.read_text()}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def stop() -> int:
    if is_running():
        process = int(PROCESS.read_text())
        os.kill(process, signal.SIGTERM)
        give_up_s = time.monotonic() + 60
        while is_running() and time.monotonic() < give_up_s:
            time.sleep(0.1)
        if is_running():
            os.kill(process, signal.SIGKILL)
    READY.unlink(missing_ok=True)
    return 0


def start() -> int:
    stop()
    unit = settings()
    PLACE.mkdir(exist_ok=True)
    NOTIFY.unlink(missing_ok=True)
    given = dict(pair.split("=", 1) for pair in shlex.split(unit.get("Environment", "")))
    environment = {
        "PATH": os.environ["PATH"],
        "NOTIFY_SOCKET": str(NOTIFY),
        "STATE_DIRECTORY": f"/var/lib/{unit['StateDirectory']}",
        **given,
    }
    user = ["setpriv", "--reuid", unit["User"], "--regid", unit["Group"], "--init-groups"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line, (PLACE / "journal").open("ab") as journal:
        line.bind(str(NOTIFY))
        NOTIFY.chmod(0o777)
        line.settimeout(1)
        program = subprocess.Popen(
            [*user, *shlex.split(unit["ExecStart"])],
            cwd="/",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=journal,
            stderr=journal,
            umask=int(unit["UMask"], 8),
            start_new_session=True,
        )
        PROCESS.write_text(str(program.pid))
        give_up_s = time.monotonic() + 300  # a slow machine that does other things
        while time.monotonic() < give_up_s and program.poll() is None:
            try:
                told = line.recv(1000)
            except TimeoutError:
                continue
            if b"READY=1" in told:
                READY.touch()
                return 0
    stop()
    return 1


def main() -> int:
    asked = [word for word in sys.argv[1:] if not word.startswith("-")]
    if asked[:1] == ["is-enabled"]:
        print("enabled" if WANTED.is_symlink() else "disabled")
        return 0 if WANTED.is_symlink() else 1
    if asked[:1] in (["enable"], ["preset"]):
        WANTED.parent.mkdir(parents=True, exist_ok=True)
        WANTED.unlink(missing_ok=True)
        WANTED.symlink_to(FILES[0])
        return 0
    if asked[:1] == ["is-active"]:
        return 0 if READY.exists() and is_running() else 3
    if asked in (["start", UNIT], ["restart", UNIT]):
        return start()
    if asked == ["stop", UNIT]:
        return stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
