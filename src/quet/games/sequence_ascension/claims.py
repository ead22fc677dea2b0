"""What a checker of certificates has to know of Sequence Ascension: bounds, and clauses for a SAT solver.

The clauses are what every game with a high score obeys, written from the rules alone.

Take a game in which a(1) stands in one eighth of the grid, as it does in one of the eight images of any game, and the
first `score` squares of its path: the steps. Terms that aren't on these are left out. Variables are numbered in this
order, squares as the rules number them:

    term k in square s          for each k and s
    step p on square s          for each p and s
    a step on s has rank r      for each r and s
    term k is left out          for each k
    so far                      for each group with at most one true, whether one of its first i is true
    at least j of the first i   for the squares without a step, then for the terms left out, smaller ranks first
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, count

from quet.core.errors import BadCertificate, TooLargeToCheck

from .rules import State

LARGEST = 10  # n; the clauses of larger grids would take more than a gigabyte


def highest(s: State) -> int:
    return s.n**2  # a square is on the path once


def lowest(s: State) -> int:
    return 1


def clauses(start: State, score: int) -> list[list[int]]:
    """The clauses that a game from this state obeys if its score is at least `score`.

    Raises BadCertificate, and TooLargeToCheck.
    """
    n, size = start.n, start.n**2
    ranks = start.ranks[:size]
    num_ranks, num_left_out = max(ranks) + 1, size - score
    if score > size:
        raise BadCertificate("Only scores below n*n have such a proof.", step="grounds")
    if n > LARGEST:
        raise TooLargeToCheck(f"The clauses are too many where n is more than {LARGEST}.")
    squares, terms, steps = range(size), range(size), range(score)
    numbers = count(1)
    found: list[list[int]] = []

    term = {(k, s): next(numbers) for k in terms for s in squares}
    step = {(p, s): next(numbers) for p in steps for s in squares}
    on_rank = {(r, s): next(numbers) for r in range(num_ranks) for s in squares}
    left_out = [next(numbers) for _ in terms]

    def any_of(group: Sequence[int]) -> int:
        """Clauses that allow no two of the group to be true; return whether one is, as a literal."""
        so_far = [next(numbers) for _ in group]
        found.append([-so_far[0], group[0]])
        for i, literal in enumerate(group):
            found.append([-literal, so_far[i]])
            if i > 0:
                found.extend(([-so_far[i - 1], so_far[i]], [-literal, -so_far[i - 1]]))
                found.append([-so_far[i], so_far[i - 1], literal])
        return so_far[-1]

    def counted(group: Sequence[int]) -> list[list[int]]:
        """[i][j - 1] is whether at least j of the first i are true; more than num_left_out are not."""
        table: list[list[int]] = [[]]
        for i, literal in enumerate(group):
            before, after = table[-1], [next(numbers) for _ in range(min(num_left_out, i + 1))]
            for j, at_least in enumerate(after):
                was = before[j : j + 1]
                lacked = before[j - 1 : j] if j > 0 else []
                found.extend([-one, at_least] for one in was)
                found.append([*(-one for one in lacked), -literal, at_least])
                found.append([-at_least, *was, literal])
                found.extend([-at_least, *was, one] for one in lacked)
            if len(before) == num_left_out:
                found.append([*(-one for one in before[-1:]), -literal])
            table.append(after)
        return table

    # A term stands once, a square holds one term, a step is on one square, and no square is on the path twice.
    is_placed = [any_of([term[k, s] for s in squares]) for k in terms]
    is_filled = [any_of([term[k, s] for k in terms]) for s in squares]
    found.extend([any_of([step[p, s] for s in squares])] for p in steps)
    is_on = [any_of([step[p, s] for p in steps]) for s in squares]
    counted([-on for on in is_on])

    # The terms placed are the first ones, at least as many as there are steps, or all: then no square is empty.
    found.extend([is_placed[k]] for k in steps)
    found.extend([-is_placed[k], is_placed[k - 1]] for k in range(score, size))
    found.extend([-is_placed[-1], filled] for filled in is_filled)
    found.append([term[0, s] for s in squares if s // n <= s % n <= (n - 1) // 2])

    # The next term or step touches this one, and so does the one before.
    for s in squares:
        touching = list(_touching(n, s))
        for k in terms:
            if k > 0:
                found.append([-term[k, s], *(term[k - 1, o] for o in touching)])
            if k + 1 < size:
                is_last = [-is_placed[k + 1]] if k + 1 >= score else []
                found.append([-term[k, s], *is_last, *(term[k + 1, o] for o in touching)])
        for p in steps:
            for other in {p - 1, p + 1} & set(steps):
                found.append([-step[p, s], *(step[other, o] for o in touching)])

    # A term is on the path with its rank, or it is left out; a term that isn't placed is left out.
    found.extend([is_placed[k], left_out[k]] for k in range(score, size))
    for k, s in term:
        found.append([-term[k, s], -left_out[k], -is_on[s]])
        found.append([-term[k, s], left_out[k], on_rank[ranks[k], s]])

    # Terms that aren't on the path are left out, so their number is known. If j of the m terms below a rank are left
    # out, m - j steps have lower ranks; they are the first ones, as the path never descends.
    table = counted([left_out[k] for k in sorted(terms, key=lambda k: ranks[k])])
    found.extend([all_of] for all_of in table[-1][-1:])
    for r in range(num_ranks):
        reached, passed = ([*table[m], m] for m in (sum(rank < limit for rank in ranks) for limit in (r, r + 1)))
        possible = []
        for p in steps:
            is_reached, is_passed = _at_least(reached, p), _at_least(passed, p)
            if is_reached != [] and is_passed is not None:
                possible.append(p)
                unless = [*(-one for one in is_reached or []), *is_passed]
                found.extend([-step[p, s], *unless, on_rank[r, s]] for s in squares)
        for s in squares:
            found.append([-on_rank[r, s], *(term[k, s] for k in terms if ranks[k] == r)])
            found.append([-on_rank[r, s], *(step[p, s] for p in possible)])
    found.extend([-on_rank[r, s], -on_rank[q, s]] for s in squares for r, q in combinations(range(num_ranks), 2))
    return found


def _at_least(counts: Sequence[int], step: int) -> list[int] | None:
    """Whether this step comes after all that have lower ranks: a literal, [] for no, or None for yes.

    `counts` says whether at least 1, 2, ... of the terms below the rank are left out; then comes their number.
    """
    *literals, below = counts
    needed = below - step
    return None if needed <= 0 else literals[needed - 1 : needed]


def _touching(n: int, square: int) -> Iterator[int]:
    row, column = divmod(square, n)
    for other in range(n * n):
        if max(abs(other // n - row), abs(other % n - column)) == 1:
            yield other
