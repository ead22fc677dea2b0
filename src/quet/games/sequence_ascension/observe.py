"""What a program that learns sees of terms and a path, and its bounds. An action is the number of a move, a square.

The smallest term of the sequence has rank 1, and equal terms have equal ranks.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import State, legal_moves, most_moves

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


def observe(s: State, array: NDArray[np.float32]) -> None:
    index = np.array(s.index[: s.n**2]).reshape(s.n, s.n)
    array[0] = index > 0
    array[1] = np.where(index > 0, np.array(s.ranks)[index - 1] + 1, 0) / s.n**2
    if s.length if not s.is_placing else s.count:
        array[2].flat[s.last] = 1
    array[3].flat = np.array(s.path[: s.n**2]) > 0
    legal = [0] * most_moves(s)
    array[4].flat[legal[: legal_moves(s, legal)]] = 1
    if s.is_placing:
        array[5] = (s.ranks[s.count] + 1) / s.n**2


def num_actions(s: State) -> int:
    return s.n**2


def longest(s: State) -> int:
    return 2 * s.n**2


def highest_score(s: State) -> int:
    return s.n**2
