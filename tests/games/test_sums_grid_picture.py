import pytest

import quet
from quet.core.position import Position
from quet.draw.scene import Rectangle, Scene, Text
from quet.games.sums_grid.picture import scene


def played(rows: str) -> quet.Game:
    lines = [row.split() for row in rows.split("/")]
    game = quet.new("sums-grid", n=len(lines))
    for k, line in enumerate(lines):
        for column, number in enumerate(line):
            if number != ".":
                game.play(f"{'abcdefghij'[column]}{len(lines) - k}={number}")
    return game


def texts(picture: Scene) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def chart(picture: Scene, role: str) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text) and shape.role == role]


def test_the_authors_sample_reaches_19_and_20_is_missing() -> None:
    picture = played("2 9 8 / 3 1 10 / 7 6 15").scene(legal=False)
    assert picture.notes == ("1 to 19 occur as sums; 20 is missing.", "Further sums: 21 25")
    assert chart(picture, "good") == ["1 to 19 occur as sums", *map(str, range(1, 20))]
    assert chart(picture, "bad") == ["20 is missing", "20"]


def test_runs_with_an_empty_square_are_no_sums() -> None:
    assert played("1 . / . .").scene(legal=False).notes == ("1 occurs as a sum; 2 is missing.",)
    assert played("1 . 2 / . . . / . . .").scene(legal=False).notes == ("1 to 2 occur as sums; 3 is missing.",)
    assert played("1 2 . / . . . / . . .").scene(legal=False).notes == ("1 to 3 occur as sums; 4 is missing.",)


def test_an_empty_grid_says_that_1_is_missing_and_a_perfect_one_that_nothing_is() -> None:
    assert played(". . / . .").scene().notes == ("No sum counts yet; 1 is missing.",)
    assert played("1").scene().notes == ("1 occurs as a sum; no more is possible.",)


def test_each_square_begins_a_move_whose_value_is_typed() -> None:
    game = played("1 2 / 4 6")
    assert [square.prompt for square in game.scene().squares] == ["a2=", "b2=", "a1=", "b1="]
    assert not any(square.moves for square in game.scene().squares)
    assert [square.is_last for square in game.scene().squares] == [False, False, False, True]


def test_done_is_a_choice_when_the_grid_is_full_and_then_nothing_is_left_to_do() -> None:
    assert not played("1 2 / 4 .").scene().choices
    game = played("1 2 / 4 6")
    assert [choice.move for choice in game.scene().choices] == ["done"]
    game.play("done")
    picture = game.scene()
    assert not picture.choices
    assert not any(square.prompt or square.is_last for square in picture.squares)


@pytest.mark.parametrize(
    ("number", "glyph"),
    [(7, "7"), (9999, "9999"), (12345, "12k"), (999999, "999k"), (3000000, "3M"), (10**9, "1G")],
)
def test_a_large_number_is_short_in_text_and_whole_in_the_picture_and_in_words(number: int, glyph: str) -> None:
    picture = played(f"{number} . / . .").scene(legal=False)
    assert picture.squares[0].glyph == glyph
    assert picture.squares[0].words == f"holds {number}"
    assert str(number) in ("".join(texts(picture)[4:6]), texts(picture)[4])


def test_a_large_grid_has_a_bar_that_counts_to_the_end() -> None:
    picture = played("1 2 . . . / . . . . . / . . . . . / . . . . . / . . . . .").scene(legal=False)
    (bar,) = (shape for shape in picture.shapes if isinstance(shape, Rectangle) and shape.role == "good")
    (missing,) = (shape for shape in picture.shapes if isinstance(shape, Rectangle) and shape.role == "bad")
    assert bar.width == pytest.approx(3 * missing.width)
    assert missing.x == pytest.approx(bar.x + bar.width)
    assert [text for text in texts(picture) if text in ("1", "51", "101", "151")].count("101") == 1
    assert "151" not in texts(picture)


def test_the_end_of_a_long_list_of_sums_is_left_out() -> None:
    row = " ".join(str(3 * k) for k in range(1, 11))
    empty = " / ".join([" ".join("." * 10)] * 9)
    assert played(f"{row} / {empty}").scene(legal=False).notes[1].endswith(" ...")


def test_a_position_from_paper_is_drawn() -> None:
    game = played("2 9 8 / 3 1 10 / 7 6 15")
    picture = scene(Position(game.state, game.parameters))
    assert [square.glyph for square in picture.squares] == "2 9 8 3 1 10 7 6 15".split()
    assert not any(square.is_last for square in picture.squares)
