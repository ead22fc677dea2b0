"""A long walk over the empty squares of a grid, from touching square to touching square: where terms can be placed.

A walk goes where it keeps the most squares in reach, and of those where the fewest ways lead on, by Warnsdorff's rule
for the knight's tour (1823). Rotations make it longer, as in Pósa, "Hamiltonian circuits in random graphs", 1976. What
they don't make longer for a while may be in a pocket that no rotation leaves. So another walk begins then, elsewhere.
"""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache

ROTATIONS = 20  # tried for each square of the grid, in all
PATIENCE = 1  # for each square of the grid: rotations that don't make a walk longer, after which another one begins


def longest_walk(n: int, begun: Sequence[int], chance: random.Random, is_over: Callable[[], bool]) -> list[int]:
    """The squares begun with, and the longest walk found that goes on from the last one, or that begins anywhere."""
    near = _near(n)
    free = (1 << n * n) - 1 - sum(1 << square for square in begun)
    most = len(begun) + _num_reached(n, near[begun[-1]], free) if begun else n * n
    best, left, beginnings = list(begun), ROTATIONS * n * n, list[int]()
    walk = list(begun) or [chance.randrange(n * n)]
    while left > 0 and len(best) < most and not (len(best) > len(begun) and is_over()):
        empty, waited, longest = free & ~(1 << walk[-1]), 0, 0
        while left > 0 and len(best) < most and waited < PATIENCE * n * n and not (longest and is_over()):
            empty = _go_on(n, walk, empty, chance)
            left, waited = left - 1, waited + 1
            if len(walk) > longest:
                longest, waited = len(walk), 0
            if len(walk) > len(best):
                best = list(walk)
            at = walk.index(chance.choice(_squares(near[walk[-1]]))) + 1
            if max(len(begun), 1) <= at < len(walk) - 1:
                walk[at:] = walk[: at - 1 if at else None : -1]
        if not beginnings:
            beginnings = _squares(near[begun[-1]] & free if begun else free)
            chance.shuffle(beginnings)
        walk = [*begun, beginnings.pop()]
    return best


def _go_on(n: int, walk: list[int], empty: int, chance: random.Random) -> int:
    """Make the walk longer until it touches no empty square, and return the squares that are empty then."""
    near = _near(n)
    while ways := _squares(near[walk[-1]] & empty):
        square = ways[0]
        if len(ways) > 1:
            ways = [way for way in ways if near[way] & empty] or ways
            reached = {way: _num_reached(n, near[way], empty & ~(1 << way)) for way in ways}
            square = min(ways, key=lambda way: (-reached[way], (near[way] & empty).bit_count(), chance.random()))
        walk.append(square)
        empty ^= 1 << square
    return empty


def _num_reached(n: int, begun: int, empty: int) -> int:
    """The number of empty squares that are among those begun with, or lead there over empty ones."""
    left_out, right_out = _sides(n)
    reached, now = 0, begun & empty
    while now != reached:
        reached = now
        row = now | (now & right_out) << 1 | (now & left_out) >> 1
        now = (row | row << n | row >> n) & empty
    return reached.bit_count()


@lru_cache(maxsize=4)
def _near(n: int) -> list[int]:
    """For each square the squares that touch it, as a set of bits."""
    return [
        sum(
            1 << r * n + c
            for r in range(max(row - 1, 0), min(row + 2, n))
            for c in range(max(column - 1, 0), min(column + 2, n))
            if (r, c) != (row, column)
        )
        for row in range(n)
        for column in range(n)
    ]


@lru_cache(maxsize=4)
def _sides(n: int) -> tuple[int, int]:
    """All squares but those of the first column, and all but those of the last."""
    first = sum(1 << n * row for row in range(n))
    every = (1 << n * n) - 1
    return every ^ first, every ^ first << n - 1


def _squares(bits: int) -> list[int]:
    squares = []
    while bits:
        squares.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return squares
