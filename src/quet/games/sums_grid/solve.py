"""The best score of a small grid with all the grids that reach it, and bounds below n^3 for larger ones.

Whether a score of m can be reached is decided by the smallest number that is no sum yet, while it is at most m. Some
run must have it as its sum. Either the number itself is written in an empty square, or a run with empty squares is
completed to this sum. Numbers that complete a run are smaller, so that they are sums already; and since there are only
n^3 runs, at most n^3 - m of them can be wasted on a sum that another run has or that is above m. So most branches end
at once. Functions are compiled by `quet.engine.compiled`.
"""

import functools
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from quet.engine.compiled import compiled
from quet.solve import improve
from quet.solve.answer import Answer, Task

from . import local_search, rules
from .rules import BASE, State

ALLOCATES = False

LARGEST_SETTLED = 3  # n up to which the best score is proved in seconds
BOUNDING = 0.2  # of the time for larger grids goes to bounds
MOST_GRIDS = 10_000  # kept, each with some of its mirror images
METHOD = "all ways to make the smallest number that is no sum yet"


def write(n: int, m: int, board: Any, square: int, number: int, times: Any) -> int:
    """Write a number in an empty square, and count the sums of all runs that are whole now; return how many are wasted.

    times[t] is how many whole runs have the sum t, for t up to m.
    """
    board[square] = number
    wasted = 0
    row = square // n
    for direction in range(2):
        step = 1 if direction == 0 else n
        place = square - row * n if direction == 0 else row
        begin = square - place * step
        before = 0
        for first in range(place, -1, -1):
            if board[begin + first * step] == 0:
                break
            before += board[begin + first * step]
            total = before - number
            for last in range(place, n):
                if board[begin + last * step] == 0:
                    break
                total += board[begin + last * step]
                if direction == 1 and first == last:
                    continue  # the square alone is one run, not two
                if total > m:
                    wasted += 1
                else:
                    wasted += times[total] > 0
                    times[total] += 1
    return wasted


def erase(n: int, m: int, board: Any, square: int, times: Any) -> None:
    """Undo `write`."""
    number = board[square]
    row = square // n
    for direction in range(2):
        step = 1 if direction == 0 else n
        place = square - row * n if direction == 0 else row
        begin = square - place * step
        before = 0
        for first in range(place, -1, -1):
            if board[begin + first * step] == 0:
                break
            before += board[begin + first * step]
            total = before - number
            for last in range(place, n):
                if board[begin + last * step] == 0:
                    break
                total += board[begin + last * step]
                if total <= m and not (direction == 1 and first == last):
                    times[total] -= 1
    board[square] = 0


def decide(n: int, m: int, square: int, board: Any, times: Any, frames: Any, grids: Any, counts: Any) -> int:
    """Go through all grids that score at least m and have their 1 in this square; return how many were found.

    They are written to the rows of `grids`, as many as there is room for, an empty square as 0: there any number above
    m will do. counts[0] is the positions looked at, and the search stops when counts[1] becomes 1. `board` and `times`
    are to be 0 everywhere; `frames` has a row of 10 for each step of the search, which may be 2 * n * n + 2 deep:

        0 smallest number that may not be a sum yet    5 what the run still lacks, those squares included
        1 runs wasted                                  6 1 where a run is completed to the smallest number, else 0
        2 square of the run from which it is filled    7 next number for the square, or next way to go on
        3 its step from square to square               8 the last one
        4 how many squares of it come after            9 square written, to be erased, or -1
    """
    most_wasted = n * n * n - m
    found = 0
    depth = -1
    wasted = write(n, m, board, square, 1, times)
    found += enter(n, m, board, times, frames, 0, 1, wasted, 0, 1, -1, 0, grids, found, counts)
    depth += frames[0, 6] >= 0
    while depth >= 0 and not counts[1]:
        f = frames[depth]
        if f[9] >= 0:
            erase(n, m, board, f[9], times)
            f[9] = -1
        if f[7] > f[8]:
            depth -= 1
            continue
        way = f[7]
        f[7] += 1
        here, number = -1, 0  # what is to be written
        start, step, more, rest = 0, 1, -1, 0  # the run to complete after it
        if f[6] == 1:
            here, number = f[2], way
            start, step, more, rest = f[2], f[3], f[4], f[5]
            for other in range(n * n):
                if board[other] == number:
                    here = -1
        elif way < n * n:
            here, number = way, f[0]
            if board[here] != 0:
                here = -1
        else:
            line, first, more = (way - n * n) // (n * n), (way - n * n) // n % n, (way - n * n) % n
            step = 1 if line < n else n
            start = line * n + first if line < n else line - n + first * n
            rest = f[0]
            num_empty = 0
            if more > 0 and first + more < n:
                for k in range(more + 1):
                    num_empty += board[start + k * step] == 0
            if num_empty == 0 or num_empty > most_wasted - f[1]:
                continue
        if here < 0 and (f[6] == 1 or way < n * n):
            continue
        wasted = f[1]
        if here >= 0:
            wasted += write(n, m, board, here, number, times)
            f[9] = here
        if wasted <= most_wasted:
            found += enter(
                n, m, board, times, frames, depth + 1, f[0], wasted, start, step, more, rest, grids, found, counts
            )
            depth += frames[depth + 1, 6] >= 0
    return found


def enter(
    n: int,
    m: int,
    board: Any,
    times: Any,
    frames: Any,
    depth: int,
    smallest: int,
    wasted: int,
    square: int,
    step: int,
    more: int,
    rest: int,
    grids: Any,
    found: int,
    counts: Any,
) -> int:
    """Begin a step of the search in frames[depth]; 1 where a grid is found. Column 6 is -1 where nothing is left."""
    counts[0] += 1
    f = frames[depth]
    f[6] = -1
    while more >= 0 and board[square] != 0:
        rest -= board[square]
        square += step
        more -= 1
    if more >= 0:
        lowest, highest = 1, rest
        is_last = True
        for k in range(1, more + 1):
            highest -= board[square + k * step]
            if board[square + k * step] == 0:
                is_last = False
        if is_last:
            lowest = max(1, highest)
        f[6], f[7], f[8] = 1, lowest, highest
    elif rest == 0:
        while smallest <= m and times[smallest] > 0:
            smallest += 1
        if smallest > m:
            if found < len(grids):
                for other in range(n * n):
                    grids[found, other] = board[other]
            return 1
        f[6], f[7], f[8] = 0, 0, n * n + 2 * n * n * n - 1
        if wasted == n * n * n - m:
            f[8] = n * n - 1  # no number smaller than the smallest can be written any more
    f[0], f[1], f[2], f[3], f[4], f[5], f[9] = smallest, wasted, square, step, more, rest, -1
    return 0


def solve(state: State, task: Task) -> Answer:
    """The best score with all grids that reach it, or for larger grids the best grid met and a bound; or the lowest."""
    n = state.n
    if task.is_lowest:
        lowest = [square * BASE + square + 2 for square in range(n * n)]  # without a 1
        return Answer(0, 0, [*lowest, n * n * BASE], lowest[:1], 1, "a grid without a 1", value=0, is_at_bound=True)
    module: Any = compiled(sys.modules[__name__])
    if n <= LARGEST_SETTLED:
        bound, grids, nodes = _bound(module, n, task)
        if grids:
            moves = [square * BASE + number for square, number in enumerate(grids[0])]
            counts = {"optimal grids up to symmetry": len(grids), "optimal grids": grids}
            return Answer(bound, bound, [*moves, n * n * BASE], moves[:1], nodes, METHOD, value=bound, counts=counts)
    whole = task.improving()
    assert whole.seconds is not None
    bound, _, nodes = _bound(module, n, replace(whole, seconds=BOUNDING * whole.seconds))
    found = improve.solve(rules, None, local_search, state, whole)
    method = found.method if bound == n**3 else f"{METHOD}; the grid by {found.method}"
    return replace(found, high=bound, nodes=found.nodes + nodes, method=method, is_at_bound=bound == n**3)


def _bound(module: Any, n: int, task: Task) -> tuple[int, list[list[int]], int]:
    """A bound on the score, as low as the time allows, the grids that reach it, if any, and the positions looked at."""
    board, times = np.zeros(n * n, np.int64), np.zeros(n**3 + 2, np.int64)
    grids = np.zeros((MOST_GRIDS, n * n), np.int64)
    counts = np.zeros(2, np.int64)
    frames = np.zeros((2 * n * n + 3, 10), np.int64)
    nodes = 0
    for m in range(n**3, 0, -1):
        found: set[tuple[int, ...]] = set()
        squares = [row * n + column for row in range((n + 1) // 2) for column in range(row, (n + 1) // 2)]
        for number, square in enumerate(squares):
            task.report(number, len(squares), f"squares for the 1 in grids of {m}")
            name = f"{m} with 1 in {square}"
            if name not in task.notes:
                board[:], times[:], counts[:] = 0, 0, 0
                call = functools.partial(module.decide, n, m, square, board, times, frames, grids, counts)
                num_found = int(task.run(counts[1:], call))
                if counts[1]:
                    return m, [], nodes
                task.note(name, [_different(n, grids[:num_found].tolist(), m), int(counts[0])])
            more, positions = task.notes[name]
            nodes += positions
            found |= {tuple(grid) for grid in more}
        if found:
            return m, sorted(list(grid) for grid in found), nodes
    raise AssertionError("a grid with a 1 scores 1")


def _different(n: int, grids: list[list[int]], m: int) -> list[list[int]]:
    """The grids without those that symmetries make of them, empty squares filled with numbers above m."""
    found = set()
    for grid in grids:
        above = iter(range(m + 1, m + n * n + 1))
        found.add(smallest_image(n, [number or next(above) for number in grid]))
    return [list(grid) for grid in sorted(found)]


def smallest_image(n: int, grid: list[int]) -> tuple[int, ...]:
    """Of the grid, turned and mirrored in all eight ways, the first in order."""
    rows = [grid[row * n : row * n + n] for row in range(n)]
    images = []
    for _ in range(4):
        rows = [list(column) for column in zip(*reversed(rows), strict=True)]
        images += [rows, [row[::-1] for row in rows]]
    return min(tuple(number for row in image for number in row) for image in images)
