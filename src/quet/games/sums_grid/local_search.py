"""Simulated annealing on full grids: this puzzle is not a game of moves, and a tree of single writings would not help.

The aim is always one more than the best score so far. The search minimises how many of the sums up to the aim are
missing. A step takes one square and weighs all numbers that it could hold at once. If it holds x, the runs through it
have the sums x + b, where b is the sum of the run's other squares. So each missing sum and each b vote for one x.

Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", 1983; Liu, "Peskun's theorem and a modified
discrete-state Gibbs sampler", 1996. Compiled by `quet.engine.compiled`.
"""

import math

import numpy as np

from quet.core.grid import images
from quet.engine.arrays import Floats, Ints, Records, Words
from quet.engine.playouts import below

from .rules import BASE, EMPTY, State, score

STEADY = 50  # steps for which the temperature stays the same


def fill(states: Records, rng: Words) -> None:
    """Write distinct random numbers into the empty squares of states[0]."""
    s = states[0]
    limit = s.n**3
    for square in range(s.n * s.n):
        while s.numbers[square] == EMPTY:
            number = 1 + below(rng, limit)
            if not _stands(s, number):
                s.numbers[square] = number
                s.num_filled += 1


def improve(states: Records, rng: Words, num_steps: int, hot: float, cold: float) -> int:
    """Search from the full grid states[0] for `num_steps` steps; the best grid met is left in states[1].

    If states[1] is full, it is the best grid so far. The temperature falls evenly from `hot` to `cold`. Returns the
    score of the best grid.
    """
    s = states[0]
    n = s.n
    limit = n**3
    times = np.zeros(limit + 1, np.int64)  # how many runs have each sum
    votes = np.zeros(2 * limit + 1, np.int64)  # how many missing sums a number brings, from place `limit` on
    missing = np.zeros(limit + 1, np.int64)
    others = np.zeros(n * n, np.int64)  # the sums of the other squares of the runs through a square, each once
    listed = np.zeros(limit + 1, np.int64)  # the step in which each sum was put on that list
    weights = np.zeros(n * n + 2)  # of a number with so many votes; the last is that of a number already in the grid
    if score(s, 1) > score(states[1], 1) or states[1].num_filled < n * n:
        states[1] = s
    best = score(states[1], 1)
    count_runs(s, times)
    for k in range(num_steps):
        if best == limit:
            break
        if k % STEADY == 0:
            temperature = hot + (cold - hot) * k / num_steps
            for i in range(n * n + 1):
                weights[i] = math.exp(i / temperature)
        square = below(rng, n * n)
        before = s.numbers[square]
        num_others = take_out(s, square, k + 1, times, others, listed)
        aim = best + 1
        num_missing = 0
        for total in range(1, aim + 1):  # without a branch that the processor can't predict
            missing[num_missing] = total
            num_missing += times[total] == 0
        votes[:] = 0
        for i in range(num_missing):
            for j in range(num_others):
                votes[limit + missing[i] - others[j]] += 1
        brought = votes[limit + before] if before <= aim else 0
        for other in range(n * n):
            if s.numbers[other] <= aim:
                votes[limit + s.numbers[other]] = n * n + 1
        number = choose(aim, limit, weights[brought], votes, weights, rng)
        if number > 0:
            s.numbers[square] = number
            brought = votes[limit + number]
        put_back(s, square, times)
        if brought == num_missing:
            while best < limit and times[best + 1] > 0:
                best += 1
            states[1] = s
    return int(best)


def choose(aim: int, first: int, weight_now: float, votes: Ints, weights: Floats, rng: Words) -> int:
    """Another number up to the aim for a square, chosen by the weights of their votes; 0 where its own shall stay.

    The votes for x are votes[first + x]. A number is chosen among all others, and accepted with such a chance that in
    the long run each number is taken in proportion to its weight.
    """
    sum_of_others = 0.0
    for x in range(1, aim + 1):
        sum_of_others += weights[votes[first + x]]
    left = below(rng, 1 << 30) * sum_of_others / (1 << 30)
    for x in range(1, aim + 1):
        weight = weights[votes[first + x]]
        left -= weight
        if left < 0:
            is_taken = below(rng, 1 << 30) * (sum_of_others - weight + weight_now) / (1 << 30) < sum_of_others
            return x if is_taken else 0
    return 0


def count_runs(s: State, times: Ints) -> None:
    """Count the sums of all runs, as far as `times` has room for them."""
    n = s.n
    for line in range(2 * n):
        begin = line * n if line < n else line - n
        step = 1 if line < n else n
        for first in range(n):
            total = 0
            for i in range(first, n):
                total += s.numbers[begin + i * step]
                if total < len(times) and (line < n or i > first):
                    times[total] += 1


def take_out(s: State, square: int, mark: int, times: Ints, others: Ints, listed: Ints) -> int:
    """Remove the runs through a square from the counts, and list the sums of their other squares; return how many.

    Sums without a place in `times` are not listed. For each sum that is listed, its place in `listed` becomes `mark`.
    """
    n = s.n
    number = s.numbers[square]
    others[0] = 0
    listed[0] = mark
    count = 1
    if number < len(times):
        times[number] -= 1
    row = square // n
    for direction in range(2):
        step = 1 if direction == 0 else n
        place = square - row * n if direction == 0 else row
        low = 0
        for first in range(place, -1, -1):
            if first < place:
                low += s.numbers[square - (place - first) * step]
            total = low
            for last in range(place, n):
                if last > place:
                    total += s.numbers[square + (last - place) * step]
                if first == last or total >= len(times):
                    continue
                if total + number < len(times):
                    times[total + number] -= 1
                if listed[total] != mark:
                    listed[total] = mark
                    others[count] = total
                    count += 1
    return count


def put_back(s: State, square: int, times: Ints) -> None:
    """Count the runs through a square again."""
    n = s.n
    number = s.numbers[square]
    if number < len(times):
        times[number] += 1
    row = square // n
    for direction in range(2):
        step = 1 if direction == 0 else n
        place = square - row * n if direction == 0 else row
        low = number
        for first in range(place, -1, -1):
            if first < place:
                low += s.numbers[square - (place - first) * step]
            total = low
            for last in range(place, n):
                if last > place:
                    total += s.numbers[square + (last - place) * step]
                if first != last and total < len(times):
                    times[total] += 1


def _stands(s: State, number: int) -> bool:
    for square in range(s.n * s.n):
        if s.numbers[square] == number:
            return True
    return False


def moves_to(s: State, target: State) -> list[int]:
    """The moves that turn the position into the full grid `target`, and then say that it is done.

    Turned and mirrored the grid scores the same, so it is the image that takes the fewest moves.
    """
    return min((_moves_to(s, numbers) for numbers in _images(target)), key=len)


def _moves_to(s: State, numbers: list[int]) -> list[int]:
    differing = [square for square in range(s.n * s.n) if s.numbers[square] != numbers[square]]
    in_the_way = {numbers[square] for square in differing}
    erase = [square * BASE for square in differing if s.numbers[square] in in_the_way]
    write = [square * BASE + numbers[square] for square in differing]
    return [*erase, *write, s.n * s.n * BASE]


def is_on_the_way(s: State, target: State) -> bool:
    """Whether every number that stands in s stands in the same square of one image of the target."""
    squares = range(s.n * s.n)
    return any(all(s.numbers[square] in (EMPTY, numbers[square]) for square in squares) for numbers in _images(target))


def _images(s: State) -> list[list[int]]:
    """The numbers of the grid, turned and mirrored in all eight ways; the first are its own."""
    turned = zip(*(images(square, s.n) for square in range(s.n * s.n)), strict=True)
    return [[s.numbers[square] for square in image] for image in turned]
