"""Plusses And Minuses: for each way of filling squares, the values for many predictions at once, in NumPy.

A way of filling squares is a number in base n + 1: the height of the filled square in each column, or 0. The first
symbols are tried one by one, by alpha-beta, and the last eight all at once.
"""

import itertools
import math
import time
from collections.abc import Mapping, Sequence

import numpy as np

from quet.engine.arrays import Ints

LARGEST = 9  # 4 GB
MOST_PLAYERS = 2
FINDS_BOUNDS = False
WORDS = "all ways to fill squares, each for all ends of the predictions at once, in NumPy"
LAST = 8  # symbols that are looked at together
TOGETHER = 1024  # ways


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The value that this way finds, looked for near the given one first; None when the time is over."""
    n = int(parameters["n"])
    second_part = SecondPart(n, int(parameters["second_part_first"]), until)
    found = _best(second_part, [], value - 1, value + 1)
    return found if found in (None, value) else _best(second_part, [], -n, n)


def _best(second_part: "SecondPart", symbols: list[int], low: int, high: int) -> int | None:
    """The value after these symbols where it is between low and high, else a number on the same side of both."""
    num_symbols = 2 * (second_part.n - 1)
    if num_symbols - len(symbols) <= LAST:
        values = second_part.values(symbols)
        if values is None:
            return None
        for place in range(num_symbols - 1, len(symbols) - 1, -1):
            values = values.reshape(-1, 2)
            values = values.max(axis=1) if place % 2 == 0 else values.min(axis=1)
        return int(values[0])
    is_first = len(symbols) % 2 == 0
    best = -math.inf if is_first else math.inf
    likely = symbols[-1] if symbols else -1  # to repeat the other's symbol is a good move in every proof that is known
    for symbol in (likely, -likely):
        found = _best(second_part, [*symbols, symbol], low, high)
        if found is None:
            return None
        best = max(best, found) if is_first else min(best, found)
        low, high = (max(low, found), high) if is_first else (low, min(high, found))
        if low >= high:
            break
    return int(best)


class SecondPart:
    """The part of the game in which the grid is filled; `values` is None when `time.monotonic()` is `until` before."""

    def __init__(self, n: int, first: int, until: float) -> None:
        self.n, self._first, self._until = n, first, until
        self._after = _after(n)
        columns = np.array(list(itertools.permutations(range(1, n + 1))))
        columns = columns[np.argsort(columns @ (n + 1) ** np.arange(n))]  # full grids in the order of their numbers
        self._truths = [np.sign(np.diff(one)).astype(np.float32) for one in (columns, np.argsort(columns))]

    def values(self, symbols: Sequence[int]) -> Ints | None:
        """The value for each list of symbols that can come after these, in the order of play and with 1 before -1."""
        num_left = 2 * (self.n - 1) - len(symbols)
        ends = itertools.product((1, -1), repeat=num_left)
        predicted = np.array([[*symbols, *end] for end in ends], np.float32)
        both = [truth @ predicted[:, player::2].T for player, truth in enumerate(self._truths)]
        values = ((both[0] - both[1]) / 2).astype(np.int8)  # a score is half of n - 1 and of such a sum
        for num_filled in range(self.n - 1, -1, -1):
            better = np.maximum if (num_filled % 2 == 0) == (self._first == 1) else np.minimum
            moves = self._after[num_filled]
            before = np.empty((moves.shape[1], 1 << num_left), np.int8)
            for begin in range(0, len(before), TOGETHER):
                if time.monotonic() >= self._until:
                    return None
                some = moves[:, begin : begin + TOGETHER]
                best = np.take(values, some[0], axis=0)
                room = np.empty_like(best)
                for move in some[1:]:  # without "clip", NumPy would make a copy before it writes to `room`
                    better(best, np.take(values, move, axis=0, out=room, mode="clip"), out=best)
                before[begin : begin + TOGETHER] = best
            values = before
        row: Ints = values[0]
        return row


def _after(n: int) -> list[Ints]:
    """For each number of filled squares, a row for each move. It has the index of what each way becomes by the move."""
    ways = np.zeros(1, np.int64)
    lines = []
    for num_filled in range(n):
        heights = np.array([ways // (n + 1) ** column % (n + 1) for column in range(n)])
        moves = np.zeros(((n - num_filled) ** 2, len(ways)), np.int64)
        count = np.zeros(len(ways), np.int64)
        for column, height in itertools.product(range(n), range(1, n + 1)):
            free = np.flatnonzero((heights[column] == 0) & (heights != height).all(axis=0))
            moves[count[free], free] = ways[free] + height * (n + 1) ** column
            count[free] += 1
        ways = np.unique(moves)
        lines.append(np.searchsorted(ways, moves).astype(np.int32))
    return lines
