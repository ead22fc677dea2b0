"""A game with a long path, from any position: annealing of the placing, and then the longest path over it.

The first call begins with a walk that fills as many squares as it finds room for (`walk.py`). Each later one changes
the best placing so far. No change leads to other squares than those it fills. So while some stay empty, each call
looks for another walk too. What has been placed stays. Where the path has begun, each step goes where it can get
longest.
"""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf
from types import ModuleType

import numpy as np

from quet.capabilities import IsOver, Plan
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled, plain
from quet.engine.tree import mixed

from . import placing, rules
from .longest_path import longest_path
from .rules import EMPTY, State
from .walk import longest_walk

LOOK = 0.02  # seconds between two looks whether the time of an annealing is over
PLAIN_STEPS = 16_000  # of an annealing in plain Python, divided by the squares
SMALL = 6  # side of the grids up to which an annealing has the first of these schedules
SCHEDULES = ((17_000_000, 1.0, 0.5, 0.2), (28_000_000, 0.6, 0.5, 0.25))
# Each has the steps of an annealing, divided by the squares, about half a second; and temperatures: at the first term,
# once all are placed, and at the end of each annealing. The best of a few tried on 6x6 and 8x8.
PATH_WORK = 4_000  # for the longest path over a placing that is done; a tenth of a second
QUICK_PATH_WORK = 1_000  # as long as the placing may change, and in plain Python


def plan(
    s: State, line: Sequence[int], number: int, seed: int, is_over: IsOver, *, is_plain: bool = False, work: float = inf
) -> Plan:
    """A game from s with a path as long as this call finds it."""
    later, moves, steps = copy(s), list[int](), 0
    limit: int | None = s.n * s.n
    if s.is_placing:
        moves, steps = _placed(s, line, number, seed, is_over, is_plain=is_plain, work=work)
        for square in moves:
            rules.play(later, square)
        while later.is_placing:
            moves.append(legal_moves(rules, later)[0])
            rules.play(later, moves[-1])
    if later.length == 0:
        numbers = tuple(later.ranks[later.index[k] - 1] if later.index[k] else None for k in range(s.n**2))
        work = QUICK_PATH_WORK if is_plain or s.is_placing else PATH_WORK
        path = longest_path(s.n, numbers, 0 if is_over() else work)
        if not s.is_placing and path.is_longest:
            limit = len(path.squares)
        for square in path.squares:
            moves.append(square)
            rules.play(later, square)
    while not rules.is_over(later):
        moves.append(_step(later, is_plain=is_plain))
        rules.play(later, moves[-1])
    return Plan(moves, max(steps, 1), limit)


def _placed(
    s: State, line: Sequence[int], number: int, seed: int, is_over: IsOver, *, is_plain: bool, work: float
) -> tuple[list[int], int]:
    """The squares of the terms that are still to place, and the steps of the annealing."""
    begun = [0] * s.count
    for square in range(s.n**2):
        if s.index[square] != EMPTY:
            begun[s.index[square] - 1] = square
    squares = begun + _placing_of(s, line)
    if not line or len(squares) < s.n**2:
        walk = longest_walk(s.n, begun, random.Random(1000 * seed + number), is_over)
        if len(walk) > len(squares) or (number % 2 == 1 and len(walk) == len(squares)):
            squares = walk
    steps, first, last, cold = SCHEDULES[s.n > SMALL]
    steps = int(min((PLAIN_STEPS if is_plain else steps) // s.n**2, work))
    if len(squares) - len(begun) < 2 or is_over():
        return squares[s.count :], 0
    best = np.array(squares)
    rng = np.array([mixed(1000 * seed + number)], np.uint64)
    ranks = np.array(s.ranks[: s.n**2])
    stop = np.zeros(2, np.int64)
    hot = first * (last / first) ** (s.count / s.n**2)  # hot ones find the most from the best placing
    improve, room = _module(is_plain).improve, placing.rooms(s.n, ranks, best)

    def anneal() -> None:
        with np.errstate(over="ignore"):  # as plain Python has random numbers
            improve(*room, ranks, rng, steps, hot, cold, best, stop, s.count, placing.QUICK)

    if is_plain:
        anneal()
    else:
        _stopped(anneal, stop, is_over)
    return [int(square) for square in best[s.count :]], int(stop[1])


def _stopped(call: Callable[[], None], stop: Ints, is_over: IsOver) -> None:
    """Do a compiled call, which ends early when stop[0] becomes 1: as soon as a look tells that the time is over."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(call)
        while not stop[0]:
            try:
                return future.result(LOOK)
            except TimeoutError:
                stop[0] = is_over()
        future.result()


def _module(is_plain: bool) -> ModuleType:
    return plain(placing) if is_plain else compiled(placing)


def _placing_of(s: State, line: Sequence[int]) -> list[int]:
    """The first moves of a game from s, as long as they place terms."""
    later = copy(s)
    squares = []
    for square in line:
        if not later.is_placing:
            break
        squares.append(square)
        rules.play(later, square)
    return squares


def _step(s: State, *, is_plain: bool) -> int:
    """The legal move of the path with the longest path after it, as far as a short look tells."""
    legal = legal_moves(rules, s)
    if len(legal) == 1:
        return legal[0]
    n = s.n
    squares = [k for k in range(n * n) if s.index[k] != EMPTY and s.path[k] == EMPTY]
    ranks = np.array([s.ranks[s.index[square] - 1] for square in squares])
    free = np.array(squares)
    around, level, order, room = placing.rooms(n, ranks, free)
    _module(is_plain).path_length(around, level, ranks, order, free, room, placing.QUICK)
    return max(legal, key=lambda square: int(room[1, square]))
