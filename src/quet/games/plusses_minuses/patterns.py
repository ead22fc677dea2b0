"""What the strongest level learns of this game: what stands on both sides of each empty column and row.

A pattern is, for an empty column, whether player 1's predictions on its left and right want it higher or lower, and
how many of the rows that are still free would make each come true. For an empty row it is the same with columns, for
player 2. What is scored already is settled.
"""

import numpy as np

from quet.core.state import Line, state
from quet.engine.arrays import Ints
from quet.engine.tree import mixed

from . import rules
from .compact import is_over as is_over
from .compact import mover as mover
from .compact import num_players as num_players
from .compact import score as score
from .rules import EMPTY

ALLOCATES = False
LOWER_IS_BETTER = False

LARGEST = 12  # side of a grid whose patterns are learned
NONE, UNKNOWN, OPEN = 0, 1, 2  # sides: the border, an empty line with and without a prediction; more are filled lines
FILLED = 3  # and as many more as free lines make the prediction come true
SIDES = LARGEST + FILLED  # that there can be
NUMBER = np.array([bits.bit_count() for bits in range(1 << LARGEST)], np.int64)  # of the ones in a few bits
# A random number for each line and what is on both sides of it; those of the empty lines together are a position's key.
LINES = np.array([mixed(i) >> 1 for i in range(2 * LARGEST * SIDES * SIDES * 4)], np.int64)


@state
class State:
    """A position."""

    n: int  # side of the grid
    second_part_first: int  # the player who fills the first square
    ply: int  # symbols and squares so far
    plus1: int  # places where player 1 predicted +, as bits
    plus2: int
    free_rows: int  # as bits
    free_columns: int
    height: Line  # of the filled square in each column, from 1; EMPTY where none
    column: Line  # of the filled square in each row, from 1; EMPTY where none
    score1: int
    score2: int


def fits(s: rules.State) -> bool:
    """Whether the grid is small enough."""
    return s.n <= LARGEST


def of(s: rules.State) -> State:
    """The same position."""
    made = State()
    made.n, made.second_part_first = s.n, s.second_part_first
    made.free_rows = made.free_columns = (1 << s.n) - 1
    for sign in s.predicted[: min(s.ply, 2 * (s.n - 1))]:
        play(made, s.n * s.n if sign > 0 else s.n * s.n + 1)
    for column in range(s.n):
        if s.height[column] != EMPTY:
            play(made, (s.height[column] - 1) * s.n + column)
    return made


def most_moves(s: State) -> int:
    return s.n * s.n + 2


def legal_moves(s: State, out: list[int]) -> int:
    n = s.n
    if s.ply < 2 * (n - 1):
        out[0] = n * n
        out[1] = n * n + 1
        return 2
    count = 0
    for row in range(n):
        if s.free_rows >> row & 1:
            for column in range(n):
                if s.free_columns >> column & 1:
                    out[count] = row * n + column
                    count += 1
    return count


def play(s: State, move: int) -> None:
    n = s.n
    if s.ply < 2 * (n - 1):
        plus = int(move == n * n) << s.ply // 2
        if s.ply % 2 == 0:
            s.plus1 |= plus
        else:
            s.plus2 |= plus
    else:
        row = move // n
        column = move - row * n
        s.score1 += num_right(n, s.height, s.plus1, column, row + 1)
        s.score2 += num_right(n, s.column, s.plus2, row, column + 1)
        s.height[column] = row + 1
        s.column[row] = column + 1
        s.free_rows ^= 1 << row
        s.free_columns ^= 1 << column
    s.ply += 1


def num_right(n: int, line: list[int], plus: int, i: int, number: int) -> int:
    """How many predictions come true when this number is written at place i of a line."""
    total = 0
    if i > 0 and line[i - 1] != EMPTY and (number > line[i - 1]) == (plus >> (i - 1) & 1 == 1):
        total += 1
    if i < n - 1 and line[i + 1] != EMPTY and (line[i + 1] > number) == (plus >> i & 1 == 1):
        total += 1
    return total


def step(s: State, move: int) -> int:
    """The rules' move that a move is."""
    return move


def follow(s: State, step: int) -> None:
    """Play a move of the rules."""
    play(s, step)


def settled(s: State) -> int:
    """What is scored already."""
    return s.score1 - s.score2


def gain(s: State, move: int) -> int:
    """What a square scores."""
    n = s.n
    if s.ply < 2 * (n - 1):
        return 0
    row = move // n
    column = move - row * n
    return num_right(n, s.height, s.plus1, column, row + 1) - num_right(n, s.column, s.plus2, row, column + 1)


def plies_left(s: State) -> int:
    """How many symbols and squares are still to come."""
    return 3 * s.n - 2 - s.ply


def side(number: int, is_known: bool, is_higher: int, free: int) -> int:
    """What is beside an empty line: `number` stands there, and the empty line is predicted to be higher, or not."""
    if number == EMPTY:
        return OPEN if is_known else UNKNOWN
    return FILLED + int(NUMBER[free >> number] if is_higher else NUMBER[free & (1 << number - 1) - 1])


def sides(n: int, line: list[int], plus: int, num_known: int, free: int, i: int) -> int:
    """What is on both sides of place i of a line, which is empty: on the left, on the right, and the two wishes."""
    left, right = NONE, NONE
    above_left = above_right = 0
    if i > 0:
        above_left = plus >> (i - 1) & 1
        left = side(line[i - 1], i <= num_known, above_left, free)
    if i < n - 1:
        above_right = 1 - (plus >> i & 1)
        right = side(line[i + 1], i < num_known, above_right, free)
    return ((left * SIDES + right) * 2 + above_left) * 2 + above_right


def key(s: State) -> int:
    """A number that positions hardly ever share unless the rest of the game is the same."""
    n = s.n
    total = 0
    for i in range(n):
        if s.free_columns >> i & 1:
            code = sides(n, s.height, s.plus1, (s.ply + 1) // 2, s.free_rows, i)
            total ^= int(LINES[i * SIDES * SIDES * 4 + code])
        if s.free_rows >> i & 1:
            code = sides(n, s.column, s.plus2, s.ply // 2, s.free_columns, i)
            total ^= int(LINES[(LARGEST + i) * SIDES * SIDES * 4 + code])
    return total


def num_patterns(s: State) -> int:
    """How many patterns there are."""
    return 2 * SIDES * SIDES * 2


def pattern(player: int, code: int) -> int:
    """The number of a pattern: of two wishes it only matters whether they are the same."""
    left, right = code // 4 // SIDES, code // 4 % SIDES
    is_same = int(left > UNKNOWN and right > UNKNOWN and (code % 4 == 0 or code % 4 == 3))
    return (((player - 1) * SIDES + left) * SIDES + right) * 2 + is_same


def patterns(s: State, out: list[int]) -> int:
    """Write the position's patterns, and return how many there are."""
    n = s.n
    count = 0
    for i in range(n):
        if s.free_columns >> i & 1:
            out[count] = pattern(1, sides(n, s.height, s.plus1, (s.ply + 1) // 2, s.free_rows, i))
            count += 1
        if s.free_rows >> i & 1:
            out[count] = pattern(2, sides(n, s.column, s.plus2, s.ply // 2, s.free_columns, i))
            count += 1
    return count


def changes(s: State, move: int, gone: list[int], come: list[int]) -> tuple[int, int]:
    """Write the patterns that a move takes away, and those that come instead; return how many of each.

    A filled row changes how many are free above and below all heights, so that all patterns go.
    """
    n = s.n
    num_gone = patterns(s, gone)
    plus1, plus2 = s.plus1, s.plus2
    free_rows, free_columns = s.free_rows, s.free_columns
    row = column = 0
    is_square = s.ply >= 2 * (n - 1)
    if is_square:
        row = move // n
        column = move - row * n
        s.height[column] = row + 1
        s.column[row] = column + 1
        free_rows ^= 1 << row
        free_columns ^= 1 << column
    elif move == n * n:
        if s.ply % 2 == 0:
            plus1 |= 1 << s.ply // 2
        else:
            plus2 |= 1 << s.ply // 2
    count = 0
    for i in range(n):
        if free_columns >> i & 1:
            come[count] = pattern(1, sides(n, s.height, plus1, (s.ply + 2) // 2, free_rows, i))
            count += 1
        if free_rows >> i & 1:
            come[count] = pattern(2, sides(n, s.column, plus2, (s.ply + 1) // 2, free_columns, i))
            count += 1
    if is_square:
        s.height[column] = EMPTY
        s.column[row] = EMPTY
    return num_gone, count


def alike(s: State) -> Ints:
    """For each pattern the least of it and its image in a mirror, which exchanges the sides."""
    numbers = np.arange(num_patterns(s))
    is_same, left, right = numbers % 2, numbers // 2 // SIDES % SIDES, numbers // 2 % SIDES
    first = numbers - (left * SIDES + right) * 2 - is_same
    least: Ints = np.minimum(numbers, first + (right * SIDES + left) * 2 + is_same)
    return least


def parts(s: State) -> Ints:
    """Patterns aren't made of parts."""
    return np.zeros((num_patterns(s), 0), np.int64)
