"""Perfect play for the checker of certificates, in plain Python: whether player 1 reaches a difference of scores.

All positions are tried, the fullest first. The *low* squares are the first LOW of the row (half of it where it is
short), the *high* ones the others. A *way* to fill squares is a number: d(0) + 3 d(1) + 9 d(2) + ..., where d is 0 for
an empty square, 1 for a 0 and 2 for a 1. For each way to fill the high squares there is one large integer, with a bit
for each way to fill the low squares: 1 where player 1 reaches the difference. When player 1 moves, one good move is
enough; when player 2 moves, all must be good.

Of two positions that differ by an exchange of 0 and 1 one is tried: where the first filled high square has a 0.

The sets of filled high squares come in an order in which the last square that differs decides. So a set with one square
more is looked up for the last time without its first square, and is forgotten then: about half of the memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from .planes import add, alternating, difference, half_scores

LOW = 9  # a few more or less take as long
_BASE = 1 << 16  # bytes that are taken in the smallest rows, too
_BESIDES = 200  # bytes that Python takes for an integer in a dict beside its bits


def num_bytes(m: int) -> int:
    """How many bytes `is_at_least` takes, or some more."""
    num_low, num_high = _parts(m)
    integers = max(_most_kept(num_high, filled) for filled in range(num_high)) + (1 << num_high - 1)  # full rows
    each = int(3**num_low) // 7 + _BESIDES  # Python keeps 7.5 bits in a byte
    return integers * each + (8 << m) + _BASE


def _most_kept(num_high: int, filled: int) -> int:
    """How many integers there are at once while the sets with so many filled high squares are tried."""
    most = [1] + [0] * filled  # for each number of squares in a set: sets tried, less twice those forgotten
    for num_squares in range(num_high):
        for size in range(filled, 0, -1):
            all_before = comb(num_squares, size) - 2 * comb(num_squares, size + 1)
            most[size] = max(most[size], all_before + most[size - 1])
    return (comb(num_high, filled + 1) << filled) + (most[filled] << max(0, filled - 1))


def is_at_least(m: int, v: int) -> tuple[bool, list[bool]]:
    """Whether perfect play ends with a difference of at least v, and whether it still does after a 0 in each square.

    A 1 is as good as a 0.
    """
    num_low, num_high = _parts(m)
    low, full_rows = _LowSquares(num_low), _full_rows(m, v)
    layer: dict[int, int] = {}  # the ways to fill so many high squares, each with the integer that belongs to it
    for filled in range(num_high, -1, -1):
        one_more, layer = layer, {}
        for squares in sorted(combinations(range(num_high), filled), key=lambda squares: squares[::-1]):
            # For each empty square what a 0 there adds to a way, and whether it comes after the first filled one.
            empty = [(3**one, filled > 0 and one > squares[0]) for one in range(num_high) if one not in squares]
            for way, exchanged in _ways(squares):
                some, every = _after_high_moves(way, exchanged, empty, one_more, low)
                layer[way] = low.reached(some, every, filled, full_rows.get(way))
            for first in range(squares[0] if squares else 0):
                for way, _ in _ways((first, *squares)):
                    one_more.pop(way, None)  # there is none above the full rows
    first_low = [layer[0] >> 3**square & 1 for square in range(num_low)]
    first_high = [one_more[3**square] & 1 for square in range(num_high)]
    return bool(layer[0] & 1), [bool(bit) for bit in first_low + first_high]


def _parts(m: int) -> tuple[int, int]:
    """How many low squares a row has, and how many high ones."""
    num_low = min(LOW, m // 2)
    return num_low, m - num_low


def _ways(squares: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The ways to fill these high squares, the first of them with a 0; with each the way with 0 and 1 exchanged."""
    steps = [3**square for square in squares]
    zeros = sum(steps)
    for digits in product((0, 1), repeat=max(0, len(squares) - 1)):
        ones = sum(step * digit for step, digit in zip(steps[1:], digits, strict=True))
        yield zeros + ones, 2 * zeros - ones


def _after_high_moves(
    way: int, exchanged: int, empty: Sequence[tuple[int, bool]], one_more: Mapping[int, int], low: "_LowSquares"
) -> tuple[int, int]:
    """Where the difference is reached after some move to a high square, and where it is after every such move."""
    some, every = 0, low.all
    for step, is_after_first in empty:
        with_0 = one_more[way + step]
        # A 1 before all others would be the first digit, so the exchanged position is looked up.
        with_1 = one_more[way + 2 * step] if is_after_first else low.exchanged(one_more[exchanged + step])
        some |= with_0 | with_1
        every &= with_0 & with_1
    return some, every


class _Square(NamedTuple):
    """A low square."""

    step: int  # what a 0 there adds to a way; a 1 adds twice as much
    empty: int  # the ways in which it is empty, as bits
    filled: int  # the others


class _LowSquares:
    """The ways to fill the low squares, as the bits of an integer."""

    def __init__(self, num_squares: int) -> None:
        steps = [3**square for square in range(num_squares)]
        self.all = (1 << 3**num_squares) - 1
        self._by_count = [1]  # the ways with no filled square, with one, ...
        self._squares: list[_Square] = []
        for square, step in enumerate(steps):
            as_many, one_less = [*self._by_count, 0], [0, *self._by_count]
            self._by_count = [
                same | less << step | less << 2 * step for same, less in zip(as_many, one_less, strict=True)
            ]
            empty = (1 << step) - 1
            for larger in steps[square + 1 :]:
                empty |= empty << larger | empty << 2 * larger
            self._squares.append(_Square(step, empty, self.all ^ empty))

    def reached(self, some: int, every: int, num_high: int, full_rows: int | None) -> int:
        """Where the difference is reached, with so many high squares filled.

        `some` says where it is after some move to a high square, and `every` where it is after all of them. Where all
        high squares are filled, `full_rows` are the ways to fill all low ones that reach it; else it is None.
        """
        found = fuller = full_rows or 0  # the ways that reach it: all that are known, and those of one count
        for count in range(len(self._squares) - (full_rows is not None), -1, -1):
            if (num_high + count) % 2 == 0:  # player 1 moves
                now = some
                for step, empty, _ in self._squares:
                    now |= (fuller >> step | fuller >> 2 * step) & empty
            else:
                now = every
                for step, _, filled in self._squares:
                    now &= fuller >> step & fuller >> 2 * step | filled
            fuller = now & self._by_count[count]
            found |= fuller
        return found

    def exchanged(self, ways: int) -> int:
        """The same ways with 0 and 1 exchanged."""
        for step, empty, _ in self._squares:
            with_0 = empty << step
            ways = ways & empty | (ways & with_0) << step | ways >> step & with_0
        return ways


def _full_rows(m: int, v: int) -> dict[int, int]:
    """For each way to fill all high squares, the first with a 0, the ways to fill all low ones that reach v."""
    num_low, num_high = _parts(m)
    all_rows = (1 << (1 << m)) - 1  # row r has bit k of r in square k
    palindromes, antipalindromes = half_scores([alternating(square, m) for square in range(m)], all_rows)
    least = -(-v // 2)  # of half the difference
    add(antipalindromes if least > 0 else palindromes, all_rows, abs(least))
    _, below = difference(palindromes, antipalindromes)
    reached = all_rows & ~below
    found = {}
    for first_row in range(0, 1 << m, 2 << num_low):  # of those with the same high squares
        digits = [first_row >> num_low + square & 1 for square in range(num_high)]
        way = sum((1 + digit) * 3**square for square, digit in enumerate(digits))
        found[way] = _as_ways(reached >> first_row & (1 << (1 << num_low)) - 1, num_low)
    return found


def _as_ways(rows: int, num_squares: int) -> int:
    """The same set of full rows of so many squares: given with bit r for row r, returned with a bit for each way."""
    if num_squares == 0:
        return rows
    half: int = 1 << num_squares - 1
    step: int = 3 ** (num_squares - 1)
    last_0, last_1 = rows & (1 << half) - 1, rows >> half
    return _as_ways(last_0, num_squares - 1) << step | _as_ways(last_1, num_squares - 1) << 2 * step
