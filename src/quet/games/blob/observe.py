"""What a program that learns sees of a blob, and its bounds. An action is the number of a move, a square."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import EDGE, FULL, State, is_over, mover

ALLOCATES = False

PLANES = {
    "filled": "1 on a filled square.",
    "edge": "1 on an empty square beside a filled one.",
    "player 2": "1 everywhere while player 2 is to move.",
}


def planes(s: State) -> Mapping[str, str]:
    return PLANES


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    squares, is_second = s.n * s.n, mover(s) == 2 and not is_over(s)
    for square in range(squares):
        array[0, square] = s.cells[square] == FULL
        array[1, square] = s.cells[square] == EDGE
        array[2, square] = is_second


def num_actions(s: State) -> int:
    return s.n**2


def longest(s: State) -> int:
    return 2 * (s.n**2 // 4)
