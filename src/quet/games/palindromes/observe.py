"""What a program that learns sees of a row of digits, and its bounds. An action is the number of a move."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import EMPTY, State, is_over, mover

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


def observe(s: State, array: NDArray[np.float32]) -> None:
    digits = np.array(s.digits[: s.m])
    array[0] = digits == EMPTY
    array[1] = digits == 0
    array[2] = digits == 1
    array[3] = mover(s) == 2 and not is_over(s)


def num_actions(s: State) -> int:
    return 2 * s.m


def longest(s: State) -> int:
    return s.m
