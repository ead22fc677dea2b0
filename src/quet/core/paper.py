"""Reading what was written on paper: grids of squares, rows from the top, and the numbers in them.

Rows are separated by `/` or stand on lines of their own, squares by spaces; `.` or `_` is an empty square:

    2 9 8 / 3 1 10 / 7 . 15

Every function raises BadPaper, whose message names the place, for what it can't read.
"""

from collections.abc import Mapping, Sequence

from .errors import BadPaper
from .grid import shorten, square_text
from .numbers import integer_text, read_integer
from .parameters import AnyParameter, AnyValue, read_parameters

LARGEST_PAPER = 1_000_000  # characters
LONGEST_NUMBER = 10_000  # digits, as reading takes time that grows with their square
EMPTY_MARKS = (".", "_")

Grid = list[list[str]]  # rows from the top, squares from the left


def read_words(text: str) -> list[str]:
    """The words between spaces, at least one; raises BadPaper for a text that is empty or longer than 1 MB."""
    if len(text) > LARGEST_PAPER:
        raise BadPaper("The paper is larger than 1 MB.")
    words = text.split()
    if not words:
        raise BadPaper("Nothing is written on the paper.")
    return words


def read_grids(text: str) -> list[Grid]:
    """The grids on the paper, at least one, each after an empty line (`//`) behind the one before."""
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
        raise BadPaper("Nothing is written on the paper.")
    return grids


def read_grid(text: str) -> Grid:
    """The one grid on the paper; empty lines in it are passed over."""
    return [row for grid in read_grids(text) for row in grid]


def read_side(grid: Grid, known: Sequence[AnyParameter], given: Mapping[str, object]) -> dict[str, AnyValue]:
    """The value of every parameter in `known`, where the grid shows what `n` is.

    Raises BadPaper when the grid isn't square or contradicts the `n` given, BadParameter as `read_parameters` does.
    """
    for number, row in enumerate(grid, 1):
        if len(row) != len(grid[0]):
            raise BadPaper(f"Row {number} from the top has {_count(len(row), 'square')}, but row 1 has {len(grid[0])}.")
    rows = f"The grid has {_count(len(grid), 'row')}"
    if len(grid) != len(grid[0]):
        raise BadPaper(f"{rows} of {_count(len(grid[0]), 'square')}, but it must be as high as wide.")
    return read_size("n", len(grid), rows, known, given)


def read_size(
    name: str, size: int, words: str, known: Sequence[AnyParameter], given: Mapping[str, object]
) -> dict[str, AnyValue]:
    """The value of every parameter in `known`, where the paper shows that `name` is `size`, as `words` say.

    Raises BadPaper when another value is given, BadParameter as `read_parameters` does.
    """
    values = read_parameters(known, {name: size, **given})
    if values[name] != size:
        raise BadPaper(f"{words}, but {name} is {values[name]}.")
    return values


def squares_of(grid: Grid) -> list[str]:
    """What stands in each square of a square grid, in the order of the squares' numbers: row by row from a1."""
    return [cell for row in reversed(grid) for cell in row]


def read_numbers(grid: Grid, low: int | None = None, high: int | None = None) -> list[int | None]:
    """The number in each square of a square grid, from a1, or None where none is; each from `low` to `high`."""
    numbers: list[int | None] = []
    for square, cell in enumerate(squares_of(grid)):
        if len(cell) > LONGEST_NUMBER:
            raise BadPaper(
                f"In {square_text(square, len(grid))} stands {shorten(cell)}, which is too long for a number."
            )
        number = None if cell in EMPTY_MARKS else read_integer(cell)
        if number is None and cell not in EMPTY_MARKS:
            where = square_text(square, len(grid))
            raise BadPaper(f"In {where} stands {shorten(cell)}, which is neither a number nor a . for an empty square.")
        if number is not None and ((low is not None and number < low) or (high is not None and number > high)):
            where = square_text(square, len(grid))
            raise BadPaper(f"In {where} stands {shorten(cell)}, but the numbers are {low} to {high}.")
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
            raise BadPaper(f"{shorten_number(number)} stands both in {first} and in {second}.")
        where[number] = square


def read_order(grid: Grid) -> list[int]:
    """The squares of 1, 2, 3, ... in a square grid: those numbers, each once, and empty squares are all it holds."""
    n = len(grid)
    numbers = read_numbers(grid, 1, n * n)
    check_distinct(numbers, n)
    where = {number: square for square, number in enumerate(numbers) if number is not None}
    for number in range(1, max(where, default=0) + 1):
        if number not in where:
            raise BadPaper(f"{number} is missing, but {max(where)} is written.")
    return [where[number] for number in sorted(where)]


def shorten_number(number: int) -> str:
    """The digits of a number as they can stand in a sentence."""
    digits = integer_text(number)
    return digits if len(digits) <= 40 else f"{digits[:37]}..."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
