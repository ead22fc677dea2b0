"""The run lengths of every row and column, and grids read from paper."""

from collections.abc import Mapping
from itertools import groupby

from quet.core.errors import BadPaper
from quet.core.grid import COLUMNS, square_text
from quet.core.messages import say
from quet.core.paper import Grid, read_grid, read_side, squares_of
from quet.core.position import Item, Position
from quet.core.quoting import shorten

from . import rules

EMPTY_MARKS, FULL_MARK = ("o", ".", "_"), "*"


def items(position: Position) -> list[Item]:
    """The rows from the top for player 1, then the columns from the left for player 2: 1 point for a good one, or 0.

    Run lengths are those from the left or from the top.
    """
    n = position.state.n
    rows = [
        _item(position.state, 1, say("row {row}", row=row + 1), list(range(row * n, row * n + n)))
        for row in reversed(range(n))
    ]
    columns = [
        _item(position.state, 2, say("column {column}", column=COLUMNS[column]), list(range(column, n * n, n))[::-1])
        for column in range(n)
    ]
    return rows + columns


def _item(s: rules.State, player: int, name: str, line: list[int]) -> Item:
    is_good = rules.is_good(s, min(line), abs(line[1] - line[0]))
    runs = ",".join(str(len(list(run))) for _, run in groupby(s.cells[square] == rules.FULL for square in line))
    verdict = say("good") if is_good else say("not good")
    words = say("{name} ({runs}): {verdict}", name=name, runs=runs, verdict=verdict)
    return Item(player, int(is_good), words, tuple(square_text(square, s.n) for square in line))


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The grid, rows from the top: `*` for a filled square, `o` or `.` for an empty one.

    A row without spaces has a square for each character. The order of play is not on the paper, so the position has no
    moves; a grid with fewer than 2 * floor(n^2/4) filled squares is unfinished. Raises BadPaper and BadParameter.
    """
    grid: Grid = [list(row[0]) if len(row) == 1 else row for row in read_grid(text)]
    parameters = read_side(grid, rules.PARAMETERS, given)
    n = parameters["n"]
    full = set()
    for square, mark in enumerate(squares_of(grid)):
        if mark == FULL_MARK:
            full.add(square)
        elif mark not in EMPTY_MARKS:
            raise BadPaper(
                say(
                    "In {square} stands {mark}, which is neither * for filled nor o for empty.",
                    square=square_text(square, n),
                    mark=shorten(mark),
                )
            )
    most = 2 * (n * n // 4)
    if len(full) > most:
        raise BadPaper(
            say("{num_full} squares are filled, but the game ends with {most}.", num_full=len(full), most=most)
        )
    s = rules.State()
    rules.start(s, **parameters)
    while full:
        beside = [square for square in sorted(full) if not rules.broken_rule(s, square)]
        if not beside:
            raise BadPaper(
                say("The filled squares don't hang together: none leads to {square}.", square=square_text(min(full), n))
            )
        rules.play(s, beside[0])
        full.remove(beside[0])
    return Position(s, parameters)
