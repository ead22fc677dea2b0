"""What a checker of certificates has to know of Up And Up."""

from collections.abc import Sequence

from .rules import EMPTY, State


def highest(s: State) -> int:
    return s.n**2  # a number a square


def lowest(s: State) -> int:
    return 1


def position(s: State) -> Sequence[int | Sequence[int]]:
    """The squares with a number, the last one and the step. The order of the other numbers doesn't matter any more."""
    return [[number != EMPTY for number in s.numbers], s.last, s.step]
