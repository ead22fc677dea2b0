"""A SAT solver that is asked for a while, and proofs that clauses can't all be true, trimmed to what they need."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ...core.clock import clock
from ...core.errors import BrokenRules
from ...core.extras import needs
from ...engine.compiled import compiled
from . import antecedents

SOLVER = "glucose4"  # the fastest of those tried on Sequence Ascension that also writes proofs
Step = tuple[bool, tuple[int, ...]]  # of a proof: whether it deletes a clause, and the clause
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
    steps = [(line.startswith("d"), tuple(map(int, line.removeprefix("d").split()[:-1]))) for line in lines]
    steps = _trimmed(clauses, steps)
    return "".join(f"{'d ' if is_gone else ''}{' '.join(map(str, (*clause, 0)))}\n" for is_gone, clause in steps)


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


def _trimmed(given: Sequence[Sequence[int]], steps: list[Step]) -> list[Step]:
    """The steps of a proof without those that the empty clause doesn't need."""
    clauses = [tuple(clause) for clause in given]
    known: dict[tuple[int, ...], list[int]] = {}
    for number, clause in enumerate(clauses):
        known.setdefault(tuple(sorted(clause)), []).append(number)
    order = list(range(len(clauses)))
    for is_gone, clause in steps:
        same = known.setdefault(tuple(sorted(clause)), [])
        if not is_gone and clause:
            same.append(len(clauses))
            order.append(len(clauses))
            clauses.append(clause)
        elif same and len(clause) > 1:  # clauses of one literal are kept
            order.append(-1 - same.pop())
    starts = np.cumsum([0, *map(len, clauses)])
    literals = np.array([2 * abs(literal) + (literal < 0) for clause in clauses for literal in clause], np.int64)
    num_variables = max(abs(literal) for clause in clauses for literal in clause)
    found, begins = compiled(antecedents).find(literals, starts, len(given), np.array(order), num_variables)
    if not len(begins):
        raise BrokenRules("The solver's proof doesn't hold.")
    last = np.full(len(clauses), -1)  # the last clause that needs each; len(clauses) is the empty one
    for number in range(len(clauses), len(given) - 1, -1):
        if number == len(clauses) or last[number] >= 0:
            needed = found[begins[number] : begins[number + 1]]
            last[needed] = np.maximum(last[needed], number)
    dying: dict[int, list[int]] = {}
    for number, until in enumerate(last.tolist()):
        dying.setdefault(until, []).append(number)
    kept = [(True, clauses[number]) for number in dying.get(-1, []) if number < len(given)]
    for number in range(len(given), len(clauses)):
        if last[number] >= 0:
            kept.append((False, clauses[number]))
            kept += [(True, clauses[gone]) for gone in dying.get(number, []) if len(clauses[gone]) > 1]
    return [*kept, (False, ())]
