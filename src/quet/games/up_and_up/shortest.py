"""The shortest games on grids of many sizes at once, from the last square back. Compiled by `quet.engine.compiled`.

A game ends where the squares at distance 1 from the last one, and those one step further than the step before, are all
filled or outside the grid. A step goes back to 1 where those one step further are filled or outside. So each such
square must be filled by an earlier number, or the grid must end before it. Going back from the end, few steps remain
possible when these squares are known. Nothing else is asked of the grid, so a result holds for a whole range of sizes.
"""

import functools
import sys

import numpy as np

from quet.distribution.task import run
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled

ALLOCATES = False

WITHOUT_END = 1 << 20  # a size so large that no game looked for reaches its edges
# Columns of `limits`: the nearest column known to be outside on the left, the leftmost and the rightmost known to be
# inside, the nearest outside on the right; then the same for the rows.
LEFT_OUTSIDE, LEFT, RIGHT, RIGHT_OUTSIDE = 0, 1, 2, 3
WAYS = 16  # which of four squares are outside, as bits
# Columns of `room`: column and row of a square; the step that leads to it; the choice made for the square before it,
# or -1 where there is none to make; the next direction to come from; how many squares were wanted before that choice;
# and whether this square was one of them.
COLUMN, ROW, STEP, CHOICE, DIRECTION, WANTED, WAS_WANTED = 0, 1, 2, 3, 4, 5, 6
IS_FILLED, IS_WANTED = 1, 2  # what is known of the squares of `board`


def fits(limits: Ints, smallest: int, largest: int) -> bool:
    """Whether a grid of such a size can have these squares inside and outside."""
    for axis in (0, 4):
        if limits[axis + LEFT_OUTSIDE] >= limits[axis + LEFT] or limits[axis + RIGHT] >= limits[axis + RIGHT_OUTSIDE]:
            return False
        smallest = max(smallest, limits[axis + RIGHT] - limits[axis + LEFT] + 1)
        largest = min(largest, limits[axis + RIGHT_OUTSIDE] - limits[axis + LEFT_OUTSIDE] - 1)
    return smallest <= largest


def copy(limits: Ints, to: Ints) -> None:
    """Copy the limits."""
    for i in range(8):
        to[i] = limits[i]


def hold(limits: Ints, column: int, row: int) -> None:
    """Note that this square is inside the grid."""
    limits[LEFT], limits[RIGHT] = min(limits[LEFT], column), max(limits[RIGHT], column)
    limits[4 + LEFT], limits[4 + RIGHT] = min(limits[4 + LEFT], row), max(limits[4 + RIGHT], row)


def block(
    column: int, row: int, step: int, outside: int, limits: Ints, board: Ints, wanted: Ints, counts: Ints
) -> bool:
    """Want the squares at distance `step` to be filled, or outside where the bits of `outside` say so.

    Returns False if that can't be.
    """
    middle = len(board) // 2
    for direction in range(4):
        axis, sign = 4 * (direction // 2), 1 - 2 * (direction % 2)
        x, y = column, row
        if axis == 0:
            x += sign * step
        else:
            y += sign * step
        if outside >> direction & 1:
            place = x if axis == 0 else y
            if sign > 0:
                limits[axis + RIGHT_OUTSIDE] = min(limits[axis + RIGHT_OUTSIDE], place)
            else:
                limits[axis + LEFT_OUTSIDE] = max(limits[axis + LEFT_OUTSIDE], place)
            continue
        hold(limits, x, y)
        if board[middle + x, middle + y] == IS_FILLED:
            return False
        if board[middle + x, middle + y] == 0:
            board[middle + x, middle + y] = IS_WANTED
            wanted[counts[0], 0], wanted[counts[0], 1] = x, y
            counts[0] += 1
            counts[1] += 1
    return True


def is_one_of_its_images(outside: int) -> bool:
    """Whether these bits are to be tried: one case of all that the symmetries of the grid join."""
    right, left, above, below = outside & 1, outside >> 1 & 1, outside >> 2 & 1, outside >> 3 & 1
    return right <= left and above <= below and above + below <= right + left


def forget(num_wanted: int, board: Ints, wanted: Ints, counts: Ints) -> None:
    """Want only the first `num_wanted` squares again."""
    middle = len(board) // 2
    while counts[0] > num_wanted:
        counts[0] -= 1
        counts[1] -= 1
        board[middle + wanted[counts[0], 0], middle + wanted[counts[0], 1]] = 0


def are_near(column: int, row: int, step: int, left: int, board: Ints, wanted: Ints, counts: Ints) -> bool:
    """Whether the steps left, at most 1, ..., step and 1, ..., left - step, can reach each square that is wanted."""
    middle = len(board) // 2
    reach = step * (step + 1) // 2 + (left - step) * (left - step + 1) // 2
    for i in range(counts[0]):
        x, y = wanted[i, 0], wanted[i, 1]
        if board[middle + x, middle + y] == IS_WANTED and abs(x - column) + abs(y - row) > reach:
            return False
    return True


def find(
    smallest: int,
    largest: int,
    length: int,
    first_choice: int,
    num_choices: int,
    board: Ints,
    room: Ints,
    limits: Ints,
    wanted: Ints,
    counts: Ints,
    stop: Ints,
) -> int:
    """1 if there is a game of that length, else 0; the game is left in `room`, from the last square to the first.

    -1 when stop[0] has become 1. Of the choices for the last square, `num_choices` are tried, from `first_choice` on.

    counts[0] is how many squares are wanted, counts[1] how many of them aren't filled, counts[2] how many positions
    were looked at. limits[2 * i] holds for square i and those after it, limits[2 * i + 1] with what is wanted there.
    """
    middle = len(board) // 2
    last = 0
    room[0, COLUMN], room[0, ROW], room[0, CHOICE], room[0, WANTED] = 0, 0, first_choice, 0
    board[middle, middle] = IS_FILLED
    while last >= 0:
        if stop[0]:
            return -1
        square = room[last]
        column, row, left = square[COLUMN], square[ROW], length - 1 - last
        ways = WAYS if last > 0 else WAYS * WAYS
        end = ways * min(left, largest - 1) if last > 0 else first_choice + num_choices
        if square[DIRECTION] == 4:  # nothing is left to try here
            if square[CHOICE] >= 0:
                forget(square[WANTED], board, wanted, counts)
            if square[CHOICE] < 0 or square[CHOICE] >= end:
                board[middle + column, middle + row] = IS_WANTED if square[WAS_WANTED] else 0
                counts[1] += square[WAS_WANTED]
                last -= 1
                continue
            step, way = square[CHOICE] // ways + 1, square[CHOICE] % ways
            square[CHOICE] += 1
            after = limits[2 * last + 1]
            copy(limits[2 * last], after)
            can_be = last > 0 or is_one_of_its_images(way // WAYS)
            can_be = can_be and block(column, row, step + 1, way % WAYS, after, board, wanted, counts)
            if last == 0:
                can_be = can_be and block(column, row, 1, way // WAYS, after, board, wanted, counts)
            if can_be and counts[1] <= left and fits(after, smallest, largest):
                square[STEP], square[DIRECTION] = step, 0
                counts[2] += 1
                if not are_near(column, row, step, left, board, wanted, counts):
                    square[DIRECTION] = 4
            continue
        step, direction = square[STEP], square[DIRECTION]
        square[DIRECTION] += 1
        x, y = column, row
        if direction < 2:
            x += step * (1 - 2 * direction)
        else:
            y += step * (5 - 2 * direction)
        known = board[middle + x, middle + y]
        if known == IS_FILLED or (known == 0 and counts[1] == left):
            continue
        before, after = limits[2 * last + 1], limits[2 * last + 2]
        copy(before, after)
        hold(after, x, y)
        if not fits(after, smallest, largest):
            continue
        board[middle + x, middle + y] = IS_FILLED
        counts[1] -= known == IS_WANTED
        last += 1
        new = room[last]
        new[COLUMN], new[ROW], new[STEP], new[WANTED] = x, y, step - 1, counts[0]
        new[WAS_WANTED] = known == IS_WANTED
        if left == 1:
            if counts[1] == 0:
                return 1
            new[CHOICE], new[DIRECTION] = -1, 4
        elif step == 1:
            new[CHOICE], new[DIRECTION] = 0, 4
        else:
            new[CHOICE], new[DIRECTION] = -1, 0
            copy(after, limits[2 * last + 1])
            counts[2] += 1
            if not are_near(x, y, step - 1, left - 1, board, wanted, counts):
                new[DIRECTION] = 4
    return 0


def game_of(
    length: int, smallest: int, largest: int = WITHOUT_END, last_step: int = 0, seconds: float | None = None
) -> tuple[int, list[tuple[int, int]], int]:
    """A game of `length` numbers, two or more, on a grid of a size from `smallest` to `largest`.

    With `last_step` its last step is this, else any. Returns the size, the squares as column and row from 0, from the
    first number to the last, and how many positions were looked at; 0 and no squares where no grid of these sizes has
    such a game, and -1 when the seconds are over before that is known.
    """
    module = compiled(sys.modules[__name__])
    most = length * (length + 1) // 2 + 1  # squares further from the last one don't matter
    board = np.zeros((2 * most + 1, 2 * most + 1), np.int8)
    room = np.zeros((length, 7), np.int64)
    room[0, DIRECTION] = 4
    limits = np.zeros((2 * length + 1, 8), np.int64)
    limits[0, [LEFT_OUTSIDE, 4 + LEFT_OUTSIDE]] = -WITHOUT_END
    limits[0, [RIGHT_OUTSIDE, 4 + RIGHT_OUTSIDE]] = WITHOUT_END
    wanted, counts = np.zeros((4 * length + 16, 2), np.int64), np.zeros(3, np.int64)
    ways, stop = WAYS * WAYS, np.zeros(1, np.int64)
    choices = ((last_step - 1) * ways, ways) if last_step else (0, ways * min(length - 1, largest - 1))
    given = smallest, largest, length, *choices, board, room, limits, wanted, counts, stop
    found = run(stop, functools.partial(module.find, *given), seconds)
    if found != 1:
        return int(found), [], int(counts[2])
    end = limits[2 * length - 2].reshape(2, 4)
    n = max(smallest, *(int(axis[RIGHT] - axis[LEFT]) + 1 for axis in end))
    corner = [max(int(axis[LEFT_OUTSIDE]) + 1, int(axis[RIGHT]) - n + 1) for axis in end]
    squares = room[::-1, [COLUMN, ROW]] - corner
    return n, [(int(column), int(row)) for column, row in squares], int(counts[2])


@functools.cache
def lowest(smallest: int, largest: int = WITHOUT_END) -> tuple[int, int, list[tuple[int, int]]]:
    """The fewest numbers of a game on a grid of a size from `smallest` to `largest`; the size and the game."""
    length = 2
    while True:
        n, squares, _ = game_of(length, smallest, largest)
        if n:
            return length, n, squares
        length += 1
