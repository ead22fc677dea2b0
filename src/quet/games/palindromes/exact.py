"""What a solver may use of this game: a table of its own, and keys that are equal where a symmetry joins positions."""

from .retrograde import Solution, is_quick, needed, solve
from .rules import State

__all__ = ["Solution", "bounds", "fits", "is_quick", "key", "needed", "solve"]

ALLOCATES = False  # what a search calls makes no list
METHOD = "retrograde analysis of all positions"


def fits(s: State) -> bool:
    """Whether keys tell all positions of this size apart."""
    return s.m <= 39


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    most = 0
    for centre in range(1, s.m):
        half = min(centre, s.m - centre)
        most += half * (half + 1)
    return -most, most


def key(s: State) -> int:
    """A number from 0 to 3^m - 1, the same for a row, its mirror image, and both with 0 and 1 exchanged.

    Each of these maps palindromes to palindromes and antipalindromes to antipalindromes.
    """
    forwards = backwards = forwards_other = backwards_other = 0
    for square in range(s.m):
        digit = s.digits[square] + 1
        forwards = 3 * forwards + digit
        forwards_other = 3 * forwards_other + (digit if digit == 0 else 3 - digit)
        digit = s.digits[s.m - 1 - square] + 1
        backwards = 3 * backwards + digit
        backwards_other = 3 * backwards_other + (digit if digit == 0 else 3 - digit)
    return min(min(forwards, backwards), min(forwards_other, backwards_other))
