"""Calls of `exhaustive.py`: the beginnings that they search, and the different grids that they find."""

import functools
import itertools
from types import ModuleType

import numpy as np

from quet.core.errors import BrokenRules
from quet.distribution.task import run
from quet.engine.compiled import compiled

from . import exhaustive, rules

LARGEST_SETTLED = 3  # n up to which the best score is proved in seconds, without a compiler
FILLED = 2  # squares in the beginnings that are parts of the work, up to LARGEST_SETTLED
MORE_FILLED = 4  # and beyond
MOST_GRIDS = 10_000  # kept, each with some of its mirror images
LATE = (4, 2, 1)  # most runs wasted before the last number, the last two, the last three, by grids that are found soon
Grid = list[int]


def beginnings(n: int, m: int) -> list[Grid]:
    """Grids with a few numbers, empty squares 0. Every grid that scores m or more, or an image of it, continues one.

    Images are those in the symmetries of the grid.
    """
    squares = [row * n + column for row in range((n + 1) // 2) for column in range(row, (n + 1) // 2)]
    filled = FILLED if n <= LARGEST_SETTLED else MORE_FILLED
    boards = [[int(square == other) for other in range(n * n)] for square in squares]
    found = set()
    for first in boards:
        found |= {smallest_image(n, board) for board in decided(exhaustive, n, m, first, filled)[0] or []}
    return [list(board) for board in sorted(found)]


def grids_from(n: int, m: int, board: Grid, seconds: float | None) -> tuple[list[Grid], int] | None:
    """The different grids that continue `board` and score at least m, and how many positions that took.

    None when the time is over. It is a part of the work.
    """
    module = exhaustive if n <= LARGEST_SETTLED else compiled(exhaustive)
    grids, nodes = decided(module, n, m, board, n * n, seconds)
    return None if grids is None else (different(n, grids, m), nodes)


def late_grid(n: int, m: int, board: Grid, looseness: int, seconds: float | None) -> tuple[Grid | None, int] | None:
    """A grid that continues `board`, wastes runs late and scores at least m, and how many positions that took.

    It is the best one found, and None where there is none. The whole result is None when the time is over. It is a part
    of the work.
    """
    grids, nodes = decided(compiled(exhaustive), n, m, board, n * n, seconds, wasting_late(n, m, looseness))
    if grids is None:
        return None
    return max(different(n, grids, m), key=lambda grid: score(n, grid), default=None), nodes


def wasting_late(n: int, m: int, looseness: int) -> list[int]:
    """How many runs may be wasted with so many squares filled, where the last numbers waste most."""
    late = [looseness] * (n * n + 1)
    for missing, wasted in enumerate(LATE, 1):
        late[n * n - missing] += wasted
    late[n * n] = n**3 - m
    return late


def decided(
    module: ModuleType,
    n: int,
    m: int,
    board: Grid,
    most_filled: int,
    seconds: float | None = None,
    late: list[int] | None = None,
    most_grids: int = MOST_GRIDS,
) -> tuple[list[Grid] | None, int]:
    """The grids of `exhaustive.decide`, None when the time was over, and the positions looked at.

    `module` is `exhaustive` as it stands, or compiled. Without `late` no grid is left out. With it the first
    `most_grids` are kept.
    """
    array = list if module is exhaustive else functools.partial(np.array, dtype=np.int64)
    lengths, squares, through = exhaustive.tables(n)
    runs = [0] * len(lengths)
    steps = n * n + 2
    counts, stop = array([0]), array([0])
    grids = array([[0] * (n * n) for _ in range(most_grids)])
    call = functools.partial(
        module.decide,
        m,
        most_filled,
        array([n**3 - m] * (n * n + 1) if late is None else late),
        *(array(values) for values in (board, lengths, squares, through, runs, runs)),
        array([[0] * exhaustive.WIDTH for _ in range(steps)]),
        array([[0] * (5 * n * n) for _ in range(steps)]),
        grids,
        counts,
        stop,
    )
    num_found = int(run(stop, call, seconds))
    if num_found > most_grids and late is None:
        raise BrokenRules(f"There are {num_found} grids, more than there is room for.")
    found = [[int(number) for number in grid] for grid in grids[:num_found]]
    return None if stop[0] else found, int(counts[0])


def different(n: int, grids: list[Grid], m: int) -> list[Grid]:
    """One grid of each set that symmetries join, with numbers above m in empty squares."""
    found = set()
    for grid in grids:
        above = itertools.count(m + 1)
        found.add(smallest_image(n, [number or next(above) for number in grid]))
    return [list(grid) for grid in sorted(found)]


def smallest_image(n: int, grid: Grid) -> tuple[int, ...]:
    """The smallest, in lexicographic order, of the eight images of the grid."""
    rows = [grid[row * n : row * n + n] for row in range(n)]
    images = []
    for _ in range(4):
        rows = [list(column) for column in zip(*reversed(rows), strict=True)]
        images += [rows, [row[::-1] for row in rows]]
    return min(tuple(number for row in image for number in row) for image in images)


def score(n: int, grid: Grid) -> int:
    """The score of a full grid."""
    s = rules.State()
    rules.start(s, n)
    s.numbers[: n * n] = grid
    return rules.score(s, 1)
