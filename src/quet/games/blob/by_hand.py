"""Blobs that are set up square by square."""

from collections.abc import Mapping

from quet.core.draft import EMPTY, Draft, draft_of_grid, grid_text, toggled
from quet.core.grid import read_square, square_text
from quet.core.messages import say
from quet.core.paper import read_grid
from quet.core.position import Position

from . import rules

WAYS = {"fill": say("A click fills an empty square, or empties a filled one.")}
MARKS = ("*",)
NUMBER = ""
FIELDS = ()


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in a grid, as on paper; the filled squares needn't hang together."""
    rows = [list(row[0]) if len(row) == 1 else row for row in read_grid(text)]
    grid = [[EMPTY if mark == "o" else mark for mark in row] for row in rows]
    return draft_of_grid(grid, rules.PARAMETERS, given, MARKS)


def text(draft: Draft) -> str:
    """The draft as on paper."""
    return grid_text(draft, draft.parameters["n"])


def of(position: Position) -> Draft:
    """The draft of a position."""
    s: rules.State = position.state
    filled = [square for square in range(s.n * s.n) if s.cells[square] == rules.FULL]
    return Draft(position.parameters, {square_text(square, s.n): MARKS[0] for square in filled})


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a square."""
    return toggled(draft, square, mark, MARKS)


def sketch(draft: Draft) -> Position:
    """A position to be drawn; it may break rules."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    for name in draft.squares:
        s.cells[read_square(name, s.n)] = rules.FULL
    s.ply = len(draft.squares)
    return Position(s, draft.parameters)
