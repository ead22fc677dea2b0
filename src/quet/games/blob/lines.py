"""Tables of lines of up to 8 squares, for a search: a line is a number, whose bits are the filled squares."""

import numpy as np

from quet.engine.arrays import Ints

from . import rules

LARGEST = 8  # side of a grid whose squares are bits of one number
MODULUS = 131  # no two of these bits have the same remainder, and the highest one is negative


def signed(bits: int) -> int:
    """The lowest 64 bits as compiled code has them in a number: the highest one is its sign."""
    return bits & (1 << 63) - 1 | -(bits >> 63 & 1) << 63


def good_lines(largest: int) -> Ints:
    """[n, line] is 1 where a line of n squares is good, else 0; its bits are the filled squares. -1: no such line."""
    table = np.full((largest + 1, 1 << largest), -1, np.int64)
    s = rules.State()
    for n in range(2, largest + 1):
        s.n = n
        for line in range(1 << n):
            for i in range(n):
                s.cells[i] = rules.FULL if line >> i & 1 else rules.EMPTY
            table[n, line] = rules.is_good(s, 0, 1)
    return table


GOOD = good_lines(LARGEST)


def _turning(change: int) -> Ints:
    """[n, line] has as bits the empty squares of a line that make it good (change 1) or not good (-1) when filled."""
    table = np.zeros((LARGEST + 1, 1 << LARGEST), np.int64)
    for n in range(2, LARGEST + 1):
        for line in range(1 << n):
            table[n, line] = sum(1 << i for i in range(n) if GOOD[n, line | 1 << i] - GOOD[n, line] == change)
    return table


MENDS, SPOILS = _turning(1), _turning(-1)


def _promises() -> Ints:
    """[n, left, line] is the chance, in millionths, that a line of n squares is good when the game ends.

    It assumes that each move left fills a square of the line with a chance of 1 in n, and any of its empty squares
    alike.
    """
    table = np.zeros((LARGEST + 1, 2 * (LARGEST * LARGEST // 4) + 1, 1 << LARGEST), np.int64)
    for n in range(2, LARGEST + 1):
        table[n, 0, : 1 << n] = 1_000_000 * GOOD[n, : 1 << n]
        for left in range(1, 2 * (n * n // 4) + 1):
            before = table[n, left - 1]
            for line in range(1 << n):
                filled = [before[line | 1 << i] for i in range(n) if not line >> i & 1] or [before[line]]
                table[n, left, line] = ((n - 1) * before[line] + sum(filled) // len(filled)) // n
    return table


PROMISES = _promises()


def _upright() -> Ints:
    """[n, line] is an n by n grid, its squares row by row as bits, with this line in the first column."""
    table = np.zeros((LARGEST + 1, 1 << LARGEST), np.int64)
    for n in range(2, LARGEST + 1):
        for line in range(1 << n):
            table[n, line] = sum(1 << i * n for i in range(n) if line >> i & 1)
    return table


UPRIGHT = _upright()


def _crosses() -> Ints:
    """[n, square] has as bits the squares of an n by n grid in the same row or column."""
    table = np.zeros((LARGEST + 1, LARGEST * LARGEST), np.int64)
    for n in range(2, LARGEST + 1):
        for square in range(n * n):
            i, j = divmod(square, n)
            table[n, square] = signed((1 << n) - 1 << i * n | int(UPRIGHT[n, (1 << n) - 1]) << j)
    return table


CROSS = _crosses()


def _squares() -> Ints:
    """[bit % MODULUS] is the number of this bit."""
    table = np.zeros(MODULUS, np.int64)
    for square in range(LARGEST * LARGEST):
        table[signed(1 << square) % MODULUS] = square
    return table


SQUARE = _squares()
