"""Makes what shells and `man` know of `quet`, from its parser: `make share` writes it to `share/`."""

import argparse
import os
import re
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import shtab
from argparse_manpage.manpage import Manpage

from quet import __version__, catalog
from quet.cli.arguments import parser

SHARE = Path(__file__).parents[2] / "share"
FILES = ("FILE", "FOLDER", "p=v|FILE")  # metavars
GAMES = [id for id in catalog.ids() if catalog.get(id).package.startswith("quet.")]  # not of other packages
SHELLS = {
    "bash": "bash-completion/completions/quet",
    "zsh": "zsh/site-functions/_quet",
    "fish": "fish/vendor_completions.d/quet.fish",
}
PAGE = "man/man1/quet.1"
MADE_WITH = (3, 11)  # the version of Python whose wording the files have


def _actions(whole: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its commands."""
    for action in whole._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def _whole() -> argparse.ArgumentParser:
    """The parser, with what can be completed for each argument."""
    whole = parser()
    for action in _actions(whole):
        if action.metavar in FILES:
            action.complete = shtab.DIRECTORY if action.metavar == "FOLDER" else shtab.FILE  # type: ignore[attr-defined]
        elif action.dest in ("game", "what") and not action.option_strings:  # --game is a record's number
            words = str(action.metavar).split("|")  # such as GAME|make|check
            action.choices = action.choices or [
                each for word in words for each in (GAMES if word == "GAME" else [word])
            ]
    return whole


def _page() -> str:
    """The man page. Its date is left out, so that it changes with the parser only."""
    page = Manpage(parser(), {"project_name": "quet", "version": __version__, "manual_title": "Quet"})
    page.description = parser().description
    page.date = ""
    # A help text can begin a line with .svg, which would be a command of troff.
    return re.sub(r"^\.(?=[a-z])", r"\\&.", str(page), flags=re.MULTILINE)


def _completed(shell: str) -> str:
    """What a shell is to know. In bash, names of files are left to the shell, which knows how to quote them."""
    text = str(shtab.complete(_whole(), shell=shell))
    if shell == "bash":
        text = re.sub(r"^  compgen -[fd] -- \$1 .*$", "  :  # the shell itself does", text, flags=re.MULTILINE)
        text = text.replace("complete -o bashdefault -F", "complete -o bashdefault -o default -F")
    return text


def made() -> dict[str, str]:
    """What each file in `share/` is to hold, by its name there."""
    with mock.patch.dict(os.environ, COLUMNS="80"):  # argparse asks how wide the terminal is
        files = {name: _completed(shell) for shell, name in SHELLS.items()} | {PAGE: _page()}
    return {name: f"{text.rstrip()}\n" for name, text in files.items()}


if __name__ == "__main__":
    for name, text in made().items():
        (SHARE / name).parent.mkdir(parents=True, exist_ok=True)
        (SHARE / name).write_text(text, encoding="utf-8")
