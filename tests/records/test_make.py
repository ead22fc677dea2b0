"""The maintainers' command that makes the table: what it asks, and what it enters."""

from pathlib import Path

import pytest
from certified import empty_table

import quet
from quet.core.errors import QuetError
from quet.records.make import FINDER, Question, plan, take_further


def test_the_plan_asks_only_what_the_games_allow_and_nothing_twice() -> None:
    asked = [" ".join(question.words) for question in plan()]
    assert len(set(asked)) == len(asked)
    for question in plan():
        quet.new(question.game, **question.parameters)


def test_a_question_is_solved_once_and_entered_with_its_certificate(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    question = Question("up-and-up", {"n": 3}, is_lowest=True)
    assert take_further(table, question, tmp_path, 60) == "up-and-up n=3, lowest: 6, proven, which is new."
    (row,) = table.rows()
    assert (row.finder, row.proof, row.certificate) == (FINDER, "table", "up-and-up-3-lowest.json")
    assert take_further(table, question, tmp_path, 60) == "Proven already."


def test_a_question_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(QuetError, match="Only solitaires have a lowest score"):
        take_further(empty_table(tmp_path), Question("blob", {"n": 3}, is_lowest=True), tmp_path, 1)
