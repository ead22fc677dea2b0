"""Clauses for a SAT solver that say that a score can be reached: a placing and a path over it, square by square.

Literals are as in DIMACS: a variable or, where it is false, its negative. The variables say

    terms[k][square]    term k (0 is the first) stands in the square
    steps[p][square]    step p of the path (0 is its start) is on the square
    ranks[r][square]    the square is on the path and holds a term of rank r
    skipped[k]          term k isn't on the path: it stands elsewhere, or hasn't been placed

Only the first `score` squares of a path matter, so `score` terms are on it and n*n - score terms are skipped. The
number of skipped terms below each rank says which rank each step may have. Some clauses follow from the others; they
make the solver many times faster. `claims.py` writes the same clauses in its own way.
"""

from collections.abc import Sequence
from typing import NamedTuple

from quet.core.grid import images, is_touching

Clause = list[int]


class Formula(NamedTuple):
    """The clauses, the variables that tell the game, for each term and each step one a square, and `skipped`."""

    clauses: list[Clause]
    terms: list[list[int]]
    steps: list[list[int]]
    skipped: list[int]


def formula(n: int, ranks: Sequence[int], score: int) -> Formula:
    """Clauses that can all be true if and only if a game on an n by n grid with these terms has at least this score."""
    return _Writer(n, ranks, score).write()


def without_images(n: int, formula: Formula) -> list[Clause]:
    """More clauses, which leave one of all games that are images of each other under the symmetries of the grid.

    `formula` has the first term in one eighth of the grid. As long as all terms stand in squares that some symmetry
    keeps, it leaves both this symmetry's images of the next term; these clauses leave one. They are not among what
    certificates are checked against.
    """
    size = n * n
    symmetries = [list(image) for image in zip(*(images(square, n) for square in range(size)), strict=True)]
    clauses: list[Clause] = []
    waiting: list[tuple[list[int], list[list[int]]]] = [([], symmetries)]
    while waiting:
        begun, keeping = waiting.pop()
        first = sorted({min(image[square] for image in keeping) for square in range(size)})
        k = len(begun)
        here = [-formula.terms[i][square] for i, square in enumerate(begun)]
        clauses.append(here + [formula.terms[k][square] for square in first])
        for square in first:
            left = [image for image in keeping if image[square] == square]
            is_next = not begun or (square not in begun and is_touching(begun[-1], square, n))
            if len(left) > 1 and is_next and k + 1 < len(formula.steps):
                waiting.append(([*begun, square], left))
    return clauses


class _Writer:
    def __init__(self, n: int, ranks: Sequence[int], score: int) -> None:
        self.n, self.size, self.score = n, n * n, score
        self.num_skipped = self.size - score
        self.rank_of = list(ranks[: self.size])
        self.num_ranks = max(self.rank_of) + 1
        self.below = [sum(rank < r for rank in self.rank_of) for r in range(self.num_ranks + 1)]
        self.touching = [
            [
                other
                for other in range(self.size)
                if max(abs(other // n - square // n), abs(other % n - square % n)) == 1
            ]
            for square in range(self.size)
        ]
        self.clauses: list[Clause] = []
        self.num_variables = 0
        self.terms = self._table(self.size)
        self.steps = self._table(score)
        self.ranks = self._table(self.num_ranks)
        self.skipped = self._variables(self.size)

    def write(self) -> Formula:
        size, add = self.size, self.clauses.append
        self.is_placed = [self._one_at_most(self.terms[k]) for k in range(size)]
        self.is_filled = [self._one_at_most([self.terms[k][square] for k in range(size)]) for square in range(size)]
        for p in range(self.score):
            add([self._one_at_most(self.steps[p])])
        self.is_on = [self._one_at_most([self.steps[p][square] for p in range(self.score)]) for square in range(size)]
        for square in range(size):
            add([-self.is_placed[-1], self.is_filled[square]])
        self._at_most([-on for on in self.is_on], self.num_skipped)
        self._placing()
        self._path()
        self._corner()
        return Formula(self.clauses, self.terms, self.steps, self.skipped)

    def _placing(self) -> None:
        """Terms in touching squares, the unplaced ones at the end; each on the path or skipped."""
        for k in range(self.size):
            if k < self.score:
                self.clauses.append([self.is_placed[k]])
            else:
                self.clauses.append([-self.is_placed[k], self.is_placed[k - 1]])
                self.clauses.append([self.is_placed[k], self.skipped[k]])
            for square in range(self.size):
                here = -self.terms[k][square]
                if k > 0:
                    self.clauses.append([here, *self._beside(self.terms[k - 1], square)])
                if k + 1 < self.size:
                    last = [-self.is_placed[k + 1]] if k + 1 >= self.score else []
                    self.clauses.append([here, *last, *self._beside(self.terms[k + 1], square)])
                self.clauses.append([here, -self.skipped[k], -self.is_on[square]])
                self.clauses.append([here, self.skipped[k], self.ranks[self.rank_of[k]][square]])

    def _path(self) -> None:
        """Steps to touching squares, of ranks that never fall."""
        skipped_below = self._count_skipped()
        for p in range(self.score):
            for square in range(self.size):
                here = -self.steps[p][square]
                if p > 0:
                    self.clauses.append([here, *self._beside(self.steps[p - 1], square)])
                if p + 1 < self.score:
                    self.clauses.append([here, *self._beside(self.steps[p + 1], square)])
        possible: list[list[int]] = [[] for _ in range(self.num_ranks)]
        for r in range(self.num_ranks):
            for p in range(self.score):
                # Step p has rank r or more if and only if at least below[r] - p terms of lower ranks are skipped.
                enough = self._no_fewer(skipped_below[r], self.below[r] - p)
                too_high = self._no_fewer(skipped_below[r + 1], self.below[r + 1] - p)
                if enough is False or too_high is True:
                    continue
                possible[r].append(p)
                unless = [-enough] if enough is not True else []
                unless += [too_high] if too_high is not False else []
                for square in range(self.size):
                    self.clauses.append([-self.steps[p][square], *unless, self.ranks[r][square]])
        for square in range(self.size):
            for r in range(self.num_ranks):
                here = -self.ranks[r][square]
                for lower in range(r):
                    self.clauses.append([here, -self.ranks[lower][square]])
                held = [self.terms[k][square] for k in range(self.size) if self.rank_of[k] == r]
                self.clauses.append([here, *held])
                self.clauses.append([here, *(self.steps[p][square] for p in possible[r])])

    def _corner(self) -> None:
        """The first term stands in one eighth of the grid, as symmetries allow."""
        half = (self.n + 1) // 2
        eighth = [row * self.n + column for row in range(half) for column in range(row, half)]
        self.clauses.append([self.terms[0][square] for square in eighth])

    def _count_skipped(self) -> list[list[int]]:
        """For each rank, and for one more than the largest: [j] is whether more than j terms below it are skipped."""
        counts: list[list[int]] = []
        counted: list[int] = []
        order = sorted(range(self.size), key=lambda k: self.rank_of[k])
        for number, k in enumerate(order):
            while len(counts) <= self.rank_of[k]:
                counts.append(counted)
            counted = self._counted(counted, self.skipped[k], number, self.num_skipped)
        if self.num_skipped:
            self.clauses.append([counted[-1]])
        return [*counts, counted]

    def _counted(self, before: list[int], literal: int, number: int, most: int) -> list[int]:
        """The counts with one more literal, which comes after `number` others; at most `most` are true."""
        after = self._variables(min(most, number + 1))
        for j, more in enumerate(after):
            same = [before[j]] if j < len(before) else []
            fewer = [before[j - 1]] if j > 0 else []
            if same:
                self.clauses.append([-same[0], more])
            self.clauses.append([*(-one for one in fewer), -literal, more])
            self.clauses.append([-more, *same, literal])
            if fewer:
                self.clauses.append([-more, *same, *fewer])
        if len(before) == most:
            self.clauses.append([*(-one for one in before[-1:]), -literal])
        return after

    def _at_most(self, literals: Sequence[int], most: int) -> None:
        counted: list[int] = []
        for number, literal in enumerate(literals):
            counted = self._counted(counted, literal, number, most)

    def _no_fewer(self, counted: list[int], number: int) -> int | bool:
        """Whether there are at least so many, as a literal or for certain."""
        if number <= 0:
            return True
        return counted[number - 1] if number <= len(counted) else False

    def _one_at_most(self, literals: Sequence[int]) -> int:
        """At most one is true; a variable that says whether one is."""
        before = 0
        for literal in literals:
            so_far = self._variables(1)[0]
            self.clauses.append([-literal, so_far])
            if before:
                self.clauses += [[-before, so_far], [-literal, -before], [-so_far, before, literal]]
            else:
                self.clauses.append([-so_far, literal])
            before = so_far
        return before

    def _beside(self, variables: list[int], square: int) -> list[int]:
        return [variables[other] for other in self.touching[square]]

    def _table(self, rows: int) -> list[list[int]]:
        return [self._variables(self.size) for _ in range(rows)]

    def _variables(self, count: int) -> list[int]:
        self.num_variables += count
        return list(range(self.num_variables - count + 1, self.num_variables + 1))
