"""Reading grids of squares and the numbers in them from paper."""

from collections.abc import Callable

import pytest

from quet.core import paper
from quet.core.errors import BadPaper
from quet.core.parameters import Parameter

SIDE = (Parameter("n", 1, 9, 3, "the side of the grid"),)


def sentence_of(refused: Callable[[], object]) -> str:
    with pytest.raises(BadPaper) as caught:
        refused()
    return str(caught.value)


def test_a_paper_is_as_large_as_it_may_be_and_no_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "LARGEST_PAPER", 5)
    assert paper.read_words("ab cd") == ["ab", "cd"]
    assert sentence_of(lambda: paper.read_words("ab cde")) == "The paper is larger than 1 MB."


def test_a_number_is_as_long_as_it_may_be_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "LONGEST_NUMBER", 3)
    assert paper.read_numbers([["123"]]) == [123]
    assert sentence_of(lambda: paper.read_numbers([["1234"]])) == "In a1 stands '1234', which is too long for a number."


def test_each_mark_of_an_empty_square_is_none_and_no_number() -> None:
    assert paper.read_numbers([["1", "."], ["_", "-2"]]) == [None, -2, 1, None]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 2", "The grid has 1 row of 2 squares, but it must be as high as wide."),
        ("1/2", "The grid has 2 rows of 1 square, but it must be as high as wide."),
        ("1 2/3", "Row 2 from the top has 1 square, but row 1 has 2."),
        ("1 2/3 4 5", "Row 2 from the top has 3 squares, but row 1 has 2."),
    ],
)
def test_a_grid_that_is_not_square_is_refused_with_its_rows(text: str, sentence: str) -> None:
    assert sentence_of(lambda: paper.read_side(paper.read_grid(text), SIDE, {})) == sentence


def test_a_grid_of_another_size_than_was_given_is_refused() -> None:
    assert paper.read_side([["1"]], SIDE, {"n": 1}) == {"n": 1}
    assert sentence_of(lambda: paper.read_side([["1"]], SIDE, {"n": 2})) == "The grid has 1 row, but n is 2."


def test_a_number_below_the_largest_that_is_missing_is_named() -> None:
    assert paper.read_order([["2", "."], ["1", "3"]]) == [0, 2, 1]
    assert sentence_of(lambda: paper.read_order([[".", "2"], ["3", "."]])) == "1 is missing, but 3 is written."


def test_a_number_of_more_than_forty_digits_is_cut_in_a_sentence() -> None:
    assert paper.shorten_number(10**39) == "1" + "0" * 39
    assert paper.shorten_number(10**40) == "1" + "0" * 36 + "..."
