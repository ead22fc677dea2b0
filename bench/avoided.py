"""The parts of rows that a pairing of long rows avoids in Palindromes/Antipalindromes, as `avoided.toml` has them.

    python bench/avoided.py 54

First all rows that keep the rules of all pairs are tried, which takes some minutes of CPU for m = 64. From each row
above the limit those pairs are left out that the opponent may fill last without fear. The others are a part.
"""

import argparse
from typing import Any

import numba
import numpy as np

from quet.games.palindromes import strategy
from quet.games.palindromes.avoiding import MOST_FREE, Pair, Plan

MOST_ROWS = 100_000  # above the limit

Array = Any


@numba.njit(cache=True)
def rows_above(m: int, row: int, flips: Array, sign: int, limit: int) -> Array:
    """The rows that differ from this one in some pairs of squares and are above the limit; at most one too many."""
    found = np.empty(MOST_ROWS + 1, np.uint64)
    num_found = 0
    one = np.uint64(1)
    digits = np.empty(m, np.uint8)
    for square in range(m):
        digits[square] = np.uint64(row) >> np.uint64(square) & one
    number = np.uint64(0)
    while True:
        total = 0
        for centre in range(1, m):
            differ = digits[centre - 1] ^ digits[centre]
            half = 1
            most = min(centre, m - centre)
            while half < most and digits[centre - 1 - half] ^ digits[centre + half] == differ:
                half += 1
            total += half * (half + 1) if differ == 0 else -half * (half + 1)
        if sign * total > limit and num_found <= MOST_ROWS:
            value = np.uint64(0)
            for square in range(m):
                value |= np.uint64(digits[square]) << np.uint64(square)
            found[num_found] = value
            num_found += 1
        number += one
        pair = 0
        while pair < len(flips) and not number >> np.uint64(pair) & one:
            pair += 1
        if pair == len(flips):
            return found[:num_found]
        digits[flips[pair, 0]] ^= 1
        digits[flips[pair, 1]] ^= 1


def parts(m: int) -> list[str]:
    """The parts of the rows of m squares, up to exchanging 0 and 1 where no square is filled first."""
    plan = strategy.plan(m, [])
    row = sum(1 << other for _, other, differ in plan.pairs if differ)
    varied = plan.pairs if m % 2 else plan.pairs[1:]  # else the digits of a pair can be chosen
    flips = np.array([pair[:2] for pair in varied], np.int64)
    rows = rows_above(m, row, flips, 1 if plan.liked == 1 else -1, plan.limit)
    if len(rows) > MOST_ROWS:
        raise SystemExit(f"More than {MOST_ROWS:,} rows are above the limit.")
    return sorted({part(plan, int(row)) for row in rows})


def part(plan: Plan, row: int) -> str:
    """What is left of the row without all pairs that the opponent may fill last; dots alone if it is nothing."""
    kept, others = list(plan.pairs), list[Pair]()
    while bad := [pair for pair in kept if len(others) > MOST_FREE or not plan.avoids(row, pair, others)]:
        kept, others = [pair for pair in kept if pair not in bad], others + bad
    squares = sum(plan.flips[pair] for pair in kept)
    if kept:  # with the square that is filled first
        squares |= sum(1 << square for square in range(plan.m) if all(square not in pair[:2] for pair in plan.pairs))
    return "".join(str(row >> s & 1) if squares >> s & 1 else "." for s in range(plan.m))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("sizes", type=int, nargs="+", choices=range(1, 65), metavar="m", help="1 to 64 squares")
    for size in arguments.parse_args().sizes:
        print(f"{size} = [", *(f'    "{found}",' for found in parts(size)), "]", sep="\n", flush=True)
