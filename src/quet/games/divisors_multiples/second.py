"""Divisors/Multiples: all sets of taken numbers, the cheapest walks by the Floyd-Warshall algorithm, in NumPy.

Bit y - 2 of a set stands for the number y being taken; 1 always is.
"""

import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import inf

import numpy as np

from quet.engine.arrays import Ints

from .rules import State

LARGEST = 26  # 2.5 GB
WORDS = "all sets of taken numbers with walks by the Floyd-Warshall algorithm, in NumPy"
LARGEST_FOR_POSITIONS = 14
FAR = 10_000
TOGETHER = 1024  # sets
MOST_PLAYERS = 4  # whose wishes are compared as one number
FINDS_BOUNDS = False
BASE = 1 << 14  # of that number; no wish is more than half of it


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The value for two: what the mover has yet to pay less what the other player has, when only the 1 is taken."""
    table = _table(int(parameters["r"]), until)
    return None if table is None else int(table[0, 1])


def position_value(s: State) -> int | None:
    """What player 2 pays in all less what player 1 pays, from any position for two; None where r is large."""
    if s.players != 2 or s.r > LARGEST_FOR_POSITIONS:
        return None
    table = _whole_table(s.r)
    taken = sum(1 << y - 2 for y in range(2, s.r + 1) if s.is_taken[y])
    to_pay = min(cost - int(table[taken | 1 << y - 2, y]) for y, cost in _stops(s).items() if cost < FAR)
    return int(s.cost[2] - s.cost[1] + (-to_pay if s.mover == 1 else to_pay))


def _stops(s: State) -> dict[int, int]:
    """What it costs at least to stop on each number that isn't taken, with the steps that are left in the turn."""
    steps = {
        (x, y): max(x, y) // min(x, y) * (1 + s.is_taken[y])
        for x in range(1, s.r + 1)
        for y in range(1, s.r + 1)
        if max(x, y) % min(x, y) == 0
    }
    found = {y: FAR for y in range(1, s.r + 1) if not s.is_taken[y]}
    at = {s.current: 0}
    for _ in range(2 * s.r - s.num_steps):
        after: dict[int, int] = {}
        for (x, y), cost in steps.items():
            if x in at:
                after[y] = min(after.get(y, FAR), at[x] + cost)
        at = after
        for y in found:
            found[y] = min(found[y], at.get(y, FAR))
    return found


@lru_cache(maxsize=2)
def _whole_table(r: int) -> Ints:
    table = _table(r, inf)
    assert table is not None  # there is time
    return table


def _table(r: int, until: float) -> Ints | None:
    """What the mover has yet to pay less what the other player has, by the set and the number that was taken last."""
    table = np.zeros((1 << r - 1, r + 1), np.int16)
    for some in _in_order(r):
        if time.monotonic() >= until:
            return None
        is_taken = _are_taken(r, some)
        walks = _walks(r, is_taken)
        best = np.full((r + 1, len(some)), FAR, np.int16)
        for y in range(2, r + 1):
            after = np.where(is_taken[y], FAR, -table[some | 1 << y - 2, y])
            best = np.minimum(best, walks[:, y] + after)
        table[some] = best.T
    return table


def scores(parameters: Mapping[str, int | str], until: float) -> list[int] | None:
    """What each of at most MOST_PLAYERS pays in all, player 1 first, by max-n.

    Each wants this to be large: the sum of all costs, less the own cost times the number of players. Among moves that
    are equal for the mover, the best for the next player is taken, and so on; among those that are equal for all
    players, the one with the least total cost.
    """
    r, players = int(parameters["r"]), int(parameters["players"])
    table = np.zeros((1 << r - 1, r + 1, players), np.int16)  # what each has yet to pay, the mover first
    for some in _in_order(r):
        if time.monotonic() >= until:
            return None
        is_taken = _are_taken(r, some)
        walks = _walks(r, is_taken)
        best = np.zeros((players, r + 1, len(some)), np.int64)
        liked = np.full((r + 1, len(some)), np.iinfo(np.int64).min)  # how much the mover likes the best
        for y in range(2, r + 1):
            rest = table[some | 1 << y - 2, y].T
            found = np.empty_like(best)
            found[0] = walks[:, y] + rest[players - 1]
            found[1:] = rest[: players - 1, None]
            likes = np.where(is_taken[y], np.iinfo(np.int64).min, _likes(found))
            is_better = likes > liked
            liked[is_better] = likes[is_better]
            best[:, is_better] = found[:, is_better]
        table[some] = best.transpose(2, 1, 0)
    return [int(cost) for cost in table[0, 1]]


def _likes(found: Ints) -> Ints:
    """How much the mover likes these costs, the mover's first: the wishes of all but the last player, then the total.

    The wishes add up to 0, so the others tell the last player's wish.
    """
    total = found.sum(axis=0)
    likes: Ints = np.zeros_like(total)
    for cost in found[:-1]:
        likes = likes * BASE + total - len(found) * cost
    likes = likes * BASE - total
    return likes


def _in_order(r: int) -> Iterator[Ints]:
    """All sets but the full one, larger ones first, in groups of sets with the same size."""
    sets = np.arange(1 << r - 1)
    num_taken = sum(sets >> bit & 1 for bit in range(r - 1))
    for count in range(r - 2, -1, -1):
        alike = np.flatnonzero(num_taken == count)
        for begin in range(0, len(alike), TOGETHER):
            yield alike[begin : begin + TOGETHER]


def _are_taken(r: int, some: Ints) -> list[Ints]:
    """For each number, 1 for the sets in which it is taken; [0] is unused."""
    return [np.ones_like(some)] * 2 + [some >> y - 2 & 1 for y in range(2, r + 1)]


def _walks(r: int, is_taken: list[Ints]) -> Ints:
    """[x, y] is what the cheapest walk from x to y costs, for each of the sets; [0] is unused."""
    walks = np.full((r + 1, r + 1, len(is_taken[1])), FAR, np.int16)
    for x in range(1, r + 1):
        for y in range(1, r + 1):
            if x != y and max(x, y) % min(x, y) == 0:
                walks[x, y] = max(x, y) // min(x, y) * (1 + is_taken[y])
    for between in range(1, r + 1):
        np.minimum(walks, walks[:, between, None] + walks[None, between], out=walks)
    return walks
