"""A SAT solver that is asked for a while, and proofs that clauses can't all be true, trimmed to what they need."""

from collections.abc import Sequence
from typing import Protocol

from ...core.clock import clock
from ...core.errors import BrokenRules
from ...core.extras import needs
from ...engine.reasons import trimmed

SOLVER = "glucose4"  # of those that write proofs, the fastest on Sequence Ascension: bench/refute.py compares CaDiCaL
CONFLICTS = 2000  # between two looks at the clock, less than a second


class _Solver(Protocol):
    """What is asked of a solver of PySAT."""

    def conf_budget(self, _budget: int) -> None: ...
    def solve_limited(self) -> bool | None: ...
    def get_model(self) -> list[int]: ...
    def get_proof(self) -> list[str]: ...
    def accum_stats(self) -> dict[str, int]: ...
    def delete(self) -> None: ...


def solution(clauses: Sequence[Sequence[int]], seconds: float | None) -> tuple[set[int] | None, int, bool]:
    """The variables that are true in one solution, or None; the conflicts met; and whether the time was enough."""
    solver = _solver(clauses, with_proof=False)
    try:
        answer = _solved(solver, seconds)
        true = {literal for literal in solver.get_model() if literal > 0} if answer else None
        return true, solver.accum_stats()["conflicts"], answer is not None
    finally:
        solver.delete()


def proof(clauses: Sequence[Sequence[int]]) -> str:
    """The proof that the clauses can't all be true, in the format DRUP.

    Each line is a clause that follows, or `d` and a clause to delete, and ends with 0; the last clause is empty. A
    clause is deleted as soon as it is not needed any more. Raises BrokenRules where the clauses can all be true.
    """
    solver = _solver(clauses, with_proof=True)
    try:
        if _solved(solver, None):
            raise BrokenRules("What was to be proven impossible is possible.")
        lines = solver.get_proof()
    finally:
        solver.delete()
    return trimmed(clauses, lines)


def _solver(clauses: Sequence[Sequence[int]], *, with_proof: bool) -> _Solver:
    with needs("solve", "The SAT solver"):
        from pysat.solvers import Solver
    made: _Solver = Solver(name=SOLVER, bootstrap_with=clauses, with_proof=with_proof)
    return made


def _solved(solver: _Solver, seconds: float | None) -> bool | None:
    """Whether there is a solution; None when the time was over."""
    until = None if seconds is None else clock() + seconds
    while True:
        solver.conf_budget(CONFLICTS)
        answer = solver.solve_limited()
        if answer is not None or (until is not None and clock() > until):
            return answer
