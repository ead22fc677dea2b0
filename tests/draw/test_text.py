import pytest

import quet
from conftest import play_at_random, small_games
from quet.draw.scene import Scene, Square
from quet.draw.text import rows, text


def square(name: str, column: int, row: int, glyph: str, *moves: str, last: bool = False) -> Square:
    return Square(name, column, row, column, row, 1, 1, glyph, glyph, moves, is_last=last)


def picture(*squares: Square, row_notes: dict[int, str] | None = None, notes: tuple[str, ...] = ()) -> Scene:
    return Scene("A title", 2, 2, (), squares, row_notes=row_notes or {}, notes=notes)


def test_the_rows_of_a_grid_or_the_only_row_are_written_without_what_is_around_them() -> None:
    grid = [
        square("a2", 0, 0, "*", last=True),
        square("b2", 1, 0, "."),
        square("a1", 0, 1, "12"),
        square("b1", 1, 1, "3"),
    ]
    assert rows(picture(*grid, row_notes={0: "good"}, notes=("First.",))) == [" *  .", "12  3"]
    assert rows(picture(square("1", 0, 0, "0"), square("2", 1, 0, "1"))) == ["0 1"]
    assert rows(picture(square("1", 0, 0, "1"), square("2", 0, 1, "2"))) == []


def test_a_small_grid_is_written_with_its_names_notes_and_last_move() -> None:
    scene = picture(
        square("a2", 0, 0, "*"),
        square("b2", 1, 0, "."),
        square("a1", 0, 1, "12"),
        square("b1", 1, 1, "3", last=True),
        row_notes={0: "good"},
        notes=("First.", "Second."),
    )
    assert text(scene) == "2   *  .  good\n1  12 [3]\n    a  b\n\nFirst.\nSecond."


def test_squares_that_can_be_played_are_in_round_brackets() -> None:
    scene = picture(square("a1", 0, 0, ".", "a1"), square("b1", 1, 0, ".", "b1"), square("c1", 2, 0, "*", last=True))
    assert text(scene) == "1 (.)(.)[*]\n   a  b  c"


def test_elsewhere_each_square_has_its_name_below() -> None:
    row = [square(str(k + 1), k, 0, "01."[k % 3]) for k in range(10)]
    assert text(picture(*row)) == "  0  1  .  0  1  .  0  1  .  0\n  1  2  3  4  5  6  7  8  9 10"


def test_a_square_that_shows_its_name_is_not_named_again() -> None:
    scene = picture(square("1", 0, 0, "1"), square("12", 2, 0, "12", last=True), square("5", 1, 1, "5"))
    assert text(scene) == "  1   [12]\n     5"


def test_a_scene_without_squares_is_its_notes() -> None:
    assert text(picture(notes=("Nothing here.",))) == "Nothing here."
    assert text(picture()) == ""


@pytest.mark.parametrize("small", list(small_games()), ids=repr)
def test_every_game_is_written_in_lines_that_end_without_spaces(small: quet.Game) -> None:
    for now in play_at_random(small.copy(), 3, limit=10):
        for legal in (True, False):
            written = text(now.scene(legal=legal))
            assert written.isascii()
            assert all(line == line.rstrip() for line in written.split("\n"))
            for shown in now.scene(legal=legal).squares:
                assert shown.glyph in written


@pytest.mark.parametrize("n", [2, 10, 20])
def test_the_rows_of_a_grid_are_as_many_as_its_names_say(n: int) -> None:
    lines = text(quet.new("up-and-up", n=n).scene(legal=False)).split("\n")
    assert [line.split()[0] for line in lines[:n]] == [str(n - k) for k in range(n)]
    assert lines[n].split() == list("abcdefghijklmnopqrst"[:n])
