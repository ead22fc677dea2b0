"""Sums grid: a grid has n^3 runs, so that a score of n^3 needs each of 1 to n^3 to be the sum of one."""

import time
from collections.abc import Mapping

LARGEST = 3
LARGER = "second_beginnings"  # another second way, for more
MOST_PLAYERS = 1
FINDS_BOUNDS = True
WORDS = "all grids whose n^3 runs are different, as a score of n^3 needs them, square by square"


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """n^3 where a grid has so many sums, else the given value if it is n^3 - 1; None where that isn't known."""
    n = int(parameters["n"])
    if _is_full(n, [], set(), until):
        return n**3
    return value if value == n**3 - 1 and time.monotonic() < until else None


def _is_full(n: int, numbers: list[int], sums: set[int], until: float) -> bool:
    """Whether a grid whose runs all have different sums begins with these numbers, whose runs have these sums."""
    if len(numbers) == n * n:
        return True
    if time.monotonic() >= until:
        return False
    row, column = divmod(len(numbers), n)
    left = [sum(numbers[len(numbers) - k :]) for k in range(1, column + 1)]
    below = [sum(numbers[len(numbers) - n * k :: n]) for k in range(1, row + 1)]
    for number in range(1, n**3 + 1):
        runs = [number, *[number + rest for rest in left + below]]
        is_new = max(runs) <= n**3 and len(set(runs)) == len(runs) and sums.isdisjoint(runs)
        if is_new and _is_full(n, [*numbers, number], sums.union(runs), until):
            return True
    return False
