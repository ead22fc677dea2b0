"""A pairing of squares for the player who replies: player 2 where m is even, else player 1, who first fills square 1.

The squares are taken from left to right in blocks of two and of four, in turn, and in a block each square is paired
with its mirror image. Where m is even and isn't 2 more than a multiple of 6, one or two squares at each end are left,
and are paired with each other. In a block player 2 writes the opposite of the digit in the pair, player 1 the same
digit. In rows of more than 52 squares the rule of a pair is broken now and then (`avoiding.py`). `docs/proofs.md` tells
what this holds, and how that was checked.
"""

import functools
import tomllib
from collections.abc import Sequence
from importlib.resources import files

from quet.core.messages import say

from .avoiding import Part, Plan, with_exchanged
from .rules import EMPTY, State, mover

Pair = tuple[int, int, str]  # two squares from 1, and whether their digits are the same or different

METHOD = "a pairing of squares"
LONGEST_KEPT = 52  # of m: up to here the pairing holds its value if the rules of all pairs are kept


def find(s: State) -> list[tuple[int, dict[str, object]]]:
    """The value that the pairing holds, with the grounds for it as a certificate has them."""
    if s.ply > 0:
        return []
    side, first = ("high", None) if s.m % 2 == 0 else ("low", "1=0")
    pairs = [[one, other, rule] for one, other, rule in _pairs(s.m)]
    ground: dict[str, object] = {"for": [side], "kind": "pairing", "first": first, "pairs": pairs}
    if s.m > LONGEST_KEPT:
        ground |= {"kind": "avoiding", "avoided": _avoided()[s.m]}
    return [(_value(s.m), ground)]


def hold(s: State, player: int) -> tuple[int, int] | None:
    """The value that the pairing holds for the player who replies, and the reply: the other square of a pair."""
    replier = 2 if s.m % 2 == 0 else 1
    if player != replier:
        return None
    if replier == 1 and s.digits[0] == EMPTY:
        return (_value(s.m), 0) if s.ply == 0 else None
    plan = _plan(s.m)
    row, free, waiting = 0, [], []
    for pair in plan.pairs:
        filled = [square for square in pair[:2] if s.digits[square] != EMPTY]
        digit = s.digits[filled[0]] ^ int(filled[0] == pair[1] and pair[2]) if filled else 0
        row |= digit << pair[0] | (digit ^ pair[2] if len(filled) < 2 else s.digits[pair[1]]) << pair[1]
        if not filled:
            free.append(pair)
        elif len(filled) < 2:
            waiting.append(pair[0] + pair[1] - filled[0])
    if replier == 1:
        row |= s.digits[0]
    if len(waiting) != int(mover(s) == player):
        return None
    if not waiting:
        return (_value(s.m), -1) if plan.is_safe(row, free) else None
    (square,) = waiting
    is_broken = plan.breaks(row, square, free)
    return None if is_broken is None else (_value(s.m), 2 * square + ((row >> square & 1) ^ int(is_broken)))


def why(s: State, move: int) -> str:
    """What the reply does, as a sentence."""
    square = move // 2 + 1
    for one, other, rule in _pairs(s.m):
        if square in (one, other):
            partner = one + other - square
            if move % 2 ^ s.digits[partner - 1] != int(rule == "different"):
                return say(
                    "Squares {one} and {other} are a pair, but by its rule too long a pattern might come about. "
                    "So it is broken.",
                    one=square,
                    other=partner,
                )
            if rule == "same":
                return say("Squares {one} and {other} are a pair: they get the same digit.", one=square, other=partner)
            return say("Squares {one} and {other} are a pair: they get different digits.", one=square, other=partner)
    return say("The other squares make pairs, so that every move has an answer.")


def plan(m: int, avoided: Sequence[str]) -> Plan:
    """How a row of m squares is filled, with the parts to be avoided."""
    pairs = [(one - 1, other - 1, int(rule == "different")) for one, other, rule in _pairs(m)]
    parts = with_exchanged([Part.read(text) for text in avoided])
    liked, limit = (1, _value(m)) if m % 2 == 0 else (2, -_value(m))
    return Plan(m, pairs, parts, liked, limit)


@functools.cache
def _plan(m: int) -> Plan:
    return plan(m, _avoided()[m] if m > LONGEST_KEPT else [])


@functools.cache
def _avoided() -> dict[int, list[str]]:
    """The parts to be avoided in rows of each length, as `bench/avoided.py` finds them."""
    text = (files(__package__) / "avoided.toml").read_text("utf-8")
    return {int(m): parts for m, parts in tomllib.loads(text).items()}


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
