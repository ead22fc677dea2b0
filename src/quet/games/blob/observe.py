"""What a program that learns sees of a blob, and its bounds. An action is the number of a move, a square."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import EDGE, FULL, State, is_over, mover

PLANES = {
    "filled": "1 on a filled square.",
    "edge": "1 on an empty square beside a filled one.",
    "player 2": "1 everywhere while player 2 is to move.",
}


def planes(s: State) -> Mapping[str, str]:
    return PLANES


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, array: NDArray[np.float32]) -> None:
    cells = np.array(s.cells[: s.n**2]).reshape(s.n, s.n)
    array[0] = cells == FULL
    array[1] = cells == EDGE
    array[2] = mover(s) == 2 and not is_over(s)


def num_actions(s: State) -> int:
    return s.n**2


def longest(s: State) -> int:
    return 2 * (s.n**2 // 4)
