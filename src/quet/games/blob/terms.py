"""The first values from the rules alone, as a program for readers who have nothing else."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby

LAST = {"value": 4}


def is_good(line: Sequence[bool]) -> bool:
    """Whether of every two lengths of runs one divides the other."""
    lengths = [len(list(run)) for _, run in groupby(line)]
    return all(max(i, j) % min(i, j) == 0 for i in lengths for j in lengths)


def a(n: int) -> int:
    """Try all games. A position is the set of filled squares."""

    @cache
    def value(filled: frozenset[tuple[int, int]]) -> int:
        if len(filled) == 2 * (n * n // 4):
            rows = [[(x, y) in filled for x in range(n)] for y in range(n)]
            columns = [[(x, y) in filled for y in range(n)] for x in range(n)]
            return sum(map(is_good, rows)) - sum(map(is_good, columns))
        values = [
            value(filled | {(x, y)})
            for x in range(n)
            for y in range(n)
            if (x, y) not in filled
            if not filled or filled & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
        ]
        return max(values) if len(filled) % 2 == 0 else min(values)

    return value(frozenset())
