"""Retrograde analysis: the value of every position, from the last to the first.

Players in turn write 0 or 1 in any empty square of a row until it is full. Values don't change when the row is turned
round, or when both digits are exchanged. A position is the set of the filled squares and their digits, as the bits of a
number with the first square's digit lowest. All positions of one set are neighbours in memory. Filling one more square
puts a bit into all those numbers at the same place: runs of entries of the larger set are compared with runs of the
smaller one, many at once.

If two sets are mirror images, one is kept. If all bits of two numbers are different, the one whose highest bit is 0 is
kept. That leaves a quarter of all positions. Sets with the same number of squares are a layer; sets of one layer
don't depend on each other.
Stroehlein, "Untersuchungen ueber kombinatorische Spiele", 1970. Compiled by `quet.engine.compiled`.
"""

import functools
import math
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from quet.capabilities import NO_VALUE
from quet.core.clock import clock
from quet.core.errors import TooLarge
from quet.core.rules import AnySearchRules
from quet.distribution.task import Task
from quet.engine.arrays import Ints, Records, Words, pack
from quet.engine.compiled import compiled
from quet.tablebases import blocks
from quet.tablebases.blocks import Block

from . import rules
from .rules import EMPTY, State

ALLOCATES = False

UNIT = 2  # scores are sums of h * (h + 1), and so even
LARGEST = 127  # of an entry; a value further from 0 is kept as this, and smaller values still come out right
QUICK = 100 * 2**20  # bytes of a table that is made in half a second
PORTION = 1 << 21  # positions of a thread between two looks at the clock, roughly: ten milliseconds
PORTION_OF_ENDS = 1 << 13
BLOCK = 1 << 24  # positions of a part of a solve, roughly: a tenth of a second
BLOCK_OF_ENDS = 1 << 16  # full rows of a part


def place(s: State) -> tuple[int, int]:
    """The set of filled squares, the first square the lowest bit, and their digits as bits in the same order."""
    filled = digits = size = 0
    for square in range(s.m):
        if s.digits[square] != EMPTY:
            filled |= 1 << square
            digits |= s.digits[square] << size
            size += 1
    return filled, digits


def make(s: State, filled: int, digits: int) -> None:
    """Make s the position in which these squares hold these digits."""
    s.ply = 0
    for square in range(s.m):
        s.digits[square] = EMPTY
        if filled >> square & 1:
            s.digits[square] = digits >> s.ply & 1
            s.ply += 1


def lay_out(starts: Ints, num_squares: int) -> int:
    """Write where in the table each set of squares begins, and return how many entries there are in all.

    For a set whose mirror image is kept instead, it is ~ of where that begins. Sets of fewer squares come first.
    """
    end = 0
    for size in range(num_squares + 1):
        for filled in range(len(starts)):
            if count(filled) == size:
                other = mirrored(filled, num_squares)
                if filled <= other:
                    starts[other] = ~end
                    starts[filled] = end
                    end += entries(size)
    return end


def count(filled: int) -> int:
    """How many squares a set has."""
    total = 0
    while filled:
        filled &= filled - 1
        total += 1
    return total


def mirrored(bits: int, length: int) -> int:
    """The lowest `length` bits in the opposite order."""
    other = 0
    for _ in range(length):
        other = other << 1 | bits & 1
        bits >>= 1
    return other


def entries(size: int) -> int:
    """How many positions of a set of so many squares are kept."""
    return 1 << max(size - 1, 0)


def turn(turned: Words, size: int) -> None:
    """Write the number of each position of `size` squares when its row is turned round."""
    for digits in range(len(turned)):
        other = mirrored(digits, size)
        turned[digits] = other ^ ((1 << size) - 1) if digits & 1 else other


def score_ends(table: Ints, states: Records, start: int, first: int, last: int) -> int:
    """Write the values of the full rows with the digits `first` to `last` - 1, and return how many they are.

    Like all values they are the mover's, in units. `start` is where the full row begins, and `states` holds one state
    with the game's parameters.
    """
    s = states[0]
    for digits in range(first, last):
        make(s, (1 << s.m) - 1, digits)
        value = (rules.score(s, 1) - rules.score(s, 2)) // UNIT
        value = min(max(value, -LARGEST), LARGEST)
        table[start + digits] = value if rules.mover(s) == 1 else -value
    return last - first


def fill(
    table: Ints, starts: Ints, turned: Words, room: Ints, num_squares: int, size: int, first: int, last: int
) -> int:
    """Write the values of all sets of `size` squares from `first` to `last` - 1, and return how many values they are.

    The layer of the next size must be there. `room` has two rows as long as `turned`, which has what `turn` writes.
    Maximum and minimum commute with cutting values off at LARGEST, so that every value nearer to 0 is exact.
    """
    total = 0
    length = len(turned)
    straight, other = room[0], room[1]
    for filled in range(first, last):
        if starts[filled] < 0 or count(filled) != size:
            continue
        for i in range(length):
            straight[i] = LARGEST
            other[i] = LARGEST
        rank = 0  # of the square among those filled
        for square in range(num_squares):
            if filled >> square & 1:
                rank += 1
                continue
            start = starts[filled | 1 << square]
            if start >= 0:
                lower(straight, table[start : start + (1 << size)], rank, size)
            else:
                lower(other, table[~start : ~start + (1 << size)], size - rank, size)
        here = table[starts[filled] : starts[filled] + length]
        for i in range(length):
            here[i] = other[turned[i]]
        for i in range(length):
            here[i] = -min(straight[i], here[i])
        total += length
    return total


def lower(least: Ints, after: Ints, rank: int, size: int) -> None:
    """Lower each entry to the values after a move, 0 or 1 in the square of this rank, beside `size` other squares.

    The size is -1 for a table that has all digits of the highest square (`rest.py`).
    The loops for small ranks do the same as the last one; they compile to instructions for many entries at once.
    """
    if rank == size:  # the highest bit; where it is 1, the table has the position with all digits exchanged
        top = (1 << size) - 1
        for i in range(len(least)):
            least[i] = min(least[i], after[i], after[top - i])
    elif rank == 0:
        for i in range(len(least)):
            least[i] = min(least[i], after[2 * i], after[2 * i + 1])
    elif rank == 1:
        for i in range(len(least) // 2):
            for j in range(2):
                least[2 * i + j] = min(least[2 * i + j], after[4 * i + j], after[4 * i + j + 2])
    elif rank == 2:
        for i in range(len(least) // 4):
            for j in range(4):
                least[4 * i + j] = min(least[4 * i + j], after[8 * i + j], after[8 * i + j + 4])
    else:
        run = 1 << rank
        for first in range(0, len(least), run):
            here = least[first : first + run]
            with_0 = after[2 * first : 2 * first + run]
            with_1 = after[2 * first + run : 2 * first + 2 * run]
            for i in range(run):
                here[i] = min(here[i], with_0[i], with_1[i])


def read(states: Records, starts: Ints, values: Ints, found: Ints) -> None:
    """Write player 1's final advantage from each state on, NO_VALUE where it is too large for the table."""
    for i in range(len(states)):
        s = states[i]
        if rules.is_over(s):
            found[i] = rules.score(s, 1) - rules.score(s, 2)
            continue
        filled, digits = place(s)
        start = starts[filled]
        if start < 0:
            start = ~start
            digits = mirrored(digits, s.ply)
        if s.ply and digits >> s.ply - 1:
            digits ^= (1 << s.ply) - 1
        entry = int(values[start + digits])
        if abs(entry) == LARGEST:
            found[i] = NO_VALUE
        else:
            found[i] = UNIT * (-entry if s.ply % 2 else entry)


def num_entries(num_squares: int) -> int:
    """How many entries the table of a row of so many squares has."""
    total: int = 0
    for size in range(num_squares + 1):
        has_middle_or_pairs = num_squares % 2 == 1 or size % 2 == 0
        same: int = math.comb(num_squares // 2, size // 2) if has_middle_or_pairs else 0  # as their mirror images
        total += (math.comb(num_squares, size) + same) // 2 * entries(size)
    return total


def needed(s: State) -> int:
    """Bytes of the table for a row as long as this one, and of the memory that filling it takes."""
    return num_entries(s.m) + (16 << s.m)


def is_quick(s: State) -> bool:
    """Whether the table is made in half a second."""
    return needed(s) <= QUICK


@dataclass(frozen=True)
class Solution:
    """The value of every position."""

    num_squares: int
    starts: Ints  # int64, as `lay_out` writes them
    values: Ints  # int8, one for each position that is kept

    @property
    def num_positions(self) -> int:
        """How many positions are kept."""
        return len(self.values)

    def covers(self, s: State) -> bool:
        """Whether the row is as long as the table's."""
        return s.m == self.num_squares

    def value(self, s: State) -> int | None:
        """Player 1's final advantage in a position of the table; None where it is too large for it."""
        filled, digits = place(s)
        size = filled.bit_count()
        start = int(self.starts[filled])
        if start < 0:
            start, digits = ~start, mirrored(digits, size)
        if size and digits >> size - 1:
            digits ^= (1 << size) - 1
        entry = int(self.values[start + digits])
        if abs(entry) == LARGEST:
            return None
        return UNIT * (-entry if size % 2 else entry)

    def values_of(self, states: Records, rules: AnySearchRules) -> Ints:
        """The same for each state; they may be over."""
        found = np.zeros(len(states), np.int64)
        compiled(sys.modules[__name__]).read(states, np.asarray(self.starts), np.asarray(self.values), found)
        return found

    def replies(self, s: State, value: int, player: int, hashed: Callable[[Ints], Words], task: Task) -> Ints:
        """A strategy of a player that holds the value, as `SolvedWithReplies` says; its order needs no hash."""
        from .replies import Strategy

        return Strategy(self, s, value if player == 1 else -value, player, task).replies()


class Portion(NamedTuple):
    """A part of a layer: the sets (of full rows, the digits) from `first` up to `last`, and where they are kept."""

    first: int
    last: int
    begin: int
    end: int


class Filler:
    """Writes the values of portions; several threads may use it at once."""

    def __init__(self, m: int) -> None:
        self._module = compiled(sys.modules[__name__])
        state = State()
        rules.start(state, m)
        self._states = pack([state])
        self.num_squares = m
        self.starts = np.zeros(1 << self.num_squares, np.int64)
        self.num_positions = int(self._module.lay_out(self.starts, self.num_squares))
        self._turned: tuple[int, Words] = (-1, np.zeros(0, np.uint32))  # of the size used last

    def layer(self, size: int, most_positions: int, most_rows: int) -> list[Portion]:
        """The layer of so many squares in portions of roughly so many positions, or of so many full rows."""
        if size == self.num_squares:
            length, begin = entries(size), int(self.starts[-1])
            firsts = range(0, length, most_rows)
            return [
                Portion(i, min(i + most_rows, length), begin + i, begin + min(i + most_rows, length)) for i in firsts
            ]
        sizes = np.bitwise_count(np.arange(1 << self.num_squares, dtype=np.uint32))
        kept = np.flatnonzero((sizes == size) & (self.starts >= 0))
        each = max(1, most_positions // entries(size))  # sets of a portion
        firsts_and_last = [*kept[::each].tolist(), 1 << self.num_squares]
        begins = [*self.starts[kept[::each]].tolist(), int(self.starts[kept[-1]]) + entries(size)]
        return [
            Portion(*sets, *places) for sets, places in zip(pairwise(firsts_and_last), pairwise(begins), strict=True)
        ]

    def fill(self, values: Ints, size: int, first: int, last: int) -> int:
        """Write the values of a portion of this layer, or of a part of it, and return how many they are."""
        if size == self.num_squares:
            states = self._states.copy()  # each thread writes its rows in a state of its own
            return int(self._module.score_ends(values, states, self.starts[-1], first, last))
        turned = self._turned_for(size)
        room = np.zeros((2, len(turned)), np.int8)
        return int(self._module.fill(values, self.starts, turned, room, self.num_squares, size, first, last))

    def _turned_for(self, size: int) -> Words:
        known, turned = self._turned
        if known != size:
            turned = np.zeros(entries(size), np.uint32)
            self._module.turn(turned, size)
            self._turned = size, turned
        return turned


class Filling:
    """A table in the making, which can be stopped at any time and continued. Not for two callers at once."""

    def __init__(self, m: int) -> None:
        self._filler = filler = Filler(m)
        self.num_positions = filler.num_positions
        self.num_done = 0
        self.table = Solution(m, filler.starts, np.zeros(self.num_positions, np.int8))
        for size in (m, 0):  # compiles, so that no time is lost to it later
            filler.fill(self.table.values, size, 0, 0)
        self._begin(m)

    @property
    def is_full(self) -> bool:
        """Whether the table is ready."""
        return self.num_done == self.num_positions

    def run(
        self,
        *,
        until: float = math.inf,
        stop: threading.Event | None = None,
        report: Callable[[int, int, str], None] = lambda done, total, words: None,
        num_threads: int = 2,
    ) -> bool:
        """Go on until the table is full, `core.clock` reaches `until` or `stop` is set; return if it is full.

        `report` is told how many positions are done, how many there are, and what they are. The table is the same,
        whatever the number of threads and however often it was stopped.
        """
        is_over = threading.Event()

        def work(portion: Portion) -> int | None:
            if is_over.is_set() or clock() >= until or (stop is not None and stop.is_set()):
                return None
            return self._filler.fill(self.table.values, self._size, portion.first, portion.last)

        with ThreadPoolExecutor(num_threads) as pool:
            try:
                while not self.is_full:
                    waiting = tuple(self._waiting)
                    for portion, num_filled in zip(waiting, pool.map(work, waiting), strict=True):
                        if num_filled is not None:
                            self._waiting.remove(portion)
                            self.num_done += num_filled
                            report(self.num_done, self.num_positions, "positions of the table filled")
                    if self._waiting:
                        return False
                    if self._size > 0:
                        self._begin(self._size - 1)
            finally:
                is_over.set()
        return True

    def _begin(self, size: int) -> None:
        """Divide the work on the layer of so many squares."""
        self._size = size
        self._waiting = self._filler.layer(size, PORTION, PORTION_OF_ENDS)


@functools.lru_cache(maxsize=1)
def begun(m: int) -> tuple[Filling, threading.Lock]:
    """The table as far as it is made, kept for the next question. Only the holder of the lock may continue it."""
    return Filling(m), threading.Lock()


def solve(s: State, task: Task) -> Solution | None:
    """The table for a row as long as this one; None where the time is over before it is full.

    If it is quick to make and this process fills it alone, the next call continues it. Raises TooLarge when it doesn't
    fit into the task's memory, and what `blocks.filled` raises.
    """
    if needed(s) > task.memory:
        raise TooLarge(needed(s), task.memory)
    if is_quick(s) and task.workers.seconds_here == math.inf and task.table is None:
        return _solved_here(s.m, task)
    filler = _filler(s.m)
    layers: list[dict[str, Block]] = []
    for size in reversed(range(s.m + 1)):
        portions = filler.layer(size, BLOCK, BLOCK_OF_ENDS)
        names = [f"{number} of {len(portions)} with {size} squares" for number in range(1, len(portions) + 1)]
        parts = [Block(each.begin, each.end, (size, each.first, each.last)) for each in portions]
        layers.append(dict(zip(names, parts, strict=True)))
    values = blocks.filled(task, (filler.num_positions,), "int8", layers, fill_block, (s.m,))
    return None if values is None else Solution(s.m, filler.starts, values)


def _solved_here(m: int, task: Task) -> Solution | None:
    filling, lock = begun(m)
    if not filling.is_full:
        if not lock.acquire(timeout=-1 if task.left is None else task.left):
            return None
        try:
            filling.run(until=task.until, stop=task.stop, report=task.report, num_threads=task.workers.count)
        finally:
            lock.release()
    return filling.table if filling.is_full else None


def fill_block(table: Ints, m: int, size: int, first: int, last: int, seconds: float | None) -> bool:
    """Fill a portion of the layer of so many squares. It is done so soon that the clock needs no look."""
    _filler(m).fill(table, size, first, last)
    return True


@functools.lru_cache(maxsize=1)
def _filler(m: int) -> Filler:
    """The Filler of this size; the one used last is kept."""
    return Filler(m)
