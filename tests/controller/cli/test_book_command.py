"""The command that shows the opening book."""

import json

import pytest

from controller.cli.main import main


def shown(capsys, *arguments):
    assert main(["book", *arguments]) == 0
    return capsys.readouterr().out


def test_one_throw_shows_who_plays_what_and_in_which_words(capsys):
    text = shown(capsys, "41")
    assert "EB9 Cady              for a gammon          13/9 6/5" in text
    assert "H09                   only mentioned        13/8" in text
    assert "Timid players, fearing to leave two blots" in text
    assert "Cady, Table I, 26: words are lost" in text


def test_a_play_that_not_all_books_advise_for_both_aims_is_shown_for_each_aim(capsys):
    text = shown(capsys, "32")
    assert "H09 EB9               for a hit             13/10 13/11" in text
    assert "H09 EB9 Cady          for a gammon          13/10 13/11" in text


def test_a_throw_may_be_called_as_of_old(capsys):
    assert shown(capsys, "quatre-ace") == shown(capsys, "14")


def test_all_21_throws_are_shown_when_none_is_named(capsys):
    text = shown(capsys)
    plays = text.split("\n\n")[0].splitlines()
    assert len([line for line in plays if not line.startswith(" ")]) == 21


def test_only_differing_throws_are_listed_when_asked_for(capsys):
    text = shown(capsys, "--differences")
    plays = text.split("\n\n")[0].splitlines()
    assert [line.split("  ")[0] for line in plays if not line.startswith(" ")] == [
        "3-2",
        "double treys",
        "4-1",
    ]
    assert "The books say the same." in shown(capsys, "31", "--differences")


def test_old_words_name_the_points(capsys):
    assert "two men from the adversary's ace point to the adversary's bar point" in shown(
        capsys, "66", "--words", "old"
    )


def test_json_has_an_object_for_each_entry(capsys):
    entries = [json.loads(line) for line in shown(capsys, "54", "--json").splitlines()]
    assert [entry["book"] for entry in entries] == ["H09", "EB9", "Cady"]
    assert {entry["hit"] for entry in entries} == {"24/15"}
    assert entries[0]["slip"] == "nine points on lies the quatre point of his outer table"
    assert entries[2]["row"] == 12


@pytest.mark.parametrize("throw", ["7", "seven-one", "111"])
def test_what_is_no_throw_is_refused_in_one_sentence(capsys, throw):
    assert main(["book", throw]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_entries_are_readable_for_programs_whatever_letters_the_terminal_has(capsys):
    printed = shown(capsys, "11", "--json")
    assert printed.isascii()
    assert "Play two men on your “bar” point" in json.loads(printed.splitlines()[0])["printed"]
