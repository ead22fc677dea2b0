import pytest

from quet.core.errors import BadPaper
from quet.games.sums_grid import judge, rules

SAMPLE = "2 9 8/3 1 10/7 6 15"


def test_each_sum_has_a_shortest_run_that_gives_it() -> None:
    items = judge.items(judge.read_paper(SAMPLE, {}))
    words = [item.words for item in items]
    assert len(items) == 20
    assert words[0] == "1 in b2" and items[0].squares == ("b2",)
    assert words[3] == "4 = 3 + 1, a2 to b2"
    assert words[17] == "18 = 8 + 10, c3 to c2"
    assert items[18].squares == ("a3", "b3", "c3") and words[18] == "19 = 2 + 9 + 8, a3 to c3"
    assert words[-1] == "first missing: 20" and items[-1].points == 0


def test_a_full_grid_is_done_and_another_is_not() -> None:
    full, other = judge.read_paper(SAMPLE, {}).state, judge.read_paper("1 2/. 3", {"n": 2}).state
    assert rules.is_over(full) and rules.score(full, 1) == 19
    assert not rules.is_over(other) and rules.score(other, 1) == 3
    assert other.numbers[:4] == [rules.EMPTY, 3, 1, 2]


def test_an_empty_square_ends_every_run() -> None:
    assert [item.words for item in judge.items(judge.read_paper("1 ./. 1000000000", {}))] == [
        "1 in a2",
        "first missing: 2",
    ]


def test_a_single_number_is_a_grid() -> None:
    assert rules.score(judge.read_paper("1", {}).state, 1) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 2/3 1", "1 stands both in b1 and in a2."),
        ("1 2/3", "Row 2 from the top has 1 square, but row 1 has 2."),
        ("1 2/0 4", "In a1 stands '0', but the numbers are 1 to 1000000000."),
        ("1 1000000001/3 4", "In b2 stands '1000000001', but the numbers are 1 to 1000000000."),
        ("1 2/3 1_0", "In b1 stands '1_0', which is neither a number nor a . for an empty square."),
        ("1 2/3 ٤", "In b1 stands '٤', which is neither a number nor a . for an empty square."),
        ("9" * 900_000, f"In a1 stands '{'9' * 37}...', which is too long for a number."),
    ],
)
def test_a_bad_paper_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, {})
    assert str(error.value) == sentence
