"""What a solver may use of this game: a key for each position, the same for positions that a symmetry joins."""

from .rules import EMPTY, State

ALLOCATES = False  # what a search calls makes no list

UNIT = 2  # scores are sums of h * (h + 1), and so even


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


def num_squares(s: State) -> int:
    """The length of the row, in whose squares the digits are written."""
    return s.m


def place(s: State) -> tuple[int, int]:
    """The set of filled squares, the first square the lowest bit, and their digits as bits in the same order."""
    filled = digits = size = 0
    for square in range(s.m):
        if s.digits[square] != EMPTY:
            filled |= 1 << square
            digits |= s.digits[square] << size
            size += 1
    return filled, digits


def make(s: State, filled: int, digits: int) -> None:
    """Make s the position in which these squares hold these digits."""
    s.ply = 0
    for square in range(s.m):
        s.digits[square] = EMPTY
        if filled >> square & 1:
            s.digits[square] = digits >> s.ply & 1
            s.ply += 1
