"""Grids of numbers that are set up square by square."""

from collections.abc import Mapping

from quet.core.draft import Draft, draft_of_grid, draft_of_numbers, grid_text, numbered
from quet.core.grid import read_square
from quet.core.messages import say
from quet.core.paper import read_grid
from quet.core.position import Position

from . import rules

WAYS = {"write": say("A click writes a number in an empty square, or erases the one that stands there.")}
MARKS = ()
NUMBER = say("The number that a click writes")
FIELDS = ()


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in a grid, as on paper."""
    return draft_of_grid(read_grid(text), rules.PARAMETERS, given, (), rules.LARGEST)


def text(draft: Draft) -> str:
    """The draft as on paper, where a full grid is done."""
    return grid_text(draft, draft.parameters["n"])


def of(position: Position) -> Draft:
    """The draft of a position."""
    return draft_of_numbers(position, position.state.numbers)


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a square."""
    return numbered(draft, square, mark, rules.LARGEST)


def sketch(draft: Draft) -> Position:
    """A position to be drawn; every draft without a number that stands twice is one."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    for name, number in draft.squares.items():
        s.numbers[read_square(name, s.n)] = int(number)
    s.num_filled = len(draft.squares)
    return Position(s, draft.parameters)
