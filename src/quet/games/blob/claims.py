"""What a checker of certificates has to know of Blob."""

from collections.abc import Mapping, Sequence

from .rules import State


def highest(s: State) -> int:
    return s.n  # as many lines as a player has


def lowest(s: State) -> int:
    return -highest(s)


def position(s: State) -> Sequence[Sequence[int]]:
    """The squares. They tell whose turn it is, and nothing depends on the order in which they were filled."""
    return [s.cells]


def room(s: State) -> Mapping[str, int]:
    """A number a square."""
    return dict.fromkeys(("cells", "edge", "place"), s.n * s.n)


def canonical(s: State) -> bytes:
    """The first in order of the grid and its images by two mirrors and both, which turn a row into a row."""
    n, cells = s.n, bytes(s.cells[: s.n * s.n])
    turned = cells[::-1]
    upside_down = b"".join(cells[i : i + n] for i in range(n * n - n, -1, -n))
    return min(cells, turned, upside_down, upside_down[::-1])
