"""Proofs of SAT solvers: trimmed to what they need, or with the reason of each step, found by unit propagation.

A proof is a text in the format DRUP. Each line is a clause that follows from those before, or `d` and a clause to
delete, and ends with 0. What comes out need not be trusted: `quet.certificates` checks it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np

from ..core.errors import BadCertificate
from . import antecedents
from .arrays import Ints
from .compiled import compiled

Clause: TypeAlias = tuple[int, ...]
Step: TypeAlias = tuple[Clause, list[int], list[int]]
"""A clause, the numbers of those that it follows from, and of those that no later step needs."""
MOST = 400_000_000  # reasons of one proof
LARGEST = 8  # bytes that each of them takes, at most: 4, in a list that grows to twice its length


def trimmed(given: Iterable[Sequence[int]], lines: Iterable[str]) -> str:
    """A solver's proof without the steps that the empty clause doesn't need.

    A clause is deleted as soon as none that follows needs it. Raises BadCertificate where the proof doesn't hold.
    """
    proof = _Proof(given, lines)
    words = [f"d {_ended(clause)}\n" for clause in proof.idle()]
    for clause, _, gone in proof.steps():
        words.append(f"{_ended(clause)}\n")
        words += [f"d {_ended(proof.clauses[number])}\n" for number in gone]
    return "".join(words)


def with_reasons(given: Sequence[Sequence[int]], lines: Iterable[str], memory: int = LARGEST * MOST) -> Iterator[Step]:
    """The steps of a proof that the empty clause needs, each with the numbers of the clauses that it follows from.

    The proof must be one to its last line, since the checker's own way, without reasons, refuses any other. The given
    clauses are numbered from 0 in the order of `sorted`, each once and with its literals sorted, and those of the steps
    go on from there. `memory` has the bytes that these numbers may take. Raises BadCertificate where the proof doesn't
    hold, or isn't one, or they take more.
    """
    proof = _Proof(given, lines, is_strict=True, most=min(MOST, memory // LARGEST))
    number_of = {clause: number for number, clause in enumerate(in_order(given))}
    numbers = np.zeros(len(proof.clauses), np.int32)  # those of the steps are set as they come
    for own, clause in enumerate(proof.clauses[: proof.num_given]):
        numbers[own] = number_of[tuple(sorted(clause))]
    for number, (clause, own, gone) in enumerate(proof.steps(), len(number_of)):
        numbers[own] = number
        yield clause, numbers[proof.reasons(own)].tolist(), numbers[gone].tolist()


def lrat(given: Sequence[Sequence[int]], lines: Iterable[str]) -> str:
    """The same as a text in the format LRAT, in which numbers begin with 1. Raises BadCertificate."""
    name = len(in_order(given))
    words = []
    for clause, reasons, gone in with_reasons(given, lines):
        name += 1
        words.append(f"{name} {_ended(clause)} {_ended(reason + 1 for reason in reasons)}\n")
        words += [f"{name} d {_ended(number + 1 for number in gone)}\n"] if gone else []
    return "".join(words)


def in_order(given: Iterable[Sequence[int]]) -> list[Clause]:
    """The clauses in the order in which they are numbered, each once; the checker has its own `numbered`."""
    return sorted({tuple(sorted(clause)) for clause in given})


class _Proof:
    """The clauses of a proof, the given ones first and the empty one last, and the reasons of each.

    A certificate's proof `is_strict`: it takes away only what is there, has no literal twice in a clause and none with
    its opposite, and its last line and no other is the empty clause. A solver need not keep to that.
    """

    def __init__(
        self, given: Iterable[Sequence[int]], lines: Iterable[str], *, is_strict: bool = False, most: int = MOST
    ) -> None:
        self.clauses: list[Clause] = [tuple(clause) for clause in given]
        self.num_given = len(self.clauses)
        num_variables = max(abs(literal) for clause in self.clauses for literal in clause)
        try:
            order = self._read(lines, num_variables, is_strict=is_strict)
        except (ValueError, KeyError):
            raise BadCertificate("It isn't a proof.", step="grounds") from None
        literals = np.fromiter(chain.from_iterable(self.clauses), np.int64)
        if not np.all(literals):
            raise BadCertificate("It isn't a proof.", step="grounds")
        literals = 2 * np.abs(literals) + (literals < 0)
        starts = np.cumsum([0, *map(len, self.clauses)])
        find = compiled(antecedents).find
        self._found: Ints
        self._begins: Ints
        self._found, self._begins = find(literals, starts, self.num_given, np.array(order), num_variables, most)
        if not len(self._begins):
            raise BadCertificate("The proof doesn't hold.", step="grounds")
        self.clauses.append(())
        self._last = self._last_needs()

    def _read(self, lines: Iterable[str], num_variables: int, *, is_strict: bool) -> list[int]:
        """Add the clauses of the proof; return the steps: c adds clause c, -1 - c deletes it.

        Raises ValueError and KeyError.
        """
        # Faster than `int`, and each number is in memory once.
        number_of = {str(number): number for number in range(-num_variables, num_variables + 1)}
        order = list(range(self.num_given))
        standing: dict[Clause, list[int]] = {}
        for number, clause in enumerate(self.clauses):
            standing.setdefault(tuple(sorted(clause)), []).append(number)
        is_ended = False
        for line in lines:
            is_gone = line.startswith("d ")
            *literals, end = map(number_of.__getitem__, (line[2:] if is_gone else line).split())
            same = standing.setdefault(tuple(sorted(literals)), [])
            is_odd = is_ended or (is_gone and not same) or len({*map(abs, literals)}) < len(literals)
            if end or (is_strict and is_odd):
                raise ValueError
            is_ended = not is_gone and not literals
            if not is_gone and literals:
                same.append(len(self.clauses))
                order.append(len(self.clauses))
                self.clauses.append(tuple(literals))
            elif same:
                number = same.pop()
                if len(literals) > 1:  # clauses of one literal are kept
                    order.append(-1 - number)
        if is_strict and not is_ended:
            raise ValueError
        return order

    def _last_needs(self) -> Ints:
        """For each clause the last that follows from it, of those that the empty clause needs; -1 if there is none."""
        last = np.full(len(self.clauses), -1)
        last[-1] = len(self.clauses)
        for number in range(len(self.clauses) - 1, self.num_given - 1, -1):
            if last[number] >= 0:
                needed = self.reasons(number)
                last[needed] = np.maximum(last[needed], number)
        return last

    def reasons(self, number: int) -> Ints:
        """The clauses that this one follows from, in the order in which they are used."""
        return self._found[self._begins[number] : self._begins[number + 1]]

    def idle(self) -> list[Clause]:
        """The given clauses that the empty one doesn't need."""
        return [self.clauses[number] for number in np.flatnonzero(self._last[: self.num_given] < 0)]

    def steps(self) -> Iterator[tuple[Clause, int, list[int]]]:
        """The clauses that the empty one needs, their numbers, and the clauses that nothing after each needs.

        The latter have at least two literals: checkers keep shorter ones.
        """
        gone: dict[int, list[int]] = {}
        for number, until in enumerate(self._last.tolist()):
            if len(self.clauses[number]) > 1:
                gone.setdefault(until, []).append(number)
        for number in range(self.num_given, len(self.clauses)):
            if self._last[number] >= 0:
                clause = self.clauses[number]
                yield clause, number, gone.get(number, []) if clause else []


def _ended(numbers: Iterable[int]) -> str:
    """Numbers and a 0 at their end."""
    return " ".join(map(str, (*numbers, 0)))
