"""Sums grids up to four: whether one scores more than a bound, by `second_choices.py` from each beginning."""

import contextlib
import itertools
import math
import time
from collections.abc import Mapping
from types import ModuleType

import numpy as np

from ...distribution.parts import done
from ...distribution.task import Task
from ...engine.compiled import compiled
from . import second_choices

LARGEST = 4
MOST_PLAYERS = 1
FINDS_BOUNDS = True
FILLED = 4  # numbers in a beginning
WORDS = "all grids that waste few enough runs, each time by the choice with the fewest alternatives"


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The bound where no grid scores more, else the least score that is more; None where that isn't known.

    For more wasted runs than `second_choices.py` takes, nothing is known.
    """
    n = int(parameters["n"])
    if bound < n**3 - second_choices.MOST_WASTED - 1:
        return None
    if bound >= n**3:
        return n**3
    task = Task(seconds=None if until == math.inf else until - time.monotonic())
    parts = {"-".join(map(str, board)): (n, bound + 1, board) for board in beginnings(n, bound + 1)}
    num_done = 0
    with contextlib.closing(task.workers):
        for _, grid in done(task, grid_from, parts, "beginnings of grids"):
            num_done += 1
            if grid:
                return bound + 1
    return bound if num_done == len(parts) else None


def grid_from(n: int, m: int, begun: list[int], seconds: float | None) -> list[int] | None:
    """A grid that continues `begun` and scores at least m; empty where there is none.

    It is a part of the work, and takes seconds at most, so the clock is looked at only here.
    """
    if seconds is not None and seconds <= 0:
        return None
    module: ModuleType = compiled(second_choices)
    runs = _runs(n)
    through = [[r for r, run in enumerate(runs) if square in run] for square in range(n * n)]
    most = max(len(found) for found in through)
    board = np.array(begun, np.int64)
    found = module.search(
        m,
        board,
        np.array([[len(run), *run] + [0] * (n - len(run)) for run in runs], np.int64),
        np.array([[len(found), *found] + [0] * (most - len(found)) for found in through], np.int64),
        np.zeros(len(runs), np.int64),
        np.zeros(len(runs), np.int64),
        np.zeros((n * n + 1, second_choices.WIDTH), np.int64),
        np.zeros((n * n + 1, n * n), np.int64),
        np.zeros((n * n + 1, n * n * m), np.int64),
        np.zeros((second_choices.ROOM, n**3 + 2), np.int64),
        np.zeros(1, np.int64),
    )
    above = itertools.count(m + 1)
    return [int(number) or next(above) for number in board] if found else []


def _runs(n: int) -> list[tuple[int, ...]]:
    """The squares of each run."""
    squares = np.arange(n * n).reshape(n, n)
    runs: list[tuple[int, ...]] = [(square,) for square in range(n * n)]
    for line in [*squares.tolist(), *squares.T.tolist()]:
        runs += [tuple(line[a:b]) for a, b in itertools.combinations(range(n + 1), 2) if b - a > 1]
    return runs


def beginnings(n: int, m: int) -> list[list[int]]:
    """The smallest numbers of every grid, or an image of it, that scores at least m; empty squares are 0.

    The next number is at most the smallest sum that no run has yet: otherwise no run would ever have it. Where there is
    no such sum, any numbers will do.
    """
    runs = _runs(n)
    boards = {(0,) * (n * n)}
    for _ in range(min(FILLED, n * n)):
        longer = set()
        for board in boards:
            sums = set(_sums(board, runs))
            missing = min(set(range(1, m + 1)) - sums, default=0)
            if not missing:
                longer.add(board)
            for square, number in itertools.product(range(n * n), range(max(board) + 1, missing + 1)):
                if not board[square]:
                    filled = board[:square] + (number,) + board[square + 1 :]
                    found = _sums(filled, runs)
                    if len(found) - len(set(found)) <= n**3 - m:
                        longer.add(min(_images(n, filled)))
        boards = longer
    return [list(board) for board in sorted(boards)]


def _sums(board: tuple[int, ...], runs: list[tuple[int, ...]]) -> list[int]:
    """The sums of the runs without an empty square."""
    return [sum(board[square] for square in run) for run in runs if all(board[square] for square in run)]


def _images(n: int, board: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The grid turned and mirrored in all eight ways."""
    grid = np.array(board).reshape(n, n)
    turned = [np.rot90(grid, k) for k in range(4)]
    return [tuple(image.flatten().tolist()) for other in turned for image in (other, other.T)]
