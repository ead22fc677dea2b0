"""Sequence Ascension: CaDiCaL refutes the clauses that the checker of certificates has for higher scores.

The solver of this game asks Glucose, with clauses of its own and its own use of symmetries. This way shares neither
the SAT solver nor who wrote the clauses (`claims.py`). CaDiCaL is asked for each term whether it can be the first one
that is left out.
"""

import time
from collections.abc import Mapping

from ...core.extras import needs
from ...core.sequences import read_terms
from . import claims, rules

LARGEST = 6
MOST_PLAYERS = 1
FINDS_BOUNDS = False
WORDS = "CaDiCaL, asked for each term that can be the first left out whether the checker's clauses can all be true"


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The highest score, where the given one is reached: all above are refuted, or the next one is tried.

    The time is looked at between two questions, each of which takes up to a few minutes.
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
    size, num_ranks = s.n**2, max(s.ranks[: s.n**2]) + 1
    # The claims number first where each term stands, then where each step is, and what rank a square's step has. But
    # the cases are all there are whatever these variables mean: the first that is true, or none.
    left_out = [size * (size + score + num_ranks) + 1 + k for k in range(size)]
    for k in range(size + 1):
        if time.monotonic() >= until:
            return None
        here = [[-other] for other in left_out[:k]] + [[one] for one in left_out[k : k + 1]]
        with Solver("cadical195", bootstrap_with=clauses + here) as solver:
            if solver.solve():
                return True
    return False
