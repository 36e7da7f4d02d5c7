"""The option `--words`: how a command speaks of throws, points and plays."""

import argparse

from controller.referee.words.sentences import Speech


def add_words_option(parser: argparse.ArgumentParser) -> None:
    """Add the option; `options.words` is then a Speech."""
    parser.add_argument(
        "--words",
        type=Speech,
        default=Speech.PLAIN,
        metavar="plain|old",
        help="name throws and points in numbers, or as the old books do",
    )
