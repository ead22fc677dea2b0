"""Simulated annealing on full grids: this puzzle is not a game of moves, and a tree of single writings would not help.

Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", 1983. Compiled by `quet.engine.compiled`.
"""

import math
from typing import Any

import numpy as np

from quet.engine.playouts import below

from .rules import BASE, EMPTY, State


def worth(s: State) -> int:
    """What the search maximises in a full grid: four times the score, and one for each sum up to n^3 that occurs."""
    n = s.n
    limit = n**3
    occurs = np.zeros(limit + 2, np.int64)
    count = 0
    for line in range(2 * n):
        begin = line * n if line < n else line - n
        step = 1 if line < n else n
        for first in range(n):
            total = 0
            for i in range(first, n):
                total += s.numbers[begin + i * step]
                if total > limit:
                    break
                if not occurs[total]:
                    occurs[total] = 1
                    count += 1
    m = 0
    while occurs[m + 1]:
        m += 1
    return 4 * m + count


def fill(states: Any, rng: Any) -> None:
    """Write distinct random numbers into the empty squares of states[0]."""
    s = states[0]
    limit = s.n**3
    for square in range(s.n * s.n):
        while s.numbers[square] == EMPTY:
            number = 1 + below(rng, limit)
            if not _stands(s, number):
                s.numbers[square] = number
                s.num_filled += 1


def improve(states: Any, rng: Any, num_steps: int, hot: float, cold: float) -> int:
    """Search from the full grid states[0] for `num_steps` steps; the best grid met is left in states[1].

    A step writes a random number in a random square; where it stands in another, the two change places. The
    temperature falls evenly from `hot` to `cold`. Returns the worth of the best grid.
    """
    s = states[0]
    n = s.n
    limit = n**3
    value = worth(s)
    best = worth(states[1])
    if value > best:
        best = value
        states[1] = s
    for k in range(num_steps):
        square = below(rng, n * n)
        number = 1 + below(rng, limit)
        before = s.numbers[square]
        other = -1
        for i in range(n * n):
            if s.numbers[i] == number:
                other = i
        if other >= 0:
            s.numbers[other] = before
        s.numbers[square] = number
        found = worth(s)
        temperature = hot + (cold - hot) * k / num_steps
        if found >= value or below(rng, 1 << 20) < (1 << 20) * math.exp((found - value) / temperature):
            value = found
            if value > best:
                best = value
                states[1] = s
        else:
            s.numbers[square] = before
            if other >= 0:
                s.numbers[other] = number
    return best


def _stands(s: State, number: int) -> bool:
    for square in range(s.n * s.n):
        if s.numbers[square] == number:
            return True
    return False


def moves_to(s: State, target: State) -> list[int]:
    """The moves that turn the position into the full grid `target`, and then say that it is done."""
    squares = range(s.n * s.n)
    wrong = [square for square in squares if s.numbers[square] not in (EMPTY, target.numbers[square])]
    in_the_way = {target.numbers[square] for square in squares if s.numbers[square] != target.numbers[square]}
    erase = [square * BASE for square in wrong if s.numbers[square] in in_the_way]
    write = [
        square * BASE + target.numbers[square] for square in squares if s.numbers[square] != target.numbers[square]
    ]
    return [*erase, *write, s.n * s.n * BASE]


def is_on_the_way(s: State, target: State) -> bool:
    """Whether every number that stands in s stands in the same square of the target."""
    return all(s.numbers[square] in (EMPTY, target.numbers[square]) for square in range(s.n * s.n))
