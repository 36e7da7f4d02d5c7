"""The files of a mosquitto broker for a club: configuration, certificates, users and their access rights."""

import base64
import hashlib
import re
import secrets
import shutil
import subprocess
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.club.wire.board_messages import BOARDS_TOPIC, HAVE_TOPIC
from controller.club.wire.board_state import HOME_ASSISTANT
from controller.errors import InputError, WorkError
from sentences import say

HALL_USER, HOME_USER = "hall", "homeassistant"
DEFAULT_PORT = 8883
LARGEST_PORT = 65_535
HOST_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}")
MOST_BOARDS = 1000
PASSWORD_BYTES = 18
HASH_ROUNDS = 101
"""Rounds of PBKDF2, the number that mosquitto_passwd uses. Passwords of 144 random bits need no more."""
SALT_BYTES = 12
DAYS = 3650
"""How long the certificates are valid: ten years. A club renews them by making new files."""

CONFIGURATION = """\
# Made by `blotlight club init`. Start it by: mosquitto -c {folder}/mosquitto.conf
per_listener_settings false
listener {port}{bound}
cafile {folder}/ca.crt
certfile {folder}/broker.crt
keyfile {folder}/broker.key
tls_version tlsv1.2
allow_anonymous false
password_file {folder}/users
acl_file {folder}/access

# Messages and sessions outlive a restart.
persistence true
persistence_location {folder}/data/
autosave_interval 30

# One message of a board has a few hundred bytes; a hall that is away for an evening catches up.
message_size_limit 65536
max_queued_messages 100000
max_inflight_messages 1000
max_keepalive 120
"""
ACCESS = """\
# A board writes as itself alone: %u is its user name.
pattern write {boards}/%u/status
pattern write {boards}/%u/state
pattern write {boards}/%u/health
pattern write {boards}/%u/log
pattern write {boards}/%u/call
pattern write {home}
pattern read {have}/%u

user {hall_user}
topic read {boards}/#
topic write {boards}/+/call
topic write {have}/#

user {home_user}
topic read {boards}/#
topic read homeassistant/#
topic readwrite homeassistant/status
"""


def write_broker_files(
    folder: Path,
    hosts: Sequence[str],
    n_boards: int,
    *,
    port: int = DEFAULT_PORT,
    bind: str | None = None,
) -> list[Path]:
    """Write the files into a new or empty folder.

    hosts: names and IP addresses of the broker's computer; the link files use the first. bind: the address on
    which the broker listens, None for all. Returns the link files of the hall, each board and Home Assistant.
    Raises InputError when the folder is not empty, a host is none, or n_boards or port is out of range;
    WorkError when the certificates cannot be made. The folder is then as before.
    """
    if not 1 <= n_boards <= MOST_BOARDS:
        raise InputError(say("club_wrong_number", most=MOST_BOARDS))
    if not 1 <= port <= LARGEST_PORT:
        raise InputError(say("club_wrong_port", most=LARGEST_PORT))
    for host in hosts:
        if not HOST_NAME.fullmatch(host) and not _is_number(host):
            raise InputError(say("club_wrong_host", host=host))
    if folder.exists() and any(folder.iterdir()):
        raise InputError(say("club_folder_full", folder=folder))
    folder = folder.resolve()
    with TemporaryDirectory() as workshop:
        _make_certificates(Path(workshop), hosts)
        for part in (folder, folder / "data", folder / "links"):
            part.mkdir(parents=True, exist_ok=True)
            part.chmod(0o700)
        for name in ("ca.crt", "broker.crt", "broker.key"):
            shutil.copy(Path(workshop, name), folder)
    users = [HALL_USER, *board_names(n_boards), HOME_USER]
    passwords = {user: secrets.token_urlsafe(PASSWORD_BYTES) for user in users}
    _write_secret(folder / "users", "".join(f"{user}:{_hashed(passwords[user])}\n" for user in users))
    home = HOME_ASSISTANT.format(board="%u")
    access = ACCESS.format(
        boards=BOARDS_TOPIC, have=HAVE_TOPIC, home=home, hall_user=HALL_USER, home_user=HOME_USER
    )
    _write_secret(folder / "access", access)
    bound = f" {bind}" if bind else ""
    _write_secret(folder / "mosquitto.conf", CONFIGURATION.format(folder=folder, port=port, bound=bound))
    ca = (folder / "ca.crt").read_text(encoding="ascii")
    links = []
    for user in users:
        link = folder / "links" / f"{user}.toml"
        _write_secret(
            link,
            f'[broker]\nhost = "{hosts[0]}"\nport = {port}\nuser = "{user}"\n'
            f'password = "{passwords[user]}"\nca = """\n{ca}"""\n',
        )
        links.append(link)
    return links


def board_names(n_boards: int) -> list[str]:
    """The user names of the boards: board-01, board-02, ..."""
    width = max(2, len(str(n_boards)))
    return [f"board-{number:0{width}}" for number in range(1, n_boards + 1)]


def _hashed(password: str) -> str:
    """A password as mosquitto stores it: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, HASH_ROUNDS)
    encoded = [base64.b64encode(part).decode() for part in (salt, digest)]
    return f"$7${HASH_ROUNDS}${encoded[0]}${encoded[1]}"


def _write_secret(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def _make_certificates(folder: Path, hosts: Sequence[str]) -> None:
    """Make an own certificate authority and the broker's certificate, in a folder for nothing else."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(DAYS))
    names = ",".join(f"{'IP' if _is_number(host) else 'DNS'}:{host}" for host in hosts)
    authority = ("-addext", "keyUsage=critical,keyCertSign,cRLSign", "-subj", "/CN=Blotlight club")
    _openssl(folder, "req", "-x509", *curve, "-keyout", "ca.key", "-out", "ca.crt", *authority)
    _openssl(folder, "req", *curve, "-keyout", "broker.key", "-out", "broker.csr", "-subj", "/CN=broker")
    extension = folder / "broker.ext"
    extension.write_text(
        f"subjectAltName={names}\nextendedKeyUsage=serverAuth\nbasicConstraints=critical,CA:FALSE\n"
        "keyUsage=critical,digitalSignature\nauthorityKeyIdentifier=keyid\n",
        encoding="ascii",
    )
    signing = ("-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", str(DAYS))
    _openssl(
        folder, "x509", "-req", "-in", "broker.csr", "-out", "broker.crt", *signing, "-extfile", "broker.ext"
    )
    (folder / "broker.key").chmod(0o600)


def _is_number(host: str) -> bool:
    """Whether it is an IP address. One with a zone, which names a network card of one computer, is none."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return "%" not in host


def _openssl(folder: Path, *arguments: str) -> None:
    try:
        done = subprocess.run(
            ["openssl", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60
        )
    except FileNotFoundError:
        raise WorkError(say("club_no_openssl")) from None
    if done.returncode:
        raise WorkError(say("club_openssl_failed", reason=done.stderr.strip().splitlines()[-1]))
