"""Grids of numbers that are set up square by square."""

from collections.abc import Mapping

from quet.core.draft import Draft, draft_of_grid, draft_of_numbers, grid_text, numbered
from quet.core.grid import read_square
from quet.core.messages import say
from quet.core.paper import read_grid
from quet.core.position import Position

from . import rules

WAYS = {"write": say("A click writes the next number in an empty square, or erases what stands there.")}
MARKS = ()
NUMBER = say("The number that a click writes")
FIELDS = ()


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in a grid, as on paper; numbers may be missing, and lie anywhere."""
    grid = read_grid(text)
    return draft_of_grid(grid, rules.PARAMETERS, given, (), len(grid) ** 2)


def text(draft: Draft) -> str:
    """The draft as on paper."""
    return grid_text(draft, draft.parameters["n"])


def of(position: Position) -> Draft:
    """The draft of a position."""
    return draft_of_numbers(position, position.state.numbers)


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a square."""
    return numbered(draft, square, mark, draft.parameters["n"] ** 2)


def sketch(draft: Draft) -> Position:
    """A position to be drawn; it may break rules."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    s.step = 1
    for name, number in draft.squares.items():
        square = read_square(name, s.n)
        s.numbers[square] = int(number)
        if s.numbers[square] > s.count:
            s.count, s.last = s.numbers[square], square
    return Position(s, draft.parameters)
