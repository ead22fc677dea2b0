"""What a solver may use of this game: a key for each position, the same for positions that a symmetry joins."""

from .rules import EMPTY, State

ALLOCATES = False  # what a search calls makes no list

UNIT = 2  # scores are sums of h * (h + 1), and so even


def fits(s: State) -> bool:
    """Whether keys tell all positions of this size apart."""
    return s.m <= 39


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    most = (s.m + 1) ** 3
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


def num_positions(s: State) -> int:
    """How many positions there are: each square empty, 0 or 1."""
    return int(3**s.m)


def index(s: State) -> int:
    """The number of a position, from 0: digits of base 3, the first square the lowest, 0 for an empty square."""
    total = 0
    for square in range(s.m - 1, -1, -1):
        total = 3 * total + s.digits[square] + 1
    return total


def make(s: State, index: int) -> None:
    """Make s the position of this number."""
    s.ply = 0
    for square in range(s.m):
        s.digits[square] = index % 3 - 1
        index //= 3
        if s.digits[square] != EMPTY:
            s.ply += 1


def num_places(s: State) -> int:
    """How many numbers make a block: the positions that are the same but for the first five squares."""
    return int(3 ** min(s.m, 5))


def offset(move: int) -> int:
    """How much larger the number of the position after a move is."""
    power = 1
    for _ in range(move // 2):
        power *= 3
    return power * (1 + move % 2)
