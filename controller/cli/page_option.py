"""The option `--page`: show the game on a page while a command watches it."""

import argparse
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.screen import Screen
from controller.page.page_access import (
    DEFAULT_ADDRESS,
    TOKEN_NAME,
    invitation,
    kept_token,
    parse_page_address,
    qr_lines,
)
from controller.page.page_display import DisplayGroup, PageDisplay
from controller.referee.words.sentences import Speech
from sentences import say

if TYPE_CHECKING:
    from controller.page.page_server import PageServer


def add_page_option(parser: argparse.ArgumentParser) -> None:
    """Add the option; `options.page` is the address of the page, or None."""
    parser.add_argument(
        "--page",
        nargs="?",
        const=DEFAULT_ADDRESS,
        metavar="HOST:PORT",
        help=f"show the game on a page for browsers; default: {DEFAULT_ADDRESS}, for this computer only",
    )


def open_page(
    address: str,
    *,
    speech: Speech,
    log: Path | None,
    may_command: bool,
    delay_s: float = 0.0,
    metrics: Callable[[], str] | None = None,
    display: DisplayGroup,
    screen: Screen,
    tell: Callable[[str], None],
    cleaning: ExitStack,
) -> "tuple[PageServer, PageDisplay]":
    """Serve the page until `cleaning` ends, and add it to the displays.

    log: the matches that it lists. may_command: whether people may give commands there and set the board
    up. delay_s: how much later spectators see the game, in seconds. metrics: gives the counters as text, if
    they are to be shown.
    Raises InputError when the address is malformed. When it cannot be used, `tell` gets the reason.
    """
    # The web server takes a fifth of a second to import, and no other command needs it.
    from controller.page.page_server import PageServer, PageSetup

    wanted = parse_page_address(address)
    token = kept_token(log.parent) if may_command and log is not None else None
    setup = PageSetup(
        speech=speech, log=log, token=token, may_set_up=may_command, delay_s=delay_s, metrics=metrics
    )
    server = cleaning.enter_context(closing(PageServer(wanted, setup, tell)))
    shown = PageDisplay(server.feed.publish)
    if server.address is None:
        return server, shown
    display.add(shown)
    url = server.address.url
    if token is None or log is None:
        tell(say("page_served", url=url))
    elif sys.stdout.isatty() and sys.stdin.isatty():
        screen.show_pages(qr_lines(invitation(url, token)))
    else:
        tell(say("page_served_for_token", url=url, file=log.parent / TOKEN_NAME))
    return server, shown
