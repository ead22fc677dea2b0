"""A beam search for games that fill the grid.

All positions with the same number are extended at once. Of the positions after them those are kept in which the empty
squares have more empty squares beside them: a square with none can only be reached by a longer step. (As in
Warnsdorff's rule of 1823 for the knight's tour; beam search: Lowerre, "The HARPY speech recognition system", 1976.)
Compiled by `quet.engine.compiled`.
"""

import functools
import sys

import numpy as np

from quet.core.clock import clock
from quet.engine.arrays import Ints, Words
from quet.engine.compiled import compiled
from quet.engine.playouts import below

from .board import choices, near

ALLOCATES = False

PENALTIES = (8, 4, 2, 1, 0)  # of an empty square with 0, 1, ... empty squares beside it
NOISE = 6  # added to the sum of the penalties at random, so that searches with other seeds end elsewhere
WIDTH = 1000  # positions kept, in the first rounds
NARROW_ROUNDS = 4  # before the width is doubled, and again
WIDEST = 32_000
LARGEST_SUM = 8192  # of penalties and noise: 400 squares of 8, and more
LAST, STEP, PENALTY, HASH = 0, 1, 2, 3  # columns of `heads`


def go_on(
    n: int,
    used: int,
    width: int,
    penalties: Ints,
    hashes: Ints,
    rng: Words,
    filled: Ints,
    heads: Ints,
    next_filled: Ints,
    next_heads: Ints,
    origins: Ints,
    table: Ints,
    candidates: Ints,
    amounts: Ints,
    out: Ints,
) -> int:
    """Make every move in the first `used` positions and keep the best `width` positions after; return how many.

    A position is a row of `filled` and one of `heads`; origins[i] is the row that the next position i comes from.
    `table` is room to find positions that are the same; `candidates` has six columns for each move, and `amounts` a
    place for each sum of penalties.
    """
    table[:] = 0
    amounts[:] = 0
    count = 0
    for i in range(used):
        found = choices(n, filled[i], heads[i, LAST], heads[i, STEP], out)
        step = 2 if found & 1 else heads[i, STEP] + 1
        for j in range(found // 2):
            square = out[j]
            of_filled = heads[i, HASH] ^ hashes[square]
            of_all = of_filled ^ hashes[n * n + square] ^ hashes[2 * n * n + step]
            place = of_all & (len(table) - 1)
            while table[place] != 0 and table[place] != of_all:
                place = (place + 1) & (len(table) - 1)
            if table[place] == of_all:
                continue
            table[place] = of_all
            penalty = heads[i, PENALTY] + change(n, filled[i], square, penalties, out[4:])
            row = candidates[count]
            row[0], row[1], row[2], row[3], row[4] = i, square, step, penalty, of_filled
            row[5] = penalty + below(rng, NOISE)
            amounts[row[5]] += 1
            count += 1
    limit = total = 0
    while limit < len(amounts) - 1 and total + amounts[limit] <= width:
        total += amounts[limit]
        limit += 1
    room = width - total  # for positions right at the limit
    kept = 0
    for c in range(count):
        row = candidates[c]
        if row[5] > limit or (row[5] == limit and room == 0):
            continue
        room -= row[5] == limit
        for square in range(n * n):
            next_filled[kept, square] = filled[row[0], square]
        next_filled[kept, row[1]] = 1
        head = next_heads[kept]
        head[LAST], head[STEP], head[PENALTY], head[HASH] = row[1], row[2], row[3], row[4]
        origins[kept] = row[0]
        kept += 1
    return kept


def change(n: int, filled: Ints, square: int, penalties: Ints, out: Ints) -> int:
    """How much the sum of the penalties grows when this square is filled."""
    penalty: int = 0
    num_empty = 0
    for i in range(near(n, square, 1, out)):
        beside = out[i]
        if not filled[beside]:
            num_empty += 1
            count = 0
            for k in range(near(n, beside, 1, out[4:])):
                count += not filled[out[4 + k]]
            penalty += penalties[count - 1] - penalties[count]
    return int(penalty - penalties[num_empty])


def long_game(n: int, round: int, seed: int, until: float | None = None) -> tuple[list[int], int]:
    """The squares of a long game, different in each round, and how many positions it took; later rounds take longer.

    There is no game when `core.clock` reaches `until` before one is found.
    """
    module = compiled(sys.modules[__name__])
    width = min(WIDEST, WIDTH << min(round // NARROW_ROUNDS, 20))
    generator = np.random.default_rng([seed, round])
    rng = generator.integers(1, 2**63, 1, np.uint64)
    hashes = generator.integers(1, 2**62, 3 * n * n + 2)
    penalties = np.array(PENALTIES)
    filled, next_filled = np.zeros((2, width, n * n), np.int8)
    heads, next_heads = np.zeros((2, width, 4), np.int64)
    table, candidates = np.zeros(1 << (8 * width).bit_length(), np.int64), np.zeros((4 * width, 6), np.int64)
    amounts, out = np.zeros(LARGEST_SUM, np.int64), np.zeros(16, np.int64)
    start = functools.partial(module.change, n, np.zeros(n * n, np.int8))
    empty = sum(PENALTIES[int(near(n, square, 1, out))] for square in range(n * n))
    for i, square in enumerate(generator.integers(0, n * n, width).tolist()):
        filled[i, square] = 1
        heads[i] = square, 1, empty + start(square, penalties, out), hashes[square]
    trail = [(heads[:, LAST].copy(), np.zeros(width, np.int64))]
    used, nodes = width, width
    while len(trail) < n * n:
        if until is not None and clock() >= until:
            return [], nodes
        origins = np.zeros(width, np.int64)
        used = int(
            module.go_on(
                n,
                used,
                width,
                penalties,
                hashes,
                rng,
                filled,
                heads,
                next_filled,
                next_heads,
                origins,
                table,
                candidates,
                amounts,
                out,
            )
        )
        if used == 0:
            break
        nodes += used
        filled, next_filled, heads, next_heads = next_filled, filled, next_heads, heads
        trail.append((heads[:, LAST].copy(), origins))
    game, i = [], 0
    for squares, origins in reversed(trail):
        game.append(int(squares[i]))
        i = int(origins[i])
    return game[::-1], nodes
