"""The bounds on the scores of sums grids: what they rest on holds for grids that are there, and no grid beats them."""

import itertools
import math
import random
from pathlib import Path

import pytest

import quet
from quet.certificates import verify
from quet.core.errors import BadCertificate
from quet.distribution.task import Task
from quet.games.sums_grid import claims, solve, ways
from quet.results.folder import Folder
from quet.solving import certify as certificate

TABLE = Folder(Path(__file__).parents[2] / "results")


def lines_of(n: int, grid: list[int]) -> list[list[int]]:
    """The rows, then the columns."""
    rows = [grid[row * n : row * n + n] for row in range(n)]
    return rows + [list(column) for column in zip(*rows, strict=True)]


def sums_of(n: int, grid: list[int]) -> list[int]:
    """The sums of all n^3 runs."""
    longer = [
        sum(line[a:b]) for line in lines_of(n, grid) for a, b in itertools.combinations(range(n + 1), 2) if b > a + 1
    ]
    return grid + longer


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_all_sums_together_are_the_full_lines_with_their_weights(n: int) -> None:
    grid = random.Random(n).sample(range(1, 1000), n * n)
    assert len(sums_of(n, grid)) == n**3
    full = [sum(line) for line in lines_of(n, grid)]
    weights = claims._weights(n) * 2
    assert 2 * sum(sums_of(n, grid)) == sum(weight * total for weight, total in zip(weights, full, strict=True))


def grids_that_waste_little() -> list[tuple[int, list[int]]]:
    """All grids of two that score 7 or 8, and the best ones of three."""
    pairs = [(2, list(grid)) for grid in itertools.permutations(range(1, 10), 4) if ways.score(2, list(grid)) >= 7]
    best = solve.solve(quet.new("sums-grid", n=3).state, Task()).counts["optimal grids"]
    return pairs + [(3, grid) for grid in best]


def test_no_grid_has_more_than_its_full_lines_allow() -> None:
    num_long = 0
    for n, grid in grids_that_waste_little():
        wasted = n**3 - ways.score(n, grid)
        m = n**3 - wasted
        long = [sum(line) > m for line in lines_of(n, grid)]
        weights = claims._weights(n)
        rows = [weight for weight, is_long in zip(weights, long[:n], strict=True) if is_long]
        columns = [weight for weight, is_long in zip(weights, long[n:], strict=True) if is_long]
        num_long += any(long)
        for shift in range(-9, 10):
            assert claims._largest(n, m, wasted, rows, columns, shift) >= m * (m + 1), grid
        assert claims.can_waste(n, wasted)
    assert num_long > 0


def test_a_line_that_is_too_long_counts_with_almost_twice_as_much_as_others() -> None:
    """The bound allows this: sums of full lines that are different and next to m, and two wasted lines that are cut
    in the middle.
    """
    n, m = 8, 510
    weights = claims._weights(n)
    others = range(m, m - 2 * n - 2, -1)
    for weight in set(weights):
        short = sorted([*weights, *weights], reverse=True)
        short.remove(weight)
        short.remove(weight)
        total = sum(a * b for a, b in zip(short, others[4:], strict=True))
        total += (weight - 2) * sum(others[:4])  # the lines themselves are wasted
        assert total <= claims._largest(n, m, 2, [weight], [weight], 0) < 1.01 * total


def test_without_waste_the_lines_allow_what_the_best_order_of_their_sums_comes_to() -> None:
    """Found by trying all orders. For n = 5 many weights are equal, so few orders differ."""
    for n, is_possible in ((2, True), (3, True), (4, True), (5, False)):
        m = n**3
        weights = [i * (n + 1 - i) - 0.5 for i in range(1, n + 1)] * 2
        most = 0.0
        for missing in range(m - 2 * n - 1, m + 1):  # of the 2n + 1 or 2n + 2 largest sums all but one or two
            for other in range(missing, m + 1):
                full = [total for total in range(m, m - 2 * n - 2, -1) if total not in (missing, other)][: 2 * n]
                if sum(full) % 2 == 0:
                    most = max(most, sum(a * b for a, b in zip(sorted(weights, reverse=True), full, strict=True)))
        assert (most >= m * (m + 1) / 2) == is_possible == claims.can_waste(n, 0)


def test_a_wave_over_all_differences_of_a_set_is_a_sum_of_squares() -> None:
    chance = random.Random(7)
    for _ in range(20):
        period = chance.randint(2, 40)
        wave = [chance.randint(-9, 9) for _ in range(period)]
        points = [chance.randint(0, 200) for _ in range(chance.randint(1, 8))]
        total = sum(
            sum(h * wave[(x + one - other) % period] for x, h in enumerate(wave)) for one in points for other in points
        )
        assert total == sum(sum(wave[(x + point) % period] for point in points) ** 2 for x in range(period)) >= 0


@pytest.mark.parametrize("n", [10, 12])
def test_the_wave_is_about_the_best_cosine(n: int) -> None:
    def largest(turn: float) -> int:
        left, m = n * (n + 1.0) ** 2, 0
        while left >= 0:
            m += 1
            left -= 1 - math.cos(turn * m)
        return m - 1

    best = min(largest(k / 100_000) for k in range(200, 700))
    assert abs(claims.by_waves(n) - best) <= 1 < n**3 - best


def test_no_grid_in_the_table_beats_its_bound() -> None:
    for row in TABLE.rows("sums-grid"):
        assert row.number <= row.limit <= claims.most(row.size) <= row.size**3


def test_the_bound_is_below_the_number_of_runs_from_five_on() -> None:
    bounds = [claims.most(n) for n in range(1, 11)]
    assert bounds[:4] == [1, 8, 27, 64]
    assert all(bound < n**3 for n, bound in enumerate(bounds, 1) if n >= 5)


@pytest.mark.parametrize(
    ("m", "wasted", "rows", "columns", "shift", "most"),
    [
        # Weights 5, 7 and 5, each of a long line twice with 2 less; by falling weight, times m, m - 1, ...
        (25, 2, [7], [5], 0, 7 * 25 + 5 * (24 + 23 + 22 + 21 + 20) + 3 * (19 + 18)),
        # The same sum may come twice: at the corner of two outer lines, and for each run that is wasted besides.
        (25, 2, [5], [5], 0, 7 * (25 + 25) + 5 * (24 + 23) + 3 * (22 + 21 + 20 + 19)),
        (25, 2, [5], [], 0, 7 * (25 + 25) + 5 * (24 + 23 + 22) + 3 * (21 + 20)),
        # Rows may weigh as much more as columns weigh less.
        (25, 2, [5], [5], 2, 9 * 25 + 7 * 25 + 5 * (24 + 23 + 22) + 3 * 21 + 1 * (20 + 19)),
        (25, 2, [], [], 9, (16 + 14 + 14) * 25),  # columns count for nothing then
        # Six numbers up to 27 that add up to an odd number: not the largest ones.
        (27, 0, [], [], 0, 7 * (27 + 26) + 5 * (25 + 24 + 23 + 22) - 5),
        (27, 0, [], [], 2, 9 * 27 + 7 * (26 + 25) + 5 * 24 + 3 * (23 + 22)),
    ],
)
def test_full_lines_allow_what_their_weights_come_to(
    m: int, wasted: int, rows: list[int], columns: list[int], shift: int, most: int
) -> None:
    assert claims._largest(3, m, wasted, rows, columns, shift) == most


def test_the_top_is_the_sum_of_the_largest_numbers() -> None:
    assert (claims._top(2, 8), claims._top(3, 27)) == (sum(range(5, 9)), sum(range(22, 28)))
    assert claims._largest(2, 8, 0, [], [], 0) == 3 * claims._top(2, 8)  # it is even, so these numbers may be the sums


def test_full_lines_allow_what_they_just_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    for less, is_possible in ((0, True), (1, False)):
        monkeypatch.setattr(claims, "_largest", lambda n, m, *_rest, less=less: m * (m + 1) - less)
        assert claims.can_waste(5, 1) == is_possible


def test_the_full_lines_say_nothing_of_n_wasted_runs_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "can_waste", lambda n, wasted: wasted >= n)
    assert claims.by_lines(4) == 60


def test_each_theorem_bounds_as_it_always_did() -> None:
    """Certificates of these bounds are in use, so none may change unnoticed."""
    assert [claims.by_lines(n) for n in range(1, 8)] == [1, 8, 27, 64, 124, 215, 341]
    assert [claims.by_waves(n) for n in (1, 2, 5, 9, 10, 11)] == [1, 8, 125, 729, 993, 1300]


def test_a_certificate_claims_the_bound_and_not_what_is_above() -> None:
    game = quet.new("sums-grid", n=5)
    task = Task(seconds=0.2)
    answer = solve.solve(game.state, task)
    made = certificate.make(game.id, game.rules, game.state, game.parameters, answer, task)
    assert made is not None
    assert made["claim"]["high"] == claims.most(5) == 124
    assert "By the rules alone no score exceeds 124." in verify.check(made).checked
    for high in (123, 125):
        false = made | {"claim": made["claim"] | {"high": high}}
        with pytest.raises(BadCertificate, match="By the rules alone no score exceeds 124"):
            verify.check(false | {"digest": verify.digest(false)})
