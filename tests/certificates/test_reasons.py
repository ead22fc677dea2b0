"""Proofs with the reason of each step: checked step by step, found by the engine, and never believed."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest

import quet
from quet.certificates import check_reasons, check_unsat
from quet.certificates.check_reasons import Step
from quet.certificates.claims import Subject
from quet.core.errors import BadCertificate
from quet.engine.reasons import trimmed, with_reasons

PIGEONS = [[1, 2], [3, 4], [5, 6], [-1, -3], [-1, -5], [-3, -5], [-2, -4], [-2, -6], [-4, -6]]
PROOF = ["-1 4 0", "-1 0", "2 0", "0"]
# Sorted, the clauses have these numbers: 0 is -6 -4, 1 is -6 -2, 2 is -5 -3, 3 is -5 -1, 4 is -4 -2, 5 is -3 -1,
# 6 is 1 2, 7 is 3 4, 8 is 5 6.
STEPS: list[Step] = [
    ([-1, 4], [5, 7], []),
    ([-1], [9, 3, 0, 8], [9, 5]),
    ([2], [10, 6], []),
    ([], [11, 4, 1, 7, 8, 2], []),
]
GAME = quet.new("up-and-up", n=2)


class Pigeons:
    """Claims in which a score of 8 or more is a way to house three pigeons."""

    def clauses(self, start: object, score: int) -> list[list[int]]:
        return PIGEONS


def test_steps_are_checked_up_to_the_empty_clause() -> None:
    assert check_reasons.check(PIGEONS, STEPS) == 4
    assert check_reasons.check([*PIGEONS, [2, 1]], STEPS) == 4  # a clause that stands twice has one number
    assert check_reasons.check(PIGEONS, [*STEPS, ([1], [99], [])]) == 4  # what comes after the end isn't looked at


@pytest.mark.parametrize(
    ("number", "step"),
    [
        (0, ([-1, 4], [5], [])),  # one reason too few
        (0, ([-1, 4], [7, 8], [])),  # another reason
        (0, ([-1, 4], [5, 99], [])),  # a reason that isn't there
        (0, ([-1, 4], [], [])),
        (0, ([4], [5, 7], [])),  # another clause
        (1, ([], [9, 3, 0, 8], [])),
        (1, ([-1], [9, 3, 0, 8], [9, 5, 6])),  # deletes what is needed
    ],
)
def test_a_step_that_was_changed_is_refused(number: int, step: Step) -> None:
    with pytest.raises(BadCertificate, match="doesn't follow from those that it names") as caught:
        check_reasons.check(PIGEONS, [*STEPS[:number], step, *STEPS[number + 1 :]])
    assert caught.value.step == "grounds"


def test_a_proof_ends_with_the_empty_clause() -> None:
    for steps in (STEPS[:-1], []):
        with pytest.raises(BadCertificate) as caught:
            check_reasons.check(PIGEONS, steps)
        assert caught.value.sentence == "The proof doesn't end with the empty clause."
        assert caught.value.step == "grounds"


def test_reasons_are_found_and_what_is_not_needed_is_left_out() -> None:
    assert check_reasons.check(PIGEONS, with_reasons(PIGEONS, PROOF)) <= 4
    wordy = ["-1 4 6 0", "d -1 4 6 0", *PROOF]
    assert list(with_reasons([*PIGEONS, [1, 3, 5]], wordy)) == list(with_reasons([*PIGEONS, [1, 3, 5]], PROOF))
    for more in ([], ["1 -1 3 0"], ["d 1 3 0"], ["d 0"]):  # a solver may write what a certificate may not
        short = trimmed(PIGEONS, [*more, *wordy, *more])
        assert "4 6" not in short and "1 -1" not in short
        assert check_unsat.Refutation(PIGEONS).check(short.splitlines()) <= 4


@pytest.mark.parametrize(
    "lines",
    [
        ["0"],
        ["-1 4 0"],
        [],
        ["x 0"],
        [""],
        ["1 2"],
        ["99 0", *PROOF],
        ["1 0 2 0"],
        [f"{-(2**63)} 0"],
        ["9" * 30 + " 0"],
        ["9" * 5000],
        ["-01 4 0", *PROOF[1:]],
        ["-1 +4 0", *PROOF[1:]],
        ["-1 \u0664 0", *PROOF[1:]],
        ["d 1 3 0", *PROOF],
        ["d 0", *PROOF],
        ["d 1 2 0", "d 2 1 0", *PROOF],
        ["d 1 -1 0", *PROOF],
        ["1 -1 0", *PROOF],
        ["1 1 2 0", *PROOF],
        ["d\t-2 -4 0", *PROOF],
        [*PROOF, "1 0"],
        [*PROOF, "0"],
        PROOF[:-1],
    ],
)
def test_what_does_not_hold_has_no_reasons(lines: list[str]) -> None:
    with pytest.raises(BadCertificate):
        list(with_reasons(PIGEONS, lines))


def holds(check: Callable[[list[str]], int], lines: list[str]) -> bool:
    """Whether a check lets the proof pass."""
    try:
        check(lines)
    except BadCertificate:
        return False
    return True


def test_a_proof_is_judged_alike_with_reasons_and_without() -> None:
    """With lines of all kinds put in and taken out."""
    chance, verdicts = random.Random(7), Counter[bool]()
    others = ["0", "d 0", "", "d 1 2 0", "d 2 1 0", "d 1 3 0", "1 -1 0", "1 -1 3 0", "d 1 -1 0", "3 3 0", "-1 4 6 0"]
    others += ["d -1 4 6 0", "d -1 0", "d 2 0", "2 0", "1 0 2 0", "7 0", "d 7 0", "d", "d\t1 2 0", "d1 2 0", "x"]
    for _ in range(1_000):
        lines = [*PROOF]
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(lines) + 1)
            lines[at : at + chance.randrange(2)] = [chance.choice([*others, *PROOF])] * chance.randrange(3)
        verdict = holds(lambda lines: check_unsat.Refutation(PIGEONS).check(lines), lines)
        assert holds(lambda lines: check_reasons.check(PIGEONS, with_reasons(PIGEONS, lines)), lines) == verdict, lines
        verdicts[verdict] += 1
    assert min(verdicts.values()) > 100


def test_reasons_are_never_believed() -> None:
    """Wrong ones leave the proof to be checked as it stands; right ones spare it."""
    asked = []

    def said(steps: Sequence[Step]) -> check_unsat.Reasons:
        def reasons(clauses: Sequence[Sequence[int]], proof: Sequence[str], memory: int) -> Iterator[Step]:
            asked.append(len(proof))
            yield from steps

        return reasons

    def checked(proof: str, reasons: check_unsat.Reasons) -> str:
        return check_unsat.check(Subject("pigeons", GAME.rules, Pigeons()), GAME.state, proof, 7, reasons=reasons)

    sentence = "4 clauses, the last one empty, follow one by one from 9 that a higher score obeys."
    assert checked("\n".join(PROOF), said(STEPS)) == checked("\n".join(PROOF), said([([], [], [])])) == sentence
    assert checked("7 0", said(STEPS)) == sentence
    wrong: list[list[Step]] = [[([], [], [])], [], [([], [1, 2, 3], [])]]
    for steps in wrong:
        with pytest.raises(BadCertificate, match="Line 1 of the proof doesn't follow"):
            checked("0", said(steps))
    with pytest.raises(BadCertificate, match="Line 1 of the proof doesn't follow"):
        checked("0", with_reasons)
    assert len(asked) == 6
