"""The command `blotlight laws`: what each set of laws says, and where its text says so."""

import argparse
import json
from collections.abc import Iterator

from controller.errors import InputError
from controller.rules import LAWS, Laws
from controller.rules.laws.law_pages import answers


def add_laws(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line."""
    laws = commands.add_parser("laws", help="the sets of laws, and what each says where")
    laws.add_argument("name", nargs="?", help="one set, for all its answers")
    laws.add_argument("--against", metavar="NAME", help="only where the two sets differ")
    laws.add_argument("--json", action="store_true", help="one JSON object an answer")
    laws.set_defaults(run=_run_laws)


def _run_laws(options: argparse.Namespace) -> None:
    if options.name is None:
        print("\n".join(f"{name:16}{laws.source}" for name, laws in LAWS.items()))
        return
    laws = _called(options.name)
    other = _called(options.against) if options.against else None
    print("\n".join(_lines(laws, other, as_json=options.json)))


def _called(name: str) -> Laws:
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
