"""A full grid from any position, and the moves that write it: every number may be changed, so every grid is in reach.

The local search changes the best grid so far, again and again. With n = 4 it is soon passed by samples of the
exhaustive search: each fills a few squares at random in ways that waste no run, and then tries all grids that continue
them and waste runs late.
"""

import random
from collections.abc import Sequence
from math import inf

import numpy as np

from quet.capabilities import IsOver, Plan
from quet.core.state import copy
from quet.engine import arrays
from quet.engine.annealing import PLAIN_PORTION
from quet.engine.compiled import compiled, plain
from quet.engine.plain_rows import States
from quet.engine.tree import mixed

from . import exhaustive, local_search, rules
from .rules import State
from .ways import Grid, decided, different, score, wasting_late

STEPS = 4_000_000  # of an annealing, divided by the squares: about a tenth of a second
PORTION = 200_000  # steps between two looks at the clock, divided by the squares
PLAIN_STEPS = 200  # of an annealing in plain Python
HOT, WARM, COLD = 0.36, 0.30, 0.25  # temperatures: of the first annealing, of those that go on, and at the end of each

SAMPLED = 4  # the side of the grids that are sampled
FILLED = (3, 5)  # squares after which a sample goes on from one of the boards found
MOST_BOARDS = 2_000  # to choose from
WORK = 200_000  # positions of the samples of a call: about a tenth of a second
MOST_SAMPLED = 2 * WORK  # with the last sample, which isn't cut


def plan(
    s: State, line: Sequence[int], number: int, seed: int, is_over: IsOver, *, is_plain: bool = False, work: float = inf
) -> Plan:
    """The moves to a grid that is better than that of the line, if this call finds one."""
    n, done = s.n, 1
    best = copy(s)
    for move in line:
        rules.play(best, move)
    grid = best.numbers[: n * n]
    bound = n**3
    if not line or not (is_over() or score(n, grid) >= bound):
        if n == SAMPLED and number > 0 and line and not is_plain and work >= MOST_SAMPLED:
            found, done = _sampled(n, score(n, grid) + 1, random.Random(1000 * seed + number), is_over)
        else:
            chance = 1000 * seed + number
            found, done = _annealed(s, grid if line else None, chance, is_over, is_plain=is_plain, work=work)
        if found is not None and (not line or score(n, found) > score(n, grid)):
            grid = found
    target = copy(s)
    target.numbers[: n * n] = grid
    return Plan(local_search.moves_to(s, target), done, bound)


def _annealed(
    s: State, grid: Grid | None, seed: int, is_over: IsOver, *, is_plain: bool, work: float
) -> tuple[Grid, int]:
    """The best grid of an annealing, which begins with this one or with the numbers of s, and the steps."""
    now, best, n = copy(s), copy(s), s.n
    if grid is not None:
        now.numbers[: n * n] = best.numbers[: n * n] = grid
        now.num_filled = best.num_filled = n * n
    module = plain(local_search) if is_plain else compiled(local_search)
    boards = States([now, best]) if is_plain else arrays.pack([now, best])
    rng = np.array([mixed(seed)], np.uint64)
    steps = int(min(PLAIN_STEPS if is_plain else STEPS // n**2, work))
    portion = PLAIN_PORTION if is_plain else PORTION // n**2
    hot = HOT if grid is None else WARM
    done, value = 0, -1
    with np.errstate(over="ignore"):  # in plain Python random numbers overflow as they do in compiled code
        module.fill(boards, rng)
        while done < steps and value < n**3 and (done == 0 or not is_over()):
            tried = min(portion, steps - done)
            begin, end = (hot + (COLD - hot) * at / steps for at in (done, done + tried))
            value = int(module.improve(boards, rng, tried, begin, end))
            done += tried
    numbers = boards[1].numbers if isinstance(boards, States) else boards[1]["numbers"]
    return [int(each) for each in numbers[: n * n]], done


def _sampled(n: int, m: int, chance: random.Random, is_over: IsOver) -> tuple[Grid | None, int]:
    """A grid that scores at least m, the best of the first sample that has one, and the positions looked at."""
    work, late, module = 1, wasting_late(n, m, 0), compiled(exhaustive)
    while work < WORK and not is_over():
        board = [0] * (n * n)
        board[chance.choice([square for square in range(n * n) if _is_first(n, square)])] = 1
        grids: list[Grid] | None = [board]
        for filled in (*FILLED, n * n):
            if grids:
                grids, nodes = decided(module, n, m, chance.choice(grids), filled, None, late, MOST_BOARDS)
                work += nodes
        if grids:
            return max(different(n, grids, m), key=lambda grid: score(n, grid)), work
    return None, work


def _is_first(n: int, square: int) -> bool:
    """Whether the square is the first of its images in the symmetries of the grid."""
    row, column = divmod(square, n)
    return row <= column <= (n - 1) // 2
