"""Who may command the page: whoever holds its token, which stands in the QR code."""

import hmac
import io
import ipaddress
import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

import segno

from controller.errors import InputError
from sentences import say

DEFAULT_ADDRESS = "127.0.0.1:8017"
TOKEN_NAME = "page-token"
"""The file of the token, beside the matches. It outlives a restart, so that phones keep theirs."""
TOKEN_BYTES = 16
TOKEN_LENGTHS = range(20, 100)
"""Lengths in characters of a token that is accepted from the file."""


@dataclass(frozen=True, kw_only=True)
class PageAddress:
    """Where the page listens."""

    host: str
    port: int

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on every network of this computer."""
        return ipaddress.ip_address(self.host).is_unspecified

    @property
    def url(self) -> str:
        """The address for a browser. A page that listens everywhere gets this computer's address."""
        host = own_address() if self.is_everywhere else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


def parse_page_address(text: str) -> PageAddress:
    """The address in `HOST:PORT`, where HOST is an IP address. Raises InputError for other text."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]")
    try:
        ipaddress.ip_address(host)
        number = int(port)
    except ValueError:
        raise InputError(say("page_address_wrong", text=text, example=DEFAULT_ADDRESS)) from None
    if not 0 <= number <= 65535:
        raise InputError(say("page_address_wrong", text=text, example=DEFAULT_ADDRESS))
    return PageAddress(host=host, port=number)


def own_address() -> str:
    """The IP address of this computer in its network; 127.0.0.1 where there is no network.

    Nothing is sent: connecting a datagram socket only looks up the route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation, RFC 5737
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def kept_token(folder: Path) -> str:
    """The token of the page: the one kept in `folder`, or a new one, which is then kept there.

    Where it cannot be kept, it lasts as long as the program.
    """
    path = folder / TOKEN_NAME
    try:
        token = path.read_text(encoding="ascii").strip()
        if len(token) in TOKEN_LENGTHS and token.isprintable():
            return token
    except (OSError, UnicodeDecodeError):
        pass
    token = secrets.token_urlsafe(TOKEN_BYTES)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{token}\n")
    except OSError:
        pass
    return token


def is_same_token(given: str, token: str) -> bool:
    """Whether a browser's token is ours. The time that this takes tells nothing about the token."""
    return hmac.compare_digest(given.encode("utf-8", errors="replace"), token.encode())


def invitation(url: str, token: str) -> str:
    """The address that lets a browser command. What follows # never leaves the browser."""
    return f"{url}#token={token}"


def qr_lines(text: str) -> list[str]:
    """A QR code as lines of a terminal, and below it the text itself."""
    drawn = io.StringIO()
    segno.make(text, error="l").terminal(drawn, compact=True, border=2)
    return [*drawn.getvalue().rstrip("\n").split("\n"), text]


def qr_svg(text: str) -> str:
    """A QR code as an SVG drawing."""
    drawn = io.BytesIO()
    segno.make(text, error="l").save(
        drawn, kind="svg", xmldecl=False, border=3, dark="#000", light="#fff", scale=6
    )
    return drawn.getvalue().decode()
