"""A pairing of squares for the player who replies: player 2 where m is even, else player 1, who first fills square 1.

The squares are taken from left to right in blocks of two and of four, in turn, and in a block each square is paired
with its mirror image. Where m is even and isn't 2 more than a multiple of 6, one or two squares at each end are left,
and are paired with each other. In a block player 2 writes the opposite of the digit in the pair, player 1 the same
digit. `docs/proofs.md` tells what this holds, how that was checked, and why it goes no further.
"""

from .rules import State

METHOD = "a pairing of squares"
LONGEST = 52  # of m: up to here all rows that the pairing allows were looked at, and from 53 on it holds nothing


def find(s: State) -> list[tuple[int, dict[str, object]]]:
    """The value that the pairing holds, with the grounds for it as a certificate has them."""
    m = s.m
    if s.ply > 0 or m > LONGEST:
        return []
    if m % 2 == 1:
        return [(0, {"for": ["low"], "kind": "pairing", "first": "1=0", "pairs": _blocks(2, m, "same")})]
    if m % 6 == 2:
        ends: list[list[int | str]] = []
    elif m % 6 == 4:
        ends = [[1, m, "same"]]
    else:
        rule = "different" if m % 12 == 6 else "same"
        ends = [[1, m - 1, rule], [2, m, rule]]
    pairs = ends + _blocks(1 + len(ends), m - len(ends), "different")
    value = -4 if m % 6 == 0 else -2
    return [(value, {"for": ["high"], "kind": "pairing", "first": None, "pairs": pairs})]


def _blocks(first: int, last: int, rule: str) -> list[list[int | str]]:
    """The pairs of the squares from the first to the last one, counted from 1."""
    pairs: list[list[int | str]] = []
    size = 2
    while first <= last:
        size = min(size, last - first + 1)
        pairs += [[first + i, first + size - 1 - i, rule] for i in range(size // 2)]
        first += size
        size = 6 - size
    return pairs
