"""The command `blotlight laws`: the answers of each set of laws, with the place in its text."""

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import TypeVar

from controller.errors import InputError
from controller.rules import ALL_LAWS, ENTERING_LAWS, LAWS, EnteringLaws, Laws
from controller.rules.entering.entering_laws import entering_answers
from controller.rules.laws.law_pages import answers
from sentences import say

LawSet = TypeVar("LawSet", Laws, EnteringLaws)


def add_laws(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    laws = commands.add_parser(
        "laws", help="list the sets of laws, or the answers of one set with their sources"
    )
    laws.add_argument("name", nargs="?", metavar="NAME", help="a set of laws; without it the sets are listed")
    laws.add_argument("--against", metavar="NAME", help="show only the answers in which this set differs")
    laws.add_argument("--json", action="store_true", help="print one JSON object an answer, or a set")
    laws.set_defaults(run=_run_laws)


def _run_laws(options: argparse.Namespace) -> None:
    if options.name is None:
        for name, each in ALL_LAWS.items():
            as_json = {"laws": name, "source": each.source}
            print(json.dumps(as_json) if options.json else f"{name:20}{each.source}")
        return
    if options.name in ENTERING_LAWS:
        _print_entering_laws(ENTERING_LAWS[options.name], options)
        return
    if options.name not in LAWS:
        raise InputError(say("no_such_laws", name=options.name, known=", ".join(ALL_LAWS)))
    other = _compared(options.against, LAWS)
    print("\n".join(_lines(LAWS[options.name], other, as_json=options.json)))


def _print_entering_laws(laws: EnteringLaws, options: argparse.Namespace) -> None:
    other = _compared(options.against, ENTERING_LAWS)
    differing = dict(entering_answers(other)) if other else {}
    for setting, answer in entering_answers(laws):
        if differing.get(setting) == answer:
            continue
        if options.json:
            print(json.dumps({"law": setting, "answer": answer, "where": laws.source}))
        else:
            print(f"{setting}: {answer}")
    if not options.json:
        print(f"    {laws.source}")


def _compared(name: str | None, known: Mapping[str, LawSet]) -> LawSet | None:
    """The set of laws to compare with, which must be of the same kind; None where none is named."""
    if name is not None and name not in known:
        raise InputError(say("laws_of_other_kind", name=name, known=", ".join(known)))
    return known[name] if name else None


def _lines(laws: Laws, other: Laws | None, *, as_json: bool) -> Iterator[str]:
    for question, answer, citation in answers(laws):
        if other and getattr(laws, question.law) == getattr(other, question.law):
            continue
        if as_json:
            yield json.dumps(
                {"law": question.law, "question": question.text, "answer": answer, "where": str(citation)}
            )
        else:
            yield f"{question.text} {answer[0].upper()}{answer[1:]}.\n    {citation}"
