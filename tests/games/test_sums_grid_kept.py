"""What a number is worth in Sums Grid while the others stay, beside all ways to fill the grid one by one."""

import itertools
import random

import pytest

import quet
from quet.games.sums_grid import kept, rules
from quet.games.sums_grid.ways import score
from quet.study.look import look


def one_by_one(s: rules.State) -> dict[int, int]:
    size = s.n * s.n
    free = [square for square in range(size) if not s.numbers[square]]
    left = [number for number in range(1, s.n**3 + 1) if number not in s.numbers[:size]]
    best: dict[int, int] = {}
    for numbers in itertools.permutations(left, len(free)):
        grid = list(s.numbers[:size])
        for square, number in zip(free, numbers, strict=True):
            grid[square] = number
        for square, number in zip(free, numbers, strict=True):
            move = square * rules.BASE + number
            best[move] = max(best.get(move, 0), score(s.n, grid))
    return best


@pytest.mark.parametrize(("n", "num_free", "seed"), [(2, 4, 0), (2, 3, 1), (2, 1, 2), (3, 2, 3), (3, 2, 4), (4, 2, 5)])
def test_values_are_those_of_all_ways_to_fill_the_grid(n: int, num_free: int, seed: int) -> None:
    rng = random.Random(seed)
    game = quet.new("sums-grid", n=n)
    squares = rng.sample(range(n * n), n * n - num_free)
    numbers = rng.sample(range(1, n**3 + 3), len(squares))  # some too large to help
    for square, number in zip(squares, numbers, strict=True):
        game.push(square * rules.BASE + number)
    found = kept.worths(game.state, None)
    assert found == (one_by_one(game.state), kept.STAYS)


def test_where_ways_are_too_many_no_number_loses_anything_by_the_rules() -> None:
    game = quet.new("sums-grid", n=3)
    assert kept.worths(game.state, None) is None
    found = kept.worths(game.state, 26)
    assert found and found[1] == kept.CHANGES
    assert set(found[0].values()) == {26} and sorted(found[0]) == game.legal_numbers()


def test_in_a_full_grid_to_finish_is_worth_its_score() -> None:
    game = quet.new("sums-grid", n=2)
    for move in "a1=1 b1=2 a2=3 b2=5".split():
        game.play(move)
    found = kept.worths(game.state, 8)
    assert found and found[0][game.read("done")] == 5 and found[0][game.read("b2=8")] == 8


def test_a_look_shows_the_best_number_that_keeps_what_stands() -> None:
    game = quet.position("sums-grid", "6 . / 1 .")
    found = look(game, seconds=0.5)
    assert found.supposed == kept.STAYS
    assert found.values["b1=3"].amount == 8 and found.values["b1=3"].is_exact
    assert found.values["b1=5"].amount < 8
    assert found.values[found.move].amount == 8
