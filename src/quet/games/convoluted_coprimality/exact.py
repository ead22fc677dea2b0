"""What a solver may use of this game: keys on the smallest grids; on larger ones a tree search soon knows who wins."""

from .rules import State

ALLOCATES = False  # what a search calls makes no list

SIGN_IS_VALUE = True  # a win is worth 1, a shared one 0, a loss -1: whoever knows who wins knows the value


def fits(s: State) -> bool:
    """Whether keys of 63 bits tell all positions of two players of this size apart: four bits a square."""
    return s.n <= 3 and s.players == 2


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position can have."""
    return -1, 1


def most_plies(s: State) -> int:
    """A bound on the moves of a game."""
    return s.grids * s.n * s.n


def key(s: State) -> int:
    """The grid's number, the mover, who is left, and the number in each square (n <= 3), for two players."""
    total = (s.grid * 4 + s.mover) * 4 + 2 * s.is_left[1] + s.is_left[2]
    for square in range(s.n * s.n):
        total = 16 * total + s.numbers[square]
    return total
