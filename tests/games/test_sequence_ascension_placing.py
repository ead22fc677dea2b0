"""The steps of the annealing of placings: what they may change, and how many of them the rules allow."""

import itertools
import random

import numpy as np
import pytest

from quet.engine.arrays import Ints
from quet.engine.compiled import plain
from quet.games.sequence_ascension import placing
from quet.games.sequence_ascension.longest_path import longest_path

STEPS = 3_000


def snake(n: int) -> list[int]:
    return [row * n + (column if row % 2 == 0 else n - 1 - column) for row in range(n) for column in range(n)]


def changes(n: int, num_fixed: int, count: int) -> list[Ints]:
    """The placings that random steps lead to, one after the other, from a placing row by row."""
    now = np.array(snake(n)[:count])
    around, *_ = placing.rooms(n, np.zeros(n * n, np.int64), now)
    changed, where, rng = now.copy(), np.zeros(n * n, np.int64), np.array([1], np.uint64)
    found = []
    with np.errstate(over="ignore"):
        for _ in range(STEPS):
            where[now] = np.arange(count)
            if plain(placing).change(around, now, changed, where, rng, num_fixed):
                now = changed.copy()
                found.append(now)
    return found


@pytest.mark.parametrize(("n", "num_fixed", "count"), [(3, 0, 9), (4, 5, 16), (5, 0, 17), (5, 20, 25), (2, 3, 4)])
def test_every_step_leads_to_a_placing_of_the_same_squares_in_which_terms_touch(
    n: int, num_fixed: int, count: int
) -> None:
    begun = snake(n)[:count]
    for found in changes(n, num_fixed, count):
        squares = found.tolist()
        assert squares[:num_fixed] == begun[:num_fixed] and sorted(squares) == sorted(begun)
        for one, other in itertools.pairwise(squares):
            assert one != other and max(abs(one // n - other // n), abs(one % n - other % n)) == 1


def test_the_rules_allow_one_step_in_sixteen_on_a_large_grid() -> None:
    assert len(changes(8, 0, 64)) > STEPS / 16


@pytest.mark.parametrize(("n", "num_ranks", "seed"), [(2, 1, 1), (3, 2, 2), (3, 5, 3), (4, 4, 4), (4, 6, 5), (5, 8, 6)])
def test_the_length_of_the_longest_path_is_that_of_the_path_itself(n: int, num_ranks: int, seed: int) -> None:
    ranks = np.array(random.Random(seed).choices(range(num_ranks), k=n * n))
    squares = np.array(snake(n))
    around, level, order, room = placing.rooms(n, ranks, squares)
    found = plain(placing).path_length(around, level, ranks, order, squares, room, 100_000)
    numbers: list[int | None] = [None] * (n * n)
    for term, square in enumerate(squares.tolist()):
        numbers[square] = int(ranks[term])
    path = longest_path(n, tuple(numbers), 100_000)
    assert path.is_longest and found == len(path.squares)
