"""What a program that learns sees of a grid of numbers, what it may do, and its bounds.

The puzzle can go on for ever, since numbers may be changed at will. Here it has a finite form: each square is written
once, with one of 1..n³, and the game ends with a full grid. Action square * n³ + v - 1 writes v.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from quet.core.grid import square_text
from quet.core.messages import say

from . import rules
from .rules import BASE, EMPTY, State

PLANES = {"filled": "1 on a filled square.", "number": "The number on the square, divided by n³."}


def planes(s: State) -> Mapping[str, str]:
    return PLANES


def shape(s: State) -> tuple[int, ...]:
    return s.n, s.n


def observe(s: State, array: NDArray[np.float32]) -> None:
    numbers = np.array(s.numbers[: s.n**2]).reshape(s.n, s.n)
    array[0] = numbers != EMPTY
    array[1] = numbers / s.n**3


def num_actions(s: State) -> int:
    return s.n**5


def longest(s: State) -> int:
    return s.n**2


def highest_score(s: State) -> int:
    return s.n**3


def legal_actions(s: State) -> list[int]:
    used = set(s.numbers)
    unused = [value - 1 for value in range(1, s.n**3 + 1) if value not in used]
    empty = [square for square in range(s.n**2) if s.numbers[square] == EMPTY]
    return [square * s.n**3 + value for square in empty for value in unused]


def action_text(s: State, action: int) -> str:
    return rules.move_text(s, _move(s, action))


def broken_rule(s: State, action: int) -> str:
    broken = rules.broken_rule(s, _move(s, action))
    square = action // s.n**3
    if not broken and s.numbers[square] != EMPTY:
        return say(
            "{square} holds {number} already, and a square is written once.",
            square=square_text(square, s.n),
            number=s.numbers[square],
        )
    return broken


def play(s: State, action: int) -> None:
    """Write a number; the last one ends the game."""
    rules.play(s, _move(s, action))
    if s.num_filled == s.n**2:
        rules.play(s, s.n**2 * BASE)


def _move(s: State, action: int) -> int:
    return action // s.n**3 * BASE + action % s.n**3 + 1
