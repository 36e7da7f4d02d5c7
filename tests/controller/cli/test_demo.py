"""The demonstration, from the film to its last picture."""

import re
from contextlib import redirect_stdout
from io import StringIO

import cv2
import pytest

from controller.cli.main import main

PLAYED = [
    ("63: 24/18 18/15", "61: 13/7 8/7"),
    ("32: 15/13 13/10", "52: 13/8 24/22"),
    ("51: 10/5 6/5", "63: 22/16 16/13"),
    ("62: 24/22 22/16", "54: 13/11 13/8 !"),
    ("62: 16/14* 14/8", "42: bar/21 24/22"),
]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the demonstration printed, and the folder of its pictures."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        out = StringIO()
        with redirect_stdout(out):
            assert main(["demo", "--speed", "0", "--picture", "last.png"]) == 0
    return out.getvalue(), folder


def test_the_record_of_the_film_is_right_in_every_half_turn(shown):
    text, _ = shown
    rows = re.findall(r"^ +\d+\) (\S.*?) {3,}(\S.*)$", text, flags=re.MULTILINE)
    assert rows == PLAYED


def test_the_illegal_play_that_stood_was_shown(shown):
    text, _ = shown
    assert "Bert: moved a distance that the dice do not give (13, 11)." in text


def test_both_pictures_are_left_and_the_offence_is_lit_in_one(shown):
    _, folder = shown
    last, lit = (cv2.imread(str(folder / name)) for name in ("last.png", "last-lit.png"))
    assert last.shape == lit.shape == (720, 960, 3)
    pure_red = ((lit[..., 2] > 230) & (lit[..., 1] < 30) & (lit[..., 0] < 30)).sum()
    assert pure_red > 50
