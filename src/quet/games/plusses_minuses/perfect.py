"""Perfect play for the checker of certificates, in plain Python: whether player 1 reaches a difference of scores.

In the first part, pairs of lists are asked about until one of the players has a proof. In the second part all ways to
fill squares are tried for many pairs at once, the fullest first. A way to fill k squares is k rows, k columns, and a
permutation: which of the columns each row has. For each way there is one integer, with a bit for each pair of lists.
When player 1 moves, one good move is enough; when player 2 moves, all must be good.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import combinations, pairwise, permutations
from math import comb, factorial
from operator import and_, or_

Symbols = tuple[int, ...]  # 1 for + and -1 for -, in the order of play
Layer = dict[tuple[Symbols, Symbols], list[int]]  # by rows and columns, for each permutation in lexicographic order

TOGETHER = 512  # pairs of lists that are asked about together
_EACH = 120  # bytes of an integer with a bit for each pair, and of its place in a list


def num_moves(n: int) -> int:
    """How many moves the second part has, from all ways to fill squares."""
    return sum(comb(n, k) ** 2 * factorial(k) * (n - k) ** 2 for k in range(n))


def num_bytes(n: int) -> int:
    """How many bytes `Lists` takes with a `SecondPart`, or some more."""
    layers = [comb(n, k) ** 2 * factorial(k) for k in range(n + 1)]
    return _EACH * max(map(sum, pairwise(layers))) + 200 * layers[-1] + (16 << 20)


class Lists:
    """The first part: whether player 1 reaches a number, by pairs of lists until one player has a proof."""

    def __init__(
        self, n: int, reached: Callable[[Sequence[Symbols], int], Sequence[bool] | None], together: int
    ) -> None:
        """`reached` tells of at most so many pairs whether player 1 reaches a number; None when the time is over."""
        self._reached, self._together = reached, together
        self._num_symbols = 2 * (n - 1)

    def is_reached(self, v: int, *, is_likely: bool, begun: Symbols = ()) -> bool | None:
        """Whether player 1 reaches v after these symbols; None when the time is over. What is likely is tried first."""
        known: dict[Symbols, bool] = {}
        while needed := self._needed(begun, is_likely, known):
            some = needed[: self._together]
            while len(some) < self._together and needed:  # those that would be needed next if these were of no use
                useless = known | dict.fromkeys(some, not is_likely)
                needed = self._needed(begun, is_likely, useless)
                some += (needed or [])[: self._together - len(some)]
            found = self._reached(some, v)
            if found is None:
                return None
            known |= zip(some, found, strict=True)
        return (needed is not None) == is_likely

    def _needed(self, symbols: Symbols, proof: bool, asked: Mapping[Symbols, bool]) -> list[Symbols] | None:
        """The fewest pairs that still have to be asked for a proof after these symbols; None where there is none.

        Of two symbols that need as many, the one that repeats the other player's is chosen. But the last symbol is
        another one, since equal lists seldom decide anything but a draw.
        """
        if len(symbols) == self._num_symbols:
            known = asked.get(symbols)
            return [symbols] if known is None else [] if known is proof else None
        likely = symbols[-1] if symbols else -1  # to repeat the other's symbol is a good move in every proof known
        if len(symbols) == self._num_symbols - 1:
            likely = -likely
        both = [self._needed((*symbols, symbol), proof, asked) for symbol in (likely, -likely)]
        possible = [needed for needed in both if needed is not None]
        if (len(symbols) % 2 == 0) == proof:
            return min(possible, key=len, default=None)
        return possible[0] + possible[1] if len(possible) == 2 else None


class SecondPart:
    """The part of the game in which the grid is filled."""

    def __init__(self, n: int, first: int) -> None:
        self._n, self._first = n, first
        self._signs = [_signs(columns) for columns in permutations(range(n))]
        self._longer = [_longer(k) for k in range(n)]

    def reached(self, pairs: Sequence[Symbols], v: int) -> list[bool]:
        """Whether player 1 reaches a difference of at least v after each of these pairs of lists."""
        ends = _ends(pairs, self._n, v, set(self._signs))
        everything = tuple(range(self._n))
        layer: Layer = {(everything, everything): [ends[signs] for signs in self._signs]}
        for filled in range(self._n - 1, -1, -1):
            layer = self._fewer(layer, filled)
        reached = layer[(), ()][0]
        return [bool(reached >> i & 1) for i in range(len(pairs))]

    def _fewer(self, layer: Layer, filled: int) -> Layer:
        """The ways to fill so many squares, from those with one more."""
        best = or_ if (filled + self._first) % 2 else and_  # player 1 moves where that is odd
        found: Layer = {}
        for rows in combinations(range(self._n), filled):
            for columns in combinations(range(self._n), filled):
                moves = []
                for i, more_rows in _with_one_more(rows, self._n):
                    for j, more_columns in _with_one_more(columns, self._n):
                        after = layer[more_rows, more_columns]
                        moves.append(map(after.__getitem__, self._longer[filled][i][j]))
                found[rows, columns] = list(reduce(lambda some, other: map(best, some, other), moves))
        return found


def _with_one_more(some: Symbols, n: int) -> list[tuple[int, Symbols]]:
    """What rows or columns can be with one more, and which of them that is."""
    longer = [tuple(sorted({*some, one})) for one in range(n) if one not in some]
    return [(next(i for i, one in enumerate(more) if one not in some), more) for more in longer]


def _longer(k: int) -> list[list[list[int]]]:
    """For row i of k + 1, and column j, which permutation each permutation of k becomes with j in row i."""
    number = {columns: count for count, columns in enumerate(permutations(range(k + 1)))}
    shorter = list(permutations(range(k)))
    return [
        [
            [number[*made[:i], j, *made[i:]] for made in (tuple(c + (c >= j) for c in columns) for columns in shorter)]
            for j in range(k + 1)
        ]
        for i in range(k + 1)
    ]


def _signs(columns: Symbols) -> tuple[int, int]:
    """The truth lists of a full grid with these columns in its rows: bit k is 1 where the sign at place k is +."""
    heights = sorted(range(len(columns)), key=columns.__getitem__)
    first, second = (sum((line[k + 1] > line[k]) << k for k in range(len(line) - 1)) for line in (heights, columns))
    return first, second


def _ends(pairs: Sequence[Symbols], n: int, v: int, grids: set[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The pairs with which player 1 reaches v, for each two truth lists of a full grid."""
    first, second = (_by_score([symbols[player::2] for symbols in pairs], n) for player in (0, 1))
    found = {}
    for truth, other in grids:
        reached = 0
        for score, those in enumerate(second[other]):
            for least in range(max(0, score + v), n):
                reached |= first[truth][least] & those
        found[truth, other] = reached
    return found


def _by_score(lists: Sequence[Symbols], n: int) -> list[list[int]]:
    """For each truth list and each score, the lists that have it."""
    found = [[0] * n for _ in range(1 << n - 1)]
    numbers = [sum((sign > 0) << k for k, sign in enumerate(symbols)) for symbols in lists]
    for truth in range(1 << n - 1):
        for i, number in enumerate(numbers):
            found[truth][n - 1 - (truth ^ number).bit_count()] |= 1 << i
    return found
