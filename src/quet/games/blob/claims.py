"""What a checker of certificates has to know of Blob."""

from collections.abc import Sequence

from .rules import State


def highest(s: State) -> int:
    return s.n  # as many lines as a player has


def lowest(s: State) -> int:
    return -highest(s)


def position(s: State) -> Sequence[Sequence[int]]:
    """The squares. They tell whose turn it is, and nothing depends on the order in which they were filled."""
    return [s.cells]
