"""Up And Up, Grid Solitaire, by Leroy Quet (22 September 2008).

Write 1, 2, 3, ... in an n by n grid, each number in an empty square of the row or column of the one before: 1
square away, then 2, then 3, ...; the step goes back to 1 only where no empty square lies so far away. The score
is the last number.

Squares of a 3x3 grid, and so moves (a1 = 0):    6 7 8
                                                 3 4 5
                                                 0 1 2
"""

from typing import Annotated

from quet.core.grid import read_square, square_text
from quet.core.messages import say, say_number
from quet.core.parameters import Parameter
from quet.core.state import Length, Squares, state

VERSION = 1
ALLOCATES = False
LOWER_IS_BETTER = False
PARAMETERS = (Parameter("n", 1, 20, 8, "side of the grid", "about 8", solved_to=35),)

EMPTY = 0


@state
class State:
    """A position."""

    n: int  # side of the grid
    count: int  # the last number written
    last: int  # its square
    step: int  # how far the next number goes, unless no empty square lies there
    numbers: Squares  # the number written, or EMPTY


@state
class LargeState(State):
    """A position on a grid that is only solved. A State has less room, since searches copy it often."""

    numbers: Annotated[list[int], Length(35 * 35)]


def start(s: State, n: int) -> None:
    s.n = n


def num_players(s: State) -> int:
    return 1


def most_moves(s: State) -> int:
    return s.n * s.n


def legal_moves(s: State, out: list[int]) -> int:
    if s.count == 0:
        for square in range(s.n * s.n):
            out[square] = square
        return s.n * s.n
    count = _at_distance(s, s.step, out)
    return count if count > 0 else _at_distance(s, 1, out)


def _at_distance(s: State, step: int, out: list[int]) -> int:
    """Write the empty squares `step` from the last one to `out`, in ascending order; return how many."""
    n = s.n
    row = s.last // n
    column = s.last - row * n
    count = 0
    if row >= step and s.numbers[s.last - step * n] == EMPTY:
        out[count] = s.last - step * n
        count += 1
    if column >= step and s.numbers[s.last - step] == EMPTY:
        out[count] = s.last - step
        count += 1
    if column + step < n and s.numbers[s.last + step] == EMPTY:
        out[count] = s.last + step
        count += 1
    if row + step < n and s.numbers[s.last + step * n] == EMPTY:
        out[count] = s.last + step * n
        count += 1
    return count


def _has_at_distance(s: State, step: int) -> bool:
    n = s.n
    row = s.last // n
    column = s.last - row * n
    return (
        (row >= step and s.numbers[s.last - step * n] == EMPTY)
        or (column >= step and s.numbers[s.last - step] == EMPTY)
        or (column + step < n and s.numbers[s.last + step] == EMPTY)
        or (row + step < n and s.numbers[s.last + step * n] == EMPTY)
    )


def play(s: State, move: int) -> None:
    away = abs(move - s.last)  # in the order of the squares: less than n within a row, a multiple of n in a column
    if s.count == 0:
        s.step = 1
    elif away < s.n:
        s.step = away + 1
    else:
        s.step = away // s.n + 1
    s.count += 1
    s.numbers[move] = s.count
    s.last = move


def mover(s: State) -> int:
    return 1


def is_over(s: State) -> bool:
    return s.count > 0 and not _has_at_distance(s, s.step) and not _has_at_distance(s, 1)


def score(s: State, player: int) -> int:
    return s.count


def move_text(s: State, move: int) -> str:
    return square_text(move, s.n)


def read_move(s: State, text: str) -> int:
    return read_square(text, s.n)


def broken_rule(s: State, move: int) -> str:
    n, square = s.n, square_text(move, s.n)
    if s.numbers[move] != EMPTY:
        return say("{square} holds {number} already.", square=square, number=s.numbers[move])
    if s.count == 0:
        return ""
    last = square_text(s.last, n)
    if move // n != s.last // n and move % n != s.last % n:
        return say(
            "{square} is in neither the row nor the column of {last}, where {count} stands.",
            square=square,
            last=last,
            count=s.count,
        )
    distance = abs(move // n - s.last // n) + abs(move % n - s.last % n)
    step = s.step if _has_at_distance(s, s.step) else 1
    if distance == step:
        return ""
    away = say_number(
        "{square} is {number} square from {last}",
        "{square} is {number} squares from {last}",
        distance,
        square=square,
        last=last,
    )
    if step < s.step:
        return say(
            "{away}, but the step is 1: no empty square lies {step} from {last}.", away=away, step=s.step, last=last
        )
    return say("{away}, but the step is {step}.", away=away, step=step)
