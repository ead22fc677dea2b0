"""What a program that learns sees of a grid of numbers, and its bounds. An action is the number of a move, a square."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from quet.core.grid import is_numbered

from .rules import EMPTY, State

ALLOCATES = False

PLANES = {
    "filled": "1 on a filled square.",
    "last": "1 on the square filled last.",
    "next": "1 on each square where the next number may be written.",
    "step": "How far the next number goes if it can, divided by n.",
}


def planes(s: State) -> Mapping[str, str]:
    return PLANES


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    for square in range(s.n * s.n):
        array[0, square] = s.numbers[square] != EMPTY
        array[2, square] = legal[square]
        array[3, square] = s.step / s.n
    if s.count:
        array[1, s.last] = 1


def num_actions(s: State) -> int:
    return s.n**2


def longest(s: State) -> int:
    return s.n**2


def highest_score(s: State) -> int:
    return s.n**2


def is_position(s: State, first: State) -> bool:
    squares = first.n * first.n
    if s.n != first.n or not is_numbered(s.numbers, squares, s.count) or not 0 <= s.last < squares:
        return False
    if s.count == 0:
        return s.last == 0 and s.step == 0
    return 1 <= s.step <= s.n and s.numbers[s.last] == s.count
