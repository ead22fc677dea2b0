"""What a program that learns sees of predictions and a grid, and its bounds. An action is the number of a move.

Player 1's k-th prediction fills column k of its plane, player 2's k-th row k.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import EMPTY, State, is_over, mover

ALLOCATES = False

PLANES = {
    "filled": "1 on a filled square.",
    "next": "1 on each square that can be filled.",
    "plus 1": "1 in column k where player 1's k-th prediction is +.",
    "minus 1": "1 in column k where player 1's k-th prediction is -.",
    "plus 2": "1 in row k where player 2's k-th prediction is +.",
    "minus 2": "1 in row k where player 2's k-th prediction is -.",
    "player 2": "1 everywhere while player 2 is to move.",
}


def planes(s: State) -> Mapping[str, str]:
    return PLANES


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    squares, is_second = s.n * s.n, mover(s) == 2 and not is_over(s)
    for square in range(squares):
        row, column = square // s.n, square % s.n
        array[0, square] = s.height[column] == row + 1
        array[1, square] = legal[square]
        if column < s.n - 1:
            array[2, square] = s.predicted[2 * column] > 0
            array[3, square] = s.predicted[2 * column] < 0
        if row < s.n - 1:
            array[4, square] = s.predicted[2 * row + 1] > 0
            array[5, square] = s.predicted[2 * row + 1] < 0
        array[6, square] = is_second


def num_actions(s: State) -> int:
    return s.n**2 + 2


def longest(s: State) -> int:
    return 3 * s.n - 2


def is_position(s: State, first: State) -> bool:
    n, symbols = first.n, 2 * (first.n - 1)
    if s.n != n or s.second_part_first != first.second_part_first or not 0 <= s.ply <= symbols + n:
        return False
    for place in range(symbols):
        if abs(s.predicted[place]) != (1 if place < s.ply else 0):
            return False
    num_columns = num_rows = 0
    for i in range(n):
        column, height = s.column[i], s.height[i]
        if not (0 <= column <= n and 0 <= height <= n):
            return False
        if column != EMPTY and s.height[column - 1] != i + 1:
            return False
        if height != EMPTY and s.column[height - 1] != i + 1:
            return False
        num_columns += height != EMPTY
        num_rows += column != EMPTY
    return num_columns == num_rows == max(s.ply - symbols, 0)
