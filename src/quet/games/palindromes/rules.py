"""Palindromes/Antipalindromes In Sequence, by Leroy Quet (26 April 2011).

Two players in turn write 0 or 1 in any empty square of a row of m. Player 1 scores the summed lengths of the
palindromes of even length in the full row, player 2 those of the antipalindromes (each digit differs from its
mirror image).

A move is 2 * square + digit, squares 0..m-1 from the left; people count them from 1, so `5=0` is move 8.
"""

import re
from typing import Annotated

from quet.core.errors import UnreadableMove
from quet.core.messages import say
from quet.core.parameters import Parameter
from quet.core.quoting import shorten
from quet.core.state import Length, state

VERSION = 1
ALLOCATES = False
LOWER_IS_BETTER = False
PARAMETERS = (Parameter("m", 1, 64, 16, "length of the row", "16 or more"),)

EMPTY = -1
_MOVE = re.compile(r"([1-9][0-9]?)=([01])")


@state
class State:
    """A position."""

    m: int  # length of the row
    ply: int  # digits written
    digits: Annotated[list[int], Length(64)]  # EMPTY, 0 or 1, from the left


def start(s: State, m: int) -> None:
    s.m = m
    for square in range(m):
        s.digits[square] = EMPTY


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return 2 * s.m


def legal_moves(s: State, out: list[int]) -> int:
    count = 0
    for square in range(s.m):
        if s.digits[square] == EMPTY:
            out[count] = 2 * square
            out[count + 1] = 2 * square + 1
            count += 2
    return count


def play(s: State, move: int) -> None:
    s.digits[move // 2] = move % 2
    s.ply += 1


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.ply == s.m


def half_length(s: State, centre: int, player: int) -> int:
    """Half the length of the player's longest pattern whose middle is between squares centre-1 and centre.

    Every shorter one about the same centre is a pattern too. A pattern with an empty square in it does not count.
    """
    half = 0
    while half < centre and centre + half < s.m:
        left = s.digits[centre - 1 - half]
        right = s.digits[centre + half]
        if left == EMPTY or right == EMPTY or left ^ right != player - 1:
            break
        half += 1
    return half


def score(s: State, player: int) -> int:
    total = 0
    for centre in range(1, s.m):
        half = half_length(s, centre, player)
        total += half * (half + 1)  # 2 + 4 + ... + 2 * half
    return total


def move_text(s: State, move: int) -> str:
    return f"{move // 2 + 1}={move % 2}"


def read_move(s: State, text: str) -> int:
    match = _MOVE.fullmatch(text)
    if match is None:
        raise UnreadableMove(say("{text} is not a move; write a square and a digit, as in 5=0.", text=shorten(text)))
    if int(match[1]) > s.m:
        raise UnreadableMove(say("There is no square {square}; the squares are 1 to {m}.", square=match[1], m=s.m))
    return 2 * (int(match[1]) - 1) + int(match[2])


def broken_rule(s: State, move: int) -> str:
    digit = s.digits[move // 2]
    return "" if digit == EMPTY else say("Square {square} holds a {digit} already.", square=move // 2 + 1, digit=digit)
