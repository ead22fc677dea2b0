"""The second way of sums grids, by the choice with the fewest alternatives, finds every score that there is."""

import itertools
import math
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from quet.games.sums_grid import second_beginnings, second_choices, ways
from quet.results import confirm
from quet.results.folder import Folder
from quet.results.row import Row
from quet.results.second import second_way

TABLE = Folder(Path(__file__).parents[2] / "results")
SIXTY = [2, 16, 1, 10, 24, 23, 5, 4, 31, 15, 36, 8, 3, 30, 7, 13]


def smallest(grid: list[int], how_many: int) -> list[int]:
    """The grid with only its smallest numbers."""
    largest = sorted(grid)[how_many - 1]
    return [number if number <= largest else 0 for number in grid]


def scores(n: int, m: int) -> dict[tuple[int, ...], list[int]]:
    """The grid found from each beginning of a grid of m, empty where there is none."""
    found = {}
    for board in second_beginnings.beginnings(n, m):
        grid = second_beginnings.grid_from(n, m, board, None)
        assert grid is not None
        found[tuple(board)] = grid
    return found


@pytest.mark.parametrize("m", range(1, 9))
def test_each_grid_of_two_continues_a_beginning_from_which_one_is_found(m: int) -> None:
    found = scores(2, m)
    assert all(not grid or ways.score(2, grid) >= m for grid in found.values())
    begun = {board for board, grid in found.items() if grid}
    met = set()
    for grid in itertools.permutations(range(1, 10), 4):
        there = {board for board in found for image in images(2, grid) if continues(image, board)}
        if ways.score(2, list(grid)) >= m:
            assert there & begun, grid
            met |= there
    assert begun <= met


def continues(grid: list[int], board: tuple[int, ...]) -> bool:
    return all(begun in (0, number) for begun, number in zip(board, grid, strict=True))


def images(n: int, grid: tuple[int, ...]) -> list[list[int]]:
    """The grid turned and mirrored."""
    rows = [list(grid[row * n : row * n + n]) for row in range(n)]
    found = []
    for _ in range(4):
        rows = [list(column) for column in zip(*reversed(rows), strict=True)]
        found += [rows, [row[::-1] for row in rows]]
    return [[number for row in image for number in row] for image in found]


@pytest.mark.long
@pytest.mark.parametrize("m", range(23, 28))
def test_each_beginning_of_a_grid_of_three_leads_to_one_where_the_solver_has_one(m: int) -> None:
    grids = [grid for board in ways.beginnings(3, m) for grid in ways.grids_from(3, m, board, None)[0]]  # type: ignore[index]
    wanted = {ways.smallest_image(3, smallest(grid, second_beginnings.FILLED)) for grid in grids}
    found = scores(3, m)
    assert {board for board, grid in found.items() if grid} == wanted
    assert bool(wanted) == (m <= 26)
    assert all(ways.score(3, grid) >= m for grid in found.values() if grid)


@pytest.mark.long
@pytest.mark.parametrize("image", range(8))
def test_a_known_grid_of_four_is_found_from_its_smallest_numbers(image: int) -> None:
    grid = images(4, tuple(SIXTY))[image]
    for how_many in (6, 9, 12, 15, 16):
        found = second_beginnings.grid_from(4, 60, smallest(grid, how_many), None)
        assert found
        assert ways.score(4, found) >= 60
    assert second_beginnings.grid_from(4, 61, smallest(grid, 9), None) == []
    assert list(ways.smallest_image(4, smallest(grid, 4))) in second_beginnings.beginnings(4, 60)


def test_every_beginning_of_a_grid_of_four_has_its_smallest_numbers() -> None:
    boards = second_beginnings.beginnings(4, 63)
    assert len(boards) == len({tuple(board) for board in boards}) > 5000
    for board in random.Random(1).sample(boards, 50):
        written = sorted(number for number in board if number)
        assert len(written) == second_beginnings.FILLED
        assert written[:2] == [1, 2]


def test_only_so_many_wasted_runs_are_tried() -> None:
    fewest = 27 - second_choices.MOST_WASTED
    assert second_beginnings.value({"n": 3}, 20, fewest - 2, math.inf) is None
    assert second_beginnings.value({"n": 3}, 20, fewest - 1, math.inf) == fewest


def row_of_four() -> Row:
    return next(row for row in TABLE.rows("sums-grid") if row.size == 4)


def test_an_open_row_is_confirmed_by_its_bound() -> None:
    row = replace(row_of_four(), value=60, bound=62, status="open", proof="exhaustive")
    assert confirm.rests_on_one(row)
    assert not confirm.rests_on_one(replace(row, proof="exhaustive confirmed"))
    assert second_way("sums-grid", row.size) is second_beginnings
    assert row.size <= second_beginnings.LARGEST


@pytest.mark.parametrize(("n", "bound", "again"), [(2, 8, 8), (3, 26, 26), (3, 27, 27), (3, 25, 26)])
def test_the_second_way_comes_to_the_bound_it_can_show(n: int, bound: int, again: int) -> None:
    row = replace(next(row for row in TABLE.rows("sums-grid") if row.size == n), bound=bound)
    assert second_beginnings.value(row.parameters, row.number, row.limit, math.inf) == again


def test_without_time_the_second_way_says_nothing() -> None:
    assert second_beginnings.value({"n": 4}, 60, 62, time.monotonic()) is None
