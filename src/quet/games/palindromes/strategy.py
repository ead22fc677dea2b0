"""A pairing of squares for the player who replies: player 2 where m is even, else player 1, who first fills square 1.

The squares are taken from left to right in blocks of two and of four, in turn, and in a block each square is paired
with its mirror image. Where m is even and isn't 2 more than a multiple of 6, one or two squares at each end are left,
and are paired with each other. In a block player 2 writes the opposite of the digit in the pair, player 1 the same
digit. `docs/proofs.md` tells what this holds, how that was checked, and why it goes no further.
"""

import functools

from quet.core.messages import say

from .rules import EMPTY, State, mover

Pair = tuple[int, int, str]  # two squares from 1, and whether their digits are the same or different

METHOD = "a pairing of squares"
LONGEST = 52  # of m: up to here all rows that the pairing allows were looked at, and from 53 on it holds nothing


def find(s: State) -> list[tuple[int, dict[str, object]]]:
    """The value that the pairing holds, with the grounds for it as a certificate has them."""
    if s.ply > 0 or s.m > LONGEST:
        return []
    side, first = ("high", None) if s.m % 2 == 0 else ("low", "1=0")
    pairs = [[one, other, rule] for one, other, rule in _pairs(s.m)]
    return [(_value(s.m), {"for": [side], "kind": "pairing", "first": first, "pairs": pairs})]


def hold(s: State, player: int) -> tuple[int, int] | None:
    """The value that the pairing holds for the player who replies, and the reply: the other square of a pair."""
    replier = 2 if s.m % 2 == 0 else 1
    if player != replier or s.m > LONGEST:
        return None
    if replier == 1 and s.digits[0] == EMPTY:
        return (_value(s.m), 0) if s.ply == 0 else None
    move = -1  # fills the other square of the pair that is half full
    for one, other, rule in _pairs(s.m):
        left, right, differ = s.digits[one - 1], s.digits[other - 1], int(rule == "different")
        if (left == EMPTY) != (right == EMPTY):
            if move >= 0:
                return None
            move = 2 * (other - 1) + (left ^ differ) if right == EMPTY else 2 * (one - 1) + (right ^ differ)
        elif left != EMPTY and left ^ right != differ:
            return None
    return (_value(s.m), move) if (move >= 0) == (mover(s) == player) else None


def why(s: State, move: int) -> str:
    """What the reply does, as a sentence."""
    square = move // 2 + 1
    for one, other, rule in _pairs(s.m):
        if square in (one, other):
            partner = one + other - square
            if rule == "same":
                return say("Squares {one} and {other} are a pair: they get the same digit.", one=square, other=partner)
            return say("Squares {one} and {other} are a pair: they get different digits.", one=square, other=partner)
    return say("The other squares make pairs, so that every move has an answer.")


def _value(m: int) -> int:
    """What the pairing of a row of m holds."""
    if m % 2 == 1:
        return 0
    return -4 if m % 6 == 0 else -2


@functools.cache
def _pairs(m: int) -> list[Pair]:
    """The pairs of a row of m, those at its ends first."""
    if m % 2 == 1:
        return _blocks(2, m, "same")
    ends: list[Pair] = []
    if m % 6 == 4:
        ends = [(1, m, "same")]
    elif m % 6 == 0:
        rule = "different" if m % 12 == 6 else "same"
        ends = [(1, m - 1, rule), (2, m, rule)]
    return ends + _blocks(1 + len(ends), m - len(ends), "different")


def _blocks(first: int, last: int, rule: str) -> list[Pair]:
    """The pairs of the squares from the first to the last one, counted from 1."""
    pairs: list[Pair] = []
    size = 2
    while first <= last:
        size = min(size, last - first + 1)
        pairs += [(first + i, first + size - 1 - i, rule) for i in range(size // 2)]
        first += size
        size = 6 - size
    return pairs
