"""The longest path over a filled grid that never descends, proven the longest where the work allows it.

Such a path goes upwards through the levels of equal numbers: inside a level it is a simple path over one component
(squares of that number that hang together), then it steps to a touching square with a larger number. So levels are
solved from the largest number down, and each square gets the longest path that begins there, where leaving its
component is worth the path that begins at the larger square stepped to.

Inside a component this is a depth-first search that tries squares with few ways on first (Warnsdorff's rule of 1823
for the knight's tour), remembers what it has solved, and stops at a path as long as a bound on any path. Finding a
longest simple path is NP-hard, so the work is limited: a start whose search isn't finished keeps the best path met, and
a bound.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

WORK = 60_000  # squares tried in all, about 2 seconds


class LongestPath(NamedTuple):
    """The best path found, as squares in its order; no longer one exists if `is_longest`."""

    squares: tuple[int, ...]
    is_longest: bool


@lru_cache(maxsize=4)
def longest_path(n: int, numbers: tuple[int | None, ...], work: int = WORK) -> LongestPath:
    """The longest path on an n by n grid with these n*n numbers, from a1 on; None where no number stands.

    The path can't be gone on with, also where it isn't proven to be the longest. The same grid always gives the same
    path.
    """
    return _Search(n, numbers).run(work)


class _Path(NamedTuple):
    """A path as a chain, so that paths with the same end share it."""

    length: int
    place: int  # its first square
    rest: "_Path | None"


class _Search:
    """A square's place is a bit of an integer, a set of squares an integer.

    A column right of the grid stays unused, so that a shift never takes a square to the other side.
    """

    def __init__(self, n: int, numbers: Sequence[int | None]) -> None:
        self.n = n
        self.width = n + 1
        self.numbers = {
            square // n * self.width + square % n: number for square, number in enumerate(numbers) if number is not None
        }
        filled = sum(1 << place for place in self.numbers)
        self.touching = {place: self._grow(1 << place) & filled & ~(1 << place) for place in self.numbers}
        self.larger = {
            place: [other for other in _places(touching) if self.numbers[other] > self.numbers[place]]
            for place, touching in self.touching.items()
        }
        self.best: dict[int, _Path] = {}  # the best path found from a place
        self.bound: dict[int, int] = {}  # no path from a place is longer
        self.exit: dict[int, _Path | None] = {}  # the best path from a larger square that the place touches
        self.exits: list[tuple[int, int]] = []  # of the current component: a length and the places with such exits
        self.solved: dict[tuple[int, int], _Path] = {}  # by a place and the squares left to go on over
        self.allowance = 0  # squares that the current start may still try

    def run(self, work: int) -> LongestPath:
        components = self._components()
        is_entry = {other for larger in self.larger.values() for other in larger}
        num_left = len(is_entry) + 1
        opened: list[tuple[int, int, list[tuple[int, int]]]] = []  # bound, component, exits
        for component in components:
            bound = self._open(component)
            opened.append((bound, component, self.exits))
            for place in self._starts(component):
                self.bound[place] = bound
                if place in is_entry:
                    work -= self._solve(place, component, work // num_left)
                    num_left -= 1
        # The other squares can only begin the whole path: those are tried that could beat the best so far.
        longest = max((path.length for path in self.best.values()), default=0)
        for bound, component, self.exits in sorted(opened, reverse=True):
            for place in self._starts(component):
                if bound > longest and place not in is_entry and (work > 0 or not longest):
                    work -= self._solve(place, component, work // 2)
                    longest = max(longest, self.best[place].length)
        path = max(self.best.values(), key=lambda path: path.length, default=None)
        squares = []
        while path is not None:
            squares.append(path.place // self.width * self.n + path.place % self.width)
            path = path.rest
        return LongestPath(tuple(squares), is_longest=longest >= max(self.bound.values(), default=0))

    def _components(self) -> list[int]:
        """The sets of equal numbers that hang together, larger numbers first."""
        levels: dict[int, int] = {}
        for place, number in self.numbers.items():
            levels[number] = levels.get(number, 0) | 1 << place
        components = []
        for _, left in sorted(levels.items(), reverse=True):
            while left:
                components.append(self._reach(left & -left, left))
                left &= ~components[-1]
        return components

    def _starts(self, component: int) -> list[int]:
        """Its places, those with few ways on first."""
        return sorted(_places(component), key=lambda place: (self.touching[place] & component).bit_count())

    def _open(self, component: int) -> int:
        """Note where paths can leave the component; return a bound on every path that begins in it."""
        by_length: dict[int, int] = {}
        most = 0
        for place in _places(component):
            paths = [self.best[other] for other in self.larger[place]]
            self.exit[place] = leave = max(paths, key=lambda path: path.length, default=None)
            length = leave.length if leave else 0
            by_length[length] = by_length.get(length, 0) | 1 << place
            most = max([most, *(self.bound[other] for other in self.larger[place])])
        self.exits = sorted(by_length.items(), reverse=True)
        return component.bit_count() + most

    def _solve(self, place: int, component: int, allowance: int) -> int:
        """Find the best path from a place and bound it; return how many squares were tried."""
        self.allowance = allowance
        self.best[place] = self._search(place, component & ~(1 << place))
        are_exits_exact = all(
            self.bound[other] == self.best[other].length
            for inside in _places(component)
            for other in self.larger[inside]
        )
        if self.allowance > 0 and are_exits_exact:
            self.bound[place] = self.best[place].length
        return allowance - self.allowance

    def _search(self, place: int, inside: int) -> _Path:
        """The best path from a place over squares `inside` its component and then out of it.

        Once the allowance is used up, it is only the first path met.
        """
        left = self._reach(self.touching[place] & inside, inside)
        if (place, left) in self.solved:
            return self.solved[place, left]
        self.allowance -= 1
        leave = self.exit[place]
        best = _Path(1 + leave.length if leave else 1, place, leave)
        bound = self._bound(place, left)
        ways = [((self.touching[other] & left).bit_count(), other) for other in _places(self.touching[place] & left)]
        for _, other in sorted(ways):
            if best.length == bound:
                break
            rest = self._search(other, left & ~(1 << other))
            if rest.length >= best.length:
                best = _Path(1 + rest.length, place, rest)
            if self.allowance <= 0:
                return best
        self.solved[place, left] = best
        return best

    def _bound(self, place: int, left: int) -> int:
        """A bound on paths from a place over `left`: only one dead end, a square with one way in, can be on them."""
        exit_length = next(length for length, places in self.exits if places & (left | 1 << place))
        once = twice = 0
        for shift in (1, self.width - 1, self.width, self.width + 1):
            for moved in (left << shift, left >> shift):
                twice |= once & moved
                once |= moved
        dead_ends = (left & ~twice & ~self.touching[place]).bit_count()
        return 1 + left.bit_count() - max(0, dead_ends - 1) + exit_length

    def _grow(self, places: int) -> int:
        """The places and all that touch one of them."""
        places |= places << 1 | places >> 1
        return places | places << self.width | places >> self.width

    def _reach(self, places: int, inside: int) -> int:
        """Those of `inside` that hang together with some of `places`, which are inside too."""
        before = 0
        while places != before:
            before, places = places, self._grow(places) & inside
        return places


def _places(bits: int) -> list[int]:
    """The places in a set, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
