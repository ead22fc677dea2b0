"""Plusses And Minuses: each way of filling squares with its values for all predictions at once, in NumPy.

A way of filling squares is a number in base n + 1: the height of the filled square in each column, or 0.
"""

import itertools
import time
from typing import Any

import numpy as np

from ..row import Row

LARGEST = 8
WORDS = "all ways to fill squares, each for all predictions at once, in NumPy"
TOGETHER = 256  # predictions


def value(row: Row, until: float) -> int | None:
    n = row.size
    values = of_predictions(n, int(row.parameters["second_part_first"]), until)
    if values is None:
        return None
    for place in range(2 * (n - 1) - 1, -1, -1):
        values = values.reshape(-1, 2)
        values = values.max(axis=1) if place % 2 == 0 else values.min(axis=1)
    return int(values[0])


def of_predictions(n: int, first: int, until: float) -> Any:
    """The values of the second part, whose first square this player fills, by predictions in base 2: 0 is +."""
    after = _after(n)
    columns = np.array(list(itertools.permutations(range(1, n + 1))))
    columns = columns[np.argsort(columns @ (n + 1) ** np.arange(n))]  # full grids in the order of their numbers
    truths = [np.sign(np.diff(one)).astype(np.float32) for one in (columns, np.argsort(columns))]
    predicted = np.array(list(itertools.product((1, -1), repeat=2 * (n - 1))), np.float32)
    found = []
    for begin in range(0, len(predicted), TOGETHER):
        some = predicted[begin : begin + TOGETHER]
        both = [truth @ some[:, player::2].T for player, truth in enumerate(truths)]
        values = ((both[0] - both[1]) / 2).astype(np.int8)  # a score is half of n - 1 and of such a sum
        for num_filled in range(n - 1, -1, -1):
            if time.monotonic() >= until:
                return None
            better: Any = np.maximum if (num_filled % 2 == 0) == (first == 1) else np.minimum
            moves = after[num_filled]
            best = values[moves[0]]
            for move in moves[1:]:
                better(best, values[move], out=best)
            values = best
        found.append(values[0])
    return np.concatenate(found)


def _after(n: int) -> list[Any]:
    """By the number of filled squares: a line for each move, with the number in order of what each way becomes."""
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
