import pytest

import quet
from conftest import play_at_random
from quet.core.position import Position
from quet.draw.scene import Circle, Rectangle, Scene
from quet.games.plusses_minuses import rules
from quet.games.plusses_minuses.picture import scene

ONE, TWO, FILLED = "+-+-+-+", "++-++-+", "a1 b8 c4 d2 e3 f5 g6 h7"


def sample(squares: str = FILLED) -> quet.Game:
    game = quet.new("plusses-minuses", n=8)
    for one, two in zip(ONE, TWO, strict=True):
        game.play(one)
        game.play(two)
    for square in squares.split():
        game.play(square)
    return game


def pills(picture: Scene, role: str) -> list[Rectangle]:
    return [shape for shape in picture.shapes if isinstance(shape, Rectangle) and shape.role == role]


def test_the_lists_of_the_authors_sample_stand_below_each_other() -> None:
    assert sample().scene().notes == (
        "Player 1: 4 of 7 signs agree",
        "+ - + - + - + predicted",
        "+ - - + + + + truth",
        "Player 2: 5 of 7 signs agree",
        "+ + - + + - + predicted",
        "+ + - + + + - truth",
    )


def test_signs_that_agree_are_highlighted_between_their_columns_or_rows() -> None:
    picture = sample().scene()
    a1 = next(square for square in picture.squares if square.name == "a1")
    between_columns = [round(pill.x + pill.width / 2 - a1.x, 3) for pill in pills(picture, "tint_one")]
    assert between_columns == [1, 2, 5, 7]
    between_rows = [round(a1.y + 1 - pill.y - pill.height / 2, 3) for pill in pills(picture, "tint_two")]
    assert between_rows == [1, 2, 3, 4, 5]


def test_signs_are_choices_while_predicting_only() -> None:
    game = quet.new("plusses-minuses", n=2)
    assert [choice.move for choice in game.scene().choices] == ["+", "-"]
    assert not game.scene(legal=False).choices
    assert not any(square.moves for square in game.scene().squares)
    game.play("+")
    assert "row" in game.scene().choices[0].words
    game.play("-")
    assert not game.scene().choices
    assert {move for square in game.scene().squares for move in square.moves} == set(game.legal_moves)


def test_the_lists_grow_as_they_are_played() -> None:
    game = quet.new("plusses-minuses", n=4)
    for sign in "+-+":
        game.play(sign)
    assert game.scene().notes[1] == "+ + . predicted"
    assert game.scene().notes[4] == "- . . predicted"
    assert sum(shape.role == "last" for shape in game.scene().shapes) == 1
    assert not any(square.is_last for square in game.scene().squares)


def test_what_a_filled_square_rules_out_is_shaded_until_the_end() -> None:
    assert len(pills(sample("a1").scene(), "tint")) == 14
    assert not pills(sample().scene(), "tint")
    b1 = next(square for square in sample("a1").scene().squares if square.name == "b1")
    assert b1.words == "empty, row or column taken"


def test_the_dot_is_at_the_lower_left_corner() -> None:
    picture = sample().scene(legal=False)
    a1 = next(square for square in picture.squares if square.name == "a1")
    assert any(isinstance(s, Circle) and (s.x, s.y) == (a1.x, a1.y + 1) for s in picture.shapes)


def test_a_position_from_paper_has_no_last_move() -> None:
    game = sample()
    picture = scene(Position(game.state, game.parameters))
    assert not any(square.is_last for square in picture.squares)
    assert not any(shape.role == "last" for shape in picture.shapes)
    assert [square.name for square in picture.squares if square.glyph == "*"] == "b8 h7 g6 f5 c4 e3 d2 a1".split()


@pytest.mark.parametrize("n", [2, 5, 20])
def test_every_legal_move_can_be_touched_or_chosen(n: int) -> None:
    for game in play_at_random(quet.new("plusses-minuses", n=n, second_part_first=2), n):
        picture = game.scene()
        offered = {move for square in picture.squares for move in square.moves}
        assert offered | {choice.move for choice in picture.choices} == set(game.legal_moves)


def test_the_agreeing_signs_are_the_score() -> None:
    for game in play_at_random(quet.new("plusses-minuses", n=6), 9):
        picture = game.scene()
        for player in (1, 2):
            role = {1: "tint_one", 2: "tint_two"}[player]
            assert len(pills(picture, role)) == rules.score(game.state, player)
