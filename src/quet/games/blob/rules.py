"""Multiples/Divisors Blob Game, by Leroy Quet (1 April 2011).

Two players in turn fill a square of an n by n grid, each beside a filled one, floor(n^2/4) squares each. Player 1
scores the good rows and player 2 the good columns: a line is good if of any two run lengths one divides the other.

Squares of a 3x3 grid, and so moves (a1 = 0):    6 7 8
                                                 3 4 5
                                                 0 1 2
"""

from quet.core.grid import read_square, square_text
from quet.core.messages import say
from quet.core.parameters import Parameter
from quet.core.state import Squares, state

VERSION = 1
ALLOCATES = False
LOWER_IS_BETTER = False
PARAMETERS = (Parameter("n", 2, 20, 8, "side of the grid", "8 or more"),)

EMPTY, EDGE, FULL = 0, 1, 2  # EDGE: empty, and beside a filled square


@state
class State:
    """A position. The edge is kept as a list, because a playout asks for nothing else."""

    n: int  # side of the grid
    ply: int  # squares filled
    num_edge: int  # EDGE squares
    cells: Squares  # EMPTY, EDGE or FULL
    edge: Squares  # the first num_edge entries are the EDGE squares, in no order
    place: Squares  # where an EDGE square stands in edge


def start(s: State, n: int) -> None:
    s.n = n


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return s.n * s.n


def legal_moves(s: State, out: list[int]) -> int:
    if s.ply == 0:
        for square in range(s.n * s.n):
            out[square] = square
        return s.n * s.n
    if is_over(s):
        return 0
    for i in range(s.num_edge):
        out[i] = s.edge[i]
    return s.num_edge


def play(s: State, move: int) -> None:
    n = s.n
    if s.cells[move] == EDGE:
        s.num_edge -= 1
        moved = s.edge[s.num_edge]
        s.edge[s.place[move]] = moved
        s.place[moved] = s.place[move]
    s.cells[move] = FULL
    s.ply += 1
    row = move // n
    column = move - row * n
    if row > 0:
        _reach(s, move - n)
    if row < n - 1:
        _reach(s, move + n)
    if column > 0:
        _reach(s, move - 1)
    if column < n - 1:
        _reach(s, move + 1)


def _reach(s: State, square: int) -> None:
    if s.cells[square] == EMPTY:
        s.cells[square] = EDGE
        s.place[square] = s.num_edge
        s.edge[s.num_edge] = square
        s.num_edge += 1


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.ply == 2 * (s.n * s.n // 4)


def is_good(s: State, first: int, step: int) -> bool:
    """Whether the line of n squares from `first` in steps of `step` is good; a line of one run is (R8.1)."""
    lengths = 0  # bit k is set when some run has length k
    run = 0
    for i in range(s.n):
        run += 1
        square = first + i * step
        if i == s.n - 1 or (s.cells[square] == FULL) != (s.cells[square + step] == FULL):
            lengths |= 1 << run
            run = 0
    for a in range(2, s.n):
        if lengths >> a & 1:
            for b in range(a + 1, s.n):
                if lengths >> b & 1 and b % a != 0:
                    return False
    return True


def score(s: State, player: int) -> int:
    total = 0
    for i in range(s.n):
        if is_good(s, i * s.n, 1) if player == 1 else is_good(s, i, s.n):
            total += 1
    return total


def move_text(s: State, move: int) -> str:
    return square_text(move, s.n)


def read_move(s: State, text: str) -> int:
    return read_square(text, s.n)


def canonical(s: State) -> None:
    """Put the edge into the order of the squares."""
    squares = sorted(s.edge[: s.num_edge])
    s.edge[:] = squares + [0] * (len(s.edge) - s.num_edge)
    s.place[:] = [0] * len(s.place)
    for i in range(s.num_edge):
        s.place[squares[i]] = i


def broken_rule(s: State, move: int) -> str:
    if s.cells[move] == FULL:
        return say("{square} is filled already.", square=square_text(move, s.n))
    if s.ply > 0 and s.cells[move] != EDGE:
        return say("{square} is not beside a filled square.", square=square_text(move, s.n))
    return ""
