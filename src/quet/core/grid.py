"""Squares of an n by n grid: a letter for the column from the left, a number for the row from the bottom.

A square is also a number, row by row from a1 = 0. On a 3x3 grid:

    3   6 7 8
    2   3 4 5
    1   0 1 2
        a b c

After z come aa, ab, ... as in a spreadsheet; grids that are played end at t.
"""

import re
from collections.abc import Sequence
from string import ascii_lowercase

from .errors import UnreadableMove
from .messages import say
from .quoting import shorten

COLUMNS = (*ascii_lowercase, *(one + other for one in ascii_lowercase for other in ascii_lowercase))
_SQUARE = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")


def square_text(square: int, n: int) -> str:
    """The name of a square: `square_text(0, 3)` is `a1`."""
    return f"{COLUMNS[square % n]}{square // n + 1}"


def read_square(text: str, n: int) -> int:
    """The number of the square named; raises UnreadableMove when the grid has no such square."""
    match = _SQUARE.fullmatch(text)
    if match is None:
        raise UnreadableMove(say("{text} is not a square; squares are named like a1 or c3.", text=shorten(text)))
    column, row = COLUMNS.index(match[1]), int(match[2]) - 1
    if column >= n or row >= n:
        raise UnreadableMove(
            say("{text} is off the grid; the squares are a1 to {square}.", text=text, square=square_text(n * n - 1, n))
        )
    return row * n + column


def column_of(square: int, n: int) -> int:
    """The column of a square, from 0 on the left; squares and n are below 65,536.

    The masks and `max` tell the compiler that neither number is negative or large. It divides faster then, and searches
    divide in every move.
    """
    return (square & 0xFFFF) % max(n & 0xFFFF, 1)


def images(square: int, n: int) -> list[int]:
    """Where a square comes in the eight images of the grid, turned and mirrored; the first is the square itself.

    The order of the images is the same for all squares.
    """
    row, column, last = square // n, square % n, n - 1
    places = ((row, column), (row, last - column), (last - row, column), (last - row, last - column))
    return [place for r, c in places for place in (r * n + c, c * n + r)]


def is_beside(a: int, b: int, n: int) -> bool:
    """Whether b is directly above, below, left or right of a."""
    return abs(a // n - b // n) + abs(a % n - b % n) == 1


def is_touching(a: int, b: int, n: int) -> bool:
    """Whether b is beside a or diagonal to it."""
    return max(abs(a // n - b // n), abs(a % n - b % n)) == 1


def is_numbered(numbers: Sequence[int], size: int, last: int) -> bool:
    """Whether the first `size` numbers are 1, 2, ..., `last`, each once and in any order, and 0 for the rest."""
    if last < 0 or last > size:
        return False
    count = 0
    for i in range(size):
        count += numbers[i] != 0
    for first in range(1, last + 1, 60):  # so many at a time as bits
        found = 0
        for i in range(size):
            place = numbers[i] - first
            if 0 <= place < 60:
                found |= 1 << place
        if found != (1 << min(60, last - first + 1)) - 1:
            return False
    return count == last
