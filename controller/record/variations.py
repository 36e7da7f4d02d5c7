"""Names of sets of laws in match files: GNU Backgammon's where it has one, else our own."""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules import LAWS, MODERN, Laws

SGF_NAMES = {"Nackgammon": LAWS["nackgammon"], "Hypergammon3": LAWS["hypergammon"]}
"""Names in the property RU."""

MAT_NAMES = {"NackGammon": LAWS["nackgammon"], "HyperGammon (3)": LAWS["hypergammon"]}
"""Names in the header Variation."""


def sgf_names(laws: Laws) -> list[str]:
    """The names of `laws` in RU, ours first; [] for modern laws."""
    theirs, ours = _names(laws, SGF_NAMES)
    return [name for name in (ours, theirs) if name]


def laws_in(rules: Iterable[str]) -> Laws:
    """The laws that RU names, by the first name that is known; modern laws where there is none."""
    known = {**LAWS, **SGF_NAMES}
    return next((known[rule] for rule in rules if rule in known), MODERN)


def mat_headers(laws: Laws) -> dict[str, str]:
    """The headers that name the laws; other programs skip the header Laws."""
    theirs, ours = _names(laws, MAT_NAMES)
    return {"Variation": theirs, "Laws": ours}


def _names(laws: Laws, names: dict[str, Laws]) -> tuple[str, str]:
    """The name of the start position among `names`, and our name where that one does not say all; else ""."""
    theirs = next((name for name, known in names.items() if known.start == laws.start), "")
    return theirs, "" if laws == names.get(theirs, MODERN) else laws.name
