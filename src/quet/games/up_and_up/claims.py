"""What a checker of certificates has to know of Up And Up: bounds, keys, and how to try all games that end early.

A list of different squares, each at the right distance from the one before in its row or column, is a whole game if
and only if three conditions hold. Its steps are 1, 2, ..., k, then again 1, 2, ..., and so on. Where a step of 1 comes
after a step of k, the squares k + 1 away are filled before it. At the end of the game they are filled too, and so are
those beside its last square.

So short games are tried from their last square back. The squares that must be filled are known there. A game is given
up where more of them are left than squares come before, or where one can't be among these.
"""

from collections.abc import Callable, Sequence

from quet.core.errors import BadCertificate

from .rules import EMPTY, State

LONGEST = 24  # numbers of the games that are tried; longer ones would be too many


def highest(s: State) -> int:
    return s.n**2  # a number a square


def lowest(s: State) -> int:
    return 1


def position(s: State) -> Sequence[int | Sequence[int]]:
    """The squares with a number, the last one and the step. The order of the other numbers doesn't matter any more."""
    return [[number != EMPTY for number in s.numbers], s.last, s.step]


def tried(start: State, claimed: int, side: str, step: Callable[[], None]) -> bool:
    """See that no game has fewer than `claimed` numbers, and call `step` with each position.

    Returns False at once where games would be too long. Raises BadCertificate where one has fewer.
    """
    if side != "low" or claimed > LONGEST + 1:
        return False
    _Games(start.n, claimed - 1, step).try_all()
    return True


class _Games:
    """All games with at most `longest` numbers on an n by n grid. Sets of squares are the bits of integers."""

    def __init__(self, n: int, longest: int, count: Callable[[], None]) -> None:
        self._n, self._longest, self._count = n, longest, count
        self._away = [[_away(n, square, step) for step in range(n + 1)] for square in range(n * n)]
        self._fields = [[sum(1 << one for one in away) for away in of_square] for of_square in self._away]
        self._near = self._nearest()

    def try_all(self) -> None:
        """Try all positions, and count each. Raises BadCertificate where a game is found."""
        if self._longest > 0 and self._n == 1:
            self._found(1)
        left = self._longest - 1
        for last in _one_of_eight(self._n):
            for step in range(1, min(left, self._n - 1) + 1):
                wanted = self._fields[last][1] | self._fields[last][step + 1]
                self._end_run(last, step, left, 1 << last, wanted)

    def _nearest(self) -> list[list[list[int]]]:
        """[left][step][square] is the squares that can be among the `left` before one that a step has led to.

        With step 0 a step of 1 comes after the square, so any step may have led there.
        """
        squares, steps = range(self._n**2), range(self._n)
        near = [[[0 for _ in squares] for _ in steps] for _ in range(self._longest + 1)]
        for left in range(1, self._longest):
            here, before = near[left], near[left - 1]
            for step in range(1, min(left, self._n - 1) + 1):
                for square in squares:
                    for one in self._away[square][step]:
                        here[step][square] |= 1 << one | before[step - 1][one]
                    here[0][square] |= here[step][square]
        return near

    def _go_back(self, square: int, step: int, left: int, filled: int, wanted: int) -> None:
        """Try everything before a square that a step has led to: `left` squares at most.

        It and all that come after are filled.
        """
        self._count()
        left -= 1
        near = self._near[left]
        for one in self._away[square][step]:
            bit = 1 << one
            if filled & bit:
                continue
            still = wanted & ~bit
            if still.bit_count() > left or still & ~near[step - 1][one]:
                continue
            if step > 1:
                self._go_back(one, step - 1, left, filled | bit, still)
                continue
            if not still:
                self._found(self._longest - left)
            for before in range(1, min(left, self._n - 1) + 1):
                blocked = self._fields[one][before + 1]
                if not blocked & (filled | bit):
                    self._end_run(one, before, left, filled | bit, still | blocked)

    def _end_run(self, square: int, step: int, left: int, filled: int, wanted: int) -> None:
        """Go back from the last square of 1, 2, ..., `step`, if what is wanted can be filled before."""
        if wanted.bit_count() <= left and not wanted & ~self._near[left][step][square]:
            self._go_back(square, step, left, filled, wanted)

    def _found(self, length: int) -> None:
        raise BadCertificate(f"A game ends with {length} numbers.", step="grounds")


def _away(n: int, square: int, step: int) -> list[int]:
    """The squares of the grid at this distance, in the row and in the column."""
    row, column = divmod(square, n)
    rows = [other * n + column for other in (row - step, row + step) if 0 <= other < n]
    return rows + [row * n + other for other in (column - step, column + step) if 0 <= other < n]


def _one_of_eight(n: int) -> list[int]:
    """The squares of one eighth of the grid: turned and mirrored, every game has its last square there."""
    half = (n + 1) // 2
    return [row * n + column for row in range(half) for column in range(row, half)]
