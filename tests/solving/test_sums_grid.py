"""Sums grids: all ways to reach a score, and the search for a better grid."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import quet
from certified import score
from quet.distribution.task import Task
from quet.distribution.workers import Processes
from quet.engine import arrays
from quet.engine.annealing import Annealing
from quet.engine.compiled import compiled
from quet.games.sums_grid import beam_step, exhaustive, local_search, rules, ways
from quet.games.sums_grid import solve as sums_grid
from quet.games.sums_grid.beam import grid_by_beam


def test_the_best_small_sums_grids_are_those_of_all_ways_to_fill_them() -> None:
    game = quet.new("sums-grid", n=2)
    best = 0
    grids: set[tuple[int, ...]] = set()
    for grid in itertools.permutations(range(1, 10), 4):
        game.state.numbers[:4] = grid
        value = game.rules.score(game.state, 1)
        if value >= best:
            grids = (grids if value == best else set()) | {ways.smallest_image(2, list(grid))}
            best = value
    found = sums_grid.solve(quet.new("sums-grid", n=2).state, Task())
    assert found.value == best == 8
    assert [tuple(grid) for grid in found.counts["optimal grids"]] == sorted(grids)


def grids_by_plain_search(n: int, m: int, first: int) -> set[tuple[int, ...]]:
    """The full grids of score m or more with 1 in this square, made by writing numbers only, with sums as a list.

    Each step writes the smallest number that is no sum yet, or a number that makes this sum together with filled
    squares beside it. The second kind is a sum already, and only n^3 runs exist for the m sums.
    """
    lines = [[row * n + column for column in range(n)] for row in range(n)]
    lines += [list(column) for column in zip(*lines, strict=True)]
    runs = [line[a:b] for line in lines for a in range(n) for b in range(a + 1, n + 1) if b - a > 1]
    runs += [[square] for square in range(n * n)]
    found = set()

    def go_on(board: list[int]) -> None:
        sums = [sum(board[square] for square in run) for run in runs if all(board[square] for square in run)]
        good = {total for total in sums if total <= m}
        if len(sums) - len(good) > n**3 - m:
            return
        wanted = next(total for total in range(1, m + 2) if total not in good)
        if wanted > m:
            if all(board):
                found.add(ways.smallest_image(n, board))
            return
        numbers = [wanted]
        if len(sums) - len(good) < n**3 - m:
            for run in runs:
                if sum(board[square] == 0 for square in run) == 1:
                    numbers.append(wanted - sum(board[square] for square in run))
        for number in {number for number in numbers if 0 < number <= wanted} - set(board):
            for square in range(n * n):
                if board[square] == 0:
                    board[square] = number
                    go_on(board)
                    board[square] = 0

    board = [0] * (n * n)
    board[first] = 1
    go_on(board)
    return found


def test_five_grids_of_three_score_twenty_six() -> None:
    game = quet.new("sums-grid", n=3)
    found = sums_grid.solve(game.state, Task())
    assert found.value == 26 == score(game, found)
    assert found.counts["optimal grids up to symmetry"] == 5
    for grid in found.counts["optimal grids"]:
        game.state.numbers[:9] = grid
        assert game.rules.score(game.state, 1) == 26


@pytest.mark.long
def test_no_grid_of_three_scores_twenty_seven() -> None:
    assert not any(grids_by_plain_search(3, 27, first) for first in (0, 1, 4))


def test_the_lowest_score_of_a_sums_grid_is_none_at_all() -> None:
    for n in (1, 2, 5):
        game = quet.new("sums-grid", n=n)
        assert score(game, sums_grid.solve(game.state, Task(is_lowest=True))) == 0


def test_from_any_position_the_best_grid_is_proven_as_from_the_start() -> None:
    again = quet.position("sums-grid", "1 2/3 .")
    again.play("b2=9")  # the grid is full, and can be changed as long as nobody says that it is done
    best = quet.new("sums-grid", n=2)
    for move in quet.solve(best).line[:-1]:
        best.play(move)
    for game, value in (
        (quet.new("sums-grid", n=1).after("a1=7"), 1),
        (quet.new("sums-grid", n=2).after("a1=8"), 8),
        (quet.position("sums-grid", "1 2/3 ."), 8),
        (again, 8),
        (best, 8),
    ):
        found = quet.solve(game, seconds=5)
        assert found.is_proven and found.value == value and found.final.scores == [value]
        lowest = quet.solve(game, seconds=5, lowest=True)
        assert lowest.is_proven and lowest.final.scores == [0]
    assert quet.solve(best).line == ["done"]


def test_of_a_larger_sums_grid_the_best_met_is_told() -> None:
    game = quet.new("sums-grid", n=4)
    found = sums_grid.solve(game.state, Task(seconds=1.0))
    assert found.value is not None
    assert 35 < found.value == found.low == score(game, found)
    assert found.high == 64


@pytest.mark.parametrize(("n", "m"), [(2, 8), (2, 7), pytest.param(3, 26, marks=pytest.mark.long)])
def test_the_grids_with_a_one_in_a_corner_are_those_of_a_plain_search(n: int, m: int) -> None:
    plain = grids_by_plain_search(n, m, 0)
    found = set()
    for board in ways.beginnings(n, m):
        part = ways.grids_from(n, m, board, None)
        assert part is not None
        found |= {tuple(grid) for grid in part[0] if max(grid) <= m and grid[0] == 1}
    assert found == plain


@pytest.mark.parametrize("m", range(2, 9))
def test_every_grid_of_two_with_a_score_is_found_and_no_other(m: int) -> None:
    found = []  # 0 for any number above m
    for board in ways.beginnings(2, m):
        found += ways.decided(exhaustive, 2, m, board, 4)[0] or []
    for grid in found:
        assert score_of(2, [number or 100 + square for square, number in enumerate(grid)]) >= m
    for full in itertools.permutations(range(1, 10), 4):
        if score_of(2, list(full)) >= m:
            assert any(fits(grid, image) for image in images(2, list(full)) for grid in found), full


def fits(grid: list[int], full: list[int]) -> bool:
    """Whether the full grid is one that this one can become."""
    return all(here in (0, there) for here, there in zip(grid, full, strict=True))


@pytest.mark.long
def test_compiled_and_plain_searches_look_at_the_same_positions() -> None:
    for board in ([1, 0, 0, 0, 0, 0, 0, 2, 0], [0, 0, 0, 2, 1, 0, 0, 0, 0]):
        plain = ways.decided(exhaustive, 3, 24, board, 9)
        assert plain == ways.decided(compiled(exhaustive), 3, 24, board, 9)
        assert plain[1] > 1000


def test_a_grid_of_four_is_found_again_from_any_two_thirds_of_it() -> None:
    grid = [18, 25, 1, 7, 22, 13, 19, 4, 2, 3, 9, 34, 15, 6, 21, 10]
    m = score_of(4, grid)
    assert m == 52
    for kept in ({1, 2, 3, 4, 6, 7, 9, 10, 13, 15}, {1, 2, 3, 4, 15, 18, 19, 21, 22, 25, 34}):
        board = [number if number in kept else 0 for number in grid]
        found, _ = ways.decided(compiled(exhaustive), 4, m, board, 16)
        assert found is not None
        assert any(fits(other, grid) for other in found)


def test_of_each_grid_with_a_score_an_image_goes_on_from_a_beginning() -> None:
    for n, m in ((2, 8), (3, 26)):
        boards = ways.beginnings(n, m)
        for grid in sums_grid.solve(quet.new("sums-grid", n=n).state, Task()).counts["optimal grids"]:
            assert any(fits(board, image) for board in boards for image in images(n, grid))


def images(n: int, grid: list[int]) -> list[list[int]]:
    square = np.array(grid).reshape(n, n)
    turned = [np.rot90(square, k) for k in range(4)]
    return [image.flatten().tolist() for other in turned for image in (other, other.T)]


@pytest.mark.long
def test_what_is_done_of_a_proof_is_not_done_again() -> None:
    state = quet.new("sums-grid", n=3).state
    whole = Task()
    found = sums_grid.solve(state, whole)
    for kept in (1, len(whole.notes) // 2, len(whole.notes) - 1):
        notes = dict(itertools.islice(whole.notes.items(), kept))
        assert sums_grid.solve(state, Task(notes=notes)) == found
    name = next(iter(whole.notes))
    notes = whole.notes | {name: [[], 1_000_000]}
    assert sums_grid.solve(state, Task(notes=notes)).nodes > 1_000_000


def test_a_proof_that_there_is_no_time_for_leaves_the_bound_as_it_is() -> None:
    task = Task(seconds=0.0, workers=Processes(1))
    assert sums_grid._highest(4, task) == (64, [], 0, False)


def test_a_grid_that_the_proof_meets_is_told_though_a_worse_one_was_noted() -> None:
    state = quet.new("sums-grid", n=4).state
    met = [2, 16, 1, 10, 24, 23, 5, 4, 31, 15, 36, 8, 3, 30, 7, 13]
    noted = {"best grid": {"rounds": 4, "steps": 4, "grid": [*range(1, 17)]}}
    found = sums_grid._best_met(state, Task(seconds=0.0, notes=noted, workers=Processes(1)), 60, met, 0)
    assert (found.value, found.low, found.high) == (60, 60, 60)


def test_a_limit_to_what_is_wasted_by_when_leaves_some_of_the_grids_and_few_positions() -> None:
    m, squares, none_early = 24, 9, [0, 0, 0, 0, 0, 0, 0, 1, 2, 3]
    for board in ([1, 0, 0, 0, 0, 0, 0, 2, 0], [0, 0, 0, 2, 1, 0, 0, 0, 0]):
        found, positions = ways.decided(exhaustive, 3, m, board, squares)
        some, fewer = ways.decided(exhaustive, 3, m, board, squares, late=none_early)
        again, as_many = ways.decided(exhaustive, 3, m, board, squares, late=[3] * 10)
        assert (again, as_many) == (found, positions)
        assert found and some
        assert all(grid in found for grid in some)
        assert len(some) < len(found)
        assert fewer < positions / 2


def test_a_grid_that_wastes_late_is_found_from_its_beginning() -> None:
    grid = [2, 1, 11, 27, 28, 4, 15, 10, 6, 42, 9, 8, 16, 7, 20, 13]
    board = [number if number in {1, 2, 4, 6, 7} else 0 for number in grid]
    part = ways.late_grid(4, 59, board, 0, None)
    assert part is not None
    assert part[0] == list(ways.smallest_image(4, grid))
    assert score_of(4, grid) == 59
    better = ways.late_grid(4, 60, board, 0, None)
    assert better is not None
    assert better[0] is None


@pytest.mark.long
def test_the_search_for_a_grid_that_wastes_late_goes_on_where_it_was() -> None:
    worse = [11, 8, 22, 21, 4, 17, 6, 29, 9, 1, 36, 3, 7, 26, 12, 2]
    task = Task(seconds=300.0, workers=Processes(1))
    grid, nodes = sums_grid._wasting_late(4, task, 57, worse)
    assert score_of(4, worse) == 56
    assert score_of(4, grid) == 57
    assert sums_grid._wasting_late(4, replace(task, seconds=0.0), 64, worse) == (grid, nodes)
    name = next(name for name, (found, _) in task.notes.items() if found is None)
    del task.notes[name]  # as if it had not been done
    begun = dict(task.notes)
    task.seconds = 3000.0
    assert sums_grid._wasting_late(4, task, 57, worse)[0] == grid
    assert task.notes == begun


@pytest.mark.long
def test_a_beam_search_finds_grids_that_waste_few_runs() -> None:
    for n, m in ((1, 1), (2, 8), (3, 25)):
        grid, num_grids = found_by_beam(n, m, 200, 1)
        assert grid is not None
        assert len(set(grid)) == n * n
        assert score_of(n, grid) >= m
        assert num_grids >= n
    assert found_by_beam(3, 27, 200, 1)[0] is None
    assert found_by_beam(5, 90, 300, 1) == found_by_beam(5, 90, 300, 1)
    assert grid_by_beam(5, 90, 300, 1, 0.0) is None


@pytest.mark.parametrize("m", [0, 7, 61, 62, 63, 64, 124])
def test_the_words_of_a_set_hold_its_numbers(m: int) -> None:
    bits = [0, 0, 0]
    numbers = {number for number in range(1, 125) if number * number % 125 <= m}
    for number in numbers:
        beam_step.change(bits, number)
    assert {number for number in range(1, 125) if beam_step.has(bits, number)} == numbers
    for shift in (0, 1, 61, 62, 63, 100, 200):
        smaller = {number - shift for number in numbers if number > shift}
        words = [beam_step.word(bits, k, shift) for k in range(3)]
        assert {number for number in range(1, 187) if beam_step.has(words, number)} == smaller
    if numbers:
        assert beam_step.lowest(bits) == min(numbers)


def test_what_a_beam_looks_ahead_is_the_least_waste_of_each_square() -> None:
    """Each empty square, with all numbers tried one by one."""
    grid = [1, 5, 2, 9, 0, 4, 3, 12, 14]
    m = 24
    lengths, squares, through = exhaustive.tables(3)
    known, empty, sets = [0] * 27, [0] * 27, [[0], [0], [0]]
    beam_step.read(m, grid, lengths, squares, known, empty, sets)
    sets[beam_step.AFTER] = list(sets[beam_step.MISSING])
    bases = [known[run] for run in range(27) if empty[run] == 1]
    missing = set(range(1, m + 1)) - {known[run] for run in range(27) if not empty[run]}
    waste = {
        number: len(bases) - len({base + number for base in bases} & missing)
        for number in range(1, m + 1)
        if number not in grid
    }
    least = min(waste.values())
    rareness = 1 / list(waste.values()).count(least)
    wasted, found = beam_step.look_ahead(grid, through, known, empty, sets)
    assert wasted == least
    assert found == pytest.approx(rareness)


def test_beams_go_on_where_they_were() -> None:
    first = ways.Grid(range(1, 26))
    task = Task(seconds=300.0, memory=500 * sums_grid.BYTES, workers=Processes(1))
    grid, nodes = sums_grid._beamed(5, task, 60, first)
    assert task.notes["beams"]["width"] == 500  # as many as the memory allows
    assert score_of(5, first) < 60 <= score_of(5, grid)
    assert sums_grid._beamed(5, replace(task, seconds=0.0), 124, first) == (grid, nodes)


def found_by_beam(n: int, m: int, width: int, seed: int) -> tuple[list[int] | None, int]:
    found = grid_by_beam(n, m, width, seed, None)
    assert found is not None
    return found


def test_a_round_begins_anew_and_tells_the_best_grid_known() -> None:
    state = quet.new("sums-grid", n=3).state
    best = [1, 2, 8, 15, 4, 5, 7, 14, 12]
    grid, num_steps = sums_grid.better_grid(state, best, 1, 2_000, None)
    assert grid == best
    assert num_steps == 2_000
    worse, _ = sums_grid.better_grid(state, None, 1, 100, None)
    better, _ = sums_grid.better_grid(state, worse, 2, 30_000, None)
    assert 8 < score_of(3, worse) < score_of(3, better)


@pytest.mark.parametrize(("n", "steps", "least"), [(1, 10, 1), (2, 3_000, 8), (3, 100_000, 25), (4, 300_000, 51)])
def test_the_local_search_finds_good_grids(n: int, steps: int, least: int) -> None:
    game = quet.new("sums-grid", n=n)
    found = Annealing(local_search, rules, game.state, seed=1).run(simulations=steps)
    for move in found.line:
        game.play(rules.move_text(game.state, int(move)))
    assert game.is_over
    assert game.scores[0] == found.candidates[0].value >= least


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10])
def test_the_best_grid_has_the_score_that_the_search_believes(n: int) -> None:
    state = quet.new("sums-grid", n=n).state
    boards: Any = arrays.pack([state, state])
    rng = np.array([5], np.uint64)
    module: Any = compiled(local_search)
    module.fill(boards, rng)
    before = 0
    for _ in range(5):
        best = module.improve(boards, rng, 2_000, 0.6, 0.3)
        for board in boards:
            numbers = board["numbers"][: n * n].tolist()
            assert len(set(numbers)) == n * n
            assert min(numbers) > 0
        assert best == score_of(n, boards[1]["numbers"][: n * n].tolist()) >= before
        before = best


def test_a_full_grid_is_never_made_worse() -> None:
    game = quet.new("sums-grid", n=3)
    game.state.numbers[:9] = [1, 2, 8, 15, 4, 5, 7, 14, 12]
    game.state.num_filled = 9
    assert Annealing(local_search, rules, game.state, seed=1).run(simulations=1_000).line == [9 * rules.BASE]


def score_of(n: int, grid: list[int]) -> int:
    s = quet.new("sums-grid", n=n).state
    s.numbers[: n * n] = grid
    return rules.score(s, 1)


def test_a_grid_that_is_there_and_better_than_what_is_found_is_the_answer() -> None:
    row = next(row for row in quet.best_results("sums-grid") if row.parameters == {"n": 5})
    game = quet.new("sums-grid", n=5)
    for move in row.witness.split()[:-1]:
        game.play(move)
    found = quet.solve(game, seconds=0.3)
    assert (found.value, found.low, found.best_moves) == (row.value, row.value, ["done"])
