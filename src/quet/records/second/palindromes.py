"""Palindromes: all 3^m positions as numbers in base 3, a digit a square, from the full rows back, in NumPy.

In base 3 a square is 0 where it is empty and 1 or 2 where it holds the digit 0 or 1, so that a move adds a power of 3.
"""

import time
from typing import Any

import numpy as np

from ..row import Row

LARGEST = 20  # 7 GB
WORDS = "all positions as numbers in base 3, without symmetries, in NumPy"
LOW = 11  # squares that are looked at together


def value(row: Row, until: float) -> int | None:
    m = row.size
    low = min(m, LOW)
    table = np.zeros(3**m, np.int16)
    digits = np.array([np.arange(3**low) // 3**square % 3 for square in range(low)])
    num_empty = (digits == 0).sum(axis=0)
    alike = [np.flatnonzero(num_empty == count) for count in range(low + 1)]
    # By the number of empty squares: for each square which of those positions have it empty.
    empty = [[np.flatnonzero(digits[square][some] == 0) for square in range(low)] for some in alike]
    highs = [_digits(high, m - low) for high in range(3 ** (m - low))]
    _write_scores(table, m)
    for count in range(1, m + 1):
        if time.monotonic() >= until:
            return None
        is_first = (m - count) % 2 == 0
        better: Any = np.maximum if is_first else np.minimum
        for high, high_digits in enumerate(highs):
            inside = count - high_digits.count(0)
            if not 0 <= inside <= low or len(alike[inside]) == 0:
                continue
            positions = high * 3**low + alike[inside]
            best = np.full(len(positions), -(1 << 15) if is_first else (1 << 15) - 1, np.int16)
            for square in range(m):
                if square >= low and high_digits[square - low] != 0:
                    continue
                where: Any = empty[inside][square] if square < low else slice(None)
                for digit in (1, 2):
                    best[where] = better(best[where], table[positions[where] + digit * 3**square])
            table[positions] = best
    return int(table[0])


def _digits(number: int, count: int) -> list[int]:
    return [number // 3**place % 3 for place in range(count)]


def _write_scores(table: Any, m: int) -> None:
    """Write the difference of the scores of each full row."""
    rows = np.arange(2**m)
    bits = [rows >> square & 1 for square in range(m)]
    difference = np.zeros(2**m, np.int16)
    for length in range(2, m + 1, 2):
        for first in range(m - length + 1):
            pairs = [bits[first + k] ^ bits[first + length - 1 - k] for k in range(length // 2)]
            num_unlike: Any = sum(pairs)
            difference += length * ((num_unlike == 0).astype(np.int16) - (num_unlike == length // 2))
    table[sum((bits[square] + 1) * 3**square for square in range(m))] = difference
