"""Palindromes: whether each position is worth at least a number, one bit a position, from the full rows backwards.

The positions with the same squares filled are a line of bits. A position's place in it is the number that its digits
make, the first square's digit the lowest. Player 1 needs one good move, so a bit is 1 if it is 1 after any move; player
2 needs one bad move, so a bit is 1 if it is 1 after every move. No symmetry is used, but for one thing: in rows of more
than WHOLE squares the first moves are tried one by one, a 0 in each square of the left half. The others are mirror
images of these, or have 0 and 1 exchanged. Compiled by `quet.engine.compiled`.
"""

import math
import sys
import time
from collections.abc import Mapping
from types import ModuleType

import numpy as np

from quet.engine.arrays import Flags, Ints

from ...engine.compiled import compiled

ALLOCATES = False
WHOLE = 24  # 12 GB
LARGEST = 25
MOST_PLAYERS = 2
FINDS_BOUNDS = False
WORDS = "all positions without symmetries, a bit for each: whether it is worth so much, and whether it is worth more"
WORD = 6  # 2^6 bits are kept together
PORTION = 1 << 24  # words between two looks at the clock
# For each binary digit, those of the 64 numbers that have a 0 there.
KEPT = (
    0x5555555555555555,
    0x3333333333333333,
    0x0F0F0F0F0F0F0F0F,
    0x00FF00FF00FF00FF,
    0x0000FFFF0000FFFF,
    0x00000000FFFFFFFF,
)


def fill(m: int, sets: Ints, places: Ints, after: Ints, now: Ints, first: int, last: int, is_union: bool) -> None:
    """Write the lines number `first` to `last` - 1 of `now`, those of sets[first:last], from those with a square more.

    places[set] is where the set is among those of its size.
    """
    for i in range(first, last):
        line = now[i]
        for word in range(len(line)):
            line[word] = 0 if is_union else -1
        rank = 0  # of the square among those filled
        for square in range(m):
            if sets[i] >> square & 1:
                rank += 1
            else:
                join(line, after[places[sets[i] | 1 << square]], rank, is_union)


def join(line: Ints, after: Ints, rank: int, is_union: bool) -> None:
    """Join the line with the line that the moves to the square of this rank alone would make."""
    if len(after) == 1:
        joined(line, 0, halved(after[0], rank, is_union), is_union)
    elif rank < WORD:
        for word in range(len(line)):
            low, high = halved(after[2 * word], rank, is_union), halved(after[2 * word + 1], rank, is_union)
            joined(line, word, low | high << 32, is_union)
    else:
        run = 1 << rank - WORD
        for first in range(0, len(line), run):
            here = line[first : first + run]
            with_0 = after[2 * first : 2 * first + run]
            with_1 = after[2 * first + run : 2 * first + 2 * run]
            if is_union:
                for word in range(run):
                    here[word] |= with_0[word] | with_1[word]
            else:
                for word in range(run):
                    here[word] &= with_0[word] & with_1[word]


def joined(line: Ints, word: int, bits: int, is_union: bool) -> None:
    """Join a word of the line with these bits."""
    line[word] = line[word] | bits if is_union else line[word] & bits


def halved(bits: int, place: int, is_union: bool) -> int:
    """The 64 bits as 32: bits are joined whose numbers differ in this binary digit alone."""
    other = bits >> (1 << place)
    bits = (bits | other if is_union else bits & other) & KEPT[place]
    for gap in range(place, WORD - 1):
        bits = (bits | bits >> (1 << gap)) & KEPT[gap + 1]
    return bits


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The value that this way finds, looked for near the given one first; None when the time is over."""
    m, v = int(parameters["m"]), value
    is_so = is_at_least(m, v, until)
    step = 1 if is_so else -1
    while is_so is not None:
        is_next = is_at_least(m, v + step, until)
        if is_next is not None and is_next != is_so:
            return max(v, v + step) - 1
        v, is_so = v + step, is_next
        assert abs(v) <= (m + 3) ** 3, "no difference of scores is so large"
    return None


def is_at_least(m: int, v: int, until: float) -> bool | None:
    """Whether the value of the empty row is at least v."""
    differences = _differences(m)
    if m <= WHOLE:
        return _is_reached(m, 0, differences >= v, until)
    for square in range((m + 1) // 2):
        with_0 = differences.reshape(-1, 2, 1 << square)[:, 0].ravel()  # of the full rows that have a 0 there
        is_so = _is_reached(m - 1, 1, with_0 >= v, until)
        if is_so is None or is_so:
            return is_so
    return False


def _is_reached(m: int, ply: int, ends: Flags, until: float) -> bool | None:
    """Whether player 1 comes to an end that is so, from a row of which m squares are still empty after `ply` moves."""
    module: ModuleType = compiled(sys.modules[__name__])
    by_number = np.arange(1 << m)
    sizes: Ints | int = sum(by_number >> square & 1 for square in range(m))
    sets = [np.flatnonzero(sizes == size) for size in range(m + 1)]
    places = np.zeros(1 << m, np.int64)
    for some in sets:
        places[some] = np.arange(len(some))
    after = _lines(ends)
    for size in range(m - 1, -1, -1):
        now = np.zeros((len(sets[size]), 1 << max(size - WORD, 0)), np.int64)
        portion = math.ceil(PORTION / (m * now.shape[1]))
        for first in range(0, len(now), portion):
            if time.monotonic() >= until:
                return None
            last = min(first + portion, len(now))
            module.fill(m, sets[size], places, after, now, first, last, (size + ply) % 2 == 0)
        after = now
    return bool(after[0, 0] & 1)


def _lines(is_so: Flags) -> Ints:
    """One line of these bits."""
    bits = np.zeros(max(len(is_so), 1 << WORD), bool)
    bits[: len(is_so)] = is_so
    return np.packbits(bits, bitorder="little").view(np.int64).reshape(1, -1)


def _differences(m: int) -> Ints:
    """The difference of the scores of each full row."""
    rows = np.arange(1 << m)
    digits = [(rows >> square & 1).astype(np.int8) for square in range(m)]
    difference = np.zeros(1 << m, np.int16)
    for length in range(2, m + 1, 2):
        for first in range(m - length + 1):
            unlike = np.zeros(1 << m, np.int8)
            for k in range(length // 2):
                unlike += digits[first + k] ^ digits[first + length - 1 - k]
            difference += length * ((unlike == 0).astype(np.int16) - (unlike == length // 2))
    return difference
