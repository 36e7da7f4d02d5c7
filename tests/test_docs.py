"""What README and docs say is so."""

import ast
import doctest
import re
import shlex
from types import ModuleType

import pytest

from controller import rules
from controller.cli.main import main
from tests.paths import ROOT

RULES_PAGE = ROOT / "docs" / "rules.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_give_what_they_say(page):
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def entered(text: str) -> list[str]:
    """The lines that a reader of the examples in `text` types."""
    return [line for it in doctest.DocTestParser().get_examples(text) for line in it.source.splitlines()]


def test_the_page_of_the_rules_begins_with_a_game_of_at_most_ten_lines():
    lines = entered(RULES_PAGE.read_text(encoding="utf-8").split("```")[1])
    assert len(lines) <= 10
    game = " ".join(lines)
    assert game.index("OpeningThrow(") < game.index('.push("8/5 6/5")') < game.index("print(match)")


def test_the_page_of_the_rules_opens_every_game_by_one_door():
    lines = entered(RULES_PAGE.read_text(encoding="utf-8"))
    assert [line for line in lines if 'rules_of(ALL_LAWS["russian-cady"])' in line] != []


def test_the_page_of_the_rules_ends_with_every_name_they_have():
    table = RULES_PAGE.read_text(encoding="utf-8").split("## Everything")[1]
    assert table.rstrip().endswith("|")
    named = set(re.findall(r"`(\w+)", table))
    assert [name for name, value in vars(rules).items() if is_public(name, value) and name not in named] == []


def is_public(name: str, value: object) -> bool:
    return not name.startswith("_") and not isinstance(value, ModuleType)


def readme_commands() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^blotlight ([^#\n]+?)\s*(?:#.*)?$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("command", readme_commands())
def test_commands_in_the_readme_exist_with_their_options(command, capsys):
    words = shlex.split(command)
    with pytest.raises(SystemExit) as stopped:
        main([words[0], "--help"])
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    assert [word for word in words if word.startswith("--") and word not in shown] == []


def test_make_targets_in_the_readme_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"make (\w+)", text))
    made = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {"demo", "test"} <= targets <= made


def names_in_code() -> set[str]:
    """Every module, and every name that the installed packages define: `History` and `History.weight`."""
    found: set[str] = set()
    for package in ("controller", "vision", "hardware"):
        for path in (ROOT / package).rglob("*.py"):
            found.add(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                found |= defined_names(node)
                if isinstance(node, ast.ClassDef):
                    found |= {f"{node.name}.{name}" for inner in node.body for name in defined_names(inner)}
    return found


def defined_names(node: ast.stmt) -> set[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case ast.Assign(targets=targets):
            return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return set()


def test_every_name_in_the_glossary_exists():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    named = re.findall(r"\| `([\w.]+)` \|$", page, flags=re.MULTILINE)
    assert len(named) == len([line for line in page.splitlines() if line.startswith("| ")]) - page.count(
        "## "
    )
    assert sorted(set(named) - names_in_code()) == []
