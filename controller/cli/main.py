"""The command line of `blotlight`: its commands, and the exit status for each kind of error."""

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from controller.cli.terminal.completion import add_completion
from controller.errors import BlotlightError, InputError, os_error_sentence
from controller.record.match_record import MatchFileError
from controller.record.store import StoreError
from hardware.device_errors import HardwareError
from sentences import say
from vision.geometry import GeometryError

WORK_FAILED = 1
WRONG_INPUT = 2
COMMAND_MODULES = {
    "demo": ("controller.cli.demo", "add_demo"),
    "transcribe": ("controller.cli.transcribe", "add_transcribe"),
    "explain": ("controller.cli.recordings.explain", "add_explain"),
    "report": ("controller.cli.recordings.report", "add_report"),
    "book": ("controller.cli.book", "add_book"),
    "chances": ("controller.cli.chances", "add_chances"),
    "laws": ("controller.cli.laws", "add_laws"),
    "read": ("controller.cli.read", "add_read"),
    "setup": ("controller.cli.setup.setup_command", "add_setup"),
    "play": ("controller.cli.play", "add_play"),
    "club": ("controller.cli.club.club_command", "add_club"),
    "matches": ("controller.cli.matches.kept_match_commands", "add_kept_matches"),
    "export": ("controller.cli.matches.kept_match_commands", "add_kept_matches"),
    "show": ("controller.cli.matches.show", "add_show"),
    "backup": ("controller.cli.matches.backup", "add_backup"),
    "restore": ("controller.cli.matches.backup", "add_backup"),
    "analyse": ("controller.cli.matches.analyse", "add_analyse"),
    "doctor": ("controller.cli.doctor", "add_doctor"),
    "simulate": ("controller.cli.simulate", "add_simulate"),
}
"""The module of each command, and the function in it that adds the command to the parser.

Only the module of the command that was typed is imported: all together take longer than reading a photograph.
"""


class OneSentenceParser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong, and where the options are listed."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        problem = say("help_lists_all", problem=message, command=self.prog)
        self.exit(WRONG_INPUT, f"blotlight: {problem}\n")


class ShowVersion(argparse.Action):
    """Prints the version that is installed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Exit with status 0."""
        from controller.installed_version import installed_version

        print(f"blotlight {installed_version() or say('not_installed')}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0 when it succeeds, 2 for wrong input, 1 for work that failed."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = _parsed(arguments)
    try:
        return int(options.run(options) or 0)
    except BrokenPipeError:
        raise  # the reader of the output has closed it
    except (InputError, GeometryError, MatchFileError) as error:
        return _report(error, WRONG_INPUT)
    except (BlotlightError, HardwareError, StoreError, sqlite3.Error) as error:
        return _report(error, WORK_FAILED)
    except OSError as error:
        return _report(os_error_sentence(error), WORK_FAILED)
    except MemoryError:
        return _report(say("out_of_memory"), WORK_FAILED)
    except KeyboardInterrupt:
        return _report(say("stopped"), WORK_FAILED)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command. Files may also stand after them, which argparse alone does not take."""
    options, rest = argument_parser(*arguments[:1]).parse_known_args(arguments)
    if rest and getattr(options, "files", None) == [] and not any(one.startswith("-") for one in rest):
        options.files = list(map(Path, rest))
    elif rest:
        parser = OneSentenceParser(prog=f"blotlight {arguments[0]}")
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return options


def _report(error: object, status: int) -> int:
    print(f"blotlight: {error}", file=sys.stderr)
    return status


def argument_parser(typed: str = "") -> argparse.ArgumentParser:
    """The parser with the typed command only, or with all commands where `typed` is none of them."""
    parser: argparse.ArgumentParser = OneSentenceParser(
        prog="blotlight",
        description="Watches backgammon on a real board: referees it, records it, lights the points.",
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    wanted = [COMMAND_MODULES[typed]] if typed in COMMAND_MODULES else dict.fromkeys(COMMAND_MODULES.values())
    for module, add_command in wanted:
        getattr(import_module(module), add_command)(commands)
    add_completion(commands, parser)
    _describe_commands(parser)
    return parser


def _describe_commands(parser: argparse.ArgumentParser) -> None:
    """Let the help of each command begin with what the list of commands says of it."""
    for commands in parser._actions:
        if isinstance(commands, argparse._SubParsersAction):
            for listed in commands._choices_actions:
                command = commands.choices[listed.dest]
                command.description = f"{listed.help[:1].upper()}{listed.help[1:]}." if listed.help else None
                _describe_commands(command)
