"""What a checker of certificates has to know of the sums grid: the highest score that an n by n grid can have.

Two theorems bound it; `docs/proofs.md` proves them. All is done in integers.

A grid has n^3 runs. A grid that scores m has a run for each of 1 to m; the n^3 - m other runs are wasted.

By full lines: the weight of row i, and of column i, is i * (n + 1 - i), the number of runs in a line through its square
i. The sum of all runs is the sum over all full lines of the line's sum times its weight less a half. Unless its run is
wasted, a full line has a sum of at most m, and hardly two sums are equal: from n = 5 on that is too little.

By waves: take integers h(0), h(1), ... with a period, and let f(d) be the sum of h(x) * h(x + d) over a period. Over
all pairs of a set, f of their differences adds up to a sum of squares. If h is roughly a cosine, the differences 1 to m
would make that negative.

These are formulas. The checker of certificates evaluates them, and `quet solve` asks the checker. There is one search:
a grid that scores n^3 has n^3 runs with different sums, and for n up to 3 all such grids are tried.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterator

from quet.core.errors import BadCertificate

from .rules import State

LARGEST_TRIED = 3  # n; there are too many grids of 4
HEIGHT = 1000  # of the wave, which is rounded to integers; the theorem holds for any integers
TURN = 4.493409  # where the sine of x, divided by x, is least


def highest(s: State) -> int:
    return most(s.n)


def lowest(s: State) -> int:
    return 0


@functools.cache
def most(n: int) -> int:
    """A bound on the score of every n by n grid."""
    return min(by_lines(n), by_waves(n))


def by_lines(n: int) -> int:
    """The largest m that the full lines allow, but at least n^3 - n: the theorem is for fewer than n wasted runs."""
    if n == 1:
        return 1  # the row is the column
    return next((n**3 - wasted for wasted in range(n) if can_waste(n, wasted)), n**3 - n)


def can_waste(n: int, wasted: int) -> bool:
    """Whether the full lines allow a grid with at most so many wasted runs, fewer than n."""
    m = n**3 - wasted
    return any(
        min(_largest(n, m, wasted, rows, columns, shift) for shift in _shifts(n)) >= m * (m + 1)
        for rows, columns in _long_lines(n, wasted)
    )


def _weights(n: int) -> list[int]:
    """Twice the weight of each row, or each column, less one."""
    return [2 * i * (n + 1 - i) - 1 for i in range(1, n + 1)]


def _shifts(n: int) -> list[int]:
    return sorted({0, *_weights(n), *(-weight for weight in _weights(n))}, key=abs)


def _long_lines(n: int, wasted: int) -> Iterator[tuple[list[int], list[int]]]:
    """All ways to choose the rows and columns whose sums are above m; one way for each list of weights."""
    weights = _weights(n)
    for number in range(wasted + 1):
        for from_rows in range(number + 1):
            for rows in set(itertools.combinations(sorted(weights), from_rows)):
                for columns in set(itertools.combinations(sorted(weights), number - from_rows)):
                    yield list(rows), list(columns)


def _largest(n: int, m: int, wasted: int, rows: list[int], columns: list[int], shift: int) -> int:
    """Twice the most that all sums up to m can add up to, if the full lines with these weights have sums above m.

    The full run of such a line is wasted. It can be cut into two parts with sums of at most m: otherwise each of the
    n - 1 ways to cut would have a part above m, and n runs would be wasted. So all other full lines and these parts are
    different runs with sums of at most m, and few of them have equal sums. All rows add up to as much as all columns,
    so any `shift` may be added to the weights of the rows and subtracted from those of the columns.
    """
    weights = []
    for long, sign in ((rows, 1), (columns, -1)):
        short = _weights(n)
        for weight in long:
            short.remove(weight)
            weights += [weight - 2 + sign * shift] * 2
        weights += [weight + sign * shift for weight in short]
    weights.sort(reverse=True)
    # For the outer lines: a row and a column may have the same corner as a part.
    lightest = _weights(n)[0]
    alike = wasted - len(rows) - len(columns) + rows.count(lightest) * columns.count(lightest)
    total = sum(max(0, weight) * (m - max(0, place - alike)) for place, weight in enumerate(weights))
    if wasted == 0 and shift == 0 and _top(n, m) % 2:
        total -= min(weights)  # rows and columns add up to twice all numbers, but the 2n largest sums to an odd number
    return total


def _top(n: int, m: int) -> int:
    """The sum of the 2n largest numbers up to m."""
    return 2 * n * m - n * (2 * n - 1)


def by_waves(n: int) -> int:
    """The largest m that a wave of roughly the best length allows, but at most n^3.

    In each of the 2n lines, let p(0), ..., p(n) be the sums of its first squares. The sum of f(p(i) - p(j)) over all i
    and j is a sum of squares. Over all lines it is twice this: n * (n + 1) * f(0), f of each run, and f of each square
    once more. No f is above f(0); so f(0) - f(v), added up over v = 1, ..., m, is at most n * (n + 1)^2 * f(0).
    """
    period = round(2 * math.pi / TURN * n * (n + 1) ** 2 / (1 - math.sin(TURN) / TURN))
    wave = [round(HEIGHT * math.cos(2 * math.pi * x / period)) for x in range(period)]
    largest = sum(h * h for h in wave)
    left = n * (n + 1) ** 2 * largest
    for m in range(1, n**3 + 1):
        left -= largest - sum(h * wave[(x + m) % period] for x, h in enumerate(wave))
        if left < 0:
            return m - 1
    return n**3


def tried(start: State, claimed: int, side: str, step: Callable[[], None]) -> bool:
    """See that no grid has n^3 sums, and call `step` with each position. Returns False at once for another score.

    Raises BadCertificate where a grid has so many.
    """
    if side != "high" or start.n > LARGEST_TRIED or claimed != start.n**3 - 1:
        return False
    _Full(start.n, step).go_on([], frozenset())
    return True


class _Full:
    """All grids with n^3 sums, whose runs are therefore all different, square by square."""

    def __init__(self, n: int, step: Callable[[], None]) -> None:
        self._n, self._step = n, step

    def go_on(self, numbers: list[int], sums: frozenset[int]) -> None:
        """Try all grids that begin with these numbers, whose runs have these sums. Raises BadCertificate where one is.

        Turned and mirrored, a grid has the smallest corner first, and the smaller neighbour of it in the first row.
        """
        n, place = self._n, len(numbers)
        if place == n * n:
            self._found(numbers)
            return
        self._step()
        row, column = divmod(place, n)
        left = [sum(numbers[place - length :]) for length in range(1, column + 1)]
        below = [sum(numbers[place - n * length :: n]) for length in range(1, row + 1)]
        before = {n * n - n: 0, n - 1: 0, n * n - 1: 0, n: 1}.get(place) if place > 0 else None  # its number is smaller
        for number in range(1 if before is None else numbers[before] + 1, n**3 + 1):
            runs = [number, *(number + rest for rest in left + below)]
            if max(runs) <= n**3 and len(set(runs)) == len(runs) and sums.isdisjoint(runs):
                self.go_on([*numbers, number], sums.union(runs))

    def _found(self, numbers: list[int]) -> None:
        raise BadCertificate(f"A grid has {self._n**3} sums.", step="grounds")
