"""The value of every position that can come after one, by the same analysis as in `retrograde.py`.

With k empty squares these are 3^k positions, however long the row is. So the end of a game is solved where the table of
the whole row would be too large. What is filled stays as it is, and so no symmetry halves the table. Compiled by
`quet.engine.compiled`.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from quet.capabilities import NO_VALUE
from quet.core.errors import TooLarge
from quet.core.rules import AnySearchRules
from quet.distribution.task import Task
from quet.engine.arrays import Ints, Records, pack
from quet.engine.compiled import compiled

from . import retrograde, rules
from .retrograde import LARGEST, PORTION, PORTION_OF_ENDS, UNIT
from .rules import EMPTY, State

ALLOCATES = False

MOST_SQUARES = 24  # more empty ones are never asked for: 3^24 positions are 282 GB


def write(s: State, squares: Ints, filled: int, digits: int) -> None:
    """Put the digits, lowest first, into those of these squares that are filled, and make the others empty."""
    s.ply = s.m - len(squares)
    for i in range(len(squares)):
        s.digits[squares[i]] = EMPTY
        if filled >> i & 1:
            s.digits[squares[i]] = digits & 1
            digits >>= 1
            s.ply += 1


def score_ends(ends: Ints, states: Records, squares: Ints, first: int, last: int) -> None:
    """Write player 1's advantage in the full rows that the digits `first` to `last` - 1 in these squares make."""
    s = states[0]
    for digits in range(first, last):
        write(s, squares, (1 << len(squares)) - 1, digits)
        ends[digits] = rules.score(s, 1) - rules.score(s, 2)


def fill(table: Ints, starts: Ints, sets: Ints, num_squares: int) -> int:
    """Write the values of these sets of filled squares, all of one layer, and return how many values they are.

    The layer of the next size must be there. Values are the mover's, in units.
    """
    total = 0
    for filled in sets:
        size = retrograde.count(filled)
        here = table[starts[filled] : starts[filled] + (1 << size)]
        for i in range(len(here)):
            here[i] = LARGEST
        rank = 0  # of the square among those filled
        for square in range(num_squares):
            if filled >> square & 1:
                rank += 1
                continue
            start = starts[filled | 1 << square]
            retrograde.lower(here, table[start : start + (2 << size)], rank, -1)
        for i in range(len(here)):
            here[i] = -here[i]
        total += len(here)
    return total


def read(states: Records, squares: Ints, starts: Ints, values: Ints, centre: int, found: Ints) -> None:
    """Write player 1's final advantage from each state on, NO_VALUE where it is too far from the centre."""
    for i in range(len(states)):
        s = states[i]
        if rules.is_over(s):
            found[i] = rules.score(s, 1) - rules.score(s, 2)
            continue
        filled = digits = size = 0
        for k in range(len(squares)):
            digit = s.digits[squares[k]]
            if digit != EMPTY:
                filled |= 1 << k
                digits |= digit << size
                size += 1
        entry = int(values[starts[filled] + digits])
        found[i] = NO_VALUE if abs(entry) == LARGEST else centre + UNIT * (-entry if s.ply % 2 else entry)


@dataclass(frozen=True)
class Rest:
    """The value of a position, and of all that can come after it."""

    row: tuple[int, ...]  # the position's digits
    squares: Ints  # int64, its empty squares from the left
    centre: int  # entries count from here; a value too far away isn't in the table
    starts: Ints  # int64, where each set of filled squares begins
    values: Ints  # int8, one for each position, the mover's

    @property
    def num_positions(self) -> int:
        """How many positions it has."""
        return len(self.values)

    def covers(self, s: State) -> bool:
        """Whether the row holds all that the position held."""
        return s.m == len(self.row) and all(
            digit in (EMPTY, held) for digit, held in zip(self.row, s.digits[: s.m], strict=True)
        )

    def value(self, s: State) -> int | None:
        """Player 1's final advantage in a position that it covers; None where it is too far from the centre."""
        filled = digits = size = 0
        for k, square in enumerate(self.squares.tolist()):
            if s.digits[square] != EMPTY:
                filled |= 1 << k
                digits |= s.digits[square] << size
                size += 1
        entry = int(self.values[self.starts[filled] + digits])
        return None if abs(entry) == LARGEST else self.centre + UNIT * (-entry if s.ply % 2 else entry)

    def values_of(self, states: Records, rules: AnySearchRules) -> Ints:
        """The same for each state; they may be over, and it is NO_VALUE in place of None."""
        found = np.zeros(len(states), np.int64)
        module = compiled(sys.modules[__name__])
        module.read(states, self.squares, self.starts, self.values, self.centre, found)
        return found


def needed(s: State) -> int:
    """Bytes of the table of all that can come after s, and of the memory that filling it takes."""
    num_empty = s.m - s.ply
    return int(3**num_empty) + (32 << num_empty)


def solve(s: State, task: Task) -> Rest | None:
    """The table; None where the time is over before it is full. Raises TooLarge when it doesn't fit into memory."""
    row = tuple(s.digits[: s.m])
    squares = np.array([square for square in range(s.m) if row[square] == EMPTY], np.int64)
    num_squares = len(squares)
    if needed(s) > task.memory or num_squares > MOST_SQUARES:
        raise TooLarge(needed(s), task.memory)
    module, states = compiled(sys.modules[__name__]), pack([s])
    ends, values = np.zeros(1 << num_squares, np.int64), np.zeros(3**num_squares, np.int8)
    starts = np.zeros(1 << num_squares, np.int64)
    module.score_ends(ends, states, squares, 0, 0)  # compiles, so that no time is lost to it later
    module.fill(values, starts, starts[:0], num_squares)
    num_done = 0  # positions
    with ThreadPoolExecutor(task.workers.count) as pool:
        firsts = range(0, len(ends), PORTION_OF_ENDS)

        def scored(first: int) -> bool:
            if task.is_over_after(num_done, len(values)):
                return False
            module.score_ends(ends, states.copy(), squares, first, min(first + PORTION_OF_ENDS, len(ends)))
            return True

        if not all(pool.map(scored, firsts)):
            return None
        sizes = np.bitwise_count(np.arange(1 << num_squares, dtype=np.int64)).astype(np.int64)
        order = np.argsort(sizes, kind="stable")
        starts[order[1:]] = np.cumsum(1 << sizes[order])[:-1]
        centre = int(np.median(ends)) // UNIT * UNIT
        sign = 1 if s.m % 2 == 0 else -1  # player 1 would be the next to move in a row of even length
        values[starts[-1] :] = sign * np.clip((ends - centre) // UNIT, -LARGEST, LARGEST)

        def filled(sets: Ints) -> bool:
            nonlocal num_done
            if task.is_over_after(num_done, len(values)):
                return False
            num_filled = module.fill(values, starts, sets, num_squares)
            num_done += num_filled  # by itself, since several threads add to it
            return True

        for size in reversed(range(num_squares)):
            layer = order[sizes[order] == size]
            each = max(1, PORTION >> size)
            if not all(pool.map(filled, [layer[i : i + each] for i in range(0, len(layer), each)])):
                return None
    return Rest(row, squares, centre, starts, values)
