"""The commands `blotlight backup` and `restore`: all matches as one file."""

import argparse
from contextlib import closing
from pathlib import Path

from controller.cli.matches.kept_match_commands import add_matches_options, log_of
from controller.cli.terminal.outputs import check_outputs
from controller.errors import InputError
from controller.record.safety.log_copies import back_up, restore
from controller.record.store import NoLog
from controller.service.matches.match_folder import LogLock
from sentences import say


def add_backup(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    backup = commands.add_parser("backup", help="copy all matches into one file")
    backup.add_argument("file", type=Path, metavar="FILE", help="the file to write, such as matches.db")
    add_matches_options(backup)
    backup.set_defaults(run=_run_backup)
    again = commands.add_parser(
        "restore", help="put the matches of a backup in the place of those that are kept"
    )
    again.add_argument("file", type=Path, metavar="FILE", help="the file that blotlight backup wrote")
    add_matches_options(again)
    again.set_defaults(run=_run_restore)


def _run_backup(options: argparse.Namespace) -> None:
    log = log_of(options)
    if not log.exists():
        raise InputError(say("no_matches_in_log", log=log))
    if options.file.exists():
        raise InputError(say("path_exists", path=options.file))
    check_outputs([options.file])
    n_matches = back_up(log, options.file)
    print(say("backed_up", n_matches=n_matches, file=options.file))


def _run_restore(options: argparse.Namespace) -> None:
    log = log_of(options, to_change=True)
    if not options.file.exists():
        raise InputError(say("path_missing", path=options.file))
    if options.file.is_dir():
        raise InputError(say("path_is_folder", path=options.file))
    with closing(LogLock(log, say("a_restore"))):
        try:
            aside = restore(options.file, log)
        except NoLog as problem:
            raise InputError(str(problem)) from None
    print(say("restored", file=options.file, log=log))
    if aside is not None:
        print(say("restored_aside", aside=aside))
