"""Grids whose runs have given sums, as the second way looks for them: it finds those that there are, and no other."""

import itertools
import math
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from quet.games.sums_grid import second_domains as sums_domains
from quet.results import confirm
from quet.results.folder import Folder
from quet.results.row import Row
from quet.results.second import second_way

TABLE = Folder(Path(__file__).parents[2] / "results")


def sums_of(n: int, grid: list[int]) -> list[int]:
    """The sums of all runs, ascending."""
    rows = [grid[row * n : row * n + n] for row in range(n)]
    lines = rows + [list(column) for column in zip(*rows, strict=True)]
    longer = [sum(line[a:b]) for line in lines for a, b in itertools.combinations(range(n + 1), 2) if b > a + 1]
    return sorted(grid + longer)


def found(n: int, sums: list[int]) -> list[int]:
    """The first grid that is found from any beginning, or nothing."""
    grids = (sums_domains.grid_from(n, sums, board, None) for board in sums_domains.beginnings(n, sums))
    return next((grid for grid in grids if grid), [])


@pytest.mark.long
def test_a_grid_is_found_from_its_sums() -> None:
    """Any sums will do if they are all different and at most 63 apart."""
    chance = random.Random(3)
    num_grids = {2: 0, 3: 0}
    while min(num_grids.values()) < 20:
        n = 2 if num_grids[2] < 20 else 3
        grid = chance.sample(range(1, 25), n * n)
        sums = sums_of(n, grid)
        if len(set(sums)) == n**3 and sums[-1] - sums[0] <= 63:
            num_grids[n] += 1
            assert sums_of(n, found(n, sums)) == sums, grid


@pytest.mark.long
def test_sums_that_no_grid_has_are_not_found() -> None:
    assert sums_of(2, found(2, list(range(1, 9)))) == list(range(1, 9))
    assert found(3, list(range(1, 28))) == []
    possible = {tuple(sums_of(2, list(grid))) for grid in itertools.permutations(range(1, 13), 4)}
    for left_out in itertools.combinations(range(2, 11), 2):
        sums = [total for total in range(1, 11) if total not in left_out]
        assert bool(found(2, sums)) == (tuple(sums) in possible), sums


def test_every_beginning_of_a_grid_of_four_has_its_smallest_numbers() -> None:
    boards = sums_domains.beginnings(4, list(range(1, 65)))
    assert len(boards) == len({tuple(board) for board in boards}) > 1000
    for board in random.Random(1).sample(boards, 50):
        written = sorted(number for number in board if number)
        assert len(written) == sums_domains.FILLED
        assert written[:2] == [1, 2]
        sums = [total for total in sums_of(4, [number or 1000 for number in board]) if total < 1000]
        assert len(set(sums)) == len(sums)
        assert set(range(1, written[-1])) <= set(sums)


def row_of_four() -> Row:
    return next(row for row in TABLE.rows("sums-grid") if row.size == 4)


def test_an_open_row_is_confirmed_by_its_bound() -> None:
    row = replace(row_of_four(), value=60, bound=63, status="open", proof="exhaustive")
    assert confirm.rests_on_one(row)
    assert not confirm.rests_on_one(replace(row, proof="exhaustive confirmed"))
    assert second_way("sums-grid", row.size) is sums_domains
    assert row.size <= sums_domains.LARGEST


@pytest.mark.parametrize(("n", "bound", "again"), [(2, 8, 8), (3, 26, 26), (3, 27, 26), (3, 25, None)])
def test_the_second_way_comes_to_the_bound_it_can_show(n: int, bound: int, again: int | None) -> None:
    row = replace(next(row for row in TABLE.rows("sums-grid") if row.size == n), bound=bound)
    assert sums_domains.value(row.parameters, row.number, row.limit, math.inf) == again


def test_without_time_the_second_way_says_nothing() -> None:
    assert sums_domains.value({"n": 4}, 60, 63, time.monotonic()) is None
