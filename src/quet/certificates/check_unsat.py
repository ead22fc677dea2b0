"""Checks a proof that clauses can't all be true, as SAT solvers write it (DRUP).

Each line is a clause, as literals with 0 at the end, and must follow from those before by unit propagation: assume that
all its literals are false; a clause with one literal left makes that literal true, and so on, until some clause has
none left. No variable stands twice in a line. A line that begins with d deletes a clause, which must be there. The last
clause is empty. Numbers are decimal in ASCII, without zeros before them, and one space stands between two, so that
every checker of DRAT reads what was checked here. The first clauses are written by the claims of the game, and never
read from the certificate.

Most of the time goes into the search for the clauses that each step follows from. Whoever has a faster way to find them
can give it: then `check_reasons.py` checks what was found, and nothing of that way has to be trusted.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn, TypeAlias

from ..core.errors import BadCertificate, QuetError, TooLargeToCheck
from ..core.quoting import shorten
from ..core.rules import AnyState
from . import check_reasons
from .claims import Clauses, Subject
from .limits import Meter

Export: TypeAlias = Callable[[Sequence[Sequence[int]], str], None]
"""Takes the clauses and the proof, so that another checker can have them."""
Reasons: TypeAlias = Callable[[Sequence[Sequence[int]], Sequence[str], int], Iterable[check_reasons.Step]]
"""Takes the clauses, the lines of the proof, and the bytes that its reasons may take; gives its steps with reasons, and
may raise QuetError."""

_LINES = re.compile(r"(?:(?:d )?+(?:-?[1-9][0-9]*+ )*+0(?:\n|\Z))*+")
_DELETION = re.compile("d [^\n]*")
# Bytes in memory at most, as measured: of each line, and of each clause that is added and of its literals.
_OF_LINE, _OF_CLAUSE, _OF_LITERAL = 110, 370, 120


def check(
    subject: Subject,
    start: AnyState,
    proof: object,
    highest: int,
    *,
    export: Export | None = None,
    reasons: Reasons | None = None,
    meter: Meter | None = None,
) -> str:
    """Check that no game scores more than `highest`; return what was checked, as a sentence.

    `export` is called before the proof is checked, which can take minutes. If the proof with `reasons` doesn't hold,
    the proof as it stands decides, and the line that fails is named. Raises BadCertificate, and TooLargeToCheck where
    the time is over or the memory isn't enough.
    """
    meter = meter or Meter()
    if not isinstance(subject.claims, Clauses):
        _refuse(f"No proof of this kind is known of {subject.id}.")
    if not isinstance(proof, str):
        _refuse("The proof must be a text.")
    _look(proof)
    clauses = subject.claims.clauses(start, highest + 1)
    needed = _memory(clauses, proof)
    meter.hold(needed)
    if export is not None:
        export(clauses, proof)
    lines = proof.splitlines()
    num_steps = 0
    if reasons is not None:
        try:
            num_steps = check_reasons.check(clauses, reasons(clauses, lines, meter.limits.memory - needed), meter)
        except TooLargeToCheck:  # the proof as it stands takes longer still
            raise
        except QuetError:
            pass
    num_steps = num_steps or Refutation(clauses).check(lines, meter)
    return f"{num_steps} clauses, the last one empty, follow one by one from {len(clauses)} that a higher score obeys."


def _look(proof: str) -> None:
    """Refuse a text that isn't lines of numbers with 0 at their end; none has to be in memory for that."""
    found = _LINES.match(proof)
    assert found is not None  # no line at all is found, too
    end = found.end()
    if end < len(proof):
        number, line = proof.count("\n", 0, end) + 1, proof[end : end + 1_000].split("\n")[0]
        _refuse(f"Line {number} of the proof isn't a clause: {shorten(line)}.")


def _memory(clauses: Sequence[Sequence[int]], proof: str) -> int:
    """The bytes that checking takes at most, besides those of reasons: counted before any line is in memory."""
    num_lines, num_deletions = proof.count("\n") + 1, 0
    num_literals = proof.count(" ") + sum(map(len, clauses))
    for deletion in _DELETION.finditer(proof):
        num_deletions += 1
        num_literals -= deletion[0].count(" ")
    num_clauses = len(clauses) + num_lines - num_deletions
    return len(proof) + _OF_LINE * num_lines + _OF_CLAUSE * num_clauses + _OF_LITERAL * num_literals


def dimacs(clauses: Sequence[Sequence[int]]) -> str:
    """The clauses as a text in the format DIMACS."""
    most = max(abs(literal) for clause in clauses for literal in clause)
    lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join([f"p cnf {most} {len(clauses)}", *lines, ""])


class Refutation:
    """The clauses that hold if the claim is false, at each step of the proof.

    A clause is a list whose first two literals are watched: neither is false as long as the clause has another literal
    that isn't. A deleted clause becomes an empty list.
    """

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        given = [list(clause) for clause in clauses]
        most = max(abs(literal) for clause in given for literal in clause)
        self._number_of = {str(number): number for number in range(-most, most + 1)}  # each is in memory once
        self._value = [0] * (2 * most + 1)  # of literals, negative ones from the end: 1 true, -1 false
        self._watchers: list[list[list[int]]] = [[] for _ in self._value]
        self._by_literals: dict[tuple[int, ...], list[list[int]]] = {}
        self._trail: list[int] = []  # the literals that are true, in the order in which they became so
        self._is_refuted = False
        for clause in given:
            self._add(clause)

    def check(self, lines: Sequence[str], meter: Meter | None = None) -> int:
        """How many clauses the proof adds; raises BadCertificate where it fails, and TooLargeToCheck."""
        count = 0
        for number, line in enumerate(lines, 1):
            if meter is not None:
                meter.step()
            is_gone = line.startswith("d ")
            clause = self._read(line[2:] if is_gone else line, number)
            if is_gone:
                same = self._by_literals.get(tuple(sorted(clause)))
                if not same:
                    _refuse(f"Line {number} of the proof takes away what isn't there.")
                same.pop().clear()
                continue
            count += 1
            if not self._follows(clause):
                _refuse(f"Line {number} of the proof doesn't follow from those before.")
            if not clause:
                if number < len(lines):
                    _refuse(f"The proof goes on after its end in line {number}.")
                return count
            self._add(clause)
        _refuse("The proof doesn't end with the empty clause.")

    def _read(self, text: str, number: int) -> list[int]:
        try:
            *literals, end = map(self._number_of.__getitem__, text.split())
        except (ValueError, KeyError):
            _refuse(f"Line {number} of the proof isn't a clause: {shorten(text)}.")
        if end != 0 or 0 in literals or len({*map(abs, literals)}) < len(literals):
            _refuse(f"Line {number} of the proof isn't a clause: {shorten(text)}.")
        return literals

    def _follows(self, clause: Sequence[int]) -> bool:
        if self._is_refuted:
            return True
        kept = len(self._trail)
        follows = any(self._value[literal] == 1 for literal in clause)
        if not follows:
            for literal in clause:
                if self._value[literal] == 0:
                    self._set(-literal)
            follows = not self._propagate(kept)
        for literal in self._trail[kept:]:
            self._value[literal] = self._value[-literal] = 0
        del self._trail[kept:]
        return follows

    def _add(self, clause: list[int]) -> None:
        clause = sorted(clause, key=lambda literal: self._value[literal] == -1)
        self._by_literals.setdefault(tuple(sorted(clause)), []).append(clause)
        if len(clause) > 1:
            self._watchers[clause[0]].append(clause)
            self._watchers[clause[1]].append(clause)
        is_open = [self._value[literal] != -1 for literal in clause[:2]]
        if not any(is_open):
            self._is_refuted = True
        elif is_open != [True, True] and self._value[clause[0]] == 0:
            kept = len(self._trail)
            self._set(clause[0])
            if not self._propagate(kept):
                self._is_refuted = True

    def _set(self, literal: int) -> None:
        self._value[literal], self._value[-literal] = 1, -1
        self._trail.append(literal)

    def _propagate(self, done: int) -> bool:
        """Make all literals true that follow, from number `done` on; return False if a clause can't be true then."""
        value, watchers, trail = self._value, self._watchers, self._trail
        while done < len(trail):
            false = -trail[done]
            done += 1
            watching = watchers[false]
            watchers[false] = kept = []
            for number, clause in enumerate(watching):
                if not clause:
                    continue
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                other = clause[0]
                if value[other] == 1:
                    kept.append(clause)
                    continue
                for i in range(2, len(clause)):
                    literal = clause[i]
                    if value[literal] != -1:
                        clause[1], clause[i] = literal, false
                        watchers[literal].append(clause)
                        break
                else:
                    kept.append(clause)
                    if value[other] == -1:
                        kept += watching[number + 1 :]
                        return False
                    self._set(other)
        return True


def _refuse(sentence: str) -> NoReturn:
    raise BadCertificate(sentence, step="grounds")
