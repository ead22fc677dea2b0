"""What a program that learns sees of a blob, and its bounds. An action is the number of a move, a square."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import EDGE, EMPTY, FULL, State, is_over, mover

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


def is_position(s: State, first: State) -> bool:
    n = first.n
    squares = n * n
    if s.n != n or not 0 <= s.num_edge <= squares:
        return False
    num_full = num_edge = 0
    for square in range(squares):
        cell = s.cells[square]
        num_full += cell == FULL
        num_edge += cell == EDGE
        if cell != FULL and cell != (EDGE if _is_beside_full(s, square) else EMPTY):
            return False
        # Each square of the edge has a place of its own in the list, which has no more of them.
        if cell == EDGE and not (0 <= s.place[square] < s.num_edge and s.edge[s.place[square]] == square):
            return False
    return num_full == s.ply <= longest(first) and num_edge == s.num_edge


def _is_beside_full(s: State, square: int) -> bool:
    n = s.n
    row = square // n
    column = square - row * n
    return (
        (row > 0 and s.cells[square - n] == FULL)
        or (row < n - 1 and s.cells[square + n] == FULL)
        or (column > 0 and s.cells[square - 1] == FULL)
        or (column < n - 1 and s.cells[square + 1] == FULL)
    )
