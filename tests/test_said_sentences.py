"""Every sentence that the program says is in sentences.toml: one line, with what is to be done."""

import ast
import re
import string
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from sentences import FILE, FILES, begun, said_again, said_of, say, speaking
from tests.paths import ROOT

TABLES: dict[str, dict[str, str]] = tomllib.loads((ROOT / "sentences" / FILE).read_text(encoding="utf-8"))
TEXTS = {key: text for table in TABLES.values() for key, text in table.items()}
MODULES = sorted(
    path
    for package in ("controller", "vision", "hardware")
    for path in (ROOT / package).rglob("*.py")
    if "training" not in path.parts
)
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "controller").rglob("assets/*.js"))
WORDS_OF_SCRIPTS = frozenset(re.findall(r"\w+", SCRIPTS))
LAWS_AS_TABLES = {
    "controller/rules/laws": "questions, answers and the words of their sources, which blotlight laws prints",
    "controller/rules/entering/entering_laws.py": "the same of Russian and Turkish backgammon",
}
"""Where the texts of the laws lie, and why they are not in the file. What is raised there is in it."""
TEXTS_FOR_BUILDERS = {
    "hardware/plans": "pages and drawings for builders, which are files; no command tells them to players",
    "hardware/tray": "the same of the dice tray",
}
"""Folders whose texts are not in the file, and why. Modules in them that commands use are no exception."""
HELP_OF_OPTIONS = {"help", "description", "metavar", "epilog"}
"""Arguments of argparse: the list of options and commands stands beside the options."""
TELLING = {"print", "say", "_say", "tell", "_tell", "input", "write"}
"""Calls whose texts people see."""
TO_DO = """
add ask bring change check choose close connect copy correct divide enter export film flash free give go
install join keep lay leave let lower make mend move name play plug press put run save say see set shade
stop take tap throw try turn type update use wait walk write
""".split()  # noqa: SIM905
"""Words that begin what is to be done."""
LONGEST = 260
"""Characters of the longest text: three lines of a terminal of 80 columns, and a little. Guess."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def uses_of(path: Path) -> Iterator[tuple[str, set[str] | None, int]]:
    """(key, fields, line) of each text that a module says; fields is None for a key kept in a table.

    `require` of the rules says the text of its key when an action cannot be done.
    """
    text = path.read_text(encoding="utf-8")
    if "\nfrom sentences import" not in text and "require(" not in text:
        return
    for node in ast.walk(tree_of(path)):
        match node:
            case ast.FunctionDef(body=body) | ast.Module(body=body):
                inner = [one for one in body if isinstance(one, ast.FunctionDef) and one.name == "say"]
                assert not inner, f"{path}:{inner[0].lineno} gives `say` another meaning"
            case ast.arg(arg="say"):
                raise AssertionError(f"{path}:{node.lineno} gives `say` another meaning")
            case ast.Call(func=ast.Name(id="say"), args=[ast.Constant(value=str(key))], keywords=given):
                assert all(one.arg for one in given), f"{path}:{node.lineno} hides its fields"
                yield key, {str(one.arg) for one in given}, node.lineno
            case ast.Call(func=ast.Name(id="require"), args=[_, key_said], keywords=given):
                assert all(one.arg for one in given), f"{path}:{node.lineno} hides its fields"
                yield str(ast.literal_eval(key_said)), {str(one.arg) for one in given}, node.lineno
            case ast.Call(func=ast.Name(id="Key"), args=[ast.Constant(value=str(key))]):
                yield key, None, node.lineno
            case ast.Call(func=ast.Name(id="texts_of"), args=[ast.Constant(value=str(prefix))]):
                yield from ((key, None, node.lineno) for key in texts_of_scripts(prefix))


def texts_of_scripts(prefix: str) -> set[str]:
    """The texts that the scripts of the pages name: each as a word, or as `words[...]` puts it together."""
    beginnings = tuple(re.findall(r"words\[`(\w+)\$\{", SCRIPTS))
    return {
        key
        for key, text in TEXTS.items()
        if key.startswith(prefix) and not fields_of(text)
        if (name := key.removeprefix(prefix)) in WORDS_OF_SCRIPTS or name.startswith(beginnings)
    }


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_no_key_stands_twice():
    assert sum(map(len, TABLES.values())) == len(TEXTS)


def test_no_two_texts_of_a_kind_are_the_same():
    for kind, table in TABLES.items():
        keys = defaultdict(list)
        for key, text in table.items():
            keys[text].append(key)
        assert {text: found for text, found in keys.items() if len(found) > 1} == {}, kind


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_module_says_is_in_the_file_with_these_fields(path):
    wrong = [
        f"line {line}: {key}"
        for key, fields, line in uses_of(path)
        if key not in TEXTS or fields_of(TEXTS[key]) != (fields or set())
    ]
    assert wrong == []


def test_every_text_of_the_file_is_said():
    assert TEXTS.keys() - {key for path in MODULES for key, _, _ in uses_of(path)} == set()


def test_every_text_that_a_script_names_is_in_the_file():
    named = set(re.findall(r"\bwords\.(\w+)", SCRIPTS)) - {"systems"}
    assert {name for name in named if not {f"page_{name}", f"club_{name}"} & TEXTS.keys()} == set()


def test_a_key_that_is_not_a_literal_comes_from_a_table_of_keys():
    for path in MODULES:
        for node in ast.walk(tree_of(path)):
            match node:
                case ast.Call(func=ast.Name(id="say"), args=[first, *_]) if not isinstance(
                    first, ast.Constant
                ):
                    value_of_enum = isinstance(first, ast.Attribute) and first.attr == "value"
                    field = isinstance(first, ast.Attribute) and ast.unparse(first.value) == "step"
                    table = isinstance(first, ast.Subscript | ast.Name)
                    assert value_of_enum or field or table, f"{path}:{node.lineno}"


@pytest.mark.parametrize("key", [*TABLES["do"], *TABLES["mend"]])
def test_a_sentence_after_which_something_is_to_be_done_names_it(key):
    steps = re.split(r"[.:;,?]\s+", TEXTS[key])
    begun_so = [step.removeprefix("so ").split()[0].lower() for step in steps[1:] if step]
    assert {*TO_DO, "{remedy}."} & set(begun_so), TEXTS[key]


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_is_one_short_line(key):
    text = TEXTS[key]
    assert text == text.strip()
    assert text.isprintable()
    assert len(text) <= LONGEST
    assert "  " not in text


@pytest.mark.parametrize("key", [*TABLES["do"], *TABLES["tell"]])
def test_a_sentence_begins_and_ends_like_one(key):
    text = TEXTS[key]
    assert text[0].isupper() or text[0] in "{-(" or text.split()[0] in NAMES_OF_FILES, text
    assert text[-1] in ".?!:" or text.endswith(("}", "libxext6")), text


NAMES_OF_FILES = {"recording.toml", "events.jsonl", "dice.log"}
"""Words that begin a sentence though they are written small."""


@pytest.mark.parametrize("key", [*TABLES["mend"], *TABLES["part"]])
def test_what_stands_within_a_sentence_does_not_end_one(key):
    assert not TEXTS[key].endswith((".", "!", ":")), TEXTS[key]


def errors_shown() -> set[str]:
    """The names of the errors whose message is shown to people as it is."""
    bases = {
        node.name: {ast.unparse(base).split(".")[-1] for base in node.bases}
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
    }
    found = {"BlotlightError", "HardwareError", "StoreError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


ERRORS_SHOWN = errors_shown()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_error_that_people_are_shown_says_what_to_do(path):
    for node in ast.walk(tree_of(path)):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[ast.Call() as said])) if (
                name in ERRORS_SHOWN and getattr(said.func, "id", "") == "say"
            ):
                (key,) = said.args
                assert ast.literal_eval(key) in TABLES["do"], f"{path}:{node.lineno}"


ERRORS_OF_WHAT_WAS_GIVEN = {
    "AmbiguousPlay",
    "ChouetteError",
    "DiceError",
    "IdError",
    "InvalidPlay",
    "PositionError",
    "WrongGame",
}
"""The errors of the rules for what somebody gave; the others say why an action is refused."""
RULES = sorted((ROOT / "controller" / "rules").rglob("*.py"))


@pytest.mark.parametrize("path", RULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_error_of_the_rules_for_what_was_given_names_what_to_do(path):
    for node in ast.walk(tree_of(path)):
        match node:
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[said])) if (
                name in ERRORS_OF_WHAT_WAS_GIVEN
            ):
                assert isinstance(said, ast.Call), f"{path}:{node.lineno}"
                assert ast.unparse(said.func) == "say", f"{path}:{node.lineno}"
                assert ast.literal_eval(said.args[0]) in TABLES["mend"], f"{path}:{node.lineno}"


def test_the_errors_of_the_rules_are_those_that_are_raised():
    raised = {
        node.exc.func.id
        for path in RULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
    }
    refused = {"AttributeError", "IllegalAction", "IllegalPlay", "PlayError", "TypeError", "ValueError"}
    assert raised == ERRORS_OF_WHAT_WAS_GIVEN | refused


def skipped(tree: ast.Module) -> set[int]:
    """The nodes of docstrings, of the list of options, and of what is given to `say` and `Key`."""
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                found.add(id(text))
            case ast.keyword(arg=str(name), value=value) if name in HELP_OF_OPTIONS:
                found |= {id(inner) for inner in ast.walk(value)}
            case ast.Call(func=ast.Name(id="say" | "Key" | "require"), args=args):
                found |= {id(inner) for arg in args for inner in ast.walk(arg)}
            case ast.Assert(msg=ast.expr() as why):
                found |= {id(inner) for inner in ast.walk(why)}
            case ast.JoinedStr():
                specs = [v.format_spec for v in node.values if isinstance(v, ast.FormattedValue)]
                found |= {id(v) for v in node.values if isinstance(v, ast.Constant)}
                found |= {id(inner) for spec in specs if spec for inner in ast.walk(spec)}
    return found


def literal_text(node: ast.AST) -> str | None:
    """The text of a literal, with {} where a value stands; None for what is no text."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in values)
    return None


def texts_in_code(path: Path, *, only_raised: bool = False) -> Iterator[str]:
    """Texts that a module says to people past the file; `only_raised`, those of its errors alone."""
    tree = tree_of(path)
    shown: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=ast.expr() as raised):
                shown |= {id(inner) for inner in ast.walk(raised)}
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in TELLING:
                shown |= {id(inner) for arg in node.args for inner in ast.walk(arg)}
    left_out = skipped(tree)
    for node in ast.walk(tree):
        text = None if id(node) in left_out else literal_text(node)
        if text is None or (only_raised and id(node) not in shown):
            continue
        words = re.findall(r"[A-Za-z']{2,}", text)
        if (len(words) >= 2 and id(node) in shown and " " in text) or is_sentence(text) or is_prose(text):
            yield f"{path}:{getattr(node, 'lineno', 0)} {text}"


def is_prose(text: str) -> bool:
    """Whether a text has six small words and is no pattern, table heading, markup or statement of SQL."""
    if re.search(r"[\\^<>=\n]|SELECT|  ", text):
        return False
    return len(re.findall(r"(?<![\w{.])[a-z']{2,}(?![\w}])", text)) >= 6


def is_sentence(text: str) -> bool:
    """Whether a text reads like a sentence: three words or values, a capital first, a full stop."""
    text = text.strip()
    return bool(
        len(re.findall(r"[A-Za-z']{2,}|\{\}", text)) >= 3
        and re.search(r"[a-z]{2,} ", text)
        and re.match(r"[A-Z{]", text)
        and re.search(r"[a-z0-9})][.?!]$", text)
    )


@cache
def modules_used_by_commands() -> set[str]:
    """The modules for builders that are imported from elsewhere, so that a command may say their texts."""
    return {
        node.module
        for path in MODULES
        if not lies_in(path, TEXTS_FOR_BUILDERS)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.module
    }


def lies_in(path: Path, folders: Iterable[str]) -> bool:
    return any(path.is_relative_to(ROOT / folder) for folder in folders)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_is_left_in_the_code(path):
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    if lies_in(path, TEXTS_FOR_BUILDERS) and module not in modules_used_by_commands():
        pytest.skip("says nothing to a player")
    assert list(texts_in_code(path, only_raised=lies_in(path, LAWS_AS_TABLES))) == []


def test_the_laws_and_the_plans_lie_where_they_are_looked_for():
    for folder in (*LAWS_AS_TABLES, *TEXTS_FOR_BUILDERS):
        assert any(lies_in(path, [folder]) for path in MODULES), folder
    assert "hardware.plans.build_steps" in modules_used_by_commands()


@pytest.mark.parametrize(
    "line",
    [
        'raise ValueError(f"{x} is no number")',
        'print("Matches are kept here")',
        'WHY = "The camera gives no pictures."',
        'def f(name, play):\n    return f"{name} plays {play}."',
        'HAND = "a hand or an arm is over the board"',
        'say("kept_in", log="in the folder that the settings of the service name")',
    ],
)
def test_a_sentence_in_code_would_be_found(line, tmp_path):
    module = tmp_path / "said.py"
    module.write_text(line)
    assert len(list(texts_in_code(module))) == 1


def test_fields_are_filled_in():
    assert say("kept_in", log="/tmp/a") == "Matches are kept in /tmp/a."
    assert begun("a blot is hit") == "A blot is hit"
    with pytest.raises(KeyError):
        say("kept_in")


def test_numbers_are_written_as_the_language_does():
    with speaking("de"):
        assert say("is_sharp", sharp=0.43) == "Das Bild ist scharf (0,43)."
        assert say("page_read_with", confidence=0.994) == "Gelesen; der unsicherste Punkt hat 99 %."
        assert "a.b/50% " in say("kept_in", log="a.b/50%")
    assert "0.43" in say("is_sharp", sharp=0.43)


SAID_ON_THE_PAGE = (
    "controller/club/hall",
    "controller/club/tournament",
    "controller/page",
    "controller/referee/handlers",
    "controller/referee/words/sentences.py",
    "controller/referee/words/refusals.py",
    "controller/rules/games.py",
    "controller/rules/notation/gnubg_id.py",
    "controller/rules/notation/xgid.py",
    "controller/rules/plays/legal_plays.py",
    "controller/rules/plays/steps.py",
    "controller/service/book_hints.py",
    "controller/service/conversation.py",
    "controller/service/display.py",
    "controller/service/live.py",
    "controller/service/matches/gnubg.py",
    "controller/service/setup",
    "vision/locate",
)
"""Modules whose every text may be seen on the page, where people choose the language."""


def texts_in(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((ROOT / "sentences" / FILES[language]).read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", [language for language in FILES if FILES[language] != FILE])
def test_a_translation_has_keys_and_fields_of_the_first_file(language):
    for kind, table in texts_in(language).items():
        assert table.keys() - TABLES[kind].keys() == set()
        for key, text in table.items():
            assert text == text.strip(), key
            assert fields_of(text) == fields_of(TEXTS[key]), key


@pytest.mark.parametrize("language", FILES)
def test_everything_on_the_page_is_said_in_every_language(language):
    known = {key for table in texts_in(language).values() for key in table}
    paths = [path for path in MODULES if str(path.relative_to(ROOT)).startswith(SAID_ON_THE_PAGE)]
    assert len(paths) > 10
    assert {key for path in paths for key, _, _ in uses_of(path)} - known == set()


def test_the_page_offers_every_language():
    (offered,) = re.findall(r"const LANGUAGES = \{(.*)\}", SCRIPTS)
    assert re.findall(r"(\w+):", offered) == list(FILES)


def test_a_sentence_is_said_again_with_its_parts():
    problem = ValueError(say("dice_are_thrown"))
    sentence = say("cannot_be_done", problem=problem)
    with speaking("de"):
        assert said_again(sentence) == "Das geht nicht: die Würfel sind geworfen."
        assert said_again("5-2") == "5-2"
    assert said_again(sentence) == "That cannot be done: the dice are thrown."


def test_what_an_error_says_is_said_again():
    problem = ValueError(say("dice_are_thrown"))
    with speaking("de"):
        assert said_again(said_of(problem)) == "die Würfel sind geworfen"
    assert said_of(ValueError("5-2")) == "5-2"


def test_what_begins_a_sentence_still_begins_it_in_another_language():
    with speaking("de"):
        assert said_again(begun(say("dice_are_thrown"))) == "Die Würfel sind geworfen"
