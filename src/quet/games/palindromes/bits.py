"""Which moves from a position reach at least a number, by one bit for each position that can come after.

With k empty squares 3^k positions can come, so a bit for each fits where a table of values (`rest.py`) doesn't. Only
two layers are there at once, those with so many squares filled and with one more; values are not kept. The positions
with one set of filled squares are a line of bits, and a bit's place is the number that their digits make, the leftmost
square's digit the lowest. A line is joined from the lines with one square more: where player 1 moves a bit is 1 if it
is 1 after any move, and where player 2 moves if it is 1 after every move. To fill a square puts a digit into a number.
Where that digit chooses among words, whole words are joined. Where it chooses among the bits of a word, words with it
are folded together, and after the last fold 64 bits have become 32 (`fold`). Compiled by `quet.engine.compiled`.
"""

import itertools
import math
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from quet.core.errors import TooLarge
from quet.distribution.task import Task
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled

from .rules import EMPTY, State

ALLOCATES = False

LARGEST = 26  # empty squares at most; their lines take 100 GB
INSIDE = 6  # digits that choose among the bits of a word
PORTION = 1 << 17  # words of a thread between two looks at the clock, roughly: some milliseconds
PORTION_OF_ENDS = 1 << 20  # full rows
# For each such digit, the places in a word where it is 0 and which the folds before have not emptied.
KEPT = (
    0x5555555555555555,
    0x3333333333333333,
    0x0F0F0F0F0F0F0F0F,
    0x00FF00FF00FF00FF,
    0x0000FFFF0000FFFF,
    0x00000000FFFFFFFF,
)


def difference(row: int, m: int) -> int:
    """Player 1's score minus player 2's in a full row, its digits as bits.

    About a centre there are patterns of one kind, of 2, 4, ... squares: as many as pairs about it are alike, or unlike.
    """
    total = 0
    for centre in range(1, m):
        left, right = centre - 1, centre
        is_unlike = (row >> left ^ row >> right) & 1
        half = 0
        while left >= 0 and right < m and (row >> left ^ row >> right) & 1 == is_unlike:
            half += 1
            left -= 1
            right += 1
        total += -half * (half + 1) if is_unlike else half * (half + 1)
    return total


def ends(line: Ints, row: int, m: int, squares: Ints, least: int, first: int, last: int) -> None:
    """Write the words `first` to `last` - 1 of the line of full rows: whether the difference is `least` or more.

    The empty squares are filled with the bits of a bit's place in the line. `row` has the digits of the others.
    """
    for word in range(first, last):
        bits = 0
        for place in range(min(1 << INSIDE, 1 << len(squares))):
            number = word << INSIDE | place
            filled = row
            for i in range(len(squares)):
                filled |= (number >> i & 1) << squares[i]
            bits |= int(difference(filled, m) >= least) << place
        line[word] = bits


def fill(
    sets: Ints, places: Ints, after: Ints, now: Ints, room: Ints, num_squares: int, is_union: bool, first: int,
    last: int,
) -> None:  # fmt: skip
    """Write the lines `first` to `last` - 1 of `now`, those of sets[first:last], from the lines `after`.

    `after` has the sets with one square more, each at the place that `places` has. `room` is as long as its lines.
    """
    for i in range(first, last):
        folded(sets[i], places, after, room, num_squares, is_union)
        line = now[i]
        if len(room) == 1:
            line[0] = room[0]
        else:
            for word in range(len(line)):
                line[word] = room[2 * word] | room[2 * word + 1] << 32
        rank = 0  # of the square among those filled
        for square in range(num_squares):
            if sets[i] >> square & 1:
                rank += 1
            elif rank >= INSIDE:
                join(line, after[places[sets[i] | 1 << square]], 1 << rank - INSIDE, is_union)


def join(line: Ints, after: Ints, run: int, is_union: bool) -> None:
    """Join a line with one in which so many words with a 0 take turns with as many with a 1."""
    for first in range(0, len(line), run):
        here, with_0 = line[first : first + run], after[2 * first : 2 * first + run]
        with_1 = after[2 * first + run : 2 * (first + run)]
        if is_union:
            for i in range(run):
                here[i] |= with_0[i] | with_1[i]
        else:
            for i in range(run):
                here[i] &= with_0[i] & with_1[i]


def folded(filled: int, places: Ints, after: Ints, room: Ints, num_squares: int, is_union: bool) -> None:
    """Write to `room`, in the lower halves of words, what the moves bring whose digits choose among bits of a word."""
    for word in range(len(room)):
        room[word] = 0 if is_union else -1
    rank = 0
    for square in range(num_squares):
        if filled >> square & 1:
            if rank < INSIDE - 1:
                fold(room, rank)
            rank += 1
            if rank == INSIDE:
                break
        else:
            gather(room, after[places[filled | 1 << square]], rank, is_union)
    for digit in range(rank, INSIDE - 1):
        fold(room, digit)
    for word in range(len(room)):
        room[word] &= KEPT[INSIDE - 1]


def gather(room: Ints, after: Ints, digit: int, is_union: bool) -> None:
    """Join the words with those after a move; a bit stands where its digit is 0."""
    if is_union:
        for word in range(len(room)):
            room[word] |= after[word] | after[word] >> (1 << digit)
    else:
        for word in range(len(room)):
            room[word] &= after[word] & after[word] >> (1 << digit)


def fold(room: Ints, digit: int) -> None:
    """Move bits so that they stand where the next digit is 0, and no longer where this one is."""
    for word in range(len(room)):
        bits = room[word] & KEPT[digit]
        room[word] = (bits | bits >> (1 << digit)) & KEPT[digit + 1]


def words(size: int) -> int:
    """How many words a line of so many filled squares has."""
    return 1 << max(size - INSIDE, 0)


def needed(num_empty: int) -> int:
    """Bytes for all that can come after a position with so many empty squares."""
    lines = [8 * math.comb(num_empty, size) * words(size) for size in range(num_empty + 1)]
    return max(map(sum, itertools.pairwise(lines)), default=0) + (16 << num_empty)


def reached(s: State, least: int, task: Task) -> dict[int, bool] | None:
    """For each move whether player 1's final advantage is at least `least` after it, if both play on as they should.

    None where the time is over. Raises TooLarge where it doesn't fit into the task's memory.
    """
    num_empty = s.m - s.ply
    if num_empty > LARGEST or needed(num_empty) > task.memory:
        raise TooLarge(needed(num_empty), task.memory)
    layers, sizes = _Layers(s, task), range(num_empty - 1, 0, -1)
    with ThreadPoolExecutor(task.workers.count) as pool:
        try:
            if not layers.begin(pool, least) or not all(layers.go_back(pool, size) for size in sizes):
                return None
        finally:
            layers.is_left = True  # at Ctrl-C nothing that waits is begun
    # Where one square is filled, its digits 0 and 1 have the places 0 and 1.
    return {
        2 * square + digit: bool(int(layers.lines[i if num_empty > 1 else 0, 0]) >> digit & 1)
        for i, square in enumerate(layers.squares.tolist())
        for digit in range(2)
    }


class _Layers:
    """The lines of one layer after the other, from the full rows back."""

    def __init__(self, s: State, task: Task) -> None:
        self._task, self._m, self._ply = task, s.m, s.ply
        self.is_left = False
        self._module = compiled(sys.modules[__name__])
        row = sum(1 << square for square in range(s.m) if s.digits[square] == 1)
        self._row = int(np.array(row, np.uint64).view(np.int64))  # also where its highest bit is the sign
        self.squares = np.array([square for square in range(s.m) if s.digits[square] == EMPTY], np.int64)
        self._num_empty = len(self.squares)
        self._sizes = np.bitwise_count(np.arange(1 << self._num_empty, dtype=np.uint32))
        self._places = np.zeros(1 << self._num_empty, np.int32)  # of each set among those of its size
        self.lines = np.empty((1, words(self._num_empty)), np.int64)

    def begin(self, pool: ThreadPoolExecutor, least: int) -> bool:
        """Write the line of full rows. Returns whether there was time."""
        line, each = self.lines[0], PORTION_OF_ENDS >> INSIDE

        def write(first: int) -> bool:
            if self.is_left or self._task.is_over:
                return False
            last = min(first + each, len(line))
            self._module.ends(line, self._row, self._m, self.squares, least, first, last)
            return True

        # Compiles, so that no time is lost to it.
        self._module.ends(line, self._row, self._m, self.squares, least, 0, 0)
        return all(pool.map(write, range(0, len(line), each)))

    def go_back(self, pool: ThreadPoolExecutor, size: int) -> bool:
        """Make the lines of so many filled squares from those of one more. Returns whether there was time."""
        after, sets = self.lines, np.flatnonzero(self._sizes == size).astype(np.int32)
        now = np.empty((len(sets), words(size)), np.int64)
        each = max(1, PORTION // words(size))
        is_union = (self._ply + size) % 2 == 0  # player 1 moves

        def write(first: int) -> bool:
            if self.is_left or self._task.is_over:
                return False
            last, room = min(first + each, len(sets)), np.empty(after.shape[1], np.int64)
            self._module.fill(sets, self._places, after, now, room, self._num_empty, is_union, first, last)
            return True

        is_whole = all(pool.map(write, range(0, len(sets), each)))
        self._places[sets] = np.arange(len(sets))
        self.lines = now
        return is_whole
