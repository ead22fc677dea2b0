"""Playouts: whole games of random moves, and the random numbers of every search. Compiled by `compiled.py`."""

import numpy as np

from ..core.rules import AnySearchRules, AnyState
from .arrays import Ints, Records, Words, unbound

ALLOCATES = False

rules: AnySearchRules = unbound  # bound by compiled()

WORD = 32  # moves in each number of a set of moves

_MULTIPLIER = np.uint64(2685821657736338717)
_A, _B, _C = np.uint64(12), np.uint64(25), np.uint64(27)
_HIGH, _LOW = np.uint64(33), np.uint64(31)


def below(rng: Words, k: int) -> int:
    """A random integer from 0 to k - 1, k < 2**31. `rng` is an array of one uint64 that isn't 0.

    xorshift64* (Vigna, 2016), and a multiplication in place of a remainder (Lemire, 2019).
    """
    x = rng[0]
    x ^= x >> _A
    x ^= x << _B
    x ^= x >> _C
    rng[0] = x
    return int((((x * _MULTIPLIER) >> _HIGH) * np.uint64(k)) >> _LOW)


def num_bits(x: int) -> int:
    """How many bits of x are set, 0 <= x < 2**62."""
    x -= x >> 1 & 0x1555555555555555
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = x + (x >> 4) & 0x0F0F0F0F0F0F0F0F
    x += x >> 8
    x += x >> 16
    x += x >> 32
    return x & 127


def random_bits(rng: Words) -> int:
    """A random integer from 0 to 2**62 - 1; `rng` as in `below`."""
    return below(rng, 1 << 31) << 31 | below(rng, 1 << 31)


def random_part(rng: Words, whole: int, size: int) -> int:
    """A random set of `size` numbers out of the set `whole`, both as bits, 0 <= whole < 2**62; `rng` as in `below`."""
    # Each number with a chance of one half, and then as many taken or given back as there are too few or too many.
    part = random_bits(rng) & whole
    found = num_bits(part)
    while found != size:
        others = whole & ~part if found < size else part
        for _ in range(below(rng, num_bits(others))):
            others &= others - 1
        part ^= others & -others
        found += 1 if found < size else -1
    return part


def playout(s: AnyState, moves: list[int], rng: Words, longest: int) -> int:
    """Play random moves in s until the game is over or `longest` have been played; return how many were."""
    ply = 0
    while ply < longest and not rules.is_over(s):
        count = rules.legal_moves(s, moves)
        rules.play(s, moves[below(rng, count)])
        ply += 1
    return ply


def playouts(root: Records, work: Records, moves: list[int], rng: Words, count: int, longest: int, totals: Ints) -> int:
    """Play `count` playouts from root[0] and add the players' final scores to totals[1..N]; return the moves played.

    `root` and `work` are arrays of one record, `moves` an integer buffer of `most_moves`.
    """
    played = 0
    for _ in range(count):
        work[0] = root[0]
        s = work[0]
        played += playout(s, moves, rng, longest)
        for player in range(1, rules.num_players(s) + 1):
            totals[player] += rules.score(s, player)
    return played


def final_scores(root: Records, work: Records, moves: list[int], rng: Words, longest: int, scores: Ints) -> int:
    """Play a playout from root[0] for each row of `scores`, and write the players' final scores into it.

    Returns how many came to their end; it stops at the first that doesn't within `longest` moves. `root`, `work` and
    `moves` are as in `playouts`.
    """
    for i in range(len(scores)):
        work[0] = root[0]
        s = work[0]
        playout(s, moves, rng, longest)
        if not rules.is_over(s):
            return i
        for player in range(1, rules.num_players(s) + 1):
            scores[i, player - 1] = rules.score(s, player)
    return len(scores)
