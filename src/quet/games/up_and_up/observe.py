"""What a program that learns sees of a grid of numbers, and its bounds. An action is the number of a move, a square."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from .rules import EMPTY, State, legal_moves, most_moves

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


def observe(s: State, array: NDArray[np.float32]) -> None:
    array[0].flat = np.array(s.numbers[: s.n**2]) != EMPTY
    if s.count:
        array[1].flat[s.last] = 1
    legal = [0] * most_moves(s)
    array[2].flat[legal[: legal_moves(s, legal)]] = 1
    array[3] = s.step / s.n


def num_actions(s: State) -> int:
    return s.n**2


def longest(s: State) -> int:
    return s.n**2


def highest_score(s: State) -> int:
    return s.n**2
