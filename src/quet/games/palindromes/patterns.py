"""What the strongest level learns of this game: the pairs about each centre, and short pieces of the row.

A pattern of a centre is, for each of the nearest pairs about it, whether it is empty, half full, equal or different. A
pattern of a piece is the digits that stand in eight squares in a row. Either also says how near the border is.
"""

from typing import Annotated

import numpy as np

from quet.core.state import Length, state
from quet.engine.arrays import Ints
from quet.engine.tree import mixed
from quet.engine.whole_patterns import gain as gain
from quet.engine.whole_patterns import settled as settled
from quet.engine.whole_patterns import step as step

from . import rules
from .rules import EMPTY
from .rules import is_over as is_over
from .rules import legal_moves as legal_moves
from .rules import most_moves as most_moves
from .rules import mover as mover
from .rules import num_players as num_players
from .rules import score as score

ALLOCATES = False
LOWER_IS_BETTER = False

LARGEST = 32  # length of a row whose patterns are learned
PAIRS = 7  # about a centre, the nearest
PIECE = 8  # squares of a piece
FULL_HALF = 1  # a pair of which one square is filled; 0 is an empty one
EQUAL, DIFFERENT = 2, 3
# A random number for each move; those of the written digits together are a position's key.
DIGITS = np.array([mixed(move) >> 1 for move in range(2 * LARGEST)], np.int64)
# The number of the first pattern of centres with so many pairs.
FIRST = np.array([sum(4**w for w in range(1, pairs)) for pairs in range(PAIRS + 2)], np.int64)
POWERS = np.array([3**k for k in range(PIECE + 1)], np.int64)

Row = Annotated[list[int], Length(LARGEST, "int32")]


@state
class State:
    """A position."""

    m: int  # length of the row
    ply: int  # digits written
    key: int
    digits: Row  # EMPTY, 0 or 1, from the left
    centres: Row  # for each middle between squares c-1 and c the states of its nearest pairs, 2 bits each
    pieces: Row  # for each square the digits, plus 1, of the piece that begins there, in base 3


def fits(s: rules.State) -> bool:
    """Whether the row is short enough."""
    return s.m <= LARGEST


def of(s: rules.State) -> State:
    """The same position."""
    made = State()
    made.m = s.m
    for square in range(s.m):
        made.digits[square] = EMPTY
    for square in range(s.m):
        if s.digits[square] != EMPTY:
            play(made, 2 * square + s.digits[square])
    return made


def play(s: State, move: int) -> None:
    square = move // 2
    digit = move % 2
    first = max(1, square - PAIRS + 1)
    for centre in range(first, min(s.m - 1, square + PAIRS) + 1):
        s.centres[centre] += added(s, centre, square, digit)
    for piece in range(max(0, square - PIECE + 1), min(s.m - PIECE, square) + 1):
        s.pieces[piece] += (digit + 1) * POWERS[square - piece]
    s.digits[square] = digit
    s.key ^= int(DIGITS[move])
    s.ply += 1


def added(s: State, centre: int, square: int, digit: int) -> int:
    """By how much the number of a centre grows when a digit is written; 0 where the square is in no pair of it."""
    k = centre - 1 - square if square < centre else square - centre
    if k >= num_pairs(s.m, centre):
        return 0
    other = s.digits[2 * centre - 1 - square]
    if other == EMPTY:
        return FULL_HALF << 2 * k
    return (EQUAL if other == digit else DIFFERENT) - FULL_HALF << 2 * k


def num_pairs(m: int, centre: int) -> int:
    """How many pairs a centre's pattern has."""
    return min(min(centre, m - centre), PAIRS)


def follow(s: State, step: int) -> None:
    """Play a move of the rules."""
    play(s, step)


def key(s: State) -> int:
    """A number that two positions of one game hardly ever share."""
    return s.key


def plies_left(s: State) -> int:
    """How many moves are still played."""
    return s.m - s.ply


def num_classes(m: int) -> int:
    """How many distances from the border a piece can have."""
    return max(0, (m - PIECE + 2) // 2)


def num_patterns(s: State) -> int:
    """How many patterns there are: of centres, and then of pieces."""
    return int(FIRST[PAIRS + 1] + num_classes(s.m) * POWERS[PIECE])


def patterns(s: State, out: list[int]) -> int:
    """Write the position's patterns, and return how many there are."""
    count = 0
    for centre in range(1, s.m):
        out[count] = centre_pattern(s, centre) + s.centres[centre]
        count += 1
    for piece in range(s.m - PIECE + 1):
        out[count] = piece_pattern(s, piece) + s.pieces[piece]
        count += 1
    return count


def centre_pattern(s: State, centre: int) -> int:
    """The pattern of an empty centre."""
    return int(FIRST[num_pairs(s.m, centre)])


def piece_pattern(s: State, piece: int) -> int:
    """The pattern of an empty piece."""
    return int(FIRST[PAIRS + 1] + min(piece, s.m - PIECE - piece) * POWERS[PIECE])


def changes(s: State, move: int, gone: list[int], come: list[int]) -> tuple[int, int]:
    """Write the patterns that a move takes away, and those that come instead; return how many of each."""
    square = move // 2
    digit = move % 2
    count = 0
    for centre in range(max(1, square - PAIRS + 1), min(s.m - 1, square + PAIRS) + 1):
        more = added(s, centre, square, digit)
        if more > 0:
            gone[count] = centre_pattern(s, centre) + s.centres[centre]
            come[count] = gone[count] + more
            count += 1
    for piece in range(max(0, square - PIECE + 1), min(s.m - PIECE, square) + 1):
        gone[count] = piece_pattern(s, piece) + s.pieces[piece]
        come[count] = gone[count] + (digit + 1) * int(POWERS[square - piece])
        count += 1
    return count, count


def alike(s: State) -> Ints:
    """For each pattern the least of those that are worth the same.

    Pairs don't count from the first one on that ends all patterns about a centre. A piece is worth the same as its
    mirror image, and as both with 0 and 1 exchanged.
    """
    least = np.arange(num_patterns(s))
    for pairs in range(1, PAIRS + 1):
        first = int(FIRST[pairs])
        codes = np.arange(4**pairs)
        shown = counting(codes, pairs)
        _, index, place = np.unique(shown, return_index=True, return_inverse=True)
        least[first : first + 4**pairs] = first + index[place]
    size = int(POWERS[PIECE])
    pieces = np.arange(size)
    digits = np.array([pieces // int(POWERS[k]) % 3 for k in range(PIECE)])
    other = np.where(digits == 0, 0, 3 - digits)
    powers = POWERS[:PIECE, None]
    same = np.min([(one * powers).sum(axis=0) for one in (digits, digits[::-1], other, other[::-1])], axis=0)
    for i in range(num_classes(s.m)):
        first = int(FIRST[PAIRS + 1]) + i * size
        least[first : first + size] = first + same
    return least


def counting(codes: Ints, pairs: int) -> Ints:
    """The numbers of centres without the pairs that don't count."""
    owner = np.zeros_like(codes)  # which state the first full pair has
    shown, is_dead = np.zeros_like(codes), np.zeros(len(codes), bool)
    for k in range(pairs):
        pair = codes >> 2 * k & 3
        shown += np.where(is_dead, 0, pair) << 2 * k
        is_full = pair >= EQUAL
        is_dead |= is_full & (owner > 0) & (pair != owner)
        owner = np.where(is_full & (owner == 0), pair, owner)
    return shown


def parts(s: State) -> Ints:
    """For each centre the palindromes and antipalindromes about it: whose each is, how long, and how many of its pairs
    are empty or half full.

    -1 stands for none, as where it can't come about any longer.
    """
    found = np.full((num_patterns(s), 2 * PAIRS), -1)
    for pairs in range(1, PAIRS + 1):
        codes = np.arange(4**pairs)
        inside = found[int(FIRST[pairs]) : int(FIRST[pairs]) + len(codes)]
        num_empty, num_half = np.zeros((2, len(codes)), np.int64)
        is_dead = np.zeros((2, len(codes)), bool)
        for k in range(pairs):
            pair = codes >> 2 * k & 3
            num_empty += pair == 0
            num_half += pair == FULL_HALF
            for player in range(2):
                is_dead[player] |= pair == (DIFFERENT, EQUAL)[player]
                number = ((player * PAIRS + k) * (PAIRS + 1) + num_empty) * (PAIRS + 1) + num_half
                inside[:, 2 * k + player] = np.where(is_dead[player], -1, number)
    return found
