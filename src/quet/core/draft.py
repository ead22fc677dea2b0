"""A position that is being set up by hand: what stands in each square, and what it has beyond its squares.

It isn't finished, so it may break rules. A game's `by_hand.py` makes drafts from papers and papers from drafts; what
several games share is here. A mark is what stands in a square as the paper writes it: `*`, `0`, `14`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .errors import BadPaper
from .grid import square_text
from .messages import say
from .numbers import read_integer
from .paper import EMPTY_MARKS, Grid, read_numbers, read_side, squares_of
from .parameters import AnyParameter, AnyValue
from .position import Position
from .quoting import shorten

EMPTY = "."  # the mark of an empty square


@dataclass(frozen=True)
class Field:
    """What a position has beyond its squares, as a line of text."""

    name: str
    label: str  # what it is, for people
    marks: tuple[str, ...] = ()  # of which the text consists, where each can be added at its end


@dataclass(frozen=True)
class Draft:
    """A position that is being set up."""

    parameters: Mapping[str, AnyValue]  # all of the game's
    squares: Mapping[str, str]  # the mark in each square, by the square's name; empty squares are left out
    fields: Mapping[str, str] = field(default_factory=dict)  # the text of each field of the game, by its name

    def put(self, square: str, mark: str) -> "Draft":
        """The draft with this mark in a square, or with nothing there where the mark is EMPTY."""
        squares = {name: other for name, other in self.squares.items() if name != square}
        return replace(self, squares=squares if mark == EMPTY else squares | {square: mark})

    def write(self, name: str, text: str) -> "Draft":
        """The draft with this text in a field."""
        return replace(self, fields={**self.fields, name: text})


def toggled(draft: Draft, square: str, mark: str, marks: Sequence[str]) -> Draft:
    """A draft after a click on a square that may hold any of the marks: the mark given stands there, or else the next.

    After the last mark the square is empty. Raises BadPaper for another mark.
    """
    if not mark:
        order = (EMPTY, *marks)
        mark = order[(order.index(draft.squares.get(square, EMPTY)) + 1) % len(order)]
    if mark not in (EMPTY, *marks):
        raise BadPaper(say("{mark} can't stand in a square.", mark=shorten(mark)))
    return draft.put(square, mark)


def numbered(draft: Draft, square: str, mark: str, largest: int) -> Draft:
    """A draft after a click on a square that may hold a number of 1 to `largest`, each of which stands once.

    The number given goes there, from another square if it stood in one. Without any, a click on an empty square writes
    the smallest number that is missing, and one on a number erases it. Raises BadPaper for what is no such number.
    """
    if mark == EMPTY or (not mark and square in draft.squares):
        return draft.put(square, EMPTY)
    number = read_integer(mark) if mark else next_number(draft)
    if number is None or not 1 <= number <= largest:
        wrong = shorten(mark or str(number))
        raise BadPaper(
            say("{mark} can't stand in a square: the numbers are 1 to {largest}.", mark=wrong, largest=largest)
        )
    text = str(number)
    squares = {name: other for name, other in draft.squares.items() if other != text}
    return replace(draft, squares=squares).put(square, text)


def next_number(draft: Draft) -> int:
    """The smallest number from 1 on that stands in no square."""
    numbers = set(draft.squares.values())
    number = 1
    while str(number) in numbers:
        number += 1
    return number


def draft_of_grid(
    grid: Grid, known: Sequence[AnyParameter], given: Mapping[str, object], marks: Sequence[str], largest: int = 0
) -> Draft:
    """The draft of a grid whose squares hold these marks, or else numbers of 1 to `largest`.

    Raises BadPaper and BadParameter.
    """
    parameters = read_side(grid, known, given)
    n = len(grid)
    if largest:
        numbers = read_numbers(grid, 1, largest)
        return Draft(parameters, {square_text(at, n): str(one) for at, one in enumerate(numbers) if one is not None})
    squares = {}
    for at, mark in enumerate(squares_of(grid)):
        if mark in marks:
            squares[square_text(at, n)] = mark
        elif mark not in EMPTY_MARKS:
            raise BadPaper(say("{mark} can't stand in a square.", mark=shorten(mark)))
    return Draft(parameters, squares)


def draft_of_numbers(position: Position, numbers: Sequence[int]) -> Draft:
    """The draft of a position whose grid holds these numbers, row by row from a1; a square with 0 is empty."""
    n = position.parameters["n"]
    return Draft(position.parameters, {square_text(at, n): str(numbers[at]) for at in range(n * n) if numbers[at]})


def grid_text(draft: Draft, n: int) -> str:
    """The squares as on paper, rows from the top, each on a line of its own."""
    rows = [[draft.squares.get(square_text(row * n + column, n), EMPTY) for column in range(n)] for row in range(n)]
    return "\n".join(" ".join(row) for row in reversed(rows))
