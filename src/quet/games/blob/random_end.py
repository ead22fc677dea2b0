"""A random end of the game: squares of the edge one after another, and lines that are looked up."""

import numpy as np

from quet.engine.arrays import Floats, Ints, Words
from quet.engine.playouts import below

from . import rules
from .rules import EMPTY, FULL, State

ALLOCATES = False
LARGEST = 12  # side of a grid that ends are drawn for


def _neighbours() -> Ints:
    """[n, square] has the squares beside this one in an n by n grid; the square itself for each that is missing."""
    table = np.zeros((LARGEST + 1, LARGEST * LARGEST, 4), np.int16)
    for n in range(2, LARGEST + 1):
        for square in range(n * n):
            i, j = divmod(square, n)
            around = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
            table[n, square] = [k * n + m if 0 <= k < n and 0 <= m < n else square for k, m in around]
    return table


def _good_lines() -> Ints:
    """[n, line] is 1 where a line of n squares is good, whose filled squares are the bits of `line`; else 0."""
    table = np.zeros((LARGEST + 1, 1 << LARGEST), np.int8)
    for n in range(2, LARGEST + 1):
        line = np.arange(1 << n)
        lengths = np.zeros_like(line)  # bit k is set where some run has length k
        run = np.ones_like(line)
        for i in range(1, n):
            ends = (line >> i ^ line >> i - 1) & 1 == 1
            lengths |= np.where(ends, 1 << run, 0)
            run = np.where(ends, 1, run + 1)
        lengths |= 1 << run
        pairs = [(a, b) for b in range(3, n) for a in range(2, b) if b % a != 0]
        table[n, : 1 << n] = ~np.any([lengths >> a & lengths >> b & 1 == 1 for a, b in pairs] or [line < 0], axis=0)
    return table


NEIGHBOURS, GOOD = _neighbours(), _good_lines()


def num_moves(s: State) -> int:
    """A number above that of every move; 0 for a larger grid."""
    return s.n * s.n if s.n <= LARGEST else 0


def finish(s: State, room: list[int], rng: Words, made: Ints, scores: Floats) -> None:
    """Draw an end of s, as the protocol RandomEnd of `quet.capabilities` says."""
    n = s.n
    player = rules.mover(s)
    if s.ply == 0:
        square = below(rng, n * n)
        made[player, square >> 5] |= 1 << (square & 31)
        rules.play(s, square)
        player = 3 - player
    count = s.num_edge
    for _ in range(s.ply, 2 * (n * n // 4)):
        i = below(rng, count)
        square = int(s.edge[i])
        count -= 1
        s.edge[i] = s.edge[count]
        s.cells[square] = FULL
        made[player, square >> 5] |= 1 << (square & 31)
        player = 3 - player
        for k in range(4):
            # No branches, since they could not be foreseen: what isn't empty is written and left behind.
            other = NEIGHBOURS[n, square, k]
            is_new = int(s.cells[other] == EMPTY)
            s.cells[other] += is_new  # EDGE
            s.edge[count] = other
            count += is_new
    score(s, room, scores)


def score(s: State, room: list[int], scores: Floats) -> None:
    """Write the scores of both players. The columns are gathered in `room`."""
    n = s.n
    for j in range(n):
        room[j] = 0
    rows = columns = 0
    for i in range(n):
        row = 0
        for j in range(n):
            bit = s.cells[i * n + j] >> 1  # of FULL
            row |= bit << j
            room[j] |= bit << i
        rows += GOOD[n, row]
    for j in range(n):
        columns += GOOD[n, room[j]]
    scores[1] = rows
    scores[2] = columns
