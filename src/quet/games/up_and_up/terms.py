"""The first highest and lowest scores from the rules alone, as a program for readers who have nothing else."""

from collections.abc import Sequence

LOWEST = False  # whether a(n) is the lowest score; else it is the highest
LAST = {"highest": 7, "lowest": 10}


def can_end(last: int, n: int, path: Sequence[tuple[int, int]], step: int) -> bool:
    """Whether a game that begins with the squares of the path can end with the number last."""
    x, y = path[-1]

    def empty(k: int) -> list[tuple[int, int]]:
        near = [(x + k, y), (x - k, y), (x, y + k), (x, y - k)]
        return [s for s in near if s not in path and min(s) >= 0 and max(s) < n]

    squares = empty(step)
    if not squares:  # the step goes back to 1
        step = 1
        squares = empty(1)
    if len(path) == last:
        return not squares
    return any(can_end(last, n, [*path, square], step + 1) for square in squares)


def a(n: int) -> int:
    """Try the scores one after another, the best first."""
    scores = range(1, n * n + 1) if LOWEST else range(n * n, 0, -1)
    starts = [(x, y) for x in range(n) for y in range(n)]
    return next(m for m in scores if any(can_end(m, n, [start], 1) for start in starts))
