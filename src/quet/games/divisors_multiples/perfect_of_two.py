"""Perfect play of two players for the checker of certificates: as in `perfect.py`, many numbers at a time.

The *balance* of a position is what the mover has yet to pay less what the other player has, by perfect play. The mover
wants it to be small.

Long integers of Python join numbers, so that one operation is done on all of them. Each has a *field* of 16 bits, whose
highest bit is 0. A *row* has a field for each set of a block. A *column* has a row for each number at which a walk may
start: for 1, for the open numbers in ascending order, and for the taken ones. So the cost of a walk stands in all
fields of a row, and what is different in each set, such as the balance, is added to all rows at once.
"""

from collections.abc import Sequence
from struct import Struct

from .perfect import inner, outer, walks_by_1

_FIELD = 16  # bits
_NUMBER = (1 << _FIELD) - 1
_ZERO = 1 << _FIELD - 2  # what stands for a balance of 0, as fields can't be below zero
_FAR = _ZERO + (_ZERO >> 1)  # more than any balance; a field has room for a walk besides


def num_bytes_of_two(r: int) -> int:
    """How many bytes `AllSetsOfTwo` takes, or some more."""
    return (1 << r) + (1 << 24)


class AllSetsOfTwo:
    """The balances after each first turn, when nothing is paid yet. Sets and blocks are those of `perfect.AllSets`."""

    pays = -1
    """What it adds to a liking if the player pays 1."""

    def __init__(self, r: int) -> None:
        self._outer, self._inner = outer(r), inner(r)
        self._size_of_block = size = 1 << len(self._outer)
        self._row = size * _FIELD
        self._struct = Struct(f"<{size}H")
        most_rows = len(self._inner) + 1
        one = sum(1 << _FIELD * i for i in range(size))
        # By the number of rows: 1 in every field; the highest bit of every field; all bits.
        self._ones = [sum(one << self._row * i for i in range(rows)) for rows in range(most_rows + 1)]
        self._high = [ones << _FIELD - 1 for ones in self._ones]
        self._all = [ones * _NUMBER for ones in self._ones]
        # For each set the numbers to stop on, and which set comes then.
        self._stops = [
            [(q, set_ | 1 << i) for i, q in enumerate(self._outer) if not set_ >> i & 1] for set_ in range(size)
        ]
        # For each inner number y the rows of balances where y is the current number, in the sets with y that were tried
        # last, below zero: so the player who stopped there pays. See `AllSets`.
        self._after_stop = {y: bytearray(2 * size << bit) for bit, y in enumerate(self._inner)}
        # For the block that was tried last the balances where 1 is the current number.
        self._from_1 = [0] * size
        columns = [
            sum(cost * one << self._row * i for i, cost in enumerate(costs))
            for costs in zip(*walks_by_1(r).values(), strict=True)
        ]
        self._try_sets(len(self._inner), columns, [], [], 0)
        self.liking = _ZERO - self._from_1[0]
        """What player 2 pays less what player 1 pays, by perfect play."""

    def result(self) -> tuple[int]:
        """What player 1 pays less what player 2 pays, by perfect play."""
        return (-self.liking,)

    def liking_of_stop(self, y: int) -> int:
        """How player 1 likes it to have stopped on y first, without what this turn costs."""
        if y in self._after_stop:
            return _ZERO - int.from_bytes(self._after_stop[y][:2], "little")
        after = 1 << self._outer.index(y)
        is_over = not self._inner and after == self._size_of_block - 1
        return 0 if is_over else 2 * y + self._from_1[after] - _ZERO

    def _try_sets(
        self, num_open: int, columns: Sequence[int], free: Sequence[int], taken: Sequence[int], block: int
    ) -> None:
        """As `AllSets` does: a column for each end that a walk may have there."""
        if num_open == 0:
            self._try_block(columns, free, taken, block)
            return
        y, bit = self._inner[num_open - 1], 1 << num_open - 1
        *others, to_free, to_taken = columns
        rows = 1 + num_open + len(taken)
        after = self._with_step(others, to_taken, num_open, rows)
        self._try_sets(num_open - 1, after, free, [y, *taken], block | bit)
        after = self._with_step(others, to_free, num_open, rows)
        after.insert(1 + len(free), to_free)
        below, above, at = self._all[num_open], self._row * (num_open + 1), self._row * num_open
        after = [column & below | column >> above << at for column in after]  # nobody starts at y
        self._try_sets(num_open - 1, after, [*free, y], taken, block)

    def _with_step(self, columns: Sequence[int], to_y: int, y: int, rows: int) -> list[int]:
        """The columns when a number may be stepped on. It has the row y; `to_y` is what it costs to come there."""
        ones, at_y = self._ones[rows], self._row * y
        return [self._least(to_y + ones * (column >> at_y & _NUMBER), column, rows) for column in columns]

    def _least(self, a: int, b: int, rows: int) -> int:
        """The smaller number of each field."""
        high = self._high[rows]
        difference = (a | high) - b  # the highest bit stays where a >= b
        a_is_more = difference & high
        if a_is_more == high:
            return b
        return a - (difference & a_is_more - (a_is_more >> _FIELD - 1))

    def _try_block(self, columns: Sequence[int], free: Sequence[int], taken: Sequence[int], block: int) -> None:
        """Find the balances in all sets of a block. All sets that contain one of them and more were tried before."""
        rows, size = 1 + len(taken), 2 * self._size_of_block
        balances = self._ones[rows] * _FAR
        for y, column in zip(free, columns[1:], strict=True):
            after_y = self._after_stop[y][self._block_with(y, block)]
            balances = self._least(balances, column + int.from_bytes(after_y * rows, "little"), rows)
        row_of_1 = (balances & self._all[1]).to_bytes(size, "little")
        outers = self._stop_on_outer(list(self._struct.unpack(row_of_1)), are_inner_taken=not free)
        balances = self._least(balances, columns[0] + int.from_bytes(outers * rows, "little"), rows)
        after_stop = (self._ones[rows] * 2 * _ZERO - balances).to_bytes(size * rows, "little")
        for i, y in enumerate(taken, 1):
            stops = after_stop[size * i : size * (i + 1)]
            # Where all numbers are taken, the game is over.
            self._after_stop[y][self._block_with(y, block)] = (
                stops if free else stops[:-2] + _ZERO.to_bytes(2, "little")
            )

    def _stop_on_outer(self, balances: list[int], *, are_inner_taken: bool) -> bytes:
        """The row of what comes after a stop on an outer number, for a player in 1.

        `balances` are those of a player in 1 who stops on an inner number. They become those of perfect play.
        """
        found = [_FAR] * self._size_of_block
        last = self._size_of_block - 1
        for set_ in range(last - 1, -1, -1):
            # The player pays q. Then the other pays 2 q to go back to 1, unless the game is over.
            found[set_] = min(
                _ZERO + q if are_inner_taken and after == last else 2 * _ZERO - q - balances[after]
                for q, after in self._stops[set_]
            )
            balances[set_] = min(balances[set_], found[set_])
        self._from_1 = balances
        return self._struct.pack(*found)

    def _block_with(self, y: int, block: int) -> slice:
        """Where a block is in what `_after_stop` has of y, whether y is taken in the block or not."""
        first = (block & (1 << self._inner.index(y)) - 1) * 2 * self._size_of_block
        return slice(first, first + 2 * self._size_of_block)
