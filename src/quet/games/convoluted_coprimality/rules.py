"""Convoluted Coprimality, by Leroy Quet (26 May 2009).

Players write 1, 2, 3, ... along a winding path from the upper left square of an n by n grid, each turn ending with
a prime; a square off the border must be beside two filled ones. Who writes a number beside one that it shares a
factor with is eliminated; the last player in the game wins.

Squares of a 3x3 grid, and so moves (a1 = 0):    6 7 8
                                                 3 4 5
                                                 0 1 2
"""

from quet.core.grid import column_of, is_beside, read_square, square_text
from quet.core.messages import say
from quet.core.numbers import gcd, is_prime
from quet.core.parameters import Parameter
from quet.core.state import Players, Squares, state

VERSION = 1
ALLOCATES = False
LOWER_IS_BETTER = False
PARAMETERS = (
    Parameter("n", 2, 20, 12, "side of the grid", "12 or more", solved_to=60),
    Parameter("players", 2, 8, 2, "how many play"),
    Parameter("grids", 1, 1000, 10, "grids blocked before those still in the game share the win"),
)

EMPTY = 0


@state
class State:
    """A position. The program writes the 1 of every grid (R4.1)."""

    n: int  # side of the grid
    players: int  # at the start
    grids: int  # how many may be blocked
    grid: int  # the grid being filled, from 1
    number: int  # the last number written
    last: int  # its square
    mover: int  # who writes the next number
    num_left: int  # players not eliminated
    is_over: int  # 1 when one is left or the last grid is blocked
    is_left: Players  # 1 for a player not eliminated, else 0
    numbers: Squares  # the number written, or EMPTY


def start(s: State, n: int, players: int, grids: int) -> None:
    s.n = n
    s.players = s.num_left = players
    s.grids = grids
    if n * n > len(s.numbers):  # larger than what is played; such a state can't be packed for a compiled search
        s.numbers = [EMPTY] * (n * n)
    for player in range(1, players + 1):
        s.is_left[player] = 1
    _new_grid(s)


def _new_grid(s: State) -> None:
    s.grid += 1
    for square in range(s.n * s.n):
        s.numbers[square] = EMPTY
    s.last = (s.n - 1) * s.n
    s.number = s.numbers[s.last] = 1
    s.mover = 0
    _pass_turn(s)


def _pass_turn(s: State) -> None:
    """Make the next player left the mover, in the order 1, 2, ..., N, 1, ..."""
    s.mover = s.mover + 1 if s.mover < s.players else 1
    while not s.is_left[s.mover]:
        s.mover = s.mover + 1 if s.mover < s.players else 1


def num_players(s: State) -> int:
    return s.players


def most_moves(s: State) -> int:
    return 4


def legal_moves(s: State, out: list[int]) -> int:
    if s.is_over:
        return 0
    n = s.n
    column = column_of(s.last, n)
    count = 0
    if s.last >= n and can_take(s, s.last - n, column):
        out[count] = s.last - n
        count += 1
    if column > 0 and can_take(s, s.last - 1, column - 1):
        out[count] = s.last - 1
        count += 1
    if column < n - 1 and can_take(s, s.last + 1, column + 1):
        out[count] = s.last + 1
        count += 1
    if s.last < n * n - n and can_take(s, s.last + n, column):
        out[count] = s.last + n
        count += 1
    return count


def can_take(s: State, square: int, column: int) -> bool:
    """Whether a square beside the last number is empty, and on the border or beside a second filled square.

    Its column is given, as dividing takes longer than all the rest.
    """
    n = s.n
    if s.numbers[square] != EMPTY:
        return False
    if square < n or square >= n * n - n or column == 0 or column == n - 1:
        return True
    beside = (
        (s.numbers[square - n] != EMPTY)
        + (s.numbers[square - 1] != EMPTY)
        + (s.numbers[square + 1] != EMPTY)
        + (s.numbers[square + n] != EMPTY)
    )
    return beside >= 2


def eliminates(s: State, square: int) -> bool:
    """Whether the next number would stand in `square` beside one that it shares a factor with."""
    n = s.n
    column = column_of(square, n)
    return (
        (square >= n and shares_factor(s, square - n))
        or (column > 0 and shares_factor(s, square - 1))
        or (column < n - 1 and shares_factor(s, square + 1))
        or (square < n * n - n and shares_factor(s, square + n))
    )


def shares_factor(s: State, square: int) -> bool:
    """Whether the number in `square`, if any, shares a factor with the next one. The last number never does."""
    number = s.numbers[square]
    return number != EMPTY and number != s.number and gcd(s.number + 1, number) > 1


def play(s: State, move: int) -> None:
    """In this order (R4.4): elimination, one player left, the turn passes, a blocked grid is renewed."""
    column = column_of(move, s.n)
    is_eliminated = eliminates(s, move)
    s.number += 1
    s.numbers[move] = s.number
    s.last = move
    if is_eliminated:
        s.is_left[s.mover] = 0
        s.num_left -= 1
        if s.num_left == 1:
            s.is_over = 1
            return
    if is_eliminated or is_prime(s.number):
        _pass_turn(s)
    if is_blocked(s, column):
        if s.grid == s.grids:
            s.is_over = 1
        else:
            _new_grid(s)


def is_blocked(s: State, column: int) -> bool:
    """Whether no square can take the next number; the last one stands in this column."""
    n = s.n
    return not (
        (s.last >= n and can_take(s, s.last - n, column))
        or (column > 0 and can_take(s, s.last - 1, column - 1))
        or (column < n - 1 and can_take(s, s.last + 1, column + 1))
        or (s.last < n * n - n and can_take(s, s.last + n, column))
    )


def mover(s: State) -> int:
    return s.mover


def is_over(s: State) -> bool:
    return s.is_over == 1


def score(s: State, player: int) -> int:
    return s.is_left[player]


def move_text(s: State, move: int) -> str:
    return square_text(move, s.n)


def read_move(s: State, text: str) -> int:
    return read_square(text, s.n)


def broken_rule(s: State, move: int) -> str:
    square, last = square_text(move, s.n), square_text(s.last, s.n)
    if s.numbers[move] != EMPTY:
        return say("{square} holds {number} already.", square=square, number=s.numbers[move])
    if not is_beside(move, s.last, s.n):
        return say("{square} is not beside {last}, where {number} stands.", square=square, last=last, number=s.number)
    if not can_take(s, move, column_of(move, s.n)):
        return say("{square} is off the border and beside no filled square but {last}.", square=square, last=last)
    return ""
