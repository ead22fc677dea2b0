"""Search for a placing with a long path: simulated annealing over placings of the same squares, mostly the whole grid.

A step reverses a stretch of the placing, exchanges two squares of it, or moves one to another place in it. The longest
path after the step decides whether it is kept. That path is found level by level, from the largest number down. Inside
a level it is a simple path over connected squares of equal numbers, found by a depth-first search of limited work.
Compiled by `quet.engine.compiled`.

Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", 1983.
"""

import math

import numpy as np

from quet.engine.arrays import Ints, Words
from quet.engine.playouts import below

ALLOCATES = False  # all arrays are made in plain Python: that compiles in a third of the time

WORK = 2000  # squares tried for the longest path from one square inside its level, by `quet solve`
QUICK = 30  # the same in little time: the shorter looks find better placings than fewer long ones
TURN, EXCHANGE, MOVE = 0, 1, 2


def touching(n: int, square: int, out: Ints) -> int:
    """Write the squares that touch this one to `out`, in ascending order; return how many."""
    row = square // n
    column = square - row * n
    count = 0
    for r in range(max(row - 1, 0), min(row + 2, n)):
        for c in range(max(column - 1, 0), min(column + 2, n)):
            if r != row or c != column:
                out[count] = r * n + c
                count += 1
    return count


def rooms(n: int, ranks: Ints, squares: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """What `improve` needs and doesn't make itself: `around`, `level`, `order` and `room`, for terms on these squares.

    `level` is room for the squares of equal numbers that touch each square.
    """
    size, inside = n * n, set(squares.tolist())
    around = np.full((size, 9), -1, np.int64)
    out = np.zeros(8, np.int64)
    for square in range(size):
        found = [other for other in out[: touching(n, square, out)].tolist() if other in inside]
        around[square, : len(found)] = found
    order = np.argsort(-ranks[: len(squares)], kind="stable")
    return around, np.full_like(around, -1), order, np.zeros((11, size + 1), np.int64)


def improve(
    around: Ints,
    level: Ints,
    order: Ints,
    room: Ints,
    ranks: Ints,
    rng: Words,
    num_steps: int,
    hot: float,
    cold: float,
    best: Ints,
    stop: Ints,
    num_fixed: int,
    work: int,
) -> int:
    """The length of the longest path met, over the placing left in `best`.

    It ends early when stop[0] becomes 1, and adds the steps made to stop[1]. ranks[k] is the rank of term k, and
    best[k] its square. `best` is also the placing to begin with; its first `num_fixed` squares stay. The temperature
    falls from `hot` to `cold`. around[square] has the squares that touch it, and -1; `order` is the terms, larger ones
    first. `work` is as for `inside`.
    """
    size = len(best)
    placing = room[8, :size]
    changed = room[9, :size]
    where = room[10]
    take_over(placing, best)
    for k in range(size):
        where[placing[k]] = k
    longest = length = path_length(around, level, ranks, order, placing, room, work)
    for step in range(num_steps):
        if stop[0] or longest == size:
            break
        stop[1] += 1
        if not change(around, placing, changed, where, rng, num_fixed):
            continue
        new = path_length(around, level, ranks, order, changed, room, work)
        heat = hot * (cold / hot) ** (step / num_steps)
        if new >= length or below(rng, 1 << 30) < math.exp((new - length) / heat) * (1 << 30):
            take_over(placing, changed)
            for k in range(size):
                where[placing[k]] = k
            length = new
            if length > longest:
                longest = length
                take_over(best, placing)
    return longest


def take_over(placing: Ints, other: Ints) -> None:
    """Make the placing the same as the other."""
    for k in range(len(placing)):
        placing[k] = other[k]


def change(around: Ints, placing: Ints, changed: Ints, where: Ints, rng: Words, num_fixed: int) -> bool:
    """Write this placing with a random change to `changed`; False where the rules forbid the result.

    where[square] is the place of a square in the placing. One square of the change is drawn, and the other from those
    that touch the first or the one before it, since hardly any others are allowed.
    """
    size = len(placing)
    kind = below(rng, 3)
    i = num_fixed + int(np.int64(below(rng, size - num_fixed)))  # signed, as i - 1 must be
    near = placing[i] if kind == MOVE or i == 0 else placing[i - 1]
    other = around[near, below(rng, 8)]
    if other == -1:
        return False
    j = int(where[other])
    if kind == MOVE and below(rng, 2) == 1:
        j += 1 if j < i else -1
    if kind == TURN and i == 0:
        j = int(np.int64(below(rng, size)))
    if i == j or j < num_fixed or j >= size:
        return False
    low, high = min(i, j), max(i, j)
    if kind == TURN:
        if not joins(around, placing, low - 1, high) or not joins(around, placing, low, high + 1):
            return False
    elif kind == MOVE:
        after = j if i > j else j + 1  # the term that the moved one then stands before
        if (
            not joins(around, placing, i - 1, i + 1)
            or not joins(around, placing, after - 1, i)
            or not joins(around, placing, i, after)
        ):
            return False
    elif (
        not (low + 1 == high or (joins(around, placing, low, high - 1) and joins(around, placing, low + 1, high)))
        or not joins(around, placing, low - 1, high)
        or not joins(around, placing, low, high + 1)
    ):
        return False
    take_over(changed, placing)
    if kind == MOVE:
        square = placing[i]
        for k in range(i, j, 1 if i < j else -1):
            changed[k] = placing[k + 1 if i < j else k - 1]
        changed[j] = square
    elif kind == EXCHANGE:
        changed[i], changed[j] = placing[j], placing[i]
    else:
        for k in range(low, high + 1):
            changed[k] = placing[low + high - k]
    return True


def joins(around: Ints, placing: Ints, k: int, other: int) -> bool:
    """Whether the squares of two terms touch each other, or one of the terms isn't placed."""
    return k < 0 or other < 0 or k >= len(placing) or other >= len(placing) or touch(around, placing[k], placing[other])


def touch(around: Ints, square: int, other: int) -> bool:
    """Whether the squares touch each other."""
    for i in range(8):
        if around[square, i] == other:
            return True
        if around[square, i] == -1:
            return False
    return False


def path_length(around: Ints, level: Ints, ranks: Ints, order: Ints, placing: Ints, room: Ints, work: int) -> int:
    """The length of the longest path, or of the longest found; `order` is the terms, larger ones first."""
    size = len(placing)
    rank, from_here, exits, component, is_met = room[0], room[1], room[2], room[3], room[4]
    for k in range(size):
        rank[placing[k]] = ranks[k]
        is_met[placing[k]] = 0
    longest = 0
    for k in order:
        if is_met[placing[k]]:
            continue
        here = ranks[k]
        component[0] = placing[k]
        is_met[placing[k]] = 1
        count = 1
        most = 0
        number = 0
        while number < count:
            square = component[number]
            number += 1
            exits[square] = 0
            num_equal = 0
            for other in around[square]:
                if other == -1:
                    break
                if rank[other] > here:
                    exits[square] = max(exits[square], from_here[other])
                elif rank[other] == here:
                    level[square, num_equal] = other
                    num_equal += 1
                    if not is_met[other]:
                        is_met[other] = 1
                        component[count] = other
                        count += 1
            level[square, num_equal] = -1
            most = max(most, exits[square])
        for number in range(count):
            square = component[number]
            from_here[square] = inside(level, exits, square, count + most, room, work)
            longest = max(longest, from_here[square])
    return longest


def inside(level: Ints, exits: Ints, first: int, bound: int, room: Ints, work: int) -> int:
    """The length of the longest path from a square over its level and then out of it, which is at most `bound`.

    level[square] has the squares of the level that touch it, and -1. `work` is how many squares are tried, at most.
    """
    squares, tried, is_used = room[5], room[6], room[7]
    longest = 1 + exits[first]
    if level[first, 0] == -1 or longest == bound:
        return int(longest)
    squares[0] = first
    tried[0] = 0
    is_used[first] = 1
    length = 1
    while length > 0:
        square = squares[length - 1]
        other = level[square, tried[length - 1]]
        if other == -1 or longest == bound or work == 0:
            is_used[square] = 0
            length -= 1
            continue
        tried[length - 1] += 1
        if not is_used[other]:
            work -= 1
            squares[length] = other
            tried[length] = 0
            is_used[other] = 1
            length += 1
            longest = max(longest, length + exits[other])
    return int(longest)
