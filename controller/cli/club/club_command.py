"""The command `blotlight club`: the hall of many boards, and the files of its broker."""

import argparse
import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.errors import InputError
from controller.page.page_access import (
    DEFAULT_ADDRESS,
    invitation,
    kept_token,
    own_address,
    parse_page_address,
)
from controller.service.matches.match_folder import matches_folder, own_folder
from controller.service.shutdown import stop_asked
from sentences import say

STORE_NAME = "hall.db"
"""The file of the hall's store, beside the matches of this computer."""


def add_club(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    club = commands.add_parser("club", help="many boards in a hall: one page, tournaments, a broker")
    parts = club.add_subparsers(required=True, metavar="PART")
    init = parts.add_parser("init", help="make the files of a mosquitto broker: TLS, users, access rules")
    init.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder for them")
    init.add_argument("--boards", type=int, default=16, metavar="N", help="how many boards; default: 16")
    init.add_argument(
        "--host",
        action="append",
        metavar="NAME",
        help="name or number of the broker's computer; more than once for all of them",
    )
    init.add_argument("--port", type=int, default=8883, help="default: 8883")
    init.set_defaults(run=_run_init)
    hall = parts.add_parser("hall", help="open the hall: the page of all boards, and the tournaments")
    hall.add_argument(
        "link", type=Path, metavar="LINK", help="links/hall.toml of the folder that init has made"
    )
    hall.add_argument("--boards", type=int, default=16, metavar="N", help="how many boards; default: 16")
    hall.add_argument("--store", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME")
    hall.add_argument(
        "--page", default=DEFAULT_ADDRESS, metavar="HOST:PORT", help=f"default: {DEFAULT_ADDRESS}"
    )
    hall.add_argument(
        "--delay", type=float, default=0.0, metavar="S", help="seconds that spectators see everything late"
    )
    hall.set_defaults(run=_run_hall)


@contextmanager
def _club_installed() -> Iterator[None]:
    """Report a failed import in the block as a missing club installation. Late imports save time."""
    try:
        yield
    except ImportError:
        raise InputError(say("club_not_installed")) from None


def _run_init(options: argparse.Namespace) -> None:
    """Make the files, and say what comes next."""
    with _club_installed():
        from controller.club.wire.broker_files import write_broker_files

    hosts = options.host or [socket.gethostname(), own_address()]
    links = write_broker_files(options.folder, hosts, options.boards, port=options.port)
    print(say("club_made", folder=options.folder, n_links=len(links)))
    print(say("club_start_broker", file=options.folder / "mosquitto.conf"))
    print(say("club_open_hall", file=options.folder / "links" / "hall.toml", n=options.boards))
    print(say("club_give_links", folder=options.folder))


def _run_hall(options: argparse.Namespace) -> None:
    """Keep the hall open until a signal."""
    with _club_installed():
        from controller.club.hall.hall_server import OpenHall
        from controller.club.hall.live_boards import LONGEST_DELAY_S
        from controller.club.hall_store.store_of_hall import sqlite_url
        from controller.club.wire.broker_files import board_names
        from controller.club.wire.club_link import load_link

    if not 0 <= options.delay <= LONGEST_DELAY_S:
        raise InputError(say("club_delay", most=round(LONGEST_DELAY_S)))
    folder = own_folder(matches_folder(None, os.environ), os.environ)
    folder.mkdir(parents=True, exist_ok=True)
    token = kept_token(folder)
    with stop_asked() as stop:
        hall = OpenHall(
            store_url=options.store or sqlite_url(folder / STORE_NAME),
            link=load_link(options.link),
            address=parse_page_address(options.page),
            boards=board_names(options.boards),
            token=token,
            delay_s=options.delay,
        )
        with closing(hall):
            print(say("club_open_at", url=hall.address.url), flush=True)
            print(say("club_direct_at", url=invitation(hall.address.url, token)), flush=True)
            hall.wait(stop, lambda sentence: print(sentence, flush=True))
