"""Checks a proof that clauses can't all be true in which each step says why it holds.

The format LRAT has the same: Cruz-Filipe and others, "Efficient certified RAT verification" (CADE 2017). Clauses are
numbered from 0. A step adds a clause and names others. Assume that all its literals are false. Then each of the others
in turn has one literal left, which makes it true, and the last has none. The last step adds the empty clause.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ..core.errors import BadCertificate
from .limits import Meter

Step: TypeAlias = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""A clause, the numbers of those that it follows from, and of those that no later step needs."""


def check(clauses: Sequence[Sequence[int]], steps: Iterable[Step], meter: Meter | None = None) -> int:
    """How many clauses are added until the empty one follows; raises BadCertificate where one doesn't follow.

    The clauses have the numbers from 0 in the order of `sorted`, each once and with its literals sorted, and those of
    the steps go on from there.
    """
    known: list[frozenset[int] | None] = [frozenset(clause) for clause in numbered(clauses)]
    num_given = len(known)
    for clause, others, gone in steps:
        if meter is not None:
            meter.step()
        if not _follows(clause, others, known):
            raise BadCertificate(f"Clause {len(known)} doesn't follow from those that it names.", step="grounds")
        known.append(frozenset(clause))
        if not clause:
            return len(known) - num_given
        for other in gone:
            known[other] = None  # whatever is deleted, nothing follows that didn't before
    raise BadCertificate("The proof doesn't end with the empty clause.", step="grounds")


def numbered(clauses: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """The clauses in the order in which they are numbered.

    `in_order` of `engine/reasons.py` is the same, since whoever writes a proof numbers as the checker does. There are
    two of them because the checker imports nothing of the engine.
    """
    return sorted({tuple(sorted(clause)) for clause in clauses})


def _follows(clause: Sequence[int], others: Sequence[int], known: Sequence[frozenset[int] | None]) -> bool:
    """Whether the others, one after another, leave no way for all literals of the clause to be false."""
    false = set(clause)
    try:
        for other in others:
            left = known[other] - false  # type: ignore[operator]
            if not left:
                return True
            (literal,) = left
            false.add(-literal)
    except (IndexError, TypeError, ValueError):
        return False  # there is no such clause, it is deleted, or it has more literals left
    return False
