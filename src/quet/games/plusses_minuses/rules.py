"""Plusses And Minuses Grid Game, by Leroy Quet (7 September 2010).

Two players in turn append + or - to their own list of n-1 predictions, then in turn fill n squares, no two in one
row or column. Player 1 scores the signs of the height's change from column to column that were predicted, player 2
those of the column's change from row to row, from the bottom.

A move is a square (row by row, a1 = 0), or n*n for + and n*n + 1 for -.
"""

from typing import Annotated

from quet.core.errors import UnreadableMove
from quet.core.grid import COLUMNS, read_square, square_text
from quet.core.messages import say, say_number
from quet.core.parameters import Parameter
from quet.core.state import Length, Line, state

VERSION = 1
ALLOCATES = False
LOWER_IS_BETTER = False
PARAMETERS = (
    Parameter("n", 2, 20, 8, "side of the grid", "8 or more"),
    Parameter("second_part_first", 1, 2, 1, "the player who fills the first square"),
)

EMPTY = 0
MINUSES = ("-", "\N{MINUS SIGN}", "\N{EN DASH}")  # the first as Quet writes it, the others as pages and keyboards do


@state
class State:
    """A position."""

    n: int  # side of the grid
    second_part_first: int  # the player who fills the first square
    ply: int  # symbols and squares so far
    predicted: Annotated[list[int], Length(38)]  # 1 for + and -1 for -, in the order of play: players 1, 2, 1, ...
    height: Line  # of the filled square in each column, from 1; EMPTY where none
    column: Line  # of the filled square in each row, from 1; EMPTY where none


def start(s: State, n: int, second_part_first: int) -> None:
    s.n = n
    s.second_part_first = second_part_first


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return s.n * s.n


def is_predicting(s: State) -> bool:
    return s.ply < 2 * (s.n - 1)


def legal_moves(s: State, out: list[int]) -> int:
    n = s.n
    if is_predicting(s):
        out[0] = n * n
        out[1] = n * n + 1
        return 2
    count = 0
    for row in range(n):
        if s.column[row] == EMPTY:
            for column in range(n):
                if s.height[column] == EMPTY:
                    out[count] = row * n + column
                    count += 1
    return count


def play(s: State, move: int) -> None:
    n = s.n
    if is_predicting(s):
        s.predicted[s.ply] = 1 if move == n * n else -1
    else:
        s.column[move // n] = move % n + 1
        s.height[move % n] = move // n + 1
    s.ply += 1


def mover(s: State) -> int:
    if is_predicting(s):
        return 1 + s.ply % 2
    return 1 + (s.ply + s.second_part_first - 1) % 2


def is_over(s: State) -> bool:
    return s.ply == 3 * s.n - 2


def truth(s: State, player: int, k: int) -> int:
    """The sign at place k (from 0) of the player's truth list: 1 or -1, or 0 where a square of the two is missing."""
    line = s.height if player == 1 else s.column
    if line[k] == EMPTY or line[k + 1] == EMPTY:
        return 0
    return 1 if line[k + 1] > line[k] else -1


def score(s: State, player: int) -> int:
    total = 0
    for k in range(s.n - 1):
        sign = truth(s, player, k)
        if sign != 0 and sign == s.predicted[2 * k + player - 1]:
            total += 1
    return total


def move_text(s: State, move: int) -> str:
    return square_text(move, s.n) if move < s.n * s.n else "+-"[move - s.n * s.n]


def read_move(s: State, text: str) -> int:
    if text == "+" or text in MINUSES:
        return s.n * s.n + (text != "+")
    try:
        return read_square(text, s.n)
    except UnreadableMove as error:
        raise UnreadableMove(
            say("{error} In the first part of the game a move is + or -.", error=error.message)
        ) from None


def broken_rule(s: State, move: int) -> str:
    n = s.n
    if move >= n * n:
        return "" if is_predicting(s) else say("Both prediction lists are full; fill a square.")
    square = square_text(move, n)
    if is_predicting(s):
        return say_number(
            "{square} can't be filled before both prediction lists have {number} symbol.",
            "{square} can't be filled before both prediction lists have {number} symbols.",
            n - 1,
            square=square,
        )
    if s.column[move // n] == move % n + 1:
        return say("{square} is filled already.", square=square)
    if s.column[move // n] != EMPTY:
        return say("{square} is in row {row}, which has a filled square already.", square=square, row=move // n + 1)
    if s.height[move % n] != EMPTY:
        return say(
            "{square} is in column {column}, which has a filled square already.",
            square=square,
            column=COLUMNS[move % n],
        )
    return ""
