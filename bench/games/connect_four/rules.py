"""Connect four on 7 columns by 6 rows, numbered as in OpenSpiel: only what a search asks of a rules module.

A player drops a piece in a column; four in a line of one's own, in any direction, win.

Squares, and columns as moves:    35 36 ... 41
                                  ...
                                   0  1 ...  6
"""

from typing import Annotated

from quet.core.state import Length, state

ALLOCATES = False
LOWER_IS_BETTER = False
COLUMNS, ROWS = 7, 6
EMPTY = 0


@state
class State:
    """A position."""

    ply: int  # pieces dropped
    winner: int  # who has four in a line, or 0
    heights: Annotated[list[int], Length(COLUMNS)]  # pieces in each column
    cells: Annotated[list[int], Length(COLUMNS * ROWS)]  # the player whose piece it is, or EMPTY


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return COLUMNS


def legal_moves(s: State, out: list[int]) -> int:
    if s.winner:
        return 0
    count = 0
    for column in range(COLUMNS):
        if s.heights[column] < ROWS:
            out[count] = column
            count += 1
    return count


def play(s: State, move: int) -> None:
    player = mover(s)
    row = s.heights[move]
    s.cells[row * COLUMNS + move] = player
    s.heights[move] += 1
    s.ply += 1
    if (
        1 + run(s, row, move, 0, 1, player) + run(s, row, move, 0, -1, player) >= 4
        or 1 + run(s, row, move, -1, 0, player) >= 4
        or 1 + run(s, row, move, 1, 1, player) + run(s, row, move, -1, -1, player) >= 4
        or 1 + run(s, row, move, 1, -1, player) + run(s, row, move, -1, 1, player) >= 4
    ):
        s.winner = player


def run(s: State, row: int, column: int, up: int, right: int, player: int) -> int:
    """How many of the player's pieces follow one another from a square on in a direction, the square left out."""
    length = 0
    row += up
    column += right
    while 0 <= row < ROWS and 0 <= column < COLUMNS and s.cells[row * COLUMNS + column] == player:
        length += 1
        row += up
        column += right
    return length


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.winner != 0 or s.ply == COLUMNS * ROWS


def score(s: State, player: int) -> int:
    return 1 if s.winner == player else 0
