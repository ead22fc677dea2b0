"""A random end of the game: one random word for all empty squares, and a random half of them for each player."""

from quet.engine.arrays import Floats, Ints, Words
from quet.engine.playouts import num_bits, random_bits, random_part

from . import rules
from .rules import State

ALLOCATES = False
LONGEST = 62  # a row whose squares are bits of one number


def num_moves(s: State) -> int:
    """A number above that of every move; 0 for a longer row."""
    return 2 * s.m if s.m <= LONGEST else 0


def finish(s: State, room: list[int], rng: Words, made: Ints, scores: Floats) -> None:
    """Draw an end of s, as the protocol RandomEnd of `quet.capabilities` says."""
    digits = empty = 0
    for square in range(s.m):
        digit = s.digits[square]
        if digit == rules.EMPTY:
            empty |= 1 << square
        else:
            digits |= digit << square
    digits |= random_bits(rng) & empty
    player = rules.mover(s)
    part = random_part(rng, empty, (s.m - s.ply + 1) // 2)
    for i in range(0, s.m, 16):
        write(made, player, i // 16, part >> i & 0xFFFF, digits >> i & 0xFFFF)
        write(made, 3 - player, i // 16, (empty & ~part) >> i & 0xFFFF, digits >> i & 0xFFFF)
    scores[1] = score(digits, s.m, 0)
    scores[2] = score(digits, s.m, 1)


def write(made: Ints, player: int, i: int, squares: int, digits: int) -> None:
    """Add the moves in 16 squares that this player fills: bit 2 * square + digit for each."""
    made[player, i] |= apart(squares & digits) << 1 | apart(squares & ~digits)


def apart(x: int) -> int:
    """16 bits, with a 0 above each."""
    x = (x | x << 8) & 0x00FF00FF
    x = (x | x << 4) & 0x0F0F0F0F
    x = (x | x << 2) & 0x33333333
    return (x | x << 1) & 0x55555555


def score(digits: int, m: int, other: int) -> int:
    """The score of a full row of m digits, as bits: of player 1 if `other` is 0, of player 2 if it is 1."""
    # The bits of `centres` are centres about which every pattern up to a half length is good. Each step makes the
    # half length longer by one, which adds 2 to the length of the pattern.
    total = 0
    centres = (1 << m) - 2
    for half in range(1, m // 2 + 1):
        differ = digits << half ^ digits >> half - 1
        centres &= (differ if other else ~differ) & (1 << m - half + 1) - (1 << half)
        if centres == 0:
            break
        total += 2 * half * num_bits(centres)
    return total
