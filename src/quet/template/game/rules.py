"""TITLE: say the rules here in two sentences, with the author and the date.

This working example: two players in turn fill a square of a row of n that is beside no filled square, and whoever
fills the last one wins. Change it into your game function by function; `quet check NAME` tells what is broken on
the way.

Squares, and so moves:   0 1 2 3 ...   which people call 1, 2, 3, 4, ...
"""

from quet.core.errors import UnreadableMove
from quet.core.messages import say
from quet.core.numbers import read_integer
from quet.core.parameters import Parameter
from quet.core.quoting import shorten
from quet.core.state import Line, state

VERSION = 1  # raise it when a game played before would now be refereed differently
ALLOCATES = False  # no function that a search calls makes a list; leave it out where one does
LOWER_IS_BETTER = False
PARAMETERS = (Parameter("n", 1, 20, 9, "length of the row", "9 or more"),)

EMPTY, FILLED = 0, 1


@state
class State:
    """A position: every field an int, or a list of fixed length."""

    n: int  # length of the row
    ply: int  # squares filled
    cells: Line  # EMPTY or FILLED


def start(s: State, n: int) -> None:
    s.n = n


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return s.n


def legal_moves(s: State, out: list[int]) -> int:
    count = 0
    for square in range(s.n):
        if s.cells[square] == EMPTY and not is_beside_filled(s, square):
            out[count] = square
            count += 1
    return count


def is_beside_filled(s: State, square: int) -> bool:
    return (square > 0 and s.cells[square - 1] == FILLED) or (square < s.n - 1 and s.cells[square + 1] == FILLED)


def play(s: State, move: int) -> None:
    s.cells[move] = FILLED
    s.ply += 1


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    for square in range(s.n):
        if s.cells[square] == EMPTY and not is_beside_filled(s, square):
            return False
    return True


def score(s: State, player: int) -> int:
    """1 for the player who filled the last square, once the game is over."""
    return 1 if is_over(s) and mover(s) != player else 0


def move_text(s: State, move: int) -> str:
    return str(move + 1)


def read_move(s: State, text: str) -> int:
    square = read_integer(text)
    if square is None or not 1 <= square <= s.n:
        raise UnreadableMove(say("{text} is not a square; the squares are 1 to {n}.", text=shorten(text), n=s.n))
    return square - 1


def broken_rule(s: State, move: int) -> str:
    if s.cells[move] == FILLED:
        return say("Square {square} is filled already.", square=move + 1)
    if is_beside_filled(s, move):
        return say("Square {square} is beside a filled square.", square=move + 1)
    return ""
