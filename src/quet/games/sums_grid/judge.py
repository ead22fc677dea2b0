"""A run for each of the sums 1, 2, ..., m, and grids read from paper."""

from collections.abc import Mapping

from quet.core.grid import square_text
from quet.core.messages import say
from quet.core.paper import check_distinct, read_grid, read_numbers, read_side
from quet.core.position import Item, Position

from . import rules


def items(position: Position) -> list[Item]:
    """Each sum 1, 2, ..., m with a shortest run that gives it, 1 point each; last the first sum missing."""
    s = position.state
    runs: dict[int, list[int]] = {}  # squares of the shortest run found for each sum, in reading order
    for run in _runs(s.n):
        numbers = [s.numbers[square] for square in run]
        if rules.EMPTY not in numbers:
            runs.setdefault(sum(numbers), run)
    m = rules.score(s, 1)
    found = [_item(s, total, runs[total]) for total in range(1, m + 1)]
    return [*found, Item(1, 0, say("first missing: {m}", m=m + 1))]


def _runs(n: int) -> list[list[int]]:
    """All runs as squares: short ones first, rows from the top before columns from the left."""
    rows = [list(range(row * n, row * n + n)) for row in reversed(range(n))]
    columns = [list(range(column, n * n, n))[::-1] for column in range(n)]
    return [
        line[first : first + length]
        for length in range(1, n + 1)
        for line in (rows + columns if length > 1 else rows)
        for first in range(n - length + 1)
    ]


def _item(s: rules.State, total: int, run: list[int]) -> Item:
    names = tuple(square_text(square, s.n) for square in run)
    if len(run) == 1:
        return Item(1, 1, say("{total} in {square}", total=total, square=names[0]), names)
    terms = " + ".join(str(s.numbers[square]) for square in run)
    return Item(
        1,
        1,
        say("{total} = {terms}, {first} to {last}", total=total, terms=terms, first=names[0], last=names[-1]),
        names,
    )


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The grid, rows from the top: `2 9 8 / 3 1 10 / 7 . 15`, with `.` for an empty square.

    A full grid counts as done, since nobody says so on paper. The order of writing is not on the paper, so the position
    has no moves. Raises BadPaper and BadParameter.
    """
    grid = read_grid(text)
    parameters = read_side(grid, rules.PARAMETERS, given)
    numbers = read_numbers(grid, 1, rules.LARGEST)
    check_distinct(numbers, parameters["n"])
    s = rules.State()
    rules.start(s, **parameters)
    for square, number in enumerate(numbers):
        if number is not None:
            rules.play(s, square * rules.BASE + number)
    if s.num_filled == s.n * s.n:
        rules.play(s, s.n * s.n * rules.BASE)
    return Position(s, parameters)
