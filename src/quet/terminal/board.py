"""The board: a scene's squares as boxes of characters, with a cursor.

Colour alone never carries a meaning. This is a 3 by 3 grid with the cursor on b2, the last move in a1, and dots on
legal squares:

    3 │   │   │   │
      ├───┏━━━┓───┤
    2 │ • ┃ • ┃   │
      ├───┗━━━┛───┤
    1 │[5]│ • │   │
        a   b   c

A legal square that isn't empty is in parentheses. If the board is too high for its place, the lines between rows are
left out. If it is too wide, its squares become narrow and the marks stand on the lines. What still doesn't fit scrolls.
"""

import re
from dataclasses import dataclass, field
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ..draw.palette import ROLES
from ..draw.scene import Circle, Rectangle, Scene, Square, signed

_ON_GRID = re.compile(r"([a-z])([0-9]+)")
# The line character by its arms: up 1, right 2, down 4, left 8.
_LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_FULL = "█"
_DOT = "•"

Place = tuple[int, int]  # column from the left and row from the top, from 0


@dataclass
class _Row:
    """A line of the screen: characters, each with the role of its ink and of its paper."""

    width: int
    text: list[str] = field(init=False)
    ink: list[str] = field(init=False)
    paper: list[str] = field(init=False)
    is_bold: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        self.text = [" "] * self.width
        self.ink = ["muted"] * self.width
        self.paper = ["paper"] * self.width
        self.is_bold = [False] * self.width

    def put(self, x: int, text: str, ink: str, paper: str = "", *, is_bold: bool = False) -> None:
        """Write the text at x. Without a role for the paper, the paper stays as it is."""
        for i, character in enumerate(text, x):
            if 0 <= i < self.width:
                self.text[i], self.ink[i], self.is_bold[i] = character, ink, is_bold
                self.paper[i] = paper or self.paper[i]


class Board(ScrollView, can_focus=True, inherit_bindings=False):
    """The squares of a scene. Arrows move the cursor, and choosing a square sends `Board.Chosen`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", "Play", show=False),  # the line below the board names it
    ]

    ARROWS: ClassVar[dict[str, Place]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}

    class Moved(Message):
        """The cursor stands on another square."""

    class Chosen(Message):
        """The square was chosen with the keyboard or the mouse."""

        def __init__(self, square: Square) -> None:
            self.square = square
            super().__init__()

    class Typed(Message):
        """A character was typed with the cursor on this square."""

        def __init__(self, character: str, square: Square | None) -> None:
            self.character = character
            self.square = square
            super().__init__()

    def __init__(self, scene: Scene, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._scene = scene
        self._at: dict[Place, int] = {}
        self._papers: dict[Place, str] = {}
        self._cursor = 0
        self._is_lined = True
        self._pad = 1
        self._labels: dict[int, str] = {}  # letters of the columns; empty where squares aren't named like c3
        self._take(scene)
        last = [i for i, square in enumerate(scene.squares) if square.is_last]
        self._cursor = last[0] if last else self._at.get((self._columns // 2, self._rows // 2), 0)

    @property
    def cursor(self) -> Square | None:
        """The square that the cursor is on; None on an empty board."""
        return self._scene.squares[self._cursor] if self._scene.squares else None

    def show(self, scene: Scene) -> None:
        """Show another scene. The cursor stays on its square, or goes to the last move if there is no such square."""
        before = (len(self._scene.squares), self._cursor)
        self._take(scene)
        if before[0] != len(scene.squares):
            self._cursor = next((i for i, square in enumerate(scene.squares) if square.is_last), 0)
        self._lay_out()
        self.refresh()

    def point_at(self, square: Square) -> None:
        """Move the cursor to this square of the scene shown, and scroll there."""
        self._move_to(self._at[square.column, square.row])

    def _take(self, scene: Scene) -> None:
        self._scene = scene
        self._at = {(square.column, square.row): i for i, square in enumerate(scene.squares)}
        self._columns = 1 + max((column for column, _ in self._at), default=0)
        self._rows = 1 + max((row for _, row in self._at), default=0)
        names = [(square, _ON_GRID.fullmatch(square.name)) for square in scene.squares]
        is_grid = all(match is not None for _, match in names)
        self._labels = {square.column: match[1] for square, match in names if match} if is_grid else {}
        self._numbers = {square.row: match[2] for square, match in names if match} if is_grid else {}
        self._has_names = not is_grid and any(square.glyph[:1] != square.name[:1] for square in scene.squares)
        shown = [signed(square.glyph) for square in scene.squares]
        shown += [square.name for square in scene.squares] if self._has_names else []
        self._glyph = max(map(len, shown), default=1)
        self._papers = _papers(scene)

    # The layout: a square is `_cell` wide; with the line to its left it takes `_pitch` columns and `_height` lines.

    @property
    def _cell(self) -> int:
        return self._glyph + 2 * self._pad

    @property
    def _pitch(self) -> int:
        return self._cell + 1

    @property
    def _height(self) -> int:
        return 1 + self._has_names + self._is_lined

    @property
    def _margin(self) -> int:
        return max(map(len, self._numbers.values())) + 1 if self._numbers else 0

    def _extent(self) -> Size:
        notes = max(map(len, self._scene.row_notes.values()), default=-2) + 2
        width = self._margin + self._columns * self._pitch + 1 + notes
        return Size(width, self._rows * self._height + self._is_lined + bool(self._labels))

    def _lay_out(self) -> None:
        """Make the board narrow and leave out its lines only if its place is too small."""
        self._pad, self._is_lined = 1, True
        if self._extent().width > self.size.width:
            self._pad = 0
        if self._extent().height > self.size.height:
            self._is_lined = False
        self.virtual_size = self._extent()

    def on_resize(self) -> None:
        self._lay_out()
        self._scroll_to_cursor()

    def render_line(self, y: int) -> Strip:
        """One line of the screen, for the framework."""
        left, top = self.scroll_offset
        line = self._line(y + top)
        is_dark = self.app.current_theme.dark
        segments: list[Segment] = []
        for text, ink, paper, is_bold in zip(line.text, line.ink, line.paper, line.is_bold, strict=True):
            style = Style(color=ROLES[ink][is_dark], bgcolor=ROLES[paper][is_dark], bold=is_bold)
            segments.append(Segment(text, style))
        blank = Style(bgcolor=ROLES["paper"][is_dark])
        return Strip(Segment.simplify(segments)).crop_extend(left, left + self.size.width, blank).simplify()

    def _line(self, y: int) -> _Row:
        line = _Row(self.virtual_size.width)
        if y >= self.virtual_size.height:
            return line
        row, part = divmod(y, self._height)
        if self._is_lined and part == 0:
            self._rule(line, row)
            return line
        part -= self._is_lined
        if row >= self._rows:
            self._letters(line)
        else:
            self._squares(line, row, is_name=part == 1)
        return line

    def _rule(self, line: _Row, row: int) -> None:
        """The line above a row of squares, with its crossings."""
        for column in range(self._columns + 1):
            above, below = (column, row - 1) in self._at, (column, row) in self._at
            above_left, below_left = (column - 1, row - 1) in self._at, (column - 1, row) in self._at
            arms = (above or above_left) + 2 * (above or below) + 4 * (below or below_left)
            arms += 8 * (above_left or below_left)
            x = self._margin + column * self._pitch
            line.put(x, _LINES[arms], "grid", "square" if arms else "")
            if above or below:
                line.put(x + 1, "─" * self._cell, "grid", "square")
        cursor = self.cursor
        if cursor is not None and row in (cursor.row, cursor.row + 1):
            left, right = "┏┓" if row == cursor.row else "┗┛"
            x = self._margin + cursor.column * self._pitch
            line.put(x, left + "━" * self._cell + right, "ink", is_bold=True)

    def _squares(self, line: _Row, row: int, *, is_name: bool) -> None:
        for column in range(self._columns + 1):
            x = self._margin + column * self._pitch
            index = self._at.get((column, row))
            if index is not None or (column - 1, row) in self._at:
                line.put(x, "│", "grid", "square")
            if index is not None:
                square = self._scene.squares[index]
                if is_name:
                    line.put(x + 1, f"{square.name:^{self._cell}}", "muted", "square")
                else:
                    self._square(line, x + 1, square)
        for column in range(self._columns):  # after the lines, since marks may stand on them
            index = self._at.get((column, row))
            if index is not None and not is_name and not self._pad:
                self._marks(line, self._margin + column * self._pitch + 1, self._scene.squares[index])
        cursor = self.cursor
        if cursor is not None and cursor.row == row:
            x = self._margin + cursor.column * self._pitch
            line.put(x, "┃", "ink", is_bold=True)
            line.put(x + self._pitch, "┃", "ink", is_bold=True)
        if not is_name:
            line.put(0, self._numbers.get(row, "").rjust(self._margin - 1), "muted")
            x = self._margin + self._columns * self._pitch + 3
            line.put(x, self._scene.row_notes.get(row, ""), "muted")

    def _square(self, line: _Row, x: int, square: Square) -> None:
        text, ink, paper = self._look(square)
        line.put(x, f"{text:^{self._cell}}", ink, paper, is_bold=text != _DOT)
        if self._pad:
            self._marks(line, x + 1, square)

    def _marks(self, line: _Row, x: int, square: Square) -> None:
        """Brackets around the last move, and parentheses around a legal square that isn't empty. x is the place of the
        glyph.
        """
        is_legal = bool(square.moves) and square.glyph != "."
        if square.is_last or is_legal:
            left, right = "[]" if square.is_last else "()"
            ink = self._look(square)[1] if self._pad else "ink"
            line.put(x - 1, left, ink, is_bold=True)
            line.put(x + self._glyph, right, ink, is_bold=True)

    def _look(self, square: Square) -> tuple[str, str, str]:
        """The text of a square, and the roles of its ink and its paper."""
        paper = self._papers.get((square.column, square.row), "square")
        if square.glyph == ".":
            return (_DOT if square.moves else " "), "legal", paper
        if square.glyph == "*":
            return _FULL * self._cell, "filled", paper if paper != "filled" else "square"
        ink = "on_filled" if paper == "filled" else "bad" if square.glyph == "x" else "ink"
        return signed(square.glyph), ink, paper

    def _letters(self, line: _Row) -> None:
        for column, letter in self._labels.items():
            x = self._margin + column * self._pitch + 1
            line.put(x, f"{letter:^{self._cell}}", "muted")

    # What people do.

    def go(self, right: int, down: int) -> None:
        """Move the cursor to the nearest square on that side; it stays if there is none."""
        here = self.cursor
        if here is None:
            return
        if right:
            beside = [square for square in self._scene.squares if square.row == here.row]
            beside = [square for square in beside if (square.column - here.column) * right > 0]
        else:
            beside = [square for square in self._scene.squares if (square.row - here.row) * down > 0]
        if beside:
            self.point_at(
                min(
                    beside,
                    key=lambda square: (abs(square.row - here.row), abs(square.column - here.column)),
                )
            )

    def jump(self, index: int) -> None:
        """Move the cursor to the first square, or with -1 to the last."""
        if self._scene.squares:
            self._move_to(index % len(self._scene.squares))

    def action_choose(self) -> None:
        """Choose the square that the cursor is on."""
        if self.cursor is not None:
            self.post_message(self.Chosen(self.cursor))

    def on_key(self, event: events.Key) -> None:
        """All keys on the board. Bindings won't do: they would act after the characters typed quickly behind them."""
        if event.key in self.ARROWS:
            self.go(*self.ARROWS[event.key])
        elif event.key in ("home", "end"):
            self.jump(0 if event.key == "home" else -1)
        elif event.key in ("enter", "space"):
            self.action_choose()
        else:
            if event.character is not None and event.is_printable:
                self.post_message(self.Typed(event.character, self.cursor))
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        x, y = event.offset + self.scroll_offset
        column = (x - self._margin) // self._pitch
        row = max(y - self._is_lined, 0) // self._height
        index = self._at.get((column, row))
        if index is not None and x >= self._margin:
            self._move_to(index)
            self.post_message(self.Chosen(self._scene.squares[index]))

    def _move_to(self, index: int) -> None:
        self._cursor = index
        self._scroll_to_cursor()
        self.refresh()
        self.post_message(self.Moved())

    def _scroll_to_cursor(self) -> None:
        cursor = self.cursor
        if cursor is not None:
            x, y = self._margin + cursor.column * self._pitch, cursor.row * self._height
            self.scroll_to_region(
                Region(x, y, self._pitch + 1, self._height + 1), animate=False, force=True, immediate=True
            )


def _papers(scene: Scene) -> dict[Place, str]:
    """The role that fills each square in the picture, for the squares that are filled."""
    painted: dict[tuple[int, int], str] = {}
    for shape in scene.shapes:
        if isinstance(shape, Circle):
            middle = (round(10 * shape.x), round(10 * shape.y))
        elif isinstance(shape, Rectangle) and shape.width <= 1.2:
            middle = (round(10 * (shape.x + shape.width / 2)), round(10 * (shape.y + shape.height / 2)))
        else:
            continue
        if shape.role.startswith("tint") or shape.role in ("square", "filled"):
            painted[middle] = shape.role
    places = {}
    for square in scene.squares:
        middle = (round(10 * (square.x + square.width / 2)), round(10 * (square.y + square.height / 2)))
        if middle in painted:
            places[square.column, square.row] = painted[middle]
    return places
