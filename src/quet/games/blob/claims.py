"""What a checker of certificates has to know of Blob."""

from collections.abc import Sequence

from .rules import State


def highest(s: State) -> int:
    return s.n  # as many lines as a player has


def lowest(s: State) -> int:
    return -highest(s)


def position(s: State) -> Sequence[Sequence[int]]:
    """The squares; the order in which they were filled changes nothing, but only whose turn it is, which they tell."""
    return [s.cells]
