"""The option `--club`: publish the board to a club's broker while a command watches it."""

import argparse
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from controller.commands.typed_commands import Names
from controller.errors import InputError
from controller.page.page_display import DisplayGroup, PageDisplay
from controller.perception.board_watcher import BoardWatcher
from controller.perception.orientation import Orientation
from sentences import say

DIRECTOR_WORD = "director"
"""The line by which people at the table ask for the director."""


def add_club_option(parser: argparse.ArgumentParser) -> None:
    """Add the option; `options.club` is the link, or None."""
    parser.add_argument(
        "--club", type=Path, metavar="LINK", help="publish the board by this link, made by `club init`"
    )


def open_club(
    link: Path | None,
    *,
    log: Path,
    names: Names,
    orientation: Orientation,
    watcher: BoardWatcher,
    display: DisplayGroup,
    tell: Callable[[str], None],
    cleaning: ExitStack,
) -> Callable[[list[str]], list[str]]:
    """Publish until `cleaning` ends, where there is a link.

    Returns a function that handles the typed lines that ask for the director, and returns the other lines.
    Raises InputError when the link cannot be used, or what it needs is not installed.
    """
    if link is None:
        return lambda lines: lines
    try:
        from controller.club.wire.board_publisher import BoardPublisher
        from controller.club.wire.club_link import load_link
    except ImportError:
        raise InputError(say("club_not_installed")) from None
    publisher = cleaning.enter_context(closing(BoardPublisher(load_link(link), log, names, tell)))
    shown = PageDisplay(publisher.publish)
    shown.watch(watcher, orientation, names)
    display.add(shown)
    cleaning.callback(display.remove, shown)

    def others(lines: list[str]) -> list[str]:
        left = [line for line in lines if line.strip().lower() != DIRECTOR_WORD]
        if len(left) < len(lines):
            publisher.call_director()
            tell(say("club_director_asked"))
        return left

    return others
