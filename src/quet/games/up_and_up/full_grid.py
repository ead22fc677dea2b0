"""A beam search for games that fill the grid.

The search extends all positions with the same number at once. It keeps those new positions in which the empty squares
have more empty squares beside them: a square with none can only be reached by a longer step. (As in
Warnsdorff's rule of 1823 for the knight's tour; beam search: Lowerre, "The HARPY speech recognition system", 1976.)
Compiled by `quet.engine.compiled`.
"""

import sys
from collections.abc import Callable, Sequence

import numpy as np

from quet.core.clock import clock
from quet.engine.arrays import Ints, Words
from quet.engine.compiled import compiled, plain
from quet.engine.playouts import below

from .board import choices, near

ALLOCATES = False

PENALTIES = (8, 4, 2, 1, 0)  # of an empty square with 0, 1, ... empty squares beside it
NOISE = 6  # added to the sum of the penalties at random, so that searches with other seeds end elsewhere
WIDTH = 1000  # positions kept, in the first rounds
NARROW_ROUNDS = 4  # before the width is doubled, and again
WIDEST = 32_000
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
    width = min(WIDEST, WIDTH << min(round // NARROW_ROUNDS, 20))
    beam = _Beam(n, width, np.random.default_rng([seed, round]))
    squares = beam.generator.integers(0, n * n, width).tolist()
    game, nodes = beam.run([[square] for square in squares], 1, lambda: until is not None and clock() >= until)
    return ([] if beam.is_cut else game), nodes


def longer_game(
    n: int, game: Sequence[int], step: int, width: int, seed: Sequence[int], is_over: Callable[[], bool], is_plain: bool
) -> tuple[list[int], int]:
    """The squares of a long game that goes on from these, and how many positions it took.

    `step` is how far the next number goes. The game is cut short when `is_over`. With `is_plain` the search runs in
    plain Python.
    """
    beam = _Beam(n, width, np.random.default_rng(seed), is_plain=is_plain)
    begun = [list(game)] if game else [[square] for square in beam.generator.permutation(n * n)[:width].tolist()]
    return beam.run(begun, step if game else 1, is_over)


class _Beam:
    """A beam search; `generator` makes its random numbers."""

    def __init__(self, n: int, width: int, generator: np.random.Generator, *, is_plain: bool = False) -> None:
        here = sys.modules[__name__]
        self.module = plain(here) if is_plain else compiled(here)
        self.n, self.width, self.generator = n, width, generator
        self.rng = generator.integers(1, 2**63, 1, np.uint64)
        self.hashes = generator.integers(1, 2**62, 3 * n * n + 2)
        self.penalties = np.array(PENALTIES)
        self.filled, self.next_filled = np.zeros((2, width, n * n), np.int8)
        self.heads, self.next_heads = np.zeros((2, width, 4), np.int64)
        self.table = np.zeros(1 << (8 * width).bit_length(), np.int64)
        self.candidates = np.zeros((4 * width, 6), np.int64)
        self.amounts, self.out = np.zeros(PENALTIES[0] * n * n + NOISE, np.int64), np.zeros(16, np.int64)
        self.of_empty = sum(PENALTIES[int(near(n, square, 1, self.out))] for square in range(n * n))
        self.is_cut = False  # whether the time was over before the end of a game

    def run(self, begun: Sequence[Sequence[int]], step: int, is_over: Callable[[], bool]) -> tuple[list[int], int]:
        """The longest game found that begins with one of these, all of one length, and the positions looked at."""
        for i, squares in enumerate(begun):
            self._begin(i, squares, step)
        used = nodes = len(begun)
        trail = [(self.heads[:used, LAST].copy(), np.zeros(used, np.int64))]
        while len(begun[0]) + len(trail) <= self.n**2:
            self.is_cut = is_over()
            if self.is_cut:
                break
            origins = np.zeros(self.width, np.int64)
            used = self._go_on(used, origins)
            if used == 0:
                break
            nodes += used
            self.filled, self.next_filled = self.next_filled, self.filled
            self.heads, self.next_heads = self.next_heads, self.heads
            trail.append((self.heads[:used, LAST].copy(), origins))
        game, i = [], 0
        for heads, origins in reversed(trail[1:]):
            game.append(int(heads[i]))
            i = int(origins[i])
        return [*begun[i], *game[::-1]], nodes

    def _begin(self, i: int, squares: Sequence[int], step: int) -> None:
        """Make row i the position after these squares."""
        filled, n = self.filled[i], self.n
        penalty, hash = self.of_empty, 0
        for square in squares:
            penalty += int(self.module.change(n, filled, square, self.penalties, self.out))
            filled[square] = 1
            hash ^= int(self.hashes[square])
        self.heads[i] = squares[-1], step, penalty, hash

    def _go_on(self, used: int, origins: Ints) -> int:
        with np.errstate(over="ignore"):  # as plain Python has random numbers
            return int(
                self.module.go_on(
                    self.n,
                    used,
                    self.width,
                    self.penalties,
                    self.hashes,
                    self.rng,
                    self.filled,
                    self.heads,
                    self.next_filled,
                    self.next_heads,
                    origins,
                    self.table,
                    self.candidates,
                    self.amounts,
                    self.out,
                )
            )
