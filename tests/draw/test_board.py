import pytest

from quet.draw import board
from quet.draw.scene import Line, Rectangle, Text


def test_a1_is_the_lower_left_square() -> None:
    assert board.square_box(0, 3) == pytest.approx((board.LABEL_MARGIN, board.MARGIN + 2))
    assert board.centre(8, 3) == pytest.approx((board.LABEL_MARGIN + 2.5, board.MARGIN + 0.5))


def test_squares_are_listed_by_rows_from_the_top() -> None:
    listed = board.squares(2, lambda square: ".", lambda square: "empty", {3: ["b2"]}, 0, {1: "b1="})
    assert [square.name for square in listed] == ["a2", "b2", "a1", "b1"]
    assert [(square.row, square.column) for square in listed] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [square.moves for square in listed] == [(), ("b2",), (), ()]
    assert [square.prompt for square in listed] == ["", "", "", "b1="]
    assert [square.is_last for square in listed] == [False, False, True, False]


@pytest.mark.parametrize("n", [1, 2, 12, 20])
def test_labels_stand_at_their_rows_and_columns_inside_the_picture(n: int) -> None:
    width, height = board.board_size(n)
    labels = {shape.text: shape for shape in board.grid_shapes(n) if isinstance(shape, Text)}
    assert len(labels) == 2 * n
    assert labels["1"].y == board.centre(0, n)[1]
    assert labels["a"].x == board.centre(0, n)[0]
    assert all(0 < label.x < width and 0 < label.y < height for label in labels.values())


def test_filled_squares_are_painted_over_the_board_and_under_its_lines() -> None:
    shapes = board.grid_shapes(3, {4: "filled"})
    fill = shapes.index(Rectangle(*board.square_box(4, 3), 1, 1, "filled"))
    assert fill == 1
    assert isinstance(shapes[2], Line)


@pytest.mark.parametrize(("text", "size"), [("7", 0.4), ("42", 0.4), ("400", 0.34)])
def test_numbers_of_two_and_three_digits_have_the_sizes_of_the_book(text: str, size: float) -> None:
    assert board.number_size(text) == pytest.approx(size)


def test_longer_numbers_get_smaller_until_they_fit() -> None:
    assert all(board.number_size("9" * digits) * 0.6 * digits < 0.9 for digits in range(1, 30))


def test_the_gap_of_a_line_over_others_ends_short_of_both_ends() -> None:
    gap, line = board.passing_over(((0, 0), (2, 0)), "path", 0.1)
    assert isinstance(gap, Line) and isinstance(line, Line)
    assert [x for x, _ in gap.points] == pytest.approx([0.3, 1.7])
    assert gap.width > line.width
    assert line.points == ((0, 0), (2, 0))


def test_a_line_too_short_for_a_gap_has_none() -> None:
    assert [shape.role for shape in board.passing_over(((0, 0), (0.5, 0)), "path")] == ["path"]


def test_a_hop_rises_to_the_left_so_that_there_and_back_are_apart() -> None:
    there, back = board.hop((0, 0), (4, 0), 0.4), board.hop((4, 0), (0, 0), 0.4)
    assert there[0] == back[-1] == (0, 0)
    assert there[-1] == back[0] == (4, 0)
    assert min(y for _, y in there) == pytest.approx(-0.4)
    assert max(y for _, y in back) == pytest.approx(0.4)


def test_a_hop_of_no_height_is_straight() -> None:
    assert all(x == 1 for x, _ in board.hop((1, 1), (1, 2), 0))
