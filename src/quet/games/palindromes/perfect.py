"""Perfect play for the checker of certificates, in plain Python: whether player 1 reaches a difference of scores.

All positions are tried, the fullest first. The *low* squares are the first LOW of the row (half of it where it is
short), the *high* ones the others. A way to fill squares is a number: d(0) + 3 d(1) + 9 d(2) + ..., where d is 0 for an
empty square, 1 for a 0 and 2 for a 1. For each way to fill high squares there is one large integer, with a bit for each
way to fill low squares. When player 1 moves, one good move is enough; when player 2 moves, all must be good.

Of two positions that differ by an exchange of 0 and 1 one is tried: where the first filled high square has a 0.
"""

from itertools import combinations, product

from .planes import add, alternating, difference, half_scores

LARGEST = 23  # 3 GB
LOW = 9  # a few more or less take as long


def is_at_least(m: int, v: int) -> tuple[bool, list[bool]]:
    """Whether perfect play ends with a difference of at least v, and whether it still does after a 0 in each square.

    A 1 is as good as a 0.
    """
    num_low = min(LOW, m // 2)
    low, ends = _Low(num_low), _ends(m, v, num_low)
    threes = [3**square for square in range(m - num_low)]
    later: dict[int, int] = {}  # for each way to fill one more high square, where the difference is reached
    now: dict[int, int] = {}
    for filled in range(len(threes), -1, -1):
        later, now = now, {}
        for squares in combinations(range(len(threes)), filled):
            empty = [square for square in range(len(threes)) if square not in squares]
            zeros = sum(threes[square] for square in squares)
            for digits in product((0, 1), repeat=max(0, filled - 1)):
                high = zeros + sum(threes[square] * digit for square, digit in zip(squares[1:], digits, strict=True))
                some, every = 0, low.all
                for square in empty:
                    with_0 = later[high + threes[square]]
                    if filled and square > squares[0]:
                        with_1 = later[high + 2 * threes[square]]
                    else:
                        with_1 = low.exchanged(later[3 * zeros - high + threes[square]])
                    some |= with_0 | with_1
                    every &= with_0 & with_1
                now[high] = low.values(some, every, filled, ends.get(high))
    reached = [now[0] >> 3**square & 1 for square in range(num_low)] + [later[three] & 1 for three in threes]
    return bool(now[0] & 1), [bool(bit) for bit in reached]


class _Low:
    """The ways to fill the low squares, as the bits of an integer."""

    def __init__(self, num_squares: int) -> None:
        threes = [3**square for square in range(num_squares)]
        self.all = (1 << 3**num_squares) - 1
        self._by_count = [1]  # the ways with so many filled squares
        self._squares = []  # 3^square, the ways in which it is empty, and the others
        for three in threes:
            same, more = [*self._by_count, 0], [0, *self._by_count]
            self._by_count = [one | other << three | other << 2 * three for one, other in zip(same, more, strict=True)]
            empty = (1 << three) - 1
            for larger in threes[threes.index(three) + 1 :]:
                empty |= empty << larger | empty << 2 * larger
            self._squares.append((three, empty, self.all ^ empty))

    def values(self, some: int, every: int, filled: int, ends: int | None) -> int:
        """Where the difference is reached, with so many high squares filled.

        `some` says where it is after some move to a high square, and `every` where it is after all of them. `ends` are
        the full rows that reach it, where all high squares are filled.
        """
        found = here = ends or 0
        for count in range(len(self._squares) - (ends is not None), -1, -1):
            if (filled + count) % 2 == 0:
                now = some
                for three, empty, _ in self._squares:
                    now |= (here >> three | here >> 2 * three) & empty
            else:
                now = every
                for three, _, others in self._squares:
                    now &= here >> three & here >> 2 * three | others
            here = now & self._by_count[count]
            found |= here
        return found

    def exchanged(self, ways: int) -> int:
        """The same ways with 0 and 1 exchanged."""
        for three, empty, _ in self._squares:
            with_0 = empty << three
            ways = ways & empty | (ways & with_0) << three | ways >> three & with_0
        return ways


def _ends(m: int, v: int, num_low: int) -> dict[int, int]:
    """For each way to fill all high squares, the first with a 0, the full rows whose difference is at least v."""
    all_rows = (1 << (1 << m)) - 1
    palindromes, antipalindromes = half_scores([alternating(square, m) for square in range(m)], all_rows)
    least = -(-v // 2)  # of half the difference
    add(antipalindromes if least > 0 else palindromes, all_rows, abs(least))
    _, below = difference(palindromes, antipalindromes)
    reached = all_rows & ~below
    found = {}
    for first in range(0, 1 << m, 2 << num_low):
        high = sum((1 + (first >> num_low + square & 1)) * 3**square for square in range(m - num_low))
        found[high] = _filled(reached >> first & (1 << (1 << num_low)) - 1, num_low)
    return found


def _filled(rows: int, num_squares: int) -> int:
    """Rows, with a bit for each, as ways to fill all of the squares."""
    if num_squares == 0:
        return rows
    half: int = 1 << num_squares - 1
    three: int = 3 ** (num_squares - 1)
    lower, upper = rows & (1 << half) - 1, rows >> half
    return _filled(lower, num_squares - 1) << three | _filled(upper, num_squares - 1) << 2 * three
