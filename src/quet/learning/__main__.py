"""Fits the weights of a game's patterns, and writes them into the folder `weights` of the game's folder.

    python -m quet.learning GAME p=v

Parameters that aren't named have their defaults. The same command makes the same weights on the same machine.
docs/learning.md has the commands behind the files of today, and how long they took.
"""

import argparse
import contextlib
import functools
import math
import sys
import time
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from ..core.errors import QuetError, one_line
from ..core.files import UnwritableFile, check_writable, write_file
from ..core.parameters import split_parameters
from ..game import Game, new
from .fitting import Fit, Recipe
from .weights import file_name, packed, unpacked

LEAST_RIDGE = 0.001  # a weight for which there are no positions is divided by it


def main() -> int:
    """Fit the weights, print how it goes, and write them. Returns 0."""
    usual = Recipe()
    parser = argparse.ArgumentParser(
        prog="python -m quet.learning", description="Fit the weights of a game's patterns."
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("parameters", metavar="p=v", nargs="*", help="a parameter, as in n=8")
    parser.add_argument("--positions", metavar="N", type=_positive, default=usual.positions, help="for each ply left")
    parser.add_argument("--depth", metavar="N", type=_positive, default=usual.depth, help="plies looked ahead")
    parser.add_argument(
        "--exact", metavar="N", type=_positive, default=usual.exact, help="plies left with which values are exact"
    )
    parser.add_argument(
        "--rounds", metavar="N", type=_positive, default=usual.rounds, help="the first from random games"
    )
    ridge = functools.partial(_amount, least=LEAST_RIDGE)
    parser.add_argument("--ridge", metavar="X", type=ridge, default=usual.ridge, help="how strongly weights are held")
    parser.add_argument(
        "--bound", metavar="X", type=_amount, default=usual.bound, help="points that values are pressed below, or 0"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=usual.seed)
    parser.add_argument("--output", metavar="FILE", type=Path, help="instead of the file in the game's folder")
    options = parser.parse_args()
    try:
        game = new(options.game, **split_parameters(options.parameters))
        output = options.output or _place(game)
        check_writable(output)
        recipe = Recipe(
            options.positions, options.depth, options.exact, options.rounds, options.ridge, options.bound, options.seed
        )
        content = fitted(game, recipe, is_told=True)
        write_file(output, content)
    except UnwritableFile as error:
        parser.error(f"{output}: {one_line(error)}")
    except QuetError as error:
        parser.error(one_line(error))
    except MemoryError:
        parser.error("This machine hasn't the memory for so many positions.")
    print(f"{output}: {len(content)} bytes, after {time.process_time():.0f} s of CPU time")
    return 0


def fitted(game: Game, recipe: Recipe, *, is_told: bool = False) -> bytes:
    """The content of a file of weights for games with the parameters of this one. Raises QuetError."""
    patterns = game.entry.patterns
    if patterns is None or game.num_players != 2 or not patterns.fits(game.state):
        raise QuetError(f"{game.entry.title} has no patterns for these parameters.")
    start = patterns.of(game.state)
    fit = Fit(patterns, start, recipe)
    weights = fit.run(_tell if is_told else lambda *_: None)
    content = packed(weights, patterns, start, asdict(recipe))
    try:
        unpacked(content, patterns, start)
    except ValueError as error:
        raise QuetError(f"The fit has failed, and no weights are written: {error}.") from None
    return content


def _tell(number: int, left: int, positions: int, error: float) -> None:
    print(f"round {number}, {left} plies left: {positions} positions, off by {error:.3f} points", flush=True)


def _place(game: Game) -> Path:
    """The file in the game's folder, as the package was installed."""
    folder = Path(str(files(game.entry.package))) / "weights"
    with contextlib.suppress(OSError):  # who writes there says so
        folder.mkdir(exist_ok=True)
    return folder / file_name(game)


def _positive(text: str) -> int:
    if not (text.isdecimal() and len(text) < 10 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _amount(text: str, least: float = 0.0) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not least <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least:g} on")
    return number


if __name__ == "__main__":
    sys.exit(main())
