"""Up And Up, lowest: every game with fewer numbers is played, by the rules. Compiled by `quet.engine.compiled`."""

import sys
import time
from typing import Any

import numpy as np

from ...engine import arrays
from ...engine.compiled import compiled
from ...games.up_and_up import rules as up_and_up
from ..row import Row

ALLOCATES = False
LARGEST = 20
WORDS = "playing, by the rules and without pruning, all that games with fewer numbers can begin with"

rules: Any = None  # bound by compiled()


def shorter(s: Any, first: int, longest: int, moves: Any, left: Any, lasts: Any) -> int:
    """The score of a game from `first` with at most so many numbers; 0 where there is none.

    `s` is the empty grid, and is so again where there is none. The rest is room for all numbers. The step is not taken
    back: it is asked for only where a number has just been written.
    """
    rules.play(s, first)
    left[1] = -1
    while True:
        count = s.count
        if left[count] < 0:
            if rules.is_over(s):
                return int(count)
            left[count] = rules.legal_moves(s, moves[count]) if count < longest else 0
        if left[count] == 0:
            s.numbers[s.last] = 0
            s.count = count - 1
            if count == 1:
                return 0
            s.last = lasts[count - 1]
            continue
        left[count] -= 1
        lasts[count] = s.last
        rules.play(s, moves[count, left[count]])
        left[count + 1] = -1


def value(row: Row, until: float) -> int | None:
    """The row's value where no game has fewer numbers, else what such a game has."""
    n, longest = row.size, row.value - 1
    if longest == 0:
        return row.value  # every game has a number
    module: Any = compiled(sys.modules[__name__], rules=up_and_up)
    state = up_and_up.State()
    up_and_up.start(state, n)
    s = arrays.pack([state])
    moves, (left, lasts) = np.zeros((n * n + 2, n * n), np.int64), np.zeros((2, n * n + 2), np.int64)
    for first in _unlike(n):
        if time.monotonic() >= until:
            return None
        found = module.shorter(s[0], first, longest, moves, left, lasts)
        if found:
            return int(found)
    return row.value


def _unlike(n: int) -> list[int]:
    """One square of each set that the symmetries of the grid join."""

    def images(row: int, column: int) -> set[int]:
        pairs = {(row, column)}
        for _ in range(4):
            pairs |= {(y, n - 1 - x) for x, y in pairs} | {(y, x) for x, y in pairs}
        return {x * n + y for x, y in pairs}

    return sorted({min(images(*divmod(square, n))) for square in range(n * n)})
