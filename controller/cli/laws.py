"""The command `blotlight laws`: the answers of each set of laws, with the place in its text."""

import argparse
import json
from collections.abc import Iterator

from controller.errors import InputError
from controller.rules import LAWS, Laws
from controller.rules.laws.law_pages import answers


def add_laws(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line."""
    laws = commands.add_parser(
        "laws", help="list the sets of laws, or the answers of one set with their sources"
    )
    laws.add_argument("name", nargs="?", help="a set of laws; without it the sets are listed")
    laws.add_argument("--against", metavar="NAME", help="show only the answers in which this set differs")
    laws.add_argument("--json", action="store_true", help="print one JSON object an answer")
    laws.set_defaults(run=_run_laws)


def _run_laws(options: argparse.Namespace) -> None:
    if options.name is None:
        print("\n".join(f"{name:16}{laws.source}" for name, laws in LAWS.items()))
        return
    laws = _law_set(options.name)
    other = _law_set(options.against) if options.against else None
    print("\n".join(_lines(laws, other, as_json=options.json)))


def _law_set(name: str) -> Laws:
    if name not in LAWS:
        raise InputError(f"The laws {name!r} are not known; there are: {', '.join(LAWS)}.")
    return LAWS[name]


def _lines(laws: Laws, other: Laws | None, *, as_json: bool) -> Iterator[str]:
    for question, answer, citation in answers(laws):
        if other and getattr(laws, question.law) == getattr(other, question.law):
            continue
        if as_json:
            yield json.dumps(
                {"law": question.law, "question": question.text, "answer": answer, "where": str(citation)}
            )
        else:
            yield f"{question.text} {answer.capitalize()}.\n    {citation}"
