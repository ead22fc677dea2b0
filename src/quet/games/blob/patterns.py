"""What the strongest level learns of this game: the lines, each as a pattern, and the same game in bits for its search.

A pattern is whether a line is a row or a column, its distance from the border, and which of its squares are filled.
"""

from typing import Annotated

import numpy as np

from quet.core.state import Length, state
from quet.engine.arrays import Ints
from quet.engine.tree import mixed
from quet.engine.whole_patterns import gain as gain
from quet.engine.whole_patterns import settled as settled
from quet.engine.whole_patterns import step as step

from . import rules
from .lines import good_lines

ALLOCATES = False
LOWER_IS_BETTER = False

LARGEST = 12  # side of a grid whose lines are learned
GOOD = good_lines(LARGEST)
# A random number for each square; those of the filled squares together are a position's key.
SQUARES = np.array([mixed(square) >> 1 for square in range(LARGEST * LARGEST)], np.int64)

Lines = Annotated[list[int], Length(LARGEST)]


@state
class State:
    """A position."""

    n: int  # side of the grid
    ply: int  # squares filled
    key: int
    rows: Lines  # the filled squares of each, as bits
    columns: Lines
    good_rows: int  # how many
    good_columns: int


def fits(s: rules.State) -> bool:
    """Whether the lines of this size can be patterns."""
    return s.n <= LARGEST


def of(s: rules.State) -> State:
    """The same position."""
    made = State()
    made.n = s.n
    made.good_rows = made.good_columns = s.n
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
    for i in range(n):
        row = s.rows[i]
        beside = row << 1 | row >> 1
        if i > 0:
            beside |= s.rows[i - 1]
        if i < n - 1:
            beside |= s.rows[i + 1]
        if s.ply == 0:
            beside = -1
        beside &= ~row & (1 << n) - 1
        for j in range(n):
            if beside >> j & 1:
                out[count] = i * n + j
                count += 1
    return count


def play(s: State, move: int) -> None:
    n = s.n
    i = move // n
    j = move - i * n
    s.good_rows -= int(GOOD[n, s.rows[i]])
    s.good_columns -= int(GOOD[n, s.columns[j]])
    s.rows[i] |= 1 << j
    s.columns[j] |= 1 << i
    s.good_rows += int(GOOD[n, s.rows[i]])
    s.good_columns += int(GOOD[n, s.columns[j]])
    s.key ^= int(SQUARES[move])
    s.ply += 1


def follow(s: State, step: int) -> None:
    """Play a move of the rules."""
    play(s, step)


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return plies_left(s) == 0


def score(s: State, player: int) -> int:
    return s.good_rows if player == 1 else s.good_columns


def key(s: State) -> int:
    """A number that two positions of one game hardly ever share."""
    return s.key


def plies_left(s: State) -> int:
    """How many moves are still played."""
    return 2 * (s.n * s.n // 4) - s.ply


def num_patterns(s: State) -> int:
    """How many patterns there are."""
    return (s.n + 1) // 2 * 2 << s.n


def patterns(s: State, out: list[int]) -> int:
    """Write the position's patterns, a row or column each, and return how many there are."""
    for i in range(s.n):
        out[i] = row_pattern(s.n, i, s.rows[i])
        out[s.n + i] = column_pattern(s.n, i, s.columns[i])
    return 2 * s.n


def changes(s: State, move: int, gone: list[int], come: list[int]) -> tuple[int, int]:
    """Write the patterns that a move takes away, and those that come instead; return how many of each."""
    n = s.n
    i = move // n
    j = move - i * n
    gone[0] = row_pattern(n, i, s.rows[i])
    come[0] = row_pattern(n, i, s.rows[i] | 1 << j)
    gone[1] = column_pattern(n, j, s.columns[j])
    come[1] = column_pattern(n, j, s.columns[j] | 1 << i)
    return 2, 2


def row_pattern(n: int, i: int, line: int) -> int:
    """The pattern of row i."""
    return min(i, n - 1 - i) << n | line


def column_pattern(n: int, j: int, line: int) -> int:
    """The pattern of column j."""
    return (n + 1) // 2 + min(j, n - 1 - j) << n | line


def alike(s: State) -> Ints:
    """For each pattern the least of those that mirror images make of it, itself among them."""
    numbers = np.arange(num_patterns(s))
    line = numbers & (1 << s.n) - 1
    mirrored = np.zeros_like(line)
    for i in range(s.n):
        mirrored |= (line >> i & 1) << s.n - 1 - i
    least: Ints = np.minimum(numbers, numbers - line + mirrored)
    return least


def parts(s: State) -> Ints:
    """Patterns aren't made of parts."""
    return np.zeros((num_patterns(s), 0), np.int64)
