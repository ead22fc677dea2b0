import pytest

import quet
from quet.core.errors import BadPaper, UnreadableMove
from quet.games.plusses_minuses import judge, rules

SAMPLE = "+-+-+-+ ++-++-+ a1 b8 c4 d2 e3 f5 g6 h7"


def test_every_sign_is_compared_with_the_truth() -> None:
    items = judge.items(judge.read_paper(SAMPLE, {}))
    assert len(items) == 14
    assert items[0].words == "columns a and b: predicted +, true +: a match"
    assert items[0].squares == ("a1", "b8")
    assert items[2].words == "columns c and d: predicted +, true -: no match"
    assert items[7].words == "rows 1 and 2: predicted +, true +: a match"
    assert items[7].squares == ("a1", "d2")
    assert [sum(item.points for item in items if item.player == player) for player in (1, 2)] == [4, 5]


def test_squares_may_be_missing() -> None:
    position = judge.read_paper("+- -+ a1 b3", {})
    assert position.parameters["n"] == 3 and not rules.is_over(position.state)
    words = [item.words for item in judge.items(position)]
    assert words[0] == "columns a and b: predicted +, true +: a match"
    assert words[1] == "columns b and c: predicted -, not filled yet"


def test_the_ends_of_the_lists_may_be_missing_where_n_is_given() -> None:
    game = quet.new("plusses-minuses", n=5)
    for move in "+--":
        game.play(move)
    assert judge.read_paper("+- -", {"n": 5}).state == game.state
    assert len(judge.items(judge.read_paper("+- -", {"n": 5}))) == 3
    first = quet.new("plusses-minuses", n=5)
    first.play("+")
    assert judge.read_paper("+", {"n": 5}).state == first.state


def test_a_list_of_minuses_is_read_also_with_the_true_minus_sign() -> None:
    assert judge.read_paper("-- −–", {}).state.predicted[:4] == [-1, -1, -1, -1]


def test_a_move_is_read_with_the_minus_that_pages_print_and_the_dash_of_phones() -> None:
    game = quet.new("plusses-minuses", n=3)
    for move in ("−", "–", "-", "+"):
        game.play(move)
    assert game.moves == ["-", "-", "-", "+"]
    with pytest.raises(UnreadableMove, match="a move is"):
        game.play("—+")


def test_a_paper_is_the_state_of_a_game() -> None:
    game = quet.new("plusses-minuses", n=3, second_part_first=2)
    for move in ("+", "-", "-", "+", "b3", "a1"):
        game.play(move)
    position = judge.read_paper("+- -+ a1 b3", {"second_part_first": 2})
    assert position.state == game.state


@pytest.mark.parametrize(
    ("text", "given", "sentence"),
    [
        ("a1 b2", {}, "The paper must begin with two lists of + and -, and there is none."),
        ("+X +- a1", {}, "The paper must begin with two lists of + and -, and there is none."),
        ("+-", {"n": 5}, "The paper must begin with two lists of + and -, not 1."),
        ("+ ++", {"n": 2}, "Player 2's list has 2 signs, but n is 2, which makes it 1."),
        ("+- ++ -- a1", {}, "The paper must begin with two lists of + and -, not 3."),
        ("+- + a1", {}, "Player 1's list has 2 signs, but player 2's has 1."),
        ("+- +- a1", {"n": 4}, "Filled square 1: a1 can't be filled before both prediction lists have 3 symbols."),
        ("+- +- a1", {"n": 2}, "Player 1's list has 2 signs, but n is 2, which makes it 1."),
        ("+ -+", {"n": 4}, "The lists of players 1 and 2 have 1 and 2 signs, but players take turns."),
        ("+- +- a1 c1", {}, "Filled square 2: c1 is in row 1, which has a filled square already."),
        ("+- +- a1 a2", {}, "Filled square 2: a2 is in column a, which has a filled square already."),
        ("+- +- a9", {}, "Filled square 1: a9 is off the grid; the squares are a1 to c3."),
        ("+ + a1 b2 a1", {}, "Filled square 3: The game is over, as every row and column has its square."),
    ],
)
def test_a_bad_paper_is_refused_with_its_place(text: str, given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, given)
    assert str(error.value) == sentence
