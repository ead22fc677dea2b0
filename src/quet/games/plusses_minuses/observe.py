"""What a program that learns sees of predictions and a grid, and its bounds. An action is the number of a move.

Player 1's k-th prediction fills column k of its plane, player 2's k-th row k.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import State, is_over, is_predicting, legal_moves, most_moves, mover

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


def observe(s: State, array: NDArray[np.float32]) -> None:
    for column in range(s.n):
        if s.height[column]:
            array[0, s.height[column] - 1, column] = 1
    if not is_predicting(s):
        legal = [0] * most_moves(s)
        array[1].flat[legal[: legal_moves(s, legal)]] = 1
    for i in range(2 * s.n - 2):
        sign = 0 if s.predicted[i] > 0 else 1
        if s.predicted[i] and i % 2 == 0:
            array[2 + sign, :, i // 2] = 1
        elif s.predicted[i]:
            array[4 + sign, i // 2, :] = 1
    array[6] = mover(s) == 2 and not is_over(s)


def num_actions(s: State) -> int:
    return s.n**2 + 2


def longest(s: State) -> int:
    return 3 * s.n - 2
