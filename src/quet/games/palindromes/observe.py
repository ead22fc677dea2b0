"""What a program that learns sees of a row of digits, and its bounds. An action is the number of a move."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import EMPTY, State, is_over, mover

ALLOCATES = False

ROWS = {
    "empty": "1 on an empty square.",
    "0": "1 on a square that holds a 0.",
    "1": "1 on a square that holds a 1.",
    "player 2": "1 everywhere while player 2 is to move.",
}


def planes(s: State) -> Mapping[str, str]:
    return ROWS


def shape(s: State) -> tuple[int, ...]:
    return (s.m,)


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    is_second = mover(s) == 2 and not is_over(s)
    for i in range(s.m):
        array[0, i] = s.digits[i] == EMPTY
        array[1, i] = s.digits[i] == 0
        array[2, i] = s.digits[i] == 1
        array[3, i] = is_second


def num_actions(s: State) -> int:
    return 2 * s.m


def longest(s: State) -> int:
    return s.m


def is_position(s: State, first: State) -> bool:
    if s.m != first.m:
        return False
    count = 0
    for square in range(s.m):
        digit = s.digits[square]
        count += digit != EMPTY
        if digit != EMPTY and digit != 0 and digit != 1:
            return False
    return count == s.ply
