"""Sequence Ascension: CaDiCaL refutes the clauses that the checker of certificates has for higher scores.

The solver of this game asks Glucose, with clauses of its own. This way shares nothing with it: not the SAT solver, not
who wrote the clauses (`claims.py`), and not how symmetries are used. Here CaDiCaL is asked after each beginning of a
game, and of beginnings that are images of each other after one.
"""

import time
from collections.abc import Iterator, Mapping, Sequence

from ...core.extras import needs
from ...core.grid import is_touching
from ...core.sequences import read_terms
from . import claims, rules

LARGEST = 5
MOST_PLAYERS = 1
FINDS_BOUNDS = False
WORDS = "CaDiCaL, asked after each beginning of a game whether the clauses of the checker can all be true"


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The highest score, where the given one is reached: all above are refuted, or the next one is tried.

    The time is looked at between two questions, each of which takes up to a few minutes for n = 5.
    """
    n = int(parameters["n"])
    s = rules.State()
    rules.start(s, n, read_terms("sequence", str(parameters["sequence"]), n * n, files=False))
    for score in range(value + 1, n * n + 1):
        is_met = is_reached(s, score, until)
        if is_met is None:
            return None
        if not is_met:
            return score - 1
    return n * n


def is_reached(s: rules.State, score: int, until: float) -> bool | None:
    """Whether a game has at least this score; None when the time was over."""
    with needs("solve", "The SAT solver"):
        from pysat.solvers import Solver
    clauses = claims.clauses(s, score)
    for squares in beginnings(s.n, score):
        if time.monotonic() >= until:
            return None
        # The claims number first the variables that say whether term k stands in a square, n * n for each k.
        here = [[1 + k * s.n**2 + square] for k, square in enumerate(squares)]
        with Solver("cadical195", bootstrap_with=clauses + here) as solver:
            if solver.solve():
                return True
    return False


def beginnings(n: int, most: int) -> Iterator[list[int]]:
    """The first squares of games, so many that no symmetry keeps them all, or `most`; none is an image of another."""
    squares = [(row, column) for row in range(n) for column in range(n)]
    last = n - 1
    turned = [[row * n + column for row, column in squares], [row * n + last - column for row, column in squares]]
    turned += [[image[(last - row) * n + column] for row, column in squares] for image in turned]
    turned += [[image[column * n + row] for row, column in squares] for image in turned]

    def longer(begun: list[int], symmetries: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        if begun and (len(symmetries) == 1 or len(begun) == most):
            yield begun
            return
        for square in range(n * n):
            is_next = not begun or (square not in begun and is_touching(begun[-1], square, n))
            if is_next and square == min(image[square] for image in symmetries):
                yield from longer([*begun, square], [image for image in symmetries if image[square] == square])

    return longer([], turned)
