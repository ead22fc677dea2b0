"""The board on its own, with scenes made for the purpose."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult

from quet.draw.scene import Circle, Rectangle, Scene, Square
from quet.terminal.board import Board

TWO_BY_TWO = [("a2", 0, 0, "."), ("b2", 1, 0, "12"), ("a1", 0, 1, "*"), ("b1", 1, 1, "-3")]


def scene(
    squares: Iterable[tuple[str, int, int, str]],
    *,
    legal: Iterable[str] = (),
    last: str = "",
    row_notes: dict[int, str] | None = None,
    shapes: tuple[Rectangle | Circle, ...] = (),
) -> Scene:
    found = [
        Square(name, column, row, column, row, 1, 1, glyph, "", (name,) if name in legal else (), is_last=name == last)
        for name, column, row, glyph in squares
    ]
    return Scene("Test", 3, 3, shapes, tuple(found), row_notes=row_notes or {})


class Alone(App[None]):
    """An application that is nothing but a board."""

    def __init__(self, shown: Scene) -> None:
        super().__init__()
        self.shown = shown
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        yield Board(self.shown)

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self.heard.append(message.square.name)

    def on_board_typed(self, message: Board.Typed) -> None:
        self.heard.append(f"{message.character} on {message.square.name if message.square else None}")


@asynccontextmanager
async def alone(shown: Scene, size: tuple[int, int] = (40, 12)) -> AsyncIterator[Board]:
    app = Alone(shown)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        board = app.query_one(Board)
        board.focus()
        await pilot.pause()
        yield board


def lines(board: Board) -> list[str]:
    shown = [board.render_line(y).text.rstrip() for y in range(board.size.height)]
    return [line for line in shown if line]


async def test_squares_are_boxes_with_labels_and_notes() -> None:
    async with alone(scene(TWO_BY_TWO, row_notes={0: "good"})) as board:
        board.jump(0)
        assert lines(board) == [
            "  ┏━━━━┓────┐",
            "2 ┃    ┃ 12 │  good",
            "  ┗━━━━┛────┤",
            "1 │████│ −3 │",
            "  └────┴────┘",
            "    a    b",
        ]


async def test_legal_squares_and_the_last_move_are_marked_by_characters() -> None:
    async with alone(scene(TWO_BY_TWO, legal=["a2", "b2"], last="b1")) as board:
        board.jump(2)
        shown = lines(board)
        assert shown[1] == "2 │ •  │(12)│"
        assert shown[3] == "1 ┃████┃[−3]│"


async def test_a_board_that_is_too_large_loses_first_its_lines_and_its_width() -> None:
    async with alone(scene(TWO_BY_TWO, legal=["b2"], last="b1"), size=(10, 3)) as board:
        board.jump(0)
        assert lines(board) == ["2 ┃  ┃12)", "1 │██[−3]", "   a  b"]


async def test_squares_without_places_between_them_have_no_lines_there() -> None:
    tree = [("4", 1, 0, "4"), ("2", 0, 1, "2"), ("3", 1, 1, "3"), ("5", 2, 1, "5"), ("1", 0, 2, "1*")]
    async with alone(scene(tree)) as board:
        board.jump(3)
        assert lines(board) == [
            "     ┌────┐",
            "     │ 4  │",
            "┌────┼────┏━━━━┓",
            "│ 2  │ 3  ┃ 5  ┃",
            "├────┼────┗━━━━┛",
            "│ 1* │",
            "└────┘",
        ]


async def test_squares_that_do_not_show_their_names_have_them_below() -> None:
    row = [(str(k + 1), k, 0, glyph) for k, glyph in enumerate("0.1")]
    async with alone(scene(row)) as board:
        board.jump(0)
        assert lines(board)[1:3] == ["┃ 0 ┃   │ 1 │", "┃ 1 ┃ 2 │ 3 │"]


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        (["home"], "4"),
        (["end"], "1"),
        (["home", "down"], "3"),
        (["home", "down", "right", "right", "right"], "5"),
        (["home", "down", "left", "up"], "4"),
        (["end", "right"], "1"),
        (["end", "up", "up", "up"], "4"),
    ],
)
async def test_arrows_go_to_the_nearest_square_on_that_side(keys: list[str], name: str) -> None:
    tree = [("4", 1, 0, "4"), ("2", 0, 1, "2"), ("3", 1, 1, "3"), ("5", 2, 1, "5"), ("1", 0, 2, "1*")]
    app = Alone(scene(tree))
    async with app.run_test() as pilot:
        app.query_one(Board).focus()
        await pilot.press(*keys, "enter", "!")
        await pilot.pause()
        assert app.heard == [name, f"! on {name}"]


async def test_a_click_chooses_the_square_under_it_and_nothing_beside_the_board() -> None:
    app = Alone(scene(TWO_BY_TWO))
    async with app.run_test(size=(40, 12)) as pilot:
        for x, y in [(4, 1), (9, 1), (4, 3), (9, 3), (0, 1), (20, 1), (4, 9)]:
            await pilot.click(Board, offset=(x, y))
        await pilot.pause()
        assert app.heard == ["a2", "b2", "a1", "b1"]


async def test_the_cursor_stays_where_it_is_when_the_scene_changes() -> None:
    async with alone(scene(TWO_BY_TWO)) as board:
        board.jump(2)
        board.show(scene(TWO_BY_TWO, last="b2"))
        assert board.cursor is not None and board.cursor.name == "a1"
        board.show(scene(TWO_BY_TWO[:2], last="b2"))
        assert board.cursor is not None and board.cursor.name == "b2"


async def test_an_empty_board_bears_every_key() -> None:
    app = Alone(scene([]))
    async with app.run_test() as pilot:
        app.query_one(Board).focus()
        await pilot.press("up", "left", "home", "end", "enter", "x")
        await pilot.pause()
        assert app.heard == ["x on None"]


async def test_a_square_has_the_colour_that_it_has_in_the_picture() -> None:
    shapes = (Rectangle(0, 0, 2, 2, "square"), Rectangle(0, 0, 1, 1, "tint_one"), Circle(1.5, 0.5, 0.3, "tint_two"))
    async with alone(scene(TWO_BY_TWO, shapes=shapes)) as board:
        board.jump(3)
        row = board.render_line(1)
        papers = [segment.style.bgcolor.name for segment in row if segment.style and segment.style.bgcolor]
        assert "#24364c" in papers and "#4b3424" in papers
