"""Proofs that clauses can't all be true, checked clause by clause: three pigeons, two holes."""

import itertools
import random
import re
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import quet
from quet.certificates import certificate_file, check_reasons, check_unsat, verify
from quet.certificates.check_unsat import Refutation
from quet.certificates.claims import Subject, of
from quet.certificates.limits import USUAL, Limits, Meter
from quet.core.errors import BadCertificate, TooLargeToCheck
from quet.engine.reasons import with_reasons

PIGEONS = [[1, 2], [3, 4], [5, 6], [-1, -3], [-1, -5], [-3, -5], [-2, -4], [-2, -6], [-4, -6]]
PROOF = ["-1 4 0", "-1 0", "2 0", "0"]
GAME = quet.new("up-and-up", n=2)


class Pigeons:
    """Claims in which a score of 8 or more is a way to house three pigeons."""

    asked = 0

    def clauses(self, start: object, score: int) -> list[list[int]]:
        self.asked = score
        return PIGEONS


def refusal(clauses: list[list[int]], *lines: str) -> str:
    with pytest.raises(BadCertificate) as caught:
        Refutation(clauses).check(lines)
    assert caught.value.step == "grounds"
    return caught.value.sentence


def test_a_proof_that_no_score_is_higher_is_told_with_its_clauses() -> None:
    claims = Pigeons()
    assert check_unsat.check(Subject("pigeons", GAME.rules, claims), GAME.state, "\n".join(PROOF), 7) == (
        "4 clauses, the last one empty, follow one by one from 9 that a higher score obeys."
    )
    assert claims.asked == 8


def test_clauses_are_written_as_dimacs() -> None:
    assert check_unsat.dimacs([[1, -3], [2]]) == "p cnf 3 2\n1 -3 0\n2 0\n"


def test_clauses_and_proof_go_to_another_checker_and_reasons_are_asked_for() -> None:
    file = Path(__file__).parents[2] / "results" / "certificates" / "sequence-ascension-3-sequence-mod3.json.gz"
    taken: list[tuple[int, str]] = []
    asked: list[tuple[int, int]] = []

    def export(clauses: Sequence[Sequence[int]], proof: str) -> None:
        taken.append((len(clauses), proof))

    def reasons(clauses: Sequence[Sequence[int]], lines: Sequence[str], memory: int) -> Iterator[check_reasons.Step]:
        asked.append((len(clauses), len(lines)))
        yield from ()

    made: Any = certificate_file.read(file)
    (proof,) = (ground["proof"] for ground in made["grounds"] if ground["kind"] == "unsat")
    claims: Any = of("sequence-ascension").claims
    clauses = claims.clauses(quet.new("sequence-ascension", n=3, sequence="mod3").state, 8)
    verified = verify.verify(file, export=export, reasons=reasons)
    assert verified.checked[-1].endswith(f"follow one by one from {len(clauses)} that a higher score obeys.")
    assert taken == [(len(clauses), proof)] and asked == [(len(clauses), len(proof.splitlines()))]


def test_what_is_no_proof_is_refused() -> None:
    for subject, proof, sentence in (
        (of("up-and-up"), "0", "No proof of this kind is known of up-and-up."),
        (Subject("pigeons", GAME.rules, Pigeons()), ["0"], "The proof must be a text."),
    ):
        with pytest.raises(BadCertificate) as caught:
            check_unsat.check(subject, GAME.state, proof, 7)
        assert (caught.value.step, caught.value.sentence) == ("grounds", sentence)


def checked(proof: str, limits: Limits = USUAL, reasons: check_unsat.Reasons | None = with_reasons) -> str:
    subject = Subject("pigeons", GAME.rules, Pigeons())
    return check_unsat.check(subject, GAME.state, proof, 7, reasons=reasons, meter=Meter(limits))


@pytest.mark.parametrize(
    "spoiled",
    [
        "-1 4 0\x0b-1 0\n2 0\n0\n",
        "-1 4 0\u2028-1 0\n2 0\n0\n",
        "-1 4 0\r\n-1 0\n2 0\n0\n",
        "-1 \u0664 0\n-1 0\n2 0\n0\n",
        "-1 0_4 0\n-1 0\n2 0\n0\n",
        "-1 +4 0\n-1 0\n2 0\n0\n",
        "-1 04 0\n-1 0\n2 0\n0\n",
        "-1 4 -0\n-1 0\n2 0\n0\n",
        "-1  4 0\n-1 0\n2 0\n0\n",
        " -1 4 0\n-1 0\n2 0\n0\n",
        "-1 4 0 \n-1 0\n2 0\n0\n",
        "-1\t4 0\n-1 0\n2 0\n0\n",
    ],
)
def test_what_python_takes_for_numbers_and_lines_and_other_checkers_do_not_is_no_proof(spoiled: str) -> None:
    """drat-trim takes 010 for eight, as C does, and ends a line with its 0."""
    assert checked("-1 4 0\n-1 0\n2 0\n0\n") == checked("-1 4 0\n-1 0\n2 0\n0")
    for proof, number in ((spoiled, 1), (f"d 1 2 0\n1 2 0\n{spoiled}", 3)):
        with pytest.raises(BadCertificate, match=f"Line {number} of the proof isn't a clause: "):
            checked(proof)


def step_by_step(num_steps: int, length: int) -> tuple[list[list[int]], str]:
    """Clauses, and a proof whose steps have this many literals, are all different, and need each other."""
    shared = list(range(3, length + 2))
    first, last = length + 2, length + 2 + num_steps
    clauses = [[*shared, first], *([-one, one + 1] for one in range(first, last))]
    clauses += [[-one, 1] for one in (*shared, last)] + [[-1, 2], [-1, -2]]
    words = " ".join(map(str, shared))
    steps = [f"{words} {one + 1} 0\nd -{one} {one + 1} 0\n" for one in range(first, last)]
    return clauses, "".join([*steps, "-1 0\n0\n"])


@pytest.mark.parametrize(
    ("num_steps", "length", "reasons"),
    [(2_000, 2, with_reasons), (2_000, 20, with_reasons), (1_000, 77, with_reasons), (700, 5, None)],
)
def test_the_memory_of_a_check_is_known_before_it_is_taken(
    num_steps: int, length: int, reasons: check_unsat.Reasons | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked("\n".join(PROOF))  # so that all is compiled
    clauses, proof = step_by_step(num_steps, length)
    monkeypatch.setattr(Pigeons, "clauses", lambda *_: clauses)
    with pytest.raises(TooLargeToCheck) as caught:
        checked(proof, Limits(memory=1), reasons)
    told = re.fullmatch(r"Checking takes up to (\d+) MB; allowed are 1 MB \(--memory\)\.", caught.value.sentence)
    tracemalloc.start()
    sentence = checked(proof, USUAL, reasons)
    _, taken = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sentence.startswith(f"{num_steps + 2} clauses")
    assert told is not None and int(told[1]) / 6 < taken / 2**20 < int(told[1])


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "The proof doesn't end with the empty clause."),
        (["-1 4 0"], "The proof doesn't end with the empty clause."),
        (["0"], "Line 1 of the proof doesn't follow from those before."),
        (["-1 4 0", "0"], "Line 2 of the proof doesn't follow from those before."),
        ([*PROOF, "1 0"], "The proof goes on after its end in line 4."),
        ([*PROOF, "d 1 2 0"], "The proof goes on after its end in line 4."),
        (["d 1 3 0"], "Line 1 of the proof takes away what isn't there."),
        (["d 1 2 0", "d 2 1 0"], "Line 2 of the proof takes away what isn't there."),
        (["x 0"], "Line 1 of the proof isn't a clause: 'x 0'."),
        ([""], "Line 1 of the proof isn't a clause: ''."),
        (["1 2"], "Line 1 of the proof isn't a clause: '1 2'."),
        (["7 0"], "Line 1 of the proof isn't a clause: '7 0'."),
        (["-7 0"], "Line 1 of the proof isn't a clause: '-7 0'."),
        (["01 0"], "Line 1 of the proof isn't a clause: '01 0'."),
        (["1 0 2 0"], "Line 1 of the proof isn't a clause: '1 0 2 0'."),
        (["1 1 0"], "Line 1 of the proof isn't a clause: '1 1 0'."),
        (["1 -1 0"], "Line 1 of the proof isn't a clause: '1 -1 0'."),
        (["d 1 -1 0"], "Line 1 of the proof isn't a clause: '1 -1 0'."),
    ],
)
def test_the_line_that_fails_is_named(lines: list[str], sentence: str) -> None:
    assert refusal(PIGEONS, *lines) == sentence


def test_every_clause_is_needed_that_the_pigeons_obey() -> None:
    assert Refutation(PIGEONS).check(PROOF) == 4
    for clause in PIGEONS:
        rest = [other for other in PIGEONS if other != clause]
        assert "doesn't follow" in refusal(rest, *PROOF)
        assert "doesn't follow" in refusal(PIGEONS, f"d {clause[1]} {clause[0]} 0", *PROOF)


def test_a_clause_that_was_taken_away_and_stood_twice_still_stands_once() -> None:
    assert Refutation([*PIGEONS, [2, 1]]).check(["d 1 2 0", *PROOF]) == 4
    assert "takes away" in refusal([*PIGEONS, [2, 1]], *["d 1 2 0"] * 3)


def test_clauses_that_are_false_at_once_need_no_proof() -> None:
    assert Refutation([[1], [-1]]).check(["0"]) == 1
    assert Refutation([[1], [-1, 2], [-2]]).check(["0"]) == 1
    assert Refutation([[1], [2], [-1, -2]]).check(["0"]) == 1
    assert Refutation([[1], [-1, 2], [-2]]).check(["2 0", "0"]) == 2


def follows(clauses: list[list[int]], clause: list[int]) -> bool:
    """Whether the clause follows by unit propagation, found without watching."""
    true = {-literal for literal in clause}
    while not any(-literal in true for literal in true):
        new = set()
        for other in clauses:
            left = [literal for literal in other if -literal not in true]
            if not left:
                return True
            if len(left) == 1 and left[0] not in true:
                new.add(left[0])
        if not new:
            return any(literal in true for literal in clause)
        true |= new
    return True


def test_a_clause_follows_where_plain_unit_propagation_says_so() -> None:
    """Over random clauses. Where a line follows, the proof goes on with it."""
    chance = random.Random(3)
    num_follow = num_not = 0
    for _ in range(150):
        most = chance.randint(3, 6)

        def one(length: int, most: int = most) -> list[int]:
            return [chance.choice((1, -1)) * number for number in chance.sample(range(1, most + 1), length)]

        clauses = [one(chance.choice((1, 2, 2, 3, 3))) for _ in range(chance.randint(2, 9))]
        clauses.append([most])  # so that each of the literals may occur in a proof
        lines: list[str] = []
        known = [list(clause) for clause in clauses]
        for _ in range(8):
            clause = one(chance.choice((1, 1, 2, 3)))
            line = " ".join(map(str, [*clause, 0]))
            is_right = follows(known, clause)
            said = refusal(clauses, *lines, line)
            assert ("doesn't end" in said) == is_right, (clauses, lines, line)
            assert is_right or said == f"Line {len(lines) + 1} of the proof doesn't follow from those before."
            num_follow, num_not = num_follow + is_right, num_not + (not is_right)
            if is_right:
                lines.append(line)
                known.append(clause)
    assert min(num_follow, num_not) > 100


def test_what_is_possible_has_no_proof() -> None:
    chance = random.Random(5)
    num_possible = 0
    for _ in range(200):
        clauses = [chance.sample([1, -1, 2, -2, 3, -3, 4, -4], 2) for _ in range(9)] + [[4, 1]]
        ways = itertools.product((False, True), repeat=4)
        if any(all(any(way[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses) for way in ways):
            assert "doesn't follow" in refusal(clauses, "0")
            num_possible += 1
    assert num_possible > 50
