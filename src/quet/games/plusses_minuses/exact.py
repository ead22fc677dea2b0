"""What a solver may use of this game: a key for each position."""

from .rules import State

ALLOCATES = False  # what a search calls makes no list
COMPACT = f"{__package__}.compact"  # the same game for a search alone


def fits(s: State) -> bool:
    """Whether keys of 63 bits tell all positions of this size apart."""
    return s.n <= 9


def left_in_any_order(s: State) -> int:
    """The squares that are still to be filled; 0 while symbols are written, whose order matters."""
    return 3 * s.n - 2 - s.ply if s.ply >= 2 * (s.n - 1) else 0


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    return 1 - s.n, s.n - 1


def key(s: State) -> int:
    """The predictions in base 3, then the height of each column in base n + 1."""
    total = 0
    for i in range(2 * (s.n - 1)):
        total *= 3
        if i < s.ply:
            total += 1 if s.predicted[i] < 0 else 2
    for column in range(s.n):
        total = (s.n + 1) * total + s.height[column]
    return total
