import pytest

import quet
from conftest import play_at_random
from quet.core.position import Position
from quet.draw.scene import Line, Scene, Text
from quet.games.palindromes import rules
from quet.games.palindromes.picture import scene


def on_paper(digits: str) -> Scene:
    s = rules.State()
    rules.start(s, m=len(digits))
    for square, digit in enumerate(digits):
        if digit != ".":
            rules.play(s, 2 * square + int(digit))
    return scene(Position(s, {"m": s.m}))


def numbers(picture: Scene, role: str) -> list[int]:
    return [int(shape.text) for shape in picture.shapes if isinstance(shape, Text) and shape.role == role]


def arcs(picture: Scene, role: str) -> list[Line]:
    return [shape for shape in picture.shapes if isinstance(shape, Line) and shape.role == role]


def test_the_numbers_at_the_arcs_add_up_to_the_authors_scores() -> None:
    picture = on_paper("1001001101000100")
    assert sum(numbers(picture, "one")) == 24
    assert sum(numbers(picture, "two")) == 46
    assert picture.notes == (
        "Player 1: 24 for palindromes = 6 + 6 + 6 + 2 + 2 + 2",
        "Player 2: 46 for antipalindromes = 2 + 2 + 2 + 20 + 2 + 12 + 2 + 2 + 2",
    )


def test_an_arc_spans_its_pattern_above_for_palindromes_and_below_for_the_others() -> None:
    picture = on_paper("1001")
    (whole,) = arcs(picture, "one")
    first, last = picture.squares[0], picture.squares[-1]
    assert whole.points[0] != whole.points[-1]
    assert first.x <= min(x for x, _ in whole.points) < first.x + 0.2
    assert last.x + 0.8 < max(x for x, _ in whole.points) <= last.x + 1
    assert all(y < first.y for _, y in whole.points)
    below = arcs(picture, "two")
    assert len(below) == 2
    assert all(y > first.y + 1 for arc in below for _, y in arc.points)


def test_nothing_with_an_empty_square_in_it_is_drawn() -> None:
    assert not arcs(on_paper("1.1."), "one")
    assert not arcs(on_paper("1.1."), "two")


def test_each_empty_square_offers_both_digits() -> None:
    game = quet.new("palindromes", m=3)
    game.play("2=1")
    picture = game.scene()
    assert [square.moves for square in picture.squares] == [("1=0", "1=1"), (), ("3=0", "3=1")]
    assert [square.words for square in picture.squares] == ["empty", "1", "empty"]
    assert [square.is_last for square in picture.squares] == [False, True, False]
    assert not any(square.moves for square in game.scene(legal=False).squares)


@pytest.mark.parametrize(("m", "lines"), [(1, 1), (26, 1), (27, 2), (52, 2), (64, 3)])
def test_a_long_row_is_broken_into_lines_of_about_equal_length(m: int, lines: int) -> None:
    picture = quet.new("palindromes", m=m).scene()
    assert [int(square.name) for square in picture.squares] == list(range(1, m + 1))
    lengths = [sum(square.row == line for square in picture.squares) for line in range(lines)]
    assert sum(lengths) == m
    assert max(lengths) - min(lengths) <= lines


def test_an_arc_goes_on_in_the_next_line() -> None:
    picture = on_paper("." * 13 + "01" + "." * 12)  # the pair is broken: fourteen squares in the first line
    first, second = arcs(picture, "two")
    assert max(x for x, _ in first.points) <= picture.width
    assert min(x for x, _ in second.points) >= 0
    assert max(y for _, y in first.points) < picture.squares[-1].y < min(y for _, y in second.points)


def test_no_arc_leaves_the_picture() -> None:
    for digits in ("0" * 64, "01" * 32, "0" * 16, "01", "0101"):
        picture = on_paper(digits)
        for arc in arcs(picture, "one") + arcs(picture, "two"):
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in arc.points)


def test_squares_never_overlap_and_the_last_move_is_marked() -> None:
    for game in play_at_random(quet.new("palindromes", m=30), 1):
        picture = game.scene()
        assert len({(square.x, square.y) for square in picture.squares}) == 30
        assert [square.name for square in picture.squares if square.is_last] == [game.moves[-1].split("=")[0]]
