"""The first highest scores from the rules alone, as a program for readers who have nothing else."""

from collections.abc import Iterator

LAST = {"highest": 3}


def fillings(count: int, total: int, used: frozenset[int]) -> Iterator[list[int]]:
    """All lists of so many distinct numbers with this total that aren't used yet."""
    if count == 0 and total == 0:
        yield []
    for number in range(1, total + 1) if count else ():
        if number not in used:
            for rest in fillings(count - 1, total - number, used | {number}):
                yield [number, *rest]


def a(n: int) -> int:
    """Try the scores from n^3 down: an n X n grid has n^3 runs, so no score is higher."""
    lines = [[(x, y) for x in range(n)] for y in range(n)]
    lines += [[(x, y) for y in range(n)] for x in range(n)]
    runs = {tuple(line[i:j]) for line in lines for j in range(n + 1) for i in range(j)}

    def reaches(m: int, grid: dict[tuple[int, int], int]) -> bool:
        full = [sum(grid[s] for s in run) for run in runs if all(s in grid for s in run)]
        missing = set(range(1, m + 1)).difference(full)
        if len(runs) - len(full) < len(missing):
            return False
        if not missing:
            return True
        for run in runs:  # one of them must have the smallest sum that is missing
            empty = [s for s in run if s not in grid]
            rest = min(missing) - sum(grid[s] for s in run if s in grid)
            for numbers in fillings(len(empty), rest, frozenset(grid.values())):
                if reaches(m, grid | dict(zip(empty, numbers, strict=True))):
                    return True
        return False

    half = range((n + 1) // 2)  # the square of the number 1, up to turning and mirroring the grid
    ones = [{(x, y): 1} for x in half for y in half if x <= y]
    return next(m for m in range(n**3, 0, -1) if any(reaches(m, one) for one in ones))
