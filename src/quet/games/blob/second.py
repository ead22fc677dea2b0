"""Blob: every blob is visited depth first; its squares are the bits of a number. Compiled by `quet.engine.compiled`."""

import itertools
import sys
import time
from collections.abc import Mapping
from types import ModuleType

import numpy as np

from quet.engine.arrays import Ints

from ...engine.compiled import compiled

ALLOCATES = False
LARGEST = 6
LARGER = "second_asked"  # another second way, for more
MOST_PLAYERS = 2
FINDS_BOUNDS = False
WORDS = "all blobs as numbers in base 2, of mirror images one, each with the best of its moves"
NONE = -128  # stands in `values` where there is no blob
SMALLEST = 1 << 16
PORTION = 1 << 20  # blobs between two looks at the clock


def visit(n: int, good: Ints, mirrored: Ints, keys: Ints, values: Ints, room: Ints, most: int) -> int:
    """The value of the empty grid; NONE after `most` more blobs, which the table then has for the next call.

    A line of n squares is a number; its lowest bit is the first square. `good` says of each line whether it is good,
    and `mirrored` has its mirror image. `room` has, for each number of filled squares, the blob, the squares to try,
    the best value so far and the key.
    """
    filled, left, best, own = room[0], room[1], room[2], room[3]
    end = 2 * (n * n // 4)
    filled[0] = 0
    left[0] = (1 << n * n) - 1
    best[0] = NONE
    count = 0
    while True:
        if left[count] == 0:
            if count == 0:
                return int(best[0])
            at = place(keys, own[count])
            keys[at] = own[count]
            values[at] = best[count]
            most -= 1
            if most == 0:
                return NONE
            value = best[count]
            count -= 1
        else:
            square = left[count] & -left[count]
            left[count] ^= square
            blob = filled[count] | square
            if count + 1 == end:
                value = difference(n, good, blob)
            else:
                key = least_image(n, mirrored, blob)
                at = place(keys, key)
                if keys[at] != key:
                    count += 1
                    filled[count] = blob
                    left[count] = beside(n, blob)
                    best[count] = NONE if count % 2 == 0 else -NONE
                    own[count] = key
                    continue
                value = values[at]
        best[count] = max(best[count], value) if count % 2 == 0 else min(best[count], value)


def place(keys: Ints, key: int) -> int:
    """Where this key stands, or would stand: there is a 0 then."""
    mask = len(keys) - 1
    i = (key ^ key >> 13 ^ key >> 24) * 0x9E3779B1 >> 7 & mask
    while keys[i] != 0 and keys[i] != key:
        i = i + 1 & mask
    return int(i)


def beside(n: int, blob: int) -> int:
    """The empty squares beside those of the blob."""
    found = blob << n | blob >> n
    for row in range(n):
        line = blob >> row * n & (1 << n) - 1
        found |= ((line << 1 | line >> 1) & (1 << n) - 1) << row * n
    return found & ~blob & (1 << n * n) - 1


def least_image(n: int, mirrored: Ints, blob: int) -> int:
    """The least number of the blob and its mirror images left to right, top to bottom and both."""
    across = upside = both = 0
    for row in range(n):
        line = blob >> row * n & (1 << n) - 1
        across |= mirrored[line] << row * n
        upside |= line << (n - 1 - row) * n
        both |= mirrored[line] << (n - 1 - row) * n
    return min(min(blob, across), min(upside, both))


def difference(n: int, good: Ints, blob: int) -> int:
    """How many more rows than columns are good."""
    total = 0
    for i in range(n):
        column = 0
        for row in range(n):
            column |= (blob >> row * n + i & 1) << row
        total += good[blob >> i * n & (1 << n) - 1] - good[column]
    return total


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    found = table(int(parameters["n"]), until)
    return None if found is None else found[0]


def table(n: int, until: float) -> tuple[int, Ints, Ints] | None:
    """The value of the empty grid, and a table, by `place`, of the values of all unfinished blobs."""
    module: ModuleType = compiled(sys.modules[__name__])
    good, mirrored = lines(n)
    room = np.zeros((4, n * n + 1), np.int64)
    keys, values = np.zeros(SMALLEST, np.int64), np.zeros(SMALLEST, np.int8)
    num_blobs = 0
    while time.monotonic() < until:
        most = min(PORTION, len(keys) * 3 // 4 - num_blobs)
        found = int(module.visit(n, good, mirrored, keys, values, room, most))
        if found != NONE:
            return found, keys, values
        num_blobs += most
        if num_blobs == len(keys) * 3 // 4:
            larger = np.zeros(2 * len(keys), np.int64), np.zeros(2 * len(keys), np.int8)
            module.move_over(keys, values, *larger)
            keys, values = larger
    return None


def lines(n: int) -> tuple[Ints, Ints]:
    """For each line of n squares, as bits with the first one lowest: whether it is good, and its mirror image."""
    bits = [[line >> i & 1 for i in range(n)] for line in range(1 << n)]
    good = np.array([_is_good(line) for line in bits], np.int64)
    return good, np.array([sum(bit << n - 1 - i for i, bit in enumerate(line)) for line in bits])


def move_over(keys: Ints, values: Ints, new_keys: Ints, new_values: Ints) -> None:
    """Put all blobs into a larger table."""
    for i in range(len(keys)):
        if keys[i] != 0:
            at = place(new_keys, keys[i])
            new_keys[at] = keys[i]
            new_values[at] = values[i]


def _is_good(line: list[int]) -> bool:
    lengths = sorted(len(list(run)) for _, run in itertools.groupby(line))
    return all(longer % shorter == 0 for shorter, longer in itertools.combinations(lengths, 2))
