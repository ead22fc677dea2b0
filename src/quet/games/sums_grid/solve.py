"""The best score of a small grid with all the grids that reach it; for larger ones the best grid met, and a bound.

Grids are gone through by `exhaustive.py`, for n = 4 as far as the time allows: each of a few thousand beginnings is a
part of the work. The best grid met is looked for by `local_search.py`, in rounds that each begin with the best so far.
"""

import functools
import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from quet.core.errors import BrokenRules
from quet.core.state import copy
from quet.engine.compiled import compiled
from quet.solve.answer import Answer, Task, run
from quet.solve.parts import done
from quet.solve.workers import Processes

from . import exhaustive, local_search, rules
from .rules import BASE, State

LARGEST_SETTLED = 3  # n up to which the best score is proved in seconds, without a compiler
LARGEST_BOUNDED = 4  # n up to which a bound below n^3 is looked for
BOUNDING = 0.25  # of the time for larger grids goes to bounds
LEAST_TO_BOUND = 1000.0  # seconds below which no bound would be found, unless a checkpoint has some of its parts
FILLED = 2  # squares in the beginnings that are parts of the work, up to LARGEST_SETTLED
MORE_FILLED = 4  # and beyond
MOST_GRIDS = 10_000  # kept, each with some of its mirror images
AT_ONCE = 4  # rounds of the local search that begin with the same grid
STEPS = 300_000  # in each of the first of them; then twice as many
MOST_STEPS = 20_000_000
METHOD = "all ways to make the smallest number that is no sum yet"
Grid = list[int]


def solve(state: State, task: Task) -> Answer:
    """The best score with all grids that reach it, or for larger grids the best grid met and a bound; or the lowest."""
    n = state.n
    if task.is_lowest:
        lowest = [square + 2 for square in range(n * n)]  # without a 1
        return Answer(0, 0, _moves(lowest), _moves(lowest)[:1], 1, "a grid without a 1", value=0, is_at_bound=True)
    if n <= LARGEST_SETTLED:
        bound, grids, nodes, is_whole = _highest(n, replace(task, workers=Processes(1)))
    else:
        task = task.improving()
        assert task.seconds is not None
        bound, grids, nodes, is_whole = n**3, [], 0, False
        is_begun = any(name.startswith(f"{n**3} from") for name in task.notes)
        if n <= LARGEST_BOUNDED and (is_begun or task.seconds >= LEAST_TO_BOUND):
            bound, grids, nodes, is_whole = _highest(n, replace(task, seconds=BOUNDING * task.seconds))
    if is_whole:
        counts = {"optimal grids up to symmetry": len(grids), "optimal grids": grids}
        moves = _moves(grids[0])
        return Answer(bound, bound, moves, moves[:1], nodes, METHOD, value=bound, counts=counts)
    return _best_met(state, task, bound, grids[0] if grids else None, nodes)


def _moves(grid: Grid) -> list[int]:
    return [*(square * BASE + number for square, number in enumerate(grid)), len(grid) * BASE]


def _highest(n: int, task: Task) -> tuple[int, list[Grid], int, bool]:
    """A bound on the score, as low as the time allows; grids that reach it; positions looked at; whether that is all.

    Without any grid the bound may be too high.
    """
    nodes = 0
    for m in range(n**3, 0, -1):
        parts = {f"{m} from {'-'.join(map(str, board))}": (n, m, board) for board in beginnings(n, m)}
        found = set()
        num_done = 0
        for _, (grids, positions) in done(task, grids_from, parts, f"beginnings of grids of {m}"):
            num_done += 1
            nodes += positions
            found |= {tuple(grid) for grid in grids}
        if found or num_done < len(parts):
            return m, sorted(list(grid) for grid in found), nodes, num_done == len(parts)
    raise AssertionError("a grid with a 1 scores 1")


def beginnings(n: int, m: int) -> list[Grid]:
    """Grids with a few numbers, empty squares 0, of which every grid that scores m or more is one gone on with.

    So is one of its images in the symmetries of the grid, that is.
    """
    squares = [row * n + column for row in range((n + 1) // 2) for column in range(row, (n + 1) // 2)]
    filled = FILLED if n <= LARGEST_SETTLED else MORE_FILLED
    boards = [[int(square == other) for other in range(n * n)] for square in squares]
    found = set()
    for first in boards:
        found |= {smallest_image(n, board) for board in _decided(exhaustive, n, m, first, filled)[0] or []}
    return [list(board) for board in sorted(found)]


def grids_from(n: int, m: int, board: Grid, seconds: float | None) -> tuple[list[Grid], int] | None:
    """The different grids that go on from `board` and score at least m, and how many positions that took.

    None when the time is over. It is a part of the work.
    """
    module: Any = exhaustive if n <= LARGEST_SETTLED else compiled(exhaustive)
    grids, nodes = _decided(module, n, m, board, n * n, seconds)
    return None if grids is None else (_different(n, grids, m), nodes)


def _decided(
    module: Any, n: int, m: int, board: Grid, most_filled: int, seconds: float | None = None
) -> tuple[list[Grid] | None, int]:
    """The grids of `exhaustive.decide`, None when the time was over, and the positions looked at.

    `module` is it as it stands, or compiled.
    """
    array = list if module is exhaustive else functools.partial(np.array, dtype=np.int64)
    lengths, squares, through = exhaustive.tables(n)
    runs = [0] * len(lengths)
    steps = n * n + 2
    counts, stop = array([0]), array([0])
    grids = array([[0] * (n * n) for _ in range(MOST_GRIDS)])
    call = functools.partial(
        module.decide,
        m,
        most_filled,
        *(array(values) for values in (board, lengths, squares, through, runs, runs)),
        array([[0] * exhaustive.WIDTH for _ in range(steps)]),
        array([[0] * (2 * n * n) for _ in range(steps)]),
        array([0] * (n**3 + 1)),
        grids,
        counts,
        stop,
    )
    num_found = int(run(stop, call, seconds))
    if num_found > MOST_GRIDS:
        raise BrokenRules(f"There are {num_found} grids, more than there is room for.")
    found = [[int(number) for number in grid] for grid in grids[:num_found]]
    return None if stop[0] else found, int(counts[0])


def _different(n: int, grids: list[Grid], m: int) -> list[Grid]:
    """The grids without those that symmetries make of them, empty squares filled with numbers above m."""
    found = set()
    for grid in grids:
        above = itertools.count(m + 1)
        found.add(smallest_image(n, [number or next(above) for number in grid]))
    return [list(grid) for grid in sorted(found)]


def smallest_image(n: int, grid: Grid) -> tuple[int, ...]:
    """Of the grid, turned and mirrored in all eight ways, the first in order."""
    rows = [grid[row * n : row * n + n] for row in range(n)]
    images = []
    for _ in range(4):
        rows = [list(column) for column in zip(*reversed(rows), strict=True)]
        images += [rows, [row[::-1] for row in rows]]
    return min(tuple(number for row in image for number in row) for image in images)


def _best_met(state: State, task: Task, bound: int, grid: Grid | None, nodes: int) -> Answer:
    """The best grid that the local search meets within the time, with the bound that is known.

    Each round looks for a grid that is better than the best of the rounds before.
    """
    n = state.n
    kept = task.notes.get("best grid", {"rounds": 0, "steps": 0, "grid": grid})
    while kept["grid"] is None or (_score(state, kept["grid"]) < bound and not task.is_over):
        first = kept["rounds"]
        steps = min(STEPS << min(first // AT_ONCE, 20), MOST_STEPS)
        parts = {
            f"round {number}": (state, kept["grid"], 1000 * task.seed + number, steps)
            for number in range(first, first + AT_ONCE)
        }
        best = f", best {_score(state, kept['grid'])}" if kept["grid"] else ""
        for _ in done(task, better_grid, parts, f"rounds from round {first + 1}{best}"):
            pass
        if kept["grid"] is None and not any(part in task.notes for part in parts):  # there was no time at all
            part = next(iter(parts))
            task.note(part, better_grid(*parts[part], 0.0))
        for found, num_steps in [task.notes.pop(part) for part in parts if part in task.notes]:
            kept = kept | {"rounds": kept["rounds"] + 1, "steps": kept["steps"] + num_steps}
            if kept["grid"] is None or _score(state, found) > _score(state, kept["grid"]):
                kept = kept | {"grid": found}
        task.note("best grid", kept)
    value = _score(state, kept["grid"])
    moves = _moves(kept["grid"])
    return Answer(
        low=value,
        high=bound,
        witness=moves,
        best_moves=moves[:1],
        nodes=nodes + kept["steps"],
        method="simulated annealing" if bound == n**3 else f"{METHOD}; the grid by simulated annealing",
        value=value,
        is_at_bound=bound == n**3,
    )


def better_grid(state: State, grid: Grid | None, seed: int, steps: int, seconds: float | None) -> tuple[Grid, int]:
    """A grid that is better than this one, or this one where none is found, and how many steps that took.

    It is a part of the work, and one that the end of the time cuts short counts too.
    """
    from quet.engine.annealing import Annealing

    s = copy(state)
    if grid is not None:
        for move in _moves(grid)[:-1]:
            rules.play(s, move)
    found = Annealing(local_search, rules, s, seed=seed).run(simulations=steps, seconds=seconds)
    for move in found.line:
        rules.play(s, int(move))
    return [int(number) for number in s.numbers[: s.n * s.n]], found.num_simulations


def _score(state: State, grid: Grid) -> int:
    s = copy(state)
    s.numbers[: len(grid)] = grid
    return rules.score(s, 1)
