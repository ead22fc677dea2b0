import pytest

import quet
from quet.core.errors import BadPaper, BadParameter
from quet.games.palindromes import judge, rules

SAMPLE = "1001001101000100"


def test_each_place_and_length_is_an_item() -> None:
    items = judge.items(judge.read_paper("10010", {}))
    assert [(item.player, item.points, item.words) for item in items] == [
        (1, 4, "1001 at 1-4, a palindrome"),
        (1, 2, "00 at 2-3, a palindrome"),
        (2, 2, "10 at 1-2, an antipalindrome"),
        (2, 2, "01 at 3-4, an antipalindrome"),
        (2, 2, "10 at 4-5, an antipalindrome"),
    ]
    assert items[0].squares == ("1", "2", "3", "4")


def test_the_authors_row_scores_24_and_46() -> None:
    position = judge.read_paper(SAMPLE, {})
    assert position.parameters == {"m": 16}
    assert [rules.score(position.state, player) for player in (1, 2)] == [24, 46]
    assert rules.is_over(position.state)


def test_spaces_are_passed_over_and_dots_are_empty() -> None:
    s = judge.read_paper("1 0._1\n0", {"m": "6"}).state
    assert s.digits[:6] == [1, 0, rules.EMPTY, rules.EMPTY, 1, 0]
    assert s.ply == 4 and not rules.is_over(s)


def test_a_row_from_paper_is_the_state_of_a_game() -> None:
    game = quet.new("palindromes", m=4)
    for move in ("4=1", "1=0", "2=1"):
        game.play(move)
    assert judge.read_paper("01.1", {}).state == game.state


def test_a_pattern_over_an_empty_square_is_no_item() -> None:
    assert judge.items(judge.read_paper("0.0", {})) == []


@pytest.mark.parametrize(
    ("text", "given", "sentence"),
    [
        ("1021", {}, "In square 3 stands '2', which is neither 0 nor 1 nor a . for an empty one."),
        ("1٠", {}, "In square 2 stands '٠', which is neither 0 nor 1 nor a . for an empty one."),
        ("101", {"m": 4}, "The length of the row is 3, but m is 4."),
        ("", {}, "Nothing is written on the paper."),
        ("0" * 1_000_001, {}, "The paper is larger than 1 MB."),
    ],
)
def test_a_bad_paper_is_refused_with_its_place(text: str, given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, given)
    assert str(error.value) == sentence


def test_a_row_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadParameter, match="m must be from 1 to 64"):
        judge.read_paper("0" * 65, {})
