"""The page of the commands, from the parser: each with its options and an example, which is run for its output."""

import argparse
import contextlib
import os
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest import mock

import quet
from quet.cli.arguments import parser
from quet.cli.main import main
from quet.cli.score import help_text

LONGEST = 18  # lines of an output; the rest is left out
WIDTH = "84"  # characters of a usage
MEANINGS = {  # of arguments that the parser says nothing about
    "GAME": "a game, as `quet games` lists them",
    "FILE": "a file; `-` is standard input or output",
    "AGENT, GAME, p=v": "an agent, a game, and parameters as in n=8",
}
EXAMPLES = {  # of each command; what is typed follows a `<`
    "games": "quet games",
    "rules": "quet rules sums-grid",
    "learn": "quet learn blob < c3; quit",
    "play": "quet play up-and-up n=4 --plain < a1; b1; quit",
    "daily": "quet daily --date 2026-11-23 --json",
    "score": "quet score palindromes 1001",
    "replay": "quet replay game.quet",
    "show": "quet show game.quet --ply 2",
    "analyse": "quet analyse game.quet",
    "sheet": "quet sheet blob n=8 -o sheet.png",
    "solve": "quet solve palindromes m=4 --certificate four.json",
    "verify": "quet verify four.json",
    "results": "quet results sums-grid",
    "puzzle": "quet puzzle palindromes --number 1 < quit",
    "puzzles": "quet puzzles",
    "rl": "quet rl measure random palindromes m=4 --positions 20 --games 2",
    "dataset": "quet dataset palindromes m=4 --positions 10 --out positions.npz",
    "new-game": "quet new-game my-game",
    "arena": "quet arena palindromes m=4 --players random,level:perfect --games 4",
    "backup": "quet backup site.db",
    "restore": "quet restore site.db",
    "forget": "quet forget name Ann",
    "ugi": "quet ugi < newgame palindromes m=4; position startpos moves 1=0; query legal; quit",
}
PRINTED = {  # what takes too long to be run for each build; a test compares
    "check": (
        "quet check blob",
        "ok    every part is there\nok    facts are complete\nok    states keep their shape\n...\n",
    ),
    "serve": ("quet serve --port 8000", "Quet is at http://127.0.0.1:8000/ (Ctrl-C ends it)\n"),
}


class Undocumented(Exception):
    """A command, an option or an argument that nothing is said about."""


def pages() -> dict[str, str]:
    """The page, as `commands.md`. Raises Undocumented."""
    with mock.patch.dict(os.environ, COLUMNS=WIDTH):
        whole = parser()
        found = commands(whole)
        lines = ["# Commands", "", whole.description or "", "", whole.epilog or "", ""]
        lines += ["| command | what it does |", "|---|---|"]
        for name, command in found.items():
            first = (command.description or "").partition(". ")[0].removesuffix(".")
            lines.append(f"| [`quet {name}`](#quet-{name}) | {first}. |")
        lines += ["", "Before or without a command:", "", "| argument | meaning |", "|---|---|"]
        lines += [f"| `{words}` | {meaning} |" for words, meaning in arguments("", whole)]
        with working_folder():
            for name, command in found.items():
                lines += ["", f"## quet {name}", "", *_section(name, command)]
    return {"commands.md": "\n".join([*lines, ""])}


def commands(whole: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """The commands by name. Raises Undocumented if there is one without a description or an example."""
    (subparsers,) = [each for each in whole._actions if isinstance(each, argparse._SubParsersAction)]
    found: Mapping[str, argparse.ArgumentParser] = subparsers.choices
    missing = sorted(found.keys() - EXAMPLES.keys() - PRINTED.keys())
    if missing:
        raise Undocumented(f"There is no example of {' and '.join(missing)}; docs/make/command_page.py has the others.")
    for name, command in found.items():
        if not command.description:
            raise Undocumented(f"The parser doesn't say what quet {name} does.")
    return found


def _section(name: str, command: argparse.ArgumentParser) -> list[str]:
    if name == "score":  # it reads its words itself, since they are the paper
        lines = ["```text", help_text().rstrip(), "```", ""]
    else:
        usage = re.sub(r"^(usage:| {6}) ", "", command.format_usage(), flags=re.MULTILINE)
        lines = [command.description or "", "", "```text", usage.rstrip(), "```", ""]
        rows = [f"| `{words}` | {meaning} |" for words, meaning in arguments(name, command)]
        lines += ["| argument | meaning |", "|---|---|", *rows] if rows else []
    line, printed = PRINTED[name] if name in PRINTED else (EXAMPLES[name], "")
    typed, _, given = line.partition(" < ")
    told = printed or answered(typed, given.replace("; ", "\n") + "\n")
    shown = told.splitlines()
    if len(shown) > LONGEST:
        shown = [*shown[:LONGEST], "..."]
    return [*lines, "", "```console", f"$ {line}", *shown, "```"]


def arguments(name: str, command: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """What can stand behind a command, each with its meaning. Raises Undocumented."""
    for action in command._actions:
        if action.help == argparse.SUPPRESS or isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
            continue
        metavar = str(action.metavar or action.dest.upper())
        if action.choices is not None and action.metavar is None:
            metavar = "{" + ",".join(str(choice) for choice in action.choices) + "}"
        takes = "" if action.nargs == 0 else f" {metavar}"
        words = f"{', '.join(action.option_strings)}{takes}" if action.option_strings else metavar
        meaning = action.help or MEANINGS.get(metavar, "")
        if not meaning and "|" in metavar:
            meaning = "what to do, or a game where one can be named"
        if not meaning:
            raise Undocumented(f"The parser doesn't say what {words} of quet {name} means.")
        yield words.replace("|", "\\|"), meaning.replace("|", "\\|")


@contextlib.contextmanager
def working_folder() -> Iterator[None]:
    """A folder with what examples read: the record of a game, and the database of a site with a game of Ann."""
    from quet.web.new_games import SeatPlan, SetUp
    from quet.web.storage.database import Database
    from quet.web.storage.store import Store

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        game = quet.new("palindromes", m=4)
        for move in "1=0 4=1 2=0 3=1".split():
            game.play(move)
        quet.save("game.quet", quet.Record.of(game))
        with mock.patch.dict(os.environ, QUET_DATA=folder):
            database = Database(f"sqlite:///{folder}/quet.db")
            database.upgrade()
            Store(database).create(SetUp("palindromes", {"m": "4"}, (SeatPlan("me", "Ann"),)), "a visitor", time.time())
            database.close()
            yield


def answered(line: str, given: str = "") -> str:
    """What a command line prints to standard output, `given` being its standard input. Raises Undocumented."""
    out, before = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True), sys.stdin
    sys.stdin = TextIOWrapper(BytesIO(given.encode()))
    try:
        with contextlib.redirect_stdout(out):
            status = main(shlex.split(line)[1:])
    finally:
        sys.stdin = before
    if status:
        raise Undocumented(f"The example {line} ended with status {status}.")
    buffer = out.buffer
    assert isinstance(buffer, BytesIO)
    text = buffer.getvalue().decode()
    return text.replace(str(Path.cwd()), ".").replace(str(Path(__file__).parents[2]) + "/", "")
