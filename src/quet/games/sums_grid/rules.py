"""Sums Equal 1,2,3,...m In Small Grid, by Leroy Quet (9 April 2011).

A puzzle: write distinct positive integers in the squares of an n by n grid. A sum is any run of neighbouring
squares of one row or column; the score is the largest m such that each of 1..m occurs as a sum.

A move is square * BASE + value to write, value 0 to erase (squares row by row, a1 = 0), or n * n * BASE when done.
"""

import re
from typing import Annotated

from quet.core.errors import UnreadableMove
from quet.core.grid import read_square, square_text
from quet.core.messages import say
from quet.core.parameters import Parameter
from quet.core.quoting import shorten
from quet.core.state import Length, state

VERSION = 1
LOWER_IS_BETTER = False
PARAMETERS = (Parameter("n", 1, 10, 3, "side of the grid", "3"),)

EMPTY = 0
LARGEST = 10**9
BASE = LARGEST + 1
_MOVE = re.compile(r"([a-t][1-9][0-9]?)=(0|[1-9][0-9]{0,98})?")


@state
class State:
    """A position."""

    n: int  # side of the grid
    num_filled: int  # squares that hold a number
    is_done: int  # 1 when the player has said so
    numbers: Annotated[list[int], Length(100, "int64")]  # the number in each square, or EMPTY


def start(s: State, n: int) -> None:
    s.n = n


def num_players(s: State) -> int:
    return 1


def most_moves(s: State) -> int:
    return s.n**2 * (s.n**3 + 1) + 1


def legal_moves(s: State, out: list[int]) -> int:
    """Numbers above n^3 are legal but never help (R7.2), and are not listed."""
    if s.is_done:
        return 0
    limit = s.n**3
    is_used = [0] * (limit + 1)
    for square in range(s.n * s.n):
        if s.numbers[square] <= limit:
            is_used[s.numbers[square]] = 1
    is_used[0] = 0
    count = 0
    for square in range(s.n * s.n):
        for value in range(0 if s.numbers[square] != EMPTY else 1, limit + 1):
            if not is_used[value]:
                out[count] = square * BASE + value
                count += 1
    if s.num_filled == s.n * s.n:
        out[count] = s.n * s.n * BASE
        count += 1
    return count


def play(s: State, move: int) -> None:
    square = move // BASE
    if square == s.n * s.n:
        s.is_done = 1
        return
    value = move - square * BASE
    s.num_filled += (value != EMPTY) - (s.numbers[square] != EMPTY)
    s.numbers[square] = value


def mover(s: State) -> int:
    return 1


def is_over(s: State) -> bool:
    return s.is_done == 1


def score(s: State, player: int) -> int:
    """The largest m such that 1..m all occur as sums; a run with an empty square has no sum yet."""
    n = s.n
    limit = n**3
    occurs = [0] * (limit + 2)
    for line in range(2 * n):
        begin = line * n if line < n else line - n
        step = 1 if line < n else n
        for first in range(n):
            total = 0
            for i in range(first, n):
                number = s.numbers[begin + i * step]
                total += number
                if number == EMPTY or total > limit:
                    break
                occurs[total] = 1
    m = 0
    while occurs[m + 1]:
        m += 1
    return m


def move_text(s: State, move: int) -> str:
    if move == s.n * s.n * BASE:
        return "done"
    return f"{square_text(move // BASE, s.n)}={move % BASE or ''}"


def read_move(s: State, text: str) -> int:
    if text == "done":
        return s.n * s.n * BASE
    match = _MOVE.fullmatch(text)
    if match is None:
        raise UnreadableMove(
            say("{text} is not a move; write b2=15 to write, b2= to erase, done to finish.", text=shorten(text))
        )
    square, value = read_square(match[1], s.n), int(match[2] or 0)
    if match[2] == "0":
        raise UnreadableMove(say("Numbers begin at 1; {square}= erases.", square=match[1]))
    if value > LARGEST:
        raise UnreadableMove(say("{value} is too large; numbers go up to {largest}.", value=value, largest=LARGEST))
    return square * BASE + value


def broken_rule(s: State, move: int) -> str:
    square, value = move // BASE, move % BASE
    if square == s.n * s.n:
        missing = s.n * s.n - s.num_filled
        return say("The grid isn't full: {missing} still to fill.", missing=missing) if missing else ""
    name = square_text(square, s.n)
    if value == s.numbers[square]:
        return (
            say("{name} holds {value} already.", name=name, value=value)
            if value
            else say("{name} is empty already.", name=name)
        )
    if value != EMPTY and value in s.numbers[: s.n * s.n]:
        where = square_text(s.numbers.index(value), s.n)
        return say("{value} stands in {where} already, and the numbers must be distinct.", value=value, where=where)
    return ""
