"""What a program that learns sees of a winding path, and its bounds. An action is the number of a move, a square."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import State, is_over, mover

ALLOCATES = False

PLANES = {
    "filled": "1 on a filled square.",
    "number": "The number on the square, divided by n².",
    "last": "1 on the square filled last.",
    "next": "1 on each square where the next number may be written.",
    "grid": "Which grid is being filled, divided by the number of grids.",
}


def planes(s: State) -> Mapping[str, str]:
    players = range(1, s.players + 1)
    movers = {f"player {player}": f"1 everywhere while player {player} is to move." for player in players}
    left = {f"still in {player}": f"1 everywhere until player {player} is eliminated." for player in players}
    return PLANES | movers | left


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    squares, who = s.n * s.n, 0 if is_over(s) else mover(s)
    for square in range(squares):
        array[0, square] = s.numbers[square] > 0
        array[1, square] = s.numbers[square] / squares
        array[3, square] = legal[square]
        array[4, square] = s.grid / s.grids
        for player in range(1, s.players + 1):
            array[4 + player, square] = player == who
            array[4 + s.players + player, square] = s.is_left[player]
    array[2, s.last] = 1


def num_actions(s: State) -> int:
    return s.n**2


def longest(s: State) -> int:
    return s.grids * (s.n**2 - 1)
