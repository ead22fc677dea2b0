"""What the examples are given on their command lines, refused in a sentence before they train, and what they write.

Functions of a text are types of `argparse`.
"""

import argparse
import math
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import quet
from quet.cli import files
from quet.core.errors import one_line, refusing
from quet.core.files import UnwritableFile, check_writable, write_files
from quet.core.parameters import split_parameters
from quet.rl import entries
from quet.rl.forms import Form
from quet.rl.measure import MOST

LARGEST_SEED = 2**31 - 2  # the second player's is one more, and OpenSpiel's bots take 31 bits
MOST_SIMULATIONS = 100_000  # of a move
MOST_THREADS = 256
LEFT_OUT = ("--log", "--name", "--out")  # where what comes out is kept, and by which name


def game_of(parser: argparse.ArgumentParser, id: str, parameters: Sequence[str]) -> quet.Game:
    """The start of a game for which the measures are: for one or two, and by the rules. Else it ends the program."""
    with refusing(parser):
        game = quet.new(id, **split_parameters(parameters))
        Form(game.id, game.parameters).check_moves()
    if game.num_players > 2:
        parser.error("the measures are for one or two players")
    return game


def command(program: str, words: Sequence[str] | None) -> str:
    """The command that makes the same again: the words as they were given, but for the files that are written."""
    kept, left = [], iter(sys.argv[1:] if words is None else words)
    for word in left:
        option, is_joined, _ = word.partition("=")
        if option not in LEFT_OUT:
            kept.append(word)
        elif not is_joined:
            next(left)  # its value
    return shlex.join([f"examples/{Path(program).name}", *kept])


def check_apart(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """End the program where the curve and the entry would be written to the same file."""
    with refusing(parser):
        files.check_apart({f"--{what}": str(file) for what in ("log", "out") if (file := getattr(given, what))})


def agent_name(text: str) -> str:
    """The name of an agent, as the table takes it."""
    if (trouble := entries.wrong(text, "")) is not None:
        raise argparse.ArgumentTypeError(str(trouble))
    return text


def seed(text: str) -> int:
    """A seed of all that draws by chance."""
    return _integer(text, 0, LARGEST_SEED)


def count(text: str) -> int:
    """How many there are, one at least."""
    return _integer(text, 1, 10**9)


def simulations(text: str) -> int:
    """How many simulations a search has for a move."""
    return _integer(text, 1, MOST_SIMULATIONS)


def threads(text: str) -> int:
    """On how many threads PyTorch computes."""
    return _integer(text, 1, MOST_THREADS)


def measured(text: str) -> int:
    """How many positions or games are measured."""
    return _integer(text, 1, MOST)


def minutes(text: str) -> float:
    """A time of CPU."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found <= 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes above 0")
    return found


def writable(text: str) -> Path:
    """A file that can be written, as far as can be seen now."""
    try:
        check_writable(text)
    except UnwritableFile as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {one_line(error)}") from None
    return Path(text)


def write(parser: argparse.ArgumentParser, contents: Mapping[Path | None, str]) -> None:
    """Write the files that were asked for, all or none: a curve is never beside an entry of another training.

    If they can't be written after all, it prints them, since a long training made them, and ends the program.
    """
    asked = {file: text for file, text in contents.items() if file is not None}
    try:
        write_files({file: text.encode() for file, text in asked.items()})
    except UnwritableFile as error:
        for text in asked.values():
            print(text, end="", flush=True)
        names = ", ".join(map(str, asked))
        parser.error(one_line(f"{names}: {error} What belongs there is printed instead."))


def _integer(text: str, low: int, high: int) -> int:
    try:
        found = int(text)
    except ValueError:
        found = low - 1
    if not low <= found <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is no integer from {low} to {high}")
    return found
