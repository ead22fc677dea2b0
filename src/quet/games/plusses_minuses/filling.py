"""The second part for many pairs of lists at once: a bit for each pair, whether player 1 reaches a number.

What can be filled doesn't depend on the lists. So each position of the second part is looked at once for all pairs, and
one operation on a word of bits serves 64 of them (Biham, "A fast new DES implementation in software", 1997). A layer
has the positions with so many further squares filled. They are numbered by their columns, their rows, and which row
goes with which column, as a permutation. What each position of a layer is worth is carried to those that it can come
from, so that two layers are in memory; and the largest, that with four squares left, is never kept.
"""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from quet.core.clock import clock
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled
from quet.engine.playouts import num_bits

from .compact import TRIPLES as TRIPLES_AS_BITS
from .rules import State

WORDS = 4  # for each position: 256 bits, the width of a vector register
MOST_PAIRS = 64 * WORDS
LAST = 4  # squares left in the layer that the search begins with
FEWEST = LAST + 2  # squares that must be left, for the moves to be in a layer of their own
TRIPLES = np.array([[way for way in range(24) if bits >> way & 1] for bits in TRIPLES_AS_BITS.tolist()])


def write_ends(table: Ints, plus: Ints, least: Ints, num_places: int) -> None:
    """Set the bit of each pair in table[signs] where both truth lists in a full grid have these signs.

    The places of player 1 where a number rises are the higher bits of `signs`, those of player 2 the lower ones.
    plus[i, pair] has those where player i + 1 predicted it.
    """
    lowest = (1 << num_places) - 1
    for signs in range(len(table)):
        for pair in range(len(least)):
            wrong1 = num_bits(plus[0, pair] ^ signs >> num_places)
            wrong2 = num_bits(plus[1, pair] ^ signs & lowest)
            if wrong2 - wrong1 >= least[pair]:
                table[signs, pair >> 6] |= 1 << (pair & 63)


def carry_last(
    before: Ints,
    columns: int,
    sets: Ints,
    place: Ints,
    num_before: int,
    orders: Ints,
    without: Ints,
    table: Ints,
    line: Ints,
    free: Ints,
    triples: Ints,
    is_first: bool,
) -> None:
    """Find what all positions with four squares left are worth that fill these columns, and carry it back.

    `columns` has bits, of the free columns, as each of `sets` has of the free rows; place[set] numbers the `num_before`
    sets with one bit less. `orders` has all permutations, and without[i, j] is the number of the i-th without its j-th
    entry. line[0] has the heights that were filled before, line[1] the columns, -1 where none; free[0] has the free
    columns, free[1] the free rows. `is_first` says whether player 1 moves with four squares left. See `ending_of_four`
    in compact.py.
    """
    num_places, size = line.shape[1] - 1, orders.shape[1]
    share = len(orders) // size  # positions of each pair of sets in the layer before
    line = line.copy()
    heights, crossings = line[0], line[1]
    filled_columns, filled_rows = np.empty(size, np.int64), np.empty(size, np.int64)
    left = np.empty((2, LAST), np.int64)  # columns, and rows
    beside, bit = np.empty((4, LAST), np.int64), np.empty((4, LAST), np.int64)
    signs, among = np.empty((LAST, LAST), np.int64), np.empty(24, np.int64)
    brings, worth = np.empty((24, WORDS), np.int64), np.empty(WORDS, np.int64)
    origin = np.empty((size, size), np.int64)
    divide(columns, free[0], filled_columns, left[0])
    for rows in sets:
        divide(rows, free[1], filled_rows, left[1])
        find_origins(origin, columns, rows, place, num_before, share)
        for i in range(LAST):
            crossings[left[1, i]] = -1
        signs_among(among, left, num_places)
        for order in range(len(orders)):
            for i in range(size):
                row = filled_rows[orders[order, i]]
                heights[filled_columns[i]] = row
                crossings[row] = filled_columns[i]
            known = 0  # the signs between two numbers that are filled
            for i in range(num_places):
                known |= ((heights[i] >= 0) & (heights[i + 1] > heights[i])) << num_places + i
                known |= ((crossings[i] >= 0) & (crossings[i + 1] > crossings[i])) << i
            look_around(beside, bit, left, heights, crossings)
            for i in range(LAST):
                for j in range(LAST):
                    signs[i, j] = (
                        (left[1, j] > beside[0, i]) * bit[0, i]
                        | (beside[1, i] > left[1, j]) * bit[1, i]
                        | (left[0, i] > beside[2, j]) * bit[2, j]
                        | (beside[3, j] > left[0, i]) * bit[3, j]
                    )
            way = 0
            for i in range(LAST):
                for j in range(LAST):
                    if j != i:
                        for k in range(LAST):
                            if k not in (i, j):
                                most = known | signs[0, i] | signs[1, j] | signs[2, k]
                                end = most | signs[3, 6 - i - j - k] | among[way]
                                for word in range(WORDS):
                                    brings[way, word] = table[end, word]
                                way += 1
            decide(worth, brings, triples, is_first)
            for i in range(size):
                origin_of = origin[i, orders[order, i]] + without[order, i]
                if is_first:  # so player 2 moved before
                    for word in range(WORDS):
                        before[origin_of, word] &= worth[word]
                else:
                    for word in range(WORDS):
                        before[origin_of, word] |= worth[word]


def divide(chosen: int, free: Ints, filled: Ints, left: Ints) -> None:
    """Write those numbers of `free` whose bit is set to `filled`, and the others to `left`."""
    i = j = 0
    for b in range(len(free)):
        if chosen >> b & 1:
            filled[i] = free[b]
            i += 1
        else:
            left[j] = free[b]
            j += 1


def find_origins(origin: Ints, columns: int, rows: int, place: Ints, num_before: int, share: int) -> None:
    """Write to origin[i, j] where the positions begin that lack the i-th of these columns and the j-th of the rows."""
    i, lacking = 0, columns
    while lacking:
        one = lacking & -lacking
        lacking ^= one
        j, remaining = 0, rows
        while remaining:
            other = remaining & -remaining
            remaining ^= other
            origin[i, j] = (place[columns ^ one] * num_before + place[rows ^ other]) * share
            j += 1
        i += 1


def signs_among(among: Ints, left: Ints, num_places: int) -> None:
    """Write for each way to fill the last four squares the signs between neighbours that are both left."""
    way = 0
    for i in range(LAST):
        for j in range(LAST):
            if j != i:
                for k in range(LAST):
                    if k not in (i, j):
                        rows = (i, j, k, 6 - i - j - k)
                        total = 0
                        for one in range(LAST):
                            for other in range(LAST):
                                # in neighbouring columns the row rises; in neighbouring rows the column does
                                if left[0, other] == left[0, one] + 1 and rows[other] > rows[one]:
                                    total |= 1 << num_places + left[0, one]
                                if left[1, rows[other]] == left[1, rows[one]] + 1 and other > one:
                                    total |= 1 << left[1, rows[one]]
                        among[way] = total
                        way += 1


def look_around(beside: Ints, bit: Ints, left: Ints, heights: Ints, crossings: Ints) -> None:
    """Write what is beside the columns and rows left, before and after them, and the bits of the signs between.

    A bit is 0 where nothing is there that is filled.
    """
    num_places = len(heights) - 1
    for i in range(LAST):
        column, row = left[0, i], left[1, i]
        beside[0, i] = heights[column - 1] if column > 0 else -1
        beside[1, i] = heights[column + 1] if column < num_places else -1
        beside[2, i] = crossings[row - 1] if row > 0 else -1
        beside[3, i] = crossings[row + 1] if row < num_places else -1
        bit[0, i] = 1 << num_places + column - 1 if beside[0, i] >= 0 else 0
        bit[1, i] = 1 << num_places + column if beside[1, i] >= 0 else 0
        bit[2, i] = 1 << row - 1 if beside[2, i] >= 0 else 0
        bit[3, i] = 1 << row if beside[3, i] >= 0 else 0


def decide(worth: Ints, brings: Ints, triples: Ints, is_first: bool) -> None:
    """What the mover gets with four squares left: what each of the three ways of some triple brings."""
    for word in range(WORDS):
        worth[word] = 0 if is_first else -1
    for triple in range(len(triples)):
        one, two, three = triples[triple, 0], triples[triple, 1], triples[triple, 2]
        if is_first:
            for word in range(WORDS):
                worth[word] |= brings[one, word] & brings[two, word] & brings[three, word]
        else:
            for word in range(WORDS):
                worth[word] &= brings[one, word] | brings[two, word] | brings[three, word]


def carry(
    before: Ints,
    layer: Ints,
    number: int,
    sets: Ints,
    place: Ints,
    num_before: int,
    orders: Ints,
    without: Ints,
    is_first: bool,
) -> None:
    """Carry back what the positions of a layer are worth whose columns are set `number` of `sets`."""
    size = orders.shape[1]
    share = len(orders) // size
    origin = np.empty((size, size), np.int64)
    at = number * len(sets) * len(orders)
    for rows in sets:
        find_origins(origin, sets[number], rows, place, num_before, share)
        for order in range(len(orders)):
            for i in range(size):
                origin_of = origin[i, orders[order, i]] + without[order, i]
                if is_first:
                    for word in range(WORDS):
                        before[origin_of, word] &= layer[at, word]
                else:
                    for word in range(WORDS):
                        before[origin_of, word] |= layer[at, word]
            at += 1


@dataclass(frozen=True)
class Reached:
    """For each pair of lists, in their order, whether player 1 reaches the number of the pair."""

    here: list[bool]
    after: dict[int, list[bool]]  # and after each move


def needed(num_left: int, n: int) -> int:
    """Bytes for positions of an n by n grid with so many squares left: two layers, and the ends."""
    size = num_left - LAST - 1
    layers = sum(math.comb(num_left, k) ** 2 * math.factorial(k) for k in (size, size - 1) if k >= 0)
    return 8 * WORDS * (layers + (1 << 2 * (n - 1)))


def num_positions(num_left: int) -> int:
    """How many positions are looked at."""
    return sum(math.comb(num_left, k) ** 2 * math.factorial(k) for k in range(num_left - LAST + 1))


def reached(s: State, pairs: Sequence[tuple[int, int]], least: Sequence[int], until: float) -> Reached | None:
    """Whether player 1 reaches what is `least` for each pair of lists, in the second part from s on; None without time.

    A list has a bit for each place where the player predicted +. At least FEWEST squares must be left, and there can be
    MOST_PAIRS pairs.
    """
    module = compiled(sys.modules[__name__])
    n, num_places = s.n, s.n - 1
    line = np.array([s.height[:n], s.column[:n]], np.int64) - 1
    free = np.array([np.flatnonzero(one < 0) for one in line])
    num_left = free.shape[1]
    table = np.zeros((1 << 2 * num_places, WORDS), np.int64)
    plus = np.array(pairs, np.int64).T.copy()
    module.write_ends(table, plus, np.array(least, np.int64), num_places)

    def is_first(size: int) -> bool:
        return bool(((n - num_left + size) % 2 == 0) == (s.second_part_first == 1))

    size = num_left - LAST
    layer = np.empty((0, WORDS), np.int64)
    while size > 0:
        sets, fewer = _sets(num_left, size), _sets(num_left, size - 1)
        place = np.zeros(1 << num_left, np.int64)
        place[fewer] = np.arange(len(fewer))
        orders, without = _orders(size)
        shape = len(fewer) ** 2 * math.factorial(size - 1), WORDS
        before = np.full(shape, 0 if is_first(size - 1) else -1, np.int64)
        common = sets, place, len(fewer), orders, without
        for number, columns in enumerate(sets):
            if clock() >= until:
                return None
            if size == num_left - LAST:
                module.carry_last(before, columns, *common, table, line, free, TRIPLES, is_first(size))
            else:
                module.carry(before, layer, number, *common, is_first(size))
        layer, size = before, size - 1
        if size == 1:
            ones = layer
    squares = [(int(row), int(column)) for column in free[0] for row in free[1]]
    after = {row * n + column: _bits(one, len(pairs)) for (row, column), one in zip(squares, ones, strict=True)}
    return Reached(_bits(layer[0], len(pairs)), after)


def _sets(count: int, size: int) -> Ints:
    """All sets of this size as bits, ascending."""
    return np.array(sorted(sum(1 << b for b in bits) for bits in combinations(range(count), size)), np.int64)


def _orders(size: int) -> tuple[Ints, Ints]:
    """All permutations in their order, and for each the number of what is left without each of its entries."""
    orders = list(permutations(range(size)))
    number = {order: i for i, order in enumerate(permutations(range(size - 1)))}
    without = [[number[tuple(x - (x > one) for x in order if x != one)] for one in order] for order in orders]
    return np.array(orders, np.int8), np.array(without, np.int32)


def _bits(words: Ints, count: int) -> list[bool]:
    return [bool(int(words[i >> 6]) >> (i & 63) & 1) for i in range(count)]
