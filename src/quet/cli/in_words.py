"""The board in words: a scene, one of its rows or columns, or a square, each as a sentence."""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby

from ..core.errors import MoveError
from ..core.quoting import shorten
from ..draw.scene import Scene, Square

MOST_LISTED = 200  # moves
_ON_GRID = re.compile(r"([a-z])([0-9]+)")


def board(scene: Scene) -> list[str]:
    """A sentence for each row, from the top."""
    rows = groupby(scene.squares, key=lambda square: square.row)
    return [_row(scene, list(squares)) for _, squares in rows]


def row(scene: Scene, name: str) -> str:
    """The row of that name. Raises MoveError if there is none."""
    squares = [square for square in scene.squares if _row_name(scene, square) == name]
    if not squares:
        names = list(dict.fromkeys(_row_name(scene, square) for square in scene.squares))
        raise MoveError(f"There is no row {shorten(name)}; the rows are {_span(names)}.")
    return _row(scene, squares)


def column(scene: Scene, name: str) -> str:
    """The column of that letter. Raises MoveError if there is none, or if the board's columns have no letters."""
    if not _is_grid(scene):
        raise MoveError("The columns of this board have no names; ask for a row or a square.")
    squares = [square for square in scene.squares if square.name[0] == name.lower()]
    if not squares:
        names = sorted({square.name[0] for square in scene.squares})
        raise MoveError(f"There is no column {shorten(name)}; the columns are {_span(names)}.")
    note = _note(scene.column_notes, squares[0].column)
    return f"Column {name.lower()} from the top: {_contents(scene, squares)}.{note}"


def square(scene: Scene, name: str) -> str:
    """The square of that name, with the moves that are legal there. Raises MoveError if there is none."""
    for each in scene.squares:
        if each.name == name.lower():
            last = ", the last move" if each.is_last else ""
            legal = f" Legal here: {moves(each.moves)}." if each.moves else ""
            return f"{each.name}: {each.words}{last}.{legal}"
    named = sorted(scene.squares, key=lambda each: (len(each.name), each.name))
    squares = list(scene.squares) if _is_grid(scene) else named  # a grid's from its top, others in the order of names
    raise MoveError(f"There is no square {shorten(name)}; the squares are {_names(scene, squares)}.")


def moves(texts: Iterable[str]) -> str:
    """The moves, but not more than a listener can follow."""
    texts = list(texts)
    more = f", and {len(texts) - MOST_LISTED} more" if len(texts) > MOST_LISTED else ""
    return ", ".join(texts[:MOST_LISTED]) + more


def _is_grid(scene: Scene) -> bool:
    return all(_ON_GRID.fullmatch(square.name) for square in scene.squares)


def _row_name(scene: Scene, square: Square) -> str:
    """The number of a row: the one in its squares' names, or else the one counted from the top."""
    return square.name[1:] if _is_grid(scene) else str(square.row + 1)


def _row(scene: Scene, squares: list[Square]) -> str:
    note = _note(scene.row_notes, squares[0].row)
    return f"Row {_row_name(scene, squares[0])}: {_contents(scene, squares)}.{note}"


def _note(notes: Mapping[int, str], number: int) -> str:
    return f" Note: {notes[number]}." if number in notes else ""


def _contents(scene: Scene, squares: list[Square]) -> str:
    """The squares in order, neighbours with the same content together: `a3 to c3 empty; d3 holds 14`.

    A row or column of a grid says by its own name which squares all of them are. Others name them.
    """
    groups = [(words, list(group)) for words, group in groupby(squares, key=lambda square: square.words)]
    if len(groups) == 1 and len(squares) > 1 and _is_grid(scene):
        return f"all {groups[0][0]}"
    return "; ".join(f"{_names(scene, group)} {words}" for words, group in groups)


def _names(scene: Scene, squares: list[Square]) -> str:
    """The names of squares: `a3 to c3` of a grid. Elsewhere only consecutive numbers stand together: `2, 5 to 8`."""
    names = [square.name for square in squares]
    if _is_grid(scene) or not all(name.isdecimal() for name in names):
        return _span(names)
    numbers = [int(name) for name in names]
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0])]
    return ", ".join(_span([str(number) for number in run]) for run in runs)


def _span(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}" if names else "none"
