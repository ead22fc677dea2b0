"""Sequence Ascension Solitaire Grid Game, by Leroy Quet (22 July 2009).

Place the terms of a sequence in an n by n grid, each touching the one before, until no touching square is empty;
then draw a path that steps from square to touching square and never descends. The score is the number of squares on
the path.

Squares of a 3x3 grid, and so moves (a1 = 0):    6 7 8
                                                 3 4 5
                                                 0 1 2
"""

from quet.core.grid import is_touching, read_square, square_text
from quet.core.messages import say
from quet.core.parameters import Parameter, TermsParameter
from quet.core.sequences import Terms
from quet.core.state import Squares, state

VERSION = 1
ALLOCATES = False
LOWER_IS_BETTER = False
PARAMETERS = (
    Parameter("n", 2, 20, 5, "side of the grid", "5 to 10"),
    TermsParameter("sequence", "divisors", "the integers to place, at least n*n of them", side="n"),
)

EMPTY = 0


@state
class State:
    """A position. Only the order of the terms matters, so the state holds their ranks."""

    n: int  # side of the grid
    count: int  # terms placed
    is_placing: int  # 1 in the first part, 0 in the second
    length: int  # squares on the path
    last: int  # the square filled or stepped to last; meaningless before a first term or start of the path
    ranks: Squares  # of the terms from a(1) on: equal terms have equal ranks, larger terms larger ones
    index: Squares  # k where a(k) stands, or EMPTY
    path: Squares  # 1, 2, ... along the path, or EMPTY


def start(s: State, n: int, sequence: Terms) -> None:
    s.n = n
    s.is_placing = 1
    terms = sequence.used
    rank = {term: i for i, term in enumerate(sorted(set(terms)))}
    for k in range(n * n):
        s.ranks[k] = rank[terms[k]]


def num_players(s: State) -> int:
    return 1


def most_moves(s: State) -> int:
    return s.n * s.n


def legal_moves(s: State, out: list[int]) -> int:
    """At first any empty square, or any start of the path; then at most eight touching squares. In ascending order."""
    n = s.n
    count = 0
    if s.count == 0 or (not s.is_placing and s.length == 0):
        for square in range(n * n):
            if s.count == 0 or s.index[square] != EMPTY:
                out[count] = square
                count += 1
        return count
    row = s.last // n
    column = s.last - row * n
    for r in range(max(row - 1, 0), min(row + 2, n)):
        for square in range(r * n + max(column - 1, 0), r * n + min(column + 2, n)):
            if can_take(s, square):
                out[count] = square
                count += 1
    return count


def can_take(s: State, square: int) -> bool:
    """Whether the next term, or the path, can go to this square, which touches the last one or is it."""
    if s.is_placing:
        return s.index[square] == EMPTY
    return (
        s.index[square] != EMPTY
        and s.path[square] == EMPTY
        and s.ranks[s.index[square] - 1] >= s.ranks[s.index[s.last] - 1]
    )


def _is_stuck(s: State) -> bool:
    n = s.n
    row = s.last // n
    column = s.last - row * n
    for r in range(max(row - 1, 0), min(row + 2, n)):
        for square in range(r * n + max(column - 1, 0), r * n + min(column + 2, n)):
            if can_take(s, square):
                return False
    return True


def play(s: State, move: int) -> None:
    s.last = move
    if s.is_placing:
        s.count += 1
        s.index[move] = s.count
        if _is_stuck(s):
            s.is_placing = 0
    else:
        s.length += 1
        s.path[move] = s.length


def mover(s: State) -> int:
    return 1


def is_over(s: State) -> bool:
    return s.length > 0 and _is_stuck(s)


def score(s: State, player: int) -> int:
    return s.length


def move_text(s: State, move: int) -> str:
    return square_text(move, s.n)


def read_move(s: State, text: str) -> int:
    return read_square(text, s.n)


def canonical(s: State) -> None:
    """Number equal terms in the order of their squares, and forget where the placing ended."""
    if not s.is_placing and s.length == 0:
        s.last = 0
    indices: dict[int, list[int]] = {}  # by rank, those of the terms placed, from the largest down
    for k in range(s.count, 0, -1):
        indices.setdefault(s.ranks[k - 1], []).append(k)
    for square in range(s.n * s.n):
        if s.index[square] != EMPTY:
            s.index[square] = indices[s.ranks[s.index[square] - 1]].pop()


def broken_rule(s: State, move: int) -> str:
    square, last = square_text(move, s.n), square_text(s.last, s.n)
    if s.is_placing:
        if s.index[move] != EMPTY:
            return say("{square} holds a({index}) already.", square=square, index=s.index[move])
        if s.count > 0 and not is_touching(move, s.last, s.n):
            return say(
                "{square} doesn't touch {last}, where a({count}) stands.", square=square, last=last, count=s.count
            )
        return ""
    if s.index[move] == EMPTY:
        return say("{square} is empty, and the path goes over filled squares.", square=square)
    if s.length == 0:
        return ""
    if s.path[move] != EMPTY:
        return say("{square} is on the path already.", square=square)
    if not is_touching(move, s.last, s.n):
        return say("{square} doesn't touch {last}, where the path has come to.", square=square, last=last)
    if not can_take(s, move):
        return say(
            "The number in {square} is smaller than the one in {last}, and the path never descends.",
            square=square,
            last=last,
        )
    return ""
