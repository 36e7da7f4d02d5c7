"""The command that says what the laws are."""

import json

import pytest

from controller.cli.main import main
from controller.rules import ALL_LAWS, ENTERING_LAWS


def test_every_set_is_listed_with_its_source(capsys):
    assert main(["laws"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(ALL_LAWS)


def test_a_law_is_told_with_the_words_of_its_text(capsys):
    assert main(["laws", "cady-1895"]) == 0
    said = capsys.readouterr().out
    assert 'law 8: "If the caster touches one of his own men he must play it"' in said
    assert "Is there a doubling cube? No." in said


def test_an_answer_is_printed_as_it_is_written(capsys):
    assert main(["laws", "modern-money"]) == 0
    assert "Do gammons count before the cube is turned? No (Jacoby)." in capsys.readouterr().out


def test_two_sets_are_told_apart(capsys):
    assert main(["laws", "cady-1895", "--against", "britannica-1878", "--json"]) == 0
    differing = [json.loads(line)["law"] for line in capsys.readouterr().out.splitlines()]
    assert differing == [
        "higher_number_deemed_borne",
        "backgammon_may_count",
        "backgammon_places",
        "wrong_play",
        "touched",
        "may_announce_adjusting",
        "null_throws",
        "touched_die_named_by_adversary",
        "series",
    ]


def test_laws_that_nobody_knows_are_refused_in_one_sentence(capsys):
    assert main(["laws", "mine"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("name", ENTERING_LAWS)
def test_russian_and_turkish_sets_are_printed(name, capsys):
    assert main(["laws", name]) == 0
    said = capsys.readouterr().out
    assert ENTERING_LAWS[name].source in said
    assert f"complement: {ENTERING_LAWS[name].complement.value}" in said


def test_two_russian_sets_are_told_apart(capsys):
    assert main(["laws", "russian-cady", "--against", "russian-britannica", "--json"]) == 0
    differing = [json.loads(line)["law"] for line in capsys.readouterr().out.splitlines()]
    assert differing == ["first_doublets_withheld", "deuce_ace"]


def test_the_sets_are_listed_for_programs_too(capsys):
    assert main(["laws", "--json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["laws"] for one in listed] == list(ALL_LAWS)
