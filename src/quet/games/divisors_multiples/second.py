"""Divisors/Multiples: all sets of taken numbers, the cheapest walks by the Floyd-Warshall algorithm, in NumPy.

Bit y - 2 of a set stands for the number y being taken; 1 always is.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from math import inf

import numpy as np

from quet.engine.arrays import Ints

from .rules import State

LARGEST = 30  # 12 GB
WORDS = "all sets of taken numbers with walks by the Floyd-Warshall algorithm, in NumPy"
LARGEST_FOR_POSITIONS = 14
FAR = 10_000
TOGETHER = 1024  # sets
MOST_PLAYERS = 4  # whose wishes are compared as one number
FINDS_BOUNDS = False
BASE = 1 << 14  # of that number; no wish is more than half of it

_Best = Callable[[list[Ints], list[Ints], Ints], Ints]


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The value for two: what the mover has yet to pay less what the other player has, when only the 1 is taken."""
    difference = _start(int(parameters["r"]), (), _difference, until)
    return None if difference is None else int(difference)


def position_value(s: State) -> int | None:
    """What player 2 pays in all less what player 1 pays, from any position for two; None where r is large."""
    if s.players != 2 or s.r > LARGEST_FOR_POSITIONS:
        return None
    table = _whole_table(s.r)
    taken = sum(1 << y - 2 for y in range(2, s.r + 1) if s.is_taken[y])
    to_pay = min(cost - int(table[y, taken | 1 << y - 2]) for y, cost in _stops(s).items() if cost < FAR)
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
    """The differences by the number that was taken last and the set."""
    table = np.zeros((r + 1, 1 << r - 1), np.int16)
    for sets, found in _layers(r, (), _difference, inf):
        table[:, sets] = found
    return table


def _difference(after: list[Ints], is_taken: list[Ints], walks: Ints) -> Ints:
    """What the mover has yet to pay less what the other player has, by the number taken last and the set."""
    best: Ints = np.full_like(walks[0], FAR)
    for y in range(2, len(walks)):
        best = np.minimum(best, walks[:, y] + np.where(is_taken[y], FAR, -after[y]))
    return best


def scores(parameters: Mapping[str, int | str], until: float) -> list[int] | None:
    """What each of at most MOST_PLAYERS pays in all, player 1 first, by max-n.

    Each wants this to be large: the sum of all costs, less the own cost times the number of players. Among moves that
    are equal for the mover, the best for the next player is taken, and so on; among those that are equal for all
    players, the one with the least total cost.
    """
    costs = _start(int(parameters["r"]), (int(parameters["players"]),), _costs, until)
    return None if costs is None else [int(cost) for cost in costs]


def _costs(after: list[Ints], is_taken: list[Ints], walks: Ints) -> Ints:
    """What each has yet to pay, the mover first, by the number taken last and the set."""
    players = len(after[0])
    best = np.zeros((players, *walks[0].shape), np.int64)
    liked = np.full(walks[0].shape, np.iinfo(np.int64).min)  # how much the mover likes the best
    for y in range(2, len(walks)):
        found = np.empty_like(best)
        found[0] = walks[:, y] + after[y][players - 1]
        found[1:] = after[y][: players - 1, None]
        likes = np.where(is_taken[y], np.iinfo(np.int64).min, _likes(found))
        is_better = likes > liked
        liked[is_better] = likes[is_better]
        best[:, is_better] = found[:, is_better]
    return best


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


def _start(r: int, shape: tuple[int, ...], best: _Best, until: float) -> Ints | None:
    """What is found for the start; None when the time is over."""
    try:
        ((_, found),) = deque(_layers(r, shape, best, until), maxlen=1)
    except TimeoutError:
        return None
    start: Ints = found[..., 1, 0]
    return start


def _layers(r: int, shape: tuple[int, ...], best: _Best, until: float) -> Iterator[tuple[Ints, Ints]]:
    """The sets of each size, but for the full one, larger ones first, and an array of what is found for them.

    Its dimensions are `shape`, the number taken last, and the set. `best` finds it for some sets, given what is found
    for the sets with y more, for each y; only one layer after another is kept. Raises TimeoutError.
    """
    sizes = np.bitwise_count(np.arange(1 << r - 1, dtype=np.uint32))
    places = np.zeros(1 << r - 1, np.int32)  # of each set in its layer
    after = np.zeros((*shape, r + 1, 1), np.int16)
    for size in range(r - 2, -1, -1):
        sets = np.flatnonzero(sizes == size).astype(np.int32)
        now = np.empty((*shape, r + 1, len(sets)), np.int16)
        for begin in range(0, len(sets), TOGETHER):
            if time.monotonic() >= until:
                raise TimeoutError
            some = sets[begin : begin + TOGETHER]
            is_taken = _are_taken(r, some)
            with_one_more = [after[..., y, places[some | (1 << y >> 2)]] for y in range(r + 1)]
            now[..., begin : begin + TOGETHER] = best(with_one_more, is_taken, _walks(r, is_taken))
        places[sets] = np.arange(len(sets))
        yield sets, now
        after = now


def _are_taken(r: int, some: Ints) -> list[Ints]:
    """For each number, 1 for the sets in which it is taken; [0] is unused."""
    return [np.ones_like(some)] * 2 + [some >> y - 2 & 1 for y in range(2, r + 1)]


def _walks(r: int, is_taken: list[Ints]) -> Ints:
    """[x, y] is what the cheapest walk from x to y costs, for each of the sets; [0] is unused.

    No such walk passes through a number that has no neighbour but 1, so the algorithm leaves these out.
    """
    ends = [x for x in range(r // 2 + 1, r + 1) if all(x % y for y in range(2, x))]
    others = [x for x in range(1, r + 1) if x not in ends]
    walks = np.full((len(others), len(others), len(is_taken[1])), FAR, np.int16)
    for i, x in enumerate(others):
        for j, y in enumerate(others):
            if x != y and max(x, y) % min(x, y) == 0:
                walks[i, j] = max(x, y) // min(x, y) * (1 + is_taken[y])
    for between in range(len(others)):
        np.minimum(walks, walks[:, between, None] + walks[None, between], out=walks)
    found = np.full((r + 1, r + 1, len(is_taken[1])), FAR, np.int16)
    for i, x in enumerate(others):
        found[x, others] = walks[i]
    found[1, 1] = 0
    for end in ends:
        found[end, others] = found[1, others] + 2 * end
    for end in ends:
        found[1:, end] = found[1:, 1] + end * (1 + is_taken[end])
    return found
