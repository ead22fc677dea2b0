"""What a program that learns sees of terms and a path, and its bounds. An action is the number of a move, a square.

The smallest term of the sequence has rank 1, and equal terms have equal ranks.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from quet.core.grid import is_numbered

from .rules import EMPTY, State

ALLOCATES = False

PLANES = {
    "filled": "1 on a filled square.",
    "rank": "The rank of the term on the square, divided by n².",
    "last": "1 on the square filled or stepped to last.",
    "path": "1 on a square of the path.",
    "next": "1 on each square that can be filled or stepped to.",
    "term": "The rank of the term to be placed, divided by n²; 0 when all are placed.",
}


def planes(s: State) -> Mapping[str, str]:
    return PLANES


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    squares = s.n * s.n
    for square in range(squares):
        index = s.index[square]
        array[0, square] = index > 0
        if index > 0:
            array[1, square] = (s.ranks[index - 1] + 1) / squares
        array[3, square] = s.path[square] > 0
        array[4, square] = legal[square]
        if s.is_placing:
            array[5, square] = (s.ranks[s.count] + 1) / squares
    if s.count if s.is_placing else s.length:
        array[2, s.last] = 1


def num_actions(s: State) -> int:
    return s.n**2


def longest(s: State) -> int:
    return 2 * s.n**2


def highest_score(s: State) -> int:
    return s.n**2


def is_position(s: State, first: State) -> bool:
    squares = first.n * first.n
    if s.n != first.n or not (0 <= s.is_placing <= 1 and 0 <= s.last < squares and 0 <= s.length <= s.count):
        return False
    if not is_numbered(s.index, squares, s.count) or not is_numbered(s.path, squares, s.length):
        return False
    for i in range(squares):
        if s.ranks[i] != first.ranks[i] or (s.path[i] != EMPTY and s.index[i] == EMPTY):
            return False
    if s.is_placing:
        return s.length == 0 and s.count < squares and (s.count == 0 or s.index[s.last] == s.count)
    return s.count > 0 and (s.length == 0 or s.path[s.last] == s.length)
