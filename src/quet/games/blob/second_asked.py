"""Blob for sizes too large for `second.py`: it asks whether player 1 can reach a difference, until the value is known.

It searches depth first. For each number of filled squares there is a table of answers, where newer ones replace older
ones. Compiled by `quet.engine.compiled`.
"""

import sys
import time
from collections.abc import Mapping
from types import ModuleType

import numpy as np

from quet.engine.arrays import Ints

from ...engine.compiled import compiled
from .second import beside, difference, least_image, lines

ALLOCATES = False
LARGEST = 7
MOST_PLAYERS = 2
FINDS_BOUNDS = False
WORDS = "questions answered depth first, with a table of answers for each number of filled squares"
OPEN = -1  # not answered yet
SLOTS = 1 << 22  # answers kept for each number of filled squares
PORTION = 1 << 22  # positions between two looks at the clock


def ask(
    n: int, good: Ints, mirrored: Ints, hope: Ints, aim: int, first: int, room: Ints, table: Ints, most: int
) -> int:
    """1 if the value is at least `aim`, else 0; OPEN after `most` positions, to go on from there the next time.

    `good` and `mirrored` are as in `second.py`. `hope` is by the number of moves left and a line. Rows 0 to 4 of `room`
    are by the number of squares filled: the blob, the same with rows and columns exchanged, how many moves there are,
    how many of them are tried, and the key. That number is `first` at first; room[5, 0] has what it is now. The rows
    below have the moves, one row for each number, and the last row is room to sort them. `table` has answers by the
    same number.
    """
    blob, turned, num_moves, tried, own = room[0], room[1], room[2], room[3], room[4]
    moves = room[6:]
    end = 2 * (n * n // 4)
    count = room[5, 0]
    while True:
        if most == 0:
            room[5, 0] = count
            return OPEN
        most -= 1
        found = OPEN
        if count == end - 1:
            found = last(n, good, blob[count], turned[count], aim)
        else:
            own[count] = least_image(n, mirrored, blob[count])
            entry = table[count, slot(own[count], table.shape[1])]
            if count > first and entry >> 1 == own[count]:
                found = entry & 1
            else:
                num_moves[count] = sort(n, hope[end - count - 1], blob[count], turned[count], count, moves)
                tried[count] = 0
        while found != OPEN:
            if count == first:
                return int(found)
            count -= 1
            # The move gives the mover what they want, or it was the last one.
            if found == 1 - count % 2 or tried[count] == num_moves[count]:
                table[count, slot(own[count], table.shape[1])] = own[count] << 1 | found
            else:
                found = OPEN
        square = moves[count, tried[count]]
        tried[count] += 1
        count += 1
        blob[count] = blob[count - 1] | 1 << square
        turned[count] = turned[count - 1] | 1 << square % n * n + square // n


def slot(key: int, size: int) -> int:
    """Where the answer of this key stands among so many, a power of 2."""
    return (key ^ key >> 13 ^ key >> 24) * 0x9E3779B1 >> 7 & size - 1


def last(n: int, good: Ints, blob: int, turned: int, aim: int) -> int:
    """1 if no move of player 2, the last, makes the difference less than `aim`, else 0."""
    before = difference(n, good, blob)
    left = beside(n, blob)
    for square in range(n * n):
        if left >> square & 1:
            i, j = square // n, square % n
            row, column = blob >> i * n & (1 << n) - 1, turned >> j * n & (1 << n) - 1
            if before + good[row | 1 << j] - good[row] - good[column | 1 << i] + good[column] < aim:
                return 0
    return 1


def sort(n: int, hope: Ints, blob: int, turned: int, count: int, moves: Ints) -> int:
    """Put the moves into their row, those with the most hope for the mover first; return how many there are."""
    worth = moves[len(moves) - 1]
    left = beside(n, blob) if blob != 0 else (1 << n * n) - 1
    number = 0
    for square in range(n * n):
        if left >> square & 1:
            i, j = square // n, square % n
            row, column = blob >> i * n & (1 << n) - 1, turned >> j * n & (1 << n) - 1
            gain = hope[row | 1 << j] - hope[row] - hope[column | 1 << i] + hope[column]
            if count % 2 == 1:
                gain = -gain
            k = number
            while k > 0 and worth[k - 1] < gain:
                worth[k] = worth[k - 1]
                moves[count, k] = moves[count, k - 1]
                k -= 1
            worth[k] = gain
            moves[count, k] = square
            number += 1
    return number


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The value of the empty grid, looked for from 0 upwards or downwards."""
    n, aim = int(parameters["n"]), 0
    found = holds(n, 0, aim, until)
    while found is not None:
        # Upwards while player 1 reaches it, downwards while not.
        step = 1 if found else -1
        again = holds(n, 0, aim + step, until)
        if again is not None and again != found:
            return min(aim, aim + step)
        aim, found = aim + step, again
    return None


def holds(n: int, blob: int, aim: int, until: float) -> bool | None:
    """Whether the value of this blob, at least one move before the end, is at least `aim`."""
    module: ModuleType = compiled(sys.modules[__name__])
    good, mirrored = lines(n)
    end = 2 * (n * n // 4)
    room = np.zeros((6 + end + 1, n * n + 1), np.int64)
    first = blob.bit_count()
    room[0, first] = blob
    room[1, first] = sum(1 << square % n * n + square // n for square in range(n * n) if blob >> square & 1)
    room[5, 0] = first
    table = np.zeros((end, SLOTS), np.int64)
    found = OPEN
    while found == OPEN:
        if time.monotonic() >= until:
            return None
        found = int(module.ask(n, good, mirrored, _hope(n, good), aim, first, room, table, PORTION))
    return found == 1


def _hope(n: int, good: Ints) -> Ints:
    """[left, line] is roughly how often in a million a line is good after `left` moves, each in any of n lines.

    It is used to order moves only.
    """
    hope = [1_000_000 * good]
    for _ in range(2 * (n * n // 4)):
        before, after = hope[-1], []
        for line in range(1 << n):
            filled = [before[line | 1 << i] for i in range(n) if not line >> i & 1] or [before[line]]
            after.append((n - 1) * before[line] / n + sum(filled) / len(filled) / n)
        hope.append(np.array(after))
    return np.array(hope).astype(np.int64)
