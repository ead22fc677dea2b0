"""The same game for a search alone: filled squares as bits, and what they score kept up to date.

One module is rules and exact to a search. Moves are those of the rules, and so is what comes out; it plays ten times as
fast, for boards up to n = 7.
"""

from typing import Any

import numpy as np

from quet.core.state import state

from . import rules

ALLOCATES = False
LOWER_IS_BETTER = False
LARGEST = 7  # side of a grid whose squares are bits of one number


def _good_lines() -> Any:
    """[n, line] is 1 where a line of n squares, the filled ones as bits, is good; -1 where there is no such line."""
    table = np.full((LARGEST + 1, 1 << LARGEST), -1, np.int64)
    s = rules.State()
    for n in range(2, LARGEST + 1):
        s.n = n
        for line in range(1 << n):
            for i in range(n):
                s.cells[i] = rules.FULL if line >> i & 1 else rules.EMPTY
            table[n, line] = rules.is_good(s, 0, 1)
    return table


GOOD = _good_lines()


@state
class State:
    """A position."""

    n: int  # side of the grid
    ply: int  # squares filled
    filled: int  # their bits, row by row
    turned: int  # the same, column by column
    rows: int  # good ones
    columns: int


def of(s: rules.State) -> State:
    """The same position."""
    made = State()
    made.n = s.n
    made.rows = made.columns = s.n  # without a run of filled squares a line is good
    for square in range(s.n * s.n):
        if s.cells[square] == rules.FULL:
            play(made, square)
    return made


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return s.n * s.n


def legal_moves(s: State, out: list[int]) -> int:
    n = s.n
    count = 0
    edge = (1 << n * n) - 1
    if s.ply > 0:
        first = 0
        for row in range(n):
            first |= 1 << row * n
        last = first << n - 1
        filled = s.filled
        edge &= (filled << n | filled >> n | (filled & ~last) << 1 | (filled & ~first) >> 1) & ~filled
    for square in range(n * n):
        if edge >> square & 1:
            out[count] = square
            count += 1
    return count


def play(s: State, move: int) -> None:
    n = s.n
    row = move // n
    column = move - row * n
    line = (1 << n) - 1
    s.rows -= int(GOOD[n, s.filled >> row * n & line])
    s.columns -= int(GOOD[n, s.turned >> column * n & line])
    s.filled |= 1 << move
    s.turned |= 1 << column * n + row
    s.rows += int(GOOD[n, s.filled >> row * n & line])
    s.columns += int(GOOD[n, s.turned >> column * n & line])
    s.ply += 1


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.ply == 2 * (s.n * s.n // 4)


def score(s: State, player: int) -> int:
    return s.rows if player == 1 else s.columns


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    return -s.n, s.n


def reach(s: State) -> tuple[int, int]:
    """The lowest and highest value that can still be reached: a move changes one row and one column."""
    left = 2 * (s.n * s.n // 4) - s.ply
    low = max(s.rows - left, 0) - min(s.columns + left, s.n)
    high = min(s.rows + left, s.n) - max(s.columns - left, 0)
    return low, high


def settled(s: State) -> int:
    """What of the value no move changes any more; positions of one key differ in nothing else."""
    return 0


def key(s: State) -> int:
    """The filled squares as bits, the same for a grid and its mirror images left to right and top to bottom."""
    n = s.n
    line = (1 << n) - 1
    upside = 0
    for row in range(n):
        upside = upside << n | s.filled >> row * n & line
    # Columns reversed.
    across = both = 0
    first = 0
    for row in range(n):
        first |= 1 << row * n
    for column in range(n):
        across |= (s.filled >> column & first) << n - 1 - column
        both |= (upside >> column & first) << n - 1 - column
    return min(min(s.filled, across), min(upside, both))
