"""The longest path over a filled grid that never descends, proven the longest where the work allows it.

Such a path goes upwards through the levels of equal numbers: inside a level it is a simple path over one component
(connected squares of that number), then it steps to a touching square with a larger number. So levels are solved from
the largest number down, and each square gets the longest path that begins there. A path that leaves its component
gains the path that begins at the larger square it steps to.

Inside a component a depth-first search tries squares with few ways on first (Warnsdorff's rule of 1823 for the knight's
tour), remembers what it has solved, and stops at a path as long as a bound on any path. Where it isn't done soon,
`frontier.py` proves its paths the longest, or finds longer ones. Where a component is too wide for that, the
depth-first search goes on. Finding a longest simple path is NP-hard, so the work is limited: a start whose search isn't
finished keeps the best path met, and a bound.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from .frontier import Frontier, TooMuchWork, order

WORK = 60_000  # squares tried in all, the QUICK ones not counted; with these and the WAYS about 2 seconds
QUICK = 1_000  # from each start, before the component is left to `frontier.py`
WAYS = 3  # looked at there for each square that may be tried here; one takes about as long


class LongestPath(NamedTuple):
    """The best path found, as squares in its order; no longer one exists if `is_longest`."""

    squares: tuple[int, ...]
    is_longest: bool


@lru_cache(maxsize=4)
def longest_path(n: int, numbers: tuple[int | None, ...], work: int = WORK) -> LongestPath:
    """The longest path on an n by n grid with these n*n numbers, from a1 on; None where no number stands.

    The path can't be continued, even where it isn't proven to be the longest. The same grid always gives the same path.
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
        self.solved: dict[tuple[int, int], _Path] = {}  # by a place and the squares that are left
        self.work = 0  # squares that may still be tried
        self.ways = 0  # that `frontier.py` may still look at
        self.allowance = 0  # squares that the current start may still try

    def run(self, work: int) -> LongestPath:
        self.work, self.ways = work, WAYS * work
        is_entry = {other for larger in self.larger.values() for other in larger}
        num_left = len(is_entry) + 1
        opened: list[tuple[int, int, list[tuple[int, int]]]] = []  # bound, component, exits
        for component in self._components():
            bound = self._open(component)
            opened.append((bound, component, self.exits))
            self.bound |= dict.fromkeys(_places(component), bound)
            entries = [place for place in self._starts(component) if place in is_entry]
            is_proven = self._prove(component, entries, 0)
            for place in entries:
                if not is_proven:
                    self._solve(place, component, self.work // num_left)
                num_left -= 1
        # The other squares can only begin the whole path: those are tried that could beat the best so far.
        for bound, component, self.exits in sorted(opened, reverse=True):
            others = [place for place in self._starts(component) if place not in is_entry]
            if bound > self._longest() and not self._prove(component, others, self._longest()):
                for place in others:
                    if bound > self._longest() and (self.work > 0 or not self.best):
                        self._solve(place, component, self.work // 2)
        path = max(self.best.values(), key=lambda path: path.length, default=None)
        is_longest = self._longest() >= max(self.bound.values(), default=0)
        squares = []
        while path is not None:
            squares.append(path.place // self.width * self.n + path.place % self.width)
            path = path.rest
        return LongestPath(tuple(squares), is_longest)

    def _longest(self) -> int:
        return max((path.length for path in self.best.values()), default=0)

    def _components(self) -> list[int]:
        """The sets of connected squares with equal numbers, larger numbers first."""
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

    def _prove(self, component: int, starts: Sequence[int], least: int) -> bool:
        """Find the best paths from these places that are longer than `least`; return whether no longer ones exist."""
        touching = {place: _places(self.touching[place] & component) for place in _places(component)}
        squares = order(touching, [lambda place: place, lambda place: (place % self.width, place)])
        if squares is None:
            return False
        work = self.work
        for place in starts:
            self._solve(place, component, min(QUICK, work // 8))
        self.work = work  # it is still needed for components that aren't proven
        if not self._are_exits_exact(component):
            return False
        ends = {place: leave.length if (leave := self.exit[place]) else 0 for place in touching}
        while unsure := [place for place in starts if self.bound[place] > max(least, self.best[place].length)]:
            known = max(least, *(self.best[place].length for place in unsure))
            frontier = Frontier(touching, squares, unsure, ends, known)
            try:
                found = frontier.path(self.ways)
            except TooMuchWork:
                return False
            finally:
                self.ways -= frontier.used
            if found:
                path = self.exit[found[-1]]
                for place in reversed(found):
                    path = _Path(1 + path.length if path else 1, place, path)
                    self.best[found[0]] = path
                known = self.best[found[0]].length
            self.bound |= dict.fromkeys(unsure, known)
        return True

    def _are_exits_exact(self, component: int) -> bool:
        """Whether the best paths from the larger squares that it touches are proven the best."""
        larger = {other for place in _places(component) for other in self.larger[place]}
        return all(self.bound[other] == self.best[other].length for other in larger)

    def _solve(self, place: int, component: int, allowance: int) -> None:
        """Find the best path from a place and bound it, with so much work."""
        self.allowance = allowance
        path = self._search(place, component & ~(1 << place))
        self.work -= allowance - self.allowance
        if place not in self.best or path.length > self.best[place].length:
            self.best[place] = path
        if self.allowance > 0 and self._are_exits_exact(component):
            self.bound[place] = path.length

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
        """Those of `inside` that are connected with some of `places`, which are inside too."""
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
