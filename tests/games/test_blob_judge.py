import pytest

import quet
from quet import catalog
from quet.core.errors import BadPaper, BadParameter
from quet.games.blob import judge, rules

SAMPLE = catalog.get("blob").facts["samples"][0]["paper"]


def test_the_authors_grid_has_his_run_lengths() -> None:
    items = judge.items(judge.read_paper(SAMPLE, {}))
    words = [item.words for item in items]
    assert len(items) == 24
    assert words[:2] == ["row 12 (2,1,9): not good", "row 11 (2,2,2,2,4): good"]
    assert items[1].squares[:2] == ("a11", "b11")
    assert items[12].squares[:2] == ("a12", "a11")
    assert words[12] == "column a (8,3,1): not good"
    assert [sum(item.points for item in items if item.player == player) for player in (1, 2)] == [3, 5]


@pytest.mark.parametrize("text", ["* * o o/o * o o/. . . ./oooo", "**oo\no*..\n\no o o o\n____"])
def test_marks_may_have_spaces_between_them_or_not(text: str) -> None:
    s = judge.read_paper(text, {"n": 4}).state
    assert [square for square in range(16) if s.cells[square] == rules.FULL] == [9, 12, 13]


def test_a_grid_from_paper_has_the_legal_moves_of_the_game() -> None:
    game = quet.new("blob", n=4)
    for move in ("c2", "c3", "b3"):
        game.play(move)
    s = judge.read_paper("oooo/o**o/oo*o/oooo", {}).state
    out = [0] * 16
    assert sorted(out[: rules.legal_moves(s, out)]) == game.legal_numbers()
    assert (s.ply, s.cells) == (game.state.ply, game.state.cells)


@pytest.mark.parametrize(
    ("text", "given", "sentence"),
    [
        ("*o/oo/oo", {}, "The grid has 3 rows of 2 squares, but it must be as high as wide."),
        ("*oo/ooo/oo", {}, "Row 3 from the top has 2 squares, but row 1 has 3."),
        ("*ox/ooo/ooo", {}, "In c3 stands 'x', which is neither * for filled nor o for empty."),
        ("*oo/ooo/oo*", {}, "The filled squares don't hang together: none leads to a3."),
        ("***/***/ooo", {}, "6 squares are filled, but the game ends with 4."),
        ("*o/oo", {"n": "3"}, "The grid has 2 rows, but n is 3."),
        (" / /\n", {}, "Nothing is written on the paper."),
    ],
)
def test_a_bad_paper_is_refused_with_its_place(text: str, given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, given)
    assert str(error.value) == sentence


def test_a_grid_of_one_square_is_no_blob_game() -> None:
    with pytest.raises(BadParameter, match="n must be from 2 to 20"):
        judge.read_paper("*", {})
