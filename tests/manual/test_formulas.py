"""The formulas on the pages are computed, as they stand there, and hold."""

import math
import random
import re
from fractions import Fraction
from itertools import accumulate, combinations

import numpy as np
import pytest
from code_blocks import ROOT, named
from numpy.typing import NDArray

import quet
import quet.rl
from minimax import minimax
from quet.core.state import key
from quet.games.plusses_minuses import strategy
from quet.results.folder import find

PROOFS = " ".join((ROOT / "docs" / "proofs.md").read_text(encoding="utf-8").split())


def as_python(formula: str) -> str:
    """A formula of a page as an expression of Python."""
    for before, after in (("²", "**2"), ("≥", ">="), ("≤", "<="), (" = ", " == ")):
        formula = formula.replace(before, after)
    return re.sub(r"\bn\(", "n*(", formula).strip()


# Theorem 1: the images of player 1 join the two permutations.


@pytest.mark.parametrize("n", [2, 5, 8])
def test_after_the_mirror_strategy_both_permutations_are_joined_as_the_formula_says(n: int) -> None:
    formula, first = re.fullmatch(
        r"(.*?) +for c = (\d), ..., n\.\n*", named("docs/proofs.md", "q(c-1) =").text
    ).groups()  # type: ignore[union-attr]
    chance = random.Random(n)
    for _ in range(20):
        game = quet.new("plusses-minuses", n=n)
        while not game.is_over:
            if game.mover == 1:
                game.push(strategy.hold(game.state, 1)[1])  # type: ignore[index]
            else:
                game.push(chance.choice(game.legal_numbers()))
        p, q = ([0, *places[:n]] for places in (game.state.height, game.state.column))
        code = compile(as_python(formula), "formula", "eval")
        places = {"p": p.__getitem__, "q": q.__getitem__}
        assert all(eval(code, places | {"c": c}) for c in range(int(first), n + 1))


# Theorems 5 and 6: sums grids.


def test_the_sum_of_theorem_5_is_right() -> None:
    sums, total = named("docs/proofs.md", "8½").text.strip(" ,\n").split(" = ")
    numbers = re.findall(r"(\d)½ \(([\d +]+)\)", sums)
    weights = [int(whole) + Fraction(1, 2) for whole, parts in numbers for _ in parts.split("+")]
    lines = [int(line) for _, parts in numbers for line in parts.split("+")]
    assert sum(map(Fraction.__mul__, weights, map(Fraction, lines))) == int(total[:-1]) + Fraction(1, 2)
    assert weights == heaviest(5) and lines == list(range(125, 115, -1))


def heaviest(n: int) -> list[Fraction]:
    """The weights of Lemma 4, minus one half, of all rows and columns, the heaviest first."""
    return sorted([i * (n + 1 - i) - Fraction(1, 2) for i in range(1, n + 1)] * 2, reverse=True)


def most(n: int) -> Fraction:
    """What the full rows and columns can come to at most in Lemma 4, if they are different and all sums 1, ..., n³."""
    lines = range(n**3, n**3 - 2 * n, -1)
    total = sum(weight * line for weight, line in zip(heaviest(n), lines, strict=True))
    return Fraction(total) - (heaviest(n)[-1] if sum(lines) % 2 else 0)


def test_what_theorem_5_says_of_each_size_is_right() -> None:
    needed = {n: n**3 * (n**3 + 1) // 2 for n in range(3, 6)}
    assert f"({most(3)} of {needed[3]}, {most(4)} of {needed[4]})" in PROOFS
    assert f"the total should be 1 + 2 + ... + 125 = {needed[5]}." in PROOFS
    assert f"and 125 + 124 + ... + 116 = {sum(range(116, 126))} is odd" in PROOFS
    assert f"costs at least 4½, and at most {math.floor(most(5))} is left" in PROOFS and heaviest(5)[-1] == 4.5
    assert "since 6n - 2 < n² for n ≥ 6" in PROOFS
    for n in range(2, 40):
        bound = n**3 * (Fraction(n * (n + 1) * (n + 2), 3) - n)
        assert bound == n**3 * sum(heaviest(n))
        assert (bound < Fraction(n**3 * (n**3 + 1), 2)) == (6 * n - 2 < n**2) == (n >= 6)


def lines_of(grid: NDArray[np.int64]) -> list[list[int]]:
    return [*grid.tolist(), *grid.T.tolist()]


def test_half_of_the_squared_lengths_is_what_the_formula_of_theorem_6_says() -> None:
    formula = named("docs/proofs.md", "n(n+1) +").text
    formula = formula.replace("(cos(ts) of all runs)", "runs").replace("(cos(ts) of all squares once more)", "squares")
    left, sign, right = as_python(formula.strip(" ,\n")).rpartition(" >= ")
    assert (sign, right) == (" >= ", "0")
    chance = np.random.default_rng(1)
    for n in (1, 2, 3, 5, 5, 5):
        grid, t = chance.integers(1, 99, (n, n)), float(chance.uniform(0, 7))
        lengths, runs = 0.0, 0.0
        for line in lines_of(grid):
            ends = [0, *accumulate(line)]
            lengths += abs(sum(complex(math.cos(t * p), math.sin(t * p)) for p in ends)) ** 2 / 2
            # one square alone is a run of its row and of its column, and counts as one run
            runs += sum(math.cos(t * (p - q)) for q, p in combinations(ends, 2))
        squares = float(np.cos(t * grid).sum())
        assert eval(left, {"n": n, "runs": runs - squares, "squares": squares}) == pytest.approx(lengths)


def test_the_inequality_of_theorem_6_holds_for_the_best_grids_and_follows_from_the_formula_before_it() -> None:
    left, right = as_python(named("docs/proofs.md", "(1 - cos(t))").text.strip(" .\n")).split(" <= ")
    terms = re.fullmatch(r"\(1 - cos\(t\)\) \+ \(1 - cos\(2t\)\) \+ \.\.\. \+ \(1 - cos\(mt\)\)", left)
    assert terms, left
    assert "m + ½ - sin(u) / (2 sin(t/2)) with u = (m + ½)t" in PROOFS
    for n in range(1, 30):
        # where all cosines are 1, runs and squares are n³ and n² of them; m runs less are the left side's 1s
        assert eval(right, {"n": n}) == n * (n + 1) + n**3 + n**2
    for row in find(None).rows("sums-grid"):
        if row.score == "highest" and isinstance(row.value, int):
            for t in np.linspace(0.01, math.pi, 50):
                m, u = row.value, (row.value + 0.5) * t
                found = sum(1 - math.cos(k * t) for k in range(1, m + 1))
                assert found <= eval(right, {"n": row.size})
                assert found == pytest.approx(m + 0.5 - math.sin(u) / (2 * math.sin(t / 2)))


def test_the_numbers_of_theorem_6_are_right() -> None:
    steps = [k / 10_000 for k in range(1, 200_000)]
    least, at = min((math.sin(u) / u, u) for u in steps)
    assert f"Take u = {at:.4f}, where sin(u)/u is least, {least:.4f}." in PROOFS
    assert f"the left side is more than {1 - least:.4f} (m + ½)" in PROOFS
    factor = math.ceil(10_000 / (1 - least)) / 10_000
    assert f"The score is less than {factor} n(n+1)², which is less than n³ for n ≥ 10" in PROOFS
    assert [factor * n * (n + 1) ** 2 < n**3 for n in range(1, 40)] == [n >= 10 for n in range(1, 40)]


# Measures of agents.


@pytest.mark.parametrize(("id", "parameters"), [("palindromes", {"m": 4}), ("up-and-up", {"n": 3})])
def test_the_measures_of_agents_are_what_their_formulas_say(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    true = minimax(game)
    positions = [one for one in quet.positions(game) if not one.is_over]
    inside = {
        "n": len(positions),
        "before": [true[key(one.state)] for one in positions],
        "after": [true[key(one.after(one.legal_moves[0]).state)] for one in positions],
        "sgn": np.sign if game.num_players > 1 else int,  # in a solitaire R is the same as M
    }
    found = quet.rl.measure.accuracy(lambda one: one.legal_moves[0], game, num=10**6)
    for name, measured in (("M", found.keeps_margin), ("R", found.keeps_result), ("D", found.regret)):
        formula = named("docs/truth.md", f"{name} = ").text.strip().partition(" = ")[2]
        formula = formula.replace("v(pᵢ, aᵢ)", "after[i]").replace("v(pᵢ)", "before[i]")
        formula = re.sub(r"sgn (\w+\[i\])", r"sgn(\1)", formula)
        formula = re.sub(r"\|\{i : (.*?)\}\|", r"sum(\1 for i in range(n))", formula)
        formula = re.sub(r"Σ \|(.*?)\|", r"* sum(abs(\1) for i in range(n))", formula)
        assert eval(as_python(formula), inside) == pytest.approx(measured.value), name
        assert measured.value > 0
