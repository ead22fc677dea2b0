"""A pairing of squares whose player breaks the rule of a pair once or twice, so that some rows never come about.

A few of the long rows that keep the rules of all pairs are good for the opponent: those with very long patterns. A
*part* is what such rows have in common: some pairs with their digits. When the reply by the rule would complete a part,
the player who replies may write the other digit.

A position in which no square of a pair waits for its partner is *safe*

- if all rules were kept and no part is there, or
- if no row that keeps the rules from here on is above the limit, or
- if each row above it can be left: some of its free pairs are such that, whichever of them is filled last, after the
  other digit no row is above the limit.

The player who replies goes from one safe position to the next. `docs/proofs.md` proves that.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

Pair = tuple[int, int, int]  # two squares from 0, and 1 where their digits differ

MOST_FREE = 10  # pairs that may be free where all rows are looked at


@dataclass(frozen=True)
class Part:
    """Some squares, a bit for each, and their digits."""

    squares: int
    digits: int

    @classmethod
    def read(cls, text: str) -> "Part":
        """From a row with a dot for each square that isn't in the part."""
        return cls(_bits(text, "01"), _bits(text, "1"))

    def is_in(self, row: int, filled: int = -1) -> bool:
        return not self.squares & ~filled and row & self.squares == self.digits


@dataclass(frozen=True)
class Plan:
    """The pairs, the parts that are never completed, and how much the opponent may lead by in the end.

    Rows are integers with a bit for each square. Free pairs in a row have digits that keep their rules.
    """

    m: int
    pairs: Sequence[Pair]
    parts: Sequence[Part]  # also with 0 and 1 exchanged, where no square is filled first
    liked: int  # the opponent: 1 wants palindromes, 2 antipalindromes
    limit: int
    step: Callable[[], None] = field(default=lambda: None, compare=False)  # called before each look at a reply
    flips: dict[Pair, int] = field(init=False, repr=False, compare=False)  # both squares of a pair

    def __post_init__(self) -> None:
        object.__setattr__(self, "flips", {pair: 1 << pair[0] | 1 << pair[1] for pair in self.pairs})

    def is_whole(self, row: int, free: Sequence[Pair]) -> bool:
        """Whether all rules are kept, and no part is there."""
        filled = ~sum(self.flips[pair] for pair in free)
        return not self.broken(row) and not any(part.is_in(row, filled) for part in self.parts)

    def broken(self, row: int) -> list[Pair]:
        """The pairs whose digits don't keep their rule."""
        return [pair for pair in self.pairs if (row >> pair[0] ^ row >> pair[1]) & 1 != pair[2]]

    def is_safe(self, row: int, free: Sequence[Pair]) -> bool:
        return self.is_whole(row, free) or self.can_be_held(row, free)

    def can_be_held(self, row: int, free: Sequence[Pair]) -> bool:
        """Whether the player who replies can end within the limit by keeping the rules, or by breaking one more."""
        return len(free) <= MOST_FREE and all(self._can_be_left(bad, free) for bad in self.above(row, free))

    def above(self, row: int, free: Sequence[Pair]) -> Iterator[int]:
        """The rows above the limit, of those that differ from this one in free pairs."""
        for number in range(1 << len(free)):
            if number:
                row ^= self.flips[free[(number & -number).bit_length() - 1]]
            if lead(self.m, row, self.liked) > self.limit:
                yield row

    def is_within(self, row: int, free: Sequence[Pair]) -> bool:
        """Whether none of these rows is above the limit."""
        return next(self.above(row, free), None) is None

    def breaks(self, row: int, square: int, free: Sequence[Pair]) -> bool | None:
        """Whether the reply in this square breaks the rule, which the row keeps; None if no reply is safe."""
        if self.is_safe(row, free):
            return False
        return True if self.is_safe(row ^ 1 << square, free) else None

    def avoids(self, row: int, pair: Pair, others: Sequence[Pair]) -> bool:
        """Whether there is a safe reply in either square of the pair, with these others free or filled in any way.

        All other pairs are as in the row, and have been filled.
        """
        return all(self._has_reply(row, 1 << square, [], others) for square in pair[:2])

    def _has_reply(self, row: int, bit: int, free: list[Pair], others: Sequence[Pair]) -> bool:
        """Whether the row, or the one with this bit changed, can be held with the others filled in any way."""
        self.step()
        if self.is_within(row ^ bit, [*free, *others]):
            return True
        if not others:
            return self.can_be_held(row, free) or self.can_be_held(row ^ bit, free)
        pair, *rest = others
        return (
            self._has_reply(row, bit, [*free, pair], rest)
            and self._has_reply(row, bit, free, rest)
            and self._has_reply(row ^ self.flips[pair], bit, free, rest)
        )

    def _can_be_left(self, row: int, free: Sequence[Pair]) -> bool:
        """Whether some of the free pairs can't all be filled as in this row without a chance to break a rule."""
        kept, others = list(free), list[Pair]()
        while True:
            bad = [pair for pair in kept if not all(self.is_within(row ^ 1 << s, others) for s in pair[:2])]
            if not bad:
                return bool(kept)
            kept = [pair for pair in kept if pair not in bad]
            others += bad


@functools.lru_cache(maxsize=1 << 18)
def lead(m: int, row: int, liked: int) -> int:
    """How much the player who likes palindromes (1) or antipalindromes (2) leads by in a full row."""
    total = 0
    mirrored = int(f"{row:0{m}b}"[::-1], 2)
    for centre in range(1, m):
        differ = row >> centre ^ mirrored >> m - centre
        sign = -1 if differ & 1 else 1
        changes = ~differ if differ & 1 else differ  # the lowest bit that is 1 ends the pattern
        half = min(centre, m - centre, (changes & -changes).bit_length() - 1 if changes else m)
        total += sign * half * (half + 1)
    return total if liked == 1 else -total


def with_exchanged(parts: Sequence[Part]) -> list[Part]:
    """The parts, and each with 0 and 1 exchanged."""
    return [*parts, *(Part(part.squares, part.squares ^ part.digits) for part in parts)]


def _bits(text: str, counted: str) -> int:
    return sum(1 << square for square, digit in enumerate(text) if digit in counted)
