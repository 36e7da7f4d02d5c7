"""Names of sets of laws in match files: GNU Backgammon's where it has one, else our own."""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules import LAWS, MODERN, Laws

SGF_NAMES = {"Nackgammon": LAWS["nackgammon"], "Hypergammon3": LAWS["hypergammon"]}
"""Names in the property RU."""

MAT_NAMES = {"NackGammon": LAWS["nackgammon"], "HyperGammon (3)": LAWS["hypergammon"]}
"""Names in the header Variation."""


def sgf_name(laws: Laws) -> str:
    """The name of `laws` in RU; "" for modern laws."""
    return _variation(laws, SGF_NAMES) or ("" if laws.name == MODERN.name else laws.name)


def laws_in(rules: Iterable[str]) -> Laws:
    """The laws that RU names; modern laws where it names none."""
    known = {**LAWS, **SGF_NAMES}
    return next((known[rule] for rule in rules if rule in known), MODERN)


def mat_headers(laws: Laws) -> dict[str, str]:
    """The headers that name the laws; other programs skip the header Laws."""
    variation = _variation(laws, MAT_NAMES)
    own = "" if variation or laws.name == MODERN.name else laws.name
    return {"Variation": variation, "Laws": own}


def _variation(laws: Laws, names: dict[str, Laws]) -> str:
    return next((name for name, known in names.items() if known.start == laws.start), "")
