"""The first values from the rules alone, as a program for readers who have nothing else."""

from functools import cache

LAST = {"value": 12}


def score(row: str, same: bool) -> int:
    """The summed lengths of all even runs of mirror images that are the same, or all different."""
    found = 0
    for middle in range(1, len(row)):
        for k in range(min(middle, len(row) - middle)):
            if (row[middle - 1 - k] == row[middle + k]) != same:
                break
            found += 2 * (k + 1)
    return found


def a(n: int) -> int:
    """Try all games. The row is a text with a blank for each empty square."""

    @cache
    def value(row: str) -> int:
        empty = [k for k in range(n) if row[k] == " "]
        if not empty:
            return score(row, True) - score(row, False)
        values = [value(row[:k] + digit + row[k + 1 :]) for k in empty for digit in "01"]
        return max(values) if (n - len(empty)) % 2 == 0 else min(values)

    return value(" " * n)
