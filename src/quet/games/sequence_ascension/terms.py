"""The first highest scores from the rules alone, as a program for readers who have nothing else."""

from collections.abc import Sequence

SEQUENCE = [1, 2, 2, 3, 2, 4, 2, 4, 3, 4, 2, 6, 2, 4, 4, 5]  # the terms that are placed
LAST = {"highest": 4}


def a(n: int) -> int:
    """Try all placings, and in each all paths that can be longer than the longest one so far."""
    squares = range(n * n)

    def is_touching(s: int, t: int) -> bool:
        return max(abs(s // n - t // n), abs(s % n - t % n)) == 1

    touching = [{t for t in squares if is_touching(s, t)} for s in squares]
    term = [0] * (n * n)
    above: dict[int, set[int]] = {}  # the other squares where a path through a square can go on
    longest = 0

    def climb(here: int, left: set[int], length: int) -> None:
        nonlocal longest
        if length + len(left) > longest:
            longest = max(longest, length)
            for s in touching[here] & left:
                climb(s, left & above[s], length + 1)

    def place(path: Sequence[int]) -> None:
        empty = touching[path[-1]].difference(path)
        for s in empty:
            place([*path, s])
        if not empty and len(path) > longest:
            for s, number in zip(path, SEQUENCE, strict=False):
                term[s] = number
            for s in path:
                above[s] = {t for t in path if t != s and term[t] >= term[s]}
            for s in path:
                climb(s, above[s], 1)

    for start in squares:  # up to turning and mirroring the grid
        if start // n <= start % n < (n + 1) // 2:
            place([start])
    return longest
