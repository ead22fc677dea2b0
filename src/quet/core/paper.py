"""Reading what was written on paper: grids of squares, rows from the top, and the numbers in them.

Rows are separated by `/` or stand on lines of their own, squares by spaces; `.` or `_` is an empty square:

    2 9 8 / 3 1 10 / 7 . 15

Every function raises BadPaper for what it can't read; the message names the place.
"""

from collections.abc import Mapping, Sequence

from .errors import BadPaper
from .grid import square_text
from .messages import say, say_number
from .numbers import integer_text, read_integer
from .parameters import AnyParameter, AnyValue, read_parameters
from .quoting import shorten

LARGEST_PAPER = 1_000_000  # characters
LONGEST_NUMBER = 10_000  # digits, as reading takes time that grows with their square
EMPTY_MARKS = (".", "_")

Grid = list[list[str]]  # rows from the top, squares from the left


def read_words(text: str) -> list[str]:
    """The words between spaces, at least one; raises BadPaper for a text that is empty or longer than 1 MB."""
    if len(text) > LARGEST_PAPER:
        raise BadPaper(say("The paper is larger than 1 MB."))
    words = text.split()
    if not words:
        raise BadPaper(say("Nothing is written on the paper."))
    return words


def read_grids(text: str) -> list[Grid]:
    """The grids on the paper, at least one; an empty line (`//`) stands between two."""
    read_words(text)
    grids: list[Grid] = [[]]
    for line in text.replace("/", "\n").splitlines():
        row = line.split()
        if row:
            grids[-1].append(row)
        elif grids[-1]:
            grids.append([])
    grids = [grid for grid in grids if grid]
    if not grids:
        raise BadPaper(say("Nothing is written on the paper."))
    return grids


def read_grid(text: str) -> Grid:
    """The one grid on the paper; empty lines in it are skipped."""
    return [row for grid in read_grids(text) for row in grid]


def read_side(grid: Grid, known: Sequence[AnyParameter], given: Mapping[str, object]) -> dict[str, AnyValue]:
    """The value of every parameter in `known`, where the grid shows what `n` is.

    Raises BadPaper when the grid isn't square or contradicts the `n` given, BadParameter as `read_parameters` does.
    """
    for number, row in enumerate(grid, 1):
        if len(row) != len(grid[0]):
            raise BadPaper(
                say_number(
                    "Row {row} from the top has {number} square, but row 1 has {width}.",
                    "Row {row} from the top has {number} squares, but row 1 has {width}.",
                    len(row),
                    row=number,
                    width=len(grid[0]),
                )
            )
    rows = say_number("The grid has {number} row", "The grid has {number} rows", len(grid))
    if len(grid) != len(grid[0]):
        raise BadPaper(
            say_number(
                "{rows} of {number} square, but it must be as high as wide.",
                "{rows} of {number} squares, but it must be as high as wide.",
                len(grid[0]),
                rows=rows,
            )
        )
    return read_size("n", len(grid), rows, known, given)


def read_size(
    name: str, size: int, words: str, known: Sequence[AnyParameter], given: Mapping[str, object]
) -> dict[str, AnyValue]:
    """The value of every parameter in `known`, where the paper shows that `name` is `size`, as `words` say.

    Raises BadPaper when another value is given, BadParameter as `read_parameters` does.
    """
    values = read_parameters(known, {name: size, **given})
    if values[name] != size:
        raise BadPaper(say("{words}, but {name} is {value}.", words=words, name=name, value=values[name]))
    return values


def squares_of(grid: Grid) -> list[str]:
    """What stands in each square of a square grid, in the order of the squares' numbers: row by row from a1."""
    return [cell for row in reversed(grid) for cell in row]


def read_numbers(grid: Grid, low: int | None = None, high: int | None = None) -> list[int | None]:
    """The number in each square of a square grid, from a1; None for an empty square. Numbers are `low` to `high`."""
    numbers: list[int | None] = []
    for square, cell in enumerate(squares_of(grid)):
        if len(cell) > LONGEST_NUMBER:
            raise BadPaper(
                say(
                    "In {square} stands {cell}, which is too long for a number.",
                    square=square_text(square, len(grid)),
                    cell=shorten(cell),
                )
            )
        number = read_integer(cell)
        if number is None and cell not in EMPTY_MARKS:
            where = square_text(square, len(grid))
            raise BadPaper(
                say(
                    "In {where} stands {cell}, which is neither a number nor a . for an empty square.",
                    where=where,
                    cell=shorten(cell),
                )
            )
        if number is not None and ((low is not None and number < low) or (high is not None and number > high)):
            where = square_text(square, len(grid))
            raise BadPaper(
                say(
                    "In {where} stands {cell}, but the numbers are {low} to {high}.",
                    where=where,
                    cell=shorten(cell),
                    low=low,
                    high=high,
                )
            )
        numbers.append(number)
    return numbers


def check_distinct(numbers: Sequence[int | None], n: int) -> None:
    """Raises BadPaper when a number stands in two squares."""
    where: dict[int, int] = {}
    for square, number in enumerate(numbers):
        if number is None:
            continue
        if number in where:
            first, second = square_text(where[number], n), square_text(square, n)
            raise BadPaper(
                say(
                    "{number} stands both in {first} and in {second}.",
                    number=shorten_number(number),
                    first=first,
                    second=second,
                )
            )
        where[number] = square


def read_order(grid: Grid) -> list[int]:
    """The squares of 1, 2, 3, ... in a square grid, which holds each of them once, and empty squares."""
    n = len(grid)
    numbers = read_numbers(grid, 1, n * n)
    check_distinct(numbers, n)
    where = {number: square for square, number in enumerate(numbers) if number is not None}
    for number in range(1, max(where, default=0) + 1):
        if number not in where:
            raise BadPaper(say("{number} is missing, but {largest} is written.", number=number, largest=max(where)))
    return [where[number] for number in sorted(where)]


def shorten_number(number: int) -> str:
    """The digits of a number as they can stand in a sentence."""
    digits = integer_text(number)
    return digits if len(digits) <= 40 else f"{digits[:37]}..."
