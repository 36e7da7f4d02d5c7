"""The command `blotlight completion`: what a shell needs to complete commands and options."""

import argparse
from collections.abc import Iterator

BASH = """\
_blotlight() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    else
        case "$command" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _blotlight blotlight
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"
"""zsh runs bash's completion, once this is loaded."""


def add_completion(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", parser: argparse.ArgumentParser
) -> None:
    """Add the command to the command line. parser: the one whose commands and options are completed."""
    completion = commands.add_parser(
        "completion", help='complete commands with Tab: put eval "$(blotlight completion bash)" in ~/.bashrc'
    )
    completion.add_argument("shell", choices=["bash", "zsh"], help="the shell")
    completion.set_defaults(run=lambda options: print(completion_script(parser, options.shell), end=""))


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script to be run by `shell`."""
    words = dict(_commands(parser))
    cases = "\n".join(f'            {name}) words="{" ".join(known)}" ;;' for name, known in words.items())
    script = BASH.format(commands=" ".join([*words, "--help", "--version"]), cases=cases)
    return (ZSH if shell == "zsh" else "") + script


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[str]]]:
    """Each command with the options and choices that may follow it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield name, list(_words(command))


def _words(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:
        yield from action.option_strings
        if action.choices is not None:
            yield from map(str, action.choices)
