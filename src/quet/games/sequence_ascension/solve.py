"""The lowest score of a grid, and of a small grid the highest too, by trying all placings.

In a placing, a path is tried only where it can still beat the best so far: it can't get longer than its squares plus
all squares left whose number is at least the one it has come to. Functions are compiled by `quet.engine.compiled`.
"""

import functools
import sys

import numpy as np

from quet.distribution.task import Answer, Task
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled

from . import highest
from .placing import touching
from .rules import State

ALLOCATES = False

METHOD = "all placings tried, and in each the paths that could beat the best"


def path(n: int, ranks: Ints, at_least: Ints, first: int, best: int, is_lowest: int, room: Ints, counts: Ints) -> int:
    """The length of a path from `first` that beats `best`, or 0; its squares are left in room[1].

    ranks[square] is -1 where empty. The search wants a longer path than `best` or, for the lowest score, a shorter one
    that can't be continued; it goes on until there is no better one. room[0] must be 0 everywhere, before and after.
    room[2] is the path, room[3] how many of its squares have the same rank as the last, room[4] how many ways on are
    left, and the rows from room[5] on are the ways. counts[0] counts the squares tried.
    """
    visited, found, squares, same, left = room[0], room[1], room[2], room[3], room[4]
    squares[0] = first
    visited[first] = 1
    same[0] = 1
    left[0] = -1
    length = 1
    longest = 0
    while length > 0:
        last = length - 1
        square = squares[last]
        if left[last] < 0:
            counts[0] += 1
            ways = room[5 + last]
            left[last] = 0
            for i in range(touching(n, square, room[5 + n * n])):
                other = room[5 + n * n, i]
                if not visited[other] and ranks[other] >= ranks[square]:
                    ways[left[last]] = other
                    left[last] += 1
            if left[last] == 0 and length < best if is_lowest else length > best:
                best = length
                longest = length
                for i in range(length):
                    found[i] = squares[i]
            if length >= best if is_lowest else length + at_least[ranks[square]] - same[last] <= best:
                left[last] = 0
        if left[last] == 0:
            visited[square] = 0
            length -= 1
            continue
        left[last] -= 1
        after = room[5 + last, left[last]]
        same[length] = same[last] + 1 if ranks[after] == ranks[square] else 1
        squares[length] = after
        visited[after] = 1
        left[length] = -1
        length += 1
    return longest


def placings(
    n: int,
    terms: Ints,
    first: int,
    best: int,
    is_lowest: int,
    room: Ints,
    inner: Ints,
    game: Ints,
    counts: Ints,
    stop: Ints,
) -> int:
    """The best score of the games that begin at `first`, if it beats `best`, else 0; the game is left in game.

    terms[k] is the rank of term k. room[0] is the rank in each square, room[1] the placing, room[2] how many ways on
    are left, room[3] how many squares have at least each rank, and the rows from room[4] on are the ways; `inner` is
    room for `path`. counts[0] counts the squares tried. The search ends when stop[0] becomes 1, or nothing can be
    better.
    """
    ranks, squares, left, at_least = room[0], room[1], room[2], room[3]
    for square in range(n * n):
        ranks[square] = -1
    squares[0] = first
    ranks[first] = terms[0]
    left[0] = -1
    length = 1
    found = 0
    while length > 0:
        last = length - 1
        square = squares[last]
        if stop[0] or best == (1 if is_lowest else n * n):
            return found
        if left[last] < 0:
            counts[0] += 1
            left[last] = 0
            for i in range(touching(n, square, room[4 + n * n])):
                other = room[4 + n * n, i]
                if ranks[other] < 0:
                    room[4 + last, left[last]] = other
                    left[last] += 1
            if left[last] == 0 and (is_lowest or length > best):
                for rank in range(n * n + 1):
                    at_least[rank] = 0
                for i in range(length):
                    at_least[terms[i]] += 1
                for rank in range(n * n - 1, -1, -1):
                    at_least[rank] += at_least[rank + 1]
                for start in range(n * n):
                    if ranks[start] >= 0:
                        better = path(n, ranks, at_least, start, best, is_lowest, inner, counts)
                        if better > 0:
                            best = better
                            found = better
                            game[0] = length
                            for i in range(length):
                                game[1 + i] = squares[i]
                            for i in range(better):
                                game[1 + length + i] = inner[1, i]
        if left[last] == 0:
            ranks[square] = -1
            length -= 1
            continue
        left[last] -= 1
        after = room[4 + last, left[last]]
        squares[length] = after
        ranks[after] = terms[length]
        left[length] = -1
        length += 1
    return found


def solve(state: State, task: Task) -> Answer:
    """The highest or the lowest score; it is proven where there was time for it, or where no score could be better."""
    return settled(state, task) if task.is_lowest else highest.solve(state, task)


def settled(state: State, task: Task) -> Answer:
    """The highest or the lowest score by trying all placings."""
    n = state.n
    terms = np.array(state.ranks[: n * n])
    room = np.zeros((4 + n * n + 1, max(n * n + 1, 16)), np.int64)
    inner = np.zeros((5 + n * n + 1, max(n * n, 16)), np.int64)
    game = np.zeros(1 + 2 * n * n, np.int64)
    counts, stop = np.zeros((2, 1), np.int64)
    limit = 1 if task.is_lowest else n * n  # no score is better
    best = n * n + 1 if task.is_lowest else 0
    witness: list[int] = []
    nodes = 0
    starts = [row * n + column for row in range((n + 1) // 2) for column in range(row, (n + 1) // 2)]
    for number, first in enumerate(starts):
        task.report(number, len(starts), f"squares for the first term, best {best}")
        name = f"from {first}"
        if best == limit:
            break
        if name not in task.notes and task.is_over:
            return _open(task, n, best, witness, nodes)
        if name not in task.notes:
            module = compiled(sys.modules[__name__])
            counts[0] = 0
            call = functools.partial(
                module.placings, n, terms, first, best, int(task.is_lowest), room, inner, game, counts, stop
            )
            found = int(task.run(stop, call))
            length = int(game[0])
            part = [found, game[1 : 1 + length + found].tolist(), int(counts[0])]
            if stop[0]:
                best, witness = (found, part[1]) if found else (best, witness)
                return _open(task, n, best, witness, nodes)
            task.note(name, part)
        found, moves, more = task.notes[name]
        nodes += more
        if found:
            best, witness = found, moves
    return Answer(best, best, witness, witness[:1], nodes, METHOD, value=best, is_at_bound=best == limit)


def _open(task: Task, n: int, best: int, witness: list[int], nodes: int) -> Answer:
    """What is known before all placings are tried."""
    low, high = (1, min(best, n * n)) if task.is_lowest else (max(best, 1), n * n)
    value = best if witness else None
    return Answer(low, high, witness, witness[:1], nodes, METHOD, value=value, is_at_bound=True)
