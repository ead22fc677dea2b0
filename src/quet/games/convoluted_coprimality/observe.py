"""What a program that learns sees of a winding path, and its bounds. An action is the number of a move, a square."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from quet.core.grid import column_of, is_numbered

from .rules import State, is_blocked, is_over, mover

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


def is_position(s: State, first: State) -> bool:
    n, players = first.n, first.players
    if s.n != n or s.players != players or s.grids != first.grids or not 1 <= s.grid <= s.grids:
        return False
    if not (0 <= s.last < n * n and 1 <= s.mover <= players and 0 <= s.is_over <= 1):
        return False
    if not is_numbered(s.numbers, n * n, s.number) or s.numbers[s.last] != s.number or s.numbers[first.last] != 1:
        return False
    num_left = 0
    for player in range(1, players + 1):
        num_left += s.is_left[player] == 1
        if s.is_left[player] != 0 and s.is_left[player] != 1:
            return False
    if num_left != s.num_left or num_left == 0:
        return False
    if num_left == 1:
        return s.is_over == 1
    # The turn passes to those who are left, and where a grid is blocked the next one begins, if there is one.
    blocked = is_blocked(s, column_of(s.last, n))
    return s.is_left[s.mover] == 1 and blocked == (s.is_over == 1) and (not blocked or s.grid == s.grids)
