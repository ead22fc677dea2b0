"""The best score of a small grid with all the grids that reach it; for larger ones the best grid met, and a bound.

`exhaustive.py` tries all grids, for n = 4 as far as the time allows: each of a few thousand beginnings is a part of the
work. For n = 4 it also finds good grids, from the same beginnings with the waste limited; for n = 5 `beam.py` does. For
larger n, and to begin with, `local_search.py` looks for good grids, in rounds that begin anew. All aim higher than the
best so far.
"""

import math
import random
from dataclasses import replace

import numpy as np

from quet.core.clock import clock
from quet.core.state import copy
from quet.distribution.parts import done
from quet.distribution.task import Answer, Task
from quet.distribution.workers import Processes
from quet.engine.annealing import PLAIN_PORTION
from quet.engine.compiled import compiled, plain
from quet.engine.plain_rows import States

from . import local_search
from .beam import grid_by_beam
from .rules import BASE, State
from .ways import LARGEST_SETTLED, Grid, beginnings, grids_from, late_grid, score

LARGEST_BOUNDED = 4  # n up to which a bound below that of the rules is looked for
BOUNDING = 0.25  # of the time for larger grids goes to bounds
LEAST_TO_BOUND = 1200.0  # seconds below which no bound would be found, unless a checkpoint has some of its parts
AT_ONCE = 4  # rounds of the local search with the same aim
STEPS = 300_000  # in each of the first rounds; then twice as many
MOST_STEPS = 4_800_000
PORTION = 20_000  # steps between two looks at the clock
HOT, COLD = (
    0.36,
    0.25,
)  # temperatures of a round, from beginning to end: for n = 5 they find more good grids than others
LARGEST_BEAM = 5  # n up to which a beam search finds better grids than annealing does
WIDTH = 4_000  # grids that the first beams continue; then twice as many where none is better
MOST_WIDTH = 64_000
BYTES = 6_000  # of a beam for each of them
METHOD = "all ways to make the smallest number that is no sum yet"
LATE = "a search of those that waste runs late"
BEAM = "a beam search of those that waste few runs"


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
        is_at_bound = bound == n**3
        return Answer(
            bound, bound, moves, moves[:1], nodes, METHOD, value=bound, counts=counts, is_at_bound=is_at_bound
        )
    return _best_met(state, task, bound, grids[0] if grids else None, nodes)


def _moves(grid: Grid) -> list[int]:
    return [*(square * BASE + number for square, number in enumerate(grid)), len(grid) * BASE]


def _highest(n: int, task: Task) -> tuple[int, list[Grid], int, bool]:
    """A bound on the score, as low as the time allows; grids that reach it; positions looked at; whether all was tried.

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


def _best_met(state: State, task: Task, bound: int, grid: Grid | None, nodes: int) -> Answer:
    """The best grid that is met within the time, with the bound that is known."""
    n = state.n
    found, steps = _annealed(state, task, bound, grid, AT_ONCE if n <= LARGEST_BEAM else None)
    found = max([found, grid or found], key=lambda other: score(n, other))
    nodes += steps
    method = "simulated annealing"
    if n <= LARGEST_BEAM:
        annealed = score(n, found)
        improved, better = (_wasting_late, LATE) if n <= LARGEST_BOUNDED else (_beamed, BEAM)
        found, positions = improved(n, task, bound, found)
        nodes += positions
        method = better if score(n, found) > annealed else method
    value = score(n, found)
    moves = _moves(found)
    return Answer(
        low=value,
        high=bound,
        witness=moves,
        best_moves=moves[:1],
        nodes=nodes,
        method=method if bound == n**3 else f"{METHOD}; the grid by {method}",
        value=value,
        is_at_bound=bound == n**3,
    )


def _annealed(state: State, task: Task, bound: int, grid: Grid | None, most_rounds: int | None) -> tuple[Grid, int]:
    """The best grid of `most_rounds` of annealing, or of as many as there is time for; and how many steps they took.

    Each round looks for a grid that is better than the best of the rounds before.
    """
    n = state.n
    kept = task.notes.get("best grid", {"rounds": 0, "steps": 0, "grid": grid})
    while kept["grid"] is None or (score(n, kept["grid"]) < bound and not task.is_over):
        first = kept["rounds"]
        if kept["grid"] is not None and most_rounds is not None and first >= most_rounds:
            break
        steps = min(STEPS << min(first // AT_ONCE, 20), MOST_STEPS)
        parts = {
            f"round {number}": (state, kept["grid"], 1000 * task.seed + number, steps)
            for number in range(first, first + AT_ONCE)
        }
        best = f", best {score(n, kept['grid'])}" if kept["grid"] else ""
        for _ in done(task, better_grid, parts, f"rounds from round {first + 1}{best}"):
            pass
        if kept["grid"] is None and not any(part in task.notes for part in parts):  # there was no time at all
            part = next(iter(parts))
            task.note(part, better_grid(*parts[part], 0.0))
        for found, num_steps in [task.notes.pop(part) for part in parts if part in task.notes]:
            kept = kept | {"rounds": kept["rounds"] + 1, "steps": kept["steps"] + num_steps}
            if kept["grid"] is None or score(n, found) > score(n, kept["grid"]):
                kept = kept | {"grid": found}
        task.note("best grid", kept)
    return kept["grid"], kept["steps"]


def better_grid(state: State, grid: Grid | None, seed: int, steps: int, seconds: float | None) -> tuple[Grid, int]:
    """A grid that is better than this one, or this one where none is found, and how many steps that took.

    It is a part of the work, and counts even if the end of the time cuts it short.
    """
    from quet.engine import arrays
    from quet.engine.tree import mixed

    best = copy(state)
    if grid is not None:
        best.numbers[: len(grid)] = grid
        best.num_filled = len(grid)
    is_plain = seconds == 0  # loading what is compiled would take the time that is over
    module, most = (plain(local_search), PLAIN_PORTION) if is_plain else (compiled(local_search), PORTION)
    rng = np.array([mixed(seed)], np.uint64)
    boards = States([state, best]) if is_plain else arrays.pack([state, best])  # the one being changed, and the best
    until = math.inf if seconds is None else clock() + seconds
    num_steps = 0
    with np.errstate(over="ignore"):  # in plain Python random numbers overflow as they do in compiled code
        module.fill(boards, rng)
        while num_steps < steps and (num_steps == 0 or clock() < until):
            portion = min(most, steps - num_steps)
            hot, cold = (HOT + (COLD - HOT) * now / steps for now in (num_steps, num_steps + portion))
            module.improve(boards, rng, portion, hot, cold)
            num_steps += portion
    numbers = boards[1].numbers if isinstance(boards, States) else boards[1]["numbers"]
    return [int(number) for number in numbers[: state.n * state.n]], num_steps


def _wasting_late(n: int, task: Task, bound: int, grid: Grid) -> tuple[Grid, int]:
    """The best grid that is met within the time among those that waste runs late, and the positions looked at.

    First come those that waste hardly any before the last few numbers, then those that may waste one more, and so on.
    A beginning that has had a good grid isn't tried again with a higher aim: few have a second one.
    """
    boards = beginnings(n, n**3)
    random.Random(task.seed).shuffle(boards)
    looseness = 0
    while not task.is_over and score(n, _best_noted(n, task, grid)) < bound:
        aim = score(n, _best_noted(n, task, grid)) + 1
        parts = {f"late {looseness} from {'-'.join(map(str, board))}": (n, aim, board, looseness) for board in boards}
        parts = {name: part for name, part in parts.items() if name not in task.notes}
        if not parts:
            looseness += 1
        for _, (found, _) in done(task, late_grid, parts, f"beginnings of grids of {aim}, wasting late"):
            if found is not None:
                break
    nodes = sum(note[1] for name, note in task.notes.items() if name.startswith("late "))
    return _best_noted(n, task, grid), nodes


def _beamed(n: int, task: Task, bound: int, grid: Grid) -> tuple[Grid, int]:
    """The best grid that is met within the time by beam searches, and how many grids were looked at."""
    widest = max(1, min(MOST_WIDTH, task.memory // (BYTES * task.workers.count)))
    kept = task.notes.get("beams", {"beams": 0, "width": min(WIDTH, widest), "nodes": 0, "grid": grid})
    while score(n, kept["grid"]) < bound and not task.is_over:
        best = score(n, kept["grid"])
        parts = {
            f"beam {number}": (n, best + 1, kept["width"], 1000 * task.seed + number)
            for number in range(kept["beams"], kept["beams"] + AT_ONCE)
        }
        for _ in done(task, grid_by_beam, parts, f"beams of {kept['width']} grids, best {best}"):
            pass
        found = [task.notes[part] for part in parts if part in task.notes]
        better = max((other for other, _ in found if other), key=lambda other: score(n, other), default=None)
        nodes = kept["nodes"] + sum(num_grids for _, num_grids in found)
        if len(found) < AT_ONCE:
            return better or kept["grid"], nodes
        width = kept["width"] if better else min(2 * kept["width"], widest)
        kept = {"beams": kept["beams"] + AT_ONCE, "width": width, "nodes": nodes, "grid": better or kept["grid"]}
        task.note("beams", kept)
        for part in parts:
            del task.notes[part]
    return kept["grid"], kept["nodes"]


def _best_noted(n: int, task: Task, grid: Grid) -> Grid:
    """The best of this grid and of those in the notes."""
    grids = [note[0] for name, note in task.notes.items() if name.startswith("late ")]
    return max([grid, *filter(None, grids)], key=lambda other: score(n, other))
