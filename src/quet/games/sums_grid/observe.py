"""What a program that learns sees of a grid of numbers, what it may do, and its bounds.

The puzzle can go on for ever, since numbers may be changed at will. Here it has a finite form: each square is written
once, with one of 1..n³, and the game ends with a full grid. Action square * n³ + v - 1 writes v.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from quet.core.grid import square_text
from quet.core.messages import say

from . import rules
from .rules import BASE, EMPTY, LARGEST, State

ALLOCATES = False

PLANES = {"filled": "1 on a filled square.", "number": "The number on the square, divided by n³."}


def planes(s: State) -> Mapping[str, str]:
    return PLANES


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    for square in range(s.n * s.n):
        array[0, square] = s.numbers[square] != EMPTY
        array[1, square] = s.numbers[square] / s.n**3


def num_actions(s: State) -> int:
    return s.n**5


def longest(s: State) -> int:
    return s.n**2


def highest_score(s: State) -> int:
    return s.n**3


def mark_legal(s: State, moves: list[int], legal: NDArray[np.bool_]) -> None:
    squares, values = s.n * s.n, s.n**3
    for square in range(squares):
        if s.numbers[square] == EMPTY:
            legal[square * values : (square + 1) * values] = True
    for square in range(squares):
        if 0 < s.numbers[square] <= values:  # the rules take larger numbers, too
            for other in range(squares):
                legal[other * values + s.numbers[square] - 1] = False


def action_text(s: State, action: int) -> str:
    return rules.move_text(s, _move(s, action))


def moves(s: State, action: int) -> Sequence[int]:
    is_last = s.num_filled == s.n**2 - 1
    return (_move(s, action), s.n**2 * BASE) if is_last else (_move(s, action),)


def broken_rule(s: State, action: int) -> str:
    broken = rules.broken_rule(s, _move(s, action))
    square = action // s.n**3
    if not broken and s.numbers[square] != EMPTY:
        return say(
            "{square} holds {number} already, and a square is written once.",
            square=square_text(square, s.n),
            number=s.numbers[square],
        )
    return broken


def play(s: State, action: int) -> None:
    """Write a number; the last one ends the game."""
    rules.play(s, _move(s, action))
    if s.num_filled == s.n**2:
        rules.play(s, s.n**2 * BASE)


def _move(s: State, action: int) -> int:
    return action // s.n**3 * BASE + action % s.n**3 + 1


def is_position(s: State, first: State) -> bool:
    squares = first.n * first.n
    if s.n != first.n or not 0 <= s.is_done <= 1:
        return False
    count = 0
    for square in range(squares):
        number = s.numbers[square]
        if not 0 <= number <= LARGEST:
            return False
        count += number != EMPTY
        for other in range(square):
            if number != EMPTY and s.numbers[other] == number:
                return False
    return count == s.num_filled and (not s.is_done or count == squares)
