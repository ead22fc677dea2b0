"""What a solver may use of this game: a key for each position."""

from .rules import EMPTY, State

ALLOCATES = False  # what a search calls makes no list


def fits(s: State) -> bool:
    """Whether keys of 63 bits tell all positions of this size apart."""
    return s.n <= 7


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    return 0, s.n * s.n


def key(s: State) -> int:
    """The filled squares as bits, the last one, and the step: the future depends on nothing else."""
    squares = s.n * s.n
    total = 0
    for square in range(squares):
        if s.numbers[square] != EMPTY:
            total |= 1 << square
    return (total * 64 + s.last) * 16 + s.step
