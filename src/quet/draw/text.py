"""Scenes as text for a terminal: the squares in columns, with the notes on each row beside it."""

import re
from collections.abc import Sequence

from .scene import Scene, Square

_ON_GRID = re.compile(r"([a-z])([0-9]+)")


def text(scene: Scene) -> str:
    """The scene as lines of text, without a line end after the last.

    On a grid the numbers of rows are on the left and the letters of columns below. In other games the name of a square
    is below it, unless the square shows its name itself. `[ ]` is around the last move, and `( )` around squares that
    can be played. A note on a row is to its right, and notes on the whole and on signs are below.
    """
    lines = _grid(scene) if _is_grid(scene.squares) else _row_by_row(scene)
    below = [*scene.notes, *scene.signs]
    if lines and below:
        lines.append("")
    return "\n".join(line.rstrip() for line in [*lines, *below])


def rows(scene: Scene) -> list[str]:
    """The rows of a grid, or the only row, with what stands in the squares and nothing around; of others nothing."""
    if not _is_grid(scene.squares) and len({square.row for square in scene.squares}) != 1:
        return []
    width = max(len(square.glyph) for square in scene.squares)
    found: dict[int, list[str]] = {}
    for square in scene.squares:
        found.setdefault(square.row, []).append(square.glyph.rjust(width))
    return [" ".join(found[row]) for row in sorted(found)]


def _is_grid(squares: Sequence[Square]) -> bool:
    """Whether all squares of a row share the number in their names, and those of a column the letter."""
    letters: dict[int, str] = {}
    numbers: dict[int, str] = {}
    for square in squares:
        match = _ON_GRID.fullmatch(square.name)
        if match is None:
            return False
        if letters.setdefault(square.column, match[1]) != match[1]:
            return False
        if numbers.setdefault(square.row, match[2]) != match[2]:
            return False
    return bool(squares)


def _grid(scene: Scene) -> list[str]:
    layout = _Layout(scene, names=False)
    numbers = {square.row: square.name[1:] for square in scene.squares}
    letters = {square.column: square.name[0] for square in scene.squares}
    margin = max(len(number) for number in numbers.values())
    lines = [
        f"{numbers[row].rjust(margin)} {layout.glyphs(row)}{layout.note(row)}"  # a row has a note or none
        for row in sorted(numbers)
    ]
    return [*lines, f"{'':{margin}} {layout.words(letters)}"]


def _row_by_row(scene: Scene) -> list[str]:
    layout = _Layout(scene, names=True)
    lines: list[str] = []
    for row in sorted({square.row for square in scene.squares}):
        squares = [square for square in scene.squares if square.row == row]
        lines.append(layout.glyphs(row) + layout.note(row))
        if any(square.name != square.glyph for square in squares):
            lines.append(layout.words({square.column: square.name for square in squares}))
    return lines


class _Layout:
    """Columns of equal width, with places for marks on both sides of each. Neighbours share a place where they can."""

    def __init__(self, scene: Scene, *, names: bool) -> None:
        self.scene = scene
        shown = [square.glyph for square in scene.squares] + [square.name for square in scene.squares if names]
        self.cell = max(map(len, shown), default=1)
        # Every legal square needs both parentheses. The brackets of the last move need no place of their own.
        self.pitch = self.cell + (2 if any(square.moves for square in scene.squares) else 1)
        self.width = self.pitch * (1 + max((square.column for square in scene.squares), default=0)) + 1

    def glyphs(self, row: int) -> str:
        line = [" "] * self.width
        for square in self.scene.squares:
            if square.row == row:
                left, right = "[]" if square.is_last else "()" if square.moves else "  "
                end = square.column * self.pitch + 1 + self.cell
                begin = end - len(square.glyph)
                line[begin:end] = square.glyph
                if left != " ":
                    line[begin - 1], line[end] = left, right
        return "".join(line)

    def words(self, at: dict[int, str]) -> str:
        line = [" "] * self.width
        for column, word in at.items():
            end = column * self.pitch + 1 + self.cell
            line[end - len(word) : end] = word
        return "".join(line)

    def note(self, row: int) -> str:
        note = self.scene.row_notes.get(row, "")
        return f" {note}" if note else ""
