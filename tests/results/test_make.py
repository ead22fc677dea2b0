"""The maintainers' command that makes the table: what it asks, and what it enters."""

from pathlib import Path

import pytest

from certified import empty_table
from quet.core.errors import QuetError
from quet.game import new_to_solve
from quet.results.make import Question, plan, take_further
from quet.results.one_by_one import one_by_one
from quet.results.row import QUET


def test_the_plan_asks_only_what_can_be_solved_and_nothing_twice() -> None:
    asked = [" ".join(question.words) for question in plan()]
    assert len(set(asked)) == len(asked)
    for question in plan():
        new_to_solve(question.game, **question.parameters)


def test_a_question_is_solved_once_and_entered_with_its_certificate(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    question = Question("up-and-up", {"n": 3}, is_lowest=True)
    assert take_further(table, question, tmp_path, 60) == "up-and-up n=3, lowest: 6, proven, which is new."
    (row,) = table.rows()
    assert (row.finder, row.proof, row.certificate) == (QUET, "table", "up-and-up-3-lowest.json")
    assert take_further(table, question, tmp_path, 60) == "Proven already."


def test_a_size_that_nobody_plays_is_entered_once_too(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    question = Question("convoluted-coprimality", {"n": 22})
    assert (
        take_further(table, question, tmp_path, 60) == "convoluted-coprimality n=22, value: -1, proven, which is new."
    )
    assert take_further(table, question, tmp_path, 60) == "Proven already."


def test_a_question_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(QuetError, match="Only solitaires have a lowest score"):
        take_further(empty_table(tmp_path), Question("blob", {"n": 3}, is_lowest=True), tmp_path, 1)


def test_what_fails_is_told_and_the_rest_asked_until_the_user_stops(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> str:
        raise QuetError("It is wrong.")

    def stop() -> str:
        raise KeyboardInterrupt

    questions = [("a", fail), ("b", lambda: "Right."), ("c", stop), ("d", fail)]
    assert one_by_one(questions[1:2]) == 0
    assert one_by_one(questions[:2]) == 1
    assert one_by_one(questions) == 130
    assert capsys.readouterr().out == (
        "b: Right.\n"
        "a: FAIL  It is wrong.\nb: Right.\n"
        "a: FAIL  It is wrong.\nb: Right.\nc: stopped; run it again to go on.\n"
    )
