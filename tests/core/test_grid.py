"""Squares have one name each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quet.core import grid
from quet.core.errors import UnreadableMove


@given(st.integers(1, 99).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n * n - 1))))
def test_a_square_reads_back(place: tuple[int, int]) -> None:
    n, square = place
    assert grid.read_square(grid.square_text(square, n), n) == square


def test_columns_go_on_after_z_as_in_a_spreadsheet() -> None:
    assert [
        grid.square_text(column, 60) for column in (0, 25, 26, 27, 51, 52, 59)
    ] == "a1 z1 aa1 ab1 az1 ba1 bh1".split()


def test_a1_is_the_lower_left_square_and_columns_come_first() -> None:
    assert [grid.square_text(square, 3) for square in range(9)] == "a1 b1 c1 a2 b2 c2 a3 b3 c3".split()


@pytest.mark.parametrize("text", ["", "a", "1", "a0", "a01", "A1", "a1 ", "u1", "a21", "aa1", "a-1", "a١"])
def test_what_is_no_square_of_the_grid_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableMove):
        grid.read_square(text, 20)


def test_a_square_off_the_grid_is_told_apart() -> None:
    with pytest.raises(UnreadableMove, match="d1 is off the grid; the squares are a1 to c3"):
        grid.read_square("d1", 3)


def test_beside_and_touching_are_as_on_paper() -> None:
    assert [b for b in range(9) if grid.is_beside(4, b, 3)] == [1, 3, 5, 7]
    assert [b for b in range(9) if grid.is_touching(4, b, 3)] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert not grid.is_beside(2, 3, 3)  # c1 and a2 follow each other by number only
    assert not grid.is_touching(2, 3, 3)


@given(st.lists(st.integers(-1, 5), max_size=6), st.integers(-1, 6))
def test_numbers_are_counted_from_one(numbers: list[int], last: int) -> None:
    wanted = sorted(number for number in numbers if number != 0) == list(range(1, last + 1)) and last >= 0
    assert grid.is_numbered(numbers, len(numbers), last) == wanted


def test_more_numbers_than_a_word_has_bits_are_counted() -> None:
    numbers = [*range(130, 0, -1), 0, 0]
    assert grid.is_numbered(numbers, 132, 130) and not grid.is_numbered(numbers, 132, 129)
    for place, wrong in ((0, 129), (70, 1), (129, 131), (131, 130), (5, -3)):
        assert not grid.is_numbered([*numbers[:place], wrong, *numbers[place + 1 :]], 132, 130)
