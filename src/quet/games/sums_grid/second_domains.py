"""Sums grid of four: whether its n^3 runs can have each of the sums 1 to n^3, by `second_runs.py` from beginnings."""

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
from . import second_runs

LARGEST = 4
MOST_PLAYERS = 1
FINDS_BOUNDS = True
FILLED = 4  # numbers in a beginning
WORDS = "all ways to write the smallest number missing, each run being kept to the sums that it can still have"


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """n^3 where a grid has so many sums, else the given bound if it is n^3 - 1; None where that isn't known."""
    n = int(parameters["n"])
    if bound < n**3 - 1:
        return None
    task = Task(seconds=None if until == math.inf else until - time.monotonic())
    sums = list(range(1, n**3 + 1))
    parts = {"-".join(map(str, board)): (n, sums, board) for board in beginnings(n, sums)}
    num_done = 0
    with contextlib.closing(task.workers):
        for _, grid in done(task, grid_from, parts, "beginnings of grids"):
            num_done += 1
            if grid:
                return n**3
    return n**3 - 1 if num_done == len(parts) else None


def grid_from(n: int, sums: list[int], begun: list[int], seconds: float | None) -> list[int] | None:
    """A grid that continues `begun` and whose n^3 runs have these n^3 sums; empty where there is none.

    It is a part of the work, and takes seconds at most, so the clock is looked at only here.
    """
    if seconds is not None and seconds <= 0:
        return None
    module: ModuleType = compiled(second_runs)
    least = min(sums)
    runs, parts = _runs(n)
    table = np.array([[len(run), *run] + [0] * (n - len(run)) for run in runs], np.int64)
    board = np.array(begun, np.int64)
    found = module.search(
        begun.index(least),
        least,
        sum(1 << (total - least - 1) for total in sums if total > least),
        board,
        np.array(parts, np.int64),
        table,
        np.zeros((4, n * n + 1, len(runs)), np.int64),
        np.zeros((n * n + 1, 4), np.int64),
        np.zeros(second_runs.BITS, np.int64),
        np.zeros(1, np.int64),
    )
    return [int(number) for number in board] if found else []


def _runs(n: int) -> tuple[list[tuple[int, ...]], list[tuple[int, int, int]]]:
    """The squares of each run, single ones first; and each run with two shorter ones that make it."""
    squares = np.arange(n * n).reshape(n, n)
    runs: list[tuple[int, ...]] = [(square,) for square in range(n * n)]
    for line in [*squares.tolist(), *squares.T.tolist()]:
        runs += [tuple(line[a:b]) for a, b in itertools.combinations(range(n + 1), 2) if b - a > 1]
    at = {run: number for number, run in enumerate(runs)}
    return runs, [(at[run], at[run[:k]], at[run[k:]]) for run in runs for k in range(1, len(run))]


def beginnings(n: int, sums: list[int]) -> list[list[int]]:
    """Grids with a few numbers, empty squares 0: every grid with these sums, or an image of it, continues one."""
    runs, _ = _runs(n)
    boards = {(0,) * (n * n)}
    for _ in range(min(FILLED, n * n)):
        longer = set()
        for board in boards:
            number = min(set(sums).difference(_sums(board, runs)), default=0)
            for square in range(n * n):
                if number and not board[square]:
                    filled = board[:square] + (number,) + board[square + 1 :]
                    found = _sums(filled, runs)
                    if len(set(found)) == len(found) and set(sums).issuperset(found):
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
