"""A real PostgreSQL for tests: Debian's, in a folder of its own, gone with the test."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.peers import require_peer

DEBIAN = Path("/usr/lib/postgresql")


def _program(name):
    found = sorted(DEBIAN.glob(f"*/bin/{name}")) or [Path(path) for path in [shutil.which(name)] if path]
    require_peer(bool(found), "Debian's package postgresql")
    return str(found[-1])


@contextmanager
def postgres(folder):
    """The URL of an empty database that listens on a socket in `folder` alone.

    PostgreSQL refuses to run as root; then it runs as the user `postgres` that its package has made.
    """
    initdb, control = _program("initdb"), _program("pg_ctl")
    data, user = folder / "pg", {}
    data.mkdir()
    if os.geteuid() == 0:
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        for path in (data, folder):
            shutil.chown(path, "postgres", "postgres")
        for path in folder.parents:
            if path.stat().st_mode & 0o001 == 0:
                path.chmod(path.stat().st_mode | 0o001)

    def run(*command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder, **user)
        assert done.returncode == 0, done.stdout + done.stderr

    run(initdb, "-D", str(data), "-A", "trust", "-U", "hall", "--no-sync", "-E", "UTF8", "--locale=C")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run(control, "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://hall@/postgres?host={folder}"
    finally:
        run(control, "-D", str(data), "-m", "immediate", "-w", "stop")


def emptied(url):
    """Take everything out of a database."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
