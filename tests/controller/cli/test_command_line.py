"""The command line as people expect it: a version, completion, one program for one log."""

import argparse
import os
import shutil
import subprocess
import sys

import pytest

from controller.cli.main import COMMAND_MODULES, argument_parser, main
from controller.cli.terminal.completion import completion_script
from controller.service.matches.match_folder import LogLock, log_in
from tests.controller.cli.test_transcribe import SHORT
from tests.paths import ROOT
from tests.peers import require_peer


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith("blotlight ")


def test_who_does_not_ask_for_the_version_does_not_pay_for_it():
    script = "import sys, controller.cli.main; sys.exit('importlib.metadata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False, cwd=ROOT).returncode == 0


def commands_of(parser):
    (commands,) = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return list(commands.choices)


def test_a_command_is_known_alone_and_among_all():
    assert sorted(commands_of(argument_parser())) == sorted([*COMMAND_MODULES, "completion"])
    for command in COMMAND_MODULES:
        assert command in commands_of(argument_parser(command))


@pytest.mark.parametrize("module", ["blotlight", "controller.cli"])
def test_python_runs_it_as_a_module(module):
    ran = subprocess.run(
        [sys.executable, "-m", module, "laws"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "hoyle-1909" in ran.stdout


def test_what_a_command_does_not_take_is_said_with_the_help_of_that_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["matches", "7"])
    assert stopped.value.code == 2
    assert "unrecognized arguments: 7: see blotlight matches --help" in capsys.readouterr().err


def test_bash_completes_commands_and_options():
    require_peer(shutil.which("bash"), "bash")
    script = completion_script(argument_parser(), "bash")
    typed = 'COMP_WORDS=(blotlight ex); COMP_CWORD=1; _blotlight; echo "${COMPREPLY[*]}"'
    options = 'COMP_WORDS=(blotlight export --f); COMP_CWORD=2; _blotlight; echo "${COMPREPLY[*]}"'
    ran = subprocess.run(
        ["bash", "-c", f"{script}\n{typed}\n{options}"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["explain export", "--folder"]


def test_zsh_gets_the_same_completion_through_its_bridge():
    assert completion_script(argument_parser(), "zsh").startswith("autoload -U +X bashcompinit")


def test_a_second_play_on_the_same_matches_is_refused_by_name(tmp_path, capsys):
    first = LogLock(log_in(tmp_path, simulated=True), "Ada v. Bert")
    assert main(["play", "--simulated", "--matches", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert f"Ada v. Bert (process {os.getpid()})" in error
    assert error.count("\n") == 1
    first.close()


def test_a_refused_photograph_has_status_1(tmp_path, capsys):
    import cv2
    import numpy as np

    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((240, 320, 3), 128, np.uint8))
    assert main(["read", str(blank)]) == 1
    assert capsys.readouterr().out.startswith("Refused: ")


def test_a_film_is_not_drawn_over_another(tmp_path):
    film = tmp_path / "film"
    shutil.copytree(SHORT, film)
    before = sorted(path.name for path in film.rglob("*"))
    (tmp_path / "game.mat").write_text(
        " 1 point match\n\n Game 1\n Ada : 0              Bert : 0\n  1) 31: 8/5 6/5\n"
    )
    assert main(["simulate", str(tmp_path / "game.mat"), "--out", str(film)]) == 2
    assert sorted(path.name for path in film.rglob("*")) == before
