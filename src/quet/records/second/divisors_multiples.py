"""Divisors/Multiples: all sets of taken numbers, the cheapest walks by the Floyd-Warshall algorithm, in NumPy.

Bit y - 2 of a set stands for the number y being taken; 1 always is.
"""

import time
from typing import Any

import numpy as np

from ..row import Row

LARGEST = 26  # 2 GB
WORDS = "all sets of taken numbers with walks by the Floyd-Warshall algorithm, in NumPy"
FAR = 10_000
TOGETHER = 1024  # sets


def value(row: Row, until: float) -> int | None:
    """The value for two: what the mover has yet to pay, less what the other has, with nothing taken but the 1."""
    r = row.size
    table = np.zeros((1 << r - 1, r + 1), np.int16)  # by the set and the number that was taken last
    sets = np.arange(1 << r - 1)
    num_taken = sum(sets >> bit & 1 for bit in range(r - 1))
    for count in range(r - 2, -1, -1):
        alike = np.flatnonzero(num_taken == count)
        for begin in range(0, len(alike), TOGETHER):
            if time.monotonic() >= until:
                return None
            some = alike[begin : begin + TOGETHER]
            is_taken = [np.ones_like(some)] * 2 + [some >> y - 2 & 1 for y in range(2, r + 1)]
            walks = _walks(r, is_taken)
            best = np.full((r + 1, len(some)), FAR, np.int16)
            for y in range(2, r + 1):
                after = np.where(is_taken[y], FAR, -table[some | 1 << y - 2, y])
                best = np.minimum(best, walks[:, y] + after)
            table[some] = best.T
    return int(table[0, 1])


def _walks(r: int, is_taken: Any) -> Any:
    """What the cheapest walk from x to y costs, [x, y], for each of the sets; [0] is unused."""
    walks = np.full((r + 1, r + 1, len(is_taken[1])), FAR, np.int16)
    for x in range(1, r + 1):
        for y in range(1, r + 1):
            if x != y and max(x, y) % min(x, y) == 0:
                walks[x, y] = max(x, y) // min(x, y) * (1 + is_taken[y])
    for between in range(1, r + 1):
        np.minimum(walks, walks[:, between, None] + walks[None, between], out=walks)
    return walks
