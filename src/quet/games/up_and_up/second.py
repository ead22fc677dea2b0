"""Up And Up: every game is played by the rules; for the lowest score, every game with fewer numbers.

Compiled by `quet.engine.compiled`.
"""

import sys
import time
from collections.abc import Iterable, Mapping
from types import ModuleType

import numpy as np

from quet.engine.arrays import Ints

from ...engine import arrays
from ...engine.compiled import compiled
from . import rules as up_and_up

ALLOCATES = False
LARGEST = 20
MOST_PLAYERS = 1
SCORE = "lowest"
FINDS_BOUNDS = False
WORDS = "playing, by the rules and without pruning, all that games with fewer numbers can begin with"

rules = arrays.unbound  # bound by `compiled`


def count_games(
    s: up_and_up.State, first: int, longest: int, moves: Ints, left: Ints, lasts: Ints, found: Ints
) -> None:
    """Add the number of games from `first` with each score, at most `longest`, to found[score].

    `s` is the empty grid, before and after. The rest is room for all numbers. Taking a number back does not restore the
    step: it is read only after a number has been written.
    """
    rules.play(s, first)
    left[1] = -1
    while s.count > 0:
        count = s.count
        if left[count] < 0:
            if rules.is_over(s):
                found[count] += 1
            left[count] = rules.legal_moves(s, moves[count]) if count < longest else 0
        if left[count] == 0:
            s.numbers[s.last] = 0
            s.count = count - 1
            s.last = lasts[count - 1]
            continue
        left[count] -= 1
        lasts[count] = s.last
        rules.play(s, moves[count, left[count]])
        left[count + 1] = -1


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The given value where no game has fewer numbers, else the score of the shortest game."""
    n = int(parameters["n"])
    shorter = num_games(n, value - 1, _unlike(n), until) if value > 1 else {}
    return None if shorter is None else min(shorter, default=value)


def num_games(n: int, longest: int, squares: Iterable[int], until: float) -> dict[int, int] | None:
    """How many games of each score, at most `longest`, begin in these squares; no symmetry is used."""
    module: ModuleType = compiled(sys.modules[__name__], rules=up_and_up)
    state = up_and_up.State()
    up_and_up.start(state, n)
    s = arrays.pack([state])
    moves, (left, lasts) = np.zeros((n * n + 2, n * n), np.int64), np.zeros((2, n * n + 2), np.int64)
    found = np.zeros(n * n + 1, np.int64)
    for first in squares:
        if time.monotonic() >= until:
            return None
        module.count_games(s[0], first, longest, moves, left, lasts, found)
    return {score: int(count) for score, count in enumerate(found) if count}


def _unlike(n: int) -> list[int]:
    """One square of each set that the symmetries of the grid join."""

    def images(row: int, column: int) -> set[int]:
        pairs = {(row, column)}
        for _ in range(4):
            pairs |= {(y, n - 1 - x) for x, y in pairs} | {(y, x) for x, y in pairs}
        return {x * n + y for x, y in pairs}

    return sorted({min(images(*divmod(square, n))) for square in range(n * n)})
