"""What the examples are given on their command lines, refused in a sentence before they train, and what they write.

Functions of a text are types of `argparse`.
"""

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import quet
from quet.cli import files
from quet.core.errors import one_line, refusing
from quet.core.files import UnwritableFile, check_writable, write_files
from quet.core.parameters import split_parameters
from quet.rl import entries
from quet.rl.measure import MOST

LARGEST_SEED = 2**31 - 2  # the second player's is one more, and OpenSpiel's bots take 31 bits


def game_of(parser: argparse.ArgumentParser, id: str, parameters: Sequence[str]) -> quet.Game:
    """The start of a game for one or two, who are those that the measures are for; else it ends the program."""
    with refusing(parser):
        game = quet.new(id, **split_parameters(parameters))
    if game.num_players > 2:
        parser.error("the measures are for one or two players")
    return game


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


def write(contents: Mapping[Path | None, str]) -> None:
    """Write the files that were asked for, all or none: a curve is never beside an entry of another training."""
    write_files({file: text.encode() for file, text in contents.items() if file is not None})


def _integer(text: str, low: int, high: int) -> int:
    try:
        found = int(text)
    except ValueError:
        found = low - 1
    if not low <= found <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is no integer from {low} to {high}")
    return found
