"""Plusses And Minuses: the pairs of lists that a proof needs, and for them all ways of filling squares, layer by layer.

A way of filling k squares is a set of k rows, a set of k columns, and a permutation: which of the columns each row has,
from the lowest row up. Whether player 1 reaches a number after it is a bit for each pair of lists. The values of a
layer are carried back to the ways with one square less. The last three squares are tried as the rules have it.
"""

import itertools
import sys
import time
from collections.abc import Mapping, Sequence

import numpy as np

from quet.engine.arrays import Ints
from quet.engine.compiled import compiled

from .perfect import Lists, Symbols

LARGEST = 11  # 12 GB
MOST_PLAYERS = 2
FINDS_BOUNDS = False
WORDS = "all ways to fill squares, for the pairs of lists that a proof needs"
TOGETHER = 128  # pairs of lists that are looked at together, two words of bits
PARTS = TOGETHER // 64


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The value that this way finds, looked for near the given one first; None when the time is over."""
    n = int(parameters["n"])
    second_part = SecondPart(n, int(parameters["second_part_first"]), until)
    lists = Lists(n, second_part.reached, TOGETHER)
    low, high, v = -n, n, value
    while low < high:
        is_reached = lists.is_reached(v, is_likely=v <= value)
        if is_reached is None:
            return None
        low, high = (v, high) if is_reached else (low, v - 1)
        v = low + 1 if is_reached else high
    return low


class SecondPart:
    """The part of the game in which the grid is filled."""

    def __init__(self, n: int, first: int, until: float) -> None:
        self.n, self._first, self._until = n, first, until

    def reached(self, pairs: Sequence[Symbols], v: int) -> list[bool] | None:
        """Whether player 1 reaches v after each of these pairs of lists; None when `time.monotonic()` is `until`."""
        module, n = compiled(sys.modules[__name__]), self.n
        ends = _ends(pairs, n, v)
        last = np.array(list(itertools.permutations(range(min(3, n - 1)))), np.int64)
        choices = _choices(last)
        values = np.empty((0, PARTS), np.int64)
        for filled in range(n - last.shape[1], 0, -1):
            sets, fewer = (np.array(list(itertools.combinations(range(n), k)), np.int64) for k in (filled, filled - 1))
            place = np.zeros(1 << n, np.int64)
            place[(1 << fewer).sum(axis=1)] = np.arange(len(fewer))
            ways, less = _ways(filled)
            is_first = self._is_first(filled - 1)
            before = np.full((len(fewer) ** 2 * len(ways) // filled, PARTS), 0 if is_first else -1, np.int64)
            each = len(sets) * len(ways)
            for i, rows in enumerate(sets):
                if time.monotonic() >= self._until:
                    return None
                common = rows, sets, place, len(fewer), ways, less, is_first
                if len(values):
                    module.from_layer(before, values[i * each : (i + 1) * each], *common)
                else:
                    module.from_ends(before, ends, n, last, choices, *common)
            values = before
        return [bool(int(values[0, i >> 6]) >> (i & 63) & 1) for i in range(len(pairs))]

    def _is_first(self, filled: int) -> bool:
        """Whether player 1 moves when so many squares are filled."""
        return (filled % 2 == 0) == (self._first == 1)


def from_layer(
    before: Ints,
    values: Ints,
    rows: Ints,
    sets: Ints,
    place: Ints,
    num_fewer: int,
    ways: Ints,
    less: Ints,
    is_first: bool,
) -> None:
    """Carry back the values of the ways that fill these rows: each set of columns, each permutation."""
    origin = np.empty((len(rows), len(rows)), np.int64)
    at = 0
    for columns in sets:
        find_origins(origin, rows, columns, place, num_fewer, len(ways) // len(rows))
        for way in range(len(ways)):
            for i in range(len(rows)):
                carry_back(before, origin[i, ways[way, i]] + less[way, i], values, at, is_first)
            at += 1


def find_origins(origin: Ints, rows: Ints, columns: Ints, place: Ints, num_fewer: int, num_ways: int) -> None:
    """Write to origin[i, j] where the ways begin that lack the i-th of these rows and the j-th of these columns."""
    all_rows = all_columns = 0
    for i in range(len(rows)):
        all_rows |= 1 << rows[i]
        all_columns |= 1 << columns[i]
    for i in range(len(rows)):
        for j in range(len(rows)):
            others = place[all_rows ^ 1 << rows[i]] * num_fewer + place[all_columns ^ 1 << columns[j]]
            origin[i, j] = others * num_ways


def carry_back(before: Ints, origin: int, values: Ints, at: int, is_first: bool) -> None:
    """Carry a value back to the way that it can come from, by a move of player 1 if `is_first`."""
    for part in range(PARTS):
        if is_first:
            before[origin, part] |= values[at, part]
        else:
            before[origin, part] &= values[at, part]


def from_ends(
    before: Ints,
    ends: Ints,
    n: int,
    last: Ints,
    choices: Ints,
    rows: Ints,
    sets: Ints,
    place: Ints,
    num_fewer: int,
    ways: Ints,
    less: Ints,
    is_first: bool,
) -> None:
    """The same for the ways with the last squares left: the mover picks one, then the other player an end that has it.

    `last` has the permutations of what is left, and choices[i] the numbers of those that have a certain square.
    """
    left = last.shape[1]
    height, column = np.full(n, -1), np.full(n, -1)  # -1 where none
    free_rows, free_columns = np.empty(left, np.int64), np.empty(left, np.int64)
    signs, among = np.empty((left, left), np.int64), np.empty(len(last), np.int64)
    beside, found = np.empty((2, left, 4), np.int64), np.empty((len(last), PARTS), np.int64)
    flip = -1 if is_first else 0  # so that what is good for the mover, who is player 2 if `is_first`, is a 1
    value = np.empty((1, PARTS), np.int64)
    origin = np.empty((len(rows), len(rows)), np.int64)
    write_others(free_rows, rows, n)
    for columns in sets:
        find_origins(origin, rows, columns, place, num_fewer, len(ways) // len(rows))
        write_others(free_columns, columns, n)
        for i in range(left):
            height[free_columns[i]] = -1
        for end in range(len(last)):
            among[end] = signs_among(free_rows, free_columns[last[end]], n)
        for way in range(len(ways)):
            for i in range(len(rows)):
                column[rows[i]] = columns[ways[way, i]]
                height[columns[ways[way, i]]] = rows[i]
            known = 0
            for k in range(n - 1):
                known |= ((height[k] >= 0) & (height[k + 1] > height[k])) << k
                known |= ((column[k] >= 0) & (column[k + 1] > column[k])) << n - 1 + k
            for i in range(left):
                look_around(beside[0, i], column, free_rows[i])
                look_around(beside[1, i], height, free_columns[i])
            for i in range(left):
                row = free_rows[i]
                for j in range(left):
                    other = free_columns[j]
                    signs[i, j] = (
                        (row > beside[1, j, 0]) * beside[1, j, 2]
                        | (row < beside[1, j, 1]) * beside[1, j, 3]
                        | (other > beside[0, i, 0]) * beside[0, i, 2] << n - 1
                        | (other < beside[0, i, 1]) * beside[0, i, 3] << n - 1
                    )
            for end in range(len(last)):
                truth = known | among[end]
                for i in range(left):
                    truth |= signs[i, last[end, i]]
                for part in range(PARTS):
                    found[end, part] = ends[truth, part] ^ flip
            for part in range(PARTS):
                value[0, part] = 0
            for i in range(len(choices)):
                for part in range(PARTS):
                    value[0, part] |= found[choices[i, 0], part] & found[choices[i, 1], part]
            for part in range(PARTS):
                value[0, part] ^= flip
            for i in range(len(rows)):
                carry_back(before, origin[i, ways[way, i]] + less[way, i], value, 0, is_first)


def signs_among(rows: Ints, columns: Ints, n: int) -> int:
    """The signs between neighbours in these squares, as bits of both truth lists."""
    rises = 0
    for i in range(len(rows)):
        for j in range(len(rows)):
            if columns[j] == columns[i] + 1 and rows[j] > rows[i]:
                rises |= 1 << columns[i]
            if rows[j] == rows[i] + 1 and columns[j] > columns[i]:
                rises |= 1 << n - 1 + rows[i]
    return rises


def write_others(others: Ints, some: Ints, n: int) -> None:
    """Write those of the numbers 0 to n - 1 that aren't among some."""
    count = 0
    for number in range(n):
        if number not in some:
            others[count] = number
            count += 1


def look_around(beside: Ints, line: Ints, at: int) -> None:
    """Write what is before and after this place of the line, and the bits of the signs between, 0 where nothing is."""
    before, after = at > 0, at < len(line) - 1
    beside[0] = line[at - 1] if before else -1
    beside[1] = line[at + 1] if after else -1
    beside[2] = 1 << at - 1 if before and beside[0] >= 0 else 0
    beside[3] = 1 << at if after and beside[1] >= 0 else 0


def _ways(count: int) -> tuple[Ints, Ints]:
    """All permutations, and for each and each entry the number of the shorter one without that entry."""
    ways = list(itertools.permutations(range(count)))
    number = {way: i for i, way in enumerate(itertools.permutations(range(count - 1)))}
    less = [
        [number[tuple(one - (one > way[i]) for one in way[:i] + way[i + 1 :])] for i in range(count)] for way in ways
    ]
    return np.array(ways, np.int8), np.array(less, np.int32)


def _choices(last: Ints) -> Ints:
    """For each square that the mover can pick, the first and the last of the ends that have it."""
    squares = itertools.product(range(last.shape[1]), repeat=2)
    return np.array([np.flatnonzero(last[:, row] == column)[[0, -1]] for row, column in squares])


def _ends(pairs: Sequence[Symbols], n: int, v: int) -> Ints:
    """For both truth lists, as bits, that of player 1 below that of player 2: a bit for each pair that reaches v."""
    truths = np.where(np.arange(4 ** (n - 1))[:, None] >> np.arange(2 * (n - 1)) & 1, 1, -1).astype(np.float32)
    predicted = np.array(pairs, np.float32)
    counted = np.concatenate([predicted[:, ::2], -predicted[:, 1::2]], axis=1)
    words = np.zeros((len(truths), PARTS), np.int64)
    for i, one in enumerate(counted):  # a score is half of n - 1 and of the sum of predictions times truths
        words[:, i >> 6] |= (truths @ one >= 2 * v).astype(np.int64) << (i & 63)
    return words
